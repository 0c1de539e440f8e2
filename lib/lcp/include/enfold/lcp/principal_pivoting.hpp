// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/lcp/lcp_options.hpp"
#include "enfold/lcp/lcp_problem.hpp"
#include "enfold/lcp/lcp_solution.hpp"

namespace enfold::lcp {

/// Principal pivoting, as a reusable workspace: fast, for P-matrices and most positive semi-definite ones.
///
/// Starts from S = ∅ and, as long as the basic point of the complementary basis S,
///
///     A_SS x_S = −b_S,    x_i = 0 (i ∉ S),    y = A x + b,
///
/// has a negative entry, moves the index k with the most negative of x_k (k ∈ S) and y_k / a_kk (k ∉ S) to
/// the other side. That rule takes about |S| steps, far fewer than least-index rules, but isn't proved to
/// end: after 3 n + 8 steps, at a pivot that is not positive (A is no P-matrix, or singular) or when the
/// residual fails, the solver says so and LcpSolver goes on with Lemke. [Murty 1974, Cottle 1992]
///
/// The basis inverse is a product of elementary matrices, and a column of the tableau is made only when its
/// index moves: O(n |S|²) in all instead of O(n² |S|). For n ≤ 8 all loops have a fixed length.
class PrincipalPivotSolver {
 public:
  /// Makes room for problems of size ≤ n_max. @pre n_max ≥ 0 (throws InvalidArgument)
  explicit PrincipalPivotSolver(Index n_max, const LcpOptions& options = {});

  /// Solves LCP(A, b) into `out`. Allocates nothing if `out` already has size n (LcpSolution::resize).
  /// Outcomes: kSolved, kPivotBreakdown, kMaxPivots, kResidualTooLarge.
  /// @pre A and b are valid (see validate) and n ≤ n_max (throws InvalidArgument)
  void solve(const MatrixXd& A, const VectorXd& b, LcpSolution& out);

  [[nodiscard]] Index n_max() const { return n_max_; }

 private:
  enum class PathEnd : std::uint8_t { kComplementary, kBreakdown, kMaxPivots };

  template <int Length>
  PathEnd follow_path(const MatrixXd& A, const VectorXd& b);
  template <int Length>
  void apply_basis_inverse(double* column) const;
  void read_point(const MatrixXd& A, const VectorXd& b, LcpSolution& out) const;
  void refine(const MatrixXd& A, const VectorXd& b, LcpSolution& out);
  [[nodiscard]] double* factor(Index k) { return factors_.data() + k * length_; }
  [[nodiscard]] const double* factor(Index k) const { return factors_.data() + k * length_; }

  LcpOptions options_;
  Index n_max_;
  Index n_ = 0;
  Index length_ = 0;  // of all columns: n rounded up, filled with zeros
  Index pivots_ = 0;
  std::vector<double> q_;             // the basic point: x_i for i ∈ S, y_i / a_ii otherwise
  std::vector<double> inverse_diag_;  // 1 / a_ii
  std::vector<double> column_;        // the column that enters
  std::vector<double> factors_;       // one column for each pivot: v ← v + v_k · factor
  std::vector<Index> factor_index_;   // k of each pivot
  std::vector<std::uint8_t> in_S_;
};

}  // namespace enfold::lcp
