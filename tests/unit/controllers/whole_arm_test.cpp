// SPDX-License-Identifier: BSD-3-Clause
// Theorem 3.1 of S4 as a property, on a rigid-body solution of the test's own.
#include "enfold/controllers/whole_arm.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "enfold/test/matchers.hpp"
#include "enfold/test/whole_arm_case.hpp"

namespace enfold::controllers {
namespace {

using test::EigenNear;
using test::PaperHand;
using test::PaperHandOptions;
using test::WholeArmCase;

/// The paper's hand in the horizontal plane, with gravity, with thick links and gravity, and with three links
/// per arm (six sliding contacts, three internal forces).
std::vector<PaperHandOptions> hands() {
  return {{},
          {.gravity = {0.7, -9.81}},
          {.radius = 0.006, .gravity = {0.0, -9.81}},
          {.radius = 0.003, .gravity = {1.0, -9.81}, .lengths = {0.14, 0.16, 0.15}}};
}

struct Errors {
  VectorXd motion;  // ë + K_v ė + K_p e
  VectorXd force;   // α − (α_d + K_α ∫e_α)
};

/// What the law's torque does to a hand, which may be another one than the law's model.
Errors closed_loop_errors(const WholeArmCase& c, const PaperHand& plant) {
  WholeArmController controller = c.controller();
  control::Command command;
  controller.evaluate(c.t, c.measured, c.integral, command);
  EXPECT_FALSE(command.singular);
  const test::RigidMotion motion =
      test::rigid_motion(plant, c.mu, c.point().modes, c.measured.q, c.measured.v, command.tau);
  control::Reference reference;
  c.trajectory->sample(c.t, reference);
  Errors out;
  out.motion = reference.x_ddot - motion.v_dot.head(3) +
               c.gains.Kv * (reference.x_dot - c.measured.v.head(3)) +
               c.gains.Kp * (reference.x - c.measured.q.head(3));
  const MatrixXd basis = test::nearest_null_basis(motion.W_mu.topRows(3), c.point().G_null);
  out.force = basis.transpose() * motion.lambda - c.alpha_des() - c.gains.Kalpha * c.integral;
  return out;
}

// With an exact model the motion error obeys ë + K_v ė + K_p e = 0, and the internal forces are α_d + K_α
// ∫e_α, at random states on the constraints.                                    [eq:S4.11] [eq:S4.13]
// [eq:S4.14] [eq:S4.15]
TEST(WholeArmTest, ExactModelGivesTheErrorEquationsOfTheorem31) {
  for (const PaperHandOptions& options : hands()) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const WholeArmCase c = test::whole_arm_case(options, seed);
      const Errors errors = closed_loop_errors(c, c.hand);
      EXPECT_THAT(errors.motion, EigenNear(VectorXd::Zero(3), 1e-9)) << "seed " << seed;
      EXPECT_THAT(errors.force, EigenNear(VectorXd::Zero(errors.force.size()), 1e-9)) << "seed " << seed;
    }
  }
}

// The theorem's hypothesis matters: on a plant that is heavier than the model both error equations are
// violated.
TEST(WholeArmTest, WrongModelViolatesTheErrorEquations) {
  PaperHandOptions heavy;
  heavy.object_mass *= 1.1;
  heavy.link_mass *= 1.1;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Errors errors = closed_loop_errors(test::whole_arm_case({}, seed), test::paper_hand(heavy));
    EXPECT_GT(errors.motion.norm(), 1e-3) << "seed " << seed;
    EXPECT_GT(errors.force.norm(), 1e-4) << "seed " << seed;
  }
}

