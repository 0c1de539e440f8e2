// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/lcp_solver.hpp"

namespace enfold::lcp {

LcpSolver::LcpSolver(Index n_max, const LcpOptions& options)
    : pivoting_{n_max, options}, lemke_{n_max, options} {}

void LcpSolver::solve(const MatrixXd& A, const VectorXd& b, LcpSolution& out) {
  pivoting_.solve(A, b, out);
  if (out.ok()) return;
  const int principal_pivots = out.pivots;
  lemke_.solve(A, b, out);
  out.pivots += principal_pivots;
}

LcpSolution solve_lcp(const LcpProblem& problem, const LcpOptions& options) {
  LcpSolution solution;
  LcpSolver solver(problem.size(), options);
  solver.solve(problem.A, problem.b, solution);
  return solution;
}

}  // namespace enfold::lcp
