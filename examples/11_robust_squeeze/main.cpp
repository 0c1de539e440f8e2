// SPDX-License-Identifier: BSD-3-Clause
// A squeeze for friction that nobody knows: one torque history that keeps every contact, whatever μ is within
// 30 % and whatever pushes the object with up to 0.3 N.
#include <cstdio>

#include "enfold/base/counter_random.hpp"
#include "enfold/planners/planned_motion.hpp"
#include "enfold/planners/robust_forces.hpp"
#include "planning_task.hpp"

using namespace enfold;

namespace {

/// The smallest normal force among random frictions and disturbances, at each point of a plan.
figure::Line smallest_of_samples(const planners::PlanProblem& task, const planners::Uncertainty& unsure,
                                 const control::Plan& plan, int samples) {
  const planners::PlannedMotion motion(task.mechanism, task.contacts, task.mu, task.modes, task.trajectory);
  const CounterRandom random(1, 1);
  figure::Line out;
  for (const control::PlanPoint& point : plan.points) {
    planners::MotionPoint at;
    motion.sample(point.time, point.modes, at);
    planners::ForceCauses causes;
    causes.set(at, 3);
    double smallest = 1e9;
    std::uint64_t draw_number = 0;  // the same worlds at every instant
    for (int s = 0; s < samples; ++s) {
      VectorXd mu = task.mu;
      VectorXd wrench = unsure.wrench;
      for (double& value : mu) value *= 1.0 + unsure.mu_fraction[0] * random.symmetric(draw_number++);
      for (double& value : wrench) value *= random.symmetric(draw_number++);
      const planners::CausedForces forces = causes.at(mu);
      const VectorXd lambda = forces.offset + forces.by_tau * point.tau + forces.by_wrench * wrench;
      smallest = std::min(smallest, lambda.minCoeff());
    }
    out.points.push_back({point.time, smallest});
  }
  return out;
}

double smallest(const figure::Line& line) {
  double out = 1e9;
  for (const figure::Point& point : line.points) out = std::min(out, point.y);
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const planners::PlanProblem task = planning_task();
  planners::PlanProblem robust = task;
  robust.uncertainty.mu_fraction = VectorXd::Constant(4, 0.3);
  robust.uncertainty.wrench = Eigen::Vector3d(0.3, 0.3, 0.01);
  const planners::PlanSolution nominal = planners::plan_internal_forces(task, {.sample_rate = 200.0});
  const planners::PlanSolution planned = planners::plan_internal_forces(robust, {.sample_rate = 200.0});
  if (!nominal.ok() || !planned.ok()) {
    std::printf("no plan: %s%s\n", nominal.message.c_str(), planned.message.c_str());
    return 1;
  }
  for (const planners::CriticalStretch& stretch : planners::critical_stretches(planned.plan, 1e-3)) {
    const std::size_t k = planned.plan.segment(0.5 * (stretch.from + stretch.to));
    std::printf("%.3f s to %.3f s: worst for %s with %s\n", stretch.from, stretch.to,
                task.contacts->names()[static_cast<std::size_t>(stretch.contact)].c_str(),
                planners::vertex_text(planned.binding[k], task.contacts->names()).c_str());
  }

  figure::Line without = smallest_of_samples(task, robust.uncertainty, nominal.plan, 100);
  figure::Line with = smallest_of_samples(task, robust.uncertainty, planned.plan, 100);
  std::printf(
      "smallest force over 100 frictions and disturbances at each instant: %.3f N planned for the nominal "
      "friction, %.3f N planned for all\n",
      smallest(without), smallest(with));
  const bool works = smallest(with) >= 0.5 - 1e-9 && smallest(without) < 0.5;

  without.label = "planned for the nominal friction";
  without.colour = figure::kVermilion;
  with.label = "planned for all of the box";
  with.colour = figure::kBlue;
  figure::Panel panel{.x_label = "time [s]", .y_label = "smallest normal force of 100 worlds [N]"};
  panel.elements = {figure::HorizontalLine{.label = "wanted", .y = 0.5}, without, with};
  draw({.title = "One torque for every friction",
        .size = {820.0, 460.0},
        .legend = figure::LegendPlacement::kAbove,
        .panels = {panel}},
       "11_robust_squeeze", argc, argv);
  return works ? 0 : 1;
}
