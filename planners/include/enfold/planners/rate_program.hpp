// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/lp/lp_problem.hpp"
#include "enfold/lp/lp_solution.hpp"

namespace enfold::planners {

/// One instant of a program over time: its own requirements, and its torques τ = tau_0 + tau_by_alpha α.
struct RateInstant {
  double time = 0.0;      ///< [s]
  lp::LpProblem lp;       ///< in z = [α ; more]
  MatrixXd tau_by_alpha;  ///< n_θ × p
  VectorXd tau_0;         ///< n_θ [N·m]
  VectorXd alpha;         ///< the best without the rate limit, p
};

struct RateSolution {
  lp::LpStatus status = lp::LpStatus::kNotRun;
  std::vector<VectorXd> alpha;     ///< of each instant; if infeasible, those with the least largest rate
  std::vector<VectorXd> row_dual;  ///< of each instant's own rows, per second of it; empty if infeasible
  double objective = 0.0;          ///< ∫ c(t)ᵀz dt by the trapezoid rule
  /// The largest |dτ/dt| of `alpha` [N·m/s]: if infeasible, no plan has less, by linear programming duality.
  double largest_rate = 0.0;
  /// The instant after which the torque changes fastest, and of which joint; if infeasible, a step that is
  /// why.
  Index steepest = 0;
  Index steepest_joint = 0;
  std::vector<bool> at_limit;  ///< of each step to the next instant: whether some joint is as fast as it may
  int iterations = 0;
  std::string message;  ///< unless optimal or infeasible

  [[nodiscard]] bool ok() const { return status == lp::LpStatus::kOptimal; }
};

/// All instants of a plan in one program, coupled by how fast the motors' torques may change. [eq:rate-limit]
///
///     min ∫ c(t)ᵀ z(t) dt   s.t.   the requirements of every instant,
///     |τ(t_k+1) − τ(t_k)| ≤ r (t_k+1 − t_k),   τ = τ_0 + Jᵀ G° α
///
/// Sparse: a step couples two neighbours only. It starts from the best of every instant alone, which is dual
/// feasible, so that the dual simplex method repairs only what is too steep. If there is none, the least r
/// for which there is one comes out of a second program with r as a variable.
/// @pre two instants or more, times increasing, sizes agree, r > 0 (throws InvalidArgument)
[[nodiscard]] RateSolution solve_rate_program(const std::vector<RateInstant>& instants, double max_rate);

}  // namespace enfold::planners
