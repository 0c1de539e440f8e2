// SPDX-License-Identifier: BSD-3-Clause
#include "run_job.hpp"

#include <algorithm>
#include <cmath>

#include "commands.hpp"
#include "enfold/figure/renderer.hpp"
#include "enfold/io/scenario_file.hpp"
#include "outcome.hpp"
#include "run_figures.hpp"

namespace enfold::app {
namespace {

/// Why a law that is known to be unstable lost the grasp; the simulator can't know.
std::string with_pole_hint(const io::ControllerSpec& controller, std::string message) {
  if (controller.Kalpha >= 0.0) return message;
  return fmt::format(
      "{}; K_alpha = {:.4g} puts the force pole at {:+.4g} 1/s, so that the squeeze error grows: K_alpha "
      "must be "
      "positive (S4 eq. 15)",
      message, controller.Kalpha, -controller.Kalpha);
}

}  // namespace

ScenarioRun run_scenario(const io::Scenario& scenario, const Console& console) {
  ScenarioRun run;
  run.setup = make_setup(scenario);
  std::shared_ptr<const control::Plan> plan;
  if (scenario.has_hand()) {
    run.planned = make_plan(run.setup);
    if (!run.planned.ok()) return run;
    plan = std::make_shared<control::Plan>(run.planned.plan);
  }
  sim::Simulation simulation = make_simulation(run.setup, std::move(plan));
  ProgressBar progress(console, "simulating");
  while (simulation.advance()) progress.update(simulation.time() / scenario.simulation.duration);
  run.history = simulation.take_history();
  if (run.history.status != sim::RunStatus::kCompleted) {
    run.history.message = with_pole_hint(scenario.controller, run.history.message);
  }
  return run;
}

std::vector<std::pair<std::string, double>> summary_numbers(const sim::History& history) {
  std::vector<std::pair<std::string, double>> out;
  if (history.samples.empty()) return out;
  const sim::Sample& last = history.samples.back();
  out.emplace_back("end_time_s", last.time);
  for (Index i = 0; i < last.x_des.size(); ++i) {
    out.emplace_back("final_error." + history.names.object_position[static_cast<std::size_t>(i)],
                     last.x_des[i] - last.x[i]);
  }
  double min_normal = INFINITY;
  double max_normal = -INFINITY;
  double max_torque = 0.0;
  double min_minor = INFINITY;
  for (const sim::Sample& sample : history.samples) {
    if (sample.lambda_N.size() > 0) {
      min_normal = std::min(min_normal, sample.lambda_N.minCoeff());
      max_normal = std::max(max_normal, sample.lambda_N.maxCoeff());
    }
    if (sample.tau.size() > 0) max_torque = std::max(max_torque, sample.tau.cwiseAbs().maxCoeff());
    min_minor = std::fmin(min_minor, sample.min_minor);
  }
  out.emplace_back("smallest_normal_N", min_normal);
  out.emplace_back("largest_normal_N", max_normal);
  if (last.tau.size() > 0) out.emplace_back("largest_torque_Nm", max_torque);
  out.emplace_back("smallest_minor", min_minor);
  return out;
}

void write_run_folder(const std::filesystem::path& folder, const ScenarioRun& run, const std::string& command,
                      const std::vector<io::Verdict>& verdicts) {
  io::RunInfo info;
  info.version = version();
  info.command = command;
  info.seed = run.setup.scenario.seed;
  info.readings = {
      {"row 3", "g_a is part of the law (S4 eq. 10)"},
      {"row 4", "(H^T)^+ is J^T G^+"},
      {"row 7", "the force pole is at -K_alpha"},
      {"row 12", fmt::format("planner objective {}", to_string(run.setup.scenario.planner.objective))},
      {"row 15", "the null-space basis follows the plan's"},
      {"row 16", "at rest the slip direction is the plan's"},
      {"row 19", "gap drift is corrected and logged"},
      {"row 22", fmt::format("pose noise is a fraction of the {}",
                             to_string(run.setup.scenario.noise.pose_reference))}};
  info.summary = outcome_numbers(run);
  info.verdicts = verdicts;
  io::write_run(folder, run.history, io::scenario_to_yaml(run.setup.scenario), info);
}

std::vector<std::filesystem::path> draw_run_figures(const std::filesystem::path& folder,
                                                    const models::GraspModel& model,
                                                    const io::Scenario& scenario, const sim::History& history,
                                                    const std::string& renderer) {
  RunFigureInput input{.history = history, .model = model, .title = scenario.name};
  if (scenario.controller.follows_eq14()) {
    input.Kp = scenario.controller.Kp;
    input.Kv = scenario.controller.Kv;
  }
  input.min_normal.setZero(model.mu.size());
  for (Index i = 0; i < model.mu.size(); ++i) {
    if (scenario.has_hand())
      input.min_normal[i] = scenario.planner.min_normal.at(0.0, static_cast<std::size_t>(i));
  }
  const std::filesystem::path figures = folder / "figures";
  std::vector<figure::Job> jobs;
  std::vector<std::filesystem::path> files;
  for (auto& [name, figure] : run_figures(input)) {
    figure::Job job{std::move(figure), {figures / (name + ".svg"), figures / (name + ".png")}};
    files.insert(files.end(), job.files.begin(), job.files.end());
    jobs.push_back(std::move(job));
  }
  std::filesystem::create_directories(figures);
  (renderer.empty() ? figure::default_renderer() : figure::make_renderer(renderer))->render_all(jobs);
  return files;
}

}  // namespace enfold::app
