// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/lcp_residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "enfold/base/require.hpp"

namespace enfold::lcp {

double lcp_residual(const MatrixXd& A, const VectorXd& b, const VectorXd& x) {
  const Index n = b.size();
  ENFOLD_REQUIRE(A.rows() == n && A.cols() == n && x.size() == n,
                 "lcp_residual: A is {} × {}, b has {} entries and x has {}, expected one size", A.rows(),
                 A.cols(), n, x.size());
  double residual = 0.0;
  for (Index i = 0; i < n; ++i) {
    double y = b(i);
    for (Index j = 0; j < n; ++j) y += A(i, j) * x(j);
    const double r = std::abs(std::min(x(i), y));
    if (!std::isfinite(r) || !std::isfinite(x(i))) return std::numeric_limits<double>::infinity();
    residual = std::max(residual, r);
  }
  return residual;
}

double lcp_residual(const LcpProblem& problem, const VectorXd& x) {
  return lcp_residual(problem.A, problem.b, x);
}

double residual_bound(const VectorXd& b, double tol) {
  double size = 1.0;
  for (Index i = 0; i < b.size(); ++i) size = std::max(size, std::abs(b(i)));
  return tol * size;
}

bool ray_proves_infeasibility(const LcpProblem& problem, const LcpRay& ray, double tol) {
  validate(problem);
  const Index n = problem.size();
  if (n == 0 || ray.x.size() != n || ray.x.minCoeff() < 0.0) return false;
  const double A_max = problem.A.cwiseAbs().maxCoeff();
  const double b_max = problem.b.cwiseAbs().maxCoeff();
  const VectorXd column_sums = problem.A.transpose() * ray.x;
  return column_sums.maxCoeff() <= tol * A_max && problem.b.dot(ray.x) < -tol * b_max;
}

}  // namespace enfold::lcp
