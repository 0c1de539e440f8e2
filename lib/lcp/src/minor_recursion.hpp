// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "determinant.hpp"
#include "enfold/base/types.hpp"
#include "vector_kernels.hpp"

namespace enfold::lcp::detail {

// Sets of three indices are the leaves of the recursion: their seven minors need no division.
inline constexpr Index kLeafSize = 3;
inline constexpr Index kLeafSets = 8;

// The minors of a leaf, by the low bits of their sets. Not a Block: they come one by one and stay in
// registers, while a vector made of them would wait for the memory.
using Leaf = std::array<double, static_cast<std::size_t>(kLeafSets)>;

// A Schur complement amplifies rounding by |A_21 A_12| / a²: pivots smaller than this part of their row and
// column leave the branch to determinants.
inline constexpr double kSmallestPivot = 1e-3;

// All principal minors of A by the recursion on Schur complements, the last index first, so that the minors
// of one leaf are neighbours.
//
// Visitor: bool leaf(mask, Leaf minors), with minors[s] = det A_TT of T = mask + s, s < 8; it returns
// false to stop. bool branch(mask, minor) for a single set above the leaves.
template <typename Visitor>
class MinorRecursion {
 public:
  // A: row-major, n × n, n ≥ kLeafSize. Workspace: one n × n matrix for each size from n down to kLeafSize,
  // (n + 1) n² doubles are enough.
  MinorRecursion(const double* A, Index n, double* workspace, Visitor& visitor)
      : A_{A}, n_{n}, workspace_{workspace}, visitor_{visitor} {}

  // False if the visitor stopped it.
  bool run() {
    double* M = level(n_);
    for (Index i = 0; i < n_; ++i) {
      for (Index j = 0; j < n_; ++j) M[i * n_ + j] = A_[(n_ - 1 - i) * n_ + n_ - 1 - j];
    }
    return recurse(M, n_, 1.0, 0U);
  }

 private:
  [[nodiscard]] double* level(Index m) { return workspace_ + (n_ - m) * n_ * n_; }

  // M is m × m with index m − 1 first; its minors, times `factor`, are those of the sets that are `mask` from
  // m on.
  bool recurse(const double* M, Index m, double factor, std::uint32_t mask) {
    if (m == kLeafSize) return leaf(M, factor, mask);
    const double pivot = M[0];
    const std::uint32_t with = mask | 1U << (m - 1);
    if (!visitor_.branch(with, factor * pivot)) return false;
    if (!recurse(M + n_ + 1, m - 1, factor, mask)) return false;

    double border = 0.0;
    for (Index j = 1; j < m; ++j) border = std::max({border, std::abs(M[j]), std::abs(M[j * n_])});
    if (pivot == 0.0 || std::abs(pivot) < kSmallestPivot * border) return directly(m - 1, with);
    double* C = level(m - 1);
    const double inverse = 1.0 / pivot;
    switch (m) {
      case 4:
        complement<3>(M, C, inverse);
        break;
      case 5:
        complement<4>(M, C, inverse);
        break;
      case 6:
        complement<5>(M, C, inverse);
        break;
      case 7:
        complement<6>(M, C, inverse);
        break;
      case 8:
        complement<7>(M, C, inverse);
        break;
      default:
        for (Index i = 1; i < m; ++i) {
          const double l = M[i * n_] * inverse;
          for (Index j = 1; j < m; ++j) C[(i - 1) * n_ + j - 1] = M[i * n_ + j] - l * M[j];
        }
    }
    return recurse(C, m - 1, factor * pivot, with);
  }

  template <int K>
  void complement(const double* M, double* C, double inverse) const {
    const Block<K> top = load<K>(M + 1);
    for (Index i = 0; i < K; ++i) {
      const double* row = M + (i + 1) * n_;
      store<K>(C + i * n_, load<K>(row + 1) - (row[0] * inverse) * top);
    }
  }

  bool leaf(const double* M, double factor, std::uint32_t mask) {
    const double* top = M;  // of index 2, then 1 and 0
    const double* mid = M + n_;
    const double* low = M + 2 * n_;
    const double d01 = mid[1] * low[2] - mid[2] * low[1];
    const double d02 = top[0] * low[2] - top[2] * low[0];
    const double d12 = top[0] * mid[1] - top[1] * mid[0];
    const double d012 = top[0] * d01 - top[1] * (mid[0] * low[2] - mid[2] * low[0]) +
                        top[2] * (mid[0] * low[1] - mid[1] * low[0]);
    return visitor_.leaf(mask, Leaf{factor, factor * low[2], factor * mid[1], factor * d01, factor * top[0],
                                    factor * d02, factor * d12, factor * d012});
  }

