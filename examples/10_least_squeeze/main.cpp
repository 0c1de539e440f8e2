// SPDX-License-Identifier: BSD-3-Clause
// How hard to squeeze: what each objective of the planner makes of three internal forces, and what a newton
// costs.
#include <cstdio>

#include "planning_task.hpp"

using namespace enfold;

int main(int argc, char** argv) {
  // Both inner links roll on the ellipse and turn it; three internal forces are left to choose.
  planners::PlanProblem task = planning_task(0.26);
  task.modes = {contact::ContactMode::kRoll, contact::ContactMode::kSlidePlus, contact::ContactMode::kRoll,
                contact::ContactMode::kSlidePlus};
  task.mu = Eigen::Vector4d(1.0, 0.1, 1.0, 0.1);
  task.trajectory = std::make_shared<planners::Quintic>(pose(0.0, 0.15, 85.0), pose(0.0, 0.15, 89.0), 1.0);
  task.coordinates = {2};  // the task tells the angle, rolling the rest
  task.limits.max_normal = 1.5;

  figure::Figure figure{.title = "Five objectives, three internal forces",
                        .size = {860.0, 560.0},
                        .rows = 2,
                        .share_x = true,
                        .legend = figure::LegendPlacement::kAbove};
  figure::Panel normals{.row = 0, .y_label = figure::math("Σ λ_N [N]")};
  figure::Panel torques{.row = 1, .x_label = "time [s]", .y_label = "largest torque [N·m]"};

  using planners::Objective;
  const std::pair<const char*, Objective> objectives[] = {{"normals", Objective::kNormals},
                                                          {"literal", Objective::kLiteral},
                                                          {"margin", Objective::kMargin},
                                                          {"torque", Objective::kTorque},
                                                          {"torque_sum", Objective::kTorqueSum}};
  std::printf("%-12s %16s %22s %20s\n", "objective", "sum of normals", "largest torque [N m]",
              "cone slack [N]");
  std::size_t number = 0;
  double least_normals = 1e9;
  double least_torque = 1e9;
  for (const auto& [name, objective] : objectives) {
    const planners::PlanSolution planned =
        planners::plan_internal_forces(task, {.objective = objective, .sample_rate = 100.0});
    if (!planned.ok()) {
      std::printf("%s: %s\n", name, planned.message.c_str());
      return 1;
    }
    const double width = 7.0 - 1.3 * static_cast<double>(number);  // several coincide
    figure::Line sum{.label = name, .colour = figure::contact_colour(number), .width = width};
    figure::Line torque{.label = name, .colour = figure::contact_colour(number++), .width = width};
    double slack = 1e9;
    for (const control::PlanPoint& point : planned.plan.points) {
      sum.points.push_back({point.time, point.lambda_N.sum()});
      torque.points.push_back({point.time, point.tau.cwiseAbs().maxCoeff()});
      for (const Index i : {0, 2})
        slack = std::min(slack, task.mu[i] * point.lambda_N[i] - std::abs(point.lambda_T[i]));
    }
    const double normals_in_the_middle = sum.points[planned.plan.segment(0.5)].y;
    const double torque_in_the_middle = torque.points[planned.plan.segment(0.5)].y;
    std::printf("%-12s %16.3f %22.4f %20.3f\n", name, normals_in_the_middle, torque_in_the_middle, slack);
    if (objective == Objective::kNormals) {
      least_normals = normals_in_the_middle;
      const std::size_t middle = planned.plan.segment(0.5);
      std::printf("  half way, one unit more of what decides costs, in newtons of squeeze:\n");
      for (const planners::RowPrice& row : planned.prices[middle])
        std::printf("    %-14s of %-16s %8.3f\n",
                    row.kind == planners::Requirement::kCone ? "friction" : "normal force",
                    task.contacts->names()[static_cast<std::size_t>(row.who)].c_str(), row.price);
    }
    if (objective == Objective::kTorque) least_torque = torque_in_the_middle;
    if (normals_in_the_middle < least_normals - 1e-6) return 1;  // nothing squeezes less than the least
    if (torque_in_the_middle < least_torque - 1e-6 && objective == Objective::kTorqueSum) return 1;
    normals.elements.emplace_back(std::move(sum));
    torques.elements.emplace_back(std::move(torque));
  }
  figure.panels = {normals, torques};
  draw(figure, "10_least_squeeze", argc, argv);
  return 0;
}
