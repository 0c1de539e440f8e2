// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "closed_loop.hpp"
#include "enfold/closure/closure.hpp"
#include "enfold/closure/ellipsoids.hpp"
#include "enfold/closure/quality.hpp"
#include "enfold/closure/resistance.hpp"
#include "enfold/closure/squeeze_effort.hpp"
#include "enfold/figure/figure.hpp"

namespace enfold::app {

/// The largest force at the centre of mass that is resisted from one side.
struct ResistedForce {
  double angle = 0.0;      ///< of the force [rad]
  double size = 0.0;       ///< with 1 N of normal force in all [N]
  double by_motors = 0.0;  ///< with planner.max_torque_Nm, if it is given [N]
};

/// What the contacts can hold at the start pose, and what that costs.
struct GraspAnalysis {
  std::vector<Index> contacts;  ///< those that are closed
  closure::ContactWrenches wrenches;
  closure::Closure force, form;
  closure::GraspQuality sum, each;  ///< of the two budgets
  closure::GraspEllipsoids ellipsoids;
  closure::SqueezeEffort effort;
  VectorXd effort_N, effort_T;  ///< its forces at the contacts, n_C [N]
  bool limited = false;         ///< whether the motors' limit is known
  std::vector<ResistedForce> forces;
};

/// @param modes with slip directions, n_C
[[nodiscard]] GraspAnalysis analyse_grasp(const Setup& setup, const std::vector<contact::ContactMode>& modes);

/// The analysis in words, a line each.
[[nodiscard]] std::vector<std::string> describe(const GraspAnalysis& analysis, const Setup& setup);

/// Hand and least squeeze; resisted forces by direction; ellipsoids of velocity and force.
[[nodiscard]] figure::Figure analysis_figure(const GraspAnalysis& analysis, const Setup& setup);

}  // namespace enfold::app
