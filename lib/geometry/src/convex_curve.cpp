// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/geometry/convex_curve.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "enfold/base/require.hpp"

namespace enfold::geometry {
namespace {

constexpr double kPi = std::numbers::pi;

Vector2d unit(double angle) {
  return {std::cos(angle), std::sin(angle)};
}
Vector2d perp(const Vector2d& a) {
  return {-a.y(), a.x()};
}

/// Distance by which p lies outside the offset curve, in the direction where it is largest; negative inside.
struct Separation {
  double value;
  double beta;
};

// g(β) = u(β)·p − h(β) − r. A coarse scan brackets the maximum, golden-section refines it: the maximum of a
// difference of two support functions need not be unique, but any positive value proves that p is outside.
Separation separation(const ConvexCurve& curve, const Vector2d& p, double radius) {
  const auto g = [&](double beta) { return unit(beta).dot(p) - curve.support(beta).h - radius; };
  constexpr int kSamples = 64;
  Separation best{-std::numeric_limits<double>::infinity(), 0.0};
  for (int i = 0; i < kSamples; ++i) {
    const double beta = 2.0 * kPi * i / kSamples;
    if (const double value = g(beta); value > best.value) best = {value, beta};
  }
  double lo = best.beta - 2.0 * kPi / kSamples;
  double hi = best.beta + 2.0 * kPi / kSamples;
  constexpr double kGolden = 0.6180339887498949;
  while (hi - lo > 1e-9) {
    const double left = hi - kGolden * (hi - lo);
    const double right = lo + kGolden * (hi - lo);
    (g(left) > g(right) ? hi : lo) = g(left) > g(right) ? right : left;
  }
  const double beta = 0.5 * (lo + hi);
  if (const double value = g(beta); value > best.value) best = {value, beta};
  return best;
}

}  // namespace

Vector2d ConvexCurve::boundary_point(double beta) const {
  const Support s = support(beta);
  const Vector2d u = unit(beta);
  return s.h * u + s.dh * perp(u);
}

bool ConvexCurve::contains(const Vector2d& p) const {
  return separation(*this, p, 0.0).value < 0.0;
}

TangentRay tangent_ray(const ConvexCurve& curve, const Vector2d& p, Side side, double radius) {
  ENFOLD_REQUIRE(radius >= 0.0, "tangent_ray: radius is {} m, expected ≥ 0", radius);
  const Separation outside = separation(curve, p, radius);
  if (outside.value <= 0.0) return {};

  // The line through p with outward normal u(β) of the body leaves the body behind it where g(β) > 0; g
  // changes sign at the two tangents, one on either side of the direction of largest separation. Seen from p,
  // the line that has the body on its left passes it clockwise, and its normal lies counter-clockwise from
  // that direction.
  const double turn = side == Side::kLeft ? 1.0 : -1.0;
  double lo = outside.beta;               // g > 0
  double hi = outside.beta + turn * kPi;  // g < 0: the opposite direction sees the body in front of p
  double beta = 0.5 * (lo + hi);
  // A handful of steps from afar; near the curve the two tangents merge and Newton gains about a bit a step.
  for (int i = 0; i < 200; ++i) {
    const Support s = curve.support(beta);
    const Vector2d u = unit(beta);
    const double value = u.dot(p) - s.h - radius;
    (value > 0.0 ? lo : hi) = beta;
    const double newton = beta - value / (perp(u).dot(p) - s.dh);
    const bool between = (newton - lo) * (newton - hi) < 0.0;
    const double next = newton == beta || between ? newton : 0.5 * (lo + hi);
    if (next == beta) break;
    beta = next;
  }
  // u(β) points from the body to the line; the ray runs along the line with the body on the asked side.
  const double psi = side == Side::kLeft ? beta + kPi / 2 : beta - kPi / 2;
  const double distance = unit(psi).dot(curve.boundary_point(beta) - p);  // the offset is across the ray
  return {TangentRay::Status::kFound, std::remainder(psi, 2.0 * kPi), distance};
}

}  // namespace enfold::geometry
