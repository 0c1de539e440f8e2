// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "arguments.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "enfold/io/file.hpp"
#include "enfold/planners/feasible_duration.hpp"
#include "plan_offers.hpp"
#include "plan_table.hpp"
#include "plan_words.hpp"
#include "run_job.hpp"

namespace enfold::app {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  ScenarioArguments scenario;
  OutputArguments output;
  bool fastest = false;
  bool quiet = false;
};

/// The scenario at the shortest duration that has a plan; none if there is none, which is told.
std::optional<io::Scenario> fastest(const io::Scenario& scenario, const Console& console) {
  const Setup setup = make_setup(scenario);
  const planners::DurationRange range =
      planners::feasible_durations(plan_problem(setup), plan_options(setup));
  if (!range.exists()) {
    Console::trouble("{}: no duration has a plan: {}", scenario.name, range.reason);
    return std::nullopt;
  }
  console.say("fastest: {:.6g} s instead of {:.6g} s; decided at {:.4g} % of the path by {}", range.shortest,
              setup.trajectory->duration(), 100.0 * range.shortest_at, range.shortest_by);
  // The plan has its own samples, between which the shortest may be a little longer.
  for (const double longer : {1e-6, 1e-5, 1e-4, 1e-3}) {
    const io::Scenario faster = with_duration(scenario, range.shortest * (1.0 + longer));
    if (make_plan(make_setup(faster)).ok()) return faster;
  }
  return with_duration(scenario, range.shortest * 1.01);
}

/// Of any joint, from a point of the plan to the next [N·m/s].
double largest_rate(const control::Plan& plan) {
  double largest = 0.0;
  for (std::size_t k = 0; k + 1 < plan.points.size(); ++k) {
    const double step = plan.points[k + 1].time - plan.points[k].time;
    largest = std::max(largest, (plan.points[k + 1].tau - plan.points[k].tau).cwiseAbs().maxCoeff() / step);
  }
  return largest;
}

void print_plan(const Console& console, const Setup& setup, const planners::PlanSolution& planned) {
  const control::Plan& plan = planned.plan;
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
  if (setup.scenario.planner.max_torque_rate)
    console.say("  fastest torque        {:.4g} N·m/s of {:.4g} N·m/s", largest_rate(plan),
                *setup.scenario.planner.max_torque_rate);
  console.say("  critical contact:");
  for (const std::string& line : critical_lines(setup, planned)) console.say("    {}", line);
  const std::vector<std::string> others = price_lines(setup, planned);
  if (!others.empty()) console.say("  what else decides:");
  for (const std::string& line : others) console.say("    {}", line);
}

ExitCode plan(const Arguments& arguments) {
  const Console console(arguments.quiet);
  io::Scenario scenario = arguments.scenario.read();
  if (arguments.fastest) {
    const std::optional<io::Scenario> faster = fastest(scenario, console);
    if (!faster) return ExitCode::kMathematics;
    scenario = *faster;
  }
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
    if (planned.ok()) print_plan(console, run.setup, planned);
    console.say("  written to            {}", (folder / "plan.csv").string());
  }
  for (const planners::PlanFailure& failure : planned.failures) {
    Console::trouble("{}: {}: from t = {:.6g} s to {:.6g} s {}", scenario.name, to_string(failure.status),
                     failure.from, failure.to, failure.reason);
  }
  if (!planned.ok())
    for (const std::string& line : plan_offers(run.setup, planned)) console.say("  {}", line);
  return planned.ok() ? ExitCode::kDone : ExitCode::kMathematics;
}

}  // namespace

void add_plan_command(CLI::App& program, Job& job) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      program.add_subcommand("plan", "find the squeeze that keeps every contact alive along the path");
  arguments->scenario.add_to(*command);
  arguments->output.add_to(*command, false);
  command->add_flag("--fastest", arguments->fastest,
                    "the same path at the shortest duration that has a plan, instead of the scenario's");
  command->add_flag("--quiet", arguments->quiet, "say nothing unless something fails");
  command->callback([arguments, &job] { job = [arguments] { return plan(*arguments); }; });
}

}  // namespace enfold::app
