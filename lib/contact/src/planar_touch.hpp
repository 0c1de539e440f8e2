// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/contact/planar_contact_set.hpp"

namespace enfold::contact {

[[nodiscard]] inline Vector2d perp(const Vector2d& a) {
  return {-a.y(), a.x()};
}
[[nodiscard]] inline double cross(const Vector2d& a, const Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// The side of a link, or of a half-plane, that faces the object.
struct FacingLink {
  double length = 0.0, radius = 0.0, bulge = 0.0;  // [m]
  double sigma = 1.0;                              // +1 if the object is on the left

  /// The face as an arc about a centre in the link's frame; R > 0 stands out, R < 0 is hollow. @pre bulge ≠ 0
  [[nodiscard]] double arc_radius() const;
  [[nodiscard]] Vector2d arc_centre() const;
};

/// The object at a pose.
struct PlacedObject {
  const mechanics::PlanarObject* object = nullptr;
  Vector2d c = Vector2d::Zero();
  double phi = 0.0;
  Eigen::Matrix2d R = Eigen::Matrix2d::Identity();
};
[[nodiscard]] PlacedObject place(const mechanics::PlanarObject& object, const Vector2d& c, double phi);

/// Two surfaces at one configuration: the symbols of docs/theory/02_contact_kinematics.md.
struct Touch {
  double gap;
  Vector2d n;    // unit normal, link → object
  Vector2d r;    // object's centre → object's contact point
  Vector2d ell;  // link's joint → link's contact point
  double rho_A;  // radius of curvature of the link's surface; < 0 if hollow, unused on a straight face
  double rho_B;  // of the object's; unused on its straight face
  double reach;  // along the link, of the contact point less the half thickness
  double edge;   // to the nearest end of the part of the link that the contact may be on
};

/// Which parts of the surfaces touch.
struct Surfaces {
  bool tip = false;   // of the link: its end, instead of its face
  Index corner = -1;  // of the object: an arc
  Index face = -1;    // of the object: a straight face; both −1: the smooth curve
};

/// The touch of given surfaces, whether or not they are the nearest ones.
[[nodiscard]] Touch touch_of(const mechanics::LinkMotion& link, const FacingLink& facing,
                             const PlacedObject& object, const Surfaces& surfaces);

/// The surfaces that are nearest, among those that a contact may be on. `before` wins where it is as near as
/// the best to within 1e-12 m, so that rounding does not make a contact go to and fro.
[[nodiscard]] Surfaces nearest_surfaces(const mechanics::LinkMotion& link, const FacingLink& facing,
                                        const PlacedObject& object, LinkPart part, Index pinned_corner,
                                        const Surfaces* before);

}  // namespace enfold::contact
