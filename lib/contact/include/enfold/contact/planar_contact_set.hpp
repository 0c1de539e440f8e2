// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Geometry>
#include <memory>

#include "enfold/contact/contact_set.hpp"
#include "enfold/mechanics/planar_grasp_mechanism.hpp"

namespace enfold::contact {

/// A fixed half-plane: a floor, a wall, a palm. The free side is to the left of its direction.
struct PlanarHalfPlane {
  std::string name;
  Vector2d point = Vector2d::Zero();  ///< on its surface [m]
  double angle = 0.0;  ///< of its direction t, to the x axis [rad]; the normal is t turned by +90°
};

/// Which part of a link a contact may be on.
enum class LinkPart : std::uint8_t {
  kFace,  ///< the side of the link that faces the object
  kTip,   ///< its end: a half circle of the link's radius, or a point
  kAny,   ///< the face, and beyond its end the tip
};

/// A contact between the object and one link, or one half-plane.
struct PlanarContact {
  std::string name;
  Index link = -1;   ///< number of the link in PlanarHand::link_names(); −1 if it is on a half-plane
  Index plane = -1;  ///< number of the half-plane; −1 if it is on a link
  /// Of a polygon: the corner that the contact stays on, always given on a half-plane. −1: whatever is
  /// nearest.
  Index corner = -1;
  LinkPart part = LinkPart::kFace;
};

/// Links and half-planes on one convex object. A surface is a **line** (a straight link's face, a half-plane,
/// a polygon's face), an **arc** (a tip, a curved link's face, a polygon's corner; radius ≥ 0, < 0 if hollow)
/// or a **smooth curve** (the object's, by its support function h). A line leads the normal; between two
/// rounded surfaces it is where the gap is stationary:
///
///     line on the link:    φ = n·(c − p) − h(β) − r,   β = angle(−n) − φ_o [eq:planar-gap] arc, centre a,
///     R_A:  φ = g(a) − R_A,   g the separation of a from the object       [eq:arc-gap] corner b, R_B: g(a) =
///     |b − a| − R_B (its negative if R_A < 0);   face:  g(a) = m·(a − c) − offset
///
/// c, φ_o: the object's centre and orientation; p: the link's joint; n: the link's normal on the object's
/// side. A half-plane counts as a link that does not move; the corner p of a polygon touches it at
///
///     φ = n·(c + R p − o)                                                                   [eq:corner-gap]
///
/// All rows and biases follow from the two contact points and from how fast the normal turns, ν, and the
/// points wander, w_A and w_B:                                                               [eq:planar-bias]
///
///     ν (ρ_A + ρ_B + φ) = ρ_B ω + ρ_A ψ̇ − σ φ̇_T between rounded surfaces, else the line's rate of turn
///     φ̇_T + w_B − w_A = −σ φ ν
class PlanarContactSet final : public ContactSet {
 public:
  /// @pre numbers valid, each contact on a link or on a half-plane, names unique, the object has a shape,
  /// corners named only of a polygon, and always on a half-plane; a sharp corner is not pinned to a sharp tip
  /// (throws InvalidArgument)
  PlanarContactSet(std::shared_ptr<const mechanics::PlanarGraspMechanism> mechanism,
                   std::vector<PlanarContact> contacts, std::vector<PlanarHalfPlane> planes = {});

  [[nodiscard]] Index n_tangents() const override { return 1; }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  void kinematics(const VectorXd& q, const VectorXd& v, ContactKinematics& out) const override;
  [[nodiscard]] ContactFrame frame(const VectorXd& q, Index contact) const override;
  [[nodiscard]] bool has_features() const override { return has_features_; }
  void find_features(const VectorXd& q, std::vector<ContactFeature>& features) const override;
  void kinematics_on(std::span<const ContactFeature> features, const VectorXd& q, const VectorXd& v,
                     ContactKinematics& out) const override;
  [[nodiscard]] std::string feature_name(ContactFeature feature) const override;
  /// Arms of straight links with a contact on each face: the tangents from joint to joint. Others: the best
  /// posture of find_postures(); links without a contact stay off the object.
  [[nodiscard]] Closure close(const VectorXd& x) const override;
  [[nodiscard]] Closure close_near(const VectorXd& x, const VectorXd& theta) const override;

  /// −1 for a contact on a half-plane.
  [[nodiscard]] Index link_of(Index contact) const {
    return contacts_[static_cast<std::size_t>(contact)].link;
  }
  [[nodiscard]] const std::vector<PlanarContact>& contacts() const { return contacts_; }
  [[nodiscard]] const std::vector<PlanarHalfPlane>& planes() const { return planes_; }
  [[nodiscard]] const mechanics::PlanarGraspMechanism& mechanism() const { return *mechanism_; }

 private:
  void evaluate(const ContactFeature* features, const VectorXd& q, const VectorXd& v,
                ContactKinematics& out) const;

  std::shared_ptr<const mechanics::PlanarGraspMechanism> mechanism_;
  std::vector<PlanarContact> contacts_;
  std::vector<PlanarHalfPlane> planes_;
  std::vector<mechanics::LinkMotion> plane_motions_;  // as links that do not move
  std::vector<std::string> names_;
  bool has_features_ = false;
};

}  // namespace enfold::contact
