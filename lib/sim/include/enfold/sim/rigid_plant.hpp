// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Dense>
#include <memory>
#include <span>
#include <vector>

#include "enfold/contact/contact_mode.hpp"
#include "enfold/contact/contact_set.hpp"
#include "enfold/contact/held_features.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/lcp/warm_lcp_solver.hpp"
#include "enfold/mechanics/load.hpp"
#include "enfold/mechanics/mechanism.hpp"

namespace enfold::sim {

/// The world that is simulated.
struct PlantModel {
  std::shared_ptr<const mechanics::Mechanism> mechanism;
  std::shared_ptr<const contact::ContactSet> contacts;
  VectorXd mu;                                    ///< n_C
  VectorXd restitution{};                         ///< of impacts, n_C, 0 … 1; empty: all 0
  std::shared_ptr<const mechanics::Load> load{};  ///< from outside; none if null. Never changed
};

struct RigidOptions {
  double drift_frequency = 100.0;  ///< ω of the gap correction [rad/s]; 0 switches it off; below 1/step
  Index exact_limit = 16;          ///< contacts up to which the P-matrix test is exact
  Index enumeration_limit = 10;    ///< contacts up to which all solutions are counted
};

/// How a contact solve ended.
enum class ContactSolveStatus {
  kSolved,
  kNoSolution,  ///< the LCP solver found none, or the state has grown beyond all numbers; forces and
                ///< accelerations are not to be used
  kSingular,    ///< M, or the rolling contacts' rows, cannot be factorised
};

/// Arms and object with rigid contacts: accelerations and contact forces from one LCP.   [eq:S4.18]
/// [eq:S4.19]
///
///     x = λ_N ≥ 0,  y = A x + b ≥ 0,  xᵀ y = 0
///     A = W_Nᵀ M⁻¹ W_μ,   b = W_Nᵀ M⁻¹(B τ − h) + d(W_Nᵀ)/dt·v + 2 ω φ̇ + ω² (φ − offset)
///
/// y is the gap acceleration φ̈ plus ω's terms, which pull the drift of the integrated gap back to zero
/// (checklist row 19). Rolling contacts add φ̈_T = 0, eliminated by a Schur complement (row 18); open ones
/// have no row. Modes are given, not found. Nothing allocates after construction while the number of rolling
/// and open contacts stays the same.
class RigidPlant {
 public:
  /// @pre one tangent per contact, mu has n_C entries ≥ 0 (throws InvalidArgument)
  RigidPlant(PlantModel model, const RigidOptions& options = {});

  /// @pre one mode per contact (throws InvalidArgument)
  void set_modes(std::span<const contact::ContactMode> modes);
  [[nodiscard]] const std::vector<contact::ContactMode>& modes() const { return modes_; }

  /// The gaps that the drift correction keeps: zero unless a compliant model hands over. @pre n_C finite
  /// entries (throws InvalidArgument)
  void set_offset(const VectorXd& offset);
  [[nodiscard]] const VectorXd& offset() const { return offset_; }  ///< n_C [m]

  /// The parts of the surfaces that contacts are held on; by default they are on whatever is nearest.
  [[nodiscard]] const contact::HeldFeatures& features() const { return features_; }
  contact::HeldFeatures& change_features() {
    fresh_ = false;
    return features_;
  }

  /// The time at which a load from outside is asked for its force, from the next solve on [s].
  void set_time(double t) { time_ = t; }

  /// Accelerations and forces at (q, v) under torques τ. A repeated call at the same state and modes reuses
  /// all but b.
  ContactSolveStatus solve(const VectorXd& q, const VectorXd& v, const VectorXd& tau);

