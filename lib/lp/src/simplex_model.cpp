// SPDX-License-Identifier: BSD-3-Clause
#include "simplex_model.hpp"

#include <algorithm>
#include <numeric>

#include "glpk_parts.hpp"

namespace enfold::lp {
void SimplexModel::Deleter::operator()(glp_prob* prob) const {
  glp_delete_prob(prob);
}

SimplexModel::SimplexModel() : prob_{glp_create_prob()} {
  glp_set_obj_dir(prob_.get(), GLP_MIN);
}

void SimplexModel::set_row(Index i, const LpProblem& problem) {
  for (Index j = 0; j < problem.n(); ++j) value_[static_cast<std::size_t>(j) + 1] = problem.R(i, j);
  glp_set_mat_row(prob_.get(), one_based(i), static_cast<int>(problem.n()), index_.data(), value_.data());
}

void SimplexModel::rebuild(const LpProblem& problem) {
  const Index n = problem.n();
  const Index m = problem.m();
  glp_erase_prob(prob_.get());
  glp_set_obj_dir(prob_.get(), GLP_MIN);
  glp_add_cols(prob_.get(), static_cast<int>(n));
  if (m > 0) glp_add_rows(prob_.get(), static_cast<int>(m));
  index_.resize(static_cast<std::size_t>(n) + 1);
  value_.resize(static_cast<std::size_t>(n) + 1);
  std::iota(index_.begin(), index_.end(), 0);
  for (Index i = 0; i < m; ++i) {
    const GlpkBounds b = glpk_bounds(problem.row_lower(i), problem.row_upper(i));
    glp_set_row_bnds(prob_.get(), one_based(i), b.type, b.lower, b.upper);
    set_row(i, problem);
  }
  for (Index j = 0; j < n; ++j) {
    const GlpkBounds b = glpk_bounds(problem.lower(j), problem.upper(j));
    glp_set_col_bnds(prob_.get(), one_based(j), b.type, b.lower, b.upper);
    glp_set_obj_coef(prob_.get(), one_based(j), problem.c(j));
  }
  glp_std_basis(prob_.get());
  dual_feasible_ = false;
}

void SimplexModel::load(const LpProblem& problem) {
  const bool same_shape = last_.n() == problem.n() && last_.m() == problem.m() && last_.n() > 0;
  if (!same_shape) {
    rebuild(problem);
    last_ = problem;
    return;
  }
  for (Index i = 0; i < problem.m(); ++i) {
    if (problem.R.row(i) != last_.R.row(i)) {
      set_row(i, problem);
      dual_feasible_ = false;
    }
    if (problem.row_lower(i) != last_.row_lower(i) || problem.row_upper(i) != last_.row_upper(i)) {
      const GlpkBounds b = glpk_bounds(problem.row_lower(i), problem.row_upper(i));
      glp_set_row_bnds(prob_.get(), one_based(i), b.type, b.lower, b.upper);
    }
  }
  for (Index j = 0; j < problem.n(); ++j) {
    if (problem.lower(j) != last_.lower(j) || problem.upper(j) != last_.upper(j)) {
      const GlpkBounds b = glpk_bounds(problem.lower(j), problem.upper(j));
      glp_set_col_bnds(prob_.get(), one_based(j), b.type, b.lower, b.upper);
    }
    if (problem.c(j) != last_.c(j)) {
      glp_set_obj_coef(prob_.get(), one_based(j), problem.c(j));
      dual_feasible_ = false;
    }
  }
  last_ = problem;
}

void SimplexModel::forget_basis() {
  if (last_.n() > 0) glp_std_basis(prob_.get());
  dual_feasible_ = false;
}

Verdict SimplexModel::run_once(const LpOptions& options, bool dual, int iteration_limit) {
  glp_smcp parameters;
  glp_init_smcp(&parameters);
  parameters.msg_lev = GLP_MSG_OFF;
  parameters.meth = dual ? GLP_DUAL : GLP_PRIMAL;
  parameters.presolve = GLP_OFF;
  parameters.tol_bnd = options.feasibility_tol;
  parameters.tol_dj = options.optimality_tol;
  parameters.it_lim = iteration_limit;
  const int code = glp_simplex(prob_.get(), &parameters);
  if (code == GLP_EITLIM) return Verdict::kIterationLimit;
  if (code != 0) return Verdict::kNone;
  switch (glp_get_status(prob_.get())) {
    case GLP_OPT:
      return Verdict::kOptimal;
    case GLP_NOFEAS:
      return Verdict::kNoFeasible;
    case GLP_UNBND:
      return Verdict::kUnbounded;
    default:
      return Verdict::kNone;
  }
}

Verdict SimplexModel::run(const LpOptions& options, int& iterations) {
  const Silence silence;
  const int before = glp_get_it_cnt(prob_.get());
  const auto used = [&] { return glp_get_it_cnt(prob_.get()) - before; };
  const auto left = [&] { return std::max(0, options.max_iterations - used()); };

  const bool dual =
      options.method == LpMethod::kDual || (options.method == LpMethod::kAuto && dual_feasible_);
  Verdict verdict = run_once(options, dual, left());
  // The dual method stops without a verdict when the program has no dual feasible point; the primal one can
  // tell.
  if (verdict == Verdict::kNone && dual) verdict = run_once(options, false, left());
  if (verdict == Verdict::kNone) {
    glp_std_basis(prob_.get());
    verdict = run_once(options, false, left());
  }
  dual_feasible_ = verdict == Verdict::kOptimal;
  iterations = used();
  return verdict;
}

void SimplexModel::read(VectorXd& z, VectorXd& row_dual) const {
  z.resize(last_.n());
  row_dual.resize(last_.m());
  for (Index j = 0; j < z.size(); ++j) z(j) = glp_get_col_prim(prob_.get(), one_based(j));
  for (Index i = 0; i < row_dual.size(); ++i) row_dual(i) = glp_get_row_dual(prob_.get(), one_based(i));
}

}  // namespace enfold::lp
