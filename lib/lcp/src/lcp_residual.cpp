// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/lcp_residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "enfold/base/require.hpp"
#include "vector_kernels.hpp"

namespace enfold::lcp {

namespace {

// The largest |min(x_i, y_i)| of the K rows from i on; infinite if it or an x_i is not finite. y may be null.
template <int K>
double residual_of_rows(const MatrixXd& A, const VectorXd& b, const VectorXd& x, double* y, Index i) {
  const Index n = b.size();
  const double* a = A.data() + i;
  detail::Block<K> y_i = detail::load<K>(b.data() + i);
  for (Index j = 0; j < n; ++j, a += n) y_i += detail::load<K>(a) * x(j);
  if (y != nullptr) detail::store<K>(y + i, y_i);
  double residual = 0.0;
  for (Index k = 0; k < K; ++k) {
    const double r = std::abs(std::min(x(i + k), y_i(k)));
    if (!std::isfinite(r) || !std::isfinite(x(i + k))) return std::numeric_limits<double>::infinity();
    residual = std::max(residual, r);
  }
  return residual;
}

double residual_of_all_rows(const MatrixXd& A, const VectorXd& b, const VectorXd& x, double* y) {
  const Index n = b.size();
  ENFOLD_REQUIRE(A.rows() == n && A.cols() == n && x.size() == n,
                 "lcp_residual: A is {} × {}, b has {} entries and x has {}, expected one size", A.rows(),
                 A.cols(), n, x.size());
  double residual = 0.0;
  Index i = 0;
  for (; i + 8 <= n; i += 8) residual = std::max(residual, residual_of_rows<8>(A, b, x, y, i));
  if (i + 4 <= n) {
    residual = std::max(residual, residual_of_rows<4>(A, b, x, y, i));
    i += 4;
  }
  for (; i < n; ++i) residual = std::max(residual, residual_of_rows<1>(A, b, x, y, i));
  return residual;
}

}  // namespace

double lcp_residual(const MatrixXd& A, const VectorXd& b, const VectorXd& x) {
  return residual_of_all_rows(A, b, x, nullptr);
}

double lcp_residual(const MatrixXd& A, const VectorXd& b, const VectorXd& x, VectorXd& y) {
  ENFOLD_REQUIRE(y.size() == b.size(), "lcp_residual: y has {} entries, expected {}", y.size(), b.size());
  return residual_of_all_rows(A, b, x, y.data());
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
