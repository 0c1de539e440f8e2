// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/mechanics/load.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "enfold/base/error.hpp"

namespace enfold::mechanics {
namespace {

// fᵀv is the power of F at the velocity of the body's point, plus that of the moment.
TEST(PlanarObjectLoadTest, PowerIsThatOfTheForceAtItsPoint) {
  const Vector2d point{0.1, -0.3};
  const PlanarObjectLoad load({{point, {{0.5, {1.0, -2.0}, 0.4}, {1.5, {3.0, 0.0}, -0.2}}}});
  VectorXd f = VectorXd::Zero(5);
  VectorXd q = VectorXd::Zero(5);
  q.head<3>() << 0.2, 0.4, 0.7;
  const Eigen::Vector3d v{0.3, -0.6, 2.0};
  const Vector2d arm = Eigen::Rotation2Dd(0.7) * point;
  const Vector2d velocity = v.head<2>() + v[2] * Vector2d(-arm.y(), arm.x());
  // Linear between the knots, constant outside them.
  for (const auto& [t, share] : {std::pair{0.0, 0.0}, {0.5, 0.0}, {0.9, 0.4}, {1.5, 1.0}, {9.0, 1.0}}) {
    const Vector2d force = Vector2d(1.0, -2.0) + share * Vector2d(2.0, 2.0);
    load.generalised_force(t, q, f);
    EXPECT_NEAR(f.head<3>().dot(v), force.dot(velocity) + (0.4 - 0.6 * share) * v[2], 1e-12) << t;
    EXPECT_EQ(f.tail(2), Vector2d::Zero());
  }
}

TEST(PlanarObjectLoadTest, RefusesKnotsThatAreNotInOrder) {
  EXPECT_THROW(PlanarObjectLoad({{{0, 0}, {}}}), InvalidArgument);
  EXPECT_THROW(PlanarObjectLoad({{{0, 0}, {{1.0, {0, 0}, 0}, {1.0, {0, 0}, 0}}}}), InvalidArgument);
}

}  // namespace
}  // namespace enfold::mechanics
