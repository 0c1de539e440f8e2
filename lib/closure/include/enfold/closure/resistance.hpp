// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "enfold/base/types.hpp"
#include "enfold/closure/contact_wrenches.hpp"
#include "enfold/lp/lp_solution.hpp"

namespace enfold::closure {

/// What the contacts may spend.
enum class ForceBudget : std::uint8_t {
  kSum,   ///< Σ λ_N ≤ max_normal: one motor for all (Ferrari and Canny's L1)
  kEach,  ///< λ_N,i ≤ max_normal: a motor for each (L∞)
};

struct ResistanceLimits {
  ForceBudget budget = ForceBudget::kSum;
  double max_normal = 1.0;  ///< [N]; +∞ where the torques limit
  /// Joint torques τ = τ_0 + T λ for λ along the columns of W, |τ| ≤ max_torque; empty: no such limit.
  MatrixXd T;  ///< n_θ × n_g
  VectorXd tau_0;
  double max_torque = 0.0;  ///< [N·m]
};

/// The largest disturbance along one direction.
struct Resistance {
  /// kOptimal; kUnbounded: any size is resisted; kInfeasible: not even none (τ_0 is beyond the limits).
  lp::LpStatus status = lp::LpStatus::kNotRun;
  double size = 0.0;  ///< s: W λ + s·direction = 0
  VectorXd lambda;    ///< n_g, the forces that do it [N]
  /// The proof: for all λ within the limits supportᵀ(−W λ) ≤ size, while supportᵀ direction = 1.
  VectorXd support;

  [[nodiscard]] bool ok() const { return status == lp::LpStatus::kOptimal; }
};

/// The largest s such that contacts within the limits resist the disturbance s·direction.  [eq:resistance]
///
///     max s   s.t.   W λ + s d = 0,   λ ≥ 0,   Σ λ_N ≤ 1 or λ_N,i ≤ 1,   |τ_0 + T λ| ≤ τ_max
///
/// @pre direction has n_w entries and is not zero; sizes agree (throws InvalidArgument)
[[nodiscard]] Resistance resisted_disturbance(const ContactWrenches& contacts, const VectorXd& direction,
                                              const ResistanceLimits& limits = {});

}  // namespace enfold::closure
