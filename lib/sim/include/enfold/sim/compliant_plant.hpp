// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "enfold/contact/contact_law.hpp"
#include "enfold/contact/contact_mode.hpp"
#include "enfold/contact/held_features.hpp"
#include "enfold/sim/rigid_plant.hpp"

namespace enfold::sim {

/// State of a compliant world: 2n + n_C numbers (S4, Sec. 4).
struct CompliantState {
  VectorXd q, v;
  VectorXd xi;  ///< tangential deformation of every contact, n_C [m]
};

/// Arms and object with compliant contacts: the same world as RigidPlant, with forces that follow from the
/// state.                                                                                    [eq:compliant]
///
///     δ = offset − φ,   λ_N = max(0, f(δ, δ̇)) if δ > 0, else 0                                [eq:S4.20]
///     F = clamp(k_T ξ + c_T φ̇_T, ±μλ_N),   λ_T = −F,   ξ̇ = (F − k_T ξ)/c_T                    [eq:S4.21]
///     q̇ = v,   v̇ = M⁻¹(Bτ − h + W_N λ_N + W_T λ_T)
///
/// `offset` is the rest offset of a contact: the gap at which it begins to press, 0 unless a rigid run hands
/// over. Modes come out: open (λ_N = 0), rolling (inside the cone: the spring holds), sliding. The right-hand
/// side is smooth within a set of modes, continuous where friction or a force ends, and jumps only where a
/// law does at first touch. Nothing allocates after construction.
class CompliantPlant {
 public:
  /// @p laws: one for each contact, or a single one for all.
  /// @pre one tangent per contact, mu has n_C entries ≥ 0, k_T, c_T > 0 (throws InvalidArgument)
  CompliantPlant(PlantModel model, std::vector<contact::ContactLaw> laws);

  [[nodiscard]] const VectorXd& offset() const { return offset_; }  ///< n_C [m]
  /// @pre n_C finite entries (throws InvalidArgument)
  void set_offset(const VectorXd& offset);

  /// Chooses offsets and ξ such that the contacts press at (q, v) with the given forces: how a rigid run is
  /// taken over without a jump (checklist row 20).
  ///
  ///     f(δ, −φ̇) = λ_N,  offset = δ + φ;   k_T ξ + c_T φ̇_T = −λ_T, or beyond it on a sliding contact
  ///
  /// A contact without force keeps its offset, cut to its gap. Returns the largest force that could not be
  /// met [N]: 0 unless |λ_T| > μλ_N, or a damper alone presses harder than λ_N.
  double adopt_forces(const VectorXd& q, const VectorXd& v, const VectorXd& lambda_N,
                      const VectorXd& lambda_T, VectorXd& xi);

  /// The parts of the surfaces that contacts are held on; by default they are on whatever is nearest.
  [[nodiscard]] const contact::HeldFeatures& features() const { return features_; }
  contact::HeldFeatures& change_features() { return features_; }

  /// The time at which a load from outside is asked for its force, from the next solve on [s].
  void set_time(double t) { time_ = t; }

  /// Accelerations, forces and modes at a state under torques τ: kSolved, or kSingular if M has no inverse.
  ContactSolveStatus solve(const VectorXd& q, const VectorXd& v, const VectorXd& xi, const VectorXd& tau);
  /// The same with the formulas of given modes, whatever the state: smooth in the state, for an integrator
  /// that looks for the end of the modes itself. λ may then violate what the modes stand for.
  /// @pre one mode per contact (throws InvalidArgument)
  ContactSolveStatus solve(const VectorXd& q, const VectorXd& v, const VectorXd& xi, const VectorXd& tau,
                           std::span<const contact::ContactMode> modes);
  /// The modes of a state; overwrites what the last solve left.
  const std::vector<contact::ContactMode>& modes_at(const VectorXd& q, const VectorXd& v, const VectorXd& xi);
  /// True if two sets of modes have the same formulas here: without friction a contact's direction does not
  /// matter.
  [[nodiscard]] bool same_formulas(std::span<const contact::ContactMode> a,
                                   std::span<const contact::ContactMode> b) const;

