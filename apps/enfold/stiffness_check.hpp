// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "closed_loop.hpp"

namespace enfold::app {

/// Whether the scenario's compliant contacts are too soft for the forces to be expected, or too stiff for
/// explicit steps of its step_s: the range that would do for all of them, and a sentence for each contact
/// outside it. Empty for a rigid scenario.
/// @param forces largest normal force of each contact [N]
[[nodiscard]] std::vector<std::string> stiffness_lines(const Setup& setup, const VectorXd& forces);

}  // namespace enfold::app
