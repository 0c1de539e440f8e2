// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "enfold/contact/planar_contact_set.hpp"
#include "enfold/figure/renderer.hpp"
#include "enfold/geometry/ellipse.hpp"
#include "enfold/mechanics/planar_grasp_mechanism.hpp"
#include "enfold/planners/internal_force_planner.hpp"
#include "enfold/planners/quintic.hpp"

[[nodiscard]] inline enfold::VectorXd pose(double x, double y, double phi_deg) {
  return Eigen::Vector3d{x, y, phi_deg * std::numbers::pi / 180.0};
}

/// The grasp of lesson 01 as the planner is asked: two arms of two links around an ellipse, a contact on
/// every link, all of them sliding, from 70° to 110° in a second with at least 0.5 N.
/// @param distal length of the outer links [m]
[[nodiscard]] inline enfold::planners::PlanProblem planning_task(double distal = 0.20) {
  using namespace enfold;
  const auto arm = [distal](const char* name, double base_x, geometry::Side object_side) {
    mechanics::PlanarArm out{name, {base_x, 0.0}, object_side, {}};
    for (const auto& [link, length] : {std::pair{"proximal", 0.20}, std::pair{"distal", distal}})
      out.links.push_back({.name = link,
                           .length = length,
                           .mass = 0.5,
                           .inertia = 0.5 * length * length / 12.0,
                           .com = {0.5 * length, 0.0}});
    return out;
  };
  mechanics::PlanarHand hand(
      {arm("left", -0.05, geometry::Side::kRight), arm("right", 0.05, geometry::Side::kLeft)},
      Vector2d::Zero());
  const auto mechanism = std::make_shared<mechanics::PlanarGraspMechanism>(
      std::move(hand),
      mechanics::PlanarObject{1.69, 1.46e-2, std::make_shared<geometry::Ellipse>(0.15, 0.11)});
  std::vector<contact::PlanarContact> touching;
  for (const std::string& link : mechanism->link_names())
    touching.push_back({link, static_cast<Index>(touching.size())});
  planners::PlanProblem task;
  task.mechanism = mechanism;
  task.contacts = std::make_shared<contact::PlanarContactSet>(mechanism, touching);
  task.mu = VectorXd::Constant(4, 0.1);
  task.modes.assign(4, contact::ContactMode::kSlidePlus);
  task.trajectory = std::make_shared<planners::Quintic>(pose(0.0, 0.15, 70.0), pose(0.0, 0.15, 110.0), 1.0);
  task.min_normal = [](double, Index) { return 0.5; };
  return task;
}

/// Draws a lesson's figure into the folder that the program was given, or here.
inline void draw(const enfold::figure::Figure& figure, const char* name, int argc, char** argv) {
  enfold::figure::default_renderer()->render(
      figure, std::filesystem::path(argc > 1 ? argv[1] : ".") / (std::string(name) + ".svg"));
}
