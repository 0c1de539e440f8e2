// SPDX-License-Identifier: BSD-3-Clause
#include "sweep_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "closed_loop.hpp"
#include "commands.hpp"
#include "enfold/base/error.hpp"
#include "enfold/io/file.hpp"
#include "enfold/io/scenario_file.hpp"
#include "sweep_levels.hpp"

namespace enfold::app {
namespace {

[[noreturn]] void fail(const io::Place& place, const std::string& message) {
  throw ScenarioError(fmt::format("{}: {}", place.text, message));
}

/// FNV-1a; told apart are studies, not attackers.
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325ULL;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return h;
}

std::vector<SweepLevel> read_levels(const io::StudySpec& spec) {
  std::vector<SweepLevel> levels;
  for (const io::PlacedText& word : spec.hierarchy) {
    const auto known = std::find_if(kSweepLevels.begin(), kSweepLevels.end(),
                                    [&](SweepLevel level) { return to_string(level) == word.text; });
    if (known == kSweepLevels.end()) {
      std::vector<std::string_view> words;
      for (const SweepLevel level : kSweepLevels) words.push_back(to_string(level));
      fail(word.place, fmt::format("there is no level '{}'; known: {}", word.text, fmt::join(words, ", ")));
    }
    if (!levels.empty() && *known <= levels.back())
      fail(word.place, fmt::format("levels go from cheap to dear, each once; '{}' does not come after '{}'",
                                   word.text, to_string(levels.back())));
    levels.push_back(*known);
  }
  if (levels.empty()) levels = {SweepLevel::kRun};
  return levels;
}

void add_outputs(SweepStudy& study) {
  for (std::size_t k = 0; k < study.levels.size(); ++k) {
    for (const std::string& name : level_outputs(study.levels[k])) {
      if (std::find(study.outputs.begin(), study.outputs.end(), name) != study.outputs.end()) continue;
      study.outputs.push_back(name);
      study.output_levels.push_back(k);
    }
  }
}

SampleFormula make_formula(const SweepStudy& study, const io::PlacedText& text) {
  std::vector<std::string> known = study.design.names();
  known.insert(known.end(), study.outputs.begin(), study.outputs.end());
  study::Expression expression = study::read_formula(text, known);
  std::vector<std::size_t> sources;
  for (const std::string& name : expression.variables())
    sources.push_back(static_cast<std::size_t>(std::find(known.begin(), known.end(), name) - known.begin()));
  return {std::move(expression), std::move(sources)};
}

bool uses(const SweepStudy& study, const std::string& output) {
  const io::StudySpec& spec = study.design.study();
  const auto in = [&](const SampleFormula& formula) {
    const std::vector<std::string>& names = formula.expression.variables();
    return std::find(names.begin(), names.end(), output) != names.end();
  };
  const bool listed = std::any_of(spec.outputs.begin(), spec.outputs.end(),
                                  [&](const io::PlacedText& name) { return name.text == output; });
  return listed || std::any_of(study.success.begin(), study.success.end(), in) ||
         (study.objective && in(*study.objective));
}

/// A study that can't mean what it says must not cost a night: both ends of every bounded parameter, and the
/// middle of the others, must make a scenario on their own or together with the rest.
void try_keys(const SweepStudy& study) {
  const study::Design& design = study.design;
  const auto makes_scenario = [&](const std::vector<double>& values) -> std::string {
    try {
      (void)io::parse_scenario(study.scenario_text, study.scenario_file.string(), design.overrides(values));
      return {};
    } catch (const ScenarioError& error) {
      return error.what();
    }
  };
  std::vector<double> usual;
  for (const study::Distribution& spread : design.distributions()) usual.push_back(spread.quantile(0.5));
  const std::string as_is = makes_scenario(usual);
  for (std::size_t i = 0; i < usual.size(); ++i) {
    const study::Distribution& spread = design.distributions()[i];
    std::vector<double> trials{spread.quantile(0.5)};
    if (std::isfinite(spread.lower()) && std::isfinite(spread.upper()))
      trials = {spread.quantile(0.0), spread.quantile(1.0)};
    for (const double value : trials) {
      std::vector<double> values = usual;
      values[i] = value;
      const std::string trouble = makes_scenario(values);
      if (trouble.empty()) continue;
      const io::ParameterSpec& spec = design.study().parameters[i];
      // The blame is this parameter's if its own key is named, or if everything is well without it.
      const bool own = std::any_of(spec.keys.begin(), spec.keys.end(), [&](const io::PlacedText& key) {
        return trouble.find("--set " + key.text + "=") != std::string::npos;
      });
      if (own || as_is.empty())
        fail(spec.place, fmt::format("parameter '{}' = {}: {}", spec.name, value, trouble));
    }
  }
  if (!as_is.empty()) throw ScenarioError(fmt::format("{}: {}", study.file.string(), as_is));
}

}  // namespace

