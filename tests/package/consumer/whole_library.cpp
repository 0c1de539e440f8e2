// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>

#include "enfold/figure/renderer.hpp"
#include "enfold/io/scenario_file.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/lp/lp_solver.hpp"
#include "enfold/models/grasp_model.hpp"
#include "enfold/ode/fixed_step.hpp"
#include "enfold/planners/quintic.hpp"

namespace {

constexpr const char* kScenario = R"(
enfold: 1
name: consumer
hand:
  arms:
    - {name: left, base_m: [-0.05, 0], object_side: right,
       links: [{name: only, length_m: 0.3, mass_kg: 0.5, inertia_kgm2: 1.0e-3}]}
object: {shape: {type: circle, radius_m: 0.05}, mass_kg: 1, inertia_kgm2: 1.0e-3}
contacts: [{link: left.only, mu: 0.1, mode: slide}]
task: {trajectory: {duration_s: 1, from: {x_m: 0, y_m: 0.15, phi_deg: 0}, to: {x_m: 0, y_m: 0.16, phi_deg: 0}}}
planner: {min_normal_N: 0.5}
)";

bool close_to(double value, double expected) {
  return std::abs(value - expected) < 1e-9;
}

}  // namespace

// One call into modules of every layer, with GLPK, Boost and yaml-cpp behind some of them.
int main() {
  enfold::lp::LpProblem program = enfold::lp::unconstrained_lp(1, 0);
  program.c[0] = 1.0;
  program.lower[0] = 0.5;
  const enfold::lp::LpSolution plan = enfold::lp::solve_lp(program);

  const enfold::lcp::PMatrixResult p = enfold::lcp::test_p_matrix(enfold::MatrixXd::Identity(3, 3));

  enfold::ode::State x{1.0};  // ẋ = 1
  enfold::ode::FixedStepper stepper;
  stepper.step([](const enfold::ode::State&, enfold::ode::State& rate, double) { rate[0] = 1.0; }, x, 0.0,
               0.5);

  // The link touches the circle at the length of a tangent: √(|p − c|² − r²) from its joint.
  const enfold::models::GraspModel model =
      enfold::models::make_grasp_model(enfold::io::parse_scenario(kScenario, "consumer.yaml"));
  enfold::VectorXd pose(3);
  pose << 0.0, 0.15, 0.0;
  const enfold::contact::Closure closure = model.contacts->close(pose);
  enfold::VectorXd q(4);
  q << pose, closure.theta;
  const double reach = (model.contacts->frame(q, 0).link_point - enfold::Vector2d(-0.05, 0.0)).norm();

  enfold::control::Reference reference;
  enfold::planners::Quintic(enfold::VectorXd::Zero(3), pose, 1.0).sample(0.5, reference);

  std::printf("z = %.3f, smallest minor %.3f, x = %.3f, reach %.4f m, half way %.4f m\n", plan.z[0],
              p.smallest.value, x[0], reach, reference.x[1]);
  const bool right = plan.ok() && close_to(plan.z[0], 0.5) && p.status == enfold::lcp::PMatrixStatus::kP &&
                     close_to(x[0], 1.5) && closure.closed() && close_to(reach, std::sqrt(0.0225)) &&
                     close_to(reference.x[1], 0.075);
  return right ? 0 : 1;
}
