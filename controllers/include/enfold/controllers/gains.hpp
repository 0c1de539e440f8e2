// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <string>
#include <utility>

#include "enfold/base/types.hpp"

namespace enfold::controllers {

/// Gains of the law (11), the same for every object coordinate and every internal force.
struct Gains {
  double Kp = 100.0;     ///< [1/s²]
  double Kv = 20.0;      ///< [1/s]
  double Kalpha = 10.0;  ///< [1/s]; the force pole is at −K_α, so that it must be positive
};

/// Gains that place the poles of (14) at two given places and that of (15) at a third.
/// s² + K_v s + K_p = (s − s₁)(s − s₂),  s + K_α = s − s₃
/// @pre all poles are finite with a negative real part; s₁ s₂, s₁ + s₂ are real (throws InvalidArgument)
[[nodiscard]] Gains gains_from_poles(std::complex<double> motion_1, std::complex<double> motion_2,
                                     double force);

/// Poles of e″ + K_v e′ + K_p e = 0, that with the larger real part first.
[[nodiscard]] std::pair<std::complex<double>, std::complex<double>> motion_poles(const Gains& gains);
/// The same in words, for descriptions.
[[nodiscard]] std::string motion_poles_text(const Gains& gains);

}  // namespace enfold::controllers
