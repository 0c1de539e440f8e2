// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "enfold/contact/contact_set.hpp"
#include "enfold/control/controller.hpp"
#include "enfold/control/plan.hpp"
#include "enfold/controllers/gains.hpp"
#include "enfold/grasp/grasp_matrices.hpp"
#include "enfold/grasp/internal_forces.hpp"
#include "enfold/grasp/motion_coordinates.hpp"
#include "enfold/mechanics/mechanism.hpp"

namespace enfold::controllers {

/// What arms with more joints than the grasp needs do with the rest of their freedom.
enum class SelfMotion {
  kPosture,  ///< they follow the plan's joint angles with the gains of the motion
  kDamped,   ///< they come to rest wherever they are: only K_v acts
};

/// What the law knows of the world: its own model, which may differ from the plant's.
struct WholeArmModel {
  std::shared_ptr<const mechanics::Mechanism> mechanism;
  std::shared_ptr<const contact::ContactSet> contacts;
  VectorXd mu;
  /// Numbers of the object's velocities that make up ξ; empty: all of them.
  std::vector<Index> coordinates{};
  SelfMotion self_motion = SelfMotion::kPosture;
};

/// S4's law in motion coordinates: object motion and internal forces at once.                  [eq:S4.11]
///
///     ξ̈* = ξ̈_d + K_v ė_ξ + K_p e_ξ
///     v̇* = T⁺[−d(W̃ᵀ)/dt·v ; ξ̈*] + Z_η Z_ηᵀ a,   a = θ̈_d + K_v ė_θ + K_p e_θ        [eq:S4.8]
///     λ* = G⁺(M_o ẍ* − g_o) + G°(α_d + K_α ∫e_α dt)                                            [eq:S4.9]
///     τ  = M_a θ̈* + h_a + g_a + Jᵀ λ*                                                         [eq:S4.10]
///
/// ẍ* and θ̈* are the parts of v̇*; T and Z_η are those of grasp::MotionCoordinates. With all contacts sliding,
/// k = n_θ and ξ = x this is (11) with M̃ and Ñ written out, in the right readings: g_a is there (checklist
/// row 3), (Hᵀ)⁺ is Jᵀ G⁺ (row 4), G° follows the plan's basis (row 15), slip directions are the plan's (row
/// 16). Rolling contacts, contacts with the environment and joints to spare only change k, n_ξ and n_η (row
/// 6).
///
/// Claim (Theorem 3.1, docs/theory/08): while G has full row rank, T full row rank, YᵀMZ is regular and the
/// model is exact,
///     ë_ξ + K_v ė_ξ + K_p e_ξ = 0   and   e_α + K_α ∫e_α = 0,                           [eq:S4.14]
///     [eq:S4.15]
/// and Z_ηᵀ(ë_θ + K_v ė_θ + K_p e_θ) = 0 for the arms' self-motions.
/// Tuning: both motion poles at −ω for K_p = ω², K_v = 2ω; the force pole is at −K_α, hence K_α > 0 (row 7).
class WholeArmController final : public control::Controller {
 public:
  /// @pre at every point of the plan: k ≥ n_x forces, k + n_ξ ≤ n_v, G° is k × (k − n_x); plan not empty,
  /// sizes agree, gains finite (throws InvalidArgument)
  WholeArmController(WholeArmModel model, std::shared_ptr<const control::Trajectory> trajectory,
                     std::shared_ptr<const control::Plan> plan, const Gains& gains);

  [[nodiscard]] Index n_integrals() const override { return p_; }
  void evaluate(double t, const control::Measurement& measured, const VectorXd& integral,
                control::Command& out) noexcept override;
  [[nodiscard]] std::string description() const override;

  // What the last evaluate() used, for laws that build on this one.
  [[nodiscard]] const VectorXd& wanted_forces() const { return lambda_; }     ///< λ*, k [N]
  [[nodiscard]] const grasp::GraspMatrices& grasp() const { return grasp_; }  ///< at the measured state

 private:
  void plan_at(double t);
  void motion_at(const control::Measurement& measured);
  void posture_at(const control::Measurement& measured);

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
  grasp::MotionCoordinates motion_;
  VectorXd q_des_, difference_, xi_ddot_, rows_, v_dot_, posture_, wrench_, lambda_, stacked_, squeeze_,
      alpha_des_;
  std::size_t segment_ = 0, next_ = 0;
  double fraction_ = 0.0;  // of the way from segment_ to next_
};

}  // namespace enfold::controllers
