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

ConvexPolygon::ConvexPolygon(std::vector<Vector2d> corners, double corner_radius)
    : corners_{std::move(corners)}, radius_{corner_radius} {
  ENFOLD_REQUIRE(std::isfinite(radius_) && radius_ >= 0.0,
                 "ConvexPolygon: the corner radius is {} m, expected ≥ 0", radius_);
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
  for (std::size_t i = 0; i < n; ++i) {
    const Vector2d along = edge(i).normalized();
    normals_.emplace_back(along.y(), -along.x());
  }
  core_ = corners_;
  if (n == 2) {
    ENFOLD_REQUIRE(radius_ == 0.0, "ConvexPolygon: the corners of a rod can't be rounded; give it a width");
    return;
  }
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
  if (radius_ == 0.0) return;
  for (std::size_t i = 0; i < n; ++i) {
    // r inside both edges: the same distance along both normals.
    const Vector2d& before = normals_[(i + n - 1) % n];
    const Vector2d& after = normals_[i];
    core_[i] = corners_[i] - radius_ / (1.0 + before.dot(after)) * (before + after);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double left = (core_[(i + 1) % n] - core_[i]).dot(edge(i).normalized());
    ENFOLD_REQUIRE(left > 1e-9 * length_,
                   "ConvexPolygon: a corner radius of {} m leaves nothing of the edge from corner {} to {}",
                   radius_, i, (i + 1) % n);
  }
}

Index ConvexPolygon::corner_towards(const Vector2d& u) const {
  Index best = 0;
  for (Index i = 1; i < n_corners(); ++i)
    if (u.dot(core(i)) > u.dot(core(best))) best = i;
  return best;
}

Support ConvexPolygon::corner_support(Index i, double beta) const {
  const Vector2d u{std::cos(beta), std::sin(beta)};
  const double along = u.dot(core(i));
  return {along + radius_, cross(u, core(i)), -along};
}

Support ConvexPolygon::support(double beta) const {
  return corner_support(corner_towards({std::cos(beta), std::sin(beta)}), beta);
}

std::vector<Vector2d> ConvexPolygon::outline() const {
  if (radius_ == 0.0) return corners_;
  constexpr int kPerArc = 8;
  std::vector<Vector2d> points;
  const std::size_t n = corners_.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vector2d& before = normals_[(i + n - 1) % n];
    const double from = std::atan2(before.y(), before.x());
    const double angle = turn(before, normals_[i]);
    for (int k = 0; k <= kPerArc; ++k) {
      const double beta = from + angle * k / kPerArc;
      points.push_back(core_[i] + radius_ * Vector2d{std::cos(beta), std::sin(beta)});
    }
  }
  return points;
}

}  // namespace enfold::geometry
