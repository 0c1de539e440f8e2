// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/spline_path.hpp"

#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "enfold/planners/planned_motion.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::planners {
namespace {

std::vector<VectorXd> random_polygon(std::uint64_t seed, int corners) {
  const CounterRandom random(seed, 32);
  std::vector<VectorXd> out;
  for (int i = 0; i < corners; ++i)
    out.push_back(test::random_vector(random, 3 * static_cast<std::uint64_t>(i), 3));
  return out;
}

control::Reference spline_at(const control::Trajectory& path, double t) {
  control::Reference out;
  path.sample(t, out);
  return out;
}

TEST(SplinePathTest, RestsAtBothEndsAndDerivativesAreThoseOfThePose) {
  const std::vector<VectorXd> corners = random_polygon(1, 5);
  const SplinePath path(corners, {}, 40, 2.0);
  EXPECT_LT((spline_at(path, 0.0).x - corners.front()).norm(), 1e-14);
  EXPECT_LT((spline_at(path, 2.0).x - corners.back()).norm(), 1e-13);
  for (const double t : {0.0, 2.0}) {
    EXPECT_LT(spline_at(path, t).x_dot.norm(), 1e-11);
    EXPECT_LT(spline_at(path, t).x_ddot.norm(), 1e-9);
    EXPECT_GT(spline_at(path, t).x_dddot.norm(), 1e-3);
  }
  constexpr double kStep = 1e-4;
  for (double t = 0.01; t < 1.99; t += 0.0173) {
    const control::Reference at = spline_at(path, t);
    const control::Reference a = spline_at(path, t - kStep);
    const control::Reference b = spline_at(path, t + kStep);
    EXPECT_LT(((b.x - a.x) / (2 * kStep) - at.x_dot).norm(), 1e-4 * (1.0 + at.x_dot.norm())) << t;
    EXPECT_LT(((b.x_dot - a.x_dot) / (2 * kStep) - at.x_ddot).norm(), 1e-4 * (1.0 + at.x_ddot.norm())) << t;
    EXPECT_LT(((b.x_ddot - a.x_ddot) / (2 * kStep) - at.x_dddot).norm(), 1e-3 * (10.0 + at.x_dddot.norm()))
        << t;
  }
}

// Three edges in three independent directions: the velocity is a combination of them without a negative
// factor, and with many pieces of one or two neighbours only.
TEST(SplinePathTest, VelocityLiesBetweenNeighbouringEdges) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::vector<VectorXd> corners = random_polygon(100 + seed, 4);
    MatrixXd edges(3, 3);
    for (Index j = 0; j < 3; ++j)
      edges.col(j) = corners[static_cast<std::size_t>(j) + 1] - corners[static_cast<std::size_t>(j)];
    const Eigen::FullPivLU<MatrixXd> lu(edges);
    for (const int pieces : {1, 3, 10, 400}) {
      const SplinePath path(corners, {}, pieces, 1.0);
      for (int k = 1; k < 1000; ++k) {
        const VectorXd share = lu.solve(spline_at(path, k / 1000.0).x_dot);
        EXPECT_GE(share.minCoeff(), -1e-11);
        if (pieces < 400) continue;
        EXPECT_LE(std::min(share[0], share[2]), 1e-9 * share.maxCoeff());
      }
    }
  }
}

TEST(SplinePathTest, StagesFollowOneAnotherAndScaleTogether) {
  const std::vector<VectorXd> corners = random_polygon(7, 3);
  const StagedPath path(
      {SplinePath({corners[0], corners[1]}, {}, 8, 1.0), SplinePath({corners[1], corners[2]}, {}, 8, 3.0)});
  EXPECT_DOUBLE_EQ(path.duration(), 4.0);
  EXPECT_LT((spline_at(path, 1.0).x - corners[1]).norm(), 1e-14);
  EXPECT_LT(spline_at(path, 1.0).x_dot.norm(), 1e-11);
  const StagedPath slow = path.in(8.0);
  for (double t = 0.05; t < 4.0; t += 0.1) {
    EXPECT_LT((spline_at(slow, 2.0 * t).x - spline_at(path, t).x).norm(), 1e-13);
    EXPECT_LT((2.0 * spline_at(slow, 2.0 * t).x_dot - spline_at(path, t).x_dot).norm(), 1e-11);
  }
}

// There and back with a rest between, early or late in the whole motion: next to the rest, where the slip is
// hardly more than rounding, its directions are those of the leg.
TEST(SplinePathTest, SlipDirectionsNextToARestAreThoseOfItsSide) {
  const test::PaperHand hand = test::paper_hand();
  const VectorXd a = Eigen::Vector3d(0.0, 0.15, 1.40);
  const VectorXd b = Eigen::Vector3d(0.0, 0.15, 1.45);
  for (const double first : {1.0, 3.0}) {
    const auto path = std::make_shared<const StagedPath>(
        std::vector<SplinePath>{SplinePath({a, b}, {}, 64, first), SplinePath({b, a}, {}, 64, 4.0 - first)});
    const PlannedMotion motion(hand.mechanism, hand.contacts, VectorXd::Constant(4, 0.1),
                               std::vector<contact::ContactMode>(4, contact::ContactMode::kSlidePlus), path);
    const auto modes_at = [&](double t) {
      MotionPoint at;
      motion.sample(t, {}, at);
      EXPECT_TRUE(at.ok()) << at.reason;
      return at.modes;
    };
    const std::vector<contact::ContactMode> there = modes_at(0.5 * first);
    const std::vector<contact::ContactMode> back = modes_at(first + 0.5 * (4.0 - first));
    EXPECT_NE(there, back);
    for (const double before : {1e-2, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
      EXPECT_EQ(modes_at(first - before), there) << first << " " << before;
      EXPECT_EQ(modes_at(first + before), back) << first << " " << before;
    }
    EXPECT_EQ(modes_at(0.0), there);
    EXPECT_EQ(modes_at(4.0), back);
  }
}

TEST(SplinePathTest, RefusesWhatIsNoPolygon) {
  const std::vector<VectorXd> corners = random_polygon(8, 2);
  EXPECT_THROW(SplinePath({corners[0]}, {}, 4, 1.0), InvalidArgument);
  EXPECT_THROW(SplinePath({corners[0], corners[0]}, {}, 4, 1.0), InvalidArgument);
  EXPECT_THROW(SplinePath(corners, {1.0, 2.0}, 4, 1.0), InvalidArgument);
  EXPECT_THROW(SplinePath(corners, {}, 0, 1.0), InvalidArgument);
  EXPECT_THROW(SplinePath(corners, {}, 4, 0.0), InvalidArgument);
  EXPECT_THROW(StagedPath({}), InvalidArgument);
}

}  // namespace
}  // namespace enfold::planners
