// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

#include "document.hpp"
#include "enfold/base/error.hpp"
#include "enfold/io/file.hpp"
#include "enfold/io/study_file.hpp"
#include "table.hpp"

namespace enfold::io {
namespace {

constexpr std::array<std::string_view, 7> kKinds{"uniform",  "log_uniform", "normal", "triangular",
                                                 "integers", "values",      "grid"};
constexpr std::array<std::string_view, 4> kSamplers{"grid", "random", "latin_hypercube", "sobol"};
constexpr std::uint64_t kMostSamples = 100'000'000;

PlacedText placed(const Field& field) {
  return {field.text(), {field.place()}};
}

std::vector<PlacedText> texts(const Field& field) {
  if (field.value->kind == Value::Kind::kScalar) return {placed(field)};
  std::vector<PlacedText> out;
  for (const Field& item : field.items()) out.push_back(placed(item));
  return out;
}

// A name that formulas can use and columns can carry.
std::string formula_name(const Field& field) {
  const std::string word = field.text();
  const auto allowed = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  };
  const bool reserved = word == "and" || word == "or" || word == "not" || word == "pi";
  if (word.empty() || std::isdigit(static_cast<unsigned char>(word.front())) != 0 || reserved ||
      !std::all_of(word.begin(), word.end(), allowed)) {
    fail(field.place(), fmt::format("{} must be letters, digits, '_' and '.', not starting with a digit, so "
                                    "that formulas can use it; found '{}'. Give the parameter a 'name'",
                                    field.path, word));
  }
  return word;
}

std::vector<double> numbers(const Field& field, std::size_t count, std::string_view meaning) {
  std::vector<double> out;
  for (const Field& item : field.items()) out.push_back(item.number());
  if (out.size() != count)
    fail(field.place(), fmt::format("{} must be {}, found {} numbers", field.path, meaning, out.size()));
  return out;
}

DistributionSpec read_normal(const Field& field) {
  const Table table(field, "normal");
  constexpr double kAny = std::numeric_limits<double>::infinity();
  DistributionSpec out{.kind = "normal", .numbers = {}, .words = {}, .place = {field.place()}};
  out.numbers = {table["mean"].number(), table["sd"].number(Sign::kPositive),
                 table.number("min", -kAny, Sign::kAny), table.number("max", kAny, Sign::kAny)};
  return out;
}

// Evenly spaced values: from, to and either points or step.
DistributionSpec read_spacing(const Field& field) {
  const Table table(field, "grid");
  const double from = table["from"].number();
  const double to = table["to"].number();
  if (!(from < to))
    fail(field.place(), fmt::format("{} needs from < to, found {} and {}", field.path, from, to));
  if (table.has("points") == table.has("step"))
    fail(field.place(), fmt::format("{} needs either points or step", field.path));
  std::uint64_t points = 0;
  if (table.has("points")) {
    points = table["points"].count();
  } else {
    const double step = table["step"].number(Sign::kPositive);
    const double steps = (to - from) / step;
    if (steps > 1e6 || std::abs(steps - std::round(steps)) > 1e-6 * std::max(1.0, steps))
      fail(table["step"].place(),
           fmt::format("{}.step {} does not divide {} to {}", field.path, step, from, to));
    points = static_cast<std::uint64_t>(std::llround(steps)) + 1;
  }
  if (points < 2 || points > 1'000'000)
    fail(field.place(), fmt::format("{} needs 2 to 1000000 points, found {}", field.path, points));
  DistributionSpec out{.kind = "values", .numbers = {}, .words = {}, .place = {field.place()}};
  for (std::uint64_t k = 0; k < points; ++k) {
    const double s = static_cast<double>(k) / static_cast<double>(points - 1);
    // Rounded to 12 digits of the range, so that a grid of millimetres reads 0.141 and not
    // 0.14100000000000001.
    const double unit = std::pow(10.0, std::ceil(std::log10(std::max(std::abs(from), std::abs(to)))) - 13.0);
    const double x = from + s * (to - from);
    out.numbers.push_back(k == 0            ? from
                          : k + 1 == points ? to
                                            : std::stod(fmt::format("{:.12g}", std::round(x / unit) * unit)));
  }
  return out;
}

DistributionSpec read_values(const Field& field) {
  DistributionSpec out{.kind = "values", .numbers = {}, .words = {}, .place = {field.place()}};
  bool all_numbers = true;
  for (const Field& item : field.items()) {
    const std::string text = item.text();
    out.words.push_back(text);
    try {
      out.numbers.push_back(item.number());
    } catch (const ScenarioError&) {
      all_numbers = false;
    }
  }
  (all_numbers ? static_cast<void>(out.words.clear()) : out.numbers.clear());
  return out;
}

DistributionSpec read_distribution(const Table& table) {
  std::vector<std::string_view> given;
  for (const std::string_view kind : kKinds)
    if (table.has(kind)) given.push_back(kind);
  if (given.size() != 1) {
    fail(table.place(),
         fmt::format("{} needs exactly one of {}; found {}", table.path(), fmt::join(kKinds, ", "),
                     given.empty() ? std::string("none") : fmt::format("{}", fmt::join(given, ", "))));
  }
  const std::string kind(given.front());
  const Field field = table[kind];
  if (kind == "normal") return read_normal(field);
  if (kind == "grid") return read_spacing(field);
  if (kind == "values") return read_values(field);
  DistributionSpec out{.kind = kind, .numbers = {}, .words = {}, .place = {field.place()}};
  out.numbers = kind == "triangular" ? numbers(field, 3, "[lower, mode, upper]")
                : kind == "integers" ? numbers(field, 2, "[first, last]")
                                     : numbers(field, 2, "[lower, upper]");
  if (kind == "integers") {
    for (const double x : out.numbers)
      if (x != std::floor(x))
        fail(field.place(), fmt::format("{} must be whole numbers, found {}", field.path, x));
  }
  return out;
}

ParameterSpec read_parameter(const Field& field) {
  const Table table(field, "parameter");
  ParameterSpec out;
  out.place.text = field.place();
  if (table.has("key") && table.has("keys"))
    fail(field.place(), fmt::format("{} gives both key and keys; keep one", field.path));
  if (table.has("key")) out.keys = {placed(table["key"])};
  if (table.has("keys")) out.keys = texts(table["keys"]);
  if (table.has("name")) {
    out.name = formula_name(table["name"]);
  } else if (out.keys.size() == 1) {
    out.name = formula_name(table.has("key") ? table["key"] : table["keys"]);
  } else {
    fail(field.place(), fmt::format("{} needs a name, since it does not stand for one key", field.path));
  }
  out.distribution = read_distribution(table);
  return out;
}

SamplerSpec read_sampler(const Field& field) {
  const Table table(field, "sampler");
  SamplerSpec out;
  out.place.text = field.place();
  const Field type = table["type"];
  out.type = type.text();
  if (std::find(kSamplers.begin(), kSamplers.end(), out.type) == kSamplers.end())
    fail_unknown_value(type, out.type, kSamplers);
  const bool grid = out.type == "grid";
  const char* const wrong = grid ? "samples" : "repeat";
  if (table.has(wrong)) {
    fail(table[wrong].place(), grid
                                   ? "a grid has as many samples as its cells; use repeat for several in each"
                                   : "repeat is for a grid; use samples");
  }
  const Field count = table.has("repeat") || !grid ? table[grid ? "repeat" : "samples"] : field;
  if (!grid || table.has("repeat")) {
    const std::uint64_t n = count.count();
    if (n < 1 || n > kMostSamples)
      fail(count.place(), fmt::format("{} must be 1 to {}, found {}", count.path, kMostSamples, n));
    (grid ? out.repeat : out.samples) = n;
  }
  return out;
}

ObjectiveSpec read_objective(const Field& field) {
  const Table table(field, "objective");
  if (table.has("maximize") == table.has("minimize"))
    fail(field.place(), "objective needs either maximize or minimize");
  const bool maximize = table.has("maximize");
  return {maximize, placed(table[maximize ? "maximize" : "minimize"])};
}

std::uint64_t count_within(const Table& table, std::string_view key, std::uint64_t fallback,
                           std::uint64_t least, std::uint64_t most) {
  if (!table.has(key)) return fallback;
  const Field field = table[key];
  const std::uint64_t n = field.count();
  if (n < least || n > most)
    fail(field.place(), fmt::format("{} must be {} to {}, found {}", field.path, least, most, n));
  return n;
}

void check_version(const Value& document) {
  const Value* version = find(document, "enfold_study");
  if (version == nullptr) {
    fail(document.place,
         "enfold_study is missing; the first line of a study is 'enfold_study: 1', its format version");
  }
  if (Field{version, "enfold_study"}.count() != 1) {
    fail(version->place,
         fmt::format("study format {} is not known; this program reads 'enfold_study: 1'", version->text));
  }
}

}  // namespace

