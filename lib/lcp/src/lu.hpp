// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <utility>

#include "enfold/base/types.hpp"
#include "vector_kernels.hpp"

namespace enfold::lcp::detail {

// Row-major LU with partial pivoting in the caller's memory: the solvers must not allocate, and at the sizes
// they see (n ≈ 4 … 20) plain loops beat a general decomposition.

// Factors P a = L U in place; order[k] is the row of a that became row k. False if a pivot is exactly zero.
inline bool lu_factor(double* a, Index stride, Index n, Index* order) {
  for (Index k = 0; k < n; ++k) order[k] = k;
  for (Index k = 0; k < n; ++k) {
    Index best = k;
    for (Index i = k + 1; i < n; ++i) {
      if (std::abs(a[i * stride + k]) > std::abs(a[best * stride + k])) best = i;
    }
    if (a[best * stride + k] == 0.0) return false;
    if (best != k) {
      for (Index j = 0; j < n; ++j) std::swap(a[k * stride + j], a[best * stride + j]);
      std::swap(order[k], order[best]);
    }
    const double inverse = 1.0 / a[k * stride + k];
    for (Index i = k + 1; i < n; ++i) {
      const double l = a[i * stride + k] *= inverse;
      add_multiple(a + i * stride + k + 1, a + k * stride + k + 1, -l, n - k - 1);
    }
  }
  return true;
}

// Solves L U x = P rhs with the factors above.
inline void lu_solve(const double* a, Index stride, Index n, const Index* order, const double* rhs,
                     double* x) {
  for (Index i = 0; i < n; ++i) {
    x[i] = rhs[order[i]] - dot(a + i * stride, x, i);
  }
  for (Index i = n - 1; i >= 0; --i) {
    x[i] = (x[i] - dot(a + i * stride + i + 1, x + i + 1, n - i - 1)) / a[i * stride + i];
  }
}

}  // namespace enfold::lcp::detail
