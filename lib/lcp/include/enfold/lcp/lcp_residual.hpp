// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/base/types.hpp"
#include "enfold/lcp/lcp_problem.hpp"
#include "enfold/lcp/lcp_solution.hpp"

namespace enfold::lcp {

/// How far x is from solving LCP(A, b): zero exactly at the solutions.
///
///     r(x) = ‖min(x, A x + b)‖_∞
///
/// Computed from the problem alone, never from a solver's tableau; infinite if x has an entry that is not
/// finite. Allocates nothing. @pre A is n × n, b and x have n entries (throws InvalidArgument)
[[nodiscard]] double lcp_residual(const MatrixXd& A, const VectorXd& b, const VectorXd& x);
/// The same, and writes y = A x + b. @pre y has n entries (throws InvalidArgument)
[[nodiscard]] double lcp_residual(const MatrixXd& A, const VectorXd& b, const VectorXd& x, VectorXd& y);
[[nodiscard]] double lcp_residual(const LcpProblem& problem, const VectorXd& x);

/// Largest residual that counts as solved: tol · max(1, ‖b‖_∞).
[[nodiscard]] double residual_bound(const VectorXd& b, double tol);

/// Whether the ray is a Farkas certificate that no x ≥ 0 has A x + b ≥ 0, to the tolerance given:
///
///     r ≥ 0,   Aᵀ r ≤ tol · ‖A‖_max,   bᵀ r < −tol · ‖b‖_∞       ⇒   rᵀ(A x + b) < 0 for x ≥ 0,      r =
///     ray.x
///
/// It always is for a positive semi-definite A. When it isn't, a ray termination decides nothing. [Cottle
/// 1992]
[[nodiscard]] bool ray_proves_infeasibility(const LcpProblem& problem, const LcpRay& ray, double tol = 1e-9);

}  // namespace enfold::lcp
