// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/geometry/ellipse.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "enfold/base/error.hpp"
#include "enfold/test/numeric_derivative.hpp"
#include "enfold/test/test_shapes.hpp"

namespace enfold::geometry {
namespace {

using test::kPi;
const std::array<Ellipse, 4> kEllipses{Ellipse{0.15, 0.11}, Ellipse{0.11, 0.15}, Ellipse{0.1, 0.1},
                                       Ellipse{0.3, 0.06}};

// max d·x over x = (a cos t, b sin t): the parameter t of the drawing, not the normal's angle β.
double sampled_maximum(const Ellipse& e, double beta) {
  const auto reach = [&](double t) {
    return std::cos(beta) * e.a() * std::cos(t) + std::sin(beta) * e.b() * std::sin(t);
  };
  constexpr int kSamples = 2000;
  int best = 0;
  for (int i = 1; i < kSamples; ++i)
    if (reach(2.0 * kPi * i / kSamples) > reach(2.0 * kPi * best / kSamples)) best = i;
  double lo = 2.0 * kPi * (best - 1) / kSamples;
  double hi = 2.0 * kPi * (best + 1) / kSamples;
  while (hi - lo > 1e-8) {
    const double third = (hi - lo) / 3.0;
    if (reach(lo + third) > reach(hi - third))
      hi -= third;
    else
      lo += third;
  }
  return reach(0.5 * (lo + hi));
}

// [eq:ellipse] [eq:support]
TEST(EllipseTest, SupportIsTheFarthestReachOfTheBoundary) {
  for (const Ellipse& e : kEllipses)
    for (int k = 0; k < 48; ++k) {
      const double beta = -kPi + 2.0 * kPi * k / 48 + 0.01;
      EXPECT_NEAR(e.support(beta).h, sampled_maximum(e, beta), 1e-15) << "beta " << beta;
    }
}

TEST(EllipseTest, DerivativesOfTheSupportAgreeWithFiniteDifferences) {
  for (const Ellipse& e : kEllipses)
    for (int k = 0; k < 48; ++k) {
      const double beta = 2.0 * kPi * k / 48;
      const Support s = e.support(beta);
      EXPECT_NEAR(s.dh, test::numeric_derivative([&](double t) { return e.support(beta + t).h; }, 2e-3),
                  1e-12);
      EXPECT_NEAR(s.d2h, test::numeric_derivative([&](double t) { return e.support(beta + t).dh; }, 2e-3),
                  1e-12);
    }
}

TEST(EllipseTest, CurvatureRadiusAtTheVerticesIsTheTextbookOne) {
  const Ellipse e{0.15, 0.11};
  EXPECT_NEAR(e.support(0.0).curvature_radius(), 0.11 * 0.11 / 0.15, 1e-15);
  EXPECT_NEAR(e.support(kPi / 2).curvature_radius(), 0.15 * 0.15 / 0.11, 1e-15);
}

TEST(EllipseTest, CurvatureRadiusIsTheLengthOfBoundaryPerTurnOfTheNormal) {
  for (const Ellipse& e : kEllipses)
    for (int k = 0; k < 24; ++k) {
      const double beta = 2.0 * kPi * k / 24;
      const Vector2d dp =
          test::numeric_derivative([&](double t) { return e.boundary_point(beta + t); }, 2e-3);
      const Vector2d along{-std::sin(beta), std::cos(beta)};
      EXPECT_NEAR(along.dot(dp), e.support(beta).curvature_radius(), 1e-12);
      EXPECT_GT(e.support(beta).curvature_radius(), 0.0);
    }
}

TEST(EllipseTest, BoundaryPointLiesOnTheEllipseAndHasTheAskedNormal) {
  for (const Ellipse& e : kEllipses)
    for (int k = 0; k < 48; ++k) {
      const double beta = 2.0 * kPi * k / 48;
      const Vector2d p = e.boundary_point(beta);
      EXPECT_NEAR(std::pow(p.x() / e.a(), 2) + std::pow(p.y() / e.b(), 2), 1.0, 1e-14);
      // The gradient of (x/a)² + (y/b)² is the outward normal.
      const Vector2d normal = Vector2d{p.x() / (e.a() * e.a()), p.y() / (e.b() * e.b())}.normalized();
      EXPECT_NEAR(normal.x(), std::cos(beta), 1e-14);
      EXPECT_NEAR(normal.y(), std::sin(beta), 1e-14);
    }
}

TEST(EllipseTest, CharacteristicLengthIsTheLongerSemiAxis) {
  EXPECT_EQ(Ellipse(0.15, 0.11).characteristic_length(), 0.15);
  EXPECT_EQ(Ellipse(0.11, 0.15).characteristic_length(), 0.15);
}

TEST(EllipseTest, RefusesSemiAxesThatAreNotPositiveAndFinite) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {0.0, -0.1, inf, nan}) {
    EXPECT_THROW(Ellipse(bad, 0.1), InvalidArgument) << bad;
    EXPECT_THROW(Ellipse(0.1, bad), InvalidArgument) << bad;
  }
  try {
    const Ellipse e(0.1, -0.2);
    FAIL() << "accepted b = " << e.b();
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "Ellipse: semi-axis b is -0.2 m, expected > 0");
  }
}

}  // namespace
}  // namespace enfold::geometry
