// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "enfold/ode/fixed_step.hpp"

namespace enfold::ode {

struct AdaptiveOptions {
  /// A step is accepted if, for every i, |error_i| ≤ abs_tol + rel_tol·(|x_i| + |dt·ẋ_i|). abs_tol in the
  /// units of x; 1e-12 … 1e-4.
  double abs_tol = 1e-9;
  /// Dimensionless; 1e-12 … 1e-3.
  double rel_tol = 1e-9;
  /// First step tried [s], cut to |t1 − t0|. > 0.
  double initial_step = 1e-3;
  /// Accepted plus rejected steps before giving up.
  int max_steps = 100'000;
};

/// What x and AdaptiveResult::t mean.
enum class AdaptiveStatus {
  kReachedEnd,    ///< x = x(t1) within the tolerances per step
  kMaxSteps,      ///< x is the last accepted state, at t
  kStepTooSmall,  ///< the error bound asks for steps below rounding of t; x is the last accepted state, at t
  kNotFinite,     ///< however short the step, the next state has NaN or ∞; x is the last finite state, at t
};

struct AdaptiveResult {
  AdaptiveStatus status = AdaptiveStatus::kMaxSteps;
  double t = 0.0;    ///< time of x [s]
  int steps = 0;     ///< accepted
  int rejected = 0;  ///< tried and thrown away
  std::string message;

  [[nodiscard]] bool ok() const { return status == AdaptiveStatus::kReachedEnd; }
};

/// Integrates ẋ = f(x, t) from t0 to t1 (either direction), x in place, with error-controlled Dormand–Prince
/// 5(4).
/// @pre t0, t1 and x finite, x not empty, tolerances ≥ 0 and not both 0, initial_step > 0, max_steps ≥ 1
///      (throws InvalidArgument)                                                        [Dormand & Prince
///      1980]
[[nodiscard]] AdaptiveResult integrate_adaptive(Rhs f, State& x, double t0, double t1,
                                                const AdaptiveOptions& options = {});

}  // namespace enfold::ode
