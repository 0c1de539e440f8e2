// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/lcp/matrix_class.hpp"

namespace enfold::lcp::detail {

/// Whether some z > 0 has A z > 0. The value v of the game A decides, max_z min_i (A z)_i over z ≥ 0, eᵀz =
/// 1: v > 0 gives z; otherwise some y ≥ 0, y ≠ 0 has Aᵀ y ≤ 0 [Ville 1938]. With c so large that A' = A + c e
/// eᵀ > 0, the strategies solve
///
///     w ≥ 0,  e − A'ᵀ y ≥ 0,  complementary;     y ≥ 0,  A' w − e ≥ 0,  complementary;     z = w / eᵀw,
///
/// an LCP with a skew-symmetric, hence positive semi-definite matrix: Lemke finds the solution.
[[nodiscard]] ClassFinding test_s_matrix(const MatrixXd& A);

}  // namespace enfold::lcp::detail
