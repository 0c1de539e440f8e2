// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/stick_slip.hpp"

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "enfold/base/error.hpp"
#include "enfold/lcp/enumeration.hpp"
#include "uniqueness_cases.hpp"

namespace enfold::uniqueness {
namespace {

// One mass on a floor: normal y, tangent x.
struct Block {
  MatrixXd M = 2.0 * MatrixXd::Identity(2, 2);
  contact::ContactKinematics kinematics;
  std::vector<test::ContactMode> modes{test::kRoll};

  Block() {
    kinematics.W_N = Vector2d{0.0, 1.0};
    kinematics.W_T = Vector2d{1.0, 0.0};
    kinematics.bias_N = VectorXd::Zero(1);
    kinematics.bias_T = VectorXd::Zero(1);
  }
};

// A block under a push P and a weight N sticks up to |P| = μ N and slips beyond, by Coulomb's law.
// [eq:stick-slip]
TEST(StickSlipTest, BlockSticksWithinTheConeAndSlipsBeyond) {
  const Block block;
  const double mu = 0.5;
  for (const double push : {-9.0, -3.0, 0.0, 4.0, 6.0}) {
    const StickSlipProblem problem = stick_slip_problem(block.M, Vector2d{push, -10.0}, block.kinematics,
                                                        block.modes, VectorXd::Constant(1, mu));
    ASSERT_EQ(problem.lcp.size(), 4);
    const lcp::EnumerationResult found = lcp::enumerate_solutions(problem.lcp);
    ASSERT_FALSE(found.solutions.empty());
    const bool sticks = std::abs(push) <= mu * 10.0;
    for (const lcp::EnumeratedSolution& solution : found.solutions) {
      const double lambda_T = solution.x[1] - solution.x[2];
      EXPECT_NEAR(solution.x[0], 10.0, 1e-9);
      EXPECT_NEAR(lambda_T, sticks ? -push : -std::copysign(5.0, push), 1e-9) << push;
      EXPECT_NEAR((push + lambda_T) / 2.0, sticks ? 0.0 : std::copysign(solution.x[3], push), 1e-9);
    }
  }
}

// The σ rows have zero diagonals. [eq:stick-slip]
TEST(StickSlipTest, MatrixIsNeverP) {
  const Block block;
  const StickSlipProblem problem = stick_slip_problem(block.M, Vector2d{0.0, -1.0}, block.kinematics,
                                                      block.modes, VectorXd::Constant(1, 0.3));
  EXPECT_EQ(test::p_status(problem.lcp.A), lcp::PMatrixStatus::kNotP);
}

// Solutions satisfy the equations of motion and Coulomb's law, checked without the matrix.
TEST(StickSlipTest, SolutionsOfThePapersHandObeyCoulombsLaw) {
  const test::Example2 at(0.4);
  std::vector<test::ContactMode> modes = at.modes;
  modes[0] = test::kRoll;
  modes[3] = test::kRoll;
  const VectorXd mu = VectorXd::Constant(4, 0.2);
  contact::ContactKinematics kinematics;
  mechanics::Dynamics dynamics;
  at.hand.contacts->kinematics(at.q, VectorXd::Zero(7), kinematics);
  at.hand.mechanism->dynamics(at.q, VectorXd::Zero(7), dynamics);
  const CounterRandom random(84, 0);
  for (std::uint64_t n = 0; n < 20; ++n) {
    const VectorXd force = test::random_vector(random, 100 * n, 7);
    const StickSlipProblem problem = stick_slip_problem(dynamics.M, force, kinematics, modes, mu);
    ASSERT_EQ(problem.lcp.size(), 10);
    for (const lcp::EnumeratedSolution& solution : lcp::enumerate_solutions(problem.lcp).solutions) {
      const VectorXd lambda_N = solution.x.head(4);
      VectorXd lambda_T(4);
      lambda_T[0] = solution.x[4] - solution.x[6];
      lambda_T[3] = solution.x[5] - solution.x[7];
      for (const Index i : {1, 2})
        lambda_T[i] =
            modes[static_cast<std::size_t>(i)] == test::kPlus ? -mu[i] * lambda_N[i] : mu[i] * lambda_N[i];
      const VectorXd v_dot =
          dynamics.M.llt().solve(force + kinematics.W_N * lambda_N + kinematics.W_T * lambda_T);
      const VectorXd normal = kinematics.W_N.transpose() * v_dot + kinematics.bias_N;
      const VectorXd slip = kinematics.W_T.transpose() * v_dot + kinematics.bias_T;
      for (Index i = 0; i < 4; ++i) EXPECT_NEAR(std::min(lambda_N[i], normal[i]), 0.0, 1e-7);
      for (const Index i : {0, 3}) {
        EXPECT_LE(std::abs(lambda_T[i]), mu[i] * lambda_N[i] + 1e-7);
        if (std::abs(slip[i]) > 1e-6) {
          EXPECT_NEAR(lambda_T[i], -std::copysign(mu[i] * lambda_N[i], slip[i]), 1e-7);
        }
      }
    }
  }
}

// xᵀ A x over samples of x ≥ 0, the friction forces at their worst, against the core's form.
TEST(StickSlipTest, CopositivityCoreIsTheSmallestValueOfTheForm) {
  const test::Example2 at(0.4);
  std::vector<test::ContactMode> modes = at.modes;
  modes[1] = test::kRoll;
  modes[2] = test::kRoll;
  contact::ContactKinematics kinematics;
  mechanics::Dynamics dynamics;
  at.hand.contacts->kinematics(at.q, VectorXd::Zero(7), kinematics);
  at.hand.mechanism->dynamics(at.q, VectorXd::Zero(7), dynamics);
  const CounterRandom random(85, 0);
  for (const double mu : {0.1, 0.9}) {
    const StickSlipProblem problem =
        stick_slip_problem(dynamics.M, VectorXd::Zero(7), kinematics, modes, VectorXd::Constant(4, mu));
    const std::optional<MatrixXd> core = copositivity_core(problem);
    ASSERT_TRUE(core);
    const MatrixXd& A = problem.lcp.A;
    for (std::uint64_t k = 0; k < 200; ++k) {
      VectorXd x = test::random_vector(random, 100 * k, 10).cwiseAbs();
      const VectorXd lambda_N = x.head(4);
      EXPECT_GE(x.dot(A * x), lambda_N.dot(*core * lambda_N) - 1e-9);
      // The worst friction: ∂(xᵀAx)/∂λ_T = 0.
      const MatrixXd R = A.block(4, 4, 2, 2);
      const MatrixXd C_s = 0.5 * (A.block(0, 4, 4, 2) + A.block(4, 0, 2, 4).transpose());
      const VectorXd lambda_T = -R.llt().solve(C_s.transpose() * lambda_N);
      x.segment(4, 2) = lambda_T.cwiseMax(0.0);
      x.segment(6, 2) = (-lambda_T).cwiseMax(0.0);
      x.tail(2).setZero();
      EXPECT_NEAR(x.dot(A * x), lambda_N.dot(*core * lambda_N), 1e-9);
    }
  }
}

TEST(StickSlipTest, RefusesBadInput) {
  const Block block;
  EXPECT_THROW((void)stick_slip_problem(block.M, VectorXd::Zero(3), block.kinematics, block.modes,
                                        VectorXd::Constant(1, 0.3)),
               InvalidArgument);
  EXPECT_THROW((void)stick_slip_problem(block.M, VectorXd::Zero(2), block.kinematics, block.modes,
                                        VectorXd::Constant(1, -0.3)),
               InvalidArgument);
  EXPECT_THROW((void)stick_slip_problem(-block.M, VectorXd::Zero(2), block.kinematics, block.modes,
                                        VectorXd::Constant(1, 0.3)),
               InvalidArgument);
}

}  // namespace
}  // namespace enfold::uniqueness
