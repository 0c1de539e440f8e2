// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/loop/linear_law.hpp"

#include <algorithm>

#include "derivative.hpp"
#include "enfold/base/require.hpp"

namespace enfold::loop {
namespace {

// First steps of the differences. Forces and integrals enter linearly in most laws; a step of their own size
// is as good as any.
constexpr double kPoseStep = 2e-3;  // [m, rad]
constexpr double kRateStep = 2e-2;  // [m/s, rad/s]
constexpr double kForceStep = 0.1;  // [N, and what is integrated]

/// The law's answer [τ ; İ] as a function of everything it reads.
class Answer {
 public:
  Answer(control::Controller& law, const HeldGrasp& grasp) : law_{law}, time_{grasp.time} {}

  VectorXd operator()(const VectorXd& q, const VectorXd& v, const VectorXd& forces,
                      const VectorXd& integral) {
    const Index n_C = forces.size() / 2;
    measured_.q = q;
    measured_.v = v;
    measured_.lambda_N = forces.head(n_C);
    measured_.lambda_T = forces.tail(n_C);
    measured_.forces_valid = true;
    law_.evaluate(time_, measured_, integral, command_);
    singular = singular || command_.singular;
    VectorXd out(command_.tau.size() + integral.size());
    out << command_.tau, command_.integral_rate.head(integral.size());
    return out;
  }
  bool singular = false;

 private:
  control::Controller& law_;
  double time_;
  control::Measurement measured_;
  control::Command command_;
};

}  // namespace

LinearLaw linear_law(control::Controller& law, const HeldGrasp& grasp, const MatrixXd& Z,
                     const VectorXd& integral, const VectorXd& forces) {
  ENFOLD_REQUIRE(integral.size() == law.n_integrals(), "linear_law: {} integrals, the law has {}",
                 integral.size(), law.n_integrals());
  ENFOLD_REQUIRE(forces.size() == 2 * grasp.contacts->n_contacts(),
                 "linear_law: {} forces for {} contacts, expected two for each", forces.size(),
                 grasp.contacts->n_contacts());
  Answer answer(law, grasp);
  const VectorXd rest = VectorXd::Zero(Z.rows());
  const Index m = Z.cols();
  const Index n_f = forces.size();
  const Index n_I = integral.size();
  const VectorXd here = answer(grasp.q, rest, forces, integral);
  const Index n_theta = here.size() - n_I;

  MatrixXd slopes(here.size(), 2 * m + n_f + n_I);
  LinearLaw out;
  Index column = 0;
  const auto add = [&](const auto& f, double step) {
    const Derivative slope = derivative(f, step);
    slopes.col(column++) = slope.value;
    out.error = std::max(out.error, slope.error);
  };
  VectorXd q_dot(grasp.q.size());
  for (Index i = 0; i < m; ++i) {
    grasp.mechanism->configuration_rate(grasp.q, Z.col(i), q_dot);
    add([&](double s) { return answer(grasp.q + s * q_dot, rest, forces, integral); }, kPoseStep);
  }
  for (Index i = 0; i < m; ++i)
    add([&](double s) { return answer(grasp.q, s * Z.col(i), forces, integral); }, kRateStep);
  for (Index i = 0; i < n_f; ++i)
    add([&](double s) { return answer(grasp.q, rest, forces + s * VectorXd::Unit(n_f, i), integral); },
        kForceStep);
  for (Index i = 0; i < n_I; ++i)
    add([&](double s) { return answer(grasp.q, rest, forces, integral + s * VectorXd::Unit(n_I, i)); },
        kForceStep);

  out.tau = here.head(n_theta);
  out.rate = here.tail(n_I);
  out.K_x = slopes.topLeftCorner(n_theta, 2 * m);
  out.K_f = slopes.block(0, 2 * m, n_theta, n_f);
  out.K_I = slopes.topRightCorner(n_theta, n_I);
  out.N_x = slopes.bottomLeftCorner(n_I, 2 * m);
  out.N_f = slopes.block(n_theta, 2 * m, n_I, n_f);
  out.N_I = slopes.bottomRightCorner(n_I, n_I);
  out.singular = answer.singular;
  return out;
}

}  // namespace enfold::loop
