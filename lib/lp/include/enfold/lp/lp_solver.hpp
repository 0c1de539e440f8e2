// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "enfold/lp/lp_options.hpp"
#include "enfold/lp/lp_problem.hpp"
#include "enfold/lp/lp_solution.hpp"

namespace enfold::lp {

/// Simplex solver that keeps its last basis: successive programs of the same n × m start from it, and only
/// the data that changed is handed over, so a sequence along a trajectory costs a few pivots each.
///
/// When the optimum is not unique, the vertex returned may depend on the programs solved before; call reset()
/// where that matters. The objective does not.
///
/// Threads: the library underneath (GLPK) keeps one memory pool per thread. Create, use and destroy a solver
/// on one thread; different solvers may run on different threads.
class LpSolver {
 public:
  explicit LpSolver(const LpOptions& options = {});
  ~LpSolver();
  LpSolver(LpSolver&&) noexcept;
  LpSolver& operator=(LpSolver&&) noexcept;

  /// Solves; the reference stays valid until the next solve. Outcomes are statuses, see LpStatus.
  /// @pre validate(problem) passes (throws InvalidArgument)
  const LpSolution& solve(const LpProblem& problem);

  /// Forgets the basis: the next solve starts cold.
  void reset();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// One cold solve.
[[nodiscard]] LpSolution solve_lp(const LpProblem& problem, const LpOptions& options = {});

}  // namespace enfold::lp
