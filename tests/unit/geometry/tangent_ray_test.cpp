// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <vector>

#include "enfold/base/counter_random.hpp"
#include "enfold/base/error.hpp"
#include "enfold/test/test_shapes.hpp"

namespace enfold::geometry {
namespace {

using test::kPi;
constexpr Side kSides[] = {Side::kLeft, Side::kRight};

double angle_between(double a, double b) {
  return std::abs(std::remainder(a - b, 2.0 * kPi));
}

Vector2d unit(double angle) {
  return {std::cos(angle), std::sin(angle)};
}

/// A point at `distance` from the boundary, outwards, at the boundary point with normal β.
Vector2d point_outside(const ConvexCurve& curve, double beta, double distance) {
  return curve.boundary_point(beta) + distance * unit(beta);
}

/// What makes a ray tangent, said without angles of normals: the nearest boundary point of the side the body
/// lies on is at height 0 over the line, and it is the point p + s·d.
struct Lowest {
  double height;  // of the body over the line, on the asked side
  double along;   // of that point, from p
};
Lowest lowest_over_line(const ConvexCurve& curve, double radius, const Vector2d& p, double psi, Side side) {
  const Vector2d d = unit(psi);
  const double turn = side == Side::kLeft ? 1.0 : -1.0;
  const Vector2d up = turn * Vector2d{-d.y(), d.x()};
  const auto point = [&](double beta) -> Vector2d {
    return curve.boundary_point(beta) + radius * unit(beta);
  };
  const auto height = [&](double beta) { return up.dot(point(beta) - p); };
  constexpr int kSamples = 4000;
  int best = 0;
  for (int i = 1; i < kSamples; ++i)
    if (height(2.0 * kPi * i / kSamples) < height(2.0 * kPi * best / kSamples)) best = i;
  double lo = 2.0 * kPi * (best - 1) / kSamples;
  double hi = 2.0 * kPi * (best + 1) / kSamples;
  while (hi - lo > 1e-9) {
    const double third = (hi - lo) / 3.0;
    if (height(lo + third) < height(hi - third))
      hi -= third;
    else
      lo += third;
  }
  return {height(0.5 * (lo + hi)), d.dot(point(0.5 * (lo + hi)) - p)};
}

// [eq:tangent-ray]
TEST(TangentRayTest, RayTouchesTheOffsetCurveOnTheAskedSideForEveryShape) {
  std::vector<std::unique_ptr<ConvexCurve>> curves;
  curves.push_back(std::make_unique<test::HiddenEllipse>(0.15, 0.11));
  curves.push_back(std::make_unique<test::HiddenEllipse>(0.05, 0.3));
  curves.push_back(std::make_unique<test::Trilobe>(0.12, 0.014));
  curves.push_back(std::make_unique<test::OffCentreDisk>(0.1, Vector2d{0.25, 0.1}));
  const CounterRandom random(5, 1);
  std::uint64_t draw = 0;
  for (const auto& curve : curves)
    for (const double radius : {0.0, 0.012})
      for (int k = 0; k < 25; ++k) {
        const double beta = kPi * random.symmetric(draw++);
        const Vector2d p = point_outside(*curve, beta, radius + 0.005 + 0.4 * random.uniform(draw++));
        for (const Side side : kSides) {
          const TangentRay ray = tangent_ray(*curve, p, side, radius);
          ASSERT_EQ(ray.status, TangentRay::Status::kFound);
          const Lowest touch = lowest_over_line(*curve, radius, p, ray.psi, side);
          EXPECT_NEAR(touch.height, 0.0, 1e-14);
          EXPECT_GT(ray.distance, 0.0);
          EXPECT_LE(std::abs(ray.psi), kPi);
          EXPECT_NEAR(touch.along, ray.distance,
                      1e-8);  // the search above finds a minimum, hence half the digits
        }
      }
}

TEST(TangentRayTest, NewtonRouteAgreesWithTheClosedFormOfTheEllipse) {
  const CounterRandom random(7, 0);
  std::uint64_t draw = 0;
  for (const auto& [a, b] :
       {std::pair{0.15, 0.11}, std::pair{0.11, 0.15}, std::pair{0.3, 0.02}, std::pair{0.1, 0.1}}) {
    const Ellipse ellipse{a, b};
    const test::HiddenEllipse hidden{a, b};
    for (int k = 0; k < 200; ++k) {
      const double beta = kPi * random.symmetric(draw++);
      const Vector2d p = point_outside(ellipse, beta, 0.003 + random.uniform(draw++));
      for (const Side side : kSides) {
        const TangentRay exact = tangent_ray(ellipse, p, side);
        const TangentRay newton = tangent_ray(hidden, p, side, 0.0);
        ASSERT_EQ(exact.status, TangentRay::Status::kFound);
        ASSERT_EQ(newton.status, TangentRay::Status::kFound);
        EXPECT_LT(angle_between(exact.psi, newton.psi), 1e-12) << a << " " << b << " at " << p.transpose();
        EXPECT_NEAR(exact.distance, newton.distance, 1e-12);
      }
    }
  }
}

// The offset of a disk is a larger disk, for which sin(angle to the centre) = (R + r)/D.
TEST(TangentRayTest, ThicknessMovesTheRayOutwardsByTheRadius) {
  const double R = 0.1;
  const double r = 0.02;
  const test::HiddenEllipse disk{R, R};
  const Vector2d p{-0.3, 0.0};
  const TangentRay left = tangent_ray(disk, p, Side::kLeft, r);
  const TangentRay right = tangent_ray(disk, p, Side::kRight, r);
  EXPECT_NEAR(left.psi, -std::asin((R + r) / 0.3), 1e-14);  // the body on the left: the ray passes below it
  EXPECT_NEAR(right.psi, std::asin((R + r) / 0.3), 1e-14);
  EXPECT_NEAR(left.distance, std::sqrt(0.09 - (R + r) * (R + r)), 1e-14);
  EXPECT_NEAR(right.distance, left.distance, 1e-14);
  EXPECT_NEAR(tangent_ray(Ellipse{R, R}, p, Side::kLeft).psi, -std::asin(R / 0.3), 1e-14);
}

TEST(TangentRayTest, TouchesTheCurveAlsoFromPointsAHairOutside) {
  const test::Trilobe curve{0.12, 0.014};
  for (int i = 0; i < 97; ++i) {
    const Vector2d p = point_outside(curve, 2.0 * kPi * i / 97, 1e-9);
    for (const Side side : kSides) {
      const TangentRay ray = tangent_ray(curve, p, side);
      ASSERT_EQ(ray.status, TangentRay::Status::kFound) << i;
      EXPECT_NEAR(lowest_over_line(curve, 0.0, p, ray.psi, side).height, 0.0, 1e-15);
      EXPECT_GT(ray.distance, 0.0);
      EXPECT_LT(ray.distance, 1e-4);  // about √(2 ρ · 1e-9), ρ ≤ 0.232 m
    }
  }
}

TEST(TangentRayTest, TouchesTheCurveAlsoFromFarAway) {
  const test::Trilobe curve{0.12, 0.014};
  const Vector2d p{300.0, -400.0};
  for (const Side side : kSides) {
    const TangentRay ray = tangent_ray(curve, p, side);
    EXPECT_NEAR(lowest_over_line(curve, 0.0, p, ray.psi, side).height, 0.0, 1e-12);
    EXPECT_NEAR(ray.distance, 500.0, 0.2);
  }
}

TEST(TangentRayTest, LeftAndRightAreMirrorImages) {
  const test::HiddenEllipse ellipse{0.15, 0.11};
  const Vector2d p{-0.12, -0.2};
  const TangentRay right = tangent_ray(ellipse, p, Side::kRight, 0.01);
  const TangentRay left = tangent_ray(ellipse, {0.12, -0.2}, Side::kLeft, 0.01);
  EXPECT_LT(angle_between(right.psi, kPi - left.psi), 1e-14);
  EXPECT_NEAR(right.distance, left.distance, 1e-14);
}

TEST(TangentRayTest, SaysThatThePointIsInsideInsteadOfInventingARay) {
  const Ellipse ellipse{0.15, 0.11};
  const test::HiddenEllipse hidden{0.15, 0.11};
  for (const Side side : kSides)
    for (const Vector2d& p : {Vector2d{0.0, 0.0}, Vector2d{0.149, 0.0}, Vector2d{-0.1, 0.07}}) {
      EXPECT_EQ(tangent_ray(ellipse, p, side).status, TangentRay::Status::kPointInside);
      EXPECT_EQ(tangent_ray(hidden, p, side, 0.0).status, TangentRay::Status::kPointInside);
    }
  const test::Trilobe trilobe{0.12, 0.014};
  for (int i = 0; i < 97; ++i) {
    const Vector2d p = point_outside(trilobe, 2.0 * kPi * i / 97, -1e-9);
    EXPECT_EQ(tangent_ray(trilobe, p, Side::kLeft).status, TangentRay::Status::kPointInside) << i;
  }
  // 1 cm outside the body is inside a body 2 cm thicker.
  EXPECT_EQ(tangent_ray(hidden, {0.16, 0.0}, Side::kLeft, 0.0).status, TangentRay::Status::kFound);
  EXPECT_EQ(tangent_ray(hidden, {0.16, 0.0}, Side::kLeft, 0.02).status, TangentRay::Status::kPointInside);
}

TEST(TangentRayTest, RefusesARadiusThatIsNegativeOrNotANumber) {
  const test::Trilobe curve{0.12, 0.014};
  EXPECT_THROW(static_cast<void>(tangent_ray(curve, {1.0, 0.0}, Side::kLeft, -1e-3)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(tangent_ray(curve, {1.0, 0.0}, Side::kLeft, std::nan(""))), InvalidArgument);
}

}  // namespace
}  // namespace enfold::geometry
