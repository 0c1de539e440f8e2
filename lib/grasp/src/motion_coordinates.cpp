// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/grasp/motion_coordinates.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::grasp {
namespace {

// A singular value below this part of the largest one counts as zero.
constexpr double kRank = 1e-9;

MatrixXd scaled(const MatrixXd& rows, const MatrixXd& M_o) {
  return M_o.diagonal().cwiseSqrt().asDiagonal() * rows;
}

}  // namespace

void MotionCoordinates::compute(const GraspMatrices& grasp, std::span<const Index> coordinates) {
  const Index n_x = grasp.G_tilde.rows();
  const Index n_theta = grasp.J_tilde.cols();
  const Index k = grasp.k();
  const auto n_xi = static_cast<Index>(coordinates.size());
  ENFOLD_REQUIRE(k + n_xi <= n_x + n_theta,
                 "MotionCoordinates: {} constraint rows and {} coordinates for {} velocities", k, n_xi,
                 n_x + n_theta);
  T_.resize(k + n_xi, n_x + n_theta);
  right_.resize(k + n_xi);
  along_.resize(n_x + n_theta - k - n_xi);
  T_.topLeftCorner(k, n_x) = grasp.G_tilde.transpose();
  T_.topRightCorner(k, n_theta) = -grasp.J_tilde;
  T_.bottomRows(n_xi).setZero();
  for (Index i = 0; i < n_xi; ++i) {
    const Index c = coordinates[static_cast<std::size_t>(i)];
    ENFOLD_REQUIRE(c >= 0 && c < n_x, "MotionCoordinates: coordinate {} of {}", c, n_x);
    T_(k + i, c) = 1.0;
  }
  split_.compute(T_);
}

void MotionCoordinates::solve(const VectorXd& rows, const VectorXd& xi, VectorXd& v) const {
  ENFOLD_REQUIRE(rows.size() + xi.size() == right_.size(),
                 "MotionCoordinates::solve: {} rows and {} coordinates, expected {} in all", rows.size(),
                 xi.size(), right_.size());
  right_.head(rows.size()) = rows;
  right_.tail(xi.size()) = xi;
  split_.particular(right_, v);
}

void MotionCoordinates::add_self_motion(const VectorXd& a, VectorXd& v) const {
  ENFOLD_REQUIRE(a.size() == T_.cols() && v.size() == T_.cols(),
                 "MotionCoordinates::add_self_motion: {} and {} entries, expected {}", a.size(), v.size(),
                 T_.cols());
  if (n_eta() == 0) return;
  along_.noalias() = split_.basis().transpose().lazyProduct(a);
  v.noalias() += split_.basis().lazyProduct(along_);
}

