// SPDX-License-Identifier: BSD-3-Clause
// Where do the poles of S4's law go when it runs at 100 Hz, and with which gains are they where they should
// be?
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <numbers>

#include "enfold/contact/planar_contact_set.hpp"
#include "enfold/controllers/gain_design.hpp"
#include "enfold/controllers/whole_arm.hpp"
#include "enfold/figure/renderer.hpp"
#include "enfold/geometry/ellipse.hpp"
#include "enfold/loop/linear_loop.hpp"
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

/// The error of the angle in the simulator, started 0.01° off.
std::vector<figure::Point> decay(const Held& held, const controllers::Gains& gains, double rate) {
  sim::SimulationProblem problem;
  problem.plant = {held.grasp.mechanism, held.grasp.contacts, held.grasp.mu};
  problem.controller = law(held, gains);
  problem.trajectory = held.still;
  problem.plan = held.plan;
  problem.modes = held.grasp.modes;
  const VectorXd start = pose(0, 0.15, 89.99);
  problem.q = held.grasp.q;
  problem.q << start, held.grasp.contacts->close(start).theta;
  problem.v = VectorXd::Zero(held.grasp.mechanism->n_v());
  const sim::History run =
      sim::simulate(problem, {.duration = 0.7, .record_rate = 200.0, .control_rate = rate, .slip_tol = 1.0});
  std::vector<figure::Point> out;
  for (const sim::Sample& sample : run.samples)
    out.push_back({sample.time, (sample.x_des[2] - sample.x[2]) * 180.0 / std::numbers::pi / 0.01});
  return out;
}

std::vector<figure::Point> within(const std::vector<loop::Pole>& poles, double reach) {
  std::vector<figure::Point> out;
  for (const loop::Pole& pole : poles)
    if (!pole.dead_beat && std::abs(pole.s) < reach) out.push_back({pole.s.real(), pole.s.imag()});
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  const Held held = hold(VectorXd::Zero(4));  // without friction
  const controllers::WantedPoles wanted{{-8.0, 6.0}, {-8.0, -6.0}, -12.0};
  const double rate = 100.0;

  figure::Figure figure{
      .title = "Poles wanted at −8 ± 6i and −12, at 100 Hz", .size = {960, 430}, .columns = 2};
  figure::Panel map{.title = "poles of the sampled loop",
                    .x_label = "Re s [1/s]",
                    .y_label = "Im s [1/s]",
                    .x_range = figure::Range{-17.0, 1.0},
                    .legend = figure::LegendPlacement::kAbove};
  figure::Panel time{.column = 1,
                     .title = "error of the angle",
                     .x_label = "time [s]",
                     .y_label = "share of the error at t = 0",
                     .legend = figure::LegendPlacement::kAbove};
  map.elements.emplace_back(figure::VerticalLine{{}, 0.0, figure::kMinimumLine});
  map.elements.emplace_back(figure::Markers{"wanted",
                                            {{-8.0, 6.0}, {-8.0, -6.0}, {-12.0, 0.0}},
                                            figure::kYes,
                                            figure::MarkerShape::kDiamond,
                                            16.0});
  std::vector<figure::Point> designed;
  for (double t = 0.0; t <= 0.7; t += 0.005)
    designed.push_back({t, std::exp(-8.0 * t) * (std::cos(6.0 * t) + 8.0 / 6.0 * std::sin(6.0 * t))});
  time.elements.emplace_back(
      figure::Line{"designed", designed, figure::kDesired, 3.5, figure::Dash::kSolid, 0.5});

  double farthest = 0.0;
  for (const bool for_the_rate : {false, true}) {
    const controllers::Gains gains =
        for_the_rate ? controllers::sampled_gains(wanted, 1.0 / rate) : controllers::continuous_gains(wanted);
    const std::shared_ptr<control::Controller> controller = law(held, gains);
    const loop::LinearLoop linear = loop::linearise(held.grasp, *controller);
    if (!linear.ok()) {
      std::printf("%s\n", linear.message.c_str());
      return 3;
    }
    const std::vector<loop::Pole> poles =
        loop::poles(loop::sampled_loop(linear, 1.0 / rate).closed(), 1.0 / rate);
    const std::vector<std::complex<double>> all{wanted.motion_1, wanted.motion_1, wanted.motion_1,
                                                wanted.motion_2, wanted.motion_2, wanted.motion_2,
                                                wanted.force};
    farthest = loop::distance(all, poles);
    const char* name = for_the_rate ? "gains for 100 Hz" : "continuous gains";
    std::printf("%-18s K_p = %7.3f, K_v = %7.4f, K_alpha = %7.4f: up to %4.1f %% from the poles wanted\n",
                name, gains.Kp, gains.Kv, gains.Kalpha, 100.0 * farthest);
    const figure::Colour colour = for_the_rate ? figure::kBlue : figure::kVermilion;
    map.elements.emplace_back(
        figure::Markers{name, within(poles, 30.0), colour,
                        for_the_rate ? figure::MarkerShape::kCross : figure::MarkerShape::kCircle, 10.0});
    time.elements.emplace_back(figure::Line{name, decay(held, gains, rate), colour, 1.8,
                                            for_the_rate ? figure::Dash::kDashed : figure::Dash::kSolid});
  }
  figure.panels = {map, time};
  figure::default_renderer()->render(figure, folder / "04_place_poles.svg");
  return farthest < 0.02 ? 0 : 1;
}
