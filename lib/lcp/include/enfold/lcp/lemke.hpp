// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/lcp/lcp_options.hpp"
#include "enfold/lcp/lcp_problem.hpp"
#include "enfold/lcp/lcp_solution.hpp"

namespace enfold::lcp {

/// Lemke's complementary pivoting with the lexicographic ratio test, as a reusable workspace.
///
/// Follows the almost complementary path of  y = A x + b + e z_0,  z_0 ≥ 0,  from a large z_0 down to z_0 =
/// 0. The lexicographic test makes every step strict, so that the path can't cycle in a degenerate problem.
/// The last complementary basis S is then solved afresh, A_SS x_S = −b_S, with one step of iterative
/// refinement, so that the accuracy of x doesn't depend on the number of pivots. Finds the solution of every
/// P-matrix, and a solution or a proof of infeasibility for every positive semi-definite A. [Lemke 1965,
/// Cottle 1992]
///
/// Cost: O(n²) per pivot, typically O(n) pivots, exponentially many at worst.
class LemkeSolver {
 public:
  /// Makes room for problems of size ≤ n_max. @pre n_max ≥ 0 (throws InvalidArgument)
  explicit LemkeSolver(Index n_max, const LcpOptions& options = {});

  /// Solves LCP(A, b) into `out`. Allocates nothing if `out` already has size n (LcpSolution::resize).
  /// Outcomes: kSolved, kRayTermination (with the ray), kMaxPivots, kResidualTooLarge.
  /// @pre A and b are valid (see validate) and n ≤ n_max (throws InvalidArgument)
  void solve(const MatrixXd& A, const VectorXd& b, LcpSolution& out);

  [[nodiscard]] Index n_max() const { return n_max_; }

 private:
  enum class PathEnd { kComplementary, kRay, kMaxPivots };

  void set_up(const MatrixXd& A, const VectorXd& b);
  PathEnd follow_path(LcpSolution& out);
  Index first_row();
  Index ratio_test(Index column);
  Index lexicographic_minimum(Index column);
  void pivot(Index row, Index column);
  void read_basic_point(LcpSolution& out) const;
  void read_ray(const MatrixXd& A, LcpSolution& out) const;
  void resolve_basis(const MatrixXd& A, const VectorXd& b, LcpSolution& out);

  [[nodiscard]] double& at(Index row, Index column) {
    return tableau_[static_cast<std::size_t>(row * stride_ + column)];
  }
  [[nodiscard]] double at(Index row, Index column) const {
    return tableau_[static_cast<std::size_t>(row * stride_ + column)];
  }
  [[nodiscard]] Index artificial() const { return 2 * n_; }
  [[nodiscard]] Index right_side() const { return 2 * n_ + 1; }
  [[nodiscard]] Index complement(Index variable) const {
    return variable < n_ ? variable + n_ : variable - n_;
  }

  LcpOptions options_;
  Index n_max_;
  Index n_ = 0;
  Index stride_ = 0;
  Index driving_ = 0;     // the column that enters the basis next
  double A_scale_ = 1.0;  // the tableau holds A / A_scale and b / b_scale
  double b_scale_ = 1.0;
  std::vector<double> tableau_;  // n × (2n + 2), row-major: y | x | z_0 | right side
  std::vector<Index> basis_;     // variable basic in each row: y_i is i, x_i is n + i, z_0 is 2n
  std::vector<Index> ties_;
  std::vector<Index> active_;
  std::vector<double> factors_;
  std::vector<Index> order_;
  VectorXd rhs_;
  VectorXd correction_;
  VectorXd x_basic_;  // the tableau's own answer, kept if the fresh solve is worse
};

/// Solves one problem with a LemkeSolver of its own. @pre valid problem (throws InvalidArgument)
[[nodiscard]] LcpSolution solve_lemke(const LcpProblem& problem, const LcpOptions& options = {});

}  // namespace enfold::lcp
