// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "enfold/mechanics/planar_arm.hpp"

namespace enfold::mechanics {

/// Any number of planar serial arms on one palm.
///
/// Joint angles are relative to the previous link, counter-clockwise positive, the first to the x axis.
/// Joints and links are numbered arm by arm and named `<arm>.<link>`.
class PlanarHand {
 public:
  /// Bounds the stack space of a kinematics pass.
  static constexpr Index kMaxJoints = 64;

  /// @pre lengths > 0, masses > 0, inertias ≥ 0, radii ≥ 0, all finite, names unique, every link has some
  /// inertia about its own joint, at most kMaxJoints links (throws InvalidArgument; the message names the
  /// link)
  PlanarHand(std::vector<PlanarArm> arms, const Vector2d& gravity);

  [[nodiscard]] Index n_joints() const { return static_cast<Index>(links_.size()); }
  [[nodiscard]] const std::vector<PlanarArm>& arms() const { return arms_; }
  [[nodiscard]] const Vector2d& gravity() const { return gravity_; }
  [[nodiscard]] const std::vector<std::string>& link_names() const { return names_; }
  [[nodiscard]] const PlanarLink& link(Index i) const { return links_[static_cast<std::size_t>(i)].link; }
  [[nodiscard]] const PlanarArm& arm_of(Index i) const;
  /// Number of the first joint of link i's arm; joints first_joint(i) … i move link i.
  [[nodiscard]] Index first_joint(Index i) const { return links_[static_cast<std::size_t>(i)].first; }

  /// Motion of every link frame at joint angles θ and velocities θ̇.                          [eq:link-motion]
  /// @pre θ and θ̇ have n_joints() entries, `out` at least as many (throws InvalidArgument)
  void kinematics(const Eigen::Ref<const VectorXd>& theta, const Eigen::Ref<const VectorXd>& theta_dot,
                  std::span<LinkMotion> out) const;

  /// M_a and h_a + g_a of S4 (6) [eq:planar-M] [eq:planar-h], written into blocks the caller owns.
  /// M = Σ_l m J_cᵀ J_c + I J_ωᵀ J_ω,  h = Σ_l m J_cᵀ (J̇_c θ̇ − g)
  void dynamics(std::span<const LinkMotion> links, Eigen::Ref<MatrixXd> M, Eigen::Ref<VectorXd> h) const;

  [[nodiscard]] double kinetic_energy(const Eigen::Ref<const VectorXd>& theta,
                                      const Eigen::Ref<const VectorXd>& theta_dot) const;
  [[nodiscard]] double potential_energy(const Eigen::Ref<const VectorXd>& theta) const;

 private:
  struct Numbered {
    PlanarLink link;
    Index first = 0;  // number of the arm's first joint
    std::size_t arm = 0;
  };

  std::vector<PlanarArm> arms_;
  Vector2d gravity_;
  std::vector<Numbered> links_;
  std::vector<std::string> names_;
};

}  // namespace enfold::mechanics
