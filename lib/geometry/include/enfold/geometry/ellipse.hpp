// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/geometry/convex_curve.hpp"

namespace enfold::geometry {

/// Ellipse with semi-axes a (along the body's x) and b (along y):  h(β) = √(a² cos²β + b² sin²β).
/// [eq:ellipse]
class Ellipse final : public ConvexCurve {
 public:
  /// @pre a > 0, b > 0 (throws InvalidArgument)
  Ellipse(double a, double b);

  [[nodiscard]] Support support(double beta) const override;
  [[nodiscard]] double characteristic_length() const override;
  [[nodiscard]] double a() const { return a_; }
  [[nodiscard]] double b() const { return b_; }

 private:
  double a_;
  double b_;
};

/// Closed form of tangent_ray for an ellipse and radius 0: in the coordinates (x/a, y/b) the ellipse is the
/// unit circle, to which the two tangents from a point at distance D lie at ±acos(1/D) around its direction.
[[nodiscard]] TangentRay tangent_ray(const Ellipse& ellipse, const Vector2d& p, Side side);

}  // namespace enfold::geometry
