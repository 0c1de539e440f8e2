// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "enfold/control/controller.hpp"
#include "enfold/control/plan.hpp"
#include "enfold/grasp/grasp_matrices.hpp"

namespace enfold::controllers {

/// Gains of springs and dampers at the joints; one entry for every joint, or one for all.
struct JointGains {
  VectorXd Kp;  ///< [N·m/rad]
  VectorXd Kv;  ///< [N·m·s/rad]
};

/// Springs and dampers around the plan's joint angles, with the planned torque as feed-forward.
/// [eq:joint-pd]
///
///     τ = τ_d + K_p (θ_d − θ) + K_v (θ̇_d − θ̇)
///
/// It needs joint angles and the plan, no model and no force sensor; whatever the contacts do, roll, slide or
/// open, it goes on. The internal forces that it reports are those of the plan's basis G°.
///
/// Claim: at rest in the plan with all contacts kept, v = Zζ, small deviations obey
///     YᵀMZ ζ̈ + Yᵀ[0 ; K_v θ̇] + (Yᵀ[0 ; K_p θ] − Yᵀ∂(Wλ_d − h)/∂q Zζ) = 0,  Y = null(Wᵀ), Z = null(W̃ᵀ):
/// without friction an object on springs H̃ᵀK_pH̃, stable if these outweigh the stiffness −∂(Wλ_d)/∂q of the
/// squeeze, which has the size of a force over the object's radius and may be negative. Nothing corrects the
/// internal force: a model error shifts it, and a displaced object too. Offsets decay to the plan, constant
/// loads leave an error of load over stiffness.
/// Tuning: K_p = load/(error allowed), well above the squeeze's stiffness; K_v = 2ζ√(K_p m) with the inertia
/// m that the joint feels, the object's included. Poles depend on the pose: `enfold design` computes them.
class JointPdController final : public control::Controller {
 public:
  /// @pre plan not empty; at every point as many θ as τ; rates none or as many; gains finite, one or one for
  /// each joint (throws InvalidArgument)
  JointPdController(std::shared_ptr<const control::Plan> plan, JointGains gains);

  [[nodiscard]] Index n_integrals() const override { return 0; }
  void evaluate(double t, const control::Measurement& measured, const VectorXd& integral,
                control::Command& out) noexcept override;
  [[nodiscard]] std::string description() const override;

 private:
  control::PlanCursor plan_;
  JointGains gains_;
  // Workspace.
  grasp::GraspMatrices listed_;  // contact lists alone
  VectorXd theta_, theta_dot_, lambda_;
};

}  // namespace enfold::controllers
