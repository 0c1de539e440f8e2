// SPDX-License-Identifier: BSD-3-Clause
// A law of one's own in one file, soft_start.hpp, in the closed loop beside S4's.
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "enfold/controllers/whole_arm.hpp"
#include "enfold/figure/renderer.hpp"
#include "soft_start.hpp"
#include "turning_grasp.hpp"

using namespace enfold;

int main(int argc, char** argv) {
  const TurningGrasp grasp = turning_grasp([](double) { return 0.5; });
  const controllers::Gains gains;
  const std::vector<std::pair<const char*, std::shared_ptr<control::Controller>>> laws = {
      {"S4's law",
       std::make_shared<controllers::WholeArmController>(grasp.model(), grasp.trajectory, grasp.plan, gains)},
      {"soft start",
       std::make_shared<SoftStartController>(grasp.model(), grasp.trajectory, grasp.plan, gains, 0.3)}};

  figure::Figure figure{.title = "A law of one's own: feedback that fades in",
                        .size = {860.0, 560.0},
                        .rows = 2,
                        .share_x = true,
                        .legend = figure::LegendPlacement::kAbove};
  figure::Panel forces{.row = 0, .y_label = "smallest normal force [N]"};
  figure::Panel errors{.row = 1, .x_label = "time [s]", .y_label = "error of φ [°]"};
  forces.elements.emplace_back(figure::HorizontalLine{.label = "wanted", .y = 0.5});
  std::vector<double> smallest;
  bool all_done = true;
  std::printf("%-12s %14s %16s\n", "law", "smallest [N]", "at the end [deg]");
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const sim::History run =
        sim::simulate(grasp.problem(laws[i].second, TurningGrasp::pose(0, 0.15, 69)), {});
    figure::Line force{.label = laws[i].first, .colour = figure::contact_colour(i)};
    figure::Line error{.label = laws[i].first, .colour = figure::contact_colour(i)};
    smallest.push_back(1e300);
    for (const sim::Sample& sample : run.samples) {
      force.points.push_back({sample.time, sample.lambda_N.minCoeff()});
      error.points.push_back({sample.time, angle_error(sample)});
      smallest.back() = std::min(smallest.back(), sample.lambda_N.minCoeff());
    }
    std::printf("%-12s %14.3f %16.5f\n", laws[i].first, smallest.back(), error.points.back().y);
    all_done = all_done && run.status == sim::RunStatus::kCompleted && std::abs(error.points.back().y) < 0.05;
    forces.elements.emplace_back(std::move(force));
    errors.elements.emplace_back(std::move(error));
  }
  figure.panels = {forces, errors};
  figure::default_renderer()->render(
      figure, std::filesystem::path(argc > 1 ? argv[1] : ".") / "06_own_controller.svg");
  return all_done && smallest[1] > smallest[0] ? 0 : 1;
}
