// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "enfold/base/error.hpp"
#include "enfold/test/numeric_derivative.hpp"
#include "enfold/test/object_shapes.hpp"
#include "enfold/test/random_hand.hpp"
#include "enfold/test/test_shapes.hpp"

namespace enfold::geometry {
namespace {

using test::Draw;
using test::numeric_derivative;
using ::testing::HasSubstr;

using test::kPi;

Vector2d direction(double beta) {
  return {std::cos(beta), std::sin(beta)};
}

template <typename F>
std::string refusal_of(const F& make) {
  try {
    make();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

// [eq:superellipse] [eq:convex-spline] [eq:polygon]. A step that is short against the rounding ε = 1e-3 of a
// superellipse, and a tolerance for the rounding errors of such a step.
TEST(ShapesTest, DerivativesOfTheSupportAgreeWithFiniteDifferences) {
  Draw draw(5, 0);
  for (const test::ObjectShape& shape : test::object_shapes()) {
    for (int k = 0; k < 400; ++k) {
      const double beta = draw.between(-7.0, 7.0);
      const Support s = shape.curve().support(beta);
      if (shape.polygon != nullptr && shape.polygon->corner_towards(direction(beta - 1e-3)) !=
                                          shape.polygon->corner_towards(direction(beta + 1e-3)))
        continue;  // on a face h′ jumps
      const double dh = numeric_derivative([&](double t) { return shape.curve().support(beta + t).h; }, 4e-5);
      const double d2h =
          numeric_derivative([&](double t) { return shape.curve().support(beta + t).dh; }, 4e-5);
      EXPECT_NEAR(s.dh, dh, 1e-9) << shape.name << " at " << beta;
      // The spline's ρ bends at its knots.
      const double tolerance = shape.name == "spline" ? 1e-4 : 1e-8 + 1e-6 * std::abs(s.d2h);
      EXPECT_NEAR(s.d2h, d2h, tolerance) << shape.name << " at " << beta;
      EXPECT_GE(s.curvature_radius(), 0.0) << shape.name;
    }
  }
}

TEST(ShapesTest, SupportIsTheFarthestReachOfTheSampledBoundary) {
  for (const test::ObjectShape& shape : test::object_shapes()) {
    const std::vector<Vector2d> boundary = test::sampled_boundary(shape, 4000);
    for (int k = 0; k < 97; ++k) {
      const double beta = 2.0 * kPi * k / 97;
      double reach = -1.0;
      for (const Vector2d& p : boundary) reach = std::max(reach, direction(beta).dot(p));
      const double h = shape.curve().support(beta).h;
      EXPECT_LE(reach, h + 1e-15) << shape.name;
      EXPECT_NEAR(reach, h, 2e-4) << shape.name;
    }
  }
}

// By the implicit equation, without the support function.
TEST(ShapesTest, SuperellipseLiesWithinItsRoundingOfTheImplicitCurve) {
  for (const double p : {1.3, 2.0, 3.0, 6.0, 20.0}) {
    const double a = 0.11;
    const double b = 0.07;
    const Superellipse shape(a, b, p);
    std::vector<Vector2d> boundary;
    for (int i = 0; i < 4000; ++i) {
      const Vector2d d = direction(2.0 * kPi * i / 4000);
      boundary.push_back(
          d * std::pow(std::pow(std::abs(d.x()) / a, p) + std::pow(std::abs(d.y()) / b, p), -1.0 / p));
    }
    for (int k = 0; k < 360; ++k) {
      const Vector2d u = direction(2.0 * kPi * k / 360);
      double reach = 0.0;
      for (const Vector2d& x : boundary) reach = std::max(reach, u.dot(x));
      const double h = shape.support(2.0 * kPi * k / 360).h;
      EXPECT_GE(h, reach - 1e-12) << p;
      EXPECT_LE(h, reach + Superellipse::kRounding * (a + b)) << p;
    }
  }
  const Ellipse ellipse(0.11, 0.07);
  EXPECT_NEAR(Superellipse(0.11, 0.07, 2.0).support(0.7).h, ellipse.support(0.7).h, 1e-6 * 0.11);
}

TEST(ShapesTest, CurvatureOfASuperellipseStaysFiniteOnItsAxes) {
  for (const double p : {1.2, 4.0, 10.0, 50.0}) {
    const Superellipse shape(0.1, 0.1, p);
    for (const double beta : {0.0, kPi / 2, kPi, -kPi / 2}) {
      const double rho = shape.support(beta).curvature_radius();
      EXPECT_GT(rho, 0.0) << p;
      EXPECT_LT(rho, 100.0) << p;
    }
  }
}

TEST(ShapesTest, SplinePassesThroughItsPointsWithContinuousCurvature) {
  const std::vector<Vector2d> points = test::egg_points();
  const ConvexSpline spline(points);
  for (const Vector2d& p : points) {
    const NearestPoint foot = nearest_point(spline, 2.0 * p);
    double apart = 1.0;
    for (int k = 0; k < 20000; ++k)
      apart = std::min(apart, (spline.boundary_point(2.0 * kPi * k / 20000) - p).norm());
    EXPECT_LT(apart, 3e-5);
    EXPECT_GT(foot.separation, 0.0);
  }
  double before = spline.support(0.0).curvature_radius();
  for (int k = 1; k <= 20000; ++k) {
    const double rho = spline.support(2.0 * kPi * k / 20000).curvature_radius();
    EXPECT_NEAR(rho, before, 0.01 * before) << k;
    before = rho;
  }
}

TEST(ShapesTest, RoundedCornersTouchBothEdgesOfTheGivenOutline) {
  const ConvexPolygon sharp(test::five_corners());
  const ConvexPolygon rounded(test::five_corners(), 0.015);
  for (Index i = 0; i < sharp.n_corners(); ++i) {
    EXPECT_NEAR(rounded.offset(i), sharp.offset(i), 1e-15);
    EXPECT_NEAR(rounded.offset(i) - rounded.normal(i).dot(rounded.core(i)), 0.015, 1e-15);
    const Index next = (i + 1) % sharp.n_corners();
    EXPECT_NEAR(rounded.offset(i) - rounded.normal(i).dot(rounded.core(next)), 0.015, 1e-15);
    EXPECT_LT(rounded.support(std::atan2(sharp.corner(i).y(), sharp.corner(i).x())).h,
              sharp.corner(i).norm());
  }
  EXPECT_EQ(sharp.outline(), sharp.corners());
  for (const Vector2d& p : rounded.outline()) EXPECT_FALSE(rounded.contains(1.001 * p));
}

TEST(ShapesTest, RefusesWhatIsNotAConvexCurve) {
  EXPECT_THAT(refusal_of([] { const Superellipse s(0.1, 0.1, 1.0); }), HasSubstr("exponent is 1"));
  EXPECT_THAT(refusal_of([] { const Superellipse s(0.1, -0.1, 3.0); }), HasSubstr("semi-axis b"));
  EXPECT_THAT(refusal_of([] { const ConvexSpline s({{0, 0}, {1, 0}}); }), HasSubstr("at least three"));
  EXPECT_THAT(refusal_of([] {
                const ConvexSpline s({{0, 0}, {1, 0}, {1, 0}, {0, 1}});
              }),
              HasSubstr("points 1 and 2 are at the same place"));
  std::vector<Vector2d> dented = test::egg_points();
  dented[3] *= 0.5;
  EXPECT_THAT(refusal_of([&] { const ConvexSpline s(dented); }), HasSubstr("not convex"));
  std::vector<Vector2d> clockwise = test::egg_points();
  std::reverse(clockwise.begin(), clockwise.end());
  EXPECT_NE(refusal_of([&] { const ConvexSpline s(clockwise); }), "");
  EXPECT_THAT(refusal_of([] {
                const ConvexPolygon p({{0, 0}, {1, 0}, {1, 0.1}, {0, 0.1}}, 0.06);
              }),
              HasSubstr("leaves nothing of the edge from corner 1 to 2"));
  EXPECT_THAT(refusal_of([] { const ConvexPolygon p({{0, 0}, {1, 0}}, 0.01); }), HasSubstr("rod"));
  EXPECT_THAT(refusal_of([] { const ConvexPolygon p({{0, 0}, {1, 0}, {0, 1}}, -0.01); }), HasSubstr("≥ 0"));
}

// [eq:nearest-point]: against all points of the boundary.
TEST(NearestPointTest, IsTheClosestOfTheSampledBoundary) {
  Draw draw(6, 0);
  for (const test::ObjectShape& shape : test::object_shapes()) {
    const std::vector<Vector2d> boundary = test::sampled_boundary(shape, 20000);
    for (int k = 0; k < 60; ++k) {
      const Vector2d p = draw.between(0.13, 0.5) * direction(draw.between(-kPi, kPi));
      double closest = 1.0;
      for (const Vector2d& x : boundary) closest = std::min(closest, (x - p).norm());
      const NearestPoint foot = nearest_point(shape.curve(), p);
      EXPECT_LE(foot.separation, closest + 1e-13) << shape.name;
      EXPECT_NEAR(foot.separation, closest, 1e-5) << shape.name;
      if (shape.polygon != nullptr) continue;
      // The boundary point and the normal lead back to p.
      const Vector2d back = shape.smooth->boundary_point(foot.beta) + foot.separation * direction(foot.beta);
      EXPECT_NEAR((back - p).norm(), 0.0, 1e-9) << shape.name;
    }
  }
}

// Where ρ < −g all over the range, so that there is one minimum: what fits into a hollow.
TEST(NearestPointTest, FarthestPointIsTheFarthestOfTheSampledBoundaryInItsRange) {
  Draw draw(6, 1);
  int compared = 0;
  for (const test::ObjectShape& shape : test::object_shapes()) {
    if (shape.polygon != nullptr) continue;  // a polygon's corners are compared one by one
    for (int k = 0; k < 60; ++k) {
      const Vector2d p = draw.between(0.1, 0.5) * direction(draw.between(-kPi, kPi));
      const double middle = std::atan2(-p.y(), -p.x()) + draw.between(-0.1, 0.1);
      constexpr double kHalfRange = 0.7;
      bool one = true;
      double farthest = 0.0;
      for (int i = 0; i <= 20000; ++i) {
        const double beta = middle + kHalfRange * (i - 10000) / 10000;
        const Support s = shape.smooth->support(beta);
        one = one && s.curvature_radius() < s.h - direction(beta).dot(p);
        farthest = std::max(farthest, (shape.smooth->boundary_point(beta) - p).norm());
      }
      if (!one) continue;
      const NearestPoint foot = farthest_point(shape.curve(), p, middle, kHalfRange);
      if (std::abs(foot.beta - middle) > kHalfRange - 1e-9) continue;  // at an end the normal is not p's
      ++compared;
      EXPECT_NEAR(-foot.separation, farthest, 1e-8) << shape.name;
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(NearestPointTest, SeparationOfASegmentIsItsSampledDistance) {
  Draw draw(6, 2);
  for (const test::ObjectShape& shape : test::object_shapes()) {
    const std::vector<Vector2d> boundary = test::sampled_boundary(shape, 2000);
    int apart = 0;
    int inside = 0;
    for (int k = 0; k < 80; ++k) {
      const Vector2d p = draw.vector(2, 0.3);
      const Vector2d q = draw.vector(2, 0.3);
      double closest = 1.0;
      bool crosses = shape.curve().contains(p) || shape.curve().contains(q);
      for (int i = 0; i <= 40; ++i) crosses = crosses || shape.curve().contains(p + (q - p) * i / 40);
      for (const Vector2d& x : boundary) {
        const double s = std::clamp((x - p).dot(q - p) / (q - p).squaredNorm(), 0.0, 1.0);
        closest = std::min(closest, (p + s * (q - p) - x).norm());
      }
      const double separation = segment_separation(shape.curve(), p, q);
      if (crosses) {
        ++inside;
        EXPECT_LT(separation, 1e-12) << shape.name;
      } else if (closest > 1e-3) {
        ++apart;
        EXPECT_NEAR(separation, closest, 2e-4) << shape.name;
      }
    }
    EXPECT_GT(apart, 10);
    EXPECT_GT(inside, 10);
  }
}

}  // namespace
}  // namespace enfold::geometry
