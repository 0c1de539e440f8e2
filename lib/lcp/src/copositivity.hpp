// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "enfold/lcp/matrix_class.hpp"
#include "minor_signs.hpp"

namespace enfold::lcp::detail {

struct Copositivity {
  ClassFinding copositive;
  ClassFinding strict;
};

/// Decides by all 2ⁿ principal submatrices of H, the symmetric part of A; `minors` are those of H.
[[nodiscard]] Copositivity test_copositivity(const MatrixXd& A, const MatrixXd& H, const MinorTable& minors);

/// For any n: entries ≥ 0 prove it; pairs of indices and the direction of least curvature may refute it.
[[nodiscard]] Copositivity test_copositivity_cheaply(const MatrixXd& A, const MatrixXd& H,
                                                     const VectorXd& least_curvature);

}  // namespace enfold::lcp::detail
