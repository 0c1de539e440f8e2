// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/slip_cones.hpp"

#include <gtest/gtest.h>

#include "enfold/grasp/internal_forces.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/uniqueness/friction_margin.hpp"
#include "unique_case.hpp"

namespace enfold::planners {
namespace {

using test::UniqueCase;

// The slip of the closed hand moving with a random velocity, and A of the grasp in these modes.
TEST(SlipConesTest, PatternsAndMatricesAreThoseOfTheMovingHand) {
  const UniqueCase c = test::unique_case();
  const CounterRandom random(1, 31);
  SlipCones cones = c.cones();
  std::uint64_t drawn = 0;
  for (std::uint64_t k = 0; k < 50; ++k) {
    const VectorXd x = c.pose(random, drawn);
    ASSERT_TRUE(cones.move_to(x));
    const VectorXd q = c.hand.closed(x);
    const VectorXd x_dot =
        Eigen::Vector3d(1.0, 1.0, 10.0).cwiseProduct(test::random_vector(random, 1000000 + 3 * k, 3));
    const VectorXd v = test::closed_velocity(c.hand, q, x_dot);
    const contact::ContactKinematics kinematics = c.hand.kinematics(q, v);
    const VectorXd slip = kinematics.W_T.transpose() * v;
    EXPECT_LT((cones.S() * x_dot - slip).norm(), 1e-10 * (1.0 + slip.norm()));
    const SlipPattern pattern = cones.pattern(x_dot);
    std::vector<contact::ContactMode> modes = test::sliding_modes(c.hand, q, x_dot);
    EXPECT_EQ(test::modes_of(pattern), modes);
    mechanics::Dynamics dynamics;
    c.hand.mechanism->dynamics(q, v, dynamics);
    const auto compare = [&](const uniqueness::FrictionFamily& found) {
      const uniqueness::GraspFamily expected = uniqueness::friction_family(dynamics.M, kinematics, modes);
      EXPECT_LT((found.A_0 - expected.family.A_0).norm(), 1e-9);
      EXPECT_LT((found.A_1 - expected.family.A_1).norm(), 1e-9);
    };
    compare(cones.family(pattern));
    for (Index i = 0; i < 4; ++i) {
      modes = test::modes_of(pattern);
      modes[static_cast<std::size_t>(i)] = contact::ContactMode::kRoll;
      compare(cones.family(pattern, i));
    }
  }
}

// Allowed: the largest certified cube is as large as the margin, and the null vector of G, scaled until its
// smallest entry is Λ, stays below the limit.
TEST(SlipConesTest, AllowedConesHaveTheMarginAndASqueeze) {
  const CounterRandom random(2, 31);
  int allowed = 0;
  int of_margin = 0;
  int of_squeeze = 0;
  for (const double margin : {0.0, 0.05}) {
    const UniqueCase c = test::unique_case(margin);
    SlipCones cones = c.cones();
    std::uint64_t drawn = 0;
    for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(test::count(30, 1000)); ++k) {
      const VectorXd x = c.pose(random, drawn);
      ASSERT_TRUE(cones.move_to(x));
      const contact::ContactKinematics kinematics =
          c.hand.kinematics(c.hand.closed(x), VectorXd::Zero(c.hand.mechanism->n_v()));
      for (SlipPattern pattern = 0; pattern < 16; ++pattern) {
        const uniqueness::FrictionMargin found =
            uniqueness::friction_margin(cones.family(pattern), c.grasp.mu);
        const bool unique = found.status == uniqueness::MarginStatus::kUnbounded ||
                            (found.status == uniqueness::MarginStatus::kFinite && found.half_width > margin);
        grasp::GraspMatrices grasp;
        grasp::assemble(kinematics, test::modes_of(pattern), c.grasp.mu, 3, grasp);
        const VectorXd null = Eigen::FullPivLU<MatrixXd>(grasp.G).kernel().col(0);
        const double ratio = null.minCoeff() / null.maxCoeff();
        const bool squeeze = ratio > 0.0 && std::max(ratio, 1.0 / ratio) <= c.grasp.limits.max_normal;
        EXPECT_EQ(cones.allows(pattern), unique && squeeze) << "pose " << k << " pattern " << pattern;
        allowed += unique && squeeze ? 1 : 0;
        of_margin += unique ? 1 : 0;
        of_squeeze += squeeze ? 1 : 0;
      }
    }
  }
  // Neither implies the other.
  EXPECT_GT(allowed, 0);
  EXPECT_GT(of_margin, allowed);
  EXPECT_GT(of_squeeze, allowed);
}

// Between two directions every one in their plane: the same answer as many of them, one by one.
TEST(SlipConesTest, TurnsAreAllowedWhereEveryDirectionBetweenIs) {
  UniqueCase c = test::unique_case();
  c.grasp.mu.setConstant(0.1);  // with more friction turns are rare
  const CounterRandom random(3, 31);
  SlipCones cones = c.cones();
  int turns = 0;
  std::uint64_t drawn = 0;
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(test::count(300, 20000)); ++k) {
    ASSERT_TRUE(cones.move_to(c.pose(random, drawn)));
    const auto draw = [&](std::uint64_t n) {
      return Eigen::Vector3d(1.0, 1.0, 10.0)
          .cwiseProduct(test::random_vector(random, 1000000 + 6 * k + n, 3))
          .eval();
    };
    const VectorXd from = draw(0);
    const VectorXd to = from + 0.7 * draw(3);
    bool allowed = true;
    SlipPattern before = cones.pattern(from);
    for (int i = 0; i <= 2000 && allowed; ++i) {
      const double share = i / 2000.0;
      const SlipPattern now = cones.pattern((1.0 - share) * from + share * to);
      allowed = allowed && cones.allows(now) && cones.allows_change(before, now);
      before = now;
    }
    EXPECT_EQ(cones.allows_turn(from, to), allowed) << k;
    turns += allowed && cones.pattern(from) != cones.pattern(to) ? 1 : 0;
  }
  EXPECT_GT(turns, 0);
}

}  // namespace
}  // namespace enfold::planners
