// SPDX-License-Identifier: BSD-3-Clause
// Where rigid contact has three answers, the symmetric squeeze is a saddle. S4's law falls off it; a loop
// around every contact force holds it, with a gain that is computed, not guessed.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "enfold/contact/contact_law.hpp"
#include "enfold/controllers/contact_loop.hpp"
#include "enfold/controllers/force_loop.hpp"
#include "enfold/controllers/whole_arm.hpp"
#include "enfold/figure/renderer.hpp"
#include "turning_grasp.hpp"

using namespace enfold;

int main(int argc, char** argv) {
  constexpr double kLost = 0.6475;  // A is no P-matrix from here on [s]
  constexpr double kRate = 1000.0;
  const TurningGrasp grasp = planned_grasp({0.8, 0.6}, TurningGrasp::pose(0, 0.12, 0),
                                           TurningGrasp::pose(0, 0.15, 0), [](double) { return 1.0; });
  const contact::KelvinVoigtOptions springs{.stiffness = 3e4, .damping_ratio = 0.7};

  // Which gains hold the saddle, from the contacts linearised near the end of the way?
  const control::PlanPoint& late = grasp.plan->points[grasp.plan->segment(0.8)];
  control::Reference reference;
  grasp.trajectory->sample(late.time, reference);
  const double damping = contact::damping_coefficient(springs.damping_ratio, springs.stiffness, springs.mass);
  const controllers::ContactLoop loop =
      controllers::contact_loop(grasp.model(), reference.x, late, {},
                                VectorXd::Constant(4, springs.stiffness), VectorXd::Constant(4, damping));
  const controllers::StableRange gains = controllers::stable_gains(loop, kRate);
  const double K_lambda = std::sqrt(gains.from * gains.to);
  std::printf("at %.2f s without force loop a contact mode grows with %.1f 1/s\n", late.time,
              controllers::contact_poles(loop, 0.0)[0].real());
  std::printf("stable gains at %.0f Hz: %.2f to %.2f; taken: %.2f\n", kRate, gains.from, gains.to, K_lambda);

  sim::SimulationOptions options;
  options.policy = sim::ModelPolicy::kCompliant;
  options.laws = {contact::kelvin_voigt_contact(springs)};
  options.noise.force = 0.1;
  const std::shared_ptr<control::Controller> laws[] = {
      std::make_shared<controllers::WholeArmController>(grasp.model(), grasp.trajectory, grasp.plan,
                                                        controllers::Gains{}),
      std::make_shared<controllers::ForceLoopController>(grasp.model(), grasp.trajectory, grasp.plan,
                                                         controllers::Gains{}, K_lambda)};
  figure::Figure figure{.title = "Holding where A is no P-matrix",
                        .size = {860.0, 620.0},
                        .rows = 2,
                        .share_x = true,
                        .legend = figure::LegendPlacement::kAbove};
  double least[2] = {INFINITY, INFINITY};
  for (std::size_t i = 0; i < 2; ++i) {
    // 1 mm to the side, 2 mm high and half a degree off.
    const sim::History run =
        sim::simulate(grasp.problem(laws[i], TurningGrasp::pose(0.001, 0.122, 0.5)), options);
    figure::Panel panel{.row = static_cast<int>(i), .y_label = "normal forces [N]"};
    panel.title = i == 0 ? "S4's law" : "every contact force fed back";
    if (i == 1) panel.x_label = "time [s]";
    for (Index c = 0; c < 4; ++c) {
      figure::Line line{.label = grasp.contacts->names()[static_cast<std::size_t>(c)],
                        .colour = figure::contact_colour(static_cast<std::size_t>(c))};
      for (const sim::Sample& sample : run.samples) {
        line.points.push_back({sample.time, sample.lambda_N[c]});
        if (sample.time > kLost) least[i] = std::min(least[i], sample.lambda_N[c]);
      }
      panel.elements.emplace_back(std::move(line));
    }
    figure.panels.push_back(std::move(panel));
    std::printf("%-30s smallest normal force after %.2f s: %.3f N%s%s\n", i == 0 ? "S4's law" : "force loop",
                kLost, least[i], run.message.empty() ? "" : "; ", run.message.c_str());
  }
  figure::default_renderer()->render(
      figure, std::filesystem::path(argc > 1 ? argv[1] : ".") / "07_hold_a_saddle.svg");
  return least[1] > 0.8 && least[1] > least[0] ? 0 : 1;
}
