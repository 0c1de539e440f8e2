// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace enfold::control {

/// Values strictly between two limits; empty if below ≤ above.
struct OpenRange {
  double above = 0.0, below = 0.0;
  [[nodiscard]] bool contains(double value) const { return value > above && value < below; }
};

/// The proportional gains with which sampled proportional-integral feedback of a force that answers within
/// the sample is stable, given the integral gain and the period. Exact.                     [eq:force-range]
///
///     e_{k+1} = −K_P e_k − K_α I_k,   I_{k+1} = I_k + T e_k    ⇒   z² + (K_P − 1) z + K_αT − K_P = 0
///     |z| < 1   ⇔   0 < K_αT,   K_αT − 1 < K_P < 1 + K_αT/2
///
/// e_k is read just before the torque changes. Without an integral, K_α = 0, one root is at 1: the range is
/// empty. K_P = 0, S4's law, is in it for 0 < K_αT < 1.
/// @pre K_α finite, period > 0 (throws InvalidArgument)
[[nodiscard]] OpenRange stable_force_gains(double Kalpha, double period);

/// The larger |z| of that loop: by how much the error grows or decays each period in the long run.
[[nodiscard]] double force_error_ratio(double KP, double Kalpha, double period);

}  // namespace enfold::control
