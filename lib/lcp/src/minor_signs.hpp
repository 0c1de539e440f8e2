// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "enfold/base/types.hpp"

namespace enfold::lcp::detail {

enum class MinorSign : std::int8_t { kNegative = -1, kZero = 0, kPositive = 1, kHidden = 2 };

/// The sign of det M in exact arithmetic, for entries that are whole multiples of one power of two and small
/// enough for 128 bits (∏‖rows‖ < 2⁶²), such as the whole numbers of a textbook. Otherwise nothing.
[[nodiscard]] std::optional<int> exact_determinant_sign(const MatrixXd& M);

/// All principal minors of A and what is certain of their signs; entry Σ_{i∈S} 2^i belongs to S, entry 0 is
/// 1.
struct MinorTable {
  std::vector<double> values;
  std::vector<MinorSign> signs;
};

enum class Entries { kExact, kRounded };

/// Three routes, each for what the one before leaves open: the recursion of PMatrixTester where a minor is
/// clear of rounding, a determinant with an error bound, exact arithmetic. If the entries of A themselves are
/// rounded, only the first route counts. @pre square, finite, n ≤ 20
[[nodiscard]] MinorTable minor_table(const MatrixXd& A, Entries entries = Entries::kExact);

/// Whether the entries are whole multiples of one power of two with at most 40 bits: sums of a few of them,
/// times small whole numbers, don't round.
[[nodiscard]] bool adds_without_rounding(const MatrixXd& A);

/// A_SS for S = the bits of `mask`.
[[nodiscard]] MatrixXd principal_submatrix(const MatrixXd& A, std::uint32_t mask);

}  // namespace enfold::lcp::detail
