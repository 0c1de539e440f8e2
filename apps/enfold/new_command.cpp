// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "console.hpp"
#include "embedded_scenarios.hpp"
#include "enfold/base/error.hpp"
#include "enfold/io/file.hpp"
#include "enfold/io/scenario_file.hpp"

namespace enfold::app {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  fs::path file;
  std::string from = "song2001-rotate";
  bool list = false;
  bool quiet = false;
};

const EmbeddedScenario& find(const std::string& name) {
  const auto& all = embedded_scenarios();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const EmbeddedScenario& one) { return one.name == name; });
  if (found != all.end()) return *found;
  std::string known;
  for (const EmbeddedScenario& one : all) known += (known.empty() ? "" : ", ") + one.name;
  throw ScenarioError(fmt::format("there is no scenario '{}' to start from; known: {}", name, known));
}

/// The scenario's text under a new name; comments stay.
std::string renamed(const EmbeddedScenario& scenario, const std::string& name) {
  std::string text = scenario.text;
  const std::string line = "\nname: " + scenario.name + "\n";
  if (const auto at = text.find(line); at != std::string::npos)
    text.replace(at, line.size(), "\nname: " + name + "\n");
  return text;
}

ExitCode make_new(const Arguments& arguments) {
  const Console console(arguments.quiet);
  if (arguments.list) {
    for (const EmbeddedScenario& one : embedded_scenarios()) {
      fmt::print("{:<24}{}\n", one.name, io::parse_scenario(one.text, one.name).shows);
    }
    return ExitCode::kDone;
  }
  if (arguments.file.empty())
    throw ScenarioError("give a file to write, e.g. `enfold new my-grasp.yaml`, or --list");
  fs::path file = arguments.file;
  if (file.extension().empty()) file += ".yaml";
  const EmbeddedScenario& source = find(arguments.from);
  if (fs::exists(file))
    throw IoError(fmt::format("'{}' exists already; `new` never overwrites a file", file.string()));
  io::write_file(file, renamed(source, file.stem().string()));
  console.say("{} written, from {}. Next: enfold check {}", file.string(), source.name, file.string());
  return ExitCode::kDone;
}

}  // namespace

void add_new_command(CLI::App& program, Job& job) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand("new", "write a scenario file to start from");
  command->add_option("file", arguments->file, "file to write; .yaml is added")->type_name("FILE");
  command->add_option("--from", arguments->from, "scenario to start from (default: song2001-rotate)")
      ->type_name("NAME");
  command->add_flag("--list", arguments->list, "list the scenarios to start from");
  command->add_flag("--quiet", arguments->quiet, "say nothing unless something fails");
  command->callback([arguments, &job] { job = [arguments] { return make_new(*arguments); }; });
}

}  // namespace enfold::app
