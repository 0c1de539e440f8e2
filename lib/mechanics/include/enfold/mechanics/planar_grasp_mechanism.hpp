// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "enfold/geometry/convex_polygon.hpp"
#include "enfold/mechanics/mechanism.hpp"
#include "enfold/mechanics/planar_hand.hpp"

namespace enfold::mechanics {

/// A planar rigid body; its frame sits at the centre of mass. Its shape is shared by every copy of the model
/// and never changed.
struct PlanarObject {
  double mass = 1.0;                                         ///< [kg]
  double inertia = 1.0;                                      ///< about the centre of mass [kg·m²]
  std::shared_ptr<const geometry::ConvexCurve> shape;        ///< smooth; null for a polygon
  std::shared_ptr<const geometry::ConvexPolygon> polygon{};  ///< null for a smooth shape
};

/// The object's boundary in its own frame, for pictures: a polygon's corners or arcs, or `n` points of a
/// smooth curve.
/// @pre the object has a shape, n > 0 (throws InvalidArgument)
[[nodiscard]] std::vector<Vector2d> outline(const PlanarObject& object, Index n);

/// The object's boundary by its support function. @pre the object has a shape (throws InvalidArgument)
[[nodiscard]] const geometry::ConvexCurve& curve(const PlanarObject& object);

/// A length of the size of the object [m]. @pre the object has a shape (throws InvalidArgument)
[[nodiscard]] double characteristic_length(const PlanarObject& object);

/// A planar hand and one object as a Mechanism: q = [x, y, φ, θ…], n_q = n_v = 3 + n_θ. A hand without arms
/// leaves the object alone, under its gravity.
class PlanarGraspMechanism final : public Mechanism {
 public:
  /// @pre object mass and inertia > 0, not both a smooth shape and a polygon (throws InvalidArgument)
  PlanarGraspMechanism(PlanarHand hand, PlanarObject object);

  [[nodiscard]] Index n_q() const override { return n_v(); }
  [[nodiscard]] Index n_v() const override { return 3 + hand_.n_joints(); }
  [[nodiscard]] Index n_x() const override { return 3; }
  void dynamics(const VectorXd& q, const VectorXd& v, Dynamics& out) const override;
  void configuration_rate(const VectorXd& q, const VectorXd& v, VectorXd& q_dot) const override;
  void difference(const VectorXd& from, const VectorXd& to, VectorXd& out) const override;
  [[nodiscard]] double kinetic_energy(const VectorXd& q, const VectorXd& v) const override;
  [[nodiscard]] double potential_energy(const VectorXd& q) const override;
  [[nodiscard]] MatrixXd object_point_jacobian(const VectorXd& q, const VectorXd& point) const override;
  [[nodiscard]] MatrixXd link_point_jacobian(const VectorXd& q, Index link,
                                             const VectorXd& point) const override;
  [[nodiscard]] const std::vector<std::string>& joint_names() const override { return hand_.link_names(); }
  [[nodiscard]] const std::vector<std::string>& link_names() const override { return hand_.link_names(); }
  [[nodiscard]] const std::vector<std::string>& object_position_names() const override;
  [[nodiscard]] const std::vector<std::string>& object_velocity_names() const override;

  [[nodiscard]] const PlanarHand& hand() const { return hand_; }
  [[nodiscard]] const PlanarObject& object() const { return object_; }

 private:
  PlanarHand hand_;
  PlanarObject object_;
};

}  // namespace enfold::mechanics
