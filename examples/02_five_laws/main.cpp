// SPDX-License-Identifier: BSD-3-Clause
// Five laws, one task: what each makes of a start 1° behind, and of an object that is heavier than it thinks.
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "enfold/controllers/computed_torque.hpp"
#include "enfold/controllers/joint_pd.hpp"
#include "enfold/controllers/object_impedance.hpp"
#include "enfold/controllers/whole_arm.hpp"
#include "enfold/controllers/whole_arm_pi.hpp"
#include "enfold/figure/renderer.hpp"
#include "turning_grasp.hpp"

using namespace enfold;

namespace {

struct Entry {
  const char* name;
  std::shared_ptr<control::Controller> law;
};

std::vector<Entry> five_laws(const TurningGrasp& grasp) {
  using namespace controllers;
  const Gains gains;  // all poles at −10 per second
  // Springs and dampers of about the same speed for the laws whose poles are not placed.
  const JointGains joints{VectorXd::Constant(1, 1.5), VectorXd::Constant(1, 0.3)};
  const Impedance impedance{Eigen::Vector3d(1000.0, 1000.0, 3.0), Eigen::Vector3d(200.0, 200.0, 0.6)};
  return {
      {"whole arm", std::make_shared<WholeArmController>(grasp.model(), grasp.trajectory, grasp.plan, gains)},
      {"whole arm, PI",
       std::make_shared<WholeArmPiController>(grasp.model(), grasp.trajectory, grasp.plan, gains, 0.3)},
      {"joint PD", std::make_shared<JointPdController>(grasp.plan, joints)},
      {"computed torque", std::make_shared<ComputedTorqueController>(
                              grasp.model(), grasp.trajectory, grasp.plan, gains, ContactForces::kMeasured)},
      {"object impedance", std::make_shared<ObjectImpedanceController>(grasp.model(), grasp.trajectory,
                                                                       grasp.plan, impedance, gains)}};
}

}  // namespace

int main(int argc, char** argv) {
  const auto floor = [](double) { return 1.0; };
  const TurningGrasp grasp = turning_grasp(floor);
  const TurningGrasp heavier = turning_grasp(floor, 1.3 * 1.69);  // the world, where the laws are wrong
  figure::Figure figure{.title = "Five laws turn an ellipse that is 30 % heavier than they think",
                        .size = {860.0, 620.0},
                        .rows = 2,
                        .share_x = true,
                        .legend = figure::LegendPlacement::kAbove};
  figure::Panel errors{.row = 0, .y_label = "error of φ [°]"};
  figure::Panel forces{.row = 1, .x_label = "time [s]", .y_label = figure::math("α − α_d [N]")};

  std::printf("%-18s %28s   %28s\n%-18s %14s %14s %14s %14s\n", "", "right model", "30 % heavier", "law",
              "end [deg]", "smallest [N]", "end [deg]", "smallest [N]");
  bool all_done = true;
  for (std::size_t number = 0; number < five_laws(grasp).size(); ++number) {
    std::printf("%-18s", five_laws(grasp)[number].name);
    for (const TurningGrasp* world : {&grasp, &heavier}) {
      const Entry entry = five_laws(grasp)[number];
      sim::SimulationProblem problem = grasp.problem(entry.law, TurningGrasp::pose(0, 0.15, 69));
      problem.plant = {world->mechanism, world->contacts, world->mu};
      const sim::History run = sim::simulate(problem, {});
      double smallest = 1e300;
      figure::Line error{.label = entry.name, .colour = figure::contact_colour(number)};
      figure::Line force = error;
      for (const sim::Sample& sample : run.samples) {
        smallest = std::min(smallest, sample.lambda_N.minCoeff());
        error.points.push_back({sample.time, angle_error(sample)});
        force.points.push_back({sample.time, sample.alpha[0] - sample.alpha_des[0]});
      }
      std::printf(" %14.4f %14.3f", error.points.back().y, smallest);
      all_done =
          all_done && run.status == sim::RunStatus::kCompleted && std::abs(error.points.back().y) < 2.0;
      if (world == &grasp) continue;
      errors.elements.emplace_back(std::move(error));
      forces.elements.emplace_back(std::move(force));
    }
    std::printf("\n");
  }
  figure.panels = {errors, forces};
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  figure::default_renderer()->render(figure, folder / "02_five_laws.svg");
  return all_done ? 0 : 1;
}
