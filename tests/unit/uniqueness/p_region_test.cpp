// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/p_region.hpp"

#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "enfold/uniqueness/frontier.hpp"
#include "uniqueness_cases.hpp"

namespace enfold::uniqueness {
namespace {

using lcp::PMatrixStatus;
using test::Example2;

PlaneProblem example_2_plane(double t) {
  const Example2 at(t);
  return {{at.family}, at.pairs, VectorXd::Zero(4), {0.0, 0.0}, {2.0, 2.0}};
}

bool is_P(const PlaneProblem& plane, const Vector2d& at) {
  for (const FrictionFamily& family : plane.families)
    if (test::p_status(family.A(plane.mu(at))) != PMatrixStatus::kP) return false;
  return true;
}

double minor_at(const PlaneProblem& plane, const RegionMinor& minor, const Vector2d& at) {
  const MatrixXd A = plane.families[static_cast<std::size_t>(minor.family)].A(plane.mu(at));
  return MatrixXd(A(minor.indices, minor.indices)).determinant();
}

// Each vertex has P on one side and not on the other, 1e-9 away along the normal of its minor.
void expect_curves_separate(const PlaneProblem& plane, const PRegion& region) {
  std::vector<Vector2d> corners;
  for (const RegionCurve& curve : region.curves)
    for (std::size_t k = 1; k < curve.points.size(); ++k)
      if (curve.minor[k - 1] != curve.minor[k]) corners.push_back(curve.points[k]);
  for (const RegionCurve& curve : region.curves) {
    for (std::size_t k = 1; k + 1 < curve.points.size(); ++k) {
      // A corner has no normal.
      if (std::any_of(corners.begin(), corners.end(),
                      [&](const Vector2d& c) { return (c - curve.points[k]).norm() < 1e-7; }))
        continue;
      const RegionMinor& minor = region.minors[static_cast<std::size_t>(curve.minor[k])];
      const Vector2d at = curve.points[k];
      const double h = 1e-6;
      Vector2d normal;
      for (const Index i : {0, 1})
        normal[i] = minor_at(plane, minor, at + h * Vector2d::Unit(i)) -
                    minor_at(plane, minor, at - h * Vector2d::Unit(i));
      normal.normalize();
      EXPECT_TRUE(is_P(plane, at + 1e-9 * normal)) << at.transpose();
      EXPECT_FALSE(is_P(plane, at - 1e-9 * normal)) << at.transpose();
    }
  }
}

double area_by_raster(const PlaneProblem& plane, int n) {
  int inside = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const Vector2d unit{(i + 0.5) / n, (j + 0.5) / n};
      inside += is_P(plane, plane.lower + (plane.upper - plane.lower).cwiseProduct(unit)) ? 1 : 0;
    }
  }
  return inside * (plane.upper - plane.lower).prod() / (n * n);
}

// S4's Figure 7 as curves. [eq:p-region]
TEST(PRegionTest, CurvesOfExampleTwoSeparatePFromNotPToOneInABillion) {
  for (const double t : {0.2, 0.5, 0.8}) {
    const PlaneProblem plane = example_2_plane(t);
    const PRegion region = trace_p_region(plane);
    ASSERT_EQ(region.status, PRegionStatus::kTraced);
    ASSERT_FALSE(region.curves.empty());
    expect_curves_separate(plane, region);
    EXPECT_NEAR(region.area, area_by_raster(plane, 100), 0.05) << "t = " << t;
    EXPECT_LT(region.undecided_area, 1e-5);
  }
}

// S4, Figure 7: (0.8, 0.6) is unique at 0.5 s and not at 0.8 s.
TEST(PRegionTest, DesignOfExampleTwoIsInsideAtHalfTimeAndOutsideLater) {
  for (const double t : {0.5, 0.8}) {
    const PlaneProblem plane = example_2_plane(t);
    const PRegion region = trace_p_region(plane);
    const Vector2d design{0.8, 0.6};
    EXPECT_EQ(is_P(plane, design), t == 0.5);
    const RegionDistance found = distance_to_boundary(plane, region, design);
    ASSERT_GT(found.distance, 0.0);
    // A circle of this radius holds no change, one that is a little larger does.
    bool changes = false;
    for (int k = 0; k < 3600; ++k) {
      const double angle = k * std::acos(-1.0) / 1800.0;
      const Vector2d d{std::cos(angle), std::sin(angle)};
      EXPECT_EQ(is_P(plane, design + (found.distance - 1e-9) * d), t == 0.5);
      changes = changes || is_P(plane, design + (found.distance + 1e-5) * d) != (t == 0.5);
    }
    EXPECT_TRUE(changes);
    const Vector2d away = (found.nearest - design).normalized();
    EXPECT_NE(is_P(plane, found.nearest + 1e-9 * away), is_P(plane, found.nearest - 1e-9 * away));
  }
}