const std::vector<ScenarioSection>& study_sections() {
  static const std::vector<ScenarioSection> sections = {
      {"study",
       {"enfold_study", "name", "shows", "scenario", "set", "parameters", "derived", "sampler", "seed",
        "vary_noise", "hierarchy", "success", "objective", "outputs", "maps", "path_samples", "worst"}},
      {"parameter",
       {"name", "key", "keys", "uniform", "log_uniform", "normal", "triangular", "integers", "values",
        "grid"}},
      {"normal", {"mean", "sd", "min", "max"}},
      {"grid", {"from", "to", "points", "step"}},
      {"sampler", {"type", "samples", "repeat"}},
      {"objective", {"maximize", "minimize"}},
  };
  return sections;
}

StudySpec parse_study(const std::string& text, const std::string& file_name) {
  const Value document = parse_document(text, file_name, "study", "enfold_study: 1");
  check_version(document);
  const Table root({&document, ""}, "study");
  StudySpec study;
  study.name = root["name"].name(true);
  if (root.has("shows")) study.shows = root["shows"].text();
  study.scenario = placed(root["scenario"]);
  if (root.has("set")) study.set = texts(root["set"]);
  for (const Field& item : root["parameters"].items()) {
    ParameterSpec next = read_parameter(item);
    for (const ParameterSpec& other : study.parameters) {
      if (other.name == next.name)
        fail(next.place.text, fmt::format("the parameter '{}' is given twice", next.name));
    }
    study.parameters.push_back(std::move(next));
  }
  if (root.has("derived")) {
    const Field derived = root["derived"];
    if (derived.value->kind != Value::Kind::kMap)
      fail(derived.place(), "derived must be a map from scenario keys to formulas");
    for (const Entry& entry : derived.value->entries) {
      study.derived.push_back(
          {{entry.key, {entry.place}}, placed(Field{&entry.value, "derived." + entry.key})});
    }
  }
  study.sampler = read_sampler(root["sampler"]);
  if (root.has("seed")) study.seed = root["seed"].count();
  if (root.has("vary_noise")) study.vary_noise = root["vary_noise"].flag();
  if (root.has("hierarchy")) study.hierarchy = texts(root["hierarchy"]);
  if (root.has("success")) study.success = texts(root["success"]);
  if (root.has("objective")) study.objective = read_objective(root["objective"]);
  if (root.has("outputs")) study.outputs = texts(root["outputs"]);
  if (root.has("maps")) {
    for (const Field& item : root["maps"].items()) {
      const std::vector<Field> pair = item.items();
      if (pair.size() != 2) fail(item.place(), fmt::format("{} must name two parameters", item.path));
      study.maps.emplace_back(placed(pair[0]), placed(pair[1]));
    }
  }
  study.path_samples = count_within(root, "path_samples", study.path_samples, 2, 10001);
  study.worst = count_within(root, "worst", study.worst, 1, 1000);
  return study;
}

