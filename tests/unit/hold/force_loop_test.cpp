// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/controllers/force_loop.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "enfold/base/error.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/whole_arm_case.hpp"

namespace enfold::controllers {
namespace {

// One newton missing at one contact is answered by the torques of K_λ newtons there, along its normal.
TEST(ForceLoopTest, AddsTheTorquesOfTheMissingForces) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const test::WholeArmCase c = test::whole_arm_case({}, seed);
    WholeArmController base = c.controller();
    ForceLoopController law(c.model(), c.trajectory, c.plan, c.gains, 1.7);
    control::Command plain, looped;
    base.evaluate(c.t, c.measured, c.integral, plain);
    law.evaluate(c.t, c.measured, c.integral, looped);
    // Two routes: gradients of the gaps instead of J̃, and λ* from the accelerations that the plain torque
    // gives an exact rigid world.
    const MatrixXd W_N = c.hand.kinematics(c.measured.q, c.measured.v).W_N;
    const test::RigidMotion exact =
        test::rigid_motion(c.hand, c.mu, c.point().modes, c.measured.q, c.measured.v, plain.tau);
    const VectorXd expected = plain.tau - 1.7 * W_N.bottomRows(4) * (exact.lambda - c.measured.lambda_N);
    EXPECT_LT((looped.tau - expected).norm(), 1e-9 * (1.0 + expected.norm())) << seed;
    EXPECT_EQ(looped.integral_rate, plain.integral_rate);
  }
}

TEST(ForceLoopTest, IsTheWholeArmLawAtZeroGainAndBeforeTheFirstReading) {
  test::WholeArmCase c = test::whole_arm_case({}, 3);
  WholeArmController base = c.controller();
  ForceLoopController off(c.model(), c.trajectory, c.plan, c.gains, 0.0);
  ForceLoopController on(c.model(), c.trajectory, c.plan, c.gains, 2.0);
  control::Command plain, looped;
  base.evaluate(c.t, c.measured, c.integral, plain);
  off.evaluate(c.t, c.measured, c.integral, looped);
  EXPECT_EQ(plain.tau, looped.tau);
  c.measured.forces_valid = false;
  base.evaluate(c.t, c.measured, c.integral, plain);
  on.evaluate(c.t, c.measured, c.integral, looped);
  EXPECT_EQ(plain.tau, looped.tau);
}

TEST(ForceLoopTest, RefusesContactsThatRoll) {
  test::WholeArmCase c = test::whole_arm_case({}, 1);
  const auto rolling = std::make_shared<control::Plan>(*c.plan);
  rolling->points[1].modes[0] = contact::ContactMode::kRoll;
  EXPECT_THROW(ForceLoopController(c.model(), c.trajectory, rolling, c.gains, 1.0), InvalidArgument);
}

TEST(ForceLoopTest, RefusesNegativeAndInfiniteGains) {
  const test::WholeArmCase c = test::whole_arm_case({}, 1);
  EXPECT_THROW(ForceLoopController(c.model(), c.trajectory, c.plan, c.gains, -1.0), InvalidArgument);
  EXPECT_THROW(
      ForceLoopController(c.model(), c.trajectory, c.plan, c.gains, std::numeric_limits<double>::infinity()),
      InvalidArgument);
}

}  // namespace
}  // namespace enfold::controllers
