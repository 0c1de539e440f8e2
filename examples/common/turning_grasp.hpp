// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "enfold/contact/planar_contact_set.hpp"
#include "enfold/controllers/grasp_law.hpp"
#include "enfold/geometry/ellipse.hpp"
#include "enfold/mechanics/planar_grasp_mechanism.hpp"
#include "enfold/planners/internal_force_planner.hpp"
#include "enfold/planners/quintic.hpp"
#include "enfold/sim/simulation.hpp"

/// Two arms of two links around an ellipse, planned and ready to run.
struct TurningGrasp {
  std::shared_ptr<const enfold::mechanics::PlanarGraspMechanism> mechanism;
  std::shared_ptr<const enfold::contact::PlanarContactSet> contacts;
  enfold::VectorXd mu;
  std::vector<enfold::contact::ContactMode> modes;
  std::shared_ptr<const enfold::control::Trajectory> trajectory;
  std::shared_ptr<const enfold::control::Plan> plan;

  [[nodiscard]] static enfold::VectorXd pose(double x, double y, double phi_deg) {
    return Eigen::Vector3d{x, y, phi_deg * std::numbers::pi / 180.0};
  }

  /// What a law needs to know of the world.
  [[nodiscard]] enfold::controllers::WholeArmModel model() const { return {mechanism, contacts, mu}; }

  /// The closed loop with a law, the object at rest at a pose.
  [[nodiscard]] enfold::sim::SimulationProblem problem(std::shared_ptr<enfold::control::Controller> law,
                                                       const enfold::VectorXd& start) const {
    const enfold::contact::Closure closed = contacts->close(start);
    enfold::sim::SimulationProblem out;
    out.plant = {mechanism, contacts, mu};
    out.controller = std::move(law);
    out.trajectory = trajectory;
    out.plan = plan;
    out.modes = modes;
    out.q.resize(mechanism->n_q());
    out.q << start, closed.theta;
    out.v = enfold::VectorXd::Zero(mechanism->n_v());
    return out;
  }
};

/// S4's hand and ellipse on a way of 1 s.
/// @param mu         of the proximal and of the distal links
/// @param min_normal the smallest normal force wanted, of the time [N]
/// @param object_mass [kg]
[[nodiscard]] inline TurningGrasp planned_grasp(const enfold::Vector2d& mu, const enfold::VectorXd& from,
                                                const enfold::VectorXd& to,
                                                const std::function<double(double)>& min_normal,
                                                double object_mass = 1.69) {
  using namespace enfold;
  const auto arm = [](const char* name, double base_x, geometry::Side object_side) {
    mechanics::PlanarArm out{name, {base_x, 0.0}, object_side, {}};
    for (const char* link : {"proximal", "distal"})
      out.links.push_back(
          {.name = link, .length = 0.20, .mass = 0.5, .inertia = 1.67e-3, .com = {0.10, 0.0}});
    return out;
  };
  TurningGrasp grasp;
  mechanics::PlanarHand hand(
      {arm("left", -0.05, geometry::Side::kRight), arm("right", 0.05, geometry::Side::kLeft)},
      Vector2d::Zero());
  grasp.mechanism = std::make_shared<mechanics::PlanarGraspMechanism>(
      std::move(hand), mechanics::PlanarObject{object_mass, 1.46e-2 * object_mass / 1.69,
                                               std::make_shared<geometry::Ellipse>(0.15, 0.11)});
  std::vector<contact::PlanarContact> touching;
  for (const std::string& link : grasp.mechanism->link_names())
    touching.push_back({link, static_cast<Index>(touching.size())});
  grasp.contacts = std::make_shared<contact::PlanarContactSet>(grasp.mechanism, touching);
  grasp.mu = mu.replicate(2, 1);
  grasp.modes.assign(4, contact::ContactMode::kSlidePlus);
  grasp.trajectory = std::make_shared<planners::Quintic>(from, to, 1.0);
  planners::PlanSolution planned =
      planners::plan_internal_forces({grasp.mechanism,
                                      grasp.contacts,
                                      grasp.mu,
                                      grasp.modes,
                                      grasp.trajectory,
                                      [&](double t, Index) { return min_normal(t); },
                                      {}});
  if (!planned.ok()) throw std::runtime_error(planned.message);
  grasp.plan = std::make_shared<control::Plan>(std::move(planned.plan));
  return grasp;
}

/// The grasp of lesson 01: from 70° to 110°.
[[nodiscard]] inline TurningGrasp turning_grasp(const std::function<double(double)>& min_normal,
                                                double object_mass = 1.69) {
  return planned_grasp({0.1, 0.1}, TurningGrasp::pose(0, 0.15, 70), TurningGrasp::pose(0, 0.15, 110),
                       min_normal, object_mass);
}

/// The object's angle off its path [deg].
[[nodiscard]] inline double angle_error(const enfold::sim::Sample& sample) {
  return (sample.x_des[2] - sample.x[2]) * 180.0 / std::numbers::pi;
}
