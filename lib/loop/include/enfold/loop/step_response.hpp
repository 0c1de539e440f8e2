// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "enfold/loop/linear_loop.hpp"

namespace enfold::loop {

/// What a loop at rest does when one desired coordinate of the object jumps by a unit. [eq:step-response]
struct StepResponse {
  std::vector<double> time;  ///< [s]
  MatrixXd motion;           ///< z at those times, one row for each: from 0 to the unit vector of the jump
  MatrixXd forces;           ///< change of the normal forces, n_C [N per m or rad]
  MatrixXd torques;          ///< change of the torques that act [N·m per m or rad]
  double overshoot = 0.0;    ///< of the coordinate, as a fraction of the jump
  /// From when on the coordinate stays within 2 % of the jump; infinite if that is not so at the end [s].
  double settling_time = 0.0;
};

/// As a run starts: the object rests a unit away from where it is wanted, and the first torque acts at once,
/// whatever the delay.
/// @param coordinate  position in z
/// @param period      of sampling [s]; 0: continuous, then delay must be 0
/// @pre coordinate exists, duration > 0, points ≥ 2 (throws InvalidArgument)
[[nodiscard]] StepResponse step_response(const LinearLoop& loop, Index coordinate, double period,
                                         double delay, double duration, int points = 400);

}  // namespace enfold::loop
