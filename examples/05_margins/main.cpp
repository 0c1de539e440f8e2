// SPDX-License-Identifier: BSD-3-Clause
// How late may the torques of a sampled loop come? Predicted from poles, and looked at in the simulator.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <numbers>

#include "enfold/contact/planar_contact_set.hpp"
#include "enfold/controllers/whole_arm.hpp"
#include "enfold/figure/renderer.hpp"
#include "enfold/geometry/ellipse.hpp"
#include "enfold/loop/linear_loop.hpp"
#include "enfold/loop/margins.hpp"
#include "enfold/loop/poles.hpp"
#include "enfold/mechanics/planar_grasp_mechanism.hpp"
#include "enfold/planners/internal_force_planner.hpp"
#include "enfold/planners/quintic.hpp"
#include "enfold/sim/simulation.hpp"

using namespace enfold;

namespace {

VectorXd pose(double x, double y, double phi_deg) {
  return Eigen::Vector3d{x, y, phi_deg * std::numbers::pi / 180.0};
}

mechanics::PlanarArm two_link_arm(const char* name, double base_x, geometry::Side object_side) {
  mechanics::PlanarArm arm{name, {base_x, 0.0}, object_side, {}};
  for (const char* link : {"proximal", "distal"})
    arm.links.push_back({.name = link, .length = 0.20, .mass = 0.5, .inertia = 1.67e-3, .com = {0.10, 0.0}});
  return arm;
}

/// S4's hand around its ellipse, held still half way through a turn from 70° to 110°.
struct Held {
  loop::HeldGrasp grasp;
  std::shared_ptr<const control::Plan> plan;
  std::shared_ptr<const control::Trajectory> still;
};

Held hold(const VectorXd& mu) {
  const auto mechanism = std::make_shared<mechanics::PlanarGraspMechanism>(
      mechanics::PlanarHand({two_link_arm("left", -0.05, geometry::Side::kRight),
                             two_link_arm("right", 0.05, geometry::Side::kLeft)},
                            Vector2d::Zero()),
      mechanics::PlanarObject{1.69, 1.46e-2, std::make_shared<geometry::Ellipse>(0.15, 0.11)});
  std::vector<contact::PlanarContact> touching;
  for (const std::string& link : mechanism->link_names())
    touching.push_back({link, static_cast<Index>(touching.size())});
  const auto contacts = std::make_shared<contact::PlanarContactSet>(mechanism, touching);
  const std::vector<contact::ContactMode> sliding(4, contact::ContactMode::kSlidePlus);
  const planners::PlanSolution planned = planners::plan_internal_forces(
      {mechanism,
       contacts,
       mu,
       sliding,
       std::make_shared<planners::Quintic>(pose(0, 0.15, 70), pose(0, 0.15, 110), 1.0),
       [](double, Index) { return 1.0; },
       {}});
  const control::PlanPoint& point = planned.plan.points[planned.plan.segment(0.5)];
  VectorXd q(mechanism->n_q());
  q << pose(0, 0.15, 90), contacts->close(pose(0, 0.15, 90)).theta;
  Held out{{mechanism, contacts, mu, point.modes, q}, nullptr, nullptr};
  out.plan = std::make_shared<control::Plan>(loop::resting_plan(out.grasp, point));
  out.still = std::make_shared<planners::Quintic>(pose(0, 0.15, 90), pose(0, 0.15, 90), 1.0);
  return out;
}

std::shared_ptr<control::Controller> law(const Held& held, const controllers::Gains& gains) {
  return std::make_shared<controllers::WholeArmController>(
      controllers::WholeArmModel{held.grasp.mechanism, held.grasp.contacts, held.grasp.mu}, held.still,
      held.plan, gains);
}

/// The error of the angle in the simulator, started 0.01° off, with torques that come late [share of it].
std::vector<figure::Point> decay(const Held& held, double rate, double delay) {
  sim::SimulationProblem problem;
  problem.plant = {held.grasp.mechanism, held.grasp.contacts, held.grasp.mu};
  problem.controller = law(held, {});
  problem.trajectory = held.still;
  problem.plan = held.plan;
  problem.modes = held.grasp.modes;
  const VectorXd start = pose(0, 0.15, 89.99);
  problem.q = held.grasp.q;
  problem.q << start, held.grasp.contacts->close(start).theta;
  problem.v = VectorXd::Zero(held.grasp.mechanism->n_v());
  sim::SimulationOptions options{
      .duration = 3.0, .record_rate = 200.0, .control_rate = rate, .slip_tol = 1.0};
  options.control_delay = delay;
  const sim::History run = sim::simulate(problem, options);
  std::vector<figure::Point> out;
  for (const sim::Sample& sample : run.samples)
    out.push_back({sample.time, (sample.x_des[2] - sample.x[2]) * 180.0 / std::numbers::pi / 0.01});
  return out;
}

double largest(const std::vector<figure::Point>& points, double from, double to) {
  double out = 0.0;
  for (const figure::Point& point : points)
    if (point.x >= from && point.x <= to) out = std::max(out, std::abs(point.y));
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  const Held held = hold(VectorXd::Zero(4));                              // without friction
  const std::shared_ptr<control::Controller> controller = law(held, {});  // 100, 20, 10
  const loop::LinearLoop linear = loop::linearise(held.grasp, *controller);
  if (!linear.ok()) {
    std::printf("%s\n", linear.message.c_str());
    return 3;
  }
  std::printf("%10s %18s %8s %22s\n", "rate [Hz]", "gain × up to", "phase", "unstable from [ms]");
  std::vector<figure::Point> limit;
  for (const double rate : {40.0, 60.0, 100.0, 200.0, 500.0, 1000.0, 2000.0}) {
    const loop::Margins margins =
        loop::margins(loop::sampled_loop(linear, 1.0 / rate).at(loop::Cut::kCommand));
    const double delay = loop::critical_delay(linear, 1.0 / rate).delay;
    std::printf("%10.0f %17.1f %7.1f° %22.2f\n", rate, margins.gain_high,
                margins.phase * 180.0 / std::numbers::pi, 1000.0 * delay);
    limit.push_back({rate, 1000.0 * delay});
  }
  const double continuous = 1000.0 * loop::critical_delay(linear, 0.0).delay;

  figure::Figure figure{.title = "S4's law with late torques", .size = {960, 430}, .columns = 2};
  figure::Panel rates{.title = "the delay that it does not survive",
                      .x_label = "rate [Hz]",
                      .y_label = "delay [ms]",
                      .y_range = figure::Range{0.0, 75.0},
                      .x_scale = figure::AxisScale::kLog10,
                      .legend = figure::LegendPlacement::kAbove};
  rates.elements.emplace_back(figure::HorizontalLine{"continuous control", continuous, figure::kDesired});
  rates.elements.emplace_back(figure::Line{"sampled", limit, figure::kBlue});
  rates.elements.emplace_back(figure::Markers{{}, limit, figure::kBlue});
  figure::Panel time{.column = 1,
                     .title = "error of the angle at 100 Hz, simulated",
                     .x_label = "time [s]",
                     .y_label = "share of the error at t = 0",
                     .y_range = figure::Range{-1.3, 1.3},
                     .legend = figure::LegendPlacement::kAbove};
  const double critical = loop::critical_delay(linear, 0.01).delay;
  const std::vector<figure::Point> grows = decay(held, 100.0, 1.05 * critical);
  const std::vector<figure::Point> decays = decay(held, 100.0, 0.9 * critical);
  time.elements.emplace_back(figure::Line{"1.05 of the limit", grows, figure::kVermilion});
  time.elements.emplace_back(figure::Line{"0.9 of the limit", decays, figure::kBlue});
  figure.panels = {rates, time};
  figure::default_renderer()->render(figure, folder / "05_margins.svg");
  const bool as_predicted = largest(grows, 2.0, 3.0) > largest(grows, 1.0, 2.0) &&
                            largest(decays, 2.0, 3.0) < largest(decays, 1.0, 2.0);
  std::printf("at 100 Hz the simulated loop %s\n", as_predicted ? "agrees" : "does not agree");
  return as_predicted ? 0 : 1;
}
