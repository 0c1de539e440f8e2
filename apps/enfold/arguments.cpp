// SPDX-License-Identifier: BSD-3-Clause
#include "arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "enfold/io/scenario_file.hpp"

namespace enfold::app {

void ScenarioArguments::add_to(CLI::App& command) {
  command.add_option("scenario", file, "scenario file (YAML)")->required()->type_name("SCENARIO");
  command
      .add_option("--set", sets,
                  "override a key of the scenario, e.g. --set contacts.left.distal.mu=0.3; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--seed", seed, "seed of the sensor noise")->type_name("N");
  command.add_option("--model", model, "contact model: rigid, compliant or integrated")->type_name("MODEL");
}

std::vector<std::string> ScenarioArguments::overrides() const {
  std::vector<std::string> all = sets;
  if (seed) all.push_back(fmt::format("seed={}", *seed));
  if (model) all.push_back(fmt::format("simulation.model={}", *model));
  return all;
}

io::Scenario ScenarioArguments::read() const {
  return io::read_scenario(file, overrides());
}

std::string ScenarioArguments::command_text(const std::string& command) const {
  std::string text = fmt::format("enfold {} {}", command, file.string());
  for (const std::string& one : overrides()) text += fmt::format(" --set '{}'", one);
  return text;
}

void OutputArguments::add_to(CLI::App& command, bool figures) {
  command.add_option("--out", out, "folder for the results (default: runs/<scenario>)")->type_name("DIR");
  if (!figures) return;
  command.add_flag("--no-figures", no_figures, "write the numbers only");
  command.add_flag("--no-report", no_report, "write no report page");
}

std::filesystem::path OutputArguments::folder(const std::string& scenario_name) const {
  return out.empty() ? std::filesystem::path("runs") / scenario_name : out;
}

}  // namespace enfold::app
