// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "enfold/io/scenario.hpp"
#include "enfold/sim/history.hpp"

namespace enfold::io {

/// What became of a claim that a run was to check.
enum class VerdictStatus { kReproduced, kUnderReading, kNotReproduced };

struct Verdict {
  std::string claim;
  std::string source{};   ///< where it is claimed: a figure, equation or section
  std::string reading{};  ///< for kUnderReading: which reading of the source makes it true
  std::string expected;
  std::string measured;
  VerdictStatus status = VerdictStatus::kNotReproduced;
};

/// What run.json says beside the history. Order is kept.
struct RunInfo {
  std::string version;  ///< of the program
  std::string command;  ///< what was run
  std::uint64_t seed = 0;
  std::vector<std::pair<std::string, std::string>>
      readings;                                         ///< which reading of an ambiguous source was chosen
  std::vector<std::pair<std::string, double>> summary;  ///< names with units, e.g. `final_error_m`
  std::vector<Verdict> verdicts;
};

/// Names of the columns of history.csv, in order: time; object and desired pose and velocity; all joint
/// angles, then velocities, then torques; per contact force, gap, slip and mode; model and uniqueness; the
/// internal forces, numbered from 1; the plan's critical contact by name; energy.
[[nodiscard]] std::vector<std::string> history_columns(const sim::History& history);

/// Writes run.json, history.csv, events.csv and matrices.bin; equal arguments give equal bytes.
/// `scenario_yaml` is the text of scenario_to_yaml(). Makes the folder, or replaces the run in it: a folder
/// that holds something but no run.json is left alone. Files that no run writes are kept.
///
/// matrices.bin: for each sample A₀ then A₁, row by row, float64, little-endian; NaN where a sample has none.
/// Throws IoError if the folder is not a run's or the system does not take every byte.
/// @pre every sample has the sizes that history.names tells (throws InvalidArgument)
void write_run(const std::filesystem::path& folder, const sim::History& history,
               const std::string& scenario_yaml, const RunInfo& info);

/// Reads back what write_run wrote. Throws IoError that names the file, and the column or line, that is
/// damaged.
[[nodiscard]] sim::History read_history(const std::filesystem::path& folder);

/// A run as far as its files can be read.
struct SalvagedRun {
  sim::History history;
  std::size_t expected_samples = 0;   ///< according to run.json
  std::vector<std::string> troubles;  ///< what is missing or damaged, a sentence each; empty for a whole run
};

/// Reads what can be read of a damaged or partial run: the samples before the first damaged line, columns
/// that are missing as NaN (modes as open, the model as rigid), as many matrices as there are. Throws IoError
/// only if run.json is missing or does not tell the names.
[[nodiscard]] SalvagedRun salvage_run(const std::filesystem::path& folder);

/// The scenario of a run, from its run.json. Throws IoError if there is none, or it can't be used.
[[nodiscard]] Scenario read_run_scenario(const std::filesystem::path& folder);

}  // namespace enfold::io
