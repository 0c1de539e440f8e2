// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lp/lp_certificate.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::lp {
namespace {

double bound_violation(double x, double lower, double upper) {
  double worst = 0.0;
  if (lower > -kInfinity) worst = std::max(worst, (lower - x) / (1.0 + std::abs(lower)));
  if (upper < kInfinity) worst = std::max(worst, (x - upper) / (1.0 + std::abs(upper)));
  return worst;
}

// A multiplier k of lower ≤ x ≤ upper (k > 0 pushes on the lower bound) adds k·bound to the dual objective,
// or, where that bound is absent, |k| to the dual infeasibility.
void add_multiplier(double k, double lower, double upper, double& objective, double& infeasibility) {
  if (k == 0.0) return;
  const double bound = k > 0.0 ? lower : upper;
  if (std::isfinite(bound)) {
    objective += k * bound;
  } else {
    infeasibility = std::max(infeasibility, std::abs(k));
  }
}

// Adds weightᵀ·bound; false when a weight is negative, NaN, or sits on an absent bound.
bool add_weights(const VectorXd& weight, const VectorXd& bound, double sign, double& sum, double& sum_abs) {
  for (Index i = 0; i < weight.size(); ++i) {
    if (weight(i) == 0.0) continue;
    if (!(weight(i) > 0.0) || !std::isfinite(weight(i)) || !std::isfinite(bound(i))) return false;
    sum += sign * weight(i) * bound(i);
    sum_abs += std::abs(weight(i) * bound(i));
  }
  return true;
}

double max_abs(const VectorXd& v) {
  return v.size() == 0 ? 0.0 : v.cwiseAbs().maxCoeff();
}

double approach_speed(double speed, double lower, double upper) {
  double worst = 0.0;
  if (lower > -kInfinity) worst = std::max(worst, -speed);
  if (upper < kInfinity) worst = std::max(worst, speed);
  return worst;
}

/// Of a dense or a sparse program.
template <class Problem>
LpResidual residual_of(const Problem& problem, const VectorXd& z, const VectorXd& y) {
  const Index n = problem.n();
  const Index m = problem.m();
  ENFOLD_REQUIRE(z.size() == n && y.size() == m,
                 "lp_residual: z and y have sizes {} and {}, expected {} and {}", z.size(), y.size(), n, m);
  if (!z.allFinite() || !y.allFinite()) return {};

  LpResidual residual{.primal = 0.0, .dual = 0.0, .gap = 0.0};
  double dual_objective = 0.0;
  double dual_infeasibility = 0.0;
  const VectorXd activity = problem.R * z;
  for (Index i = 0; i < m; ++i) {
    residual.primal =
        std::max(residual.primal, bound_violation(activity(i), problem.row_lower(i), problem.row_upper(i)));
    add_multiplier(y(i), problem.row_lower(i), problem.row_upper(i), dual_objective, dual_infeasibility);
  }
  const VectorXd d = problem.c - problem.R.transpose() * y;
  for (Index j = 0; j < n; ++j) {
    residual.primal = std::max(residual.primal, bound_violation(z(j), problem.lower(j), problem.upper(j)));
    add_multiplier(d(j), problem.lower(j), problem.upper(j), dual_objective, dual_infeasibility);
  }
  const double objective = problem.c.dot(z);
  residual.dual = dual_infeasibility / (1.0 + max_abs(problem.c));
  residual.gap = std::abs(objective - dual_objective) / (1.0 + std::abs(objective));
  // std::max drops NaN, which overflow of the sums could produce; the gap sees both sums.
  if (!std::isfinite(residual.gap)) return {};
  return residual;
}

}  // namespace

double LpResidual::largest() const {
  return std::max({primal, dual, gap});
}

LpResidual lp_residual(const LpProblem& problem, const VectorXd& z, const VectorXd& y) {
  return residual_of(problem, z, y);
}

LpResidual lp_residual(const SparseLpProblem& problem, const VectorXd& z, const VectorXd& y) {
  return residual_of(problem, z, y);
}

FarkasCheck verify_farkas(const LpProblem& problem, const FarkasCertificate& certificate, double tol) {
  validate(problem);
  FarkasCheck check;
  const Index n = problem.n();
  const Index m = problem.m();
  if (certificate.row_lower.size() != m || certificate.row_upper.size() != m ||
      certificate.lower.size() != n || certificate.upper.size() != n) {
    return check;
  }
  double contradiction = 0.0;
  double sum_abs = 0.0;
  if (!add_weights(certificate.row_lower, problem.row_lower, 1.0, contradiction, sum_abs) ||
      !add_weights(certificate.row_upper, problem.row_upper, -1.0, contradiction, sum_abs) ||
      !add_weights(certificate.lower, problem.lower, 1.0, contradiction, sum_abs) ||
      !add_weights(certificate.upper, problem.upper, -1.0, contradiction, sum_abs)) {
    return check;
  }
  const VectorXd combination =
      problem.R.transpose() * certificate.y() + certificate.lower - certificate.upper;
  const double weight = std::max({max_abs(certificate.row_lower), max_abs(certificate.row_upper),
                                  max_abs(certificate.lower), max_abs(certificate.upper)});
  const double R_max = problem.R.size() == 0 ? 0.0 : problem.R.cwiseAbs().maxCoeff();
  check.contradiction = contradiction;
  check.defect = max_abs(combination);
  if (!(check.defect <= tol * (1.0 + R_max) * weight)) return check;
  check.status =
      contradiction > tol * (weight + sum_abs) ? ProofStatus::kProven : ProofStatus::kNoContradiction;
  return check;
}

RayCheck verify_ray(const LpProblem& problem, const VectorXd& d, double tol) {
  validate(problem);
  RayCheck check;
  if (d.size() != problem.n() || !d.allFinite()) return check;
  const double size = max_abs(d);
  if (size == 0.0) return check;
  const VectorXd unit = d / size;
  const VectorXd row_speed = problem.R * unit;
  check.defect = 0.0;
  for (Index i = 0; i < problem.m(); ++i) {
    check.defect =
        std::max(check.defect, approach_speed(row_speed(i), problem.row_lower(i), problem.row_upper(i)));
  }
  for (Index j = 0; j < problem.n(); ++j) {
    check.defect = std::max(check.defect, approach_speed(unit(j), problem.lower(j), problem.upper(j)));
  }
  check.descent = -problem.c.dot(unit);
  const double R_max = problem.R.size() == 0 ? 0.0 : problem.R.cwiseAbs().maxCoeff();
  if (check.defect > tol * (1.0 + R_max)) return check;
  check.status =
      check.descent > tol * max_abs(problem.c) ? ProofStatus::kProven : ProofStatus::kNoContradiction;
  return check;
}

}  // namespace enfold::lp
