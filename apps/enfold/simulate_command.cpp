// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <numbers>

#include "arguments.hpp"
#include "commands.hpp"
#include "outcome.hpp"
#include "reality.hpp"
#include "report/report_page.hpp"
#include "run_job.hpp"

namespace enfold::app {
namespace {

struct Arguments {
  ScenarioArguments scenario;
  OutputArguments output;
  bool quiet = false;
};

void print_summary(const Console& console, const ScenarioRun& run, const std::filesystem::path& folder) {
  const sim::History& history = run.history;
  const sim::Sample& last = history.samples.back();
  const auto unique =
      std::count_if(history.samples.begin(), history.samples.end(),
                    [](const sim::Sample& sample) { return sample.p_matrix == sim::Uniqueness::kUnique; });
  std::string error;
  for (Index i = 0; i < last.x_des.size(); ++i) {
    error +=
        fmt::format("{}{} {:.3g}", i == 0 ? "" : ", ",
                    history.names.object_position[static_cast<std::size_t>(i)], last.x_des[i] - last.x[i]);
  }
  console.say("{}: {:.4g} s simulated", run.setup.scenario.name, last.time);
  for (const auto& [name, value] : summary_numbers(history)) {
    if (name == "smallest_normal_N") console.say("  smallest normal force  {:.4g} N", value);
    if (name == "largest_normal_N") console.say("  largest normal force   {:.4g} N", value);
    if (name == "largest_torque_Nm") console.say("  largest torque         {:.4g} N·m", value);
  }
  if (!error.empty()) console.say("  error at the end       {}", error);
  console.say("  A is a P-matrix at     {} of {} recorded instants", unique, history.samples.size());
  if (history.summary.compliant_time > 0.0) {
    console.say("  compliant contacts     {:.3g} s of {:.3g} s, {} switches of the model",
                history.summary.compliant_time, last.time, history.summary.model_switches);
    console.say("  integrated by          {}", history.summary.compliant_method);
  }
  if (!history.summary.stability_warning.empty())
    console.say("  warning                contacts: {}", history.summary.stability_warning);
  if (const std::string text = saturation_text(history); !text.empty())
    console.say("  warning                {}", text);
  console.say("  largest gap drift      {:.2g} m", history.summary.max_gap_drift);
  console.say("  run folder             {}", folder.string());
}

/// The exit code after the scenario's stated outcome was compared: 3 if it is missed.
ExitCode judge(const Console& console, const ScenarioRun& run, ExitCode code, const std::string& message) {
  bool met = true;
  for (const Outcome& outcome : compare_outcome(run, code, message)) {
    if (outcome.met) continue;
    met = false;
    Console::trouble("{}: stated outcome missed: {}", run.setup.scenario.name, outcome.text);
  }
  if (!met) return ExitCode::kMathematics;
  console.say("  stated outcome         met{}",
              code == ExitCode::kDone ? "" : fmt::format(" (exit {})", static_cast<int>(code)));
  return code;
}

ExitCode simulate(const Arguments& arguments) {
  const Console console(arguments.quiet);
  const io::Scenario scenario = arguments.scenario.read();
  const ScenarioRun run = run_scenario(scenario, console);
  const auto [code, message] = run_result(run);
  const bool stated = scenario.expect && arguments.scenario.overrides().empty();
  if (scenario.has_hand() && !run.planned.ok()) {
    Console::trouble("{}: {}", scenario.name, message);
    return stated ? judge(console, run, code, message) : code;
  }
  const std::filesystem::path folder = arguments.output.folder(scenario.name);
  write_run_folder(folder, run, arguments.scenario.command_text("simulate"));
  if (!run.history.samples.empty()) {
    print_summary(console, run, folder);
    if (!arguments.output.no_figures) {
      const auto files = draw_run_figures(folder, run.setup.model, scenario, run.history);
      console.say("  figures                {}", (folder / "figures").string());
    }
    if (!arguments.output.no_report)
      console.say("  report page            {}", write_report(folder).string());
  }
  if (run.history.status != sim::RunStatus::kCompleted)
    Console::trouble("{}: {}", scenario.name, run.history.message);
  if (scenario.expect && !stated)
    console.say("  stated outcome         not checked: the scenario was changed");
  return stated ? judge(console, run, code, message) : code;
}

}  // namespace

void add_simulate_command(CLI::App& program, Job& job) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      program.add_subcommand("simulate", "plan and run a scenario; leave history, events and figures");
  arguments->scenario.add_to(*command);
  arguments->output.add_to(*command);
  command->add_flag("--quiet", arguments->quiet, "say nothing unless something fails");
  command->callback([arguments, &job] { job = [arguments] { return simulate(*arguments); }; });
}

}  // namespace enfold::app
