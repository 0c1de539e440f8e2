// SPDX-License-Identifier: BSD-3-Clause
#include "closed_loop.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "control_laws.hpp"
#include "enfold/base/error.hpp"
#include "enfold/contact/contact_law.hpp"
#include "enfold/grasp/motion_coordinates.hpp"
#include "enfold/planners/closed_configuration.hpp"
#include "enfold/planners/planned_motion.hpp"
#include "enfold/planners/unique_path.hpp"
#include "told_trajectory.hpp"

namespace enfold::app {

VectorXd pose(const io::PoseSpec& spec) {
  return Eigen::Vector3d{spec.x, spec.y, spec.phi};
}

namespace {

using contact::ContactMode;

std::string at(const io::Place& place) {
  return place.text.empty() ? std::string() : place.text + ": ";
}

std::vector<ContactMode> declared_modes(const io::Scenario& scenario) {
  std::vector<ContactMode> modes;
  for (const io::ContactSpec& contact : scenario.contacts) {
    // auto: the plan moves every contact that can slide; where one sticks is the simulator's question.
    modes.push_back(contact.mode == io::ContactKind::kRoll ? ContactMode::kRoll : ContactMode::kSlidePlus);
  }
  return modes;
}

/// Which coordinates the trajectory tells. S4's case, as many sliding contacts as joints, needs none to be
/// named: closing the hand tells the joint angles. Otherwise all, unless the task names some.
std::vector<Index> told_coordinates(const io::Scenario& scenario, const models::GraspModel& model,
                                    const std::vector<ContactMode>& modes) {
  std::vector<Index> all;
  const std::vector<std::string> names = grasp::plain_names(model.mechanism->object_position_names());
  for (Index i = 0; i < model.mechanism->n_x(); ++i) {
    const std::string& name = names[static_cast<std::size_t>(i)];
    const auto& named = scenario.task.coordinates;
    if (named.empty() || std::find(named.begin(), named.end(), name) != named.end()) all.push_back(i);
  }
  if (!scenario.task.coordinates.empty()) return all;
  const bool all_slide = std::all_of(modes.begin(), modes.end(), [](ContactMode m) { return is_sliding(m); });
  const bool on_planes = std::any_of(scenario.contacts.begin(), scenario.contacts.end(),
                                     [](const io::ContactSpec& c) { return !c.plane.empty(); });
  if (all_slide && !on_planes && static_cast<Index>(modes.size()) == model.mechanism->n_theta()) return {};
  return all;
}

/// Contacts with the environment whose mode is automatic and that are apart at the start are not part of the
/// grasp: the mechanics close them if it comes to that.
void leave_out_distant(const io::Scenario& scenario, const models::GraspModel& model,
                       std::vector<ContactMode>& modes) {
  VectorXd q = VectorXd::Zero(model.mechanism->n_q());
  q.head(3) = pose(scenario.task.trajectory.from);
  contact::ContactKinematics kinematics;
  model.contacts->kinematics(q, VectorXd::Zero(q.size()), kinematics);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const io::ContactSpec& contact = scenario.contacts[i];
    if (!contact.plane.empty() && contact.mode == io::ContactKind::kAuto &&
        kinematics.gap[static_cast<Index>(i)] > 1e-6)
      modes[i] = ContactMode::kOpen;
  }
}

VectorXd as_vector(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
}

planners::Objective objective(io::PlannerObjective spec) {
  switch (spec) {
    case io::PlannerObjective::kNormals:
      return planners::Objective::kNormals;
    case io::PlannerObjective::kLiteral:
      return planners::Objective::kLiteral;
    case io::PlannerObjective::kMargin:
      return planners::Objective::kMargin;
    case io::PlannerObjective::kTorque:
      return planners::Objective::kTorque;
    case io::PlannerObjective::kTorqueSum:
      return planners::Objective::kTorqueSum;
  }
  return planners::Objective::kNormals;
}

sim::SensorOffsets sensor_offsets(const io::SensorsSpec& spec) {
  sim::SensorOffsets out;
  out.force_bias = spec.force_bias;
  out.joint_bias = spec.joint_bias;
  out.pose_bias = Eigen::Map<const VectorXd>(spec.pose_bias.data(), 3);
  out.force_resolution = spec.force_resolution;
  out.joint_resolution = spec.joint_resolution;
  out.pose_resolution = Eigen::Map<const VectorXd>(spec.pose_resolution.data(), 3);
  return out;
}

sim::NoiseModel noise_model(const io::Scenario& scenario, const control::Trajectory* told) {
  sim::NoiseModel noise;
  noise.force = scenario.noise.force;
  noise.pose = scenario.noise.pose;
  noise.velocity = scenario.noise.velocity;
  noise.seed = scenario.seed;
  if (!scenario.sensors.exact()) noise.offsets = sensor_offsets(scenario.sensors);
  switch (scenario.noise.pose_reference) {
    case io::PoseReference::kError:
      noise.pose_reference = sim::PoseNoiseReference::kError;
      break;
    case io::PoseReference::kReading:
      noise.pose_reference = sim::PoseNoiseReference::kReading;
      break;
    case io::PoseReference::kRange:
      noise.pose_reference = sim::PoseNoiseReference::kRange;
      break;
  }
  noise.pose_range = VectorXd::Zero(3);
  if (told != nullptr) noise.pose_range = told_range(scenario.task.trajectory, *told);
  return noise;
}

controllers::SelfMotion self_motion(io::SelfMotionPolicy policy) {
  return policy == io::SelfMotionPolicy::kDamped ? controllers::SelfMotion::kDamped
                                                 : controllers::SelfMotion::kPosture;
}

sim::ModelPolicy policy(io::SimulationModel model) {
  switch (model) {
    case io::SimulationModel::kRigid:
      return sim::ModelPolicy::kRigid;
    case io::SimulationModel::kCompliant:
      return sim::ModelPolicy::kCompliant;
    case io::SimulationModel::kIntegrated:
      return sim::ModelPolicy::kIntegrated;
  }
  return sim::ModelPolicy::kRigid;
}

contact::ContactLaw contact_law(const io::ContactLawSpec& spec) {
  if (spec.type == "hunt_crossley") {
    const double tangential =
        contact::damping_coefficient(std::max(spec.damping_ratio, 0.05), spec.stiffness, 1.0);
    return {std::make_shared<contact::HuntCrossley>(spec.stiffness, spec.dissipation, spec.exponent),
            {spec.stiffness, tangential}};
  }
  contact::KelvinVoigtOptions law;
  law.stiffness = spec.stiffness;
  law.damping_ratio = spec.damping_ratio;
  // Friction needs a damper: without it the slider's stretch is not defined.
  law.tangential_damping_ratio = std::max(spec.damping_ratio, 0.05);
  return contact::kelvin_voigt_contact(law);
}

sim::SimulationOptions simulation_options(const io::Scenario& scenario, const control::Trajectory* told) {
  sim::SimulationOptions options;
  options.duration = scenario.simulation.duration;
  options.step = scenario.simulation.step;
  options.record_rate = scenario.simulation.record_rate;
  options.control_rate = scenario.controller.rate;
  options.control_delay = scenario.controller.delay;
  const io::MotorsSpec& motors = scenario.motors;
  options.actuators = {motors.max_torque, motors.max_rate, motors.resolution, motors.anti_windup};
  options.rigid.drift_frequency = scenario.simulation.drift_frequency;
  options.noise = noise_model(scenario, told);
  options.continuous_branch = scenario.simulation.continuous_branch;
  options.policy = policy(scenario.simulation.model);
  if (options.policy != sim::ModelPolicy::kRigid) {
    options.laws = {contact_law(scenario.contact_law)};
    options.stability.emplace();
    if (scenario.controller.Kalpha > 0.0) options.stability->control_bandwidth = scenario.controller.Kalpha;
  }
  return options;
}

/// Puts a path along which contact forces stay unique in the place of the straight one.
void tell_unique_path(Setup& setup) {
  const io::TrajectorySpec& spec = setup.scenario.task.trajectory;
  if (!setup.coordinates.empty())
    throw ScenarioError(
        "task.trajectory.type unique_path needs as many sliding contacts as joints, and no planes");
  planners::UniquePathProblem problem;
  planners::SlipConesProblem& grasp = problem.grasp;
  grasp.mechanism = setup.believed.mechanism;
  grasp.contacts = setup.believed.contacts;
  grasp.mu = setup.believed.mu;
  grasp.margin = spec.margin;
  grasp.min_normal = VectorXd::Zero(setup.believed.mu.size());
  for (const io::NormalFloor::Knot& knot : setup.scenario.planner.min_normal.knots)
    for (Index i = 0; i < grasp.min_normal.size(); ++i)
      grasp.min_normal[i] = std::max(grasp.min_normal[i], knot.N[static_cast<std::size_t>(i)]);
  // Half of the room above the floors is left to the inertia.
  if (setup.scenario.planner.max_normal)
    grasp.limits.max_normal = 0.5 * (*setup.scenario.planner.max_normal + grasp.min_normal.maxCoeff());
  if (setup.scenario.planner.max_torque) grasp.limits.max_torque = *setup.scenario.planner.max_torque;
  problem.from = pose(spec.from);
  problem.to = pose(spec.to);
  planners::UniquePathOptions options;
  options.detour = spec.detour;
  options.stops = spec.rests;
  const planners::UniquePathSolution found = planners::plan_unique_path(problem, options);
  if (found.ok()) {
    setup.told = std::make_shared<const planners::StagedPath>(found.path->in(spec.duration));
  } else {
    setup.no_path = found.message;
  }
}

}  // namespace

