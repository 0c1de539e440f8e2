// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/loop/state_space.hpp"

namespace enfold::loop {

/// The factors around 1 with which a loop, stable as it is, stays stable.
struct GainMargins {
  double low = 0.0, high = 0.0;
};
/// By the poles of the closed loop; searched in 1e-3 … 1e4. 0 and ∞ where no end was found.
[[nodiscard]] GainMargins gain_margins(const StateSpace& open);

}  // namespace enfold::loop
