// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/geometry/ellipse.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::geometry {

Ellipse::Ellipse(double a, double b) : a_{a}, b_{b} {
  ENFOLD_REQUIRE(a > 0.0 && std::isfinite(a), "Ellipse: semi-axis a is {} m, expected > 0", a);
  ENFOLD_REQUIRE(b > 0.0 && std::isfinite(b), "Ellipse: semi-axis b is {} m, expected > 0", b);
}

Support Ellipse::support(double beta) const {
  const double c = std::cos(beta);
  const double s = std::sin(beta);
  const double a2 = a_ * a_;
  const double b2 = b_ * b_;
  const double h = std::sqrt(a2 * c * c + b2 * s * s);
  const double dh = (b2 - a2) * s * c / h;
  // h h′ = (b² − a²) s c  ⇒  h h″ = (b² − a²)(c² − s²) − h′²
  const double d2h = ((b2 - a2) * (c * c - s * s) - dh * dh) / h;
  return {h, dh, d2h};
}

double Ellipse::characteristic_length() const {
  return std::max(a_, b_);
}

TangentRay tangent_ray(const Ellipse& ellipse, const Vector2d& p, Side side) {
  const Vector2d w{p.x() / ellipse.a(), p.y() / ellipse.b()};
  const double D = w.norm();
  if (D <= 1.0) return {};
  // The scaling (x/a, y/b) preserves orientation, so left stays left. Seen from p, the tangent point that has
  // the body on its left lies clockwise from the centre: at angle +acos(1/D) around the circle from the
  // direction of p.
  const double turn = side == Side::kLeft ? 1.0 : -1.0;
  const double gamma = std::atan2(w.y(), w.x()) + turn * std::acos(1.0 / D);
  const Vector2d touch{ellipse.a() * std::cos(gamma), ellipse.b() * std::sin(gamma)};
  const Vector2d ray = touch - p;
  return {TangentRay::Status::kFound, std::atan2(ray.y(), ray.x()), ray.norm()};
}

}  // namespace enfold::geometry
