// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "closed_loop.hpp"
#include "enfold/sim/history.hpp"

namespace enfold::app {

/// What of a scenario is not ideal, a line each: motors, delay, sensors, and what the controller believes.
/// Lines that start with "warning" say where the plan asks for more than the motors give. Empty if all is
/// ideal.
[[nodiscard]] std::vector<std::string> reality_lines(const Setup& setup, const control::Plan& plan);

/// How long the motors could not give what the law asked for, in words; empty if they always could.
[[nodiscard]] std::string saturation_text(const sim::History& history);

}  // namespace enfold::app
