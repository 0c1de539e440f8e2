// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>

#include "closed_loop.hpp"
#include "enfold/models/path_enclosure.hpp"
#include "enfold/planners/planned_motion.hpp"
#include "enfold/uniqueness/family_enclosure.hpp"

namespace enfold::app {

/// The grasp at one instant of the planned motion.
struct GraspInstant {
  double time = 0.0;
  planners::MotionPoint motion;
  uniqueness::GraspFamily rows;
  VectorXd mu;     ///< of the rows
  VectorXd force;  ///< n_v; what acts beside the contacts: Bτ − h and loads; empty without a plan
  std::optional<VectorXd> b;      ///< S4 (19) under that force
  std::vector<Index> undirected;  ///< numbers of sliding contacts whose planned slip is zero: no direction
  std::vector<Index> may_stick;   ///< numbers of contacts at zero slip that roll, or may (mode auto)
};

/// The grasp along its planned motion. A scene without a hand has no motion to plan: then there is one
/// instant, 0, the start; its contacts are open, sliding or at rest as position and velocity say.
class GraspPath {
 public:
  explicit GraspPath(const Setup& setup);

  /// @param plan for the torques; may be empty
  [[nodiscard]] GraspInstant at(double t, const control::Plan& plan = {}) const;
  [[nodiscard]] bool moves() const { return motion_.has_value(); }
  [[nodiscard]] double duration() const { return moves() ? motion_->duration() : 0.0; }

  /// The families for proofs between samples. The second is empty where nothing can be enclosed.
  [[nodiscard]] uniqueness::FamilyAt family_at() const;
  [[nodiscard]] uniqueness::FamilyOver family_over() const;

 private:
  void set_start(planners::MotionPoint& out) const;

  const Setup& setup_;
  std::optional<planners::PlannedMotion> motion_;
};

}  // namespace enfold::app
