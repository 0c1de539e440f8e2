// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "enfold/io/study_file.hpp"
#include "enfold/study/distribution.hpp"
#include "enfold/study/expression.hpp"
#include "enfold/study/sampler.hpp"

namespace enfold::study {

/// The samples of a study: from an index to what a scenario is told. Const and thread-safe.
///
/// A grid runs through all combinations of its discrete parameters, the first slowest, `repeat` times each,
/// and draws the continuous ones at random. The other samplers draw all of them.
class Design {
 public:
  /// Throws ScenarioError with the place in the study file: a distribution with bad parameters, a formula
  /// that does not parse or uses an unknown name, a parameter that is not used, a grid without discrete
  /// parameters.
  explicit Design(const io::StudySpec& study);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] const std::vector<Distribution>& distributions() const { return distributions_; }
  /// The parameters of a sample, in the order of names(); of a parameter whose values are words the position.
  /// @pre index < size() (throws InvalidArgument)
  [[nodiscard]] std::vector<double> values(std::uint64_t index) const;
  /// What they tell the scenario: `key=value`, the study's `set` first. The texts give back the numbers
  /// exactly.
  [[nodiscard]] std::vector<std::string> overrides(std::uint64_t index) const;
  /// The same for parameters that need not be a sample's.
  [[nodiscard]] std::vector<std::string> overrides(const std::vector<double>& values) const;
  /// Words of a parameter whose values are no numbers, else empty.
  [[nodiscard]] const std::vector<std::string>& words(std::size_t parameter) const {
    return study_.parameters[parameter].distribution.words;
  }
  /// Samples are independent draws, or spread more evenly than that; not a grid without random parameters.
  [[nodiscard]] bool random() const { return random_; }
  [[nodiscard]] const io::StudySpec& study() const { return study_; }

 private:
  void make_grid();
  [[nodiscard]] std::string text_of(std::size_t parameter, double value) const;

  struct Formula {
    std::string key;
    Expression expression;
    std::vector<std::size_t> parameters;  // positions of the expression's variables
  };

  io::StudySpec study_;
  std::vector<std::string> names_;
  std::vector<Distribution> distributions_;
  std::vector<Formula> formulas_;
  std::unique_ptr<const Sampler> sampler_;  // of the parameters that are drawn
  std::vector<std::size_t> drawn_, gridded_;
  std::uint64_t size_ = 0;
  bool random_ = true;
};

/// A formula of a study file. Throws ScenarioError with its place if it does not parse, or uses a name that
/// is not known.
[[nodiscard]] Expression read_formula(const io::PlacedText& text, const std::vector<std::string>& known);

}  // namespace enfold::study
