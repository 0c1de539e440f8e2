// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/closure/resistance.hpp"

#include <cmath>

#include "enfold/base/require.hpp"
#include "enfold/lp/lp_solver.hpp"

namespace enfold::closure {
namespace {

void validate(const ContactWrenches& contacts, const VectorXd& direction, const ResistanceLimits& limits) {
  ENFOLD_REQUIRE(direction.size() == contacts.n_w() && direction.allFinite() && direction.norm() > 0.0,
                 "resisted_disturbance: the direction has {} entries and norm {}, expected {} and > 0",
                 direction.size(), direction.norm(), contacts.n_w());
  ENFOLD_REQUIRE(limits.max_normal >= 0.0, "resisted_disturbance: max_normal is {} N, expected ≥ 0",
                 limits.max_normal);
  if (limits.T.size() == 0) return;
  ENFOLD_REQUIRE(limits.T.cols() == contacts.n_g() && limits.tau_0.size() == limits.T.rows(),
                 "resisted_disturbance: T is {} × {}, tau_0 has {} entries for {} columns of W",
                 limits.T.rows(), limits.T.cols(), limits.tau_0.size(), contacts.n_g());
}

}  // namespace

Resistance resisted_disturbance(const ContactWrenches& contacts, const VectorXd& direction,
                                const ResistanceLimits& limits) {
  validate(contacts, direction, limits);
  const Index n_w = contacts.n_w();
  const Index n_g = contacts.n_g();
  const Index n_budget = limits.budget == ForceBudget::kSum ? 1 : contacts.n_contacts;
  const Index n_theta = limits.T.rows();
  lp::LpProblem problem = lp::unconstrained_lp(n_g + 1, n_w + n_budget + n_theta);
  problem.c[n_g] = -1.0;
  problem.lower.setZero();
  // Scaled, so that newtons and newton metres weigh alike in the solver.
  const VectorXd scales = contacts.scales();
  problem.R.topLeftCorner(n_w, n_g) = contacts.scaled();
  problem.R.col(n_g).head(n_w) = scales.cwiseProduct(direction);
  problem.row_lower.head(n_w).setZero();
  problem.row_upper.head(n_w).setZero();
  for (Index j = 0; j < n_g; ++j) {
    const Index i = limits.budget == ForceBudget::kSum ? 0 : contacts.contact_of[static_cast<std::size_t>(j)];
    problem.R(n_w + i, j) = 1.0;
  }
  problem.row_upper.segment(n_w, n_budget).setConstant(limits.max_normal);
  if (n_theta > 0) {
    problem.R.bottomLeftCorner(n_theta, n_g) = limits.T;
    problem.row_lower.tail(n_theta).array() = -limits.max_torque - limits.tau_0.array();
    problem.row_upper.tail(n_theta).array() = limits.max_torque - limits.tau_0.array();
  }
  const lp::LpSolution solution = lp::solve_lp(problem);
  Resistance out;
  out.status = solution.status;
  if (solution.status == lp::LpStatus::kUnbounded) out.size = lp::kInfinity;
  if (!solution.ok()) return out;
  out.size = solution.z[n_g];
  out.lambda = solution.z.head(n_g);
  // Stationarity in s: −1 = yᵀ d (unless s = 0 is its bound), so that −y is the support.
  out.support = -scales.cwiseProduct(solution.row_dual.head(n_w));
  const double along = out.support.dot(direction);
  if (along > 0.0) out.support /= along;
  return out;
}

}  // namespace enfold::closure
