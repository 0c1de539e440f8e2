// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "arguments.hpp"
#include "commands.hpp"
#include "console.hpp"
#include "design_figures.hpp"
#include "design_study.hpp"
#include "design_tables.hpp"
#include "enfold/base/require.hpp"
#include "enfold/figure/renderer.hpp"
#include "enfold/io/file.hpp"
#include "run_job.hpp"

namespace enfold::app {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  ScenarioArguments scenario;
  OutputArguments output;
  std::vector<double> poles;
  std::optional<double> settling, bandwidth, at, rate;
  bool quiet = false;
};

DesignQuestion question_of(const Arguments& arguments, const Setup& setup) {
  const int asked =
      (arguments.poles.empty() ? 0 : 1) + (arguments.settling ? 1 : 0) + (arguments.bandwidth ? 1 : 0);
  ENFOLD_REQUIRE(asked <= 1, "design: give one of --poles, --settling and --bandwidth");
  DesignQuestion out;
  const double duration = setup.trajectory->duration();
  out.time = arguments.at.value_or(0.0);
  ENFOLD_REQUIRE(out.time >= 0.0 && out.time <= duration,
                 "design: --at {} s is not within the motion, 0 … {} s", out.time, duration);
  out.rate = arguments.rate.value_or(setup.scenario.controller.rate);
  ENFOLD_REQUIRE(std::isfinite(out.rate) && out.rate >= 0.0, "design: --rate {} Hz, expected ≥ 0", out.rate);
  if (arguments.settling) out.wanted = controllers::poles_for_settling(*arguments.settling);
  if (arguments.bandwidth)
    out.wanted = controllers::poles_for_bandwidth(2.0 * std::numbers::pi * *arguments.bandwidth);
  if (!arguments.poles.empty()) {
    ENFOLD_REQUIRE(arguments.poles.size() == 3,
                   "design: --poles has {} numbers, expected three: two of the motion and one of the force",
                   arguments.poles.size());
    out.wanted = {arguments.poles[0], arguments.poles[1], arguments.poles[2]};
  }
  return out;
}

std::string percent(double fraction) {
  return std::isfinite(fraction) ? fmt::format("{:.2g} %", 100.0 * fraction) : "no such";
}

/// Poles that are the same to four digits once, with how many there are.
void print_poles(const Console& console, const char* control, const std::vector<loop::Pole>& poles) {
  std::size_t k = 0;
  bool first = true;
  while (k < poles.size()) {
    const std::string text = loop::to_text(poles[k].s);
    std::size_t next = k;
    while (next < poles.size() && loop::to_text(poles[next].s) == text) ++next;
    console.say("    {:<12}{:>20}  {:>2}×   {:>7}   {:>9}", first ? control : "", text, next - k,
                poles[k].dead_beat ? "" : fmt::format("{:.3f}", poles[k].damping_ratio()),
                poles[k].dead_beat ? "" : fmt::format("{:.4g}", poles[k].settling_time()));
    first = false;
    k = next;
  }
}

void print_case(const Console& console, const DesignCase& one, bool sampled) {
  console.say("  {}: K_p = {:.6g}, K_v = {:.6g}, K_alpha = {:.6g}", one.name, one.gains.Kp, one.gains.Kv,
              one.gains.Kalpha);
  console.say("    {:<12}{:>20}  {:>3}   {:>7}   {:>9}", "", "poles [1/s]", "", "damping", "2 % [s]");
  if (one.in_continuous_time) print_poles(console, "continuous", one.continuous);
  if (sampled) print_poles(console, "sampled", one.sampled);
  std::vector<std::string> distances;
  if (one.in_continuous_time) distances.push_back("continuous " + percent(one.continuous_distance));
  if (sampled) distances.push_back("sampled " + percent(one.sampled_distance));
  if (one.claims_poles) console.say("    from the poles asked for: {}", fmt::join(distances, ", "));
}

std::string limit(double value, double without, const char* text) {
  return value == without || !std::isfinite(value) ? text : fmt::format("{:.3g}", value);
}

void print_margins(const Console& console, const DesignStudy& study, const DesignQuestion& question) {
  const bool sampled = question.rate > 0.0;
  console.say("  what the loop bears{:<28}{:>18}  {:>8}  {:>9}", sampled ? " when sampled, at" : ", at",
              "gain × from … to", "phase", "delay [s]");
  for (const CutMargins& cut : study.margins) {
    const loop::Margins& m = sampled ? cut.sampled : cut.continuous;
    if (!m.stable) {
      console.say("    {:<43}unstable", cut.name);
      continue;
    }
    console.say("    {:<43}{:>18}  {:>8}  {:>9}", cut.name,
                fmt::format("{} … {}", limit(m.gain_low, 0.0, "0"), limit(m.gain_high, INFINITY, "∞")),
                std::isfinite(m.phase) ? fmt::format("{:.1f}°", m.phase * 180.0 / std::numbers::pi) : "any",
                limit(m.delay, INFINITY, "any"));
  }
  const loop::CriticalDelay& delay = sampled ? study.sampled_delay : study.continuous_delay;
  if (std::isfinite(delay.delay))
    console.say("  unstable from a delay of {:.4g} s on, swinging at {:.3g} rad/s", delay.delay, delay.omega);
}

