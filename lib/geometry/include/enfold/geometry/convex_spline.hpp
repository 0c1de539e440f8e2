// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "enfold/geometry/convex_curve.hpp"

namespace enfold::geometry {

/// The closed cubic spline through given points, twice continuously differentiable by chord length, where it
/// is convex. At the normal u(β) the parameter solves u(β)·p′(s) = 0, a quadratic on one piece; there
///
///     h = u·p,   h′ = u⊥·p,   ρ = |p′|³ / (p′ × p″)                                     [eq:convex-spline]
class ConvexSpline final : public ConvexCurve {
 public:
  /// Points in the body frame, counter-clockwise. @pre at least three, all finite, neighbours apart, the
  /// spline convex and once around (throws InvalidArgument, which names the points between which it is not)
  explicit ConvexSpline(std::vector<Vector2d> points);

  [[nodiscard]] Support support(double beta) const override;
  [[nodiscard]] double characteristic_length() const override { return length_; }
  [[nodiscard]] const std::vector<Vector2d>& points() const { return points_; }

 private:
  /// p(s) = Σ c_k s^k, 0 ≤ s ≤ 1, with outward normals from angle `from` on.
  struct Piece {
    std::array<Vector2d, 4> c;
    double from = 0.0;
  };
  std::vector<Vector2d> points_;
  std::vector<Piece> pieces_;  // by increasing normal angle
  double length_ = 0.0;
};

}  // namespace enfold::geometry
