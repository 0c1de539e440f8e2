// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "enfold/base/types.hpp"

namespace enfold::lp {

/// The value that stands for "no bound".
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A linear program with two-sided rows and a box:
///
///     min cᵀz   s.t.   row_lower ≤ R z ≤ row_upper,   lower ≤ z ≤ upper,      R ∈ ℝ^{m × n}
///
/// Equality rows have row_lower = row_upper. Units are the caller's; rows and columns are not rescaled, so
/// data whose sizes differ by more than about 1e6 should be brought to comparable units first. Crossed bounds
/// (lower > upper) are allowed: the program is then infeasible, which is an answer, not an error.
struct LpProblem {
  VectorXd c;          ///< n, cost
  MatrixXd R;          ///< m × n, rows
  VectorXd row_lower;  ///< m, −∞ allowed
  VectorXd row_upper;  ///< m, +∞ allowed
  VectorXd lower;      ///< n, −∞ allowed
  VectorXd upper;      ///< n, +∞ allowed

  [[nodiscard]] Index n() const { return c.size(); }
  [[nodiscard]] Index m() const { return R.rows(); }
};

/// A program of n variables and m rows with c = 0, R = 0 and every bound absent.
/// @pre n ≥ 1, m ≥ 0 (throws InvalidArgument)
[[nodiscard]] LpProblem unconstrained_lp(Index n, Index m);

/// Throws InvalidArgument unless n ≥ 1, the sizes agree, c and R are finite, no bound is NaN, no lower bound
/// is +∞ and no upper bound is −∞.
void validate(const LpProblem& problem);

}  // namespace enfold::lp
