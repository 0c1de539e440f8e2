// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/rate_program.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"
#include "enfold/lp/sparse_lp_solver.hpp"

namespace enfold::planners {
namespace {

using lp::kInfinity;
using Triplet = Eigen::Triplet<double>;

/// Where the variables and rows of each instant are in the program over time.
struct Layout {
  std::vector<Index> column, row;  // first of each instant; one more at the end
  Index rate_row = 0;              // first of the rows that couple instants
};

Layout layout_of(const std::vector<RateInstant>& instants) {
  Layout out;
  Index column = 0;
  Index row = 0;
  for (const RateInstant& at : instants) {
    out.column.push_back(column);
    out.row.push_back(row);
    column += at.lp.n();
    row += at.lp.m();
  }
  out.column.push_back(column);
  out.row.push_back(row);
  out.rate_row = row;
  return out;
}

/// Of an instant in the integral, by the trapezoid rule [s].
double weight_of(const std::vector<RateInstant>& instants, std::size_t k) {
  const double before = instants[k == 0 ? 0 : k - 1].time;
  const double after = instants[std::min(k + 1, instants.size() - 1)].time;
  return 0.5 * (after - before);
}

/// Everything but the bounds of the rates. @param extra variables at the end
lp::SparseLpProblem requirements(const std::vector<RateInstant>& instants, const Layout& layout,
                                 Index rate_rows, Index extra, std::vector<Triplet>& entries) {
  const Index n = layout.column.back() + extra;
  const Index m = layout.rate_row + rate_rows;
  lp::SparseLpProblem out{VectorXd::Zero(n),
                          Eigen::SparseMatrix<double>(m, n),
                          VectorXd::Constant(m, -kInfinity),
                          VectorXd::Constant(m, kInfinity),
                          VectorXd::Constant(n, -kInfinity),
                          VectorXd::Constant(n, kInfinity)};
  for (std::size_t k = 0; k < instants.size(); ++k) {
    const lp::LpProblem& lp = instants[k].lp;
    out.c.segment(layout.column[k], lp.n()) = weight_of(instants, k) * lp.c;
    out.lower.segment(layout.column[k], lp.n()) = lp.lower;
    out.upper.segment(layout.column[k], lp.n()) = lp.upper;
    out.row_lower.segment(layout.row[k], lp.m()) = lp.row_lower;
    out.row_upper.segment(layout.row[k], lp.m()) = lp.row_upper;
    for (Index i = 0; i < lp.m(); ++i)
      for (Index j = 0; j < lp.n(); ++j)
        if (lp.R(i, j) != 0.0) entries.emplace_back(layout.row[k] + i, layout.column[k] + j, lp.R(i, j));
  }
  return out;
}

void add_step(const std::vector<RateInstant>& instants, const Layout& layout, std::size_t k, Index joint,
              Index row, double sign, std::vector<Triplet>& entries) {
  for (Index a = 0; a < instants[k + 1].tau_by_alpha.cols(); ++a)
    entries.emplace_back(row, layout.column[k + 1] + a, sign * instants[k + 1].tau_by_alpha(joint, a));
  for (Index a = 0; a < instants[k].tau_by_alpha.cols(); ++a)
    entries.emplace_back(row, layout.column[k] + a, -sign * instants[k].tau_by_alpha(joint, a));
}

/// Rows that hold with equality at the best of each instant alone: the basis to start from; empty if they are
/// not as many as the variables.
std::vector<Index> tight_rows(const std::vector<RateInstant>& instants, const Layout& layout) {
  std::vector<Index> out;
  for (std::size_t k = 0; k < instants.size(); ++k) {
    const lp::LpProblem& lp = instants[k].lp;
    if (lp.n() != instants[k].alpha.size()) return {};
    const VectorXd activity = lp.R * instants[k].alpha;
    Index found = 0;
    for (Index i = 0; i < lp.m() && found < lp.n(); ++i) {
      if (lp.row_lower[i] == -kInfinity || std::abs(activity[i] - lp.row_lower[i]) > 1e-8) continue;
      out.push_back(layout.row[k] + i);
      ++found;
    }
    if (found < lp.n()) return {};
  }
  return out;
}

void read_plan(const std::vector<RateInstant>& instants, const Layout& layout, const VectorXd& z,
               double max_rate, RateSolution& out) {
  for (std::size_t k = 0; k < instants.size(); ++k)
    out.alpha.emplace_back(z.segment(layout.column[k], instants[k].tau_by_alpha.cols()));
  for (std::size_t k = 0; k + 1 < instants.size(); ++k) {
    const VectorXd step = instants[k + 1].tau_0 + instants[k + 1].tau_by_alpha * out.alpha[k + 1] -
                          instants[k].tau_0 - instants[k].tau_by_alpha * out.alpha[k];
    Index joint = 0;
    const double rate = step.cwiseAbs().maxCoeff(&joint) / (instants[k + 1].time - instants[k].time);
    out.at_limit.push_back(rate >= (1.0 - 1e-7) * max_rate);
    if (rate <= out.largest_rate) continue;
    out.largest_rate = rate;
    out.steepest = static_cast<Index>(k);
    out.steepest_joint = joint;
  }
}

lp::LpOptions patient() {
  lp::LpOptions options;
  options.max_iterations = 1'000'000;
  return options;
}

/// min r: ±(τ_k+1 − τ_k) ≤ r Δt, in units of the step so that all rows are of one size.
void find_least_rate(const std::vector<RateInstant>& instants, const Layout& layout, RateSolution& out) {
  const Index n_theta = instants.front().tau_0.size();
  const auto steps = static_cast<Index>(instants.size()) - 1;
  std::vector<Triplet> entries;
  lp::SparseLpProblem problem = requirements(instants, layout, 2 * n_theta * steps, 1, entries);
  problem.c.setZero();
  const Index r = problem.n() - 1;
  problem.c[r] = 1.0;
  problem.lower[r] = 0.0;
  const double unit = (instants.back().time - instants.front().time) / static_cast<double>(steps);
  Index row = layout.rate_row;
  for (std::size_t k = 0; k + 1 < instants.size(); ++k) {
    const VectorXd step = instants[k + 1].tau_0 - instants[k].tau_0;
    const double width = (instants[k + 1].time - instants[k].time) / unit;
    for (Index j = 0; j < n_theta; ++j) {
      for (const double sign : {1.0, -1.0}) {
        add_step(instants, layout, k, j, row, -sign, entries);
        entries.emplace_back(row, r, width);
        problem.row_lower[row++] = sign * step[j];
      }
    }
  }
  problem.R.setFromTriplets(entries.begin(), entries.end());
  const lp::LpSolution solution = lp::solve_sparse_lp(problem, patient());
  out.iterations += solution.iterations;
  if (!solution.ok()) {
    out.status = lp::LpStatus::kNumericalTrouble;
    out.message = "the least rate was not found: " + solution.message;
    return;
  }
  out.status = lp::LpStatus::kInfeasible;
  read_plan(instants, layout, solution.z, solution.z[r], out);
  // Many steps may be as steep; the one with a price is why it can't be less.
  Index dearest = 0;
  solution.row_dual.tail(2 * n_theta * steps).cwiseAbs().maxCoeff(&dearest);
  out.steepest = dearest / (2 * n_theta);
  out.steepest_joint = dearest / 2 % n_theta;
}

void check(const std::vector<RateInstant>& instants, double max_rate) {
  ENFOLD_REQUIRE(instants.size() >= 2, "solve_rate_program: {} instants, expected two or more",
                 instants.size());
  ENFOLD_REQUIRE(std::isfinite(max_rate) && max_rate > 0.0,
                 "solve_rate_program: the rate limit is {} N·m/s, expected a finite one > 0", max_rate);
  for (std::size_t k = 0; k < instants.size(); ++k) {
    const RateInstant& at = instants[k];
    ENFOLD_REQUIRE(
        at.tau_by_alpha.rows() == at.tau_0.size() && at.tau_by_alpha.cols() == at.alpha.size() &&
            at.lp.n() >= at.alpha.size() && at.tau_0.size() == instants.front().tau_0.size(),
        "solve_rate_program: instant {} has {} torques, {} × {} of them by {} squeezes, {} variables", k,
        at.tau_0.size(), at.tau_by_alpha.rows(), at.tau_by_alpha.cols(), at.alpha.size(), at.lp.n());
    ENFOLD_REQUIRE(k == 0 || at.time > instants[k - 1].time,
                   "solve_rate_program: instant {} at {} s is not after the one before", k, at.time);
  }
}

}  // namespace

RateSolution solve_rate_program(const std::vector<RateInstant>& instants, double max_rate) {
  check(instants, max_rate);
  const Layout layout = layout_of(instants);
  const Index n_theta = instants.front().tau_0.size();
  const auto steps = static_cast<Index>(instants.size()) - 1;
  std::vector<Triplet> entries;
  lp::SparseLpProblem problem = requirements(instants, layout, n_theta * steps, 0, entries);
  Index row = layout.rate_row;
  for (std::size_t k = 0; k + 1 < instants.size(); ++k) {
    const VectorXd step = instants[k + 1].tau_0 - instants[k].tau_0;
    const double most = max_rate * (instants[k + 1].time - instants[k].time);
    for (Index j = 0; j < n_theta; ++j) {
      add_step(instants, layout, k, j, row, 1.0, entries);
      problem.row_lower[row] = -most - step[j];
      problem.row_upper[row++] = most - step[j];
    }
  }
  problem.R.setFromTriplets(entries.begin(), entries.end());
  const lp::LpSolution solution = lp::solve_sparse_lp(problem, patient(), tight_rows(instants, layout));
  RateSolution out;
  out.iterations = solution.iterations;
  if (solution.status == lp::LpStatus::kInfeasible) {
    find_least_rate(instants, layout, out);
    return out;
  }
  out.status = solution.status;
  out.message = solution.message;
  if (!solution.ok()) return out;
  out.objective = solution.objective;
  read_plan(instants, layout, solution.z, max_rate, out);
  for (std::size_t k = 0; k < instants.size(); ++k) {
    const double weight = weight_of(instants, k);
    out.row_dual.emplace_back(solution.row_dual.segment(layout.row[k], instants[k].lp.m()) / weight);
  }
  return out;
}

}  // namespace enfold::planners
