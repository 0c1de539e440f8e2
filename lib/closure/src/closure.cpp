// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/closure/closure.hpp"

#include <Eigen/SVD>

#include "enfold/base/require.hpp"
#include "enfold/lp/lp_solver.hpp"

namespace enfold::closure {
namespace {

// Dimensionless: of columns scaled to unit length.
constexpr double kZero = 1e-9;

/// max t s.t. U λ = 0, Σ λ = 1, λ_j ≥ t.
lp::LpSolution balancing_program(const MatrixXd& U) {
  const Index n_w = U.rows();
  const Index n_g = U.cols();
  lp::LpProblem problem = lp::unconstrained_lp(n_g + 1, n_w + 1 + n_g);
  problem.c[n_g] = -1.0;
  problem.R.topLeftCorner(n_w, n_g) = U;
  problem.row_lower.head(n_w).setZero();
  problem.row_upper.head(n_w).setZero();
  problem.R.row(n_w).head(n_g).setOnes();
  problem.row_lower[n_w] = problem.row_upper[n_w] = 1.0;
  problem.R.bottomLeftCorner(n_g, n_g).setIdentity();
  problem.R.col(n_g).tail(n_g).setConstant(-1.0);
  problem.row_lower.tail(n_g).setZero();
  problem.lower.setZero();
  return lp::solve_lp(problem);
}

/// max Σ dᵀ U_j s.t. dᵀ U ≥ 0, |d_i| ≤ 1.
lp::LpSolution escaping_program(const MatrixXd& U) {
  lp::LpProblem problem = lp::unconstrained_lp(U.rows(), U.cols());
  problem.c = -U.rowwise().sum();
  problem.R = U.transpose();
  problem.row_lower.setZero();
  problem.lower.setConstant(-1.0);
  problem.upper.setConstant(1.0);
  return lp::solve_lp(problem);
}

Closure decide(const MatrixXd& W, const VectorXd& scales) {
  Closure out;
  out.status = ClosureStatus::kUndecided;
  MatrixXd U = scales.asDiagonal() * W;
  const VectorXd norms = U.colwise().norm();
  for (Index j = 0; j < U.cols(); ++j)
    if (norms[j] > 0.0) U.col(j) /= norms[j];
  // In the scaled space a direction is d; in that of W it is scales·d, so that products with columns agree.
  const auto escapes = [&](const VectorXd& d) {
    out.status = ClosureStatus::kNotClosed;
    out.escape = scales.cwiseProduct(d.normalized());
    return out;
  };
  const Eigen::JacobiSVD<MatrixXd> svd(U, Eigen::ComputeFullU);
  const Index rank = (svd.singularValues().array() > kZero).count();
  if (rank < U.rows()) return escapes(svd.matrixU().rightCols<1>());

  const lp::LpSolution balanced = balancing_program(U);
  if (balanced.ok() && balanced.z[U.cols()] > kZero) {
    const VectorXd weights = balanced.z.head(U.cols());
    out.smallest = weights.minCoeff();
    out.lambda = weights.cwiseQuotient(norms);
    out.lambda /= out.lambda.sum();
    out.balance = (scales.asDiagonal() * W * out.lambda).norm();
    if (out.smallest > kZero && (U * weights).norm() <= 1e-3 * out.smallest * svd.singularValues().minCoeff())
      out.status = ClosureStatus::kClosed;
    return out;
  }
  const lp::LpSolution escape = escaping_program(U);
  if (!escape.ok() || escape.z.norm() < 1e-6) return out;
  const VectorXd products = U.transpose() * escape.z;
  if (products.minCoeff() >= -kZero && products.maxCoeff() > 1e-6) return escapes(escape.z);
  return out;
}

}  // namespace

std::string_view to_string(ClosureStatus status) {
  switch (status) {
    case ClosureStatus::kNotRun:
      return "not run";
    case ClosureStatus::kClosed:
      return "yes";
    case ClosureStatus::kNotClosed:
      return "no";
    case ClosureStatus::kUndecided:
      return "undecided";
  }
  return "unknown";
}

Closure force_closure(const ContactWrenches& contacts) {
  ENFOLD_REQUIRE(contacts.n_g() >= 1 && contacts.W.allFinite(), "force_closure: {} × {} wrenches",
                 contacts.n_w(), contacts.n_g());
  return decide(contacts.W, contacts.scales());
}

Closure form_closure(const ContactWrenches& contacts) {
  ENFOLD_REQUIRE(contacts.n_g() >= 1 && contacts.W.allFinite(), "form_closure: {} × {} wrenches",
                 contacts.n_w(), contacts.n_g());
  // The edges of a cone are symmetric about the normal: their mean is its wrench.
  MatrixXd normals = MatrixXd::Zero(contacts.n_w(), contacts.n_contacts);
  VectorXd edges = VectorXd::Zero(contacts.n_contacts);
  for (Index j = 0; j < contacts.n_g(); ++j) {
    const Index i = contacts.contact_of[static_cast<std::size_t>(j)];
    normals.col(i) += contacts.W.col(j);
    edges[i] += 1.0;
  }
  for (Index i = 0; i < contacts.n_contacts; ++i) normals.col(i) /= std::max(edges[i], 1.0);
  return decide(normals, contacts.scales());
}

}  // namespace enfold::closure
