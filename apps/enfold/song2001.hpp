// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>
#include <vector>

#include "enfold/figure/figure.hpp"
#include "enfold/io/run_folder.hpp"
#include "run_job.hpp"
#include "uniqueness_study.hpp"

namespace enfold::app {

/// What S4's Figure 7 is judged by: Example 2 on its planned motion.
struct Song2001Uniqueness {
  Setup setup;
  UniquenessStudy study;  ///< at 0.5 s and 0.8 s
};

/// The runs that S4's examples are judged by.
struct Song2001Runs {
  ScenarioRun exact;          ///< as the scenario says
  ScenarioRun noisy;          ///< with the sensor noise
  ScenarioRun negative_gain;  ///< with K_α = −10 as printed
  ScenarioRun translate;      ///< Example 2, integrated
  ScenarioRun translate_rigid;
  Song2001Uniqueness translation;
};

/// Runs them all. Throws ScenarioError if the shipped scenarios can't be used.
[[nodiscard]] Song2001Runs run_song2001(const Console& console);

/// What S4 claims about its examples, and what came out. Numbers of readings are the rows of
/// docs/decisions/readings.md.
[[nodiscard]] std::vector<io::Verdict> judge_song2001(const Song2001Runs& runs);

/// The rows on Example 2: Figures 6, 8 and 9.
[[nodiscard]] std::vector<io::Verdict> judge_translation(const Song2001Runs& runs);

/// Figures 6, 8 and 9, and the answers that rigid contact has at 0.8 s.
[[nodiscard]] std::vector<std::pair<std::string, figure::Figure>> translation_figures(
    const Song2001Runs& runs);

/// Figures 3 to 9 of the paper, with their file names.
[[nodiscard]] std::vector<std::pair<std::string, figure::Figure>> song2001_figures(const Song2001Runs& runs);

}  // namespace enfold::app
