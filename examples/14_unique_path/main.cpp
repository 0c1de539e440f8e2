// SPDX-License-Identifier: BSD-3-Clause
// Where does rigid contact have one answer, where does a squeeze exist, and which path has both all along?
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <numbers>

#include "enfold/contact/planar_contact_set.hpp"
#include "enfold/figure/renderer.hpp"
#include "enfold/geometry/ellipse.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/mechanics/planar_grasp_mechanism.hpp"
#include "enfold/planners/quintic.hpp"
#include "enfold/planners/unique_path.hpp"

using namespace enfold;

namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

mechanics::PlanarArm two_link_arm(const char* name, double base_x, geometry::Side object_side) {
  mechanics::PlanarArm arm{name, {base_x, 0.0}, object_side, {}};
  for (const char* link : {"proximal", "distal"}) {
    arm.links.push_back({.name = link, .length = 0.20, .mass = 0.5, .inertia = 1.67e-3, .com = {0.10, 0.0}});
  }
  return arm;
}

}  // namespace

int main(int argc, char** argv) {
  // S4's second example: a two-arm hand around an ellipse, with much friction.
  mechanics::PlanarHand hand({two_link_arm("left", -0.05, geometry::Side::kRight),
                              two_link_arm("right", 0.05, geometry::Side::kLeft)},
                             Vector2d::Zero());
  const auto mechanism = std::make_shared<mechanics::PlanarGraspMechanism>(
      std::move(hand),
      mechanics::PlanarObject{1.69, 1.46e-2, std::make_shared<geometry::Ellipse>(0.15, 0.11)});
  std::vector<contact::PlanarContact> touching;
  for (const std::string& link : mechanism->link_names())
    touching.push_back({link, static_cast<Index>(touching.size())});
  planners::SlipConesProblem grasp;
  grasp.mechanism = mechanism;
  grasp.contacts = std::make_shared<contact::PlanarContactSet>(mechanism, touching);
  grasp.mu = Eigen::Vector4d(0.8, 0.6, 0.8, 0.6);
  grasp.min_normal = VectorXd::Ones(4);
  grasp.limits.max_normal = 30.0;
  grasp.margin = 0.01;

  // Up by 25 mm, to a pose where lifting straight up has no unique contact forces.
  const Eigen::Vector3d from(0.01, 0.12, 10.0 * kDegree);
  const Eigen::Vector3d to(0.0288, 0.1446, 2.6 * kDegree);
  const auto line = planners::verify_unique_path(grasp, planners::Quintic(from, to, 1.0), 1000);
  std::printf("straight: %s\n", line.ok ? "unique all along" : line.reason.c_str());
  const planners::UniquePathSolution found = planners::plan_unique_path({grasp, from, to}, {.stops = false});
  std::printf("planned:  %s %s\n", std::string(to_string(found.status)).c_str(), found.message.c_str());
  if (!found.ok()) return 1;
  for (const VectorXd& x : found.corners)
    std::printf("  x = %6.2f mm  y = %6.2f mm  phi = %5.2f°\n", 1e3 * x[0], 1e3 * x[1], x[2] / kDegree);
  std::printf("smallest friction margin %.4f, %d rests\n", found.margin, found.rests());

  // Motions straight up, over height and angle, x as on the straight line.
  planners::SlipCones cones(std::make_shared<const planners::SlipConesProblem>(grasp));
  figure::Markers unique{.label = "unique only", .colour = figure::kSkyBlue, .size = 5.0};
  figure::Markers squeeze{.label = "squeeze only", .colour = figure::kOrange, .size = 5.0};
  figure::Markers both{.label = "both", .colour = figure::kBluishGreen, .size = 7.0};
  for (double y = 0.115; y < 0.1505; y += 0.001) {
    for (double phi = -6.0; phi < 18.5; phi += 1.0) {
      const double x = from[0] + (y - from[1]) / (to[1] - from[1]) * (to[0] - from[0]);
      if (!cones.move_to(Eigen::Vector3d(x, y, phi * kDegree))) continue;
      const planners::SlipPattern up = cones.pattern(Eigen::Vector3d(0.0, 1.0, 0.0));
      const bool is_unique =
          lcp::test_p_matrix(cones.family(up).A(grasp.mu)).status == lcp::PMatrixStatus::kP;
      const bool has_squeeze = cones.has_squeeze(up);
      const figure::Point here{1e3 * y, phi};
      if (is_unique && has_squeeze) both.points.push_back(here);
      if (is_unique && !has_squeeze) unique.points.push_back(here);
      if (!is_unique && has_squeeze) squeeze.points.push_back(here);
    }
  }
  figure::Line path{.label = "path", .colour = figure::kBlack, .width = 2.4};
  control::Reference at;
  for (int i = 0; i <= 200; ++i) {
    found.path->sample(i / 200.0 * found.path->duration(), at);
    path.points.push_back({1e3 * at.x[1], at.x[2] / kDegree});
  }
  figure::Panel panel{
      .x_label = "height y [mm]", .y_label = "angle [°]", .legend = figure::LegendPlacement::kRight};
  panel.elements = {unique, squeeze, both, path};
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  figure::default_renderer()->render(
      {.title = "Lifting straight up: one answer, a squeeze, or both", .panels = {panel}},
      folder / "unique-path.svg");
  return 0;
}
