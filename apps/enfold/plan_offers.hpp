// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "closed_loop.hpp"

namespace enfold::app {

/// The same path in another time: via poses, floors over time, and a run that lasts as long as the path go
/// with it.
[[nodiscard]] io::Scenario with_duration(io::Scenario scenario, double duration);

/// What could be asked for instead of a plan that does not exist: another duration, lower floors, a nearer
/// goal. A line each, and each was planned to see that it works.
[[nodiscard]] std::vector<std::string> plan_offers(const Setup& setup, const planners::PlanSolution& planned);

}  // namespace enfold::app
