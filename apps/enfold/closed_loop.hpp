// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "enfold/contact/contact_mode.hpp"
#include "enfold/control/plan.hpp"
#include "enfold/io/scenario.hpp"
#include "enfold/models/grasp_model.hpp"
#include "enfold/planners/internal_force_planner.hpp"
#include "enfold/sim/simulation.hpp"

namespace enfold::app {

/// A scenario made ready: each step of the way from a file to a run takes what it needs from here.
struct Setup {
  io::Scenario scenario;
  models::GraspModel model;                 ///< of the world
  models::GraspModel believed;              ///< what planner and controller know of it (controller.model)
  std::vector<contact::ContactMode> modes;  ///< declared; of sliding contacts without a direction yet
  /// Numbers of the object's velocities in ξ; empty if closing the hand on x_d(t) tells the whole motion.
  std::vector<Index> coordinates;
  std::shared_ptr<const control::Trajectory> told;  ///< what the task tells
  std::string no_path;  ///< why there is no path as the task wants it; the straight one is told then
  std::shared_ptr<const control::Trajectory> trajectory;  ///< of the whole object, with what follows from it
  VectorXd q;                                             ///< closed hand at the start pose
};

/// Throws ScenarioError if something can't be built, a contact mode is not available, or the start is out of
/// reach.
[[nodiscard]] Setup make_setup(const io::Scenario& scenario);

/// The object's pose as the first part of q.
[[nodiscard]] VectorXd pose(const io::PoseSpec& spec);

/// What the planner is asked. Holds references to the setup. Throws ScenarioError without a hand.
[[nodiscard]] planners::PlanProblem plan_problem(const Setup& setup);
[[nodiscard]] planners::PlanOptions plan_options(const Setup& setup);

/// Plans the squeeze along the scenario's trajectory.
[[nodiscard]] planners::PlanSolution make_plan(const Setup& setup);

/// The law that the scenario names. @pre the plan is not empty (throws InvalidArgument)
[[nodiscard]] std::shared_ptr<control::Controller> make_controller(const Setup& setup,
                                                                   std::shared_ptr<const control::Plan> plan);

/// World, law and options of a run, for those who change something before it starts. Without a plan: no law.
struct ClosedLoop {
  sim::SimulationProblem problem;
  sim::SimulationOptions options;
};
[[nodiscard]] ClosedLoop make_closed_loop(const Setup& setup, std::shared_ptr<const control::Plan> plan);

/// The closed loop, ready to run. Throws ScenarioError if the scenario asks for a contact model that is not
/// available.
[[nodiscard]] sim::Simulation make_simulation(const Setup& setup, std::shared_ptr<const control::Plan> plan);

}  // namespace enfold::app
