// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "enfold/base/types.hpp"

namespace enfold::lcp::detail {

/// A computed value and a bound of its rounding error.
struct Bounded {
  double value = 0.0;
  double error = 0.0;
  [[nodiscard]] bool clearly_negative() const { return value + error < 0.0; }
  [[nodiscard]] bool clearly_positive() const { return value - error > 0.0; }
};

/// xᵀ A x.
[[nodiscard]] inline Bounded quadratic_form(const MatrixXd& A, const VectorXd& x) {
  const double units = 2.0 * static_cast<double>(A.rows()) + 4.0;
  const VectorXd size = x.cwiseAbs();
  return {x.dot(A * x), units * std::numeric_limits<double>::epsilon() * size.dot(A.cwiseAbs() * size)};
}

}  // namespace enfold::lcp::detail
