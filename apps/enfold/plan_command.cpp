// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "arguments.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "enfold/io/file.hpp"
#include "plan_table.hpp"
#include "run_job.hpp"

namespace enfold::app {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  ScenarioArguments scenario;
  OutputArguments output;
  bool quiet = false;
};

void print_plan(const Console& console, const Setup& setup, const control::Plan& plan) {
  const std::vector<std::string>& names = setup.model.contacts->names();
  double largest_normal = 0.0;
  double largest_torque = 0.0;
  for (const control::PlanPoint& point : plan.points) {
    largest_normal = std::max(largest_normal, point.lambda_N.maxCoeff());
    largest_torque = std::max(largest_torque, point.tau.cwiseAbs().maxCoeff());
  }
  console.say("{}: {} points over {:.4g} s", setup.scenario.name, plan.points.size(),
              setup.trajectory->duration());
  console.say("  largest normal force  {:.4g} N", largest_normal);
  console.say("  largest torque        {:.4g} N·m", largest_torque);
  console.say("  critical contact:");
  for (const planners::CriticalStretch& stretch : planners::critical_stretches(plan)) {
    const double price = plan.points[plan.segment(0.5 * (stretch.from + stretch.to))].shadow_price;
    console.say("    {:8.6f} s to {:8.6f} s  {:<20}  1 N more at it costs {:.3g} N in all", stretch.from,
                stretch.to, stretch.contact < 0 ? "none" : names[static_cast<std::size_t>(stretch.contact)],
                price);
  }
}

ExitCode plan(const Arguments& arguments) {
  const Console console(arguments.quiet);
  const io::Scenario scenario = arguments.scenario.read();
  ScenarioRun run;
  run.setup = make_setup(scenario);
  run.planned = make_plan(run.setup);
  const planners::PlanSolution& planned = run.planned;
  if (!planned.plan.empty()) {
    run.history.status = sim::RunStatus::kPlanned;
    run.history.message = planned.message;
    const fs::path folder = arguments.output.folder(scenario.name);
    write_run_folder(folder, run, arguments.scenario.command_text("plan"));
    io::write_file(folder / "plan.csv", plan_csv(run.setup, planned.plan));
    if (planned.ok()) print_plan(console, run.setup, planned.plan);
    console.say("  written to            {}", (folder / "plan.csv").string());
  }
  for (const planners::PlanFailure& failure : planned.failures) {
    Console::trouble("{}: {}: from t = {:.6g} s to {:.6g} s {}", scenario.name, to_string(failure.status),
                     failure.from, failure.to, failure.reason);
  }
  return planned.ok() ? ExitCode::kDone : ExitCode::kMathematics;
}

}  // namespace

void add_plan_command(CLI::App& program, Job& job) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      program.add_subcommand("plan", "find the squeeze that keeps every contact alive along the path");
  arguments->scenario.add_to(*command);
  arguments->output.add_to(*command, false);
  command->add_flag("--quiet", arguments->quiet, "say nothing unless something fails");
  command->callback([arguments, &job] { job = [arguments] { return plan(*arguments); }; });
}

}  // namespace enfold::app
