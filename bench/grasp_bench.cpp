// SPDX-License-Identifier: BSD-3-Clause
// Cost of a closed-loop step (sensors, law, rigid plant by Runge-Kutta 4, uniqueness test as in a run,
// recording) for grasps of 4 to 40 sliding contacts. CPU time, one thread; the growth is told as an exponent
// of dof + contacts, so that one run is enough.
#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <optional>

#include "enfold/controllers/whole_arm.hpp"
#include "enfold/planners/internal_force_planner.hpp"
#include "enfold/planners/planned_motion.hpp"
#include "enfold/planners/quintic.hpp"
#include "enfold/sim/simulation.hpp"
#include "enfold/test/random_grasp.hpp"

namespace {

using namespace enfold;

struct Size {
  int arms, links;
};

double seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// A grasp of this size that can be held still with at least 0.1 N at every contact.
std::optional<sim::SimulationProblem> find_problem(const Size& size, std::uint64_t& number) {
  const test::RandomGraspOptions options{.min_arms = size.arms,
                                         .max_arms = size.arms,
                                         .min_links = size.links,
                                         .max_links = size.links,
                                         .touching = 1.1,
                                         .rolling = 0.0,
                                         .open = -1.0,
                                         .automatic = -1.0,
                                         .palm = -1.0,
                                         .thick = -1.0,
                                         .curved = -1.0,
                                         .gravity = -1.0,
                                         .mu_min = 0.1,
                                         .mu_max = 0.1,
                                         .all_shapes = false};
  for (; number < 5000; ++number) {
    const test::RandomGrasp grasp = test::random_grasp(7, number, options);
    if (grasp.mu.size() != size.arms * size.links || !grasp.contacts->close(grasp.x).closed()) continue;
    const auto hold = std::make_shared<planners::Quintic>(grasp.x, grasp.x, 1.0);
    planners::PlanProblem problem{
        grasp.mechanism, grasp.contacts, grasp.mu, grasp.modes, hold, [](double, Index) { return 0.1; }, {},
        {0, 1, 2}};
    const planners::PlanSolution planned = planners::plan_internal_forces(problem, {.sample_rate = 10.0});
    if (!planned.ok()) continue;
    sim::SimulationProblem world;
    world.plant = {grasp.mechanism, grasp.contacts, grasp.mu};
    world.plan = std::make_shared<control::Plan>(planned.plan);
    world.trajectory = hold;
    world.controller = std::make_shared<controllers::WholeArmController>(
        controllers::WholeArmModel{grasp.mechanism, grasp.contacts, grasp.mu, {0, 1, 2}}, hold, world.plan,
        controllers::Gains{});
    world.modes = planned.plan.points.front().modes;
    world.q.resize(grasp.mechanism->n_q());
    world.q << grasp.x, planned.plan.points.front().theta;
    world.v = VectorXd::Zero(grasp.mechanism->n_v());
    return world;
  }
  return std::nullopt;
}

/// Least CPU time of a step over some stretches of a run [s]; nothing if the run ends early.
std::optional<double> time_of_step(const sim::SimulationProblem& problem) {
  constexpr int kStretch = 50;
  sim::Simulation simulation(problem, {.duration = 0.6, .continuous_branch = true});
  for (int i = 0; i < kStretch; ++i)
    if (!simulation.advance()) return std::nullopt;
  double least = INFINITY;
  for (int stretch = 0; stretch < 8; ++stretch) {
    const double from = seconds();
    for (int i = 0; i < kStretch; ++i)
      if (!simulation.advance()) return std::nullopt;
    least = std::min(least, (seconds() - from) / kStretch);
  }
  return least;
}

}  // namespace

int main() {
  fmt::print(
      "| contacts | dof | step µs | growth | cubic growth | real time at 1 kHz "
      "|\n|---|---|---|---|---|---|\n");
  double first = 0.0;
  double first_size = 0.0;
  bool within = true;
  for (const Size& size : {Size{2, 2}, {4, 2}, {4, 3}, {4, 4}, {5, 4}, {6, 4}, {4, 8}, {5, 8}}) {
    std::optional<double> time;
    Index dof = 0;
    for (std::uint64_t number = 0; !time; ++number) {
      const auto problem = find_problem(size, number);
      if (!problem) break;
      dof = problem->plant.mechanism->n_v();
      time = time_of_step(*problem);
    }
    const int contacts = size.arms * size.links;
    if (!time) {
      fmt::print("| {} | no grasp of this size runs |\n", contacts);
      return 1;
    }
    const double total = static_cast<double>(dof + contacts);
    if (first == 0.0) {
      first = *time;
      first_size = total;
    }
    const double cubic = std::pow(total / first_size, 3.0);
    within = within && *time / first <= cubic && *time < 1e-3;
    fmt::print("| {} | {} | {:.1f} | {:.2f} | {:.2f} | {:.1f} × faster |\n", contacts, dof, 1e6 * *time,
               *time / first, cubic, 1e-3 / *time);
  }
  fmt::print("\n{}\n", within ? "No size grows faster than the cube, all are faster than real time."
                              : "A size grows faster than the cube, or is slower than real time.");
  return 0;
}
