// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/figure/shapes.hpp"

#include <cmath>
#include <numbers>

#include "enfold/base/require.hpp"

namespace enfold::figure {

std::vector<Point> ellipse_outline(Point centre, double a, double b, double angle, int n) {
  ENFOLD_REQUIRE(a > 0.0 && b > 0.0 && n >= 3,
                 "ellipse_outline: semi-axes {}, {} and {} points, expected > 0 and ≥ 3", a, b, n);
  std::vector<Point> points;
  for (int k = 0; k < n; ++k) {
    const double s = 2.0 * std::numbers::pi * k / n;
    const double u = a * std::cos(s);
    const double v = b * std::sin(s);
    points.push_back({centre.x + u * std::cos(angle) - v * std::sin(angle),
                      centre.y + u * std::sin(angle) + v * std::cos(angle)});
  }
  return points;
}

std::vector<Point> capsule_outline(Point from, Point to, double radius, int n) {
  ENFOLD_REQUIRE(radius > 0.0 && n >= 2,
                 "capsule_outline: radius {} and {} points per end, expected > 0 and ≥ 2", radius, n);
  const double axis = std::atan2(to.y - from.y, to.x - from.x);
  std::vector<Point> points;
  const auto half_circle = [&](Point centre, double start) {
    for (int k = 0; k < n; ++k) {
      const double s = start + std::numbers::pi * k / (n - 1);
      points.push_back({centre.x + radius * std::cos(s), centre.y + radius * std::sin(s)});
    }
  };
  half_circle(to, axis - std::numbers::pi / 2.0);
  half_circle(from, axis + std::numbers::pi / 2.0);
  return points;
}

std::vector<Point> cone_outline(Point apex, double axis_angle, double half_angle, double length) {
  ENFOLD_REQUIRE(length > 0.0 && half_angle > 0.0 && half_angle < std::numbers::pi / 2.0,
                 "cone_outline: length {} and half angle {} rad, expected > 0 and in (0, π/2)", length,
                 half_angle);
  const auto rim = [&](double s) {
    return Point{apex.x + length * std::cos(s), apex.y + length * std::sin(s)};
  };
  return {apex, rim(axis_angle - half_angle), rim(axis_angle + half_angle)};
}

}  // namespace enfold::figure
