// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/geometry/convex_polygon.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "enfold/base/require.hpp"

namespace enfold::geometry {
namespace {

double cross(const Vector2d& a, const Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

// The turn from one edge to the next, in (−π, π].
double turn(const Vector2d& before, const Vector2d& after) {
  return std::atan2(cross(before, after), before.dot(after));
}

}  // namespace

ConvexPolygon::ConvexPolygon(std::vector<Vector2d> corners) : corners_{std::move(corners)} {
  const std::size_t n = corners_.size();
  ENFOLD_REQUIRE(n >= 2, "ConvexPolygon: {} corners, expected at least two", n);
  for (std::size_t i = 0; i < n; ++i) {
    ENFOLD_REQUIRE(corners_[i].allFinite(), "ConvexPolygon: corner {} is not finite", i);
    for (std::size_t j = 0; j < i; ++j) length_ = std::max(length_, 0.5 * (corners_[i] - corners_[j]).norm());
  }
  const auto edge = [&](std::size_t i) -> Vector2d { return corners_[(i + 1) % n] - corners_[i % n]; };
  for (std::size_t i = 0; i < n; ++i) {
    ENFOLD_REQUIRE(edge(i).norm() > 1e-12 * length_, "ConvexPolygon: corners {} and {} are at the same place",
                   i, (i + 1) % n);
  }
  if (n == 2) return;
  // Decimal corners of a straight edge are straight up to rounding only.
  constexpr double kStraight = 1e-9;
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = turn(edge(i), edge(i + 1));
    const std::size_t at = (i + 1) % n;
    ENFOLD_REQUIRE(angle < std::numbers::pi - kStraight,
                   "ConvexPolygon: the outline turns back on itself at corner {}; a rod has two corners", at);
    ENFOLD_REQUIRE(angle > -kStraight,
                   "ConvexPolygon: the outline turns right at corner {}; corners must be convex and in "
                   "counter-clockwise order",
                   at);
    sum += angle;
  }
  ENFOLD_REQUIRE(std::abs(sum - 2.0 * std::numbers::pi) < 1.0,
                 "ConvexPolygon: the corners go around {:.3g} times, expected once",
                 sum / (2.0 * std::numbers::pi));
}

}  // namespace enfold::geometry
