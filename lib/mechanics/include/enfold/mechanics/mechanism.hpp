// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "enfold/base/types.hpp"

namespace enfold::mechanics {

/// What the equations of motion need of a mechanism at one state.                              [eq:S4.1]
///
///     M(q) v̇ + h(q, v) = B τ + W λ
///
/// h holds Coriolis, centrifugal and gravity terms: h = [−g_o ; h_a + g_a] in the terms of S4 (5), (6).
struct Dynamics {
  MatrixXd M;  ///< n_v × n_v, symmetric positive definite
  VectorXd h;  ///< n_v
};

/// Arms and object as one Lagrangian system of any dimension. Coordinates are stacked q = [x ; θ]: the
/// object's first, then the joints'; v likewise, with n_x object velocities followed by n_θ joint velocities.
///
/// Const, and safe to share between threads; the caller owns the workspaces. Nothing here allocates once the
/// outputs have their size, but for the Jacobians, which are returned by value.
class Mechanism {
 public:
  virtual ~Mechanism() = default;

  [[nodiscard]] virtual Index n_q() const = 0;
  [[nodiscard]] virtual Index n_v() const = 0;
  [[nodiscard]] virtual Index n_x() const = 0;
  [[nodiscard]] Index n_theta() const { return n_v() - n_x(); }

  /// M and h at (q, v). `out` is resized if need be.
  virtual void dynamics(const VectorXd& q, const VectorXd& v, Dynamics& out) const = 0;

  /// q̇ from v; the identity in the plane.
  virtual void configuration_rate(const VectorXd& q, const VectorXd& v, VectorXd& q_dot) const = 0;

  /// The velocity-sized difference `to ⊖ from` of two configurations: the tracking error of a pose.
  virtual void difference(const VectorXd& from, const VectorXd& to, VectorXd& out) const = 0;

  [[nodiscard]] virtual double kinetic_energy(const VectorXd& q, const VectorXd& v) const = 0;
  [[nodiscard]] virtual double potential_energy(const VectorXd& q) const = 0;

  /// Velocity of the object's material point at a place of the world, as a linear map of v's first n_x
  /// entries.
  [[nodiscard]] virtual MatrixXd object_point_jacobian(const VectorXd& q, const VectorXd& point) const = 0;
  /// Velocity of a link's material point, as a linear map of the joint velocities. @pre link <
  /// link_names().size()
  [[nodiscard]] virtual MatrixXd link_point_jacobian(const VectorXd& q, Index link,
                                                     const VectorXd& point) const = 0;

  /// Names of the joints (one for each θ) and of the links; for the planar arms the two lists are the same.
  [[nodiscard]] virtual const std::vector<std::string>& joint_names() const = 0;
  [[nodiscard]] virtual const std::vector<std::string>& link_names() const = 0;
  /// Names of the object's coordinates and velocities with units, e.g. "x_m", "omega_radps".
  [[nodiscard]] virtual const std::vector<std::string>& object_position_names() const = 0;
  [[nodiscard]] virtual const std::vector<std::string>& object_velocity_names() const = 0;
};

}  // namespace enfold::mechanics
