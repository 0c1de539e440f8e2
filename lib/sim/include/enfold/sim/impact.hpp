// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "enfold/sim/friction_problem.hpp"

namespace enfold::sim {

/// Contacts that collide at one instant, and those that rest while they do.
struct ImpactProblem {
  MatrixXd M;            ///< n_v × n_v
  MatrixXd W_N, W_T;     ///< n_v × m, of the touching contacts
  VectorXd v;            ///< before the impact, n_v
  VectorXd mu;           ///< m
  VectorXd restitution;  ///< e, m; 0 … 1
};

struct ImpactOptions {
  /// A contact that closes more slowly does not bounce, lest it do so infinitely often [m/s].
  double rest_speed = 1e-3;
};

struct Impact {
  FrictionStatus status = FrictionStatus::kNone;
  VectorXd v;                      ///< after
  VectorXd impulse_N, impulse_T;   ///< m [N·s]
  double energy_change = 0.0;      ///< of the kinetic energy, ≤ 0 up to rounding [J]
  double restitution_scale = 1.0;  ///< below 1 where Newton's law with these e would have created energy

  [[nodiscard]] bool ok() const { return impulse_N.size() > 0; }
};

/// Newton's restitution and Coulomb's friction in one impact of all touching contacts.       [eq:impact]
///
///     M (v⁺ − v⁻) = W_N p_N + W_T p_T,   0 ≤ p_N ⊥ W_Nᵀv⁺ + e min(0, W_Nᵀv⁻) ≥ 0,
///     p_T ∈ −μ p_N Sign(W_Tᵀ v⁺)
///
/// Friction acts as if all slip happened at its final velocity (Moreau). With unequal e, or friction, that
/// may create energy (Kane's paradox): then all e are scaled down, by bisection, to where it does not; e = 0
/// never does. Of several answers the one with the least kinetic energy is taken, and the status says so.
/// @pre sizes agree, M positive definite, 0 ≤ e ≤ 1 (throws InvalidArgument)
[[nodiscard]] Impact solve_impact(const ImpactProblem& problem, const ImpactOptions& options = {});

}  // namespace enfold::sim
