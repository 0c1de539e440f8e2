// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "enfold/lp/lp_options.hpp"
#include "enfold/lp/lp_problem.hpp"

struct glp_prob;

namespace enfold::lp {

/// What the simplex code claims, before anything is checked.
enum class Verdict { kOptimal, kNoFeasible, kUnbounded, kIterationLimit, kNone };

/// Owns a glp_prob and mirrors the last LpProblem in it. With sparse_lp_solver.cpp the only code that calls
/// GLPK.
class SimplexModel {
 public:
  SimplexModel();

  /// Hands over the entries of `problem` that differ from the last one. Bounds that cross become an equality
  /// at their midpoint: the caller has decided that they cross by rounding only.
  void load(const LpProblem& problem);

  /// Runs from the current basis, and once more from the all-slack basis when that one is singular or the run
  /// fails.
  Verdict run(const LpOptions& options, int& iterations);

  /// Makes the all-slack basis current.
  void forget_basis();

  void read(VectorXd& z, VectorXd& row_dual) const;

 private:
  struct Deleter {
    void operator()(glp_prob* prob) const;
  };

  void rebuild(const LpProblem& problem);
  void set_row(Index i, const LpProblem& problem);
  Verdict run_once(const LpOptions& options, bool dual, int iteration_limit);

  std::unique_ptr<glp_prob, Deleter> prob_;
  LpProblem last_;
  std::vector<int> index_;      // 1-based, as GLPK wants: index_[k] = k
  std::vector<double> value_;   // one row of R from entry 1 on
  bool dual_feasible_ = false;  // the basis was optimal and neither c nor R changed since
};

}  // namespace enfold::lp
