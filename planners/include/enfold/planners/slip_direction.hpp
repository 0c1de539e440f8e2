// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/contact/contact_mode.hpp"

namespace enfold::planners {

/// Derivatives of the slip of one contact along the plan.
struct SlipDerivatives {
  double velocity = 0.0;      ///< φ̇_T [m/s]
  double acceleration = 0.0;  ///< φ̈_T [m/s²]
  double jerk = 0.0;  ///< of φ_T [m/s³]; exact where the motion rests, which is where it is asked for
};

/// From which side an instant is looked at.
enum class Looking { kForward, kBackward };

/// Direction of the planned slip; at rest that of the first derivative which is not zero (checklist row 16):
/// the slip just after the instant, or just before it when looking backward. `previous` where none is.
[[nodiscard]] contact::ContactMode slip_direction(const SlipDerivatives& slip, Looking looking,
                                                  contact::ContactMode previous);

}  // namespace enfold::planners
