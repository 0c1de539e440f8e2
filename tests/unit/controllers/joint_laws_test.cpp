// SPDX-License-Identifier: BSD-3-Clause
// Joint PD and computed torque: their torques and, on rigid bodies, their error equations.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "enfold/base/error.hpp"
#include "enfold/controllers/computed_torque.hpp"
#include "enfold/controllers/joint_pd.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/whole_arm_case.hpp"

namespace enfold::controllers {
namespace {

using test::EigenNear;

/// A plan with everything that laws in joint space read, consistent or not.
test::WholeArmCase joint_case(std::uint64_t seed) {
  test::WholeArmCase c = test::whole_arm_case({.gravity = {0.4, -9.81}}, seed);
  const CounterRandom random(seed, 5);
  for (std::size_t k = 0; k < c.plan->points.size(); ++k) {
    control::PlanPoint& point = c.plan->points[k];
    const std::uint64_t from = 100 * (k + 1);
    point.tau = test::random_vector(random, from, 4);
    point.theta_dot = test::random_vector(random, from + 10, 4);
    point.theta_ddot = test::random_vector(random, from + 20, 4);
    point.lambda_N = test::random_vector(random, from + 30, 4).cwiseAbs();
    point.lambda_T = VectorXd::Zero(4);
  }
  return c;
}

VectorXd planned(const test::WholeArmCase& c, VectorXd control::PlanPoint::*what) {
  return (1.0 - c.t) * (c.plan->points[0].*what) + c.t * (c.plan->points[1].*what);
}

// [eq:joint-pd]
TEST(JointPdTest, TorqueIsThePlannedOneWithSpringsAndDampers) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const test::WholeArmCase c = joint_case(seed);
    const VectorXd Kp = Eigen::Vector4d(10.0, 8.0, 11.0, 7.0);
    JointPdController law(c.plan, {Kp, VectorXd::Constant(1, 0.9)});
    EXPECT_EQ(law.n_integrals(), 0);
    control::Command command;
    law.evaluate(c.t, c.measured, VectorXd(0), command);
    VectorXd tau = planned(c, &control::PlanPoint::tau);
    for (Index i = 0; i < 4; ++i)
      tau[i] += Kp[i] * (planned(c, &control::PlanPoint::theta)[i] - c.measured.q[3 + i]) +
                0.9 * (planned(c, &control::PlanPoint::theta_dot)[i] - c.measured.v[3 + i]);
    EXPECT_THAT(command.tau, EigenNear(tau, 1e-12));
    EXPECT_EQ(command.integral_rate.size(), 0);
    EXPECT_THAT(command.alpha,
                EigenNear(VectorXd(c.plan->points[0].G_null.transpose() * c.measured.lambda_N), 1e-12));
    EXPECT_THAT(command.alpha_des, EigenNear(c.alpha_des(), 1e-12));
    // Beyond its end the plan rests.
    law.evaluate(2.0, c.measured, VectorXd(0), command);
    const control::PlanPoint& last = c.plan->points[1];
    const VectorXd at_rest =
        last.tau + Kp.cwiseProduct(last.theta - c.measured.q.tail(4)) - 0.9 * c.measured.v.tail(4);
    EXPECT_THAT(command.tau, EigenNear(at_rest, 1e-12));
  }
}

TEST(JointPdTest, RefusesGainsAndPlansOfOtherSizes) {
  const test::WholeArmCase c = joint_case(1);
  const VectorXd one = VectorXd::Constant(1, 5.0);
  EXPECT_NO_THROW(JointPdController(c.plan, {one, one}));
  EXPECT_THROW(JointPdController(c.plan, {VectorXd::Constant(3, 5.0), one}), InvalidArgument);
  EXPECT_THROW(JointPdController(c.plan, {one, VectorXd::Constant(1, std::nan(""))}), InvalidArgument);
  EXPECT_THROW(JointPdController(nullptr, {one, one}), InvalidArgument);
  for (auto what : {&control::PlanPoint::tau, &control::PlanPoint::theta, &control::PlanPoint::theta_dot,
                    &control::PlanPoint::alpha_des}) {
    const auto plan = std::make_shared<control::Plan>(*c.plan);
    (plan->points[1].*what) = VectorXd::Zero(2);
    EXPECT_THROW(JointPdController(plan, {one, one}), InvalidArgument);
  }
}