std::string_view to_string(SweepLevel level) {
  switch (level) {
    case SweepLevel::kGeometry:
      return "geometry";
    case SweepLevel::kAudit:
      return "audit";
    case SweepLevel::kLp:
      return "lp";
    case SweepLevel::kPTest:
      return "p_test";
    case SweepLevel::kRigid:
      return "rigid";
    case SweepLevel::kCompliant:
      return "compliant";
    case SweepLevel::kIntegrated:
      return "integrated";
    case SweepLevel::kRun:
      return "run";
  }
  return "?";
}

double SampleFormula::evaluate(const std::vector<double>& parameters,
                               const std::vector<double>& outputs) const {
  std::vector<double> values;
  for (const std::size_t source : sources)
    values.push_back(source < parameters.size() ? parameters[source]
                                                : outputs.at(source - parameters.size()));
  return expression.evaluate(values);
}

std::string SweepStudy::identity() const {
  io::StudySpec spec = design.study();
  // Point i of these does not depend on their number: such a study can be made longer.
  if (spec.sampler.type == "random" || spec.sampler.type == "sobol") spec.sampler.samples = 0;
  std::string text = fmt::format("enfold {}\n{}naive {}\nmargin {}\n", version(), io::study_to_text(spec),
                                 naive, wants_margin);
  text += io::scenario_to_yaml(io::parse_scenario(scenario_text, scenario_file.string()));
  return fmt::format("{:016x}", hash(text));
}

io::Scenario SweepStudy::scenario(std::uint64_t index) const {
  return io::parse_scenario(scenario_text, scenario_file.string(), design.overrides(index));
}

std::string SweepStudy::replay(const study::Record& record) const {
  const SweepLevel level = levels[std::min<std::size_t>(record.passed, levels.size() - 1)];
  std::string command = "simulate";
  if (level == SweepLevel::kGeometry || level == SweepLevel::kAudit || level == SweepLevel::kPTest)
    command = "check";
  if (level == SweepLevel::kLp) command = "plan";
  std::string text = fmt::format("enfold {} {}", command, shell_word(scenario_file.string()));
  for (const std::string& set : design.overrides(record.index)) text += " --set " + shell_word(set);
  const bool own_model =
      level == SweepLevel::kRigid || level == SweepLevel::kCompliant || level == SweepLevel::kIntegrated;
  if (own_model) text += fmt::format(" --model {}", to_string(level));
  return text;
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=+-,:@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

SweepStudy load_study(const std::filesystem::path& file, const SweepOptions& options) {
  io::StudySpec spec = io::read_study(file);
  for (const std::string& set : options.sets) spec.set.push_back({set, {"--set " + set}});
  if (options.samples) {
    if (spec.sampler.type == "grid")
      throw InvalidArgument("--samples is not for a grid; its study tells 'repeat'");
    if (*options.samples < 1) throw InvalidArgument("--samples must be at least 1");
    spec.sampler.samples = *options.samples;
  }
  SweepStudy study{.file = file,
                   .scenario_file = {},
                   .scenario_text = {},
                   .design = study::Design(spec),
                   .naive = options.naive,
                   .levels = read_levels(spec),
                   .outputs = {},
                   .output_levels = {},
                   .success = {},
                   .objective = {}};
  study.scenario_file = (file.parent_path() / spec.scenario.text).lexically_normal();
  try {
    study.scenario_text = io::read_file(study.scenario_file);
  } catch (const IoError& error) {
    throw IoError(fmt::format("{}: scenario: {}", spec.scenario.place.text, error.what()));
  }
  const io::Scenario plain = io::parse_scenario(study.scenario_text, study.scenario_file.string());
  if (!plain.has_hand() && (study.levels.size() > 1 || study.levels.front() != SweepLevel::kRun)) {
    throw ScenarioError(
        fmt::format("{}: hierarchy: the scenario has no hand; only the level 'run' applies", file.string()));
  }
  add_outputs(study);
  for (const io::PlacedText& clause : spec.success) study.success.push_back(make_formula(study, clause));
  if (spec.objective) study.objective = make_formula(study, spec.objective->formula);
  for (const io::PlacedText& name : spec.outputs) {
    if (std::find(study.outputs.begin(), study.outputs.end(), name.text) == study.outputs.end())
      fail(name.place,
           fmt::format("there is no output '{}'; known here: {}", name.text, fmt::join(study.outputs, ", ")));
  }
  for (const auto& [x, y] : spec.maps) {
    for (const io::PlacedText& name : {x, y}) {
      const std::vector<std::string>& names = study.design.names();
      if (std::find(names.begin(), names.end(), name.text) == names.end())
        fail(name.place,
             fmt::format("a map is over parameters; '{}' is none of {}", name.text, fmt::join(names, ", ")));
    }
  }
  study.wants_margin = uses(study, "friction_margin");
  try_keys(study);
  return study;
}

}  // namespace enfold::app
