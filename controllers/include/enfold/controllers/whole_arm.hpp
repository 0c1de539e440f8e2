// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "enfold/controllers/gains.hpp"
#include "enfold/controllers/grasp_law.hpp"

namespace enfold::controllers {

/// S4's law in motion coordinates: object motion and internal forces at once.                  [eq:S4.11]
///
///     ξ̈* = ξ̈_d + K_v ė_ξ + K_p e_ξ,   α* = α_d + K_α ∫e_α dt,   τ by GraspLaw
///
/// With all contacts sliding, k = n_θ and ξ = x this is (11) with M̃ and Ñ written out, in the right readings:
/// g_a is there (checklist row 3), (Hᵀ)⁺ is Jᵀ G⁺ (row 4), G° follows the plan's basis (row 15), slip
/// directions are the plan's (row 16). Rolling contacts, contacts with the environment and joints to spare
/// only change k, n_ξ and n_η (row 6).
///
/// Claim (Theorem 3.1, docs/theory/08): while G has full row rank, T full row rank, YᵀMZ is regular and the
/// model is exact,
///     ë_ξ + K_v ė_ξ + K_p e_ξ = 0   and   e_α + K_α ∫e_α = 0,                           [eq:S4.14]
///     [eq:S4.15]
/// and Z_ηᵀ(ë_θ + K_v ė_θ + K_p e_θ) = 0 for the arms' self-motions.
/// Tuning: both motion poles at −ω for K_p = ω², K_v = 2ω; the force pole is at −K_α, hence K_α > 0 (row 7),
/// and K_α T < 1 if sampled with period T (stable_force_gains()).
class WholeArmController final : public control::Controller {
 public:
  /// @pre those of GraspLaw (throws InvalidArgument)
  WholeArmController(WholeArmModel model, std::shared_ptr<const control::Trajectory> trajectory,
                     std::shared_ptr<const control::Plan> plan, const Gains& gains);

  [[nodiscard]] Index n_integrals() const override { return law_.p(); }
  void evaluate(double t, const control::Measurement& measured, const VectorXd& integral,
                control::Command& out) noexcept override;
  [[nodiscard]] std::string description() const override;

  // What the last evaluate() used, for laws that build on this one.
  [[nodiscard]] const VectorXd& wanted_forces() const { return law_.wanted_forces(); }  ///< λ*, k [N]
  [[nodiscard]] const grasp::GraspMatrices& grasp() const { return law_.grasp(); }

 private:
  GraspLaw law_;
  Gains gains_;
  VectorXd xi_ddot_, squeeze_;  // workspace
};

}  // namespace enfold::controllers
