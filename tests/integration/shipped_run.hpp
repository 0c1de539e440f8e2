// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "closed_loop.hpp"
#include "enfold/base/error.hpp"
#include "enfold/io/scenario_file.hpp"
#include "enfold/test/scenario_path.hpp"

namespace enfold::app {

/// Runs a shipped scenario to its end, controlled if it has a hand. Throws ScenarioError if no squeeze
/// exists.
[[nodiscard]] inline sim::History run_shipped(const std::string& scenario,
                                              const std::vector<std::string>& overrides = {}) {
  const Setup setup = make_setup(io::read_scenario(test::scenario_path(scenario), overrides));
  std::shared_ptr<const control::Plan> plan;
  if (setup.scenario.has_hand()) {
    planners::PlanSolution planned = make_plan(setup);
    if (!planned.ok()) throw ScenarioError(planned.message);
    plan = std::make_shared<const control::Plan>(std::move(planned.plan));
  }
  sim::Simulation simulation = make_simulation(setup, std::move(plan));
  while (simulation.advance()) {
  }
  return simulation.take_history();
}

}  // namespace enfold::app
