// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "enfold/planners/internal_force_planner.hpp"

namespace enfold::planners {

/// The durations for which the same path has a plan, and what limits them.
struct DurationRange {
  PlanStatus status = PlanStatus::kPlanned;  ///< why there is none, or kPlanned
  double shortest = 0.0;                     ///< [s]
  double longest = 0.0;                      ///< [s]; infinite: at any slower speed too
  double shortest_at = 0.0;  ///< part of the duration that is over where the shortest is decided, 0 … 1
  std::string shortest_by;   ///< the requirements that decide it; empty: none does
  double longest_at = 0.0;
  std::string longest_by;
  std::string reason;  ///< if there is none: where and why

  [[nodiscard]] bool exists() const { return status == PlanStatus::kPlanned; }
};

/// Every duration T for which x(t) = x_1(t T_1/T) has a plan. Floors go with the path: Λ is that of the same
/// pose.                                                                              [eq:feasible-duration]
///
///     λ_0 = a + b/T²,  τ_0 = c + d/T²:   min and max ζ = (T_1/T)²   s.t.   the requirements on (α, ζ)
///
/// because accelerations and velocity products are proportional to 1/T² and what gravity asks for is not. A
/// program in (α, ζ) at each instant gives an interval; what all of them share is the answer. With limited
/// torque rates or a robust plan, which are not affine in ζ, the shortest is found by planning: growing from
/// there by factors and bisecting to 1 part in 1000.
/// @pre as plan_internal_forces
[[nodiscard]] DurationRange feasible_durations(const PlanProblem& problem, const PlanOptions& options = {});

/// The largest part of all floors Λ, 0 … 1, for which there is a plan; negative: not even without floors.
/// Not for robust plans or limited rates (throws InvalidArgument).
[[nodiscard]] double feasible_floors(const PlanProblem& problem, const PlanOptions& options = {});

}  // namespace enfold::planners
