// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "enfold/io/scenario.hpp"

namespace enfold::io {

/// Reads a scenario file. An override is `key=value` with a dotted key; list items go by name or by number
/// from 0
/// (`contacts.left.proximal.mu=0.3`, `hand.arms.0.base_m=[0, 0]`; `arms.` is short for `hand.arms.`). The
/// value is YAML; `null` removes the key, so that its default applies.
///
/// Throws IoError if the file can't be read and ScenarioError if it can't be used: the message starts with
/// file:line:column, or with `--set key=value` if an override is to blame.
[[nodiscard]] Scenario read_scenario(const std::filesystem::path& path,
                                     std::span<const std::string> overrides = {});

/// The same from text; `file_name` is for messages only.
[[nodiscard]] Scenario parse_scenario(const std::string& text, const std::string& file_name,
                                      std::span<const std::string> overrides = {});

/// The scenario as a file with every default written out. Reading it gives an equal scenario.
[[nodiscard]] std::string scenario_to_yaml(const Scenario& scenario);

/// The keys that one kind of table in a scenario file may hold.
struct ScenarioSection {
  std::string_view name;
  std::vector<std::string_view> keys;
};

/// Every table the reader knows; the shipped JSON Schema has one definition for each.
[[nodiscard]] const std::vector<ScenarioSection>& scenario_sections();

/// A control law that a scenario may name, with the keys of `controller` that are its own.
struct ControllerKeys {
  std::string_view type;
  std::vector<std::string_view> keys;
};
[[nodiscard]] const std::vector<ControllerKeys>& controller_types();

/// Object shapes that a scenario may name.
[[nodiscard]] const std::vector<std::string_view>& scenario_shapes();

}  // namespace enfold::io