void print_steps(const Console& console, const DesignStudy& study, bool sampled) {
  const auto& steps = sampled ? study.sampled_steps : study.continuous_steps;
  for (std::size_t i = 0; i < steps.size(); ++i)
    console.say("  step of {:<4} 2 % after {} s, overshoot {:.2g} %", study.coordinates[i],
                limit(steps[i].settling_time, INFINITY, "no"), 100.0 * steps[i].overshoot);
}

void print_study(const Console& console, const Setup& setup, const DesignStudy& study,
                 const DesignQuestion& question) {
  const bool sampled = question.rate > 0.0;
  console.say("{}: {} held at t = {:.4g} s, {}", setup.scenario.name, setup.scenario.controller.type,
              study.time, sampled ? fmt::format("{:.6g} Hz", question.rate) : "continuous control");
  const Eigen::VectorXcd stiffness = study.chosen().linear.plant.stiffness().eigenvalues();
  if (stiffness.size() > 0)
    console.say(
        "  the squeeze turns with the pose: at constant torques z'' = S z, eigenvalues {:.3g} … {:.3g} 1/s²",
        stiffness.real().minCoeff(), stiffness.real().maxCoeff());
  for (const DesignCase& one : study.cases) print_case(console, one, sampled);
  print_margins(console, study, question);
  print_steps(console, study, sampled);
  for (const std::string& warning : study.warnings) console.say("  warning: {}", warning);
  console.say("  to copy into the scenario:");
  console.say("    {}", controller_snippet(setup, study, question.rate));
}

void write_study(const Arguments& arguments, const Setup& setup, const planners::PlanSolution& planned,
                 const DesignStudy& study, const DesignQuestion& question, const fs::path& folder) {
  ScenarioRun run;
  run.setup = setup;
  run.planned = planned;
  run.history.status = sim::RunStatus::kPlanned;
  write_run_folder(folder, run, arguments.scenario.command_text("design"));
  const std::vector<std::string>& contacts = setup.model.contacts->names();
  io::write_file(folder / "design.json", design_json(setup, study, question));
  io::write_file(folder / "poles.csv", poles_csv(study));
  io::write_file(folder / "step.csv", step_csv(study, contacts, question.rate > 0.0));
  if (arguments.output.no_figures) return;
  const fs::path figures = folder / "figures";
  fs::create_directories(figures);
  const std::string title =
      fmt::format("{}, held at {:.4g} s: {}", setup.scenario.name, study.time, study.chosen().name);
  const std::vector<figure::Job> jobs{
      {pole_map(study, question, title), {figures / "poles.svg", figures / "poles.png"}},
      {step_figure(study, question, contacts, title), {figures / "step.svg", figures / "step.png"}}};
  figure::default_renderer()->render_all(jobs);
}

ExitCode design(const Arguments& arguments) {
  const Console console(arguments.quiet);
  const io::Scenario scenario = arguments.scenario.read();
  const Setup setup = make_setup(scenario);
  const planners::PlanSolution planned = make_plan(setup);
  if (!planned.ok()) {
    for (const planners::PlanFailure& failure : planned.failures)
      Console::trouble("{}: {}: from t = {:.6g} s to {:.6g} s {}", scenario.name, to_string(failure.status),
                       failure.from, failure.to, failure.reason);
    return ExitCode::kMathematics;
  }
  const DesignQuestion question = question_of(arguments, setup);
  const DesignStudy study = study_design(setup, planned.plan, question);
  if (!study.failure.empty()) {
    Console::trouble("{}: {}", scenario.name, study.failure);
    return ExitCode::kMathematics;
  }
  print_study(console, setup, study, question);
  const fs::path folder = arguments.output.folder(scenario.name + "-design");
  write_study(arguments, setup, planned, study, question, folder);
  console.say("  written to {}", (folder / "design.json").string());
  const DesignCase& chosen = study.chosen();
  return (question.rate > 0.0 ? chosen.sampled_stable : chosen.continuous_stable) ? ExitCode::kDone
                                                                                  : ExitCode::kMathematics;
}

}  // namespace

void add_design_command(CLI::App& program, Job& job) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = program.add_subcommand(
      "design", "gains from poles, what sampling and delay leave of them, margins, step responses");
  arguments->scenario.add_to(*command);
  command->add_option("--poles", arguments->poles, "two poles of the motion and one of the force [1/s]")
      ->delimiter(',')
      ->type_name("S1,S2,S3");
  command->add_option("--settling", arguments->settling, "instead: errors within 2 % after this time [s]")
      ->type_name("T");
  command->add_option("--bandwidth", arguments->bandwidth, "instead: poses are followed up to here [Hz]")
      ->type_name("F");
  command->add_option("--at", arguments->at, "time of the motion at which the pose is held (default: 0) [s]")
      ->type_name("T");
  command
      ->add_option("--rate", arguments->rate, "sampling rate instead of the scenario's [Hz]; 0: continuous")
      ->type_name("F");
  arguments->output.add_to(*command);
  command->add_flag("--quiet", arguments->quiet, "say nothing unless something fails");
  command->callback([arguments, &job] { job = [arguments] { return design(*arguments); }; });
}

}  // namespace enfold::app
