// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

#include "exit_code.hpp"

namespace CLI {
class App;
}

namespace enfold::app {

/// Set by the sub-command that was asked for; run after all arguments were read.
using Job = std::function<ExitCode()>;

// Each declares one sub-command and, when it is chosen, puts its work into `job`.
void add_check_command(CLI::App& program, Job& job);
void add_plan_command(CLI::App& program, Job& job);
void add_simulate_command(CLI::App& program, Job& job);
void add_design_command(CLI::App& program, Job& job);
void add_lcp_command(CLI::App& program, Job& job);
void add_uniqueness_command(CLI::App& program, Job& job);
void add_plot_command(CLI::App& program, Job& job);
void add_report_command(CLI::App& program, Job& job);
void add_reproduce_command(CLI::App& program, Job& job);
void add_new_command(CLI::App& program, Job& job);
void add_sweep_command(CLI::App& program, Job& job);

/// The whole program: reads the command line, runs the command, turns exceptions into exit codes.
[[nodiscard]] int run_command_line(int argc, const char* const* argv);

/// Version of the program.
[[nodiscard]] const char* version();

}  // namespace enfold::app
