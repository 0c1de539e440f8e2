// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "enfold/contact/contact_set.hpp"
#include "enfold/control/plan.hpp"
#include "enfold/grasp/grasp_matrices.hpp"
#include "enfold/grasp/motion_coordinates.hpp"
#include "enfold/mechanics/mechanism.hpp"

namespace enfold::planners {

/// A grasp whose contacts keep their modes while some coordinates of the object follow a desired motion.
struct ConstrainedPathProblem {
  std::shared_ptr<const mechanics::Mechanism> mechanism;
  std::shared_ptr<const contact::ContactSet> contacts;
  VectorXd mu;
  std::vector<contact::ContactMode> modes;
  /// Of the whole pose; only the named coordinates are followed, the others give the pose to start from.
  std::shared_ptr<const control::Trajectory> trajectory;
  std::vector<Index> coordinates;  ///< numbers of the object's velocities in ξ, at least one
};

/// The rest of the motion: pose and joint angles that follow from ξ_d(t) by integrating the constraints.
/// [eq:constrained-path]
///
///     q̇ = T⁺(q) [0 ; ξ̇_d(t)],   then the nearest q with φ = 0 and ξ = ξ_d, along motions that roll
///
/// Rolling has no position of its own, so that its share is the integral alone: Runge-Kutta 4 with steps of
/// at most 1 ms, gaps and ξ to rounding by Newton's method after each. Arms with joints to spare move as
/// little as they can. As a trajectory it tells the whole pose, by Hermite interpolation of degree five.
///
/// It ends early where T loses rank (ξ becomes dependent), or a contact leaves its link.
class ConstrainedPath final : public control::Trajectory {
 public:
  enum class End {
    kWhole,           ///< all of the trajectory is followed
    kNotClosed,       ///< the hand does not close at the start
    kOffLink,         ///< a contact leaves its link
    kDependent,       ///< ξ stops telling the motion
    kOverdetermined,  ///< the constraints depend on one another, or leave no motion
  };

  /// @pre pointers set, sizes agree, coordinates valid (throws InvalidArgument)
  explicit ConstrainedPath(ConstrainedPathProblem problem);

  [[nodiscard]] double duration() const override { return problem_.trajectory->duration(); }
  /// The object's whole motion. Beyond the end of what can be followed it holds the last pose.
  void sample(double t, control::Reference& out) const override;

  /// q at a time that is reached. @pre reaches(t) (throws InvalidArgument)
  void configuration(double t, VectorXd& q) const;
  [[nodiscard]] bool reaches(double t) const {
    return !knots_.empty() && (end_ == End::kWhole || t <= knots_.back().time);
  }
  [[nodiscard]] End end() const { return end_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }  ///< in words, unless whole

 private:
  struct Knot {
    double time;
    VectorXd q, v, v_dot;
  };
  struct Work;

  void integrate();
  [[nodiscard]] Knot knot_at(double t, const VectorXd& q, Work& work) const;
  bool step(double t, double h, VectorXd& q, Work& work) const;
  bool project(double t, VectorXd& q, Work& work) const;
  bool check(double t, const VectorXd& q, Work& work);
  void stop(End end, std::string reason);

  ConstrainedPathProblem problem_;
  std::vector<Knot> knots_;
  End end_ = End::kWhole;
  std::string reason_;
};

}  // namespace enfold::planners
