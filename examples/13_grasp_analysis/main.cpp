// SPDX-License-Identifier: BSD-3-Clause
// What a grasp can hold: closure with proof, the weakest direction, and what more friction buys.
#include <cmath>
#include <cstdio>

#include "enfold/closure/closure.hpp"
#include "enfold/closure/quality.hpp"
#include "enfold/closure/resistance.hpp"
#include "enfold/closure/squeeze_effort.hpp"
#include "planning_task.hpp"

using namespace enfold;

int main(int argc, char** argv) {
  const planners::PlanProblem task = planning_task();
  const VectorXd x = pose(0.0, 0.15, 80.0);
  VectorXd q(task.mechanism->n_q());
  q << x, task.contacts->close(x).theta;
  contact::ContactKinematics kinematics;
  task.contacts->kinematics(q, VectorXd::Zero(task.mechanism->n_v()), kinematics);

  figure::Panel forces{.x_label = figure::math("F_x [N per N]"),
                       .y_label = figure::math("F_y [N per N]"),
                       .equal_aspect = true};
  figure::Panel quality{.column = 1, .x_label = "friction coefficient", .y_label = "ε [N per N]"};
  std::size_t number = 0;
  bool sound = true;
  std::printf("%6s %14s %12s %14s %26s\n", "mu", "force closure", "eps [N/N]", "volume",
              "weakest (Fx, Fy, M/L)");
  for (const double mu : {0.1, 0.3, 0.6}) {
    const closure::ContactWrenches contacts =
        closure::contact_wrenches(kinematics, VectorXd::Constant(4, mu), 3, 2, 0.15);
    const closure::Closure closed = closure::force_closure(contacts);
    const closure::GraspQuality grasp = closure::grasp_quality(contacts);
    std::printf("%6.2f %14s %12.5f %14.5f", mu, std::string(closure::to_string(closed.status)).c_str(),
                grasp.epsilon, grasp.volume);
    if (grasp.epsilon > 0.0)
      std::printf("      (%.2f, %.2f, %.2f)", grasp.weakest[0], grasp.weakest[1], grasp.weakest[2]);
    std::printf("\n");
    figure::Line outline{.label = "friction " + std::to_string(mu).substr(0, 3),
                         .colour = figure::contact_colour(number++)};
    for (int k = 0; k <= 120; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / 120.0;
      const VectorXd d = Eigen::Vector3d(std::cos(angle), std::sin(angle), 0.0);
      const closure::Resistance resisted = closure::resisted_disturbance(contacts, d);
      sound = sound && resisted.ok() && resisted.size >= grasp.epsilon - 1e-9;
      outline.points.push_back({resisted.size * d[0], resisted.size * d[1]});
    }
    forces.elements.emplace_back(std::move(outline));
  }
  figure::Line epsilon{.colour = figure::kBlack};
  for (int k = 0; k <= 60; ++k) {
    const double mu = 0.01 * k;
    epsilon.points.push_back(
        {mu,
         closure::grasp_quality(closure::contact_wrenches(kinematics, VectorXd::Constant(4, mu), 3, 2, 0.15))
             .epsilon});
    sound = sound &&
            (k == 0 || epsilon.points.back().y >= epsilon.points[static_cast<std::size_t>(k) - 1].y - 1e-12);
  }
  quality.elements.emplace_back(std::move(epsilon));

  // The cheapest way to press every contact with a newton, while all of them slide.
  grasp::GraspMatrices matrices;
  grasp::assemble(kinematics, task.modes, task.mu, 3, matrices);
  const closure::SqueezeEffort effort = closure::squeeze_effort(matrices, task.mu);
  if (effort.ok())
    std::printf("a newton at every contact costs %.4f N m at the joint that has most\n", effort.largest);

  draw({.title = "Which forces a hand resists, per newton of normal force in all",
        .size = {900.0, 460.0},
        .columns = 2,
        .legend = figure::LegendPlacement::kAbove,
        .panels = {forces, quality}},
       "13_grasp_analysis", argc, argv);
  return sound ? 0 : 1;
}
