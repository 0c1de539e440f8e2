// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "enfold/base/types.hpp"

namespace enfold::geometry {

/// A convex polygon by its corners in the body frame, counter-clockwise; two corners make a rod.
///
/// It has no smooth support function, so that links can't touch it: its contacts are corners on half-planes.
/// A corner may lie on a straight edge between its neighbours (a foot under a beam). The body frame's origin
/// is the centre of mass, which need not lie inside.
class ConvexPolygon {
 public:
  /// @pre at least two corners, all finite, neighbours apart; from three on: convex, counter-clockwise, once
  /// around, with an area (throws InvalidArgument, which names the corner by its number from 0)
  explicit ConvexPolygon(std::vector<Vector2d> corners);

  [[nodiscard]] Index n_corners() const { return static_cast<Index>(corners_.size()); }
  /// Corner i in the body frame [m]. @pre 0 ≤ i < n_corners()
  [[nodiscard]] const Vector2d& corner(Index i) const { return corners_[static_cast<std::size_t>(i)]; }
  [[nodiscard]] const std::vector<Vector2d>& corners() const { return corners_; }

  /// Half of the largest distance of two corners, for scaling tolerances and pictures [m].
  [[nodiscard]] double characteristic_length() const { return length_; }

 private:
  std::vector<Vector2d> corners_;
  double length_ = 0.0;
};

}  // namespace enfold::geometry
