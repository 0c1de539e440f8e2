// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "enfold/controllers/gains.hpp"
#include "enfold/controllers/grasp_law.hpp"

namespace enfold::controllers {

/// Which contact forces a computed torque takes to act on the arms.
enum class ContactForces {
  kPlanned,   ///< λ_d: no force sensor is needed, but then the object's inertia is not accounted for
  kMeasured,  ///< the wrench on the object is the measured one, the squeeze the planned one
};

/// Computed torque in joint space, contact forces as feed-forward.                      [eq:computed-torque]
///
///     τ = M_a (θ̈_d + K_v ė_θ + K_p e_θ) + h_a + g_a + Jᵀ λ_f
///     λ_f = λ_d   or   λ_d + G⁺G (λ − λ_d)
///
/// Claim: with an exact model and all contacts kept, measured forces give, at high rates,
///     HᵀM_a (ë_θ + K_v ė_θ + K_p e_θ) = 0,   ë + K_v ė + K_p e = 0 to first order in the errors of the pose.
/// The measured wrench is that of the sample before; it comes to its value as (M_oΛ⁻¹)^k, Λ = M_o + HᵀM_aH̃,
/// all of whose eigenvalues are inside the unit circle without friction. Planned forces leave out what the
/// object takes to follow:
///     Λ ë_x + HᵀM_aH̃ (K_v ė_x + K_p e_x) − ∂(Gλ_d)/∂x e_x = 0,
/// slower than designed by about the arms' share of the inertia. Nothing feeds back the internal force: joint
/// errors that the contacts forbid, and model errors, go into it.
/// Tuning: K_p = ω², K_v = 2ω as for S4's law; with planned forces divided by that share. Measured forces
/// need a sampled loop, since the torque depends on the forces of the same instant.
class ComputedTorqueController final : public control::Controller {
 public:
  /// @pre those of GraspLaw; plan points with n_θ joint angles and forces at every contact (throws
  /// InvalidArgument)
  ComputedTorqueController(WholeArmModel model, std::shared_ptr<const control::Trajectory> trajectory,
                           std::shared_ptr<const control::Plan> plan, const Gains& gains,
                           ContactForces forces = ContactForces::kPlanned);

  [[nodiscard]] Index n_integrals() const override { return 0; }
  void evaluate(double t, const control::Measurement& measured, const VectorXd& integral,
                control::Command& out) noexcept override;
  [[nodiscard]] std::string description() const override;

 private:
  GraspLaw law_;
  Gains gains_;
  ContactForces forces_;
  // Workspace.
  VectorXd theta_, theta_dot_, theta_ddot_, lambda_N_, lambda_T_, lambda_, wrench_, correction_;
};

}  // namespace enfold::controllers
