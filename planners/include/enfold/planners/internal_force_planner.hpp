// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "enfold/contact/contact_set.hpp"
#include "enfold/control/plan.hpp"
#include "enfold/mechanics/mechanism.hpp"
#include "enfold/planners/robust_squeeze.hpp"
#include "enfold/planners/squeeze_program.hpp"

namespace enfold::planners {

/// A grasp, a desired motion, and the normal forces to be kept on the way.
struct PlanProblem {
  std::shared_ptr<const mechanics::Mechanism> mechanism;
  std::shared_ptr<const contact::ContactSet> contacts;
  VectorXd mu;                              ///< n_C
  std::vector<contact::ContactMode> modes;  ///< declared, n_C; of a sliding contact the direction is planned
  std::shared_ptr<const control::Trajectory> trajectory;
  std::function<double(double t, Index contact)> min_normal;  ///< Λ(t) [N]
  SqueezeLimits limits;
  /// Numbers of the object's velocities that the trajectory tells; empty: all, and closing the hand tells the
  /// joint angles (PlannedMotion).
  std::vector<Index> coordinates{};
  /// If not empty: the squeeze must work for every friction and disturbance of these boxes.
  Uncertainty uncertainty{};
};

struct PlanOptions {
  Objective objective = Objective::kNormals;
  double sample_rate = 1000.0;  ///< plan points per second [Hz]; 10 … 10000
  double hop_tol = 1e-6;        ///< the time of a hop between critical contacts is located to this [s]
};

enum class PlanStatus {
  kPlanned,
  kInfeasible,      ///< no squeeze meets the requirements during `failures`
  kOutOfReach,      ///< the hand cannot close on the object during `failures`
  kUncontrollable,  ///< the grasp matrices lose rank, or a rolling contact would have to slip
  kNotUnique,       ///< of a robust plan: for some friction of the box rigid contact has not one answer; of a
                    ///< path that is to keep it unique: none was found
};

[[nodiscard]] std::string_view to_string(PlanStatus status);

/// A stretch of time without a plan.
struct PlanFailure {
  double from = 0.0, to = 0.0;  ///< [s]
  PlanStatus status = PlanStatus::kInfeasible;
  std::string reason;  ///< at its start
};

/// A hop of the critical contact, or a stretch between two of them.
struct CriticalStretch {
  double from = 0.0, to = 0.0;  ///< [s]
  int contact = -1;             ///< −1: no floor is active
};

struct PlanSolution {
  PlanStatus status = PlanStatus::kPlanned;  ///< that of the first failure
  control::Plan plan;                        ///< the feasible instants
  /// What decides at each point of the plan, and what it costs.
  std::vector<std::vector<RowPrice>> prices;
  /// Of a robust plan: the worst friction and disturbance at each point; else empty.
  std::vector<RobustVertex> binding;
  std::vector<PlanFailure> failures;
  std::string message;  ///< one sentence with the time interval; empty if planned

  [[nodiscard]] bool ok() const { return status == PlanStatus::kPlanned; }
};

/// Plans α_d(t) along the whole trajectory, at the desired poses, before anything moves.  [eq:S4.16]
/// [eq:S4.17] Hops between critical contacts and slip directions are located by bisection and keep their
/// corner.
/// @pre sizes agree, all pointers set, modes are sliding or rolling (throws InvalidArgument)
[[nodiscard]] PlanSolution plan_internal_forces(const PlanProblem& problem, const PlanOptions& options = {});

/// Which contact is critical when, in order of time. Stretches shorter than `shortest` [s] join their
/// predecessor.
[[nodiscard]] std::vector<CriticalStretch> critical_stretches(const control::Plan& plan,
                                                              double shortest = 0.0);

}  // namespace enfold::planners
