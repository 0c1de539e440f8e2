// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/base/types.hpp"

namespace enfold::lcp::detail {

/// min ‖C x − b‖₂ over x ≥ 0.
struct ConeProjection {
  VectorXd x;      ///< one weight per column
  VectorXd point;  ///< C x
  double distance = 0.0;
};

/// Active-set method of Lawson & Hanson; the columns need not be independent. [Lawson & Hanson 1974]
[[nodiscard]] ConeProjection project_on_cone(const MatrixXd& C, const VectorXd& b);

}  // namespace enfold::lcp::detail