// The law as (10) and (11) print it, with g_a added (checklist row 3), (Hᵀ)⁺ read as Jᵀ G⁺ (row 4), and dH̃/dt
// by differences along the motion:
//     τ = M̃ ẍ* + Ñ + Jᵀ G° α,  M̃ = M_a H̃ + Jᵀ G⁺ M_o,  Ñ = M_a H̃′ ẋ − Jᵀ G⁺ g_o + h_a + g_a   [eq:S4.10]
//     [eq:S4.11]
TEST(WholeArmTest, TorqueIsThatOfTheCompleteDynamics) {
  for (const PaperHandOptions& options : hands()) {
    for (std::uint64_t seed = 100; seed < 110; ++seed) {
      const WholeArmCase c = test::whole_arm_case(options, seed);
      WholeArmController controller = c.controller();
      control::Command command;
      controller.evaluate(c.t, c.measured, c.integral, command);

      const VectorXd& q = c.measured.q;
      const VectorXd& v = c.measured.v;
      const Index n_theta = c.hand.mechanism->n_theta();
      mechanics::Dynamics dynamics;
      c.hand.mechanism->dynamics(q, v, dynamics);
      const auto H_tilde = [&](double step) -> MatrixXd {
        const MatrixXd W_N = c.hand.kinematics(q + step * v, v).W_N;
        return -W_N.bottomRows(n_theta).transpose().fullPivLu().solve(W_N.topRows(3).transpose());
      };
      const double h = 1e-4;
      const MatrixXd H_tilde_dot =
          (8.0 * (H_tilde(h) - H_tilde(-h)) - (H_tilde(2 * h) - H_tilde(-2 * h))) / (12.0 * h);
      const MatrixXd W_mu = test::loaded_gradients(c.hand.kinematics(q, v), c.point().modes, c.mu);
      const MatrixXd G = W_mu.topRows(3);
      const MatrixXd J_T = -W_mu.bottomRows(n_theta);
      const MatrixXd G_plus = G.transpose() * (G * G.transpose()).inverse();
      const MatrixXd M_o = dynamics.M.topLeftCorner(3, 3);
      const MatrixXd M_a = dynamics.M.bottomRightCorner(n_theta, n_theta);
      control::Reference reference;
      c.trajectory->sample(c.t, reference);
      const VectorXd x_ddot = reference.x_ddot + c.gains.Kv * (reference.x_dot - v.head(3)) +
                              c.gains.Kp * (reference.x - q.head(3));
      const VectorXd alpha = c.alpha_des() + c.gains.Kalpha * c.integral;
      const VectorXd g_o = -dynamics.h.head(3);
      const VectorXd tau = (M_a * H_tilde(0.0) + J_T * G_plus * M_o) * x_ddot +
                           M_a * H_tilde_dot * v.head(3) - J_T * G_plus * g_o + dynamics.h.tail(n_theta) +
                           J_T * test::nearest_null_basis(G, c.point().G_null) * alpha;
      EXPECT_THAT(command.tau, EigenNear(tau, 1e-8)) << "seed " << seed;
    }
  }
}

// α comes out of the forces through (9) with any ẍ: α = (G°)ᵀ λ, and e_α is what is integrated. [eq:S4.9]
// [eq:S4.15]
TEST(WholeArmTest, ReadsTheInternalForcesOffTheMeasuredForces) {
  for (const PaperHandOptions& options : hands()) {
    const WholeArmCase c = test::whole_arm_case(options, 7);
    WholeArmController controller = c.controller();
    EXPECT_EQ(controller.n_integrals(), c.hand.contacts->n_contacts() - 3);
    control::Command command;
    controller.evaluate(c.t, c.measured, c.integral, command);
    const MatrixXd W_mu =
        test::loaded_gradients(c.hand.kinematics(c.measured.q, c.measured.v), c.point().modes, c.mu);
    const MatrixXd basis = test::nearest_null_basis(W_mu.topRows(3), c.point().G_null);
    EXPECT_THAT(command.alpha, EigenNear(VectorXd(basis.transpose() * c.measured.lambda_N), 1e-12));
    EXPECT_THAT(command.alpha_des, EigenNear(c.alpha_des(), 1e-14));
    EXPECT_THAT(command.integral_rate, EigenNear(VectorXd(command.alpha_des - command.alpha), 0.0));
  }
}

/// Force error after n samples of 1 ms at a held state, on a plant that is heavier than the model, over that
/// at first.
double force_error_ratio(double Kalpha, int n) {
  WholeArmCase c = test::whole_arm_case({.gravity = {0.0, -9.81}}, 3);
  const PaperHand plant = test::paper_hand({.gravity = {0.0, -9.81}, .object_mass = 1.9});
  c.gains.Kalpha = Kalpha;
  c.measured.v.setZero();
  WholeArmController controller = c.controller();
  control::Command command;
  VectorXd integral = VectorXd::Zero(1);
  double first = 0.0;
  for (int k = 0; k <= n; ++k) {
    controller.evaluate(c.t, c.measured, integral, command);
    c.measured.lambda_N =
        test::rigid_motion(plant, c.mu, c.point().modes, c.measured.q, c.measured.v, command.tau).lambda;
    controller.evaluate(c.t, c.measured, integral, command);
    if (k == 0) first = command.integral_rate[0];
    integral += 1e-3 * command.integral_rate;
  }
  EXPECT_GT(std::abs(first), 1e-3);
  return command.integral_rate[0] / first;
}

// Checklist row 7: the pole of e_α is at −K_α. A constant model error decays with K_α = 10 and grows with the
// −10 that S4 prints, by the factor (1 − K_α T) per sample. [eq:S4.15]
TEST(WholeArmTest, ForceErrorDecaysWithAPositiveForceGainAndGrowsWithANegativeOne) {
  EXPECT_NEAR(force_error_ratio(10.0, 500) / std::pow(0.99, 500), 1.0, 1e-6);
  EXPECT_NEAR(force_error_ratio(-10.0, 500) / std::pow(1.01, 500), 1.0, 1e-6);
}

}  // namespace
}  // namespace enfold::controllers
