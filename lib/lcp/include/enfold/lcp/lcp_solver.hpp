// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/base/types.hpp"
#include "enfold/lcp/lcp_options.hpp"
#include "enfold/lcp/lcp_problem.hpp"
#include "enfold/lcp/lcp_solution.hpp"
#include "enfold/lcp/lemke.hpp"
#include "enfold/lcp/principal_pivoting.hpp"

namespace enfold::lcp {

/// The solver for problems that come one by one: principal pivoting, and Lemke's method where that gives up.
///
/// Has the speed of the first on P-matrices and the guarantees of the second on all others: finds the
/// solution of every P-matrix, and a solution or a proof of infeasibility for every positive semi-definite A.
/// For a sequence of similar problems see WarmLcpSolver.
class LcpSolver {
 public:
  /// Makes room for problems of size ≤ n_max. @pre n_max ≥ 0 (throws InvalidArgument)
  explicit LcpSolver(Index n_max, const LcpOptions& options = {});

  /// Solves LCP(A, b) into `out`. Allocates nothing if `out` already has size n (LcpSolution::resize).
  /// `pivots` counts those of both methods, each of which obeys max_pivots on its own.
  /// Outcomes: as LemkeSolver::solve. @pre as LemkeSolver::solve
  void solve(const MatrixXd& A, const VectorXd& b, LcpSolution& out);

  [[nodiscard]] Index n_max() const { return pivoting_.n_max(); }

 private:
  PrincipalPivotSolver pivoting_;
  LemkeSolver lemke_;
};

/// Solves one problem with a LcpSolver of its own. @pre valid problem (throws InvalidArgument)
[[nodiscard]] LcpSolution solve_lcp(const LcpProblem& problem, const LcpOptions& options = {});

}  // namespace enfold::lcp
