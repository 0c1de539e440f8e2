// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/study/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "enfold/base/counter_random.hpp"
#include "enfold/base/require.hpp"

namespace enfold::study {
namespace {

constexpr std::uint64_t kMostSamples = 100'000'000;
constexpr std::uint64_t kNoiseStream = 0x4e4f495345ULL << 20U;

[[noreturn]] void fail(const io::Place& place, const std::string& message) {
  throw ScenarioError(place.text.empty() ? message : fmt::format("{}: {}", place.text, message));
}

Distribution make_distribution(const io::DistributionSpec& spec) {
  const std::vector<double>& x = spec.numbers;
  if (spec.kind == "uniform") return Distribution::uniform(x.at(0), x.at(1));
  if (spec.kind == "log_uniform") return Distribution::log_uniform(x.at(0), x.at(1));
  if (spec.kind == "normal") return Distribution::normal(x.at(0), x.at(1), x.at(2), x.at(3));
  if (spec.kind == "triangular") return Distribution::triangular(x.at(0), x.at(1), x.at(2));
  if (spec.kind == "integers") {
    ENFOLD_REQUIRE(std::abs(x.at(0)) < 1e16 && std::abs(x.at(1)) < 1e16,
                   "integers must be within 2^53, found [{}, {}]", x[0], x[1]);
    return Distribution::integers(static_cast<std::int64_t>(x[0]), static_cast<std::int64_t>(x[1]));
  }
  ENFOLD_REQUIRE(spec.kind == "values", "unknown distribution '{}'", spec.kind);
  if (spec.words.empty()) return Distribution::values(x);
  std::vector<double> positions(spec.words.size());
  std::iota(positions.begin(), positions.end(), 0.0);
  return Distribution::values(std::move(positions));
}

/// Whole numbers without a point, so that keys that count take them.
std::string number_text(double x) {
  if (x == std::floor(x) && std::abs(x) < 1e15) return fmt::format("{}", static_cast<std::int64_t>(x));
  return fmt::format("{}", x);
}

}  // namespace

Expression read_formula(const io::PlacedText& text, const std::vector<std::string>& known) {
  try {
    Expression expression(text.text);
    for (const std::string& name : expression.variables()) {
      if (std::find(known.begin(), known.end(), name) == known.end())
        fail(text.place,
             fmt::format("'{}' in '{}' is unknown; known here: {}", name, text.text, fmt::join(known, ", ")));
    }
    return expression;
  } catch (const InvalidArgument& error) {
    fail(text.place, fmt::format("formula {}", error.what()));
  }
}

Design::Design(const io::StudySpec& study) : study_{study} {
  std::set<std::string> keys;
  const auto claim = [&](const io::PlacedText& key) {
    if (!keys.insert(key.text).second)
      fail(key.place, fmt::format("the scenario key '{}' is driven twice", key.text));
  };
  for (const io::ParameterSpec& parameter : study.parameters) {
    names_.push_back(parameter.name);
    try {
      distributions_.push_back(make_distribution(parameter.distribution));
    } catch (const InvalidArgument& error) {
      fail(parameter.distribution.place, fmt::format("{}: {}", parameter.name, error.what()));
    }
    for (const io::PlacedText& key : parameter.keys) claim(key);
  }
  for (const io::DerivedKey& derived : study.derived) {
    claim(derived.key);
    Expression expression = read_formula(derived.formula, names_);
    std::vector<std::size_t> parameters;
    for (const std::string& name : expression.variables()) {
      const auto at =
          static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
      if (!study.parameters[at].distribution.words.empty())
        fail(derived.formula.place, fmt::format("'{}' has words as values; a formula needs numbers", name));
      parameters.push_back(at);
    }
    formulas_.push_back({derived.key.text, std::move(expression), std::move(parameters)});
  }
  for (std::size_t i = 0; i < study.parameters.size(); ++i) {
    const bool in_formula = std::any_of(formulas_.begin(), formulas_.end(), [&](const Formula& formula) {
      return std::find(formula.parameters.begin(), formula.parameters.end(), i) != formula.parameters.end();
    });
    if (study.parameters[i].keys.empty() && !in_formula)
      fail(study.parameters[i].place,
           fmt::format("the parameter '{}' has no key and no formula of 'derived' uses it", names_[i]));
  }
  if (study.vary_noise) {
    if (!keys.insert("seed").second)
      fail(study.sampler.place, "vary_noise and a parameter both drive the key 'seed'");
  }
  make_grid();
  const std::size_t d = drawn_.size();
  if (study.sampler.type == "sobol") {
    if (d > SobolSampler::kMaxDimension)
      fail(study.sampler.place,
           fmt::format("sobol is offered for up to {} parameters, found {}", SobolSampler::kMaxDimension, d));
    sampler_ = std::make_unique<SobolSampler>(d, study.seed);
  } else if (study.sampler.type == "latin_hypercube") {
    sampler_ = std::make_unique<LatinHypercubeSampler>(d, size_, study.seed);
  } else {
    sampler_ = std::make_unique<RandomSampler>(d, study.seed);
  }
  random_ = d > 0 || study.vary_noise;
}

void Design::make_grid() {
  const bool grid = study_.sampler.type == "grid";
  size_ = grid ? study_.sampler.repeat : study_.sampler.samples;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (!grid || !distributions_[i].discrete()) {
      drawn_.push_back(i);
      continue;
    }
    gridded_.push_back(i);
    const std::uint64_t levels = distributions_[i].levels();
    if (levels > kMostSamples / std::max<std::uint64_t>(size_, 1))
      fail(study_.sampler.place, fmt::format("the grid has more than {} samples", kMostSamples));
    size_ *= levels;
  }
  if (grid && gridded_.empty())
    fail(study_.sampler.place, "a grid needs a parameter with values, grid or integers; all are continuous");
}

