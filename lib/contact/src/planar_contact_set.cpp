// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/contact/planar_contact_set.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include <Eigen/Geometry>

#include "enfold/base/require.hpp"
#include "enfold/geometry/ellipse.hpp"

namespace enfold::contact {
namespace {

using geometry::Side;
using geometry::Support;
using mechanics::LinkMotion;
using mechanics::PlanarHand;

Vector2d perp(const Vector2d& a) {
  return {-a.y(), a.x()};
}

/// Everything about one link on the object at one state: the symbols of docs/theory/02_contact_kinematics.md.
struct Touch {
  Vector2d n;        // unit normal, link → object
  Vector2d n_prime;  // dn/dψ
  Support s;         // h, h′, h″ at β
  Vector2d r;        // object centre → object's contact point: h u + h′ u⊥, u = −n
  double reach;      // of the contact point along the link, from the joint
};

void require_size(const VectorXd& x, Index n, const char* name) {
  ENFOLD_REQUIRE(x.size() == n, "PlanarContactSet: {} has {} entries, expected {}", name, x.size(), n);
}

Touch touch_at(const LinkMotion& link, Side side, const Vector2d& c, double phi,
               const geometry::ConvexCurve& shape) {
  Touch t;
  const double turn = side == Side::kLeft ? 1.0 : -1.0;
  t.n = turn * perp(link.d);
  t.n_prime = -turn * link.d;
  t.s = shape.support(link.psi - turn * (std::numbers::pi / 2) - phi);
  t.r = -t.s.h * t.n - t.s.dh * perp(t.n);
  t.reach = link.d.dot(c + t.r - link.p);
  return t;
}

}  // namespace

PlanarContactSet::PlanarContactSet(std::shared_ptr<const mechanics::PlanarGraspMechanism> mechanism,
                                   std::vector<PlanarContact> contacts, std::vector<PlanarHalfPlane> planes)
    : mechanism_{std::move(mechanism)}, contacts_{std::move(contacts)}, planes_{std::move(planes)} {
  ENFOLD_REQUIRE(mechanism_ != nullptr, "PlanarContactSet: no mechanism");
  const mechanics::PlanarObject& object = mechanism_->object();
  ENFOLD_REQUIRE(object.shape != nullptr || object.polygon != nullptr,
                 "PlanarContactSet: the object has no shape");
  for (const PlanarHalfPlane& plane : planes_) {
    ENFOLD_REQUIRE(plane.point.allFinite() && std::isfinite(plane.angle),
                   "PlanarContactSet: half-plane {} is not finite", plane.name);
    LinkMotion& still = plane_motions_.emplace_back();
    still.p = plane.point;
    still.psi = plane.angle;
    still.d = {std::cos(plane.angle), std::sin(plane.angle)};
    still.psi_dot = 0.0;
    still.p_dot.setZero();
    still.p_bias.setZero();
  }
  std::set<std::string> seen;
  for (const PlanarContact& contact : contacts_) {
    ENFOLD_REQUIRE((contact.link < 0) != (contact.plane < 0),
                   "PlanarContactSet: contact {} must be on a link or on a half-plane", contact.name);
    ENFOLD_REQUIRE(contact.link < mechanism_->hand().n_joints(),
                   "PlanarContactSet: contact {} is on link {} of {}", contact.name, contact.link,
                   mechanism_->hand().n_joints());
    ENFOLD_REQUIRE(contact.plane < static_cast<Index>(planes_.size()),
                   "PlanarContactSet: contact {} is on half-plane {} of {}", contact.name, contact.plane,
                   planes_.size());
    ENFOLD_REQUIRE(
        object.polygon == nullptr || contact.link < 0,
        "PlanarContactSet: contact {}: links touch smooth shapes only, and the object is a polygon",
        contact.name);
    ENFOLD_REQUIRE(object.polygon == nullptr
                       ? contact.corner < 0
                       : contact.corner >= 0 && contact.corner < object.polygon->n_corners(),
                   "PlanarContactSet: contact {} is at corner {} of {}", contact.name, contact.corner,
                   object.polygon == nullptr ? 0 : object.polygon->n_corners());
    ENFOLD_REQUIRE(seen.insert(contact.name).second, "PlanarContactSet: two contacts are named {}",
                   contact.name);
    names_.push_back(contact.name);
  }
}

void PlanarContactSet::kinematics(const VectorXd& q, const VectorXd& v, ContactKinematics& out) const {
  const PlanarHand& hand = mechanism_->hand();
  const Index n_j = hand.n_joints();
  const Index n_C = n_contacts();
  require_size(q, mechanism_->n_q(), "q");
  require_size(v, mechanism_->n_v(), "v");
  if (out.gap.size() != n_C || out.W_N.rows() != q.size()) {
    out.gap.setZero(n_C);
    out.W_N.setZero(q.size(), n_C);
    out.W_T.setZero(q.size(), n_C);
    out.bias_N.setZero(n_C);
    out.bias_T.setZero(n_C);
    out.edge_distance.setZero(n_C);
  }
  std::array<LinkMotion, PlanarHand::kMaxJoints> links;
  hand.kinematics(q.tail(n_j), v.tail(n_j), links);
  const Vector2d c = q.head<2>();
  const Vector2d c_dot = v.head<2>();
  const double omega = v[2];

  const Eigen::Rotation2Dd R(q[2]);
  for (Index i = 0; i < n_C; ++i) {
    const Index l = link_of(i);
    if (l < 0) {
      plane_kinematics(contacts_[static_cast<std::size_t>(i)], R, c, omega, i, out);
      continue;
    }
    const LinkMotion& link = links[static_cast<std::size_t>(l)];
    const double radius = hand.link(l).radius;
    const Touch t = touch_at(link, hand.arm_of(l).object_side, c, q[2], *mechanism_->object().shape);
    const double psi_dot = link.psi_dot;
    const double beta_dot = psi_dot - omega;

    out.gap[i] = t.n.dot(c - link.p) - t.s.h - radius;
    out.edge_distance[i] = std::min(t.reach, hand.link(l).length - t.reach);

    // Rows of the object: the unit wrench of a force along n and d at the contact point.
    const auto cross = [](const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); };
    out.W_N.col(i).head<3>() << t.n, cross(t.r, t.n);
    out.W_T.col(i).head<3>() << link.d, cross(t.r, link.d);
    // Rows of the joints: minus the velocity of the link's own point at the contact.
    const Vector2d on_link = t.reach * link.d + radius * t.n;  // from the link's joint
    out.W_N.col(i).tail(n_j).setZero();
    out.W_T.col(i).tail(n_j).setZero();
    for (Index j = hand.first_joint(l); j <= l; ++j) {
      const Vector2d lever = perp(link.p + on_link - links[static_cast<std::size_t>(j)].p);
      out.W_N(3 + j, i) = -t.n.dot(lever);
      out.W_T(3 + j, i) = -link.d.dot(lever);
    }

    // d(W_Nᵀ)/dt·v = φ̈ at v̇ = 0.                                                          [eq:planar-bias]
    const Vector2d relative = c_dot - link.p_dot;
    out.bias_N[i] = 2.0 * psi_dot * t.n_prime.dot(relative) - t.n.dot(link.p_bias) -
                    psi_dot * psi_dot * t.n.dot(c - link.p) - t.s.d2h * beta_dot * beta_dot;

    // Slip: d·(ċ + ω r⊥ − ṗ − ψ̇ (on_link)⊥). Its derivative at v̇ = 0 is the turning of d and the centripetal
    // acceleration of the two material points. The contact point also wanders over both surfaces, but along
    // d, which changes the velocity of the point it is at only along n.
    const Vector2d slip_velocity = relative + omega * perp(t.r) - psi_dot * perp(on_link);
    out.bias_T[i] = psi_dot * perp(link.d).dot(slip_velocity) +
                    link.d.dot(-omega * omega * t.r - link.p_bias + psi_dot * psi_dot * on_link);
  }
}

