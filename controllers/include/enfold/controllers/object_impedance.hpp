// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/LU>
#include <memory>
#include <string>

#include "enfold/controllers/gains.hpp"
#include "enfold/controllers/grasp_law.hpp"

namespace enfold::controllers {

/// Stiffness and damping that the object shall show, one entry for each of its n_x velocities.
struct Impedance {
  VectorXd stiffness;  ///< [N/m], [N·m/rad]
  VectorXd damping;    ///< [N·s/m], [N·m·s/rad]
};

/// The object as if held by springs and dampers, with the inertia that it has.               [eq:impedance]
///
///     ξ̈* = ξ̈_d + Λ_ξ⁻¹ (D ė_ξ + K e_ξ),   α* = α_d + K_α ∫e_α dt,   τ by GraspLaw
///     Λ_ξ⁻¹ = S Z (YᵀMZ)⁻¹ Yᵀ Sᵀ,   Z = null(W̃ᵀ), Y = null(Wᵀ)
///
/// Λ_ξ is the inertia that a push along ξ meets, arms included; if all contacts slide, k = n_θ and ξ = x it
/// is M_o + HᵀM_aH̃. It stays as it is: to show another one the law would have to measure the push.
///
/// Claim: with an exact model and an external wrench with the components f along ξ,
///     Λ_ξ ë_ξ + D ė_ξ + K e_ξ = −f   and   e_α + K_α ∫e_α = 0 for f = 0:
/// a push of f moves the object by f/K. Stable for K, D > 0 without friction, where Λ_ξ is symmetric and
/// positive definite; with friction it is where det(Λs² + Ds + K) has its roots on the left.
/// Tuning: K = push/(displacement allowed); D = 2ζ√(KΛ_ii) for a damping ratio ζ; −K_α is the force pole.
class ObjectImpedanceController final : public control::Controller {
 public:
  /// @param gains K_α, and K_p, K_v of the self-motions of arms with joints to spare
  /// @pre those of GraspLaw; n_x finite values of stiffness and damping (throws InvalidArgument)
  ObjectImpedanceController(WholeArmModel model, std::shared_ptr<const control::Trajectory> trajectory,
                            std::shared_ptr<const control::Plan> plan, Impedance impedance,
                            const Gains& gains);

  [[nodiscard]] Index n_integrals() const override { return law_.p(); }
  void evaluate(double t, const control::Measurement& measured, const VectorXd& integral,
                control::Command& out) noexcept override;
  [[nodiscard]] std::string description() const override;

  /// Λ_ξ⁻¹ of the last evaluate(), n_ξ × n_ξ.
  [[nodiscard]] const MatrixXd& mobility() const { return mobility_; }

 private:
  void find_mobility();

  GraspLaw law_;
  Impedance impedance_;  // of ξ
  Gains gains_;
  // Workspace.
  MatrixXd kkt_, mobility_;
  Eigen::PartialPivLU<MatrixXd> lu_;
  VectorXd push_, answer_, wrench_, xi_ddot_, squeeze_;
};

}  // namespace enfold::controllers