Setup make_setup(const io::Scenario& scenario) {
  if (scenario.has_hand() && scenario.controller.type == "force_loop" &&
      scenario.simulation.model != io::SimulationModel::kCompliant) {
    throw ScenarioError(
        "controller.type force_loop needs simulation.model: compliant; in a rigid world a force answers "
        "within "
        "the sample, and the loop is unstable wherever A is close to no P-matrix");
  }
  Setup setup;
  setup.scenario = scenario;
  setup.model = models::make_grasp_model(scenario);
  setup.believed = scenario.controller.model.exact()
                       ? setup.model
                       : models::make_grasp_model(io::believed_scenario(scenario));
  setup.modes = declared_modes(scenario);
  const VectorXd start = pose(scenario.task.start);
  setup.q.resize(setup.model.mechanism->n_q());
  if (!scenario.has_hand()) {
    setup.q << start;
    return setup;
  }
  leave_out_distant(scenario, setup.model, setup.modes);
  setup.coordinates = told_coordinates(scenario, setup.model, setup.modes);
  setup.told = told_trajectory(scenario.task.trajectory);
  if (scenario.task.trajectory.type == "unique_path") tell_unique_path(setup);
  setup.trajectory = planners::PlannedMotion(setup.believed.mechanism, setup.believed.contacts,
                                             setup.believed.mu, setup.modes, setup.told, setup.coordinates)
                         .path();
  const planners::ClosedConfiguration closed = planners::closed_configuration(
      *setup.model.mechanism, *setup.model.contacts, setup.modes, start, setup.coordinates);
  if (!closed.closure.closed()) {
    throw ScenarioError(fmt::format("{}the hand can't close on the object at task.start: {}",
                                    at(scenario.task.start.place), closed.closure.message));
  }
  setup.q = closed.q;
  return setup;
}

