// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/geometry/convex_curve.hpp"

namespace enfold::geometry {

/// A convex polygon by its corners in the body frame, counter-clockwise; two corners make a rod. Corners may
/// be rounded: each is then an arc of radius r that touches the two edges next to it, about a **core** point.
///
///     h(β) = max over i of u(β)·core_i + r                                               [eq:polygon]
///
/// A corner may lie on a straight edge between its neighbours (a foot under a beam). The body frame's origin
/// is the centre of mass, which need not lie inside. Face i runs from corner i to the next; a rod has two.
class ConvexPolygon final : public ConvexCurve {
 public:
  /// @pre at least two corners, all finite, neighbours apart; from three on: convex, counter-clockwise, once
  /// around, with an area; radius ≥ 0, of a rod 0, and such that something is left of every edge (throws
  /// InvalidArgument, which names the corner by its number from 0)
  explicit ConvexPolygon(std::vector<Vector2d> corners, double corner_radius = 0.0);

  [[nodiscard]] Index n_corners() const { return static_cast<Index>(corners_.size()); }
  /// Corner i as given, before rounding, in the body frame [m]. @pre 0 ≤ i < n_corners()
  [[nodiscard]] const Vector2d& corner(Index i) const { return corners_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const std::vector<Vector2d>& corners() const { return corners_; }
  [[nodiscard]] double corner_radius() const { return radius_; }
  /// Centre of the arc at corner i; the corner itself if it is sharp [m].
  [[nodiscard]] const Vector2d& core(Index i) const { return core_[static_cast<std::size_t>(i)]; }
  /// Outward unit normal of face i.
  [[nodiscard]] const Vector2d& normal(Index i) const { return normals_[static_cast<std::size_t>(i)]; }
  /// Distance of face i's line from the body's origin, along its normal [m].
  [[nodiscard]] double offset(Index i) const { return normal(i).dot(core(i)) + radius_; }

  /// The corner that reaches farthest along u; the lower number of two that do.
  [[nodiscard]] Index corner_towards(const Vector2d& u) const;
  /// Support at the corner that reaches farthest: ρ = r.
  [[nodiscard]] Support support(double beta) const override;
  /// Support of corner i's arc alone.
  [[nodiscard]] Support corner_support(Index i, double beta) const;

  /// The boundary, counter-clockwise: the corners, or points on their arcs [m].
  [[nodiscard]] std::vector<Vector2d> outline() const;

  /// Half of the largest distance of two corners, for scaling tolerances and pictures [m].
  [[nodiscard]] double characteristic_length() const override { return length_; }

 private:
  std::vector<Vector2d> corners_, core_, normals_;
  double radius_ = 0.0;
  double length_ = 0.0;
};

}  // namespace enfold::geometry
