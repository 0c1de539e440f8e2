// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "enfold/contact/contact_mode.hpp"
#include "enfold/contact/contact_set.hpp"
#include "enfold/control/plan.hpp"
#include "enfold/mechanics/load.hpp"
#include "enfold/mechanics/mechanism.hpp"

namespace enfold::loop {

/// The world of a grasp that is to rest at one configuration, with rigid contacts in declared modes.
struct HeldGrasp {
  std::shared_ptr<const mechanics::Mechanism> mechanism;
  std::shared_ptr<const contact::ContactSet> contacts;
  VectorXd mu;                              ///< n_C
  std::vector<contact::ContactMode> modes;  ///< n_C; friction acts as they say, at rest too
  VectorXd q;                               ///< closed hand
  /// Numbers of the object's velocities that tell its motion, ξ; empty: chosen (best_coordinates).
  std::vector<Index> coordinates{};
  std::shared_ptr<const mechanics::Load> load{};  ///< from outside; none if null
  double time = 0.0;                              ///< at which the load and the law are asked [s]
};

/// Accelerations and contact forces at rest, v = 0, all contacts kept:                     [eq:held-forces]
///
///     M v̇ + h = B τ + f + W λ,   W̃ᵀ v̇ = 0
struct HeldForces {
  VectorXd v_dot;   ///< n_v
  VectorXd forces;  ///< [λ_N ; λ_T] of all contacts, 2 n_C [N]
};

/// @param q  in place of the grasp's own
/// @pre sizes agree; the forces are determined: W and W̃ have full rank and YᵀMZ is regular (throws
/// InvalidArgument)
[[nodiscard]] HeldForces held_forces(const HeldGrasp& grasp, const VectorXd& q, const VectorXd& tau);

/// A point of a plan as a plan of its own that rests there: the point's modes, G° and squeeze for ever, and
/// the torques and forces that hold the object still instead of moving it on.
/// @pre as above; the point's G° and squeeze fit its modes (throws InvalidArgument)
[[nodiscard]] control::Plan resting_plan(const HeldGrasp& grasp, const control::PlanPoint& point);

}  // namespace enfold::loop
