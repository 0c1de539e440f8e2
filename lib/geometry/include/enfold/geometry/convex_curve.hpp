// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/base/types.hpp"

namespace enfold::geometry {

/// The support function of a convex planar curve and its first two derivatives.
///
///     h(β) = max { u(β)·p : p on the curve },   u(β) = (cos β, sin β)                          [eq:support]
///
/// From it follow the boundary point with outward normal u(β), and the radius of curvature there:
///
///     p(β) = h u + h′ u⊥,   ρ(β) = h + h″ ≥ 0
///
/// ρ is 0 at a sharp corner, which has many normals; a straight face has one, at which h′ jumps.
struct Support {
  double h = 0.0;    ///< distance of the tangent line from the body's origin [m]
  double dh = 0.0;   ///< h′ [m/rad]
  double d2h = 0.0;  ///< h″ [m/rad²]

  /// Radius of curvature of the boundary [m].
  [[nodiscard]] double curvature_radius() const { return h + d2h; }
};

/// Any convex curve that can tell its support function; what a contact needs to know of an object's shape.
/// Angles are in the body frame, whose origin is the centre of mass.
class ConvexCurve {
 public:
  virtual ~ConvexCurve() = default;

  [[nodiscard]] virtual Support support(double beta) const = 0;

  /// Boundary point with outward normal (cos β, sin β), in the body frame [m].
  [[nodiscard]] Vector2d boundary_point(double beta) const;

  /// True if a point of the body frame lies strictly inside, i.e. u(β)·p < h(β) for all β.
  [[nodiscard]] bool contains(const Vector2d& p) const;

  /// A length of the size of the curve, for scaling tolerances [m].
  [[nodiscard]] virtual double characteristic_length() const = 0;
};

/// Tangent line from a point: the angle ψ of the ray p + s·(cos ψ, sin ψ) that touches the curve, s > 0.
struct TangentRay {
  enum class Status { kFound, kPointInside };
  Status status = Status::kPointInside;
  double psi = 0.0;       ///< direction of the ray in the body frame, in [−π, π] [rad]
  double distance = 0.0;  ///< s, from p to the point of contact, along the ray [m]
};

/// Which side of a ray, looking along it, the curve lies on.
enum class Side { kLeft, kRight };

/// The ray from p (body frame) that touches the curve, offset outwards by `radius`, with the curve on `side`.
/// General shapes: safeguarded Newton on n(ψ)·(c − p) − h − r = 0, to rounding.           [eq:tangent-ray]
/// @pre radius ≥ 0
[[nodiscard]] TangentRay tangent_ray(const ConvexCurve& curve, const Vector2d& p, Side side,
                                     double radius = 0.0);

/// Where a curve is nearest to a point p, or farthest from it.
///
///     g(β) = u(β)·p − h(β),   g′ = 0;   g″ = −(g + ρ)                                     [eq:nearest-point]
///
/// Nearest: the largest g, which is the distance of p outside. Farthest: the smallest g, minus the distance.
struct NearestPoint {
  double beta = 0.0;        ///< angle of the outward normal there [rad]
  double separation = 0.0;  ///< g [m]
};

/// The nearest point of a curve: a scan, then Newton in a bracket. If p lies inside, where the boundary is
/// nearest in the sense of the largest g. Allocates nothing.
[[nodiscard]] NearestPoint nearest_point(const ConvexCurve& curve, const Vector2d& p);

/// The farthest point of a smooth curve whose outward normal is within `half_range` of the direction `beta`;
/// at an end of the range if g has no minimum inside. There is one minimum where ρ < −g; of two within a few
/// degrees either may be found. @pre 0 < half_range ≤ π
[[nodiscard]] NearestPoint farthest_point(const ConvexCurve& curve, const Vector2d& p, double beta,
                                          double half_range);

/// How far a straight segment stays away from a curve; negative if it reaches inside.
///
///     max over β of min(u·p, u·q) − h(β)
///
/// taken at the segment's two normals and at the points nearest to its ends, one of which is the maximum of
/// disjoint bodies.
[[nodiscard]] double segment_separation(const ConvexCurve& curve, const Vector2d& p, const Vector2d& q);

}  // namespace enfold::geometry
