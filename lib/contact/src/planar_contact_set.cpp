// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/contact/planar_contact_set.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "enfold/base/require.hpp"
#include "planar_touch.hpp"

namespace enfold::contact {
namespace {

using geometry::Side;
using mechanics::LinkMotion;
using mechanics::PlanarHand;

void require_size(const VectorXd& x, Index n, const char* name) {
  ENFOLD_REQUIRE(x.size() == n, "PlanarContactSet: {} has {} entries, expected {}", name, x.size(), n);
}

FacingLink facing_link(const PlanarHand& hand, Index l) {
  const mechanics::PlanarLink& link = hand.link(l);
  return {link.length, link.radius, link.bulge, hand.arm_of(l).object_side == Side::kLeft ? 1.0 : -1.0};
}

// A half-plane: a line without ends or thickness, the object on its left.
FacingLink facing_plane() {
  return {std::numeric_limits<double>::infinity(), 0.0, 0.0, 1.0};
}

// Codes: the link's part in one number; corner 2i, face 2i + 1, the smooth curve −1 in the other.
ContactFeature code(const Surfaces& on) {
  const Index object = on.face >= 0 ? 2 * on.face + 1 : on.corner >= 0 ? 2 * on.corner : -1;
  return {static_cast<std::int16_t>(on.tip ? 1 : 0), static_cast<std::int16_t>(object)};
}
Surfaces decode(ContactFeature feature) {
  Surfaces on;
  on.tip = feature.link == 1;
  if (feature.object >= 0) (feature.object % 2 == 0 ? on.corner : on.face) = feature.object / 2;
  return on;
}

/// How the two surfaces move on each other.
struct Rolling {
  double nu;        // the normal's rate of turn [rad/s]
  double w_A, w_B;  // of the contact points over their surfaces, along t [m/s]
};
Rolling rolling(const Touch& t, const Surfaces& on, const FacingLink& facing, double psi_dot, double omega,
                double slip) {
  const double sigma = facing.sigma;
  Rolling out{};
  if (!on.tip && facing.bulge == 0.0) {
    out.nu = psi_dot;
    out.w_B = sigma * t.rho_B * (out.nu - omega);
    out.w_A = slip + out.w_B + sigma * t.gap * out.nu;
  } else if (on.face >= 0) {
    out.nu = omega;
    out.w_A = -sigma * t.rho_A * (out.nu - psi_dot);
    out.w_B = out.w_A - slip - sigma * t.gap * out.nu;
  } else {
    out.nu = (t.rho_B * omega + t.rho_A * psi_dot - sigma * slip) / (t.rho_A + t.rho_B + t.gap);
    out.w_A = -sigma * t.rho_A * (out.nu - psi_dot);
    out.w_B = sigma * t.rho_B * (out.nu - omega);
  }
  return out;
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
    ENFOLD_REQUIRE(contact.plane < 0 || contact.part == LinkPart::kFace,
                   "PlanarContactSet: contact {} is on the tip of a half-plane, which has none",
                   contact.name);
    const Index n_corners = object.polygon == nullptr ? 0 : object.polygon->n_corners();
    const bool given = contact.corner >= 0 && contact.corner < n_corners;
    ENFOLD_REQUIRE(given || (contact.corner < 0 && (n_corners == 0 || contact.plane < 0)),
                   "PlanarContactSet: contact {} is at corner {} of {}", contact.name, contact.corner,
                   n_corners);
    ENFOLD_REQUIRE(contact.corner < 0 || contact.plane >= 0 || contact.part == LinkPart::kFace ||
                       mechanism_->hand().link(contact.link).radius + object.polygon->corner_radius() > 0.0,
                   "PlanarContactSet: contact {} pins a sharp corner to a sharp tip: two points have no "
                   "normal; give the link a radius or the polygon rounded corners",
                   contact.name);
    ENFOLD_REQUIRE(seen.insert(contact.name).second, "PlanarContactSet: two contacts are named {}",
                   contact.name);
    has_features_ =
        has_features_ ||
        (contact.link >= 0 && (contact.part == LinkPart::kAny || (n_corners > 0 && contact.corner < 0)));
    names_.push_back(contact.name);
  }
}

void PlanarContactSet::kinematics(const VectorXd& q, const VectorXd& v, ContactKinematics& out) const {
  evaluate(nullptr, q, v, out);
}

void PlanarContactSet::kinematics_on(std::span<const ContactFeature> features, const VectorXd& q,
                                     const VectorXd& v, ContactKinematics& out) const {
  ENFOLD_REQUIRE(features.size() == contacts_.size(), "PlanarContactSet: {} features for {} contacts",
                 features.size(), contacts_.size());
  evaluate(features.data(), q, v, out);
}

void PlanarContactSet::evaluate(const ContactFeature* features, const VectorXd& q, const VectorXd& v,
                                ContactKinematics& out) const {
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
  const PlacedObject object = place(mechanism_->object(), q.head<2>(), q[2]);
  const Vector2d c_dot = v.head<2>();
  const double omega = v[2];

  for (Index i = 0; i < n_C; ++i) {
    const PlanarContact& contact = contacts_[static_cast<std::size_t>(i)];
    const Index l = contact.link;
    const LinkMotion& link =
        l >= 0 ? links[static_cast<std::size_t>(l)] : plane_motions_[static_cast<std::size_t>(contact.plane)];
    const FacingLink facing = l >= 0 ? facing_link(hand, l) : facing_plane();
    const Surfaces on = features != nullptr && features[i] != ContactFeature::nearest()
                            ? decode(features[i])
                            : nearest_surfaces(link, facing, object, contact.part, contact.corner, nullptr);
    const Touch touch = touch_of(link, facing, object, on);
    const Vector2d t = -facing.sigma * perp(touch.n);  // from joint to tip
    const double psi_dot = link.psi_dot;

    out.gap[i] = touch.gap;
    out.edge_distance[i] = l < 0 ? std::numeric_limits<double>::infinity()
                           : contact.part == LinkPart::kAny && !on.tip ? touch.reach
                                                                       : touch.edge;
    // Rows of the object: the unit wrench of a force along n and t at the contact point.
    out.W_N.col(i).head<3>() << touch.n, cross(touch.r, touch.n);
    out.W_T.col(i).head<3>() << t, cross(touch.r, t);
    // Rows of the joints: minus the velocity of the link's own point at the contact.
    out.W_N.col(i).tail(n_j).setZero();
    out.W_T.col(i).tail(n_j).setZero();
    for (Index j = l >= 0 ? hand.first_joint(l) : 0; j <= l; ++j) {
      const Vector2d lever = perp(link.p + touch.ell - links[static_cast<std::size_t>(j)].p);
      out.W_N(3 + j, i) = -touch.n.dot(lever);
      out.W_T(3 + j, i) = -t.dot(lever);
    }

    // d(Wᵀ)/dt·v = φ̈ at v̇ = 0: the turning of n and t, the centripetal accelerations of the two material
    // points, and the wandering of the contact point over both surfaces, which is along t and changes the
    // velocity of the point it is at only along n.
    const Vector2d relative = c_dot - link.p_dot + omega * perp(touch.r) - psi_dot * perp(touch.ell);
    const double slip = t.dot(relative);
    const Rolling moves = rolling(touch, on, facing, psi_dot, omega, slip);
    const Vector2d centripetal = -omega * omega * touch.r - link.p_bias + psi_dot * psi_dot * touch.ell;
    out.bias_N[i] = -facing.sigma * moves.nu * slip + touch.n.dot(centripetal) +
                    facing.sigma * (omega * moves.w_B - psi_dot * moves.w_A);
    out.bias_T[i] = facing.sigma * moves.nu * touch.n.dot(relative) + t.dot(centripetal);
  }
}

void PlanarContactSet::find_features(const VectorXd& q, std::vector<ContactFeature>& features) const {
  require_size(q, mechanism_->n_q(), "q");
  const PlanarHand& hand = mechanism_->hand();
  const Index n_j = hand.n_joints();
  std::array<LinkMotion, PlanarHand::kMaxJoints> links;
  hand.kinematics(q.tail(n_j), q.tail(n_j), links);  // any velocity will do: only positions are used
  const PlacedObject object = place(mechanism_->object(), q.head<2>(), q[2]);
  const bool known = features.size() == contacts_.size();
  features.resize(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const PlanarContact& contact = contacts_[i];
    const Surfaces before = decode(features[i]);
    const bool tied = known && features[i] != ContactFeature::nearest();
    const bool on_link = contact.link >= 0;
    features[i] = code(nearest_surfaces(on_link ? links[static_cast<std::size_t>(contact.link)]
                                                : plane_motions_[static_cast<std::size_t>(contact.plane)],
                                        on_link ? facing_link(hand, contact.link) : facing_plane(), object,
                                        contact.part, contact.corner, tied ? &before : nullptr));
  }
}

std::string PlanarContactSet::feature_name(ContactFeature feature) const {
  const Surfaces on = decode(feature);
  return fmt::format("{} on {}", on.tip ? "tip" : "face",
                     on.corner >= 0 ? fmt::format("corner {}", on.corner)
                     : on.face >= 0 ? fmt::format("face {}", on.face)
                                    : "curve");
}

ContactFrame PlanarContactSet::frame(const VectorXd& q, Index contact) const {
  ENFOLD_REQUIRE(contact >= 0 && contact < n_contacts(), "frame: contact {} of {}", contact, n_contacts());
  require_size(q, mechanism_->n_q(), "q");
  const PlanarHand& hand = mechanism_->hand();
  const Index n_j = hand.n_joints();
  std::array<LinkMotion, PlanarHand::kMaxJoints> links;
  hand.kinematics(q.tail(n_j), VectorXd::Zero(n_j), links);
  const PlanarContact& at = contacts_[static_cast<std::size_t>(contact)];
  const LinkMotion& link = at.link >= 0 ? links[static_cast<std::size_t>(at.link)]
                                        : plane_motions_[static_cast<std::size_t>(at.plane)];
  const FacingLink facing = at.link >= 0 ? facing_link(hand, at.link) : facing_plane();
  const PlacedObject object = place(mechanism_->object(), q.head<2>(), q[2]);
  const Touch t =
      touch_of(link, facing, object, nearest_surfaces(link, facing, object, at.part, at.corner, nullptr));
  ContactFrame frame;
  frame.object_point = object.c + t.r;
  frame.link_point = link.p + t.ell;
  frame.normal = t.n;
  frame.tangents = -facing.sigma * perp(t.n);
  frame.link = at.link;
  return frame;
}

}  // namespace enfold::contact
