// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/SparseCore>

#include "enfold/base/types.hpp"

namespace enfold::lp {

/// A program as LpProblem, with few entries in each row:
///
///     min cᵀz   s.t.   row_lower ≤ R z ≤ row_upper,   lower ≤ z ≤ upper
struct SparseLpProblem {
  VectorXd c;                     ///< n, cost
  Eigen::SparseMatrix<double> R;  ///< m × n, rows
  VectorXd row_lower;             ///< m, −∞ allowed
  VectorXd row_upper;             ///< m, +∞ allowed
  VectorXd lower;                 ///< n, −∞ allowed
  VectorXd upper;                 ///< n, +∞ allowed

  [[nodiscard]] Index n() const { return c.size(); }
  [[nodiscard]] Index m() const { return R.rows(); }
};

}  // namespace enfold::lp