planners::PlanProblem plan_problem(const Setup& setup) {
  if (!setup.scenario.has_hand()) {
    throw ScenarioError(
        fmt::format("'{}' has no hand: there is nothing to plan or control; `enfold simulate` runs it",
                    setup.scenario.name));
  }
  const io::PlannerSpec& spec = setup.scenario.planner;
  planners::PlanProblem problem;
  problem.mechanism = setup.believed.mechanism;
  problem.contacts = setup.believed.contacts;
  problem.mu = setup.believed.mu;
  problem.modes = setup.modes;
  problem.trajectory = setup.told;
  problem.coordinates = setup.coordinates;
  problem.min_normal = [&floor = spec.min_normal](double t, Index contact) {
    return floor.at(t, static_cast<std::size_t>(contact));
  };
  if (spec.max_normal) problem.limits.max_normal = *spec.max_normal;
  if (spec.max_torque) problem.limits.max_torque = *spec.max_torque;
  if (spec.max_torque_rate) problem.limits.max_torque_rate = *spec.max_torque_rate;
  problem.limits.friction_margin = as_vector(spec.friction_margin);
  if (spec.robust) {
    problem.uncertainty.mu_fraction = as_vector(spec.robust->mu_fraction);
    problem.uncertainty.wrench =
        Eigen::Vector3d(spec.robust->force[0], spec.robust->force[1], spec.robust->moment);
    problem.uncertainty.held = spec.robust->held;
  }
  return problem;
}

