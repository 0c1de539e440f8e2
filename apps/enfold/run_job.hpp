// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "closed_loop.hpp"
#include "console.hpp"
#include "enfold/io/run_folder.hpp"

namespace enfold::app {

/// A scenario from setup to history, in memory.
struct ScenarioRun {
  Setup setup;
  planners::PlanSolution planned;
  sim::History history;  ///< empty if the plan failed
};

/// Throws ScenarioError if the scenario can't be set up. A failed plan or run is a result, not an exception.
[[nodiscard]] ScenarioRun run_scenario(const io::Scenario& scenario, const Console& console);

/// The numbers of a run that one looks at first, as run.json holds them.
[[nodiscard]] std::vector<std::pair<std::string, double>> summary_numbers(const sim::History& history);

/// Writes numbers to the run folder.
void write_run_folder(const std::filesystem::path& folder, const ScenarioRun& run, const std::string& command,
                      const std::vector<io::Verdict>& verdicts = {});

/// Draws the figures of a run into folder/figures. Returns the files, SVG and PNG of each.
std::vector<std::filesystem::path> draw_run_figures(const std::filesystem::path& folder,
                                                    const models::GraspModel& model,
                                                    const io::Scenario& scenario, const sim::History& history,
                                                    const std::string& renderer = {});

}  // namespace enfold::app
