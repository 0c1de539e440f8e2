// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/base/types.hpp"

namespace enfold::lcp {

/// Data of the linear complementarity problem LCP(A, b) [Song 2001, eq. 18]:
///
///     x ≥ 0,    y = A x + b ≥ 0,    xᵀ y = 0.
struct LcpProblem {
  MatrixXd A;  ///< n × n
  VectorXd b;  ///< n

  /// n, the number of complementary pairs (x_i, y_i).
  [[nodiscard]] Index size() const { return b.size(); }
};

/// @pre A is n × n, b has n entries and all of them are finite (throws InvalidArgument with sizes and
/// values). Allocates nothing when the data are valid.
void validate(const MatrixXd& A, const VectorXd& b);
void validate(const LcpProblem& problem);

}  // namespace enfold::lcp
