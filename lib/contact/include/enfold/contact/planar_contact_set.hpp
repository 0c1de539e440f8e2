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

/// A contact between the object and one link, or one half-plane.
struct PlanarContact {
  std::string name;
  Index link = -1;    ///< number of the link in PlanarHand::link_names(); −1 if it is on a half-plane
  Index plane = -1;   ///< number of the half-plane; −1 if it is on a link
  Index corner = -1;  ///< of a polygon, on a half-plane; −1 for a smooth shape
};

/// Straight links, of thickness 0 or a radius r, on a smooth convex object given by its support function h.
///
///     φ = n·(c − p) − h(β) − r,   β = angle(−n) − φ_o                                        [eq:planar-gap]
///
/// c, φ_o: the object's centre and orientation; p: the link's joint; n: the link's normal on the object's
/// side. A half-plane counts as a link that does not move; the corner p of a polygon touches it at
///
///     φ = n·(c + R p − o)                                                                   [eq:corner-gap]
class PlanarContactSet final : public ContactSet {
 public:
  /// @pre numbers valid, each contact on a link or on a half-plane, names unique, the object has a shape,
  /// corners named if and only if it is a polygon (throws InvalidArgument)
  PlanarContactSet(std::shared_ptr<const mechanics::PlanarGraspMechanism> mechanism,
                   std::vector<PlanarContact> contacts, std::vector<PlanarHalfPlane> planes = {});

  [[nodiscard]] Index n_tangents() const override { return 1; }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  void kinematics(const VectorXd& q, const VectorXd& v, ContactKinematics& out) const override;
  [[nodiscard]] ContactFrame frame(const VectorXd& q, Index contact) const override;
  [[nodiscard]] Closure close(const VectorXd& x) const override;

  /// −1 for a contact on a half-plane.
  [[nodiscard]] Index link_of(Index contact) const {
    return contacts_[static_cast<std::size_t>(contact)].link;
  }
  [[nodiscard]] const std::vector<PlanarHalfPlane>& planes() const { return planes_; }

 private:
  void plane_kinematics(const PlanarContact& contact, const Eigen::Rotation2Dd& R, const Vector2d& c,
                        double omega, Index i, ContactKinematics& out) const;

  std::shared_ptr<const mechanics::PlanarGraspMechanism> mechanism_;
  std::vector<PlanarContact> contacts_;
  std::vector<PlanarHalfPlane> planes_;
  std::vector<mechanics::LinkMotion> plane_motions_;  // as links that do not move
  std::vector<std::string> names_;
};

}  // namespace enfold::contact