/// M_a(θ̈* − θ̈) + Jᵀ(λ_f − λ), zero if the law's torque is that of its equations, at the accelerations of
/// rigid bodies under it.
struct JointMotion {
  VectorXd theta_ddot_wanted;  // θ̈_d + K_v ė + K_p e
  test::RigidMotion motion;
  MatrixXd M_a, J_T;
};

JointMotion joint_motion(const test::WholeArmCase& c, ComputedTorqueController& law) {
  control::Command command;
  law.evaluate(c.t, c.measured, VectorXd(0), command);
  EXPECT_FALSE(command.singular);
  EXPECT_EQ(command.integral_rate.size(), 0);
  JointMotion out;
  out.motion = test::rigid_motion(c.hand, c.mu, c.point().modes, c.measured.q, c.measured.v, command.tau);
  out.theta_ddot_wanted = planned(c, &control::PlanPoint::theta_ddot) +
                          c.gains.Kv * (planned(c, &control::PlanPoint::theta_dot) - c.measured.v.tail(4)) +
                          c.gains.Kp * (planned(c, &control::PlanPoint::theta) - c.measured.q.tail(4));
  mechanics::Dynamics dynamics;
  c.hand.mechanism->dynamics(c.measured.q, c.measured.v, dynamics);
  out.M_a = dynamics.M.bottomRightCorner(4, 4);
  out.J_T = -out.motion.W_mu.bottomRows(4);
  return out;
}

// M_a(ë_θ + K_v ė_θ + K_p e_θ) + Jᵀ(λ_d − λ) = 0 with the planned forces.          [eq:computed-torque]
TEST(ComputedTorqueTest, JointErrorsAndMissingForcesBalance) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const test::WholeArmCase c = joint_case(seed);
    ComputedTorqueController law(c.model(), c.trajectory, c.plan, c.gains);
    const JointMotion at = joint_motion(c, law);
    const VectorXd rest = at.M_a * (at.theta_ddot_wanted - at.motion.v_dot.tail(4)) +
                          at.J_T * (planned(c, &control::PlanPoint::lambda_N) - at.motion.lambda);
    EXPECT_THAT(rest, EigenNear(VectorXd::Zero(4), 1e-9)) << "seed " << seed;
  }
}

// Read again and again at a held state, the wrench settles, and then Hᵀ M_a(ë + K_v ė + K_p e) = 0.
// [eq:computed-torque]
TEST(ComputedTorqueTest, MeasuredWrenchSettlesToTheWantedJointMotion) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    test::WholeArmCase c = joint_case(seed);
    ComputedTorqueController law(c.model(), c.trajectory, c.plan, c.gains, ContactForces::kMeasured);
    VectorXd residual;
    std::vector<double> sizes;
    for (int k = 0; k < 400; ++k) {
      const JointMotion at = joint_motion(c, law);
      const MatrixXd H_T = at.motion.W_mu.topRows(3) * at.J_T.inverse();
      residual = H_T * at.M_a * (at.theta_ddot_wanted - at.motion.v_dot.tail(4));
      sizes.push_back(residual.norm());
      c.measured.lambda_N = at.motion.lambda;
      for (Index i = 0; i < 4; ++i)
        c.measured.lambda_T[i] =
            -slip_sign(c.point().modes[static_cast<std::size_t>(i)]) * c.mu[i] * at.motion.lambda[i];
    }
    EXPECT_LT(sizes.back(), 1e-9 * (1.0 + sizes.front())) << "seed " << seed;
    EXPECT_GT(sizes.front(), 1e-3) << "seed " << seed;
  }
}

TEST(ComputedTorqueTest, RefusesPlansWithoutForcesOrJointAngles) {
  const test::WholeArmCase c = joint_case(2);
  for (auto what : {&control::PlanPoint::lambda_N, &control::PlanPoint::lambda_T}) {
    const auto plan = std::make_shared<control::Plan>(*c.plan);
    (plan->points[1].*what) = VectorXd::Zero(2);
    EXPECT_THROW(ComputedTorqueController(c.model(), c.trajectory, plan, c.gains), InvalidArgument);
  }
  const auto plan = std::make_shared<control::Plan>(*c.plan);
  plan->points[1].theta = VectorXd::Zero(3);
  EXPECT_THROW(ComputedTorqueController(c.model(), c.trajectory, plan, c.gains), InvalidArgument);
}

}  // namespace
}  // namespace enfold::controllers
