// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "enfold/sim/compliant_plant.hpp"

namespace enfold::sim {

/// What a contact's k and c are fit for.
enum class StiffnessVerdict {
  kFine,
  kTooSoft,        ///< the contact gives way so far, or so slowly, that the grasp is another one
  kTooStiff,       ///< explicit steps of this length would be unstable
  kNoCommonRange,  ///< too soft and too stiff at once: only a shorter step helps, or an implicit method
};

/// One contact for the advisor.
struct StiffnessQuestion {
  std::string name;
  double force = 0.0;      ///< largest normal force expected [N]; ≥ 0
  double mass = 1.0;       ///< effective: 1/(W_Nᵀ M⁻¹ W_N)_ii [kg]; > 0
  double stiffness = 1e4;  ///< ∂λ_N/∂δ [N/m]; > 0
  double damping = 140.0;  ///< ∂λ_N/∂δ̇ [N·s/m]; ≥ 0
};

struct StiffnessOptions {
  double step = 1e-3;               ///< of the integration [s]; > 0
  double length = 0.1;              ///< of the object [m]; > 0
  double max_penetration = 0.01;    ///< too soft if λ/k exceeds this fraction of the length
  double control_bandwidth = 10.0;  ///< [rad/s]; > 0
  double min_separation = 5.0;      ///< too soft if √(k/m) is below this many control bandwidths
  /// Too stiff if |s|·step exceeds it, s the faster root of m s² + c s + k = 0. 2.8 is where fourth-order
  /// Runge–Kutta ends, on the real axis as on the imaginary one.
  double explicit_limit = 2.8;
};

struct StiffnessAdvice {
  StiffnessVerdict verdict = StiffnessVerdict::kFine;
  double penetration = 0.0;    ///< λ/k [m]
  double frequency = 0.0;      ///< √(k/m) [rad/s]
  double damping_ratio = 0.0;  ///< c/(2√(k m))
  double fastest_rate = 0.0;   ///< |s| of the faster root [1/s]
  double longest_step = 0.0;   ///< explicit_limit/|s| [s]
  double softest = 0.0;        ///< smallest k that is not too soft [N/m]
  double stiffest = 0.0;       ///< largest k, at this damping ratio, that is not too stiff [N/m]
  std::string message;         ///< one sentence with the numbers and what to change
};

/// Is a contact too soft for its force, or too stiff for the step?                      [eq:stiffness-range]
///
///     softest = max( λ/(max_penetration·length), m·(min_separation·bandwidth)² )
///     stiffest = m·(explicit_limit/(r·step))²,   r = 1 for ζ ≤ 1, ζ + √(ζ² − 1) beyond
///
/// @pre what the fields say (throws InvalidArgument)
[[nodiscard]] StiffnessAdvice advise_stiffness(const StiffnessQuestion& question,
                                               const StiffnessOptions& options);

/// Effective masses 1/(W_Nᵀ M⁻¹ W_N)_ii of all contacts at the state of the plant's last solve, n_C [kg].
[[nodiscard]] VectorXd effective_masses(const CompliantPlant& plant);

/// The questions of all contacts: forces as given (n_C, largest expected), the rest from the plant's last
/// solve; stiffness and damping as they would be under those forces.
[[nodiscard]] std::vector<StiffnessQuestion> stiffness_questions(const CompliantPlant& plant,
                                                                 const VectorXd& forces);

}  // namespace enfold::sim