ObjectFreedom object_freedom(const GraspMatrices& grasp, const MatrixXd& M_o,
                             std::span<const Index> coordinates) {
  const Index n_x = grasp.G_tilde.rows();
  const Index n_v = n_x + grasp.J_tilde.cols();
  ENFOLD_REQUIRE(M_o.rows() == n_x && M_o.cols() == n_x,
                 "object_freedom: the inertia is {} × {} for {} coordinates", M_o.rows(), M_o.cols(), n_x);
  ObjectFreedom out;
  if (grasp.k() == 0) {
    out.Z.setIdentity(n_v, n_v);
  } else {
    const Eigen::JacobiSVD<MatrixXd> svd(grasp.W_tilde().transpose(), Eigen::ComputeFullV);
    const VectorXd& sigma = svd.singularValues();
    const Index rank = (sigma.array() > 1e-10 * std::max(1e-300, sigma[0])).count();
    out.Z = svd.matrixV().rightCols(n_v - rank);
  }
  const MatrixXd Z_x = scaled(out.Z.topRows(n_x), M_o);
  out.free.resize(n_x, 0);
  out.locked.setIdentity(n_x, n_x);
  double largest = 0.0;
  if (Z_x.cols() > 0) {
    const Eigen::JacobiSVD<MatrixXd> svd(Z_x, Eigen::ComputeFullU);
    largest = svd.singularValues()[0];
    // Rows are of the size of √M_o: an object that stands still is told from one that moves by that.
    const double zero = kRank * std::sqrt(M_o.diagonal().maxCoeff());
    out.rank = (svd.singularValues().array() > zero).count();
    const VectorXd unscale = M_o.diagonal().cwiseSqrt().cwiseInverse();
    out.free = unscale.asDiagonal() * svd.matrixU().leftCols(out.rank);
    out.locked = unscale.asDiagonal() * svd.matrixU().rightCols(n_x - out.rank);
    for (Index c = 0; c < out.free.cols(); ++c) out.free.col(c).normalize();
    for (Index c = 0; c < out.locked.cols(); ++c) out.locked.col(c).normalize();
  }
  const auto n_xi = static_cast<Index>(coordinates.size());
  if (n_xi == 0) return out;
  MatrixXd S_Z(n_xi, Z_x.cols());
  for (Index i = 0; i < n_xi; ++i) S_Z.row(i) = Z_x.row(coordinates[static_cast<std::size_t>(i)]);
  out.independence = 0.0;
  out.dependent = VectorXd::Unit(n_xi, 0);
  if (Z_x.cols() == 0) return out;
  const Eigen::JacobiSVD<MatrixXd> svd(S_Z, Eigen::ComputeFullU);
  if (n_xi <= svd.singularValues().size() && largest > 0.0)
    out.independence = svd.singularValues()[n_xi - 1] / largest;
  out.dependent = svd.matrixU().col(n_xi - 1);
  // Back from scaled coordinates: Σ u_i √M_i ξ̇_i = 0.
  for (Index i = 0; i < n_xi; ++i) {
    const Index c = coordinates[static_cast<std::size_t>(i)];
    out.dependent[i] *= std::sqrt(M_o(c, c));
  }
  out.dependent.normalize();
  if (out.rank > 0) {
    MatrixXd S_free(n_xi, out.rank);
    for (Index i = 0; i < n_xi; ++i) S_free.row(i) = out.free.row(coordinates[static_cast<std::size_t>(i)]);
    const Eigen::JacobiSVD<MatrixXd> shown(S_free, Eigen::ComputeFullV);
    out.unseen = (out.free * shown.matrixV().col(out.rank - 1)).normalized();
  }
  return out;
}

std::vector<Index> best_coordinates(const ObjectFreedom& freedom, const MatrixXd& M_o) {
  if (freedom.rank == 0) return {};
  const MatrixXd rows = scaled(freedom.free, M_o);
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(rows.transpose());
  std::vector<Index> best;
  for (Index i = 0; i < freedom.rank; ++i) best.push_back(qr.colsPermutation().indices()[i]);
  std::sort(best.begin(), best.end());
  return best;
}

std::vector<std::string> plain_names(std::span<const std::string> names) {
  std::vector<std::string> out(names.begin(), names.end());
  for (std::string& name : out) {
    for (const char* unit : {"_radps", "_mps", "_rad", "_m"}) {
      const std::string_view end(unit);
      if (name.size() > end.size() && name.ends_with(end)) {
        name.erase(name.size() - end.size());
        break;
      }
    }
  }
  return out;
}

std::string direction_text(const VectorXd& direction, std::span<const std::string> names) {
  const std::vector<std::string> plain = plain_names(names);
  if (direction.size() == 0 || direction.isZero(0.0)) return "none";
  Index leader = 0;
  const double largest = direction.cwiseAbs().maxCoeff(&leader);
  const double sign = direction[leader] < 0.0 ? -1.0 : 1.0;
  std::string out;
  for (Index i = 0; i < direction.size() && i < static_cast<Index>(plain.size()); ++i) {
    const double value = sign * direction[i];
    if (std::abs(value) <= 1e-6 * largest) continue;
    if (out.empty()) {
      if (value < 0.0) out += "−";
    } else {
      out += fmt::format(" {} ", value < 0.0 ? "−" : "+");
    }
    if (std::abs(std::abs(value) - 1.0) >= 5e-4) out += fmt::format("{:.3g} ", std::abs(value));
    out += plain[static_cast<std::size_t>(i)];
  }
  return out;
}

}  // namespace enfold::grasp
