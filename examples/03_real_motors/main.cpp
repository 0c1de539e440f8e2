// SPDX-License-Identifier: BSD-3-Clause
// Motors that can't give all, torques that come late, sensors that scatter: what is left of S4's law.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "enfold/controllers/whole_arm.hpp"
#include "enfold/figure/renderer.hpp"
#include "turning_grasp.hpp"

using namespace enfold;

int main(int argc, char** argv) {
  // For a moment the task asks for a firm squeeze: 0.5 N, 4 N from 0.3 to 0.6 s, and 0.5 N again.
  const auto floor = [](double t) {
    const double up = std::clamp((t - 0.25) / 0.05, 0.0, 1.0);
    const double down = std::clamp((t - 0.60) / 0.05, 0.0, 1.0);
    return 0.5 + 3.5 * (up - down);
  };
  const TurningGrasp grasp = turning_grasp(floor);
  double most = 0.0;
  for (const control::PlanPoint& point : grasp.plan->points)
    most = std::max(most, point.tau.cwiseAbs().maxCoeff());

  struct Case {
    const char* name;
    sim::SimulationOptions options;
  };
  const sim::SimulationOptions ideal;
  sim::SimulationOptions winding = ideal;
  winding.actuators.max_torque = {0.8 * most};
  winding.actuators.anti_windup = false;
  sim::SimulationOptions unwound = winding;
  unwound.actuators.anti_windup = true;
  sim::SimulationOptions real = unwound;
  real.control_delay = 3e-3;
  real.actuators.max_rate = {100.0};
  real.actuators.resolution = 0.005;
  real.noise.force = 0.1;
  real.noise.offsets.force_resolution = 0.02;
  const std::vector<Case> cases = {{"ideal motors", ideal},
                                   {"80 % of the torque", winding},
                                   {"the same with anti-windup", unwound},
                                   {"and delay, rate limit, noise", real}};

  figure::Figure figure{.title = "Motors that give 80 % of what the plan asks for",
                        .size = {860.0, 620.0},
                        .rows = 2,
                        .share_x = true,
                        .legend = figure::LegendPlacement::kAbove};
  figure::Panel squeeze{.row = 0, .y_label = "internal force α [N]"};
  figure::Panel errors{.row = 1, .x_label = "time [s]", .y_label = "error of φ [°]"};
  std::printf("the plan asks for up to %.3f N m\n%-30s %14s %14s %12s\n", most, "", "saturated [s]",
              "overshoot [N]", "error [deg]");
  std::vector<double> overshoots;
  bool all_done = true;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto law = std::make_shared<controllers::WholeArmController>(grasp.model(), grasp.trajectory,
                                                                       grasp.plan, controllers::Gains{});
    const sim::History run =
        sim::simulate(grasp.problem(law, TurningGrasp::pose(0, 0.15, 70)), cases[i].options);
    figure::Line alpha{.label = cases[i].name, .colour = figure::contact_colour(i)};
    figure::Line error{.label = cases[i].name, .colour = figure::contact_colour(i)};
    figure::Line wanted{.label = "planned", .colour = figure::kDesired, .dash = figure::Dash::kDashed};
    double overshoot = 0.0;  // of the squeeze, once the firm part is over
    double largest = 0.0;
    for (const sim::Sample& sample : run.samples) {
      alpha.points.push_back({sample.time, sample.alpha[0]});
      wanted.points.push_back({sample.time, sample.alpha_des[0]});
      error.points.push_back({sample.time, angle_error(sample)});
      largest = std::max(largest, std::abs(angle_error(sample)));
      if (sample.time > 0.66) overshoot = std::max(overshoot, sample.alpha[0] - sample.alpha_des[0]);
    }
    std::printf("%-30s %14.3f %14.3f %12.4f\n", cases[i].name, run.summary.saturated_time, overshoot,
                largest);
    if (!run.message.empty()) std::printf("  %s\n", run.message.c_str());
    all_done = all_done && run.status == sim::RunStatus::kCompleted;
    overshoots.push_back(overshoot);
    if (i == 0) squeeze.elements.emplace_back(std::move(wanted));
    squeeze.elements.emplace_back(std::move(alpha));
    errors.elements.emplace_back(std::move(error));
  }
  figure.panels = {squeeze, errors};
  figure::default_renderer()->render(figure,
                                     std::filesystem::path(argc > 1 ? argv[1] : ".") / "03_real_motors.svg");
  return all_done && overshoots[2] < 0.5 * overshoots[1] ? 0 : 1;
}
