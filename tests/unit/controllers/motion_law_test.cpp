// SPDX-License-Identifier: BSD-3-Clause
// The theorem in motion coordinates: rolling and sliding contacts, arms with joints to spare.
#include <gtest/gtest.h>

#include <cmath>

#include "enfold/grasp/motion_coordinates.hpp"
#include "enfold/sim/rigid_plant.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/random_law_case.hpp"

namespace enfold::controllers {
namespace {

using contact::ContactMode;
using test::EigenNear;

// Theorem 3.1 for any modes: with an exact model the named coordinates obey ë + K_v ė + K_p e = 0, the forces
// carry α_d + K_α ∫e_α, and the arms' self-motions follow the posture. The plant is a linear system of M, W
// and W̃ of the test's own.                                  [eq:motion-coordinates] [eq:S4.14] [eq:S4.15]
TEST(MotionLawTest, ErrorEquationsHoldForRollingSlidingAndOpenContacts) {
  int cases = 0;
  int rolling = 0;
  int redundant = 0;
  std::vector<int> by_motion(4, 0);
  const int wanted = test::count(150, 3000);
  for (std::uint64_t seed = 0; cases < wanted && seed < 100'000; ++seed) {
    const auto hand = test::varied_hands()[seed % 4];
    const std::optional<test::RandomLawCase> drawn = test::random_law_case(hand, seed);
    if (!drawn) continue;
    const test::RandomLawCase& c = *drawn;
    mechanics::Dynamics dynamics;
    c.hand.mechanism->dynamics(c.measured.q, c.measured.v, dynamics);
    const Index n = c.measured.q.size();
    const Index k = c.W.cols();
    MatrixXd kkt = MatrixXd::Zero(n + k, n + k);
    kkt.topLeftCorner(n, n) = dynamics.M;
    kkt.topRightCorner(n, k) = -c.W;
    kkt.bottomLeftCorner(k, n) = c.W_tilde.transpose();
    const Eigen::FullPivLU<MatrixXd> lu(kkt);
    if (lu.rcond() < 1e-9) continue;  // YᵀMZ is singular near by
    WholeArmController controller({c.hand.mechanism, c.hand.contacts, c.mu, c.coordinates}, c.trajectory,
                                  c.plan, c.gains);
    control::Command command;
    controller.evaluate(0.4, c.measured, c.integral, command);
    ASSERT_FALSE(command.singular) << "seed " << seed;
    VectorXd right(n + k);
    right << -dynamics.h, -c.bias;
    right.segment(3, n - 3) += command.tau;
    const VectorXd solution = lu.solve(right);
    const VectorXd v_dot = solution.head(n);
    const VectorXd lambda = solution.tail(k);
    const double scale = 1.0 + v_dot.norm() + lambda.norm();
    for (const Index i : c.coordinates) {
      const double error = c.trajectory->now.x_ddot[i] - v_dot[i] +
                           c.gains.Kv * (c.trajectory->now.x_dot[i] - c.measured.v[i]) +
                           c.gains.Kp * (c.trajectory->now.x[i] - c.measured.q[i]);
      EXPECT_NEAR(error, 0.0, 1e-8 * scale) << "seed " << seed << ", coordinate " << i;
    }
    const control::PlanPoint& point = c.plan->points[0];
    if (k > 3) {
      const MatrixXd basis = test::nearest_null_basis(c.W.topRows(3), point.G_null);
      const VectorXd alpha = basis.transpose() * lambda;
      EXPECT_THAT(alpha, EigenNear(VectorXd(point.alpha_des + c.gains.Kalpha * c.integral), 1e-8 * scale))
          << "seed " << seed;
    }
    MatrixXd T(k + static_cast<Index>(c.coordinates.size()), n);
    T.setZero();
    T.topRows(k) = c.W_tilde.transpose();
    for (std::size_t i = 0; i < c.coordinates.size(); ++i)
      T(k + static_cast<Index>(i), c.coordinates[i]) = 1.0;
    if (T.rows() < n) {
      const MatrixXd self = Eigen::FullPivLU<MatrixXd>(T).kernel();
      EXPECT_LT(self.topRows(3).norm(), 1e-9);
      VectorXd posture = VectorXd::Zero(n);
      posture.tail(n - 3) = point.theta_ddot + c.gains.Kv * (point.theta_dot - c.measured.v.tail(n - 3)) +
                            c.gains.Kp * (point.theta - c.measured.q.tail(n - 3));
      EXPECT_THAT(VectorXd(self.transpose() * (posture - v_dot)),
                  EigenNear(VectorXd::Zero(self.cols()), 1e-8 * scale))
          << "seed " << seed;
      ++redundant;
    }
    ++cases;
    ++by_motion[c.coordinates.size()];
    for (const ContactMode mode : c.modes) rolling += mode == ContactMode::kRoll ? 1 : 0;
  }
  EXPECT_EQ(cases, wanted);
  EXPECT_GT(rolling, cases / 2);
  EXPECT_GT(redundant, cases / 10);
  for (const std::size_t n_xi : {1U, 2U, 3U}) EXPECT_GT(by_motion[n_xi], cases / 20) << n_xi;
}

// The same against the simulator's rigid plant, where its forces press: cases (a), (b) and (c) of S4.
TEST(MotionLawTest, RigidPlantAcceleratesAsTheLawWants) {
  int cases = 0;
  const int wanted = test::count(30, 500);
  for (std::uint64_t seed = 0; cases < wanted && seed < 100'000; ++seed) {
    std::optional<test::RandomLawCase> drawn = test::random_law_case({}, seed);
    if (!drawn || drawn->W.cols() < 4) continue;
    test::RandomLawCase& c = *drawn;
    // A squeeze that presses: large multiples of a null vector with positive normals, if there is one.
    const MatrixXd& basis = c.plan->points[0].G_null;
    Index n_N = 0;
    for (const ContactMode mode : c.modes) n_N += mode == ContactMode::kOpen ? 0 : 1;
    VectorXd ones = VectorXd::Zero(basis.rows());
    ones.head(n_N).setOnes();
    const VectorXd squeeze = basis.transpose() * ones;
    if ((basis * squeeze).head(n_N).minCoeff() < 0.05) continue;
    for (control::PlanPoint& point : c.plan->points) point.alpha_des = 500.0 * squeeze;
    sim::RigidPlant plant({c.hand.mechanism, c.hand.contacts, c.mu}, {.drift_frequency = 0.0});
    plant.set_modes(c.modes);
    WholeArmController controller({c.hand.mechanism, c.hand.contacts, c.mu, c.coordinates}, c.trajectory,
                                  c.plan, c.gains);
    control::Command command;
    controller.evaluate(0.0, c.measured, VectorXd::Zero(basis.cols()), command);
    if (plant.solve(c.measured.q, c.measured.v, command.tau) != sim::ContactSolveStatus::kSolved ||
        plant.test_uniqueness().status != lcp::PMatrixStatus::kP)
      continue;
    for (const Index i : c.coordinates) {
      const double wanted_rate = c.trajectory->now.x_ddot[i] +
                                 c.gains.Kv * (c.trajectory->now.x_dot[i] - c.measured.v[i]) +
                                 c.gains.Kp * (c.trajectory->now.x[i] - c.measured.q[i]);
      EXPECT_NEAR(plant.v_dot()[i], wanted_rate, 1e-6) << "seed " << seed;
    }
    c.measured.lambda_N = plant.lambda_N();
    c.measured.lambda_T = plant.lambda_T();
    controller.evaluate(0.0, c.measured, VectorXd::Zero(basis.cols()), command);
    EXPECT_THAT(command.alpha, EigenNear(command.alpha_des, 1e-6)) << "seed " << seed;
    ++cases;
  }
  EXPECT_EQ(cases, wanted);
}

TEST(MotionLawTest, DampedSelfMotionIgnoresThePostureOfThePlan) {
  int cases = 0;
  for (std::uint64_t seed = 0; cases < 5 && seed < 10'000; ++seed) {
    const std::optional<test::RandomLawCase> drawn = test::random_law_case(test::varied_hands()[2], seed);
    if (!drawn) continue;
    const test::RandomLawCase& c = *drawn;
    const Index n = c.measured.q.size();
    const auto n_xi = static_cast<Index>(c.coordinates.size());
    if (c.W.cols() + n_xi == n) continue;
    ++cases;
    for (const SelfMotion policy : {SelfMotion::kDamped, SelfMotion::kPosture}) {
      WholeArmController controller({c.hand.mechanism, c.hand.contacts, c.mu, c.coordinates, policy},
                                    c.trajectory, c.plan, c.gains);
      control::Command first;
      controller.evaluate(0.4, c.measured, c.integral, first);
      for (control::PlanPoint& point : c.plan->points) point.theta.array() += 0.3;
      control::Command second;
      controller.evaluate(0.4, c.measured, c.integral, second);
      EXPECT_EQ((second.tau - first.tau).norm() == 0.0, policy == SelfMotion::kDamped) << "seed " << seed;
    }
  }
  EXPECT_EQ(cases, 5);
}

}  // namespace
}  // namespace enfold::controllers
