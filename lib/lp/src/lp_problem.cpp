// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lp/lp_problem.hpp"

#include "enfold/base/require.hpp"
#include "enfold/lp/lp_options.hpp"

namespace enfold::lp {
namespace {

void require_size(const char* name, const VectorXd& v, Index expected) {
  ENFOLD_REQUIRE(v.size() == expected, "LpProblem: {} has size {}, expected {}", name, v.size(), expected);
}

void require_bounds(const char* what, const VectorXd& lower, const VectorXd& upper) {
  for (Index i = 0; i < lower.size(); ++i) {
    // Written so that NaN fails too.
    ENFOLD_REQUIRE(lower(i) < kInfinity, "LpProblem: lower bound of {} {} is {}, expected a number or -inf",
                   what, i, lower(i));
    ENFOLD_REQUIRE(upper(i) > -kInfinity, "LpProblem: upper bound of {} {} is {}, expected a number or inf",
                   what, i, upper(i));
  }
}

void require_tolerance(const char* name, double value) {
  ENFOLD_REQUIRE(value > 0.0 && value <= 1e-2, "LpOptions: {} is {}, expected in (0, 0.01]", name, value);
}

}  // namespace

LpProblem unconstrained_lp(Index n, Index m) {
  ENFOLD_REQUIRE(n >= 1 && m >= 0, "unconstrained_lp: n = {}, m = {}, expected n >= 1, m >= 0", n, m);
  return {.c = VectorXd::Zero(n),
          .R = MatrixXd::Zero(m, n),
          .row_lower = VectorXd::Constant(m, -kInfinity),
          .row_upper = VectorXd::Constant(m, kInfinity),
          .lower = VectorXd::Constant(n, -kInfinity),
          .upper = VectorXd::Constant(n, kInfinity)};
}

void validate(const LpProblem& problem) {
  const Index n = problem.n();
  const Index m = problem.m();
  ENFOLD_REQUIRE(n >= 1, "LpProblem: no variables (c is empty)");
  ENFOLD_REQUIRE(problem.R.cols() == n, "LpProblem: R is {} x {}, expected {} columns", m, problem.R.cols(),
                 n);
  require_size("row_lower", problem.row_lower, m);
  require_size("row_upper", problem.row_upper, m);
  require_size("lower", problem.lower, n);
  require_size("upper", problem.upper, n);
  ENFOLD_REQUIRE(problem.c.allFinite(), "LpProblem: c has an entry that is not finite");
  ENFOLD_REQUIRE(problem.R.allFinite(), "LpProblem: R has an entry that is not finite");
  require_bounds("row", problem.row_lower, problem.row_upper);
  require_bounds("variable", problem.lower, problem.upper);
}

void validate(const LpOptions& options) {
  require_tolerance("feasibility_tol", options.feasibility_tol);
  require_tolerance("optimality_tol", options.optimality_tol);
  require_tolerance("residual_tol", options.residual_tol);
  require_tolerance("certificate_tol", options.certificate_tol);
  ENFOLD_REQUIRE(options.max_iterations >= 1, "LpOptions: max_iterations is {}, expected >= 1",
                 options.max_iterations);
}

}  // namespace enfold::lp
