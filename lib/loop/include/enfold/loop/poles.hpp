// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "enfold/base/types.hpp"

namespace enfold::loop {

/// A pole of a closed loop. Of a sampled one s = ln(z)/T, so that it reads like a continuous one: its mode
/// decays with Re s and turns with Im s, at most π/T. [eq:sampled-pole]
struct Pole {
  std::complex<double> s;  ///< [1/s]; −∞ if dead beat
  std::complex<double> z;  ///< e^{sT}; 0 if continuous
  bool dead_beat = false;  ///< z = 0 up to rounding: gone after a few periods
  [[nodiscard]] double natural_frequency() const { return std::abs(s); }  ///< [rad/s]
  /// ζ = −Re s/|s|: 1 without overshoot, 0 without decay, < 0 growing.
  [[nodiscard]] double damping_ratio() const;
  /// Until the mode has shrunk to 2 %: ln(50)/(−Re s); infinite if it does not [s].
  [[nodiscard]] double settling_time() const;
};

/// Eigenvalues of a closed loop, slowest first.
/// @param period  of sampling [s]; 0: continuous
[[nodiscard]] std::vector<Pole> poles(const MatrixXd& closed, double period);

/// All of them decay. A double integrator's poles at rest are not stable.
[[nodiscard]] bool stable(const std::vector<Pole>& poles);

/// Largest distance of the wanted poles from the nearest of those given, each given one used once, relative
/// to the wanted one: how far a loop is from what was asked.
[[nodiscard]] double distance(const std::vector<std::complex<double>>& wanted,
                              const std::vector<Pole>& given);

/// "−10", "−8 ± 6i".
[[nodiscard]] std::string to_text(const std::complex<double>& pole);

}  // namespace enfold::loop
