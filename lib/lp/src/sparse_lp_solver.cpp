// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lp/sparse_lp_solver.hpp"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "enfold/base/require.hpp"
#include "enfold/lp/lp_certificate.hpp"
#include "glpk_parts.hpp"

namespace enfold::lp {
namespace {

struct Deleter {
  void operator()(glp_prob* prob) const { glp_delete_prob(prob); }
};
using Prob = std::unique_ptr<glp_prob, Deleter>;

void check(const SparseLpProblem& problem, std::size_t tight) {
  const Index n = problem.n();
  const Index m = problem.m();
  ENFOLD_REQUIRE(n >= 1 && problem.R.cols() == n && problem.row_lower.size() == m &&
                     problem.row_upper.size() == m && problem.lower.size() == n && problem.upper.size() == n,
                 "solve_sparse_lp: {} variables, R is {} × {}, {} and {} row bounds, {} and {} bounds", n, m,
                 problem.R.cols(), problem.row_lower.size(), problem.row_upper.size(), problem.lower.size(),
                 problem.upper.size());
  const auto no_nan = [](const VectorXd& v) { return !v.hasNaN(); };
  ENFOLD_REQUIRE(problem.c.allFinite() && problem.R.coeffs().isFinite().all() && no_nan(problem.row_lower) &&
                     no_nan(problem.row_upper) && no_nan(problem.lower) && no_nan(problem.upper),
                 "solve_sparse_lp: c or R is not finite, or a bound is NaN");
  ENFOLD_REQUIRE(tight == 0 || tight == static_cast<std::size_t>(n),
                 "solve_sparse_lp: {} tight rows for {} variables", tight, n);
}

Prob load(const SparseLpProblem& problem) {
  Prob prob(glp_create_prob());
  glp_set_obj_dir(prob.get(), GLP_MIN);
  glp_add_cols(prob.get(), static_cast<int>(problem.n()));
  if (problem.m() > 0) glp_add_rows(prob.get(), static_cast<int>(problem.m()));
  for (Index i = 0; i < problem.m(); ++i) {
    const GlpkBounds b = glpk_bounds(problem.row_lower[i], problem.row_upper[i]);
    glp_set_row_bnds(prob.get(), one_based(i), b.type, b.lower, b.upper);
  }
  std::vector<int> rows, columns;
  std::vector<double> values;
  rows.push_back(0);  // GLPK counts from 1
  columns.push_back(0);
  values.push_back(0.0);
  for (Index j = 0; j < problem.n(); ++j) {
    const GlpkBounds b = glpk_bounds(problem.lower[j], problem.upper[j]);
    glp_set_col_bnds(prob.get(), one_based(j), b.type, b.lower, b.upper);
    glp_set_obj_coef(prob.get(), one_based(j), problem.c[j]);
    for (Eigen::SparseMatrix<double>::InnerIterator entry(problem.R, j); entry; ++entry) {
      if (entry.value() == 0.0) continue;
      rows.push_back(one_based(entry.row()));
      columns.push_back(one_based(j));
      values.push_back(entry.value());
    }
  }
  glp_load_matrix(prob.get(), static_cast<int>(values.size()) - 1, rows.data(), columns.data(),
                  values.data());
  return prob;
}

/// Which bound a tight row rests on: the only one, or for two the lower.
int resting(int type) {
  return type == GLP_UP ? GLP_NU : type == GLP_FX ? GLP_NS : type == GLP_FR ? GLP_NF : GLP_NL;
}

void set_basis(glp_prob* prob, const SparseLpProblem& problem, std::span<const Index> tight) {
  if (tight.empty()) {
    glp_adv_basis(prob, 0);
    return;
  }
  for (Index j = 0; j < problem.n(); ++j) glp_set_col_stat(prob, one_based(j), GLP_BS);
  for (Index i = 0; i < problem.m(); ++i) glp_set_row_stat(prob, one_based(i), GLP_BS);
  for (const Index i : tight)
    glp_set_row_stat(prob, one_based(i), resting(glp_get_row_type(prob, one_based(i))));
  if (glp_factorize(prob) != 0) glp_adv_basis(prob, 0);
}

LpStatus status_of(int code, int status) {
  if (code == GLP_EITLIM) return LpStatus::kIterationLimit;
  if (code != 0) return LpStatus::kNumericalTrouble;
  switch (status) {
    case GLP_OPT:
      return LpStatus::kOptimal;
    case GLP_NOFEAS:
      return LpStatus::kInfeasible;
    case GLP_UNBND:
      return LpStatus::kUnbounded;
    default:
      return LpStatus::kNumericalTrouble;
  }
}

}  // namespace

LpSolution solve_sparse_lp(const SparseLpProblem& problem, const LpOptions& options,
                           std::span<const Index> tight) {
  validate(options);
  check(problem, tight.size());
  const Silence silence;
  const Prob prob = load(problem);
  set_basis(prob.get(), problem, tight);
  glp_smcp parameters;
  glp_init_smcp(&parameters);
  parameters.msg_lev = GLP_MSG_OFF;
  parameters.meth = options.method == LpMethod::kPrimal ? GLP_PRIMAL : GLP_DUALP;
  parameters.tol_bnd = options.feasibility_tol;
  parameters.tol_dj = options.optimality_tol;
  parameters.it_lim = options.max_iterations;
  int code = glp_simplex(prob.get(), &parameters);
  if (code != 0 && code != GLP_EITLIM) {  // the basis was singular: once more from slacks
    glp_std_basis(prob.get());
    code = glp_simplex(prob.get(), &parameters);
  }

  LpSolution out;
  out.status = status_of(code, glp_get_status(prob.get()));
  out.iterations = glp_get_it_cnt(prob.get());
  out.z.resize(problem.n());
  out.row_dual.resize(problem.m());
  for (Index j = 0; j < problem.n(); ++j) out.z[j] = glp_get_col_prim(prob.get(), one_based(j));
  for (Index i = 0; i < problem.m(); ++i) out.row_dual[i] = glp_get_row_dual(prob.get(), one_based(i));
  out.objective = problem.c.dot(out.z);
  out.row_activity = problem.R * out.z;
  out.reduced_cost = problem.c - problem.R.transpose() * out.row_dual;
  out.residual = lp_residual(problem, out.z, out.row_dual);
  if (out.status == LpStatus::kOptimal && out.residual.largest() > options.residual_tol)
    out.status = LpStatus::kResidualTooLarge;
  if (!out.ok())
    out.message = fmt::format("{} after {} pivots, residual {:.2e}", to_string(out.status), out.iterations,
                              out.residual.largest());
  return out;
}

}  // namespace enfold::lp
