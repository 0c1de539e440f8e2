// SPDX-License-Identifier: BSD-3-Clause
// S4's Example 1 in C++, without a scenario file: hand and object, plan, control law, closed loop.
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>

#include "enfold/contact/planar_contact_set.hpp"
#include "enfold/controllers/whole_arm.hpp"
#include "enfold/geometry/ellipse.hpp"
#include "enfold/mechanics/planar_grasp_mechanism.hpp"
#include "enfold/planners/internal_force_planner.hpp"
#include "enfold/planners/quintic.hpp"
#include "enfold/sim/simulation.hpp"

using namespace enfold;

namespace {

mechanics::PlanarArm two_link_arm(const char* name, double base_x, geometry::Side object_side) {
  mechanics::PlanarArm arm{name, {base_x, 0.0}, object_side, {}};
  for (const char* link : {"proximal", "distal"}) {
    arm.links.push_back({.name = link, .length = 0.20, .mass = 0.5, .inertia = 1.67e-3, .com = {0.10, 0.0}});
  }
  return arm;
}

VectorXd pose(double x, double y, double phi_deg) {
  return Eigen::Vector3d{x, y, phi_deg * std::numbers::pi / 180.0};
}

}  // namespace

int main() {
  // The world: two arms of two links around an ellipse, a contact on every link.
  mechanics::PlanarHand hand({two_link_arm("left", -0.05, geometry::Side::kRight),
                              two_link_arm("right", 0.05, geometry::Side::kLeft)},
                             Vector2d::Zero());
  const auto mechanism = std::make_shared<mechanics::PlanarGraspMechanism>(
      std::move(hand),
      mechanics::PlanarObject{1.69, 1.46e-2, std::make_shared<geometry::Ellipse>(0.15, 0.11)});
  std::vector<contact::PlanarContact> touching;
  for (const std::string& link : mechanism->link_names())
    touching.push_back({link, static_cast<Index>(touching.size())});
  const auto contacts = std::make_shared<contact::PlanarContactSet>(mechanism, touching);
  const VectorXd mu = VectorXd::Constant(4, 0.1);
  const std::vector<contact::ContactMode> sliding(4, contact::ContactMode::kSlidePlus);

  // The task: turn from 70° to 110° in one second, with at least 0.5 N at every contact.
  const auto trajectory = std::make_shared<planners::Quintic>(pose(0, 0.15, 70), pose(0, 0.15, 110), 1.0);
  const planners::PlanSolution planned = planners::plan_internal_forces(
      {mechanism, contacts, mu, sliding, trajectory, [](double, Index) { return 0.5; }, {}});
  if (!planned.ok()) {
    std::printf("no plan: %s\n", planned.message.c_str());
    return 3;
  }
  const auto plan = std::make_shared<control::Plan>(planned.plan);

  // The loop: S4's law at 1 kHz, the object starting 1° behind.
  const auto law = std::make_shared<controllers::WholeArmController>(
      controllers::WholeArmModel{mechanism, contacts, mu}, trajectory, plan, controllers::Gains{});
  const contact::Closure closed = contacts->close(pose(0, 0.15, 69));
  VectorXd q(mechanism->n_q());
  q << pose(0, 0.15, 69), closed.theta;
  const sim::History run = sim::simulate(
      {{mechanism, contacts, mu}, law, trajectory, plan, sliding, q, VectorXd::Zero(mechanism->n_v())}, {});

  std::printf("%8s %12s %16s\n", "t [s]", "error [deg]", "smallest [N]");
  for (std::size_t i = 0; i < run.samples.size(); i += 100) {
    const sim::Sample& sample = run.samples[i];
    std::printf("%8.1f %12.4f %16.3f\n", sample.time,
                (sample.x_des[2] - sample.x[2]) * 180.0 / std::numbers::pi, sample.lambda_N.minCoeff());
  }
  const double last_error = run.samples.back().x_des[2] - run.samples.back().x[2];
  return run.status == sim::RunStatus::kCompleted && std::abs(last_error) < 1e-3 ? 0 : 1;
}
