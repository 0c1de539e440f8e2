// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "enfold/study/analysis.hpp"
#include "sweep_study.hpp"

namespace enfold::app {

/// A number per sample, by name.
struct SweepColumn {
  std::string name;
  std::vector<double> values;
};

/// What x does to y.
struct SweepEffect {
  std::string parameter, output;
  study::MainEffect main;
  double correlation = 0.0, rank_correlation = 0.0;
};

struct RankedSample {
  std::uint64_t index = 0;
  double objective = 0.0;
  std::string command;
};

/// The first sample of those that fell at one level.
struct FallenSample {
  SweepLevel level = SweepLevel::kRun;
  std::uint64_t index = 0;
  std::string reason, command;
};

/// All that a finished study, or what there is of one, tells. The same for every order in which the records
/// came, times apart.
struct SweepAnswers {
  std::vector<study::Record> records;  ///< by index
  std::vector<SweepColumn> parameters, outputs;
  std::vector<double> success;    ///< 1 or 0
  std::vector<double> objective;  ///< empty if none was asked for
  std::uint64_t successes = 0;
  study::Interval wilson, exact;
  std::vector<study::LevelCount> levels;
  std::vector<SweepColumn> drawn;  ///< success, objective and the outputs that the study names
  std::vector<SweepEffect> effects;
  std::vector<study::SuccessMap> maps;
  std::vector<RankedSample> best, worst;
  std::vector<FallenSample> fallen;
};

[[nodiscard]] SweepAnswers make_answers(const SweepStudy& study, std::vector<study::Record> records);

/// Writes study.json, samples.csv, effects.csv, histograms.csv, map_<k>.csv, ranking.csv, and cost.csv: the
/// one file that is not the same in every run.
void write_answers(const std::filesystem::path& folder, const SweepStudy& study, const SweepAnswers& answers);

}  // namespace enfold::app