  // The rest refers to the last solve.
  [[nodiscard]] const VectorXd& q() const { return q_; }
  [[nodiscard]] const VectorXd& v() const { return v_; }
  [[nodiscard]] const VectorXd& v_dot() const { return v_dot_; }
  [[nodiscard]] const VectorXd& lambda_N() const { return lambda_N_; }  ///< n_C [N]
  [[nodiscard]] const VectorXd& lambda_T() const { return lambda_T_; }  ///< n_C [N]
  [[nodiscard]] const contact::ContactKinematics& kinematics() const { return kinematics_; }
  [[nodiscard]] const mechanics::Dynamics& dynamics() const { return dynamics_; }
  [[nodiscard]] const MatrixXd& A() const { return A_; }      ///< of the closed contacts
  [[nodiscard]] const VectorXd& b() const { return b_; }      ///< of the closed contacts
  [[nodiscard]] const MatrixXd& A_0() const { return A_0_; }  ///< A = A₀ + A₁ diag(μ), closed contacts
  [[nodiscard]] const MatrixXd& A_1() const { return A_1_; }
  /// Numbers of the closed contacts, in the order of A's rows.
  [[nodiscard]] const std::vector<Index>& closed() const { return closed_; }
  /// φ̈_N with ω's terms of every contact: y of the closed ones; ≥ 0, and 0 where λ_N > 0 [m/s²].
  [[nodiscard]] double normal_acceleration(Index contact) const {
    return kinematics_.W_N.col(contact).dot(v_dot_) + kinematics_.bias_N[contact] +
           2.0 * options_.drift_frequency * kinematics_.W_N.col(contact).dot(v_) +
           options_.drift_frequency * options_.drift_frequency *
               (kinematics_.gap[contact] - offset_[contact]);
  }
  [[nodiscard]] double residual() const { return residual_; }  ///< ‖min(x, A x + b)‖∞ [m/s²]

  /// Is A a P-matrix? Then (18) has one solution for every b.
  const lcp::PMatrixResult& test_uniqueness() { return p_tester_.test(A_); }
  /// Number of solutions for the present b; −1 if there are too many contacts, or infinitely many solutions.
  [[nodiscard]] int count_solutions() const;

  [[nodiscard]] const PlantModel& model() const { return model_; }
  [[nodiscard]] const RigidOptions& options() const { return options_; }

 private:
  ContactSolveStatus linearise(const VectorXd& q, const VectorXd& v);
  bool eliminate_rolling();

  PlantModel model_;
  RigidOptions options_;
  contact::HeldFeatures features_;
  std::vector<contact::ContactMode> modes_;
  std::vector<Index> closed_;   // contact numbers
  std::vector<Index> rolling_;  // contact numbers
  lcp::WarmLcpSolver lcp_;
  lcp::PMatrixTester p_tester_;

  double time_ = 0.0;
  bool fresh_ = false;  // what linearise() computes belongs to q_, v_ and modes_
  ContactSolveStatus linear_status_ = ContactSolveStatus::kSolved;
  VectorXd q_, v_, offset_;
  contact::ContactKinematics kinematics_;
  mechanics::Dynamics dynamics_;
  Eigen::LLT<MatrixXd> M_llt_;  // M = L Lᵀ
  MatrixXd L_N_, L_T_, L_R_;    // L⁻¹ of W_N, of −sign(φ̇_T) W_T where sliding, of W_TR
  MatrixXd A_, A_0_, A_1_;
  Eigen::LLT<MatrixXd> D_llt_;       // D = W_TRᵀ M⁻¹ W_TR
  MatrixXd D_, C_0_, C_1_, D_C_0_;   // C = W_TRᵀ M⁻¹ [W_N, W_T]; D⁻¹ C_0
  VectorXd gap_terms_, roll_terms_;  // the part of b, and of its rolling rows, that τ leaves alone
  VectorXd load_;                    // n_v
  VectorXd mu_, L_u_, b_, c_, x_, t_, friction_;  // of the closed contacts
  VectorXd v_dot_, lambda_N_, lambda_T_;
  double residual_ = 0.0;
};

}  // namespace enfold::sim
