// SPDX-License-Identifier: BSD-3-Clause
// Circles, spirals and ways through via poses, and how fast motors of 2 N·m can follow them.
#include <cstdio>

#include "enfold/planners/feasible_duration.hpp"
#include "enfold/planners/minimum_jerk.hpp"
#include "enfold/planners/round_path.hpp"
#include "planning_task.hpp"

using namespace enfold;

int main(int argc, char** argv) {
  const VectorXd start = pose(0.0, 0.145, 90.0);
  const planners::RoundPath::Shape circle{
      .centre = {0.0, 0.141}, .turns = 1.0, .radius_to = 0.004, .others_to = start.tail(1)};
  const planners::RoundPath::Shape spiral{
      .centre = {0.0, 0.141}, .turns = 1.5, .radius_to = 0.001, .others_to = start.tail(1)};
  const std::pair<const char*, std::shared_ptr<const control::Trajectory>> paths[] = {
      {"circle", std::make_shared<planners::RoundPath>(start, circle, 2.0)},
      {"spiral", std::make_shared<planners::RoundPath>(start, spiral, 2.0)},
      {"via poses", std::make_shared<planners::MinimumJerk>(planners::MinimumJerk::with_best_times(
                        {start, pose(0.004, 0.141, 92.0), pose(-0.003, 0.138, 88.0), pose(0.0, 0.142, 90.0)},
                        2.0, Eigen::Vector3d(1.0, 1.0, 0.1)))}};

  figure::Panel where{.x_label = "x [mm]", .y_label = "y [mm]", .equal_aspect = true};
  figure::Panel torques{
      .column = 1, .x_label = "part of the motion", .y_label = "largest torque, fastest [N·m]"};
  torques.elements.emplace_back(figure::HorizontalLine{.label = "limit", .y = 2.0});
  std::size_t number = 0;
  for (const auto& [name, path] : paths) {
    planners::PlanProblem task = planning_task();
    task.trajectory = path;
    task.limits.max_torque = 2.0;
    const planners::DurationRange range = planners::feasible_durations(task, {.sample_rate = 100.0});
    if (!range.exists()) {
      std::printf("%s: %s\n", name, range.reason.c_str());
      return 1;
    }
    std::printf("%-10s fastest %.3f s; at %.0f %% of it %s decide\n", name, range.shortest,
                100.0 * range.shortest_at, range.shortest_by.c_str());
    const figure::Colour colour = figure::contact_colour(number++);
    figure::Line line{.label = name, .colour = colour};
    control::Reference at;
    for (int k = 0; k <= 400; ++k) {
      path->sample(path->duration() * k / 400.0, at);
      line.points.push_back({1e3 * at.x[0], 1e3 * at.x[1]});
    }
    where.elements.emplace_back(std::move(line));

    const double T = range.shortest * 1.0001;
    task.trajectory = std::make_shared<planners::Retimed>(path, T);
    const planners::PlanSolution planned = planners::plan_internal_forces(task, {.sample_rate = 200.0 / T});
    if (!planned.ok()) {
      std::printf("%s\n", planned.message.c_str());
      return 1;
    }
    figure::Line torque{.label = name, .colour = colour};
    for (const control::PlanPoint& point : planned.plan.points)
      torque.points.push_back({point.time / T, point.tau.cwiseAbs().maxCoeff()});
    torques.elements.emplace_back(std::move(torque));
  }
  draw({.title = "Paths, and how fast motors of 2 N·m can follow them",
        .size = {900.0, 460.0},
        .columns = 2,
        .legend = figure::LegendPlacement::kAbove,
        .panels = {where, torques}},
       "12_trajectories_and_time", argc, argv);
  return 0;
}
