// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "enfold/control/plan.hpp"
#include "enfold/controllers/gains.hpp"
#include "enfold/controllers/whole_arm.hpp"

namespace enfold::controllers {

/// A grasp that rests in a planned squeeze λ_0 = G° α_d, with compliant contacts that slide in declared
/// directions, linearised under ForceLoopController. [eq:contact-loop]
///
///     M v̇ = B δτ + W_μ δλ + ∂(W_μ λ_0)/∂q δq,   δλ = −(K W_Nᵀ δq + C W_Nᵀ v)
///     ẍ* = −K_p δx − K_v ẋ,   θ̈* = J̃⁻¹G̃ᵀ ẍ*,   δλ* = G⁺M_o ẍ* + ∂(G° α_d)/∂q δq + G° K_α I,   İ = −δα
///     δτ = M_a θ̈* + Jᵀ δλ* + ∂(Jᵀ)/∂q λ_0 δq + K_λ J̃ᵀ(δλ* − δλ)
///
/// The deformations W_Nᵀ δq are the fast part; but for the geometric stiffness, the size of a force over the
/// object's radius, they obey z̈ = −(A + K_λ S)(K z + C ż), S = J̃ M_a⁻¹ J̃ᵀ.
struct ContactLoop {
  MatrixXd A;                ///< W_Nᵀ M⁻¹ W_μ of S4 (19), n_C × n_C [1/kg]
  MatrixXd S;                ///< J̃ M_a⁻¹ J̃ᵀ [1/kg]
  MatrixXd W_N;              ///< n_v × n_C
  VectorXd K;                ///< stiffness of each contact [N/m]
  VectorXd C;                ///< damping of each contact [N·s/m]
  MatrixXd by_force;         ///< v̇ per contact force, M⁻¹ W_μ
  MatrixXd by_torque;        ///< v̇ per torque, M⁻¹ B
  MatrixXd by_position;      ///< v̇ per δq at constant forces: geometric stiffness
  MatrixXd torque_by_state;  ///< δτ of S4's law per [δq ; v ; I]
  MatrixXd wanted_by_state;  ///< δλ* per [δq ; v ; I]
  MatrixXd alpha_by_state;   ///< δα per [δq ; v ; I], at constant forces
  MatrixXd J_tilde;          ///< n_C × n_θ
  MatrixXd G_null;           ///< G°, n_C × p
};

/// @param x      pose of the object
/// @param point  of a plan at that pose: joint angles of the closed hand, modes, basis and squeeze
/// @param K, C   one entry for each contact
/// @pre all contacts slide, as many as joints; sizes agree, K > 0, C ≥ 0 (throws InvalidArgument)
[[nodiscard]] ContactLoop contact_loop(const WholeArmModel& model, const VectorXd& x,
                                       const control::PlanPoint& point, const Gains& gains, const VectorXd& K,
                                       const VectorXd& C);

/// An interval of a quantity within which a loop is stable; empty if from > to.
struct StableRange {
  double from = 1.0, to = 0.0;
  [[nodiscard]] bool empty() const { return !(from <= to); }
  [[nodiscard]] bool contains(double value) const { return value >= from && value <= to; }
};

/// Poles of the contacts' own dynamics under continuous feedback, z̈ = −(A + K_λ S)(K z + C ż), largest real
/// part first [1/s]. K_λ = 0: of S4's law.
[[nodiscard]] Eigen::VectorXcd contact_poles(const ContactLoop& loop, double K_lambda);

/// The K_λ above which A + K_λ S has no eigenvalue on or left of zero; 0 if A has none. Exact, and the same
/// for every stiffness and sampling rate: an eigenvalue passes through zero, where nothing moves.
/// [eq:saddle-gain]
///
///     K_λ = max { r real : det(A + r S) = 0 } = max real eig(−S⁻¹A)
[[nodiscard]] double least_gain(const ContactLoop& loop);

/// Spectral radius of one period of the whole loop, state [δq ; v ; I], with forces sampled and torques held:
/// exact, by the matrix exponential. Below 1: stable.
/// @pre rate > 0 (throws InvalidArgument)
[[nodiscard]] double spectral_radius(const ContactLoop& loop, double K_lambda, double rate);

/// The gains with which the sampled loop is stable: the first interval from least_gain() on. Searched up to
/// 1e4.
[[nodiscard]] StableRange stable_gains(const ContactLoop& loop, double rate);
/// The sampling rates, from the slowest on that is stable together with all faster ones [Hz]. Searched in 1 …
/// 1e6.
[[nodiscard]] StableRange stable_rates(const ContactLoop& loop, double K_lambda);
/// The factors on all stiffnesses, damping ratios kept, around 1: below them contacts are no faster than the
/// motion's loop, above them faster than the sampling. Empty if the loop is unstable as it is. Searched in
/// 1e-4 … 1e4.
[[nodiscard]] StableRange stable_stiffness(const ContactLoop& loop, double K_lambda, double rate);

/// Standard deviation of every normal force when each force reading has independent noise of that standard
/// deviation, stationary, at the sampling instants: P = Φ P Φᵀ + Γ Γᵀ. Infinite where the loop is unstable.
/// @param noise  of each reading [N]; ±f λ uniformly is f λ/√3
[[nodiscard]] VectorXd force_spread(const ContactLoop& loop, double K_lambda, double rate,
                                    const VectorXd& noise);

}  // namespace enfold::controllers