std::vector<double> Design::values(std::uint64_t index) const {
  ENFOLD_REQUIRE(index < size_, "sample {} of a study with {}", index, size_);
  std::vector<double> out(names_.size());
  std::vector<double> u(drawn_.size());
  sampler_->point(index, u);
  for (std::size_t k = 0; k < drawn_.size(); ++k) out[drawn_[k]] = distributions_[drawn_[k]].quantile(u[k]);
  std::uint64_t cell = index / study_.sampler.repeat;
  for (std::size_t k = gridded_.size(); k-- > 0;) {
    const Distribution& distribution = distributions_[gridded_[k]];
    out[gridded_[k]] = distribution.level(cell % distribution.levels());
    cell /= distribution.levels();
  }
  return out;
}

std::string Design::text_of(std::size_t parameter, double value) const {
  const std::vector<std::string>& some = words(parameter);
  return some.empty() ? number_text(value) : some.at(static_cast<std::size_t>(value));
}

std::vector<std::string> Design::overrides(const std::vector<double>& values) const {
  std::vector<std::string> out;
  for (const io::PlacedText& set : study_.set) out.push_back(set.text);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    for (const io::PlacedText& key : study_.parameters[i].keys)
      out.push_back(fmt::format("{}={}", key.text, text_of(i, values.at(i))));
  }
  for (const Formula& formula : formulas_) {
    std::vector<double> arguments;
    for (const std::size_t i : formula.parameters) arguments.push_back(values.at(i));
    out.push_back(fmt::format("{}={}", formula.key, number_text(formula.expression.evaluate(arguments))));
  }
  return out;
}

std::vector<std::string> Design::overrides(std::uint64_t index) const {
  std::vector<std::string> out = overrides(values(index));
  if (study_.vary_noise) {
    // 53 bits: every program that reads the number back gets the same one.
    const std::uint64_t noise = CounterRandom(study_.seed, kNoiseStream).bits(index) >> 11U;
    out.push_back(fmt::format("seed={}", noise));
  }
  return out;
}

}  // namespace enfold::study
