// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "enfold/controllers/gains.hpp"
#include "enfold/controllers/grasp_law.hpp"

namespace enfold::controllers {

/// S4's law with proportional-integral feedback of the internal forces.                       [eq:force-pi]
///
///     ξ̈* = ξ̈_d + K_v ė_ξ + K_p e_ξ,   α* = α_d + K_P e_α + K_α ∫e_α dt,   τ by GraspLaw
///
/// Claim: with an exact model the motion obeys (14) as under S4's law. The torque answers the forces of the
/// same instant, so that the law is for a sampled loop. In a rigid world the force answers within the sample,
/// and the reading is the one just before the torque changes:
///     e_{k+1} = −K_P e_k − K_α I_k,   I_{k+1} = I_k + T e_k,                              [eq:force-range]
/// stable exactly for 0 < K_α T and K_α T − 1 < K_P < 1 + K_α T/2 (stable_force_gains()). A proportional gain
/// of 1 or more answers each error with one at least as large of the other sign; below 1 and with a short
/// period the error decays with −K_α/(1 + K_P), after a first step by −K_P.
/// Tuning: K_P < 0 makes the slow pole faster, K_P > 0 makes it slower and cuts the first step of a model
/// error to 1/(1 + K_P) of it, at the price of an alternating error that dies out as K_P^k and of noise
/// that passes through to the squeeze by K_P. 0 … 0.5, rarely more. For every force, not only the internal
/// ones, with compliant contacts: ForceLoopController.
class WholeArmPiController final : public control::Controller {
 public:
  /// @pre those of GraspLaw; K_P finite (throws InvalidArgument)
  WholeArmPiController(WholeArmModel model, std::shared_ptr<const control::Trajectory> trajectory,
                       std::shared_ptr<const control::Plan> plan, const Gains& gains, double K_P);

  [[nodiscard]] Index n_integrals() const override { return law_.p(); }
  void evaluate(double t, const control::Measurement& measured, const VectorXd& integral,
                control::Command& out) noexcept override;
  [[nodiscard]] std::string description() const override;

 private:
  GraspLaw law_;
  Gains gains_;
  double K_P_;
  VectorXd xi_ddot_, squeeze_;  // workspace
};

}  // namespace enfold::controllers
