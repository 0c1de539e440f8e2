// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "enfold/base/types.hpp"

namespace enfold::lcp::detail {

// All solutions of a small system M z = r by elimination with complete pivoting, which reveals the rank: z =
// particular + null_space · t. On the stack, with a fixed capacity; not shared with the pivoting solvers,
// whose check it is.
class CompleteElimination {
 public:
  static constexpr std::size_t kCapacity = 20;

  // Set by the caller: the system, rows × columns, both ≤ kCapacity.
  std::array<std::array<double, kCapacity + 1>, kCapacity> M;  // the right side is column `columns`
  std::size_t rows = 0;
  std::size_t columns = 0;

  // Results.
  std::size_t rank = 0;
  double smallest_pivot = 0.0;  // of those accepted
  double inconsistency = 0.0;   // largest right side left in a zero row
  std::array<double, kCapacity> particular;
  std::array<std::array<double, kCapacity>, kCapacity> null_space;  // [i][k], k < columns − rank

  CompleteElimination() {}  // NOLINT: the arrays are filled as far as they are used

  // Pivots ≤ zero_pivot count as zero.
  void run(double zero_pivot) {
    for (std::size_t j = 0; j < columns; ++j) order_[j] = j;
    rank = 0;
    smallest_pivot = INFINITY;
    while (rank < std::min(rows, columns) && bring_largest_to_corner(zero_pivot)) {
      eliminate_below();
      ++rank;
    }
    inconsistency = 0.0;
    for (std::size_t i = rank; i < rows; ++i)
      inconsistency = std::max(inconsistency, std::abs(M[i][columns]));
    back_substitute();
  }

  [[nodiscard]] std::size_t nullity() const { return columns - rank; }

 private:
  bool bring_largest_to_corner(double zero_pivot) {
    std::size_t row = rank;
    std::size_t column = rank;
    for (std::size_t i = rank; i < rows; ++i) {
      for (std::size_t j = rank; j < columns; ++j) {
        if (std::abs(M[i][j]) > std::abs(M[row][column])) {
          row = i;
          column = j;
        }
      }
    }
    const double size = std::abs(M[row][column]);
    if (size <= zero_pivot) return false;
    smallest_pivot = std::min(smallest_pivot, size);
    if (row != rank) std::swap(M[row], M[rank]);
    if (column != rank) {
      for (std::size_t i = 0; i < rows; ++i) std::swap(M[i][column], M[i][rank]);
      std::swap(order_[column], order_[rank]);
    }
    return true;
  }

  void eliminate_below() {
    for (std::size_t i = rank + 1; i < rows; ++i) {
      const double l = M[i][rank] / M[rank][rank];
      for (std::size_t j = rank + 1; j <= columns; ++j) M[i][j] -= l * M[rank][j];
    }
  }

  void back_substitute() {
    for (std::size_t i = rank; i < columns; ++i) particular[order_[i]] = 0.0;
    for (std::size_t i = rank; i-- > 0;) {
      double sum = M[i][columns];
      for (std::size_t j = i + 1; j < rank; ++j) sum -= M[i][j] * particular[order_[j]];
      particular[order_[i]] = sum / M[i][i];
    }
    for (std::size_t k = 0; k < nullity(); ++k) {
      for (std::size_t i = rank; i < columns; ++i) null_space[order_[i]][k] = i == rank + k ? 1.0 : 0.0;
      for (std::size_t i = rank; i-- > 0;) {
        double sum = -M[i][rank + k];
        for (std::size_t j = i + 1; j < rank; ++j) sum -= M[i][j] * null_space[order_[j]][k];
        null_space[order_[i]][k] = sum / M[i][i];
      }
    }
  }

  std::array<std::size_t, kCapacity> order_;
};

}  // namespace enfold::lcp::detail
