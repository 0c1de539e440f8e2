// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/geometry/convex_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "enfold/base/counter_random.hpp"
#include "enfold/test/test_shapes.hpp"

namespace enfold::geometry {
namespace {

using test::kPi;

TEST(ConvexCurveTest, BoundaryPointReachesTheSupportAndNoOtherPointReachesFurther) {
  const test::Trilobe curve{0.12, 0.01};
  for (int i = 0; i < 60; ++i) {
    const double beta = 2.0 * kPi * i / 60;
    const Vector2d u{std::cos(beta), std::sin(beta)};
    EXPECT_NEAR(u.dot(curve.boundary_point(beta)), curve.support(beta).h, 1e-15);
    for (int j = 1; j < 60; ++j)
      EXPECT_LT(u.dot(curve.boundary_point(2.0 * kPi * (i + j) / 60)), curve.support(beta).h);
  }
}

TEST(ConvexCurveTest, BoundaryOfAnOffCentreDiskIsThatDisk) {
  const Vector2d e{0.03, -0.02};
  const test::OffCentreDisk disk{0.1, e};
  for (int i = 0; i < 24; ++i) {
    const double beta = 2.0 * kPi * i / 24;
    const Vector2d p = disk.boundary_point(beta);
    EXPECT_NEAR(p.x(), e.x() + 0.1 * std::cos(beta), 1e-15);
    EXPECT_NEAR(p.y(), e.y() + 0.1 * std::sin(beta), 1e-15);
    EXPECT_NEAR(disk.support(beta).curvature_radius(), 0.1, 1e-15);
  }
}

TEST(ConvexCurveTest, ContainsAgreesWithTheEquationOfTheEllipse) {
  const CounterRandom random(11, 0);
  for (const auto& [a, b] : {std::pair{0.15, 0.11}, std::pair{0.3, 0.03}, std::pair{0.05, 0.4}}) {
    const Ellipse ellipse{a, b};
    int inside = 0;
    for (std::uint64_t k = 0; k < 2000; ++k) {
      const Vector2d p{1.2 * a * random.symmetric(2 * k), 1.2 * b * random.symmetric(2 * k + 1)};
      const double level = std::pow(p.x() / a, 2) + std::pow(p.y() / b, 2);
      if (std::abs(level - 1.0) < 1e-9) continue;
      EXPECT_EQ(ellipse.contains(p), level < 1.0) << p.transpose();
      inside += level < 1.0 ? 1 : 0;
    }
    EXPECT_GT(inside, 800);  // both answers were asked for
    EXPECT_LT(inside, 1400);
  }
}

TEST(ConvexCurveTest, ContainsTellsPointsAHairInsideFromPointsAHairOutside) {
  const test::Trilobe trilobe{0.12, 0.014};
  const Ellipse needle{0.3, 0.01};
  for (const ConvexCurve* curve :
       {static_cast<const ConvexCurve*>(&trilobe), static_cast<const ConvexCurve*>(&needle)})
    for (int i = 0; i < 97; ++i) {  // 97: the normals fall between the samples of any coarse search
      const double beta = 2.0 * kPi * i / 97;
      const Vector2d u{std::cos(beta), std::sin(beta)};
      EXPECT_TRUE(curve->contains(curve->boundary_point(beta) - 1e-9 * u)) << "beta " << beta;
      EXPECT_FALSE(curve->contains(curve->boundary_point(beta) + 1e-9 * u)) << "beta " << beta;
    }
}

TEST(ConvexCurveTest, ContainsTheOriginOfTheBodyOnlyIfTheCurveGoesAroundIt) {
  EXPECT_TRUE(test::OffCentreDisk(0.1, {0.05, 0.0}).contains(Vector2d::Zero()));
  EXPECT_FALSE(test::OffCentreDisk(0.1, {0.15, 0.0}).contains(Vector2d::Zero()));
}

}  // namespace
}  // namespace enfold::geometry
