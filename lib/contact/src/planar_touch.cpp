// SPDX-License-Identifier: BSD-3-Clause
#include "planar_touch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace enfold::contact {
namespace {

using geometry::ConvexPolygon;
using geometry::Support;
using mechanics::LinkMotion;

constexpr double kPi = std::numbers::pi;
constexpr double kTie = 1e-12;   // [m]
constexpr double kPoint = 1e-7;  // [m]: two points that are nearer have no normal

/// Support of the object's curve, or of one of its corners, at a normal angle of the body frame.
Support support_of(const mechanics::PlanarObject& object, Index corner, double beta) {
  if (object.polygon == nullptr) return object.shape->support(beta);
  return object.polygon->corner_support(corner, beta);
}

/// How the tip may still turn until its back is at the object, as a length.
double tip_edge(const LinkMotion& link, const FacingLink& facing, const Vector2d& n) {
  const double angle = std::atan2(facing.sigma * cross(link.d, n), link.d.dot(n));  // 90° at the face's end
  return facing.length * (kPi / 2 + angle);
}

/// A line on the link: its straight face, or a half-plane.
Touch line_touch(const LinkMotion& link, const FacingLink& facing, const PlacedObject& object, Index corner) {
  Touch t;
  t.n = facing.sigma * perp(link.d);
  const Support s = support_of(*object.object, corner, link.psi - facing.sigma * (kPi / 2) - object.phi);
  t.gap = t.n.dot(object.c - link.p) - s.h - facing.radius;
  t.r = -s.h * t.n - s.dh * perp(t.n);
  t.reach = link.d.dot(object.c + t.r - link.p);
  t.ell = t.reach * link.d + facing.radius * t.n;
  t.rho_A = 0.0;
  t.rho_B = s.curvature_radius();
  t.edge = std::min(t.reach, facing.length - t.reach);
  return t;
}

/// An arc on the link: its tip, or a face that stands out (R > 0) or is hollow (R < 0).
Touch arc_touch(const LinkMotion& link, const FacingLink& facing, const PlacedObject& object,
                const Surfaces& on, const Vector2d& centre, double R_A) {
  const mechanics::PlanarObject& body = *object.object;
  const Vector2d a = link.p + centre.x() * link.d + centre.y() * perp(link.d);
  Touch t;
  t.rho_A = R_A;
  double s = 0.0;  // n·(a → the object's contact point)
  if (on.face >= 0) {
    const Vector2d m = object.R * body.polygon->normal(on.face);
    t.n = -m;
    s = m.dot(a - object.c) - body.polygon->offset(on.face);
    t.rho_B = std::numeric_limits<double>::infinity();
  } else if (on.corner >= 0) {
    const double R_B = body.polygon->corner_radius();
    const Vector2d apart = object.c + object.R * body.polygon->core(on.corner) - a;
    t.n = (R_A >= 0.0 ? 1.0 : -1.0) * apart.normalized();
    s = t.n.dot(apart) - R_B;
    t.rho_B = R_B;
  } else {
    const Vector2d inside = object.R.transpose() * (a - object.c);
    geometry::NearestPoint foot;
    if (R_A >= 0.0) {
      foot = geometry::nearest_point(*body.shape, inside);
    } else {
      // The object's point that is deepest in the hollow.
      const double facing_angle = link.psi - facing.sigma * (kPi / 2) - object.phi;
      foot = geometry::farthest_point(*body.shape, inside, facing_angle, kPi / 2);
    }
    const double world = foot.beta + object.phi;
    t.n = -Vector2d{std::cos(world), std::sin(world)};
    s = foot.separation;
    t.rho_B = body.shape->support(foot.beta).curvature_radius();
  }
  t.gap = s - R_A;
  t.r = a + s * t.n - object.c;
  t.ell = a + R_A * t.n - link.p;
  t.reach = link.d.dot(t.ell - facing.radius * t.n);
  t.edge = on.tip ? tip_edge(link, facing, t.n) : std::min(t.reach, facing.length - t.reach);
  return t;
}

/// The polygon's arc or face that is nearest to a point. Where both that point's body and the corner are
/// sharp and meet, a face: two points have no normal.
Surfaces nearest_of_polygon(const ConvexPolygon& polygon, const Vector2d& p, bool sharp) {
  const Index n = polygon.n_corners();
  Surfaces best;
  best.face = 0;  // also for a point that is not finite, as a step that runs away may ask for
  double separation = -std::numeric_limits<double>::infinity();
  for (Index i = 0; i < n; ++i) {
    const double g = polygon.normal(i).dot(p) - polygon.offset(i);
    if (g > separation) {
      separation = g;
      best.face = i;
    }
  }
  // Beyond an end of the face that is farthest away, a corner is nearer.
  const Index i = best.face;
  const Index next = (i + 1) % n;
  const Vector2d along = perp(polygon.normal(i));
  const Index beyond = along.dot(p - polygon.core(i)) < 0.0      ? i
                       : along.dot(p - polygon.core(next)) > 0.0 ? next
                                                                 : -1;
  if (beyond < 0 || (sharp && (p - polygon.core(beyond)).norm() < kPoint)) return best;
  return {.tip = false, .corner = beyond, .face = -1};
}

/// The object's surface that is nearest to the link's face, or to its tip.
Surfaces nearest_on_object(const LinkMotion& link, const FacingLink& facing, const PlacedObject& object,
                           bool tip, Index pinned_corner) {
  Surfaces on;
  on.tip = tip;
  const ConvexPolygon* polygon = object.object->polygon.get();
  if (polygon == nullptr) return on;
  if (pinned_corner >= 0) {
    on.corner = pinned_corner;
    return on;
  }
  if (!tip && facing.bulge == 0.0) {
    on.corner = polygon->corner_towards(object.R.transpose() * (-facing.sigma * perp(link.d)));
    return on;
  }
  const Vector2d centre = tip ? Vector2d{facing.length, 0.0} : facing.arc_centre();
  const Vector2d inside =
      object.R.transpose() * (link.p + centre.x() * link.d + centre.y() * perp(link.d) - object.c);
  if (!tip && facing.bulge < 0.0) {
    // The corner that is deepest in the hollow.
    const Vector2d out = object.R.transpose() * (-facing.sigma * perp(link.d));
    double farthest = -1.0;
    for (Index i = 0; i < polygon->n_corners(); ++i) {
      const Vector2d from = polygon->core(i) - inside;
      if (out.dot(from) > 0.0 && from.norm() > farthest) {
        farthest = from.norm();
        on.corner = i;
      }
    }
    if (on.corner < 0) on.corner = polygon->corner_towards(out);
    return on;
  }
  const double R_A = tip ? facing.radius : facing.arc_radius();
  const Surfaces found = nearest_of_polygon(*polygon, inside, R_A == 0.0 && polygon->corner_radius() == 0.0);
  on.corner = found.corner;
  on.face = found.face;
  return on;
}

}  // namespace

