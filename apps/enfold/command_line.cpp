// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>

#include "commands.hpp"
#include "console.hpp"
#include "enfold/base/error.hpp"

namespace enfold::app {
namespace {

constexpr const char* kFooter =
    "exit codes: 0 done · 1 file or disk trouble · 2 usage or invalid scenario · 3 the mathematics says no "
    "·\n"
    "            4 the physics is not unique · 5 the run failed";

/// Runs the chosen command; every expected failure has its exit code and one sentence.
ExitCode guarded(const Job& job) {
  try {
    return job();
  } catch (const ScenarioError& error) {
    Console::trouble("{}", error.what());
    return ExitCode::kUsage;
  } catch (const InvalidArgument& error) {
    Console::trouble("{}", error.what());
    return ExitCode::kUsage;
  } catch (const IoError& error) {
    Console::trouble("{}", error.what());
    return ExitCode::kWorld;
  } catch (const std::exception& error) {
    Console::trouble("{}", error.what());
    return ExitCode::kWorld;
  }
}

/// CLI11 would say that a command is required, and not which word it did not know.
bool knows(const CLI::App& program, const std::string& word) {
  const auto commands = program.get_subcommands([](const CLI::App*) { return true; });
  return word.rfind('-', 0) == 0 ||
         std::any_of(commands.begin(), commands.end(),
                     [&](const CLI::App* command) { return command->check_name(word); });
}

}  // namespace

const char* version() {
  return ENFOLD_VERSION;
}

int run_command_line(int argc, const char* const* argv) {
  CLI::App program{"enfold: design the control of whole-arm grasps", "enfold"};
  program.set_version_flag("--version", std::string("enfold ") + version());
  program.require_subcommand(1);
  program.footer(kFooter);
  Job job;
  add_check_command(program, job);
  add_plan_command(program, job);
  add_simulate_command(program, job);
  add_design_command(program, job);
  add_lcp_command(program, job);
  add_uniqueness_command(program, job);
  add_plot_command(program, job);
  add_report_command(program, job);
  add_reproduce_command(program, job);
  add_new_command(program, job);
  add_sweep_command(program, job);
  if (argc > 1 && !knows(program, argv[1])) {
    std::string known;
    for (const CLI::App* command : program.get_subcommands({}))
      known += (known.empty() ? "" : ", ") + command->get_name();
    Console::trouble("there is no command '{}'; known: {}", argv[1], known);
    return static_cast<int>(ExitCode::kUsage);
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked = error.get_exit_code() == 0;  // --help, --version
    program.exit(error);
    return static_cast<int>(asked ? ExitCode::kDone : ExitCode::kUsage);
  }
  return static_cast<int>(guarded(job));
}

}  // namespace enfold::app
