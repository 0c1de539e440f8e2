// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Dense>
#include <memory>

#include "enfold/contact/contact_set.hpp"
#include "enfold/control/controller.hpp"
#include "enfold/control/plan.hpp"
#include "enfold/controllers/gains.hpp"
#include "enfold/grasp/grasp_matrices.hpp"
#include "enfold/grasp/internal_forces.hpp"
#include "enfold/mechanics/mechanism.hpp"

namespace enfold::controllers {

/// What the law knows of the world: its own model, which may differ from the plant's.
struct WholeArmModel {
  std::shared_ptr<const mechanics::Mechanism> mechanism;
  std::shared_ptr<const contact::ContactSet> contacts;
  VectorXd mu;
};

/// S4's law: object motion and internal forces at once.                                        [eq:S4.11]
///
///     ẍ* = ẍ_d + K_v ė_x + K_p e_x
///     θ̈* = J̃⁻¹(G̃ᵀ ẍ* + d(W̃ᵀ)/dt·v)                                  (8) differentiated    [eq:S4.8]
///     λ* = G⁺(M_o ẍ* − g_o) + G°(α_d + K_α ∫e_α dt)                                            [eq:S4.9]
///     τ  = M_a θ̈* + h_a + g_a + Jᵀ λ*                                                         [eq:S4.10]
///
/// This is (11) with M̃ and Ñ written out, in the right readings: g_a is there (checklist row 3), (Hᵀ)⁺ is Jᵀ
/// G⁺ (row 4), G° follows the plan's basis (row 15), slip directions are the plan's (row 16).
///
/// Claim (Theorem 3.1): while W keeps its rank, M_o + Hᵀ M_a H̃ is regular and the model is exact,
///     ë_x + K_v ė_x + K_p e_x = 0   and   e_α + K_α ∫e_α = 0.                           [eq:S4.14]
///     [eq:S4.15]
/// Tuning: both motion poles at −ω for K_p = ω², K_v = 2ω; the force pole is at −K_α, hence K_α > 0 (row 7).
class WholeArmController final : public control::Controller {
 public:
  /// @pre J̃ square at every point of the plan (n_S = n_θ, no contact rolls), plan not empty, sizes agree,
  /// gains finite
  ///      (throws InvalidArgument)
  WholeArmController(WholeArmModel model, std::shared_ptr<const control::Trajectory> trajectory,
                     std::shared_ptr<const control::Plan> plan, const Gains& gains);

  [[nodiscard]] Index n_integrals() const override { return p_; }
  void evaluate(double t, const control::Measurement& measured, const VectorXd& integral,
                control::Command& out) noexcept override;
  [[nodiscard]] std::string description() const override;

 private:
  void plan_at(double t);

  WholeArmModel model_;
  std::shared_ptr<const control::Trajectory> trajectory_;
  std::shared_ptr<const control::Plan> plan_;
  Gains gains_;
  Index p_ = 0;

  // Workspace: sized at construction.
  control::Reference reference_;
  contact::ContactKinematics kinematics_;
  mechanics::Dynamics dynamics_;
  grasp::GraspMatrices grasp_;
  grasp::InternalForces internal_;
  Eigen::PartialPivLU<MatrixXd> lu_;
  VectorXd q_des_, difference_, x_ddot_, rhs_, wrench_, lambda_, stacked_, squeeze_, alpha_des_;
  std::size_t segment_ = 0;
};

}  // namespace enfold::controllers
