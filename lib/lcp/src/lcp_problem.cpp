// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/lcp_problem.hpp"

#include <cmath>

#include "enfold/base/require.hpp"
#include "vector_kernels.hpp"

namespace enfold::lcp {

namespace {

// 0·v is 0 for a finite v and NaN otherwise: one pass without a branch per entry.
bool all_finite(const double* values, Index size) {
  detail::Block<8> sums = detail::Block<8>::Zero();
  Index i = 0;
  for (; i + 8 <= size; i += 8) sums += 0.0 * detail::load<8>(values + i);
  double sum = sums.sum();
  for (; i < size; ++i) sum += 0.0 * values[i];
  return sum == 0.0;
}

}  // namespace

void validate(const MatrixXd& A, const VectorXd& b) {
  const Index n = b.size();
  ENFOLD_REQUIRE(A.rows() == n && A.cols() == n,
                 "LcpProblem: A is {} × {}, expected {} × {} as b has {} entries", A.rows(), A.cols(), n, n,
                 n);
  if (all_finite(A.data(), A.size()) && all_finite(b.data(), n)) return;
  for (Index i = 0; i < n; ++i) {
    ENFOLD_REQUIRE(std::isfinite(b(i)), "LcpProblem: b({}) is {}, expected a finite number", i, b(i));
    for (Index j = 0; j < n; ++j) {
      ENFOLD_REQUIRE(std::isfinite(A(i, j)), "LcpProblem: A({}, {}) is {}, expected a finite number", i, j,
                     A(i, j));
    }
  }
}

void validate(const LcpProblem& problem) {
  validate(problem.A, problem.b);
}

}  // namespace enfold::lcp
