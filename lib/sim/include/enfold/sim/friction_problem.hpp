// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/contact/contact_mode.hpp"

namespace enfold::sim {

/// What a touching contact may do next.
enum class ContactFreedom {
  kStickOrSlip,  ///< at zero slip: sticks within its cone, or begins to slide either way
  kSlidePlus,    ///< slides: its friction has the direction −t
  kSlideMinus,   ///< slides: its friction has the direction +t
  kHeld,         ///< declared to roll: no slip, whatever friction that takes
};

/// Normal contact with Coulomb friction, at the level of accelerations or of velocities.
/// [eq:friction-problem]
///
///     [a_N; a_T] = D [λ_N; λ_T] + [c_N; c_T],   0 ≤ a_N ⊥ λ_N ≥ 0,
///     sticking:  a_T = 0, |λ_T| ≤ μ λ_N;    slipping by σ = ±1:  λ_T = −σ μ λ_N, σ a_T ≥ 0 from zero slip.
///
/// D = WᵀM⁻¹W with W = [W_N, W_T]. With c the accelerations without contact forces this is the stick/slip
/// problem of resting contacts; with c the velocities before an impact, less what restitution asks of a_N, it
/// is the impact problem.
struct FrictionProblem {
  MatrixXd D;         ///< 2n × 2n
  VectorXd c_N, c_T;  ///< n
  VectorXd mu;        ///< n, ≥ 0
  std::vector<ContactFreedom> freedom;
};

enum class FrictionStatus {
  kUnique,
  kSeveral,    ///< finitely many answers, more than one
  kContinuum,  ///< forces are not determined: a whole set of them answers
  kNone,       ///< no answer: Painlevé's paradox
  kUndecided,  ///< too many contacts to try all modes, or a singular case that could not be settled
};

struct FrictionAnswer {
  std::vector<contact::ContactMode> modes;
  VectorXd lambda_N, lambda_T;  ///< n [N, or N·s]
  VectorXd a_N, a_T;            ///< n
};

struct FrictionSolution {
  FrictionStatus status = FrictionStatus::kNone;
  std::vector<FrictionAnswer> answers;  ///< kUndecided: those found

  [[nodiscard]] bool unique() const { return status == FrictionStatus::kUnique; }
};

struct FrictionOptions {
  /// All modes are tried up to so many combinations (4 for a contact that may stick, 2 for any other);
  /// beyond, Lemke's method finds one answer and the status is kUndecided. 16 … 1e6.
  long max_combinations = 5000;
  /// An inequality may be violated by this fraction of the problem's own forces and accelerations.
  double tol = 1e-10;
  /// Answers whose forces differ by less than this fraction are one.
  double same_tol = 1e-7;
};

/// All answers, by trying every combination of modes.
/// @pre sizes agree, μ ≥ 0, finite (throws InvalidArgument)
[[nodiscard]] FrictionSolution solve_friction(const FrictionProblem& problem,
                                              const FrictionOptions& options = {});

}  // namespace enfold::sim