  // The minors of all sets that are `mask` from m on and anything below.
  bool directly(Index m, std::uint32_t mask) {
    for (std::uint32_t subset = 0; subset < 1U << m; subset += kLeafSets) {
      Leaf minors{};
      for (std::uint32_t s = 0; s < kLeafSets; ++s) {
        minors[s] = principal_determinant(A_, n_, mask | (subset + s));
      }
      if (!visitor_.leaf(mask | subset, minors)) return false;
    }
    return true;
  }

  const double* A_;
  Index n_;
  double* workspace_;
  Visitor& visitor_;
};

// Hadamard's bound of det A_SS, min(∏‖rows‖, ∏‖columns‖), times a tolerance, from two short tables for each.
class HadamardBounds {
 public:
  static constexpr int kTableBits = 10;
  static constexpr std::uint32_t kTableSize = 1U << kTableBits;
  static constexpr std::size_t kMemory = std::size_t{4} * kTableSize;  // doubles
  static_assert(kMaxMinorSize <= 2 * kTableBits);

  // A: row-major, n × n. The bounds live in `memory`.
  HadamardBounds(const double* A, Index n, double tol, double* memory)
      : rows_low_{memory},
        rows_high_{memory + kTableSize},
        columns_low_{memory + 2 * kTableSize},
        columns_high_{memory + 3 * kTableSize} {
    rows_low_[0] = columns_low_[0] = 1.0;
    rows_high_[0] = columns_high_[0] = tol;
    for (Index i = 0; i < n; ++i) {
      double row = 0.0;
      double column = 0.0;
      for (Index j = 0; j < n; ++j) {
        row += A[i * n + j] * A[i * n + j];
        column += A[j * n + i] * A[j * n + i];
      }
      const bool low = i < kTableBits;
      extend(low ? rows_low_ : rows_high_, low ? i : i - kTableBits, std::sqrt(row));
      extend(low ? columns_low_ : columns_high_, low ? i : i - kTableBits, std::sqrt(column));
    }
  }

  [[nodiscard]] double of(std::uint32_t mask) const {
    const std::uint32_t high = mask >> kTableBits;
    const std::uint32_t low = mask & (kTableSize - 1U);
    return std::min(rows_high_[high] * rows_low_[low], columns_high_[high] * columns_low_[low]);
  }

  // Whether all minors of a leaf exceed their bounds; false if one is not a number.
  [[nodiscard]] bool all_below(std::uint32_t mask, const Leaf& minors) const {
    const double rows = rows_high_[mask >> kTableBits];
    const double columns = columns_high_[mask >> kTableBits];
    const double* rows_low = rows_low_ + (mask & (kTableSize - 1U));
    const double* columns_low = columns_low_ + (mask & (kTableSize - 1U));
    return [&]<std::size_t... s>(std::index_sequence<s...>) {  // unrolled, without a branch for each minor
      return ((minors[s] > std::min(rows * rows_low[s], columns * columns_low[s])) & ...);
    }
    (std::make_index_sequence<static_cast<std::size_t>(kLeafSets)>());
  }

  // Of the eight sets from `mask` on, whose low bits are zero.
  [[nodiscard]] Block<kLeafSets> of_leaf(std::uint32_t mask) const {
    const std::uint32_t high = mask >> kTableBits;
    const std::uint32_t low = mask & (kTableSize - 1U);
    return (rows_high_[high] * load<kLeafSets>(rows_low_ + low))
        .min(columns_high_[high] * load<kLeafSets>(columns_low_ + low));
  }

 private:
  static void extend(double* table, Index i, double norm) {
    const std::size_t bit = std::size_t{1} << i;
    for (std::size_t mask = 0; mask < bit; ++mask) table[bit | mask] = table[mask] * norm;
  }

  double* rows_low_;
  double* rows_high_;
  double* columns_low_;
  double* columns_high_;
};

}  // namespace enfold::lcp::detail