planners::PlanOptions plan_options(const Setup& setup) {
  return {.objective = objective(setup.scenario.planner.objective),
          .sample_rate = setup.scenario.planner.sample_rate};
}

planners::PlanSolution make_plan(const Setup& setup) {
  const planners::PlanProblem problem = plan_problem(setup);
  if (setup.no_path.empty()) return planners::plan_internal_forces(problem, plan_options(setup));
  planners::PlanSolution refused;
  refused.status = planners::PlanStatus::kNotUnique;
  refused.message = setup.no_path;
  refused.failures.push_back({0.0, setup.told->duration(), refused.status, setup.no_path});
  return refused;
}

std::shared_ptr<control::Controller> make_controller(const Setup& setup,
                                                     std::shared_ptr<const control::Plan> plan) {
  const io::ControllerSpec& spec = setup.scenario.controller;
  return make_law({.model = {setup.believed.mechanism, setup.believed.contacts, setup.believed.mu,
                             setup.coordinates, self_motion(spec.self_motion)},
                   .trajectory = setup.trajectory,
                   .plan = std::move(plan),
                   .spec = spec});
}

ClosedLoop make_closed_loop(const Setup& setup, std::shared_ptr<const control::Plan> plan) {
  ClosedLoop loop{.problem = {}, .options = simulation_options(setup.scenario, setup.told.get())};
  sim::SimulationProblem& problem = loop.problem;
  problem.plant = {setup.model.mechanism, setup.model.contacts, setup.model.mu, setup.model.restitution,
                   setup.model.load};
  if (plan != nullptr) problem.controller = make_controller(setup, plan);
  problem.trajectory = setup.trajectory;
  problem.plan = std::move(plan);
  problem.modes = setup.modes;
  for (const io::ContactSpec& contact : setup.scenario.contacts)
    problem.automatic.push_back(contact.mode == io::ContactKind::kAuto);
  problem.q = setup.q;
  problem.v = VectorXd::Zero(setup.model.mechanism->n_v());
  for (Index i = 0; i < 3; ++i)
    problem.v[i] = setup.scenario.task.start_velocity[static_cast<std::size_t>(i)];
  return loop;
}

sim::Simulation make_simulation(const Setup& setup, std::shared_ptr<const control::Plan> plan) {
  ClosedLoop loop = make_closed_loop(setup, std::move(plan));
  return sim::Simulation(std::move(loop.problem), std::move(loop.options));
}

}  // namespace enfold::app