/// On a half-plane: the point r of the object that is nearest to it, whose normal does not turn.
void PlanarContactSet::plane_kinematics(const PlanarContact& contact, const Eigen::Rotation2Dd& R,
                                        const Vector2d& c, double omega, Index i,
                                        ContactKinematics& out) const {
  const LinkMotion& plane = plane_motions_[static_cast<std::size_t>(contact.plane)];
  const mechanics::PlanarObject& object = mechanism_->object();
  const Vector2d n = perp(plane.d);
  Vector2d r;
  double wander = 0.0;  // h″ ω²: how the nearest point of a smooth shape moves over it
  if (object.polygon != nullptr) {
    r = R * object.polygon->corner(contact.corner);
  } else {
    const Touch t = touch_at(plane, Side::kLeft, c, R.angle(), *object.shape);
    r = t.r;
    wander = t.s.d2h * omega * omega;
  }
  const auto cross = [](const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); };
  out.gap[i] = n.dot(c + r - plane.p);
  out.W_N.col(i).setZero();
  out.W_T.col(i).setZero();
  out.W_N.col(i).head<3>() << n, cross(r, n);
  out.W_T.col(i).head<3>() << plane.d, cross(r, plane.d);
  // A corner's acceleration at v̇ = 0 is −ω² r; the nearest point of a curve has φ̈ = −h″ ω² instead, for
  // φ = n·(c − o) − h. Its slip changes as that of the material point, since it wanders along t.
  out.bias_N[i] = object.polygon != nullptr ? -omega * omega * n.dot(r) : -wander;
  out.bias_T[i] = -omega * omega * plane.d.dot(r);
  out.edge_distance[i] = std::numeric_limits<double>::infinity();
}

