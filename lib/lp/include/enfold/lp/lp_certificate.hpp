// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/base/types.hpp"
#include "enfold/lp/lp_problem.hpp"
#include "enfold/lp/sparse_lp_problem.hpp"

namespace enfold::lp {

/// How far (z, y) is from an optimal primal-dual pair. Every entry is ≥ 0, dimensionless, and NaN-free: a
/// point with NaN has +∞.
struct LpResidual {
  double primal = kInfinity;  ///< max over rows and bounds of violation / (1 + |bound|)
  double dual = kInfinity;    ///< max |multiplier| that pushes against an absent bound, / (1 + ‖c‖_∞)
  double gap = kInfinity;     ///< |cᵀz − dual objective| / (1 + |cᵀz|)

  [[nodiscard]] double largest() const;
};

/// The residual of z (n) with row multipliers y (m). With d = c − Rᵀy and x⁺ = max(x, 0), x⁻ = max(−x, 0),
///
///     dual objective = Σ_i (y_i⁺ row_lower_i − y_i⁻ row_upper_i) + Σ_j (d_j⁺ lower_j − d_j⁻ upper_j)
///
/// Uses the problem data only, never the solver's factors.
/// @pre sizes agree (throws InvalidArgument)
[[nodiscard]] LpResidual lp_residual(const LpProblem& problem, const VectorXd& z, const VectorXd& y);
[[nodiscard]] LpResidual lp_residual(const SparseLpProblem& problem, const VectorXd& z, const VectorXd& y);

/// Multipliers, all ≥ 0, that prove a program infeasible:
///
///     Rᵀ(row_lower − row_upper) + lower − upper = 0
///     contradiction = row_lowerᵀ·b_rl − row_upperᵀ·b_ru + lowerᵀ·b_l − upperᵀ·b_u > 0      (b: the bounds)
///
/// because every feasible z would give 0 ≥ contradiction. Empty when there is nothing to prove.
struct FarkasCertificate {
  VectorXd row_lower;  ///< m, weight of R z ≥ row_lower
  VectorXd row_upper;  ///< m, weight of R z ≤ row_upper
  VectorXd lower;      ///< n, weight of z ≥ lower
  VectorXd upper;      ///< n, weight of z ≤ upper

  [[nodiscard]] bool empty() const { return lower.size() == 0; }
  /// Signed row multipliers y = row_lower − row_upper.
  [[nodiscard]] VectorXd y() const { return row_lower - row_upper; }
};

enum class ProofStatus {
  kProven,           ///< the multipliers (or the ray) prove the claim
  kNoContradiction,  ///< well formed, but the contradiction (or the descent) is not clearly positive
  kMalformed,        ///< wrong size, wrong sign, weight on an absent bound, or the equation does not hold
};

struct FarkasCheck {
  ProofStatus status = ProofStatus::kMalformed;
  /// Σ multiplier × bound. For certificates of LpSolver this is the smallest total violation Σ_i
  /// |violation_i| of the rows that any z within the box reaches, in the units of the rows.
  double contradiction = 0.0;
  /// ‖Rᵀ(row_lower − row_upper) + lower − upper‖_∞
  double defect = kInfinity;
};

/// Checks a certificate against the problem data. It is kProven when the defect is at most
/// tol·(1 + ‖R‖_max)·(largest multiplier) and the contradiction exceeds tol·(largest multiplier + Σ
/// |multiplier × bound|).
[[nodiscard]] FarkasCheck verify_farkas(const LpProblem& problem, const FarkasCertificate& certificate,
                                        double tol = 1e-8);

struct RayCheck {
  ProofStatus status = ProofStatus::kMalformed;
  double descent = 0.0;       ///< −cᵀd for ‖d‖_∞ = 1: what the objective loses per unit of travel
  double defect = kInfinity;  ///< largest speed at which a finite bound is approached, for ‖d‖_∞ = 1
};

/// Checks that d (n) is a direction of recession along which cᵀz falls for ever: (R d)_i ≥ 0 where
/// row_lower_i is finite, ≤ 0 where row_upper_i is, likewise d_j for the box, and cᵀd < 0. Together with one
/// feasible z this proves the program unbounded.
[[nodiscard]] RayCheck verify_ray(const LpProblem& problem, const VectorXd& d, double tol = 1e-8);

}  // namespace enfold::lp
