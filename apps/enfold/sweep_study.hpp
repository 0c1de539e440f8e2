// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "enfold/io/study_file.hpp"
#include "enfold/study/design.hpp"
#include "enfold/study/record.hpp"

namespace enfold::app {

/// A test of a sample, from cheap to dear.
enum class SweepLevel {
  kGeometry,    ///< the hand closes on the object at the start and along the path
  kAudit,       ///< the grasp can be controlled there
  kLp,          ///< a squeeze exists at every instant of the plan
  kPTest,       ///< A is a P-matrix there
  kRigid,       ///< the run with rigid contacts
  kCompliant,   ///< the run with compliant contacts
  kIntegrated,  ///< the run with both
  kRun,         ///< the run with the model that the scenario names
};

[[nodiscard]] std::string_view to_string(SweepLevel level);

/// A formula over parameters and outputs of a sample.
struct SampleFormula {
  study::Expression expression;
  std::vector<std::size_t> sources;  ///< positions of its variables among parameters, then outputs

  [[nodiscard]] double evaluate(const std::vector<double>& parameters,
                                const std::vector<double>& outputs) const;
};

/// A study made ready: what to try, how to judge it, and what each sample tells.
struct SweepStudy {
  std::filesystem::path file, scenario_file;
  std::string scenario_text;
  study::Design design;
  bool naive = false;  ///< every level of every sample, whether or not one failed before
  std::vector<SweepLevel> levels;
  std::vector<std::string> outputs;        ///< names of a record's values
  std::vector<std::size_t> output_levels;  ///< first level that tells each
  std::vector<SampleFormula> success;
  std::optional<SampleFormula> objective;
  bool wants_margin = false;  ///< the friction margin is asked for; it costs

  /// 16 hexadecimal digits; equal for equal studies of equal scenarios in the same version of the program.
  [[nodiscard]] std::string identity() const;
  /// The sample's scenario, in the text that the command line takes. Throws ScenarioError.
  [[nodiscard]] io::Scenario scenario(std::uint64_t index) const;
  /// One line for a shell that does the last level that the sample reached again.
  [[nodiscard]] std::string replay(const study::Record& record) const;
};

struct SweepOptions {
  std::vector<std::string> sets;           ///< more overrides of every sample
  std::optional<std::uint64_t> samples{};  ///< instead of the study's
  bool naive = false;
};

/// Reads study and scenario and tries both ends of every parameter. Throws ScenarioError with the place in
/// the study file for a key that does not exist or does not take the value, an unknown level, output or name.
[[nodiscard]] SweepStudy load_study(const std::filesystem::path& file, const SweepOptions& options);

/// Runs one sample through the levels. A failure is a result; only a lack of memory or disk throws.
[[nodiscard]] study::Record run_sample(const SweepStudy& study, std::uint64_t index);

/// Text as one word for a POSIX shell.
[[nodiscard]] std::string shell_word(const std::string& text);

}  // namespace enfold::app