// Along rays from the origin the first curve met is the frontier. [eq:frontier]
TEST(PRegionTest, PolygonAndFrontierMeetRaysAtTheSamePlace) {
  const CounterRandom random(76, 0);
  for (int k = 0; k < test::count(40, 1000); ++k) {
    const auto n = static_cast<std::uint64_t>(k);
    const FrictionFamily family = test::random_grasp_family(random, n);
    const PlaneProblem plane{
        {family}, {{0, 1, k % 2, 1 - k % 2}, 2}, VectorXd::Zero(4), {0.0, 0.0}, {3.0, 3.0}};
    const PRegion region = trace_p_region(plane);
    ASSERT_EQ(region.status, PRegionStatus::kTraced);
    SCOPED_TRACE(fmt::format("seed 76, draw {}", k));
    expect_curves_separate(plane, region);
    const double angle = 0.1 + 0.13 * (k % 10);
    const Vector2d d{std::cos(angle), std::sin(angle)};
    const Frontier along =
        frontier(family, plane.groups, plane.mu({0.0, 0.0}), d, {.r_max = 3.0 / d.cwiseAbs().maxCoeff()});
    double first = std::numeric_limits<double>::infinity();
    for (const RegionCurve& curve : region.curves) {
      for (std::size_t i = 1; i < curve.points.size(); ++i) {
        const Vector2d a = curve.points[i - 1];
        const Vector2d b = curve.points[i];
        const double side_a = d.x() * a.y() - d.y() * a.x();
        const double side_b = d.x() * b.y() - d.y() * b.x();
        if ((side_a > 0.0) == (side_b > 0.0)) continue;
        first = std::min(first, (a + (b - a) * side_a / (side_a - side_b)).dot(d));
      }
    }
    if (along.status == FrontierStatus::kCrossing)
      EXPECT_NEAR(first, along.r, 2e-3 * std::max(1.0, along.r));
    else
      EXPECT_FALSE(std::isfinite(first)) << first;
  }
}

// P for μ_a < 0.8 and for 1.2 < μ_a: two parts.
TEST(PRegionTest, FindsDisconnectedPartsAndTheirAreas) {
  const PlaneProblem plane{
      {test::dipping_family(-0.04)}, {{0, 0, 1}, 2}, VectorXd::Zero(3), {0.0, 0.0}, {2.0, 2.0}};
  const PRegion region = trace_p_region(plane);
  ASSERT_EQ(region.parts.size(), 2u);
  for (const RegionPart& part : region.parts) {
    EXPECT_NEAR(part.area, 1.6, 1e-9);
    EXPECT_TRUE(is_P(plane, part.inside));
  }
  ASSERT_EQ(region.curves.size(), 2u);
  for (const RegionCurve& curve : region.curves) {
    EXPECT_FALSE(curve.closed);
    for (const Vector2d& point : curve.points) EXPECT_NEAR(std::abs(point.x() - 1.0), 0.2, 1e-12);
  }
}

// The touching minor (1 − μ_a)² cuts nothing off; it is reported where it vanishes.
TEST(PRegionTest, MinorThatOnlyTouchesZeroIsReportedAsTouch) {
  const PlaneProblem plane{
      {test::dipping_family(0.0)}, {{0, 0, 1}, 2}, VectorXd::Zero(3), {0.1, 0.0}, {2.2, 2.0}};
  const PRegion region = trace_p_region(plane, {.depth = 8});
  EXPECT_TRUE(region.curves.empty());
  ASSERT_FALSE(region.touches.empty());
  for (const RegionTouch& touch : region.touches) {
    EXPECT_NEAR(touch.mu.x(), 1.0, 2.1 / 256);
    EXPECT_EQ(region.minors[static_cast<std::size_t>(touch.minor)].indices, (std::vector<Index>{0, 1}));
  }
  EXPECT_NEAR(region.area + region.undecided_area, 4.2, 1e-9);
}

TEST(PRegionTest, RobustSetIsTheIntersectionOfTheRegionsOfAllInstants) {
  PlaneProblem both = example_2_plane(0.5);
  const PlaneProblem late = example_2_plane(0.8);
  both.families.push_back(late.families.front());
  const PRegion region = trace_p_region(both);
  expect_curves_separate(both, region);
  EXPECT_NEAR(region.area, area_by_raster(both, 100), 0.05);
  EXPECT_LE(region.area, trace_p_region(late).area + 1e-9);
}

TEST(PRegionTest, RefusesBadInputAndSaysWhenTheFamilyIsTooLarge) {
  PlaneProblem plane = example_2_plane(0.8);
  EXPECT_EQ(trace_p_region(plane, {.limit = 3}).status, PRegionStatus::kTooLarge);
  EXPECT_EQ(trace_p_region(plane, {.max_cells = 1}).status, PRegionStatus::kCellLimit);
  EXPECT_THROW((void)trace_p_region(plane, {.depth = 0}), InvalidArgument);
  plane.upper.x() = -1.0;
  EXPECT_THROW((void)trace_p_region(plane), InvalidArgument);
  plane = example_2_plane(0.8);
  plane.groups = {{0, 0, 0, 0}, 1};
  EXPECT_THROW((void)trace_p_region(plane), InvalidArgument);
  plane.families.clear();
  EXPECT_THROW((void)trace_p_region(plane), InvalidArgument);
}

// A straight edge has two vertices, and the nearest point lies between them.
TEST(PRegionTest, DistanceToAStraightEdgeIsThatOfItsFoot) {
  FrictionFamily family{MatrixXd::Identity(2, 2), MatrixXd::Zero(2, 2)};
  family.A_1(0, 0) = -0.5;  // fails at μ_1 = 2
  const PlaneProblem plane{{family}, {{0, 1}, 2}, VectorXd::Zero(2), {0.0, 0.0}, {3.0, 3.0}};
  const RegionDistance found = distance_to_boundary(plane, trace_p_region(plane), {0.3, 1.4});
  EXPECT_NEAR(found.distance, 1.7, 1e-12);
  EXPECT_NEAR(found.nearest.y(), 1.4, 1e-9);
}

}  // namespace
}  // namespace enfold::uniqueness
