// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
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

/// What a law knows of the world: its own model, which may differ from the plant's.
struct WholeArmModel {
  std::shared_ptr<const mechanics::Mechanism> mechanism;
  std::shared_ptr<const contact::ContactSet> contacts;
  VectorXd mu;
  /// Numbers of the object's velocities that make up ξ; empty: all of them.
  std::vector<Index> coordinates{};
  SelfMotion self_motion = SelfMotion::kPosture;
};

/// What S4's law and its relatives compute alike: the plan at an instant, the grasp at a measured state, and
/// the torques that go with wanted accelerations of the object and a wanted squeeze.
///
///     v̇* = T⁺[−d(W̃ᵀ)/dt·v ; ξ̈*] + Z_η Z_ηᵀ a,   a = θ̈_d + K_v ė_θ + K_p e_θ         [eq:S4.8]
///     λ* = G⁺(M_o ẍ* − g_o) + G° α*                                                           [eq:S4.9]
///     τ  = M_a θ̈* + h_a + g_a + Jᵀ λ*                                                         [eq:S4.10]
///
/// A law calls observe(), decides ξ̈* and α* by the errors, and calls act(). Allocates nothing after the first
/// evaluation.
class GraspLaw {
 public:
  /// @param name     of the law, for messages
  /// @param posture  K_p and K_v of the arms' self-motions
  /// @pre at every point of the plan: k ≥ n_x forces, k + n_ξ ≤ n_v, G° is k × (k − n_x); plan not empty,
  /// sizes agree, gains finite (throws InvalidArgument)
  GraspLaw(std::string name, WholeArmModel model, std::shared_ptr<const control::Trajectory> trajectory,
           std::shared_ptr<const control::Plan> plan, const Gains& posture);

  /// Plan, matrices, errors and internal forces at time t and a measured state.
  void observe(double t, const control::Measurement& measured);
  /// Torques for ξ̈* and α*; fills tau, singular, alpha and alpha_des.
  void act(const VectorXd& xi_ddot, const VectorXd& squeeze, control::Command& out);
  /// The same but for the torques, which a law of its own has filled in.
  void report(control::Command& out) const;

  // Of the last observe().
  [[nodiscard]] const VectorXd& error() const { return error_; }              ///< e_ξ
  [[nodiscard]] const VectorXd& error_rate() const { return error_rate_; }    ///< ė_ξ
  [[nodiscard]] const VectorXd& xi_ddot_des() const { return xi_ddot_des_; }  ///< ξ̈_d
  [[nodiscard]] const VectorXd& alpha_des() const { return alpha_des_; }      ///< α_d [N]
  [[nodiscard]] const VectorXd& alpha_error() const { return alpha_error_; }  ///< e_α [N]
  [[nodiscard]] const control::PlanCursor& plan() const { return plan_; }
  [[nodiscard]] const mechanics::Dynamics& dynamics() const { return dynamics_; }
  [[nodiscard]] const grasp::GraspMatrices& grasp() const { return grasp_; }
  [[nodiscard]] const grasp::InternalForces& internal() const { return internal_; }
  [[nodiscard]] const VectorXd& measured_forces() const { return measured_forces_; }  ///< stacked, k [N]
  // Of the last act().
  [[nodiscard]] const VectorXd& wanted_forces() const { return lambda_; }  ///< λ*, k [N]

  [[nodiscard]] const std::vector<Index>& coordinates() const { return model_.coordinates; }
  [[nodiscard]] Index n_x() const { return model_.mechanism->n_x(); }
  [[nodiscard]] Index n_theta() const { return model_.mechanism->n_theta(); }
  [[nodiscard]] Index p() const { return p_; }
  /// The planned start, at rest, with forces: for an evaluation that gives every workspace its size.
  [[nodiscard]] control::Measurement planned_start();

 private:
  void errors_at(const control::Measurement& measured);
  void posture_at();

  WholeArmModel model_;
  std::shared_ptr<const control::Trajectory> trajectory_;
  control::PlanCursor plan_;
  Gains posture_gains_;
  Index p_ = 0;

  // Workspace: sized by the first evaluation.
  control::Reference reference_;
  contact::ContactKinematics kinematics_;
  mechanics::Dynamics dynamics_;
  grasp::GraspMatrices grasp_;
  grasp::InternalForces internal_;
  grasp::MotionCoordinates motion_;
  VectorXd error_, error_rate_, xi_ddot_des_, alpha_des_, alpha_, alpha_error_, measured_forces_;
  VectorXd q_des_, difference_, omega_, rows_, v_dot_, posture_, wrench_, lambda_;
};

}  // namespace enfold::controllers
