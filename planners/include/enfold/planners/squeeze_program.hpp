// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/contact/contact_mode.hpp"
#include "enfold/grasp/grasp_matrices.hpp"
#include "enfold/lp/lp_solver.hpp"

namespace enfold::planners {

/// What the planner minimises. Without rolling contacts the first three are one program (checklist row 12).
/// Of the last three several squeezes can be best; among those the one with the least Σ λ_N is taken.
enum class Objective {
  kNormals,  ///< Σ λ_N, friction cones of rolling contacts as constraints
  kLiteral,  ///< Σ λ_N + Σ_R (μ λ_N − |λ_T|) as S4 prints it: the best of 2^n_R linear programs, one for each
             ///< pattern of signs of λ_TR
  kMargin,     ///< −min_R (μ λ_N − |λ_T|): as far inside the cones as the upper limits allow
  kTorque,     ///< max_j |τ_j|: the least torque of the joint that has the most
  kTorqueSum,  ///< Σ_j |τ_j|
};

/// A linear row of the user's: lower ≤ weights · [λ_N ; λ_T ; τ] ≤ upper. An empty weight vector counts as
/// zeros.
struct ForceRow {
  std::string name;
  VectorXd lambda_N;  ///< n_C or empty
  VectorXd lambda_T;  ///< n_C or empty
  VectorXd tau;       ///< n_θ or empty
  double lower = -lp::kInfinity;
  double upper = lp::kInfinity;
  int contact = -1;  ///< whose floor or cone it is, which makes that contact critical; −1: nobody's
};

/// What the squeeze must respect at every instant, apart from the floors Λ(t).
struct SqueezeLimits {
  double max_normal = lp::kInfinity;  ///< of every contact [N]
  double max_torque = lp::kInfinity;  ///< of every joint [N·m]
  std::vector<ForceRow> rows;
  /// Of every joint, between neighbouring points of a plan [N·m/s]: couples all instants (RateProgram).
  double max_torque_rate = lp::kInfinity;
  /// Part of the friction of a rolling contact that is kept back: |λ_T| ≤ (1 − margin) μ λ_N. n_C entries of
  /// 0 … 1, or empty: nothing is.
  VectorXd friction_margin{};
};

/// Which requirement a row of the program is.
enum class Requirement { kNormal, kCone, kTorque, kUser, kAdded };

/// A requirement that decides: how much the objective rises when it is made harder by one unit.
struct RowPrice {
  Requirement kind = Requirement::kNormal;
  Index who = 0;       ///< contact, joint, or number of the row
  bool upper = false;  ///< the upper bound decides, else the lower one
  double price = 0.0;  ///< > 0
};

/// The grasp at one instant, with the forces and torques that the motion alone asks for.
struct SqueezeInstant {
  const grasp::GraspMatrices& grasp;
  std::span<const contact::ContactMode> modes;
  const VectorXd& mu;
  const MatrixXd& G_null;             ///< G°, k × p
  const VectorXd& lambda_0;           ///< G⁺(M_o ẍ − g_o), k [N]
  const VectorXd& tau_0;              ///< M_a θ̈ + h_a + g_a + Jᵀ λ_0, n_θ [N·m]
  const VectorXd& min_normal;         ///< Λ, n_C [N]
  std::span<const ForceRow> added{};  ///< rows of this instant alone
};

/// The requirements of one instant as a program in z = [α ; what the objective needs].
struct InstantProgram {
  const lp::LpProblem& lp;
  const MatrixXd& tau_by_alpha;  ///< Jᵀ G°, n_θ × p
};

/// The answer at one instant.
struct Squeeze {
  lp::LpStatus status = lp::LpStatus::kNotRun;
  VectorXd alpha;             ///< p [N]
  VectorXd lambda;            ///< stacked as in GraspMatrices, k [N]
  VectorXd tau;               ///< n_θ [N·m]
  int critical_contact = -1;  ///< whose floor or friction cone is active, with the largest price; −1 if none
  double shadow_price = 0.0;     ///< of that floor or cone: ∂ objective / ∂ its bound
  std::vector<RowPrice> prices;  ///< of all requirements that decide; the largest of each kind first
  std::string reason;            ///< if infeasible: which requirements contradict each other, in words

  [[nodiscard]] bool ok() const { return status == lp::LpStatus::kOptimal; }
};

/// The linear program of S4 in the squeeze α, warm-started from one instant to the next.       [eq:S4.17]
///
///     min_α Σ λ_N   s.t.   λ_N ≥ Λ,   (1 − margin) μ λ_NR ± λ_TR ≥ 0,   limits
///     λ = λ_0 + G° α,   τ = τ_0 + Jᵀ G° α
///
/// M is M_o (row 10), the rolling rows are the friction cones (row 11) with the μ of the rolling contact (row
/// 13).
class SqueezeProgram {
 public:
  /// @pre weights have n_C or n_θ entries (throws InvalidArgument)
  SqueezeProgram(Objective objective, SqueezeLimits limits, std::vector<std::string> contact_names,
                 std::vector<std::string> joint_names);

  /// Without an internal force (p = 0) there is nothing to choose, only the requirements to check.
  /// @pre sizes agree (throws InvalidArgument). The result stays valid until the next call.
  const Squeeze& solve(const SqueezeInstant& at);

  /// The program without solving it, for programs over several instants. Valid until the next call.
  /// @pre as solve(); the objective is not kLiteral (throws InvalidArgument)
  InstantProgram program(const SqueezeInstant& at);

  /// What the duals of the last program's rows say, largest price first.
  [[nodiscard]] std::vector<RowPrice> prices_of(const VectorXd& row_dual) const;
  /// A requirement of the last program in words. @pre row is one of its rows
  [[nodiscard]] std::string requirement_text(Index row, const SqueezeInstant& at) const {
    return row_text(static_cast<std::size_t>(row), at);
  }

 private:
  struct Row {
    enum class Kind { kNormal, kCone, kTorque, kUser, kAdded, kSign, kEffort } kind = Kind::kNormal;
    Index who = 0;  // contact, joint or user row
  };

  void check(const SqueezeInstant& at) const;
  void build(const SqueezeInstant& at);
  void add_normals_and_cones(const SqueezeInstant& at);
  void add_effort(const SqueezeInstant& at);
  void add_force_row(Row row, const ForceRow& asked, const SqueezeInstant& at);
  [[nodiscard]] int contact_of(const Row& row, const SqueezeInstant& at) const;
  void set_alpha(const VectorXd& alpha, const SqueezeInstant& at);
  void take_least_normals(const SqueezeInstant& at, double best);
  void add_row(Row row, const Eigen::RowVectorXd& weights, double offset, double lower, double upper);
  void solve_literal(const SqueezeInstant& at);
  void accept(const lp::LpSolution& solution, const SqueezeInstant& at);
  void explain(const lp::LpSolution& solution, const SqueezeInstant& at);
  [[nodiscard]] std::vector<std::string> contradiction(const lp::FarkasCertificate& farkas,
                                                       const SqueezeInstant& at) const;
  [[nodiscard]] std::string row_text(std::size_t row, const SqueezeInstant& at) const;

  Objective objective_;
  SqueezeLimits limits_;
  std::vector<std::string> contact_names_, joint_names_;
  lp::LpSolver solver_;
  lp::LpProblem problem_;
  std::vector<Row> rows_;
  Index filled_ = 0;
  lp::LpSolver tie_solver_;
  lp::LpProblem tie_;
  MatrixXd tau_by_alpha_;
  VectorXd offset_;
  Squeeze squeeze_;
};

}  // namespace enfold::planners
