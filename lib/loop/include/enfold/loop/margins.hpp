// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <vector>

#include "enfold/loop/linear_loop.hpp"

namespace enfold::loop {

/// How much a stable loop bears where it is opened, the same on all the channels of the cut. [eq:margins]
///
///     det(I − g e^{−iφ} e^{−iωd} H(iω)) = 0:   the least g ≠ 1, φ or d for which it has a solution ω
///
/// H: from what the cut feeds in to what comes back, so that I − H is the return difference.
struct Margins {
  bool stable = false;                                         ///< as it is; else the rest means nothing
  double gain_low = 0.0;                                       ///< stable for factors from here; 0: all
  double gain_high = std::numeric_limits<double>::infinity();  ///< … to here
  double phase = std::numeric_limits<double>::infinity();      ///< lag, or lead if that is nearer [rad]
  double phase_frequency = 0.0;                                ///< at which it bites [rad/s]
  double delay = std::numeric_limits<double>::infinity();      ///< from the phase lag, φ/ω [s]
  double delay_frequency = 0.0;                                ///< [rad/s]
};

/// Gain margins by poles of the closed loop, exact; phase and delay from the eigenvalues of H that cross the
/// unit circle. The delay is exact for a continuous loop; of a sampled one it is a phase lag that grows with
/// ω, at the sampling instants: see critical_delay().
[[nodiscard]] Margins margins(const StateSpace& open);

/// An eigenvalue of H(iω) on the unit circle.
struct UnitCrossing {
  double omega = 0.0;  ///< [rad/s]
  double phase = 0.0;  ///< of the eigenvalue, 0 … 2π [rad]
};
/// All with ω from three decades below the slowest pole of the closed loop to three above its fastest, or to
/// π/T.
[[nodiscard]] std::vector<UnitCrossing> unit_crossings(const StateSpace& open);

/// The delay d = jT + f from reading to torque up to which a loop is stable, found exactly. With a fraction f
/// of a period H_f bears whole periods as it bears a phase lag, up to δ(f) = min φ(f)/ω(f) over its
/// eigenvalues e^{iφ} on the unit circle:                                               [eq:critical-delay]
///
///     d = inf { jT + f : δ(f) ≤ jT }
///
/// Most often a pole comes to |z| = 1 there. But a force that answers within the sample is in a reading if
/// the torque changes just before it, and is not if just after: at whole periods poles jump, and d may be
/// one.
struct CriticalDelay {
  double delay = std::numeric_limits<double>::infinity();  ///< infinite: there is none [s]
  double omega = 0.0;                                      ///< with which the loop swings there [rad/s]
};
/// @param period  0: of the continuous loop, the least φ/ω
[[nodiscard]] CriticalDelay critical_delay(const LinearLoop& loop, double period);

}  // namespace enfold::loop
