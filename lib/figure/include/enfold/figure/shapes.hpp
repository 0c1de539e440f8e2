// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "enfold/figure/elements.hpp"

namespace enfold::figure {

/// Outlines for Polygon, counter-clockwise. Angles [rad], counter-clockwise from the x axis.

/// p(s) = c + R(angle)·(a cos s, b sin s), s = 2πk/n.
/// @pre a, b > 0, n ≥ 3 (throws InvalidArgument)
[[nodiscard]] std::vector<Point> ellipse_outline(Point centre, double a, double b, double angle = 0.0,
                                                 int n = 96);

/// All points at distance `radius` from the segment from–to: a link with round ends.
/// @pre radius > 0, n ≥ 2 points per end (throws InvalidArgument)
[[nodiscard]] std::vector<Point> capsule_outline(Point from, Point to, double radius, int n = 24);

/// A planar cone cut at `length`: apex, apex + length·(cos(axis ± half_angle), sin(axis ± half_angle)).
/// With half_angle = atan μ about the contact normal it is the friction cone.
/// @pre length > 0, 0 < half_angle < π/2 (throws InvalidArgument)
[[nodiscard]] std::vector<Point> cone_outline(Point apex, double axis_angle, double half_angle,
                                              double length);

}  // namespace enfold::figure
