// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>
#include <vector>

#include "enfold/figure/figure.hpp"
#include "enfold/io/run_folder.hpp"
#include "run_job.hpp"

namespace enfold::app {

/// The runs that S4's Example 1 is judged by.
struct Song2001Runs {
  ScenarioRun exact;          ///< as the scenario says
  ScenarioRun noisy;          ///< with the sensor noise
  ScenarioRun negative_gain;  ///< with K_α = −10 as printed
};

/// Runs all three. Throws ScenarioError if the shipped scenarios can't be used.
[[nodiscard]] Song2001Runs run_song2001(const Console& console);

/// What S4 claims about Example 1, and what came out. Numbers of readings are the rows of
/// docs/decisions/readings.md.
[[nodiscard]] std::vector<io::Verdict> judge_song2001(const Song2001Runs& runs);

/// Figures 3, 4 and 5 of the paper, with their file names.
[[nodiscard]] std::vector<std::pair<std::string, figure::Figure>> song2001_figures(const ScenarioRun& run);

}  // namespace enfold::app
