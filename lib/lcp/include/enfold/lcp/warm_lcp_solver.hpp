// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/lcp/lcp_options.hpp"
#include "enfold/lcp/lcp_solution.hpp"
#include "enfold/lcp/lcp_solver.hpp"

namespace enfold::lcp {

/// Solves a sequence of slowly changing problems, such as the contact problem of each simulation step.
///
/// Tries the complementary basis S of the last solve of the same size first:
///
///     A_SS x_S = −b_S,    x_i = 0 (i ∉ S);    accepted if x_S ≥ 0 and y = A x + b ≥ 0.
///
/// Otherwise every index with the wrong sign changes sides (block principal pivoting), at most max_exchanges
/// times; then LcpSolver starts afresh, as it does when no basis is remembered. If the problem has several
/// solutions, the one found depends on the history.
///
/// Allocates nothing after construction for n ≤ n_max, also when n changes from call to call: there is one
/// LcpSolution per size.
class WarmLcpSolver {
 public:
  /// @pre n_max ≥ 0 (throws InvalidArgument)
  explicit WarmLcpSolver(Index n_max, const LcpOptions& options = {});

  /// The result stays valid until the next call with a problem of this size. `pivots` counts the exchanges of
  /// a warm start, and LcpSolver's pivots after them. @pre as LemkeSolver::solve
  const LcpSolution& solve(const MatrixXd& A, const VectorXd& b);

  /// As solve, with the active set S given instead of remembered. @pre indices in 0 … n−1 (throws
  /// InvalidArgument)
  const LcpSolution& solve_from_basis(const MatrixXd& A, const VectorXd& b, std::span<const Index> active);

  /// Forgets all remembered bases: the next solve of each size starts from S = ∅.
  void reset();

  /// Block exchanges tried before a cold solve.
  static constexpr int max_exchanges = 3;

 private:
  enum class BasisFit : std::uint8_t { kFits, kWrongSigns, kSingular };

  const LcpSolution& run(const MatrixXd& A, const VectorXd& b);
  BasisFit try_basis(const MatrixXd& A, const VectorXd& b, std::span<std::uint8_t> in_S, LcpSolution& out);
  bool solve_active(const MatrixXd& A, const VectorXd& b, Index m);
  void check_size(const MatrixXd& A, const VectorXd& b) const;

  LcpOptions options_;
  Index n_max_;
  LcpSolver cold_;
  std::vector<LcpSolution> solutions_;           // by size
  std::vector<std::vector<std::uint8_t>> in_S_;  // by size; 1 where the index is active
  std::vector<Index> active_;
  std::vector<Index> order_;
  std::vector<double> factors_;
  std::vector<double> rhs_;
  std::vector<double> x_S_;
};

}  // namespace enfold::lcp
