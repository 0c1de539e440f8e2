// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "closed_loop.hpp"

namespace enfold::app {

/// Which contact is critical when and what a newton more there costs; of a robust plan also the friction and
/// the disturbance that bind. A line each.
[[nodiscard]] std::vector<std::string> critical_lines(const Setup& setup,
                                                      const planners::PlanSolution& planned);

/// Limits that decide, when, and what a little more of them would save. A line each; none if none decides.
[[nodiscard]] std::vector<std::string> price_lines(const Setup& setup, const planners::PlanSolution& planned);

}  // namespace enfold::app