  // The rest refers to the last solve.
  [[nodiscard]] const VectorXd& q() const { return q_; }
  [[nodiscard]] const VectorXd& v() const { return v_; }
  [[nodiscard]] const VectorXd& v_dot() const { return v_dot_; }
  [[nodiscard]] const VectorXd& xi_dot() const { return xi_dot_; }               ///< n_C [m/s]
  [[nodiscard]] const VectorXd& lambda_N() const { return lambda_N_; }           ///< n_C [N]
  [[nodiscard]] const VectorXd& lambda_T() const { return lambda_T_; }           ///< n_C [N]
  [[nodiscard]] const VectorXd& deformation() const { return delta_; }           ///< δ, n_C [m]
  [[nodiscard]] const VectorXd& deformation_rate() const { return delta_dot_; }  ///< δ̇ = −φ̇, n_C [m/s]
  [[nodiscard]] const VectorXd& slip() const { return slip_; }                   ///< φ̇_T, n_C [m/s]
  [[nodiscard]] const std::vector<contact::ContactMode>& modes() const { return modes_; }
  /// λ_N with ∂λ_N/∂δ and ∂λ_N/∂δ̇ of every contact.
  [[nodiscard]] const std::vector<contact::NormalForce>& normal_forces() const { return normal_; }
  [[nodiscard]] const contact::ContactKinematics& kinematics() const { return kinematics_; }
  [[nodiscard]] const mechanics::Dynamics& dynamics() const { return dynamics_; }
  /// Σ ∫f dδ + ½ k_T ξ² [J].
  [[nodiscard]] double stored_energy() const;

  /// ∂(q̇, v̇, ξ̇)/∂(q, v, ξ), (2n + n_C)², in the modes of the last solve. [eq:compliant-jacobian]
  ///
  /// What is stiff is exact: ∂λ_N/∂q = −f_δ W_Nᵀ − f_δ̇ ∂(W_Nᵀv)/∂q, ∂λ_N/∂v = −f_δ̇ W_Nᵀ, the same along t,
  /// and sliding friction as −σμ ∂λ_N. What is smooth, i.e. M(q)v̇ + h − Wλ at fixed v̇ and λ, and ∂(Wᵀv)/∂q,
  /// has no closed form in the interfaces: central differences in q; in v they are exact, h being quadratic.
  /// @pre n_q = n_v with q̇ = v (throws InvalidArgument)
  void jacobian(MatrixXd& J);

  /// ∂v̇/∂t at the last solve, n_v: what a load that changes in time does; 0 without one.
  void acceleration_drift(VectorXd& out);

  /// An upper estimate of the fastest rate of the contacts that press: the size of the largest eigenvalue
  /// that springs and dampers can make [1/s]. Row sums of D^½ WᵀM⁻¹W D^½ with D = k, c.
  [[nodiscard]] double fastest_rate();

  [[nodiscard]] const PlantModel& model() const { return model_; }
  [[nodiscard]] const contact::ContactLaw& law(Index contact) const {
    return laws_[static_cast<std::size_t>(contact)];
  }

 private:
  void observe(const VectorXd& q, const VectorXd& v, const VectorXd& xi);
  [[nodiscard]] contact::ContactMode mode_of(Index i) const;
  void apply_laws();
  ContactSolveStatus accelerate(const VectorXd& q, const VectorXd& v, const VectorXd& tau);
  void differentiate_smooth_part();

  PlantModel model_;
  std::vector<contact::ContactLaw> laws_;
  contact::HeldFeatures features_;
  VectorXd offset_;
  double time_ = 0.0;
  VectorXd load_;  // n_v

  std::vector<contact::ContactMode> modes_;
  std::vector<contact::NormalForce> normal_;
  VectorXd q_, v_, xi_, delta_, delta_dot_, slip_;
  contact::ContactKinematics kinematics_;
  mechanics::Dynamics dynamics_;
  Eigen::LLT<MatrixXd> M_llt_;
  VectorXd lambda_N_, lambda_T_, v_dot_, xi_dot_;

  // Of the Jacobian.
  contact::ContactKinematics kinematics_plus_, kinematics_minus_;
  mechanics::Dynamics dynamics_plus_, dynamics_minus_;
  VectorXd moved_, residual_;
  MatrixXd R_q_, R_v_, H_N_, H_T_;  // of M v̇ + h − Wλ; ∂(W_Nᵀv)/∂q, ∂(W_Tᵀv)/∂q
  MatrixXd N_q_, N_v_, T_q_, T_v_;  // of λ_N, λ_T
  VectorXd T_xi_;
  MatrixXd block_, xi_block_;
  MatrixXd L_W_, S_;  // of the rate
};

}  // namespace enfold::sim
