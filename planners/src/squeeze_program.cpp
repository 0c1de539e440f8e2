// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/squeeze_program.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "enfold/base/require.hpp"

namespace enfold::planners {
namespace {

using lp::kInfinity;

bool fits(const VectorXd& weights, std::size_t n) {
  return weights.size() == 0 || weights.size() == static_cast<Index>(n);
}

double usable_friction(const SqueezeLimits& limits, const VectorXd& mu, Index contact) {
  return limits.friction_margin.size() == 0 ? mu[contact]
                                            : (1.0 - limits.friction_margin[contact]) * mu[contact];
}

}  // namespace

SqueezeProgram::SqueezeProgram(Objective objective, SqueezeLimits limits,
                               std::vector<std::string> contact_names, std::vector<std::string> joint_names)
    : objective_{objective},
      limits_{std::move(limits)},
      contact_names_{std::move(contact_names)},
      joint_names_{std::move(joint_names)} {
  for (const ForceRow& row : limits_.rows) {
    ENFOLD_REQUIRE(
        fits(row.lambda_N, contact_names_.size()) && fits(row.lambda_T, contact_names_.size()) &&
            fits(row.tau, joint_names_.size()),
        "force row '{}' has {}, {} and {} weights; expected {} for λ_N and λ_T and {} for τ, or none",
        row.name, row.lambda_N.size(), row.lambda_T.size(), row.tau.size(), contact_names_.size(),
        joint_names_.size());
  }
  const VectorXd& margin = limits_.friction_margin;
  ENFOLD_REQUIRE(fits(margin, contact_names_.size()), "{} friction margins for {} contacts", margin.size(),
                 contact_names_.size());
  ENFOLD_REQUIRE(margin.size() == 0 || (margin.minCoeff() >= 0.0 && margin.maxCoeff() < 1.0),
                 "friction margins are {} … {}, expected 0 … 1, below 1", margin.minCoeff(),
                 margin.maxCoeff());
}

void SqueezeProgram::add_row(Row row, const Eigen::RowVectorXd& weights, double offset, double lower,
                             double upper) {
  problem_.R.row(filled_).setZero();
  problem_.R.row(filled_).head(weights.size()) = weights;
  problem_.row_lower[filled_] = lower - offset;
  problem_.row_upper[filled_] = upper - offset;
  rows_[static_cast<std::size_t>(filled_)] = row;
  offset_[filled_] = offset;
  ++filled_;
}

/// Rows: floors, two of each cone, torque limits, the user's, those added, the objective's own.
void SqueezeProgram::build(const SqueezeInstant& at) {
  const grasp::GraspMatrices& grasp = at.grasp;
  const Index p = at.G_null.cols();
  const Index n_R = grasp.n_R();
  const Index n_theta = at.tau_0.size();
  const bool margin = objective_ == Objective::kMargin && n_R > 0;
  const bool literal = objective_ == Objective::kLiteral && n_R > 0;
  const bool torque = objective_ == Objective::kTorque;
  const bool sum = objective_ == Objective::kTorqueSum;
  const Index torque_rows = std::isfinite(limits_.max_torque) ? n_theta : 0;
  const Index own_rows = literal ? n_R : torque || sum ? 2 * n_theta : 0;
  const Index n_rows = grasp.n_C() + 2 * n_R + torque_rows + own_rows +
                       static_cast<Index>(limits_.rows.size() + at.added.size());
  // What the objective needs comes last; without internal forces a variable fixed at 0 takes α's place.
  const Index n = std::max<Index>(p, 1) + (margin || torque ? 1 : sum ? n_theta : 0);
  if (problem_.n() != n || problem_.m() != n_rows) problem_ = lp::unconstrained_lp(n, n_rows);
  problem_.lower.setConstant(-kInfinity);
  problem_.upper.setConstant(kInfinity);
  if (p == 0) problem_.lower[0] = problem_.upper[0] = 0.0;
  rows_.resize(static_cast<std::size_t>(n_rows));
  offset_.resize(n_rows);
  filled_ = 0;
  problem_.c.setZero();
  tau_by_alpha_.noalias() = grasp.J.transpose() * at.G_null;

  add_normals_and_cones(at);
  if (margin) {
    problem_.c.setZero();
    problem_.c[n - 1] = -1.0;
    problem_.lower[n - 1] = 0.0;  // inside the cones, not only as near to them as can be
  }
  Eigen::RowVectorXd weights(n);
  weights.setZero();
  for (Index j = 0; j < torque_rows; ++j) {
    weights.head(p) = tau_by_alpha_.row(j);
    add_row({Row::Kind::kTorque, j}, weights, at.tau_0[j], -limits_.max_torque, limits_.max_torque);
  }
  for (std::size_t u = 0; u < limits_.rows.size(); ++u)
    add_force_row({Row::Kind::kUser, static_cast<Index>(u)}, limits_.rows[u], at);
  for (std::size_t u = 0; u < at.added.size(); ++u)
    add_force_row({Row::Kind::kAdded, static_cast<Index>(u)}, at.added[u], at);
  if (torque || sum) add_effort(at);
}

void SqueezeProgram::add_normals_and_cones(const SqueezeInstant& at) {
  const grasp::GraspMatrices& grasp = at.grasp;
  const Index p = at.G_null.cols();
  const Index n_S = grasp.n_S();
  const Index n_C = grasp.n_C();
  const bool margin = objective_ == Objective::kMargin && grasp.n_R() > 0;
  Eigen::RowVectorXd weights = Eigen::RowVectorXd::Zero(problem_.n());
  for (Index column = 0; column < n_C; ++column) {
    const Index i = column < n_S ? grasp.sliding[static_cast<std::size_t>(column)]
                                 : grasp.rolling[static_cast<std::size_t>(column - n_S)];
    weights.head(p) = at.G_null.row(column);
    add_row({Row::Kind::kNormal, i}, weights, at.lambda_0[column], at.min_normal[i], limits_.max_normal);
    problem_.c.head(p) += at.G_null.row(column).transpose();
  }
  for (Index r = 0; r < grasp.n_R(); ++r) {
    const Index i = grasp.rolling[static_cast<std::size_t>(r)];
    const Index N = n_S + r;
    const Index T = n_C + r;
    const double mu = usable_friction(limits_, at.mu, i);
    for (const double sign : {1.0, -1.0}) {  // μ λ_N ± λ_T ≥ 0, or ≥ s
      weights.head(p) = mu * at.G_null.row(N) + sign * at.G_null.row(T);
      if (margin) weights[problem_.n() - 1] = -1.0;
      add_row({Row::Kind::kCone, i}, weights, mu * at.lambda_0[N] + sign * at.lambda_0[T], 0.0, kInfinity);
    }
  }
}

/// t ± τ_j ≥ 0 with one t for all joints, or one for each.                             [eq:least-torque]
void SqueezeProgram::add_effort(const SqueezeInstant& at) {
  const Index p = at.G_null.cols();
  const Index first = std::max<Index>(p, 1);
  problem_.c.setZero();
  problem_.c.tail(problem_.n() - first).setOnes();
  Eigen::RowVectorXd weights = Eigen::RowVectorXd::Zero(problem_.n());
  for (Index j = 0; j < at.tau_0.size(); ++j) {
    const Index t = objective_ == Objective::kTorque ? first : first + j;
    for (const double sign : {1.0, -1.0}) {
      weights.head(p) = sign * tau_by_alpha_.row(j);
      weights[t] = 1.0;
      add_row({Row::Kind::kEffort, j}, weights, sign * at.tau_0[j], 0.0, kInfinity);
      weights[t] = 0.0;
    }
  }
}

void SqueezeProgram::add_force_row(Row row, const ForceRow& asked, const SqueezeInstant& at) {
  const grasp::GraspMatrices& grasp = at.grasp;
  const Index p = at.G_null.cols();
  const Index n_S = grasp.n_S();
  const Index n_C = grasp.n_C();
  Eigen::RowVectorXd weights = Eigen::RowVectorXd::Zero(p);
  double offset = 0.0;
  const auto add = [&](const auto& by_alpha, double value, double weight) {
    weights += weight * by_alpha;
    offset += weight * value;
  };
  for (Index s = 0; s < n_S; ++s) {
    const Index i = grasp.sliding[static_cast<std::size_t>(s)];
    const double mu_s = -at.mu[i] * slip_sign(at.modes[static_cast<std::size_t>(i)]);
    const double weight = (asked.lambda_N.size() > 0 ? asked.lambda_N[i] : 0.0) +
                          (asked.lambda_T.size() > 0 ? mu_s * asked.lambda_T[i] : 0.0);
    add(at.G_null.row(s), at.lambda_0[s], weight);
  }
  for (Index r = 0; r < grasp.n_R(); ++r) {
    const Index i = grasp.rolling[static_cast<std::size_t>(r)];
    if (asked.lambda_N.size() > 0) add(at.G_null.row(n_S + r), at.lambda_0[n_S + r], asked.lambda_N[i]);
    if (asked.lambda_T.size() > 0) add(at.G_null.row(n_C + r), at.lambda_0[n_C + r], asked.lambda_T[i]);
  }
  for (Index j = 0; j < asked.tau.size(); ++j) add(tau_by_alpha_.row(j), at.tau_0[j], asked.tau[j]);
  add_row(row, weights, offset, asked.lower, asked.upper);
}

void SqueezeProgram::check(const SqueezeInstant& at) const {
  const grasp::GraspMatrices& grasp = at.grasp;
  ENFOLD_REQUIRE(at.G_null.rows() == grasp.k() && at.lambda_0.size() == grasp.k(),
                 "SqueezeProgram: G° has {} rows and λ_0 {} entries for k = {}", at.G_null.rows(),
                 at.lambda_0.size(), grasp.k());
  const auto n_C = static_cast<Index>(contact_names_.size());
  const auto n_theta = static_cast<Index>(joint_names_.size());
  ENFOLD_REQUIRE(
      at.min_normal.size() == n_C && at.mu.size() == n_C && static_cast<Index>(at.modes.size()) == n_C,
      "SqueezeProgram: {} floors, {} friction coefficients and {} modes for {} contacts",
      at.min_normal.size(), at.mu.size(), at.modes.size(), n_C);
  ENFOLD_REQUIRE(at.tau_0.size() == n_theta && grasp.J.cols() == n_theta,
                 "SqueezeProgram: {} torques and {} columns of J for {} joints", at.tau_0.size(),
                 grasp.J.cols(), n_theta);
}

InstantProgram SqueezeProgram::program(const SqueezeInstant& at) {
  ENFOLD_REQUIRE(objective_ != Objective::kLiteral,
                 "SqueezeProgram::program: objective literal is no single program");
  check(at);
  build(at);
  return {problem_, tau_by_alpha_};
}

const Squeeze& SqueezeProgram::solve(const SqueezeInstant& at) {
  check(at);
  build(at);
  if (objective_ == Objective::kLiteral && at.grasp.n_R() > 0) {
    solve_literal(at);
    return squeeze_;
  }
  const lp::LpSolution& solution = solver_.solve(problem_);
  accept(solution, at);
  const bool ties = objective_ == Objective::kTorque || objective_ == Objective::kTorqueSum ||
                    (objective_ == Objective::kMargin && at.grasp.n_R() > 0);
  if (ties && solution.ok()) take_least_normals(at, solution.objective);
  return squeeze_;
}

/// Of all squeezes with the best value of the objective, to rounding, that with the least Σ λ_N: without this
/// the plan could jump from one to another.
void SqueezeProgram::take_least_normals(const SqueezeInstant& at, double best) {
  const Index p = at.G_null.cols();
  const Index m = problem_.m();
  if (tie_.n() != problem_.n() || tie_.m() != m + 1) tie_ = lp::unconstrained_lp(problem_.n(), m + 1);
  tie_.R.topRows(m) = problem_.R;
  tie_.R.row(m) = problem_.c.transpose();
  tie_.row_lower.head(m) = problem_.row_lower;
  tie_.row_upper.head(m) = problem_.row_upper;
  tie_.row_upper[m] = best + 1e-9 * (1.0 + std::abs(best));
  tie_.lower = problem_.lower;
  tie_.upper = problem_.upper;
  tie_.c.setZero();
  tie_.c.head(p) = at.G_null.topRows(at.grasp.n_C()).colwise().sum().transpose();
  const lp::LpSolution& solution = tie_solver_.solve(tie_);
  if (solution.ok()) set_alpha(solution.z.head(p), at);
}

/// −|λ_T| is concave, so that each pattern of signs is a program of its own: σ λ_T ≥ 0, cost Σ λ_N + Σ (μ λ_N
/// − σ λ_T).
void SqueezeProgram::solve_literal(const SqueezeInstant& at) {
  const grasp::GraspMatrices& grasp = at.grasp;
  const Index n_R = grasp.n_R();
  const Index p = at.G_null.cols();
  const VectorXd normals = problem_.c;
  const Index first = filled_;
  Squeeze best;
  double best_cost = kInfinity;
  for (unsigned pattern = 0; pattern < (1U << static_cast<unsigned>(n_R)); ++pattern) {
    filled_ = first;
    problem_.c = normals;
    double constant = 0.0;
    for (Index r = 0; r < n_R; ++r) {
      const Index i = grasp.rolling[static_cast<std::size_t>(r)];
      const Index N = grasp.n_S() + r;
      const Index T = grasp.n_C() + r;
      const double sigma = (pattern >> static_cast<unsigned>(r)) & 1U ? -1.0 : 1.0;
      add_row({Row::Kind::kSign, i}, sigma * at.G_null.row(T), sigma * at.lambda_0[T], 0.0, kInfinity);
      problem_.c.head(p) += (at.mu[i] * at.G_null.row(N) - sigma * at.G_null.row(T)).transpose();
      constant += at.mu[i] * at.lambda_0[N] - sigma * at.lambda_0[T];
    }
    solver_.reset();
    const lp::LpSolution& solution = solver_.solve(problem_);
    const double cost = solution.ok() ? solution.objective + constant : kInfinity;
    if (pattern == 0 || cost < best_cost) {
      accept(solution, at);
      best = squeeze_;
      best_cost = cost;
    }
  }
  squeeze_ = std::move(best);
  if (squeeze_.status != lp::LpStatus::kInfeasible) return;
  // No pattern is feasible, so that the signs are not to blame.
  problem_.row_lower.tail(n_R).setConstant(-kInfinity);
  problem_.c = normals;
  solver_.reset();
  accept(solver_.solve(problem_), at);
}

void SqueezeProgram::accept(const lp::LpSolution& solution, const SqueezeInstant& at) {
  squeeze_.status = solution.status;
  squeeze_.critical_contact = -1;
  squeeze_.shadow_price = 0.0;
  squeeze_.prices.clear();
  squeeze_.reason.clear();
  if (!solution.ok()) {
    explain(solution, at);
    return;
  }
  set_alpha(solution.z.head(at.G_null.cols()), at);
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const double price = solution.row_dual[static_cast<Index>(row)];
    const int contact = contact_of(rows_[row], at);
    if (contact >= 0 && price > squeeze_.shadow_price + 1e-12) {  // > 0: a lower bound is active
      squeeze_.critical_contact = contact;
      squeeze_.shadow_price = price;
    }
  }
  squeeze_.prices = prices_of(solution.row_dual);
}

