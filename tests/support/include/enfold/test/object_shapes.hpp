// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "enfold/geometry/convex_polygon.hpp"
#include "enfold/geometry/convex_spline.hpp"
#include "enfold/geometry/ellipse.hpp"
#include "enfold/geometry/superellipse.hpp"
#include "enfold/mechanics/planar_grasp_mechanism.hpp"

namespace enfold::test {

/// Every kind of object that a scenario can hold, about 0.1 m in size; one of each.
struct ObjectShape {
  std::string name;
  std::shared_ptr<const geometry::ConvexCurve> smooth;
  std::shared_ptr<const geometry::ConvexPolygon> polygon;

  [[nodiscard]] const geometry::ConvexCurve& curve() const { return polygon != nullptr ? *polygon : *smooth; }
  [[nodiscard]] mechanics::PlanarObject object() const { return {1.3, 0.01, smooth, polygon}; }
};

/// An irregular convex outline, counter-clockwise.
[[nodiscard]] inline std::vector<Vector2d> five_corners() {
  return {{0.09, -0.06}, {0.1, 0.03}, {0.01, 0.09}, {-0.09, 0.05}, {-0.06, -0.08}};
}
/// Points of a smooth egg, unevenly spaced.
[[nodiscard]] inline std::vector<Vector2d> egg_points() {
  std::vector<Vector2d> points;
  for (const double t : {0.0, 0.8, 1.4, 2.2, 3.1, 3.9, 4.6, 5.5})
    points.emplace_back(0.1 * std::cos(t) + 0.008 * std::cos(2.0 * t), 0.08 * std::sin(t));
  return points;
}

[[nodiscard]] inline std::vector<ObjectShape> object_shapes() {
  using namespace geometry;
  return {{"circle", std::make_shared<Ellipse>(0.1, 0.1), nullptr},
          {"ellipse", std::make_shared<Ellipse>(0.12, 0.08), nullptr},
          {"superellipse 1.5", std::make_shared<Superellipse>(0.1, 0.09, 1.5), nullptr},
          {"superellipse 4", std::make_shared<Superellipse>(0.11, 0.08, 4.0), nullptr},
          {"spline", std::make_shared<ConvexSpline>(egg_points()), nullptr},
          {"rounded polygon", nullptr, std::make_shared<ConvexPolygon>(five_corners(), 0.015)},
          {"sharp polygon", nullptr, std::make_shared<ConvexPolygon>(five_corners())}};
}

/// Points all around the boundary, from the outline and not from the support function where there is a way:
/// corners and edges of a sharp polygon, arcs of a rounded one, the implicit equation of a superellipse.
[[nodiscard]] inline std::vector<Vector2d> sampled_boundary(const ObjectShape& shape, int n) {
  std::vector<Vector2d> points;
  constexpr double kTurn = 2.0 * std::numbers::pi;
  if (shape.polygon == nullptr) {
    for (int i = 0; i < n; ++i) points.push_back(shape.smooth->boundary_point(kTurn * i / n));
    return points;
  }
  const geometry::ConvexPolygon& polygon = *shape.polygon;
  const Index corners = polygon.n_corners();
  const int per_part = n / static_cast<int>(2 * corners);
  for (Index i = 0; i < corners; ++i) {
    const Vector2d& before = polygon.normal((i + corners - 1) % corners);
    const double from = std::atan2(before.y(), before.x());
    const Vector2d& after = polygon.normal(i);
    const double turn = std::remainder(std::atan2(after.y(), after.x()) - from, kTurn);
    for (int k = 0; k < per_part; ++k) {
      const double beta = from + turn * k / per_part;
      points.push_back(polygon.core(i) + polygon.corner_radius() * Vector2d{std::cos(beta), std::sin(beta)});
    }
    const Vector2d start = polygon.core(i) + polygon.corner_radius() * after;
    const Vector2d edge = polygon.core((i + 1) % corners) - polygon.core(i);
    for (int k = 0; k < per_part; ++k) points.push_back(start + edge * k / per_part);
  }
  return points;
}

}  // namespace enfold::test
