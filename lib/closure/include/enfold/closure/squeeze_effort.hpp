// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/base/types.hpp"
#include "enfold/grasp/grasp_matrices.hpp"
#include "enfold/lp/lp_solution.hpp"

namespace enfold::closure {

/// What a newton of squeeze costs the motors.
struct SqueezeEffort {
  /// kInfeasible: no squeeze presses all contacts.
  lp::LpStatus status = lp::LpStatus::kNotRun;
  VectorXd lambda;       ///< k, as in GraspMatrices: an internal force with every λ_N ≥ 1 N [N]
  VectorXd tau;          ///< n_θ, its torques Jᵀλ [N·m]
  double largest = 0.0;  ///< max |τ| [N·m per N]: the least that presses every contact with 1 N

  [[nodiscard]] bool ok() const { return status == lp::LpStatus::kOptimal; }
};

/// The internal force that presses every contact with at least 1 N at the least largest torque.
/// [eq:squeeze-effort]
///
///     min_λ max_j |(Jᵀλ)_j|   s.t.   G λ = 0,   λ_N ≥ 1,   |λ_TR| ≤ μ λ_NR
///
/// @pre μ has n_C entries over all contacts (throws InvalidArgument)
[[nodiscard]] SqueezeEffort squeeze_effort(const grasp::GraspMatrices& grasp, const VectorXd& mu);

}  // namespace enfold::closure