std::vector<RowPrice> SqueezeProgram::prices_of(const VectorXd& row_dual) const {
  std::vector<RowPrice> out;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const double price = row_dual[static_cast<Index>(row)];
    if (rows_[row].kind <= Row::Kind::kAdded && std::abs(price) > 1e-9)
      out.push_back(
          {static_cast<Requirement>(rows_[row].kind), rows_[row].who, price < 0.0, std::abs(price)});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const RowPrice& a, const RowPrice& b) { return a.price > b.price; });
  return out;
}

/// Whose floor or cone a row is; −1: nobody's.
int SqueezeProgram::contact_of(const Row& row, const SqueezeInstant& at) const {
  const auto who = static_cast<std::size_t>(row.who);
  switch (row.kind) {
    case Row::Kind::kNormal:
    case Row::Kind::kCone:
      return static_cast<int>(row.who);
    case Row::Kind::kUser:
      return limits_.rows[who].contact;
    case Row::Kind::kAdded:
      return at.added[who].contact;
    default:
      return -1;
  }
}

void SqueezeProgram::set_alpha(const VectorXd& alpha, const SqueezeInstant& at) {
  squeeze_.alpha = alpha;
  squeeze_.lambda = at.lambda_0;
  squeeze_.lambda.noalias() += at.G_null * alpha;
  squeeze_.tau = at.tau_0;
  squeeze_.tau.noalias() += tau_by_alpha_ * alpha;
}

}  // namespace enfold::planners
