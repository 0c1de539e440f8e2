// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "enfold/controllers/whole_arm.hpp"

namespace enfold::controllers {

/// S4's law with a proportional loop around every contact force.                          [eq:force-loop]
///
///     τ = τ_S4 + K_λ J̃ᵀ (λ* − λ)
///
/// λ*: the forces that S4's law asks for at this instant, λ: those measured, both stacked as in
/// GraspMatrices; K_λ ≥ 0 the same for all, without unit. An error of 1 N is answered with the torques of K_λ
/// newtons at that contact, along the normal and without friction, so that four torques reach four normal
/// forces.
///
/// Claim: with compliant contacts λ = −(K z + C ż) the loop replaces A in the dynamics of the deformations by
/// A + K_λS, S = J̃ M_a⁻¹ J̃ᵀ, symmetric and positive definite. Where A is no P-matrix S4's law leaves a saddle
/// that grows with √(|a| k); K_λ moves its eigenvalue over to the stable side. Motion and force errors keep
/// S4's equations, which the exact forces λ = λ* fulfil for every K_λ. Tuning: K_λ, the sampling rate and the
/// stiffness must lie in the ranges that contact_loop_limits() computes (contact_loop.hpp). In a rigid world
/// the force answers within the sample and K_λ ≥ 1 is unstable.
class ForceLoopController final : public control::Controller {
 public:
  /// @pre those of WholeArmController; all contacts slide; K_λ finite and ≥ 0 (throws InvalidArgument)
  ForceLoopController(WholeArmModel model, std::shared_ptr<const control::Trajectory> trajectory,
                      std::shared_ptr<const control::Plan> plan, const Gains& gains, double K_lambda);

  [[nodiscard]] Index n_integrals() const override { return whole_arm_.n_integrals(); }
  void evaluate(double t, const control::Measurement& measured, const VectorXd& integral,
                control::Command& out) noexcept override;
  [[nodiscard]] std::string description() const override;

 private:
  WholeArmController whole_arm_;
  double K_lambda_;
  VectorXd error_;  // workspace
};

}  // namespace enfold::controllers