double FacingLink::arc_radius() const {
  const double height = std::abs(bulge);
  const double core = 0.5 * (0.25 * length * length / height + height);
  return bulge > 0.0 ? core + radius : -(core - radius);
}

Vector2d FacingLink::arc_centre() const {
  const double height = std::abs(bulge);
  const double core = 0.5 * (0.25 * length * length / height + height);
  return {0.5 * length, sigma * (bulge > 0.0 ? bulge - core : bulge + core)};
}

PlacedObject place(const mechanics::PlanarObject& object, const Vector2d& c, double phi) {
  return {&object, c, phi, Eigen::Rotation2Dd(phi).toRotationMatrix()};
}

Touch touch_of(const LinkMotion& link, const FacingLink& facing, const PlacedObject& object,
               const Surfaces& surfaces) {
  if (surfaces.tip) return arc_touch(link, facing, object, surfaces, {facing.length, 0.0}, facing.radius);
  if (facing.bulge != 0.0)
    return arc_touch(link, facing, object, surfaces, facing.arc_centre(), facing.arc_radius());
  return line_touch(link, facing, object, surfaces.corner);
}

Surfaces nearest_surfaces(const LinkMotion& link, const FacingLink& facing, const PlacedObject& object,
                          LinkPart part, Index pinned_corner, const Surfaces* before) {
  Surfaces on = nearest_on_object(link, facing, object, part == LinkPart::kTip, pinned_corner);
  if (part == LinkPart::kAny) {
    // The face, as long as its nearest point is not beyond the tip.
    const double slack = before == nullptr ? 0.0 : before->tip ? -kTie : kTie;
    const Touch face = touch_of(link, facing, object, on);
    const bool behind = facing.bulge > 0.0 && facing.sigma * cross(link.d, face.n) <= 0.0;
    if (behind || face.reach > facing.length + slack)
      on = nearest_on_object(link, facing, object, true, pinned_corner);
  }
  if (before == nullptr || before->tip != on.tip) return on;
  if (before->corner == on.corner && before->face == on.face) return on;
  const double change = touch_of(link, facing, object, *before).gap - touch_of(link, facing, object, on).gap;
  return std::abs(change) <= kTie ? *before : on;
}

}  // namespace enfold::contact
