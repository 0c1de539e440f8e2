// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/interval/dual.hpp"

namespace enfold::interval {

/// A small dense matrix of intervals or duals, by rows.
template <class T>
class Dense {
 public:
  Dense() = default;
  Dense(Index rows, Index cols) : rows_{rows}, cols_{cols}, entries_(static_cast<std::size_t>(rows * cols)) {}

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return cols_; }
  [[nodiscard]] T& operator()(Index i, Index j) { return entries_[static_cast<std::size_t>(i * cols_ + j)]; }
  [[nodiscard]] const T& operator()(Index i, Index j) const {
    return entries_[static_cast<std::size_t>(i * cols_ + j)];
  }

 private:
  Index rows_ = 0;
  Index cols_ = 0;
  std::vector<T> entries_;
};

using Duals = Dense<Dual>;

/// Aᵀ B. @pre A and B have the same number of rows
[[nodiscard]] inline Duals transpose_times(const Duals& A, const Duals& B) {
  Duals out(A.cols(), B.cols());
  for (Index i = 0; i < A.cols(); ++i)
    for (Index j = 0; j < B.cols(); ++j)
      for (Index k = 0; k < A.rows(); ++k) out(i, j) += A(k, i) * B(k, j);
  return out;
}

/// M⁻¹ B for a symmetric positive definite M, by M = L D Lᵀ; nothing if a pivot is not certainly positive.
[[nodiscard]] inline std::optional<Duals> solve_definite(Duals M, Duals B) {
  const Index n = M.rows();
  // L below the diagonal, D on it, D Lᵀ above.
  for (Index k = 0; k < n; ++k) {
    if (!(M(k, k).v.lo() > 0.0)) return std::nullopt;
    for (Index i = k + 1; i < n; ++i) M(k, i) = M(i, k);
    for (Index i = k + 1; i < n; ++i) {
      const Dual l = M(k, i) / M(k, k);
      for (Index j = k + 1; j <= i; ++j) M(i, j) -= l * M(k, j);
      for (Index j = 0; j < B.cols(); ++j) B(i, j) -= l * B(k, j);
      M(i, k) = l;
    }
  }
  for (Index k = n - 1; k >= 0; --k) {
    for (Index j = 0; j < B.cols(); ++j) {
      B(k, j) = B(k, j) / M(k, k);
      for (Index i = k + 1; i < n; ++i) B(k, j) -= M(i, k) * B(i, j);
    }
  }
  return B;
}

}  // namespace enfold::interval