StudySpec read_study(const std::filesystem::path& path) {
  return parse_study(read_file(path), path.string());
}

std::string study_to_text(const StudySpec& study) {
  std::string out = fmt::format("name {}\nseed {}\nvary_noise {}\nsampler {} {} {}\npath_samples {}\n",
                                study.name, study.seed, study.vary_noise, study.sampler.type,
                                study.sampler.samples, study.sampler.repeat, study.path_samples);
  for (const PlacedText& set : study.set) out += fmt::format("set {}\n", set.text);
  for (const ParameterSpec& parameter : study.parameters) {
    out += fmt::format("parameter {} {}", parameter.name, parameter.distribution.kind);
    for (const double x : parameter.distribution.numbers) out += fmt::format(" {}", x);
    for (const std::string& word : parameter.distribution.words) out += fmt::format(" '{}'", word);
    for (const PlacedText& key : parameter.keys) out += fmt::format(" {}", key.text);
    out += '\n';
  }
  for (const DerivedKey& derived : study.derived)
    out += fmt::format("derived {} = {}\n", derived.key.text, derived.formula.text);
  for (const PlacedText& level : study.hierarchy) out += fmt::format("level {}\n", level.text);
  for (const PlacedText& clause : study.success) out += fmt::format("success {}\n", clause.text);
  if (study.objective) {
    out += fmt::format("{} {}\n", study.objective->maximize ? "maximize" : "minimize",
                       study.objective->formula.text);
  }
  return out;
}

}  // namespace enfold::io
