// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "enfold/base/types.hpp"

namespace enfold::lcp::detail {

inline constexpr Index kMaxMinorSize = 20;

/// A determinant with what is known of its sign.
struct SignedDeterminant {
  double value = 0.0;
  int sign = 0;          // +1, −1; 0: exactly zero
  bool certain = false;  // false: rounding may have changed the sign
};

/// a d − b c with an error of two units in the last place, so that its sign is exact.      [Kahan; Jeannerod
/// 2013]
[[nodiscard]] double determinant_2x2(double a, double b, double c, double d);

/// Determinant by LU of the principal submatrix A_SS of the row-major n × n matrix A, S = bits of `mask`.
[[nodiscard]] double principal_determinant(const double* A, Index n, std::uint32_t mask);

/// As above, with a certificate: P A_SS = L U + E, |E| ≤ γ |L||U|, and det(L U) has the sign of det A_SS if
/// ‖|(L U)⁻¹| |E|‖_∞ < 1. Exact for one and two indices.
[[nodiscard]] SignedDeterminant certified_principal_determinant(const double* A, Index n, std::uint32_t mask);

}  // namespace enfold::lcp::detail
