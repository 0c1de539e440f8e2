// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "enfold/io/scenario.hpp"

namespace CLI {
class App;
}

namespace enfold::app {

/// Which scenario, and what is to be different about it.
struct ScenarioArguments {
  std::filesystem::path file;
  std::vector<std::string> sets;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> model;

  void add_to(CLI::App& command);
  /// Every override as key=value, in the order in which they apply.
  [[nodiscard]] std::vector<std::string> overrides() const;
  /// Throws ScenarioError or IoError.
  [[nodiscard]] io::Scenario read() const;
  /// What to type to get the same scenario again.
  [[nodiscard]] std::string command_text(const std::string& command) const;
};

/// Where results go, and how many of them.
struct OutputArguments {
  std::filesystem::path out;  ///< empty: runs/<scenario>
  bool no_figures = false;
  bool no_report = false;

  void add_to(CLI::App& command, bool figures = true);
  [[nodiscard]] std::filesystem::path folder(const std::string& scenario_name) const;
};

}  // namespace enfold::app
