// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "enfold/io/scenario.hpp"
#include "table.hpp"
#include "words.hpp"

namespace enfold::io {

/// The text, which must be one of `known`.
[[nodiscard]] inline std::string choose_text(const Field& field, std::span<const std::string_view> known) {
  std::string word = field.text();
  if (std::find(known.begin(), known.end(), word) == known.end()) fail_unknown_value(field, word, known);
  return word;
}

template <typename T>
[[nodiscard]] T choose(const Field& field, const Words<T>& words) {
  std::vector<std::string_view> known;
  for (const auto& entry : words) known.push_back(entry.first);
  const std::string word = choose_text(field, known);
  return std::find_if(words.begin(), words.end(), [&](const auto& entry) { return entry.first == word; })
      ->second;
}

/// The planner's section, whose values depend on one another.
[[nodiscard]] PlannerSpec read_planner(const Field& field, const std::vector<ContactSpec>& contacts);
/// The controller's. @pre hand and contacts of the scenario are read
[[nodiscard]] ControllerSpec read_controller(const Field& field, const Scenario& scenario);
/// controller.model. @pre contacts are read
[[nodiscard]] BeliefSpec read_belief(const Field& field, const std::vector<ContactSpec>& contacts);
/// Motors and sensors. @pre hand and controller are read
[[nodiscard]] MotorsSpec read_motors(const Field& field, const Scenario& scenario);
[[nodiscard]] SensorsSpec read_sensors(const Field& field, const Scenario& scenario);

}  // namespace enfold::io
