// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/stick_slip.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "enfold/base/require.hpp"

namespace enfold::uniqueness {

using contact::ContactMode;

StickSlipProblem stick_slip_problem(const MatrixXd& M, const VectorXd& force,
                                    const contact::ContactKinematics& kinematics,
                                    std::span<const ContactMode> modes, const VectorXd& mu) {
  const Index n_v = M.rows();
  const auto n_C = static_cast<Index>(modes.size());
  ENFOLD_REQUIRE(M.cols() == n_v && force.size() == n_v && kinematics.W_N.rows() == n_v,
                 "stick_slip_problem: M is {} × {}, the force has {} entries and W_N {} rows", n_v, M.cols(),
                 force.size(), kinematics.W_N.rows());
  ENFOLD_REQUIRE(kinematics.W_N.cols() == n_C && kinematics.W_T.cols() == n_C && mu.size() == n_C,
                 "stick_slip_problem: {} normals, {} tangents and {} coefficients for {} modes",
                 kinematics.W_N.cols(), kinematics.W_T.cols(), mu.size(), n_C);
  ENFOLD_REQUIRE(n_C == 0 || mu.minCoeff() >= 0.0, "stick_slip_problem: a coefficient is {}, expected ≥ 0",
                 mu.minCoeff());
  const Eigen::LLT<MatrixXd> M_llt(M);
  ENFOLD_REQUIRE(M_llt.info() == Eigen::Success, "stick_slip_problem: M is not positive definite");

  StickSlipProblem out;
  for (Index i = 0; i < n_C; ++i) {
    const ContactMode mode = modes[static_cast<std::size_t>(i)];
    if (mode == ContactMode::kOpen) continue;
    out.contacts.push_back(i);
    if (mode == ContactMode::kRoll) out.sticking.push_back(i);
  }
  const auto n = static_cast<Index>(out.contacts.size());
  const auto r = static_cast<Index>(out.sticking.size());
  const MatrixXd W_N = kinematics.W_N(Eigen::all, out.contacts);
  const MatrixXd W_R = kinematics.W_T(Eigen::all, out.sticking);
  MatrixXd W_mu = W_N;  // force of a unit λ_N with the friction of sliding
  for (Index k = 0; k < n; ++k) {
    const Index i = out.contacts[static_cast<std::size_t>(k)];
    const ContactMode mode = modes[static_cast<std::size_t>(i)];
    if (mode == ContactMode::kSlidePlus) W_mu.col(k) -= mu[i] * kinematics.W_T.col(i);
    if (mode == ContactMode::kSlideMinus) W_mu.col(k) += mu[i] * kinematics.W_T.col(i);
  }
  const MatrixXd M_inv_W_mu = M_llt.solve(W_mu);
  const MatrixXd M_inv_W_R = M_llt.solve(W_R);
  const VectorXd a = M_llt.solve(force);

  const Index size = n + 3 * r;
  MatrixXd& A = out.lcp.A;
  VectorXd& b = out.lcp.b;
  A.setZero(size, size);
  b.setZero(size);
  const Index plus = n;
  const Index minus = n + r;
  const Index sigma = n + 2 * r;
  const MatrixXd NR = W_N.transpose() * M_inv_W_R;
  const MatrixXd RN = W_R.transpose() * M_inv_W_mu;
  const MatrixXd RR = W_R.transpose() * M_inv_W_R;
  A.block(0, 0, n, n) = W_N.transpose() * M_inv_W_mu;
  A.block(0, plus, n, r) = NR;
  A.block(0, minus, n, r) = -NR;
  A.block(plus, 0, r, n) = RN;
  A.block(plus, plus, r, r) = RR;
  A.block(plus, minus, r, r) = -RR;
  A.block(minus, 0, r, n) = -RN;
  A.block(minus, plus, r, r) = -RR;
  A.block(minus, minus, r, r) = RR;
  A.block(plus, sigma, r, r).setIdentity();
  A.block(minus, sigma, r, r).setIdentity();
  A.block(sigma, plus, r, r) = -MatrixXd::Identity(r, r);
  A.block(sigma, minus, r, r) = -MatrixXd::Identity(r, r);
  for (Index k = 0; k < r; ++k)
    for (Index i = 0; i < n; ++i)
      if (out.contacts[static_cast<std::size_t>(i)] == out.sticking[static_cast<std::size_t>(k)])
        A(sigma + k, i) = mu[out.sticking[static_cast<std::size_t>(k)]];
  b.head(n) = W_N.transpose() * a + kinematics.bias_N(out.contacts);
  const VectorXd slip = W_R.transpose() * a + kinematics.bias_T(out.sticking);
  b.segment(plus, r) = slip;
  b.segment(minus, r) = -slip;
  return out;
}

std::optional<MatrixXd> copositivity_core(const StickSlipProblem& problem) {
  const auto n = static_cast<Index>(problem.contacts.size());
  const auto r = static_cast<Index>(problem.sticking.size());
  const MatrixXd& A = problem.lcp.A;
  const MatrixXd N = A.topLeftCorner(n, n);
  const MatrixXd N_s = 0.5 * (N + N.transpose());
  if (r == 0) return N_s;
  const MatrixXd C_s = 0.5 * (A.block(0, n, n, r) + A.block(n, 0, r, n).transpose());
  const Eigen::SelfAdjointEigenSolver<MatrixXd> R(A.block(n, n, r, r));
  if (R.info() != Eigen::Success) return std::nullopt;
  const double most = R.eigenvalues().maxCoeff();
  VectorXd inverse = VectorXd::Zero(r);
  for (Index k = 0; k < r; ++k) {
    const double part = R.eigenvalues()[k] / most;
    if (part > 1e-13 && part < 1e-9) return std::nullopt;  // zero, or not?
    if (part >= 1e-9) inverse[k] = 1.0 / R.eigenvalues()[k];
  }
  const MatrixXd C_V = C_s * R.eigenvectors();
  const MatrixXd S = N_s - C_V * inverse.asDiagonal() * C_V.transpose();
  return 0.5 * (S + S.transpose());
}

}  // namespace enfold::uniqueness
