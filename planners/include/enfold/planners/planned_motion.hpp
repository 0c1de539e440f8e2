// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "enfold/contact/contact_set.hpp"
#include "enfold/control/plan.hpp"
#include "enfold/grasp/grasp_matrices.hpp"
#include "enfold/mechanics/mechanism.hpp"
#include "enfold/planners/constrained_path.hpp"

namespace enfold::planners {

enum class MotionStatus : std::uint8_t {
  kFollowed,
  kOutOfReach,  ///< the hand cannot close on the object, or a contact leaves its link
  kSingular,    ///< the motion does not follow from the task's, or a rolling contact would have to slip
};

/// The whole mechanism at one instant of a desired motion of the object.
struct MotionPoint {
  MotionStatus status = MotionStatus::kFollowed;
  std::string reason;                       ///< in words, unless followed
  control::Reference reference;             ///< of the object
  VectorXd theta;                           ///< joint angles of the closed hand [rad]
  VectorXd q, v, v_dot;                     ///< configuration, velocity, acceleration
  std::vector<contact::ContactMode> modes;  ///< with the planned slip directions
  contact::ContactKinematics kinematics;
  mechanics::Dynamics dynamics;
  grasp::GraspMatrices grasp;

  [[nodiscard]] bool ok() const { return status == MotionStatus::kFollowed; }
};

/// The motion of the hand that follows a desired motion of the object with all contacts kept.  [eq:S4.7]
///
///     θ̇ = J̃⁻¹ G̃ᵀ ẋ,   θ̈ = J̃⁻¹(G̃ᵀ ẍ + bias),
///
/// θ by closing the hand on x, slip directions from the first derivative of the slip that is not zero. If the
/// task names coordinates ξ, the rest of the motion is that of a ConstrainedPath; then contacts may roll or
/// be with the environment, and arms may have joints to spare.
class PlannedMotion {
 public:
  /// @param modes declared; of a sliding contact the direction is planned
  /// @param coordinates numbers of the object's velocities that the trajectory tells; empty: all of them, and
  /// closing the hand tells the joint angles
  /// @pre pointers set, sizes agree (throws InvalidArgument)
  PlannedMotion(std::shared_ptr<const mechanics::Mechanism> mechanism,
                std::shared_ptr<const contact::ContactSet> contacts, VectorXd mu,
                std::vector<contact::ContactMode> modes,
                std::shared_ptr<const control::Trajectory> trajectory, std::vector<Index> coordinates = {});

  /// @param before slip directions of a neighbour in time, kept where the motion shows none; may be empty
  void sample(double t, const std::vector<contact::ContactMode>& before, MotionPoint& out) const;

  [[nodiscard]] double duration() const { return trajectory_->duration(); }
  /// The desired motion of the whole object: the trajectory, or what follows from its named coordinates.
  [[nodiscard]] std::shared_ptr<const control::Trajectory> path() const;

 private:
  bool follow_by_closing(MotionPoint& out, VectorXd& jerk) const;
  bool follow_constraints(double t, MotionPoint& out, VectorXd& jerk) const;
  [[nodiscard]] std::vector<contact::ContactMode> directed_modes(
      double t, const std::vector<contact::ContactMode>& before, const VectorXd& jerk,
      const MotionPoint& at) const;

  std::shared_ptr<const mechanics::Mechanism> mechanism_;
  std::shared_ptr<const contact::ContactSet> contacts_;
  VectorXd mu_;
  std::vector<contact::ContactMode> modes_;
  std::shared_ptr<const control::Trajectory> trajectory_;
  std::vector<Index> coordinates_;
  std::shared_ptr<const ConstrainedPath> path_;  // null if closing the hand tells the motion
};

}  // namespace enfold::planners
