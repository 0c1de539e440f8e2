// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "enfold/io/scenario.hpp"
#include "enfold/io/scenario_file.hpp"

namespace enfold::io {

/// A study file as plain values: which keys of a scenario vary, how, and what is asked of the samples. What
/// the words and formulas mean is for lib/study and the program.

/// A word or formula, and where it was written.
struct PlacedText {
  std::string text;
  Place place{};
  bool operator==(const PlacedText&) const = default;
};

/// How a parameter is spread. `numbers` by kind: uniform, log_uniform lower and upper; normal mean, sd, min,
/// max; triangular lower, mode, upper; integers first and last; values all of them.
struct DistributionSpec {
  std::string kind;
  std::vector<double> numbers;
  std::vector<std::string> words{};  ///< of `values` that are no numbers, instead of `numbers`
  Place place{};
  bool operator==(const DistributionSpec&) const = default;
};

struct ParameterSpec {
  std::string name;
  std::vector<PlacedText> keys;  ///< of the scenario; may be empty if a formula uses the parameter
  DistributionSpec distribution;
  Place place{};
  bool operator==(const ParameterSpec&) const = default;
};

/// A scenario key that follows from the parameters.
struct DerivedKey {
  PlacedText key;
  PlacedText formula;
  bool operator==(const DerivedKey&) const = default;
};

struct SamplerSpec {
  std::string type = "random";  ///< grid, random, latin_hypercube, sobol
  std::uint64_t samples = 0;    ///< not of a grid
  std::uint64_t repeat = 1;     ///< of a grid: samples per cell
  Place place{};
  bool operator==(const SamplerSpec&) const = default;
};

struct ObjectiveSpec {
  bool maximize = true;
  PlacedText formula;
  bool operator==(const ObjectiveSpec&) const = default;
};

struct StudySpec {
  std::string name;
  std::string shows;
  PlacedText scenario;            ///< file, seen from the study's folder
  std::vector<PlacedText> set{};  ///< overrides of every sample, key=value
  std::vector<ParameterSpec> parameters;
  std::vector<DerivedKey> derived{};
  SamplerSpec sampler;
  std::uint64_t seed = 1;
  bool vary_noise = false;  ///< every sample has a noise seed of its own
  std::vector<PlacedText> hierarchy{};
  std::vector<PlacedText> success{};  ///< all must hold
  std::optional<ObjectiveSpec> objective{};
  std::vector<PlacedText> outputs{};                      ///< to draw and to correlate
  std::vector<std::pair<PlacedText, PlacedText>> maps{};  ///< success over two parameters
  std::uint64_t path_samples = 21;  ///< poses along the path that the cheap levels look at
  std::uint64_t worst = 10;         ///< how many of the worst and best samples are listed
  bool operator==(const StudySpec&) const = default;
};

/// Reads a study file. Throws IoError if it can't be read and ScenarioError if it can't be used, as
/// read_scenario does.
[[nodiscard]] StudySpec read_study(const std::filesystem::path& path);

/// The same from text; `file_name` is for messages only.
[[nodiscard]] StudySpec parse_study(const std::string& text, const std::string& file_name);

/// The study in one canonical form: equal studies give equal texts, whatever comments and layout their files
/// have. For telling studies apart, not for reading back.
[[nodiscard]] std::string study_to_text(const StudySpec& study);

/// Every table of a study file, as scenario_sections() tells those of scenarios.
[[nodiscard]] const std::vector<ScenarioSection>& study_sections();

}  // namespace enfold::io
