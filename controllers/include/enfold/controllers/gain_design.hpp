// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <complex>

#include "enfold/controllers/gains.hpp"

namespace enfold::controllers {

/// Where the poles of S4's law are wanted: two for the error of every coordinate, one for the squeeze [1/s].
struct WantedPoles {
  std::complex<double> motion_1 = -10.0, motion_2 = -10.0;
  double force = -10.0;
};

/// Real poles with which errors from rest have shrunk to 2 % after t_s:                   [eq:settling-time]
///
///     motion, double at −ω:  (1 + ωt_s) e^{−ωt_s} = 1/50,  ωt_s = 5.834;   force: e^{−K_α t_s} = 1/50
///
/// @pre t_s > 0 and finite [s] (throws InvalidArgument)
[[nodiscard]] WantedPoles poles_for_settling(double settling_time);

/// Real poles with which a pose reference without its derivatives, and as much of the sensors' noise, is
/// followed up to ω_b, where |T(iω_b)|² = 1/2:                                                [eq:bandwidth]
///
///     motion, double at −ω:  T = (2ωs + ω²)/(s + ω)²,  ω_b = ω √(3 + √10);   force: T = K_α/(s + K_α)
///
/// @pre ω_b > 0 and finite [rad/s] (throws InvalidArgument)
[[nodiscard]] WantedPoles poles_for_bandwidth(double omega_b);

/// The gains of continuous control.
/// @param K_P  proportional gain on the internal forces; the force pole is then −K_α/(1 + K_P)
/// @pre those of gains_from_poles(); |K_P| < 1 (throws InvalidArgument)
[[nodiscard]] Gains continuous_gains(const WantedPoles& wanted, double K_P = 0.0);

/// The gains with which the sampled loop has its poles at z = e^{sT}: ë = a held for a period, and an
/// integral that is a sum of readings one torque old. [eq:sampled-placement]
///
///     K_p = (1 − z₁)(1 − z₂)/T²,   K_v = (3 − z₁ − z₂ − z₁z₂)/(2T),   K_α = (1 − z₃)(z₃ + K_P)/T
///
/// The force loop has z² + (K_P − 1)z + K_αT − K_P = 0: its other pole is at 1 − K_P − z₃, and no real pole
/// is faster than z = (1 − K_P)/2. Exact for an object without geometric stiffness; loop::poles() tells what
/// is left of it.
/// @pre as above; e^{s₃T} not below (1 − K_P)/2, period > 0 (throws InvalidArgument)
[[nodiscard]] Gains sampled_gains(const WantedPoles& wanted, double period, double K_P = 0.0);

/// Poles ln(z)/T of the sampled double integrator under K_p and K_v; of the force loop under K_α. The slower
/// first. @pre period > 0 (throws InvalidArgument)
[[nodiscard]] std::array<std::complex<double>, 2> sampled_motion_poles(const Gains& gains, double period);
[[nodiscard]] std::array<std::complex<double>, 2> sampled_force_poles(const Gains& gains, double period);

}  // namespace enfold::controllers
