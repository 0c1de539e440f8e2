// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/round_path.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "enfold/base/error.hpp"
#include "enfold/planners/quintic.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/numeric_derivative.hpp"

namespace enfold::planners {
namespace {

using test::EigenNear;
using test::numeric_derivative;

control::Reference round_at(const control::Trajectory& path, double t) {
  control::Reference out;
  path.sample(t, out);
  return out;
}

RoundPath spiral(double radius_to, double turns = 1.5) {
  return {Eigen::Vector3d(0.13, 0.2, 0.3),
          {.centre = {0.1, 0.16}, .turns = turns, .radius_to = radius_to, .others_to = VectorXd::Ones(1)},
          2.0};
}

TEST(RoundPathTest, CircleKeepsItsDistanceFromTheCentreAndTurnsAsOften) {
  const RoundPath path = spiral(0.05);
  for (const double t : {0.0, 0.3, 1.0, 1.7, 2.0, 3.0})
    EXPECT_NEAR((round_at(path, t).x.head(2) - Vector2d(0.1, 0.16)).norm(), 0.05, 1e-15);
  EXPECT_THAT(round_at(path, 2.0).x, EigenNear(Eigen::Vector3d(0.07, 0.12, 1.0), 1e-15));  // opposite
}

TEST(RoundPathTest, SpiralEndsAtItsLastRadius) {
  EXPECT_NEAR((round_at(spiral(0.02), 2.0).x.head(2) - Vector2d(0.1, 0.16)).norm(), 0.02, 1e-15);
  EXPECT_NEAR((round_at(spiral(0.0), 2.0).x.head(2) - Vector2d(0.1, 0.16)).norm(), 0.0, 1e-15);
}

TEST(RoundPathTest, DerivativesAreThoseOfThePose) {
  for (const double radius : {0.05, 0.01}) {
    const RoundPath path = spiral(radius, -0.7);
    for (const double t : {0.2, 0.9, 1.6}) {
      const control::Reference at = round_at(path, t);
      EXPECT_THAT(at.x_dot,
                  EigenNear(numeric_derivative([&](double s) { return round_at(path, t + s).x; }), 1e-9));
      EXPECT_THAT(at.x_ddot,
                  EigenNear(numeric_derivative([&](double s) { return round_at(path, t + s).x_dot; }), 1e-8));
      EXPECT_THAT(
          at.x_dddot,
          EigenNear(numeric_derivative([&](double s) { return round_at(path, t + s).x_ddot; }), 1e-7));
    }
  }
}

TEST(RoundPathTest, RestsAtBothEnds) {
  for (const double t : {0.0, 2.0}) {
    EXPECT_LT(round_at(spiral(0.03), t).x_dot.norm(), 1e-14);
    EXPECT_LT(round_at(spiral(0.03), t).x_ddot.norm(), 1e-12);
  }
}

TEST(RoundPathTest, RefusesToTurnAboutItsStart) {
  EXPECT_THROW(RoundPath(Eigen::Vector3d::Zero(), {.others_to = VectorXd::Zero(1)}, 1.0), InvalidArgument);
  EXPECT_THROW(RoundPath(Eigen::Vector3d::Ones(), {.others_to = VectorXd::Zero(2)}, 1.0), InvalidArgument);
}

TEST(RetimedTest, HasTheSamePosesAndDerivativesScaledByTheSpeed) {
  const auto base = std::make_shared<Quintic>(Eigen::Vector3d::Zero(), Eigen::Vector3d::Ones(), 1.0);
  const Retimed slow(base, 2.0);
  const Quintic expected(Eigen::Vector3d::Zero(), Eigen::Vector3d::Ones(), 2.0);
  for (const double t : {0.0, 0.5, 1.3, 2.0}) {
    EXPECT_THAT(round_at(slow, t).x, EigenNear(round_at(expected, t).x, 1e-14));
    EXPECT_THAT(round_at(slow, t).x_dot, EigenNear(round_at(expected, t).x_dot, 1e-14));
    EXPECT_THAT(round_at(slow, t).x_ddot, EigenNear(round_at(expected, t).x_ddot, 1e-13));
    EXPECT_THAT(round_at(slow, t).x_dddot, EigenNear(round_at(expected, t).x_dddot, 1e-12));
  }
}

}  // namespace
}  // namespace enfold::planners