ContactFrame PlanarContactSet::frame(const VectorXd& q, Index contact) const {
  ENFOLD_REQUIRE(contact >= 0 && contact < n_contacts(), "frame: contact {} of {}", contact, n_contacts());
  require_size(q, mechanism_->n_q(), "q");
  const PlanarHand& hand = mechanism_->hand();
  const Index n_j = hand.n_joints();
  std::array<LinkMotion, PlanarHand::kMaxJoints> links;
  hand.kinematics(q.tail(n_j), VectorXd::Zero(n_j), links);
  const Index l = link_of(contact);
  const Vector2d c = q.head<2>();
  if (l < 0) {
    const PlanarContact& on = contacts_[static_cast<std::size_t>(contact)];
    const LinkMotion& plane = plane_motions_[static_cast<std::size_t>(on.plane)];
    const mechanics::PlanarObject& object = mechanism_->object();
    const Vector2d r = object.polygon != nullptr
                           ? Vector2d(Eigen::Rotation2Dd(q[2]) * object.polygon->corner(on.corner))
                           : touch_at(plane, Side::kLeft, c, q[2], *object.shape).r;
    ContactFrame frame;
    frame.normal = perp(plane.d);
    frame.tangents = plane.d;
    frame.object_point = c + r;
    frame.link_point = c + r - perp(plane.d).dot(c + r - plane.p) * perp(plane.d);
    frame.link = -1;
    return frame;
  }
  const LinkMotion& link = links[static_cast<std::size_t>(l)];
  const Touch t = touch_at(link, hand.arm_of(l).object_side, c, q[2], *mechanism_->object().shape);
  ContactFrame frame;
  frame.object_point = c + t.r;
  frame.link_point = link.p + t.reach * link.d + hand.link(l).radius * t.n;
  frame.normal = t.n;
  frame.tangents = link.d;
  frame.link = l;
  return frame;
}

Closure PlanarContactSet::close(const VectorXd& x) const {
  ENFOLD_REQUIRE(x.size() == 3 && x.allFinite(), "close: the object pose must be three finite numbers");
  const PlanarHand& hand = mechanism_->hand();
  const Index n_j = hand.n_joints();
  Closure closure;
  closure.theta = VectorXd::Zero(n_j);
  if (n_j == 0) {
    closure.status = Closure::Status::kClosed;
    return closure;
  }
  ENFOLD_REQUIRE(mechanism_->object().shape != nullptr, "close: links can't close on a polygon");
  const geometry::ConvexCurve& shape = *mechanism_->object().shape;
  const auto* ellipse = dynamic_cast<const geometry::Ellipse*>(&shape);
  const Eigen::Rotation2Dd R(x[2]);
  std::vector<Index> contact_of(static_cast<std::size_t>(n_j), -1);
  for (Index i = 0; i < n_contacts(); ++i) {
    if (link_of(i) >= 0) contact_of[static_cast<std::size_t>(link_of(i))] = i;
  }

  Vector2d p = Vector2d::Zero();
  double psi_before = 0.0;
  for (Index l = 0; l < n_j; ++l) {
    if (hand.first_joint(l) == l) {
      p = hand.arm_of(l).base;
      psi_before = 0.0;
    }
    // Links are closed one at a time, from the palm outwards; a link without a contact turns with the one
    // that touches next to it, as if it were to touch as well.
    const std::string& link_name = hand.link_names()[static_cast<std::size_t>(l)];
    const Side side = hand.arm_of(l).object_side;
    const double radius = hand.link(l).radius;
    const Vector2d p_body = R.inverse() * (p - x.head<2>());
    const geometry::TangentRay ray = ellipse != nullptr && radius == 0.0
                                         ? geometry::tangent_ray(*ellipse, p_body, side)
                                         : geometry::tangent_ray(shape, p_body, side, radius);
    closure.contact = contact_of[static_cast<std::size_t>(l)];
    const std::string who =
        closure.contact < 0 ? link_name : "contact " + names_[static_cast<std::size_t>(closure.contact)];
    if (ray.status == geometry::TangentRay::Status::kPointInside) {
      closure.status = Closure::Status::kWrapsWrongly;
      closure.message = fmt::format(
          "{} can't be made: the joint of {} at ({:.4g}, {:.4g}) m lies inside the object{}; move the object "
          "away from "
          "it or change the lengths of the links before it",
          who, link_name, p.x(), p.y(),
          radius > 0.0 ? fmt::format(", or closer to it than the link's radius of {:.4g} m", radius) : "");
      return closure;
    }
    if (closure.contact >= 0 && ray.distance > hand.link(l).length) {
      closure.status = Closure::Status::kDoesNotReach;
      closure.shortfall = ray.distance - hand.link(l).length;
      closure.message = fmt::format(
          "{} does not reach: {} would touch the object {:.4g} m from its joint, {:.2g} m beyond its tip; "
          "lengthen "
          "the link by that much or move the object closer",
          who, link_name, ray.distance, closure.shortfall);
      return closure;
    }
    const double psi = ray.psi + x[2];
    // The relative angle nearest to zero: an arm never winds a whole turn around its own joint.
    closure.theta[l] = std::remainder(psi - psi_before, 2.0 * std::numbers::pi);
    psi_before += closure.theta[l];
    p += hand.link(l).length * Vector2d{std::cos(psi_before), std::sin(psi_before)};
  }
  closure.status = Closure::Status::kClosed;
  closure.contact = -1;
  return closure;
}

}  // namespace enfold::contact
