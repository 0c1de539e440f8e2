// SPDX-License-Identifier: BSD-3-Clause
#include "cone_distance.hpp"

#include <Eigen/QR>
#include <limits>
#include <vector>

namespace enfold::lcp::detail {

namespace {

// Least squares with the passive columns only; zero elsewhere.
VectorXd solve_passive(const MatrixXd& C, const VectorXd& b, const std::vector<Index>& passive) {
  VectorXd x = VectorXd::Zero(C.cols());
  const MatrixXd C_P = C(Eigen::all, passive);
  x(passive) = C_P.colPivHouseholderQr().solve(b);
  return x;
}

std::vector<Index> positive(const VectorXd& x) {
  std::vector<Index> indices;
  for (Index i = 0; i < x.size(); ++i) {
    if (x(i) > 0.0) indices.push_back(i);
  }
  return indices;
}

// From x ≥ 0 towards `target`, dropping columns that reach zero on the way.
void move_towards(const MatrixXd& C, const VectorXd& b, VectorXd target, VectorXd& x,
                  std::vector<Index>& passive) {
  while (true) {
    double step = 1.0;
    Index blocking = -1;
    for (const Index i : passive) {
      if (target(i) > 0.0) continue;
      const double ratio = x(i) / (x(i) - target(i));
      if (ratio < step || blocking < 0) {
        step = ratio;
        blocking = i;
      }
    }
    if (blocking < 0) break;
    x += step * (target - x);
    x(blocking) = 0.0;
    x = x.cwiseMax(0.0);
    passive = positive(x);
    if (passive.empty()) return;
    target = solve_passive(C, b, passive);
  }
  x = target;
}

}  // namespace

ConeProjection project_on_cone(const MatrixXd& C, const VectorXd& b) {
  const Index m = C.cols();
  VectorXd norms(m);
  for (Index j = 0; j < m; ++j) norms(j) = C.col(j).norm() > 0.0 ? C.col(j).norm() : 1.0;
  const MatrixXd U = C * norms.cwiseInverse().asDiagonal();
  const double tol = 64.0 * std::numeric_limits<double>::epsilon() * b.norm();
  VectorXd x = VectorXd::Zero(m);
  const Index most_steps = 20 * (m + 1);
  for (Index k = 0; k < most_steps && m > 0; ++k) {
    VectorXd gradient = U.transpose() * (b - U * x);
    std::vector<Index> passive = positive(x);
    for (const Index i : passive) gradient(i) = 0.0;
    Index entering = 0;
    if (gradient.maxCoeff(&entering) <= tol) break;
    passive.push_back(entering);
    const VectorXd target = solve_passive(U, b, passive);
    // Rounding alone let it in: its column adds nothing.
    if (target(entering) <= 0.0) break;
    move_towards(U, b, target, x, passive);
  }
  ConeProjection out;
  out.x = x.cwiseQuotient(norms);
  out.point = m > 0 ? VectorXd(C * out.x) : VectorXd(VectorXd::Zero(b.size()));
  out.distance = (out.point - b).norm();
  return out;
}

}  // namespace enfold::lcp::detail
