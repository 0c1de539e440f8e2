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

void SqueezeProgram::build(const SqueezeInstant& at) {
  const grasp::GraspMatrices& grasp = at.grasp;
  const Index p = at.G_null.cols();
  const Index n_S = grasp.n_S();
  const Index n_C = grasp.n_C();
  const Index n_R = grasp.n_R();
  const bool margin = objective_ == Objective::kMargin && n_R > 0;
  const bool literal = objective_ == Objective::kLiteral && n_R > 0;
  const Index n_theta = at.tau_0.size();
  const Index torque_rows = std::isfinite(limits_.max_torque) ? n_theta : 0;
  const Index n_rows =
      n_C + 2 * n_R + torque_rows + static_cast<Index>(limits_.rows.size()) + (literal ? n_R : 0);
  // The margin s is the last variable; without internal forces one that is fixed at 0 takes their place.
  const Index n = std::max<Index>(p, 1) + (margin ? 1 : 0);
  if (problem_.n() != n || problem_.m() != n_rows) problem_ = lp::unconstrained_lp(n, n_rows);
  problem_.lower[0] = p == 0 ? 0.0 : -kInfinity;
  problem_.upper[0] = p == 0 ? 0.0 : kInfinity;
  rows_.resize(static_cast<std::size_t>(n_rows));
  offset_.resize(n_rows);
  filled_ = 0;
  problem_.c.setZero();
  tau_by_alpha_.noalias() = grasp.J.transpose() * at.G_null;

  Eigen::RowVectorXd weights(n);
  weights.setZero();
  for (Index column = 0; column < n_C; ++column) {
    const Index i = column < n_S ? grasp.sliding[static_cast<std::size_t>(column)]
                                 : grasp.rolling[static_cast<std::size_t>(column - n_S)];
    weights.head(p) = at.G_null.row(column);
    add_row({Row::Kind::kNormal, i}, weights, at.lambda_0[column], at.min_normal[i], limits_.max_normal);
    if (!margin) problem_.c.head(p) += at.G_null.row(column).transpose();
  }
  for (Index r = 0; r < n_R; ++r) {
    const Index i = grasp.rolling[static_cast<std::size_t>(r)];
    const Index N = n_S + r;
    const Index T = n_C + r;
    for (const double sign : {1.0, -1.0}) {  // μ λ_N ± λ_T ≥ 0, or ≥ s
      weights.head(p) = at.mu[i] * at.G_null.row(N) + sign * at.G_null.row(T);
      if (margin) weights[n - 1] = -1.0;
      add_row({Row::Kind::kCone, i}, weights, at.mu[i] * at.lambda_0[N] + sign * at.lambda_0[T], 0.0,
              kInfinity);
      weights.setZero();
    }
  }
  if (margin) {
    problem_.c[n - 1] = -1.0;
    problem_.lower[n - 1] = 0.0;  // inside the cones, not only as near to them as can be
  }
  for (Index j = 0; j < torque_rows; ++j) {
    weights.head(p) = tau_by_alpha_.row(j);
    add_row({Row::Kind::kTorque, j}, weights, at.tau_0[j], -limits_.max_torque, limits_.max_torque);
  }
  for (std::size_t u = 0; u < limits_.rows.size(); ++u) {
    const ForceRow& row = limits_.rows[u];
    weights.setZero();
    double offset = 0.0;
    const auto add = [&](const auto& by_alpha, double value, double weight) {
      weights.head(p) += weight * by_alpha;
      offset += weight * value;
    };
    for (Index s = 0; s < n_S; ++s) {
      const Index i = grasp.sliding[static_cast<std::size_t>(s)];
      const double mu_s = -at.mu[i] * slip_sign(at.modes[static_cast<std::size_t>(i)]);
      const double weight = (row.lambda_N.size() > 0 ? row.lambda_N[i] : 0.0) +
                            (row.lambda_T.size() > 0 ? mu_s * row.lambda_T[i] : 0.0);
      add(at.G_null.row(s), at.lambda_0[s], weight);
    }
    for (Index r = 0; r < n_R; ++r) {
      const Index i = grasp.rolling[static_cast<std::size_t>(r)];
      if (row.lambda_N.size() > 0) add(at.G_null.row(n_S + r), at.lambda_0[n_S + r], row.lambda_N[i]);
      if (row.lambda_T.size() > 0) add(at.G_null.row(n_C + r), at.lambda_0[n_C + r], row.lambda_T[i]);
    }
    for (Index j = 0; j < row.tau.size(); ++j) add(tau_by_alpha_.row(j), at.tau_0[j], row.tau[j]);
    add_row({Row::Kind::kUser, static_cast<Index>(u)}, weights, offset, row.lower, row.upper);
  }
}

const Squeeze& SqueezeProgram::solve(const SqueezeInstant& at) {
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
  build(at);
  if (objective_ == Objective::kLiteral && grasp.n_R() > 0) {
    solve_literal(at);
  } else {
    accept(solver_.solve(problem_), at);
  }
  return squeeze_;
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
  squeeze_.reason.clear();
  if (!solution.ok()) {
    explain(solution, at);
    return;
  }
  const Index p = at.G_null.cols();
  squeeze_.alpha = solution.z.head(p);
  squeeze_.lambda = at.lambda_0;
  squeeze_.lambda.noalias() += at.G_null * squeeze_.alpha;
  squeeze_.tau = at.tau_0;
  squeeze_.tau.noalias() += tau_by_alpha_ * squeeze_.alpha;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const double price = solution.row_dual[static_cast<Index>(row)];
    const bool of_contact = rows_[row].kind == Row::Kind::kNormal || rows_[row].kind == Row::Kind::kCone;
    if (of_contact && price > squeeze_.shadow_price + 1e-12) {  // > 0: a lower bound is active
      squeeze_.critical_contact = static_cast<int>(rows_[row].who);
      squeeze_.shadow_price = price;
    }
  }
}

std::string SqueezeProgram::row_text(std::size_t row, const SqueezeInstant& at) const {
  const Index i = rows_[row].who;
  const auto at_i = static_cast<std::size_t>(i);
  switch (rows_[row].kind) {
    case Row::Kind::kNormal:
      return fmt::format("the normal force of {} ≥ {:.4g} N", contact_names_[at_i], at.min_normal[i]);
    case Row::Kind::kCone:
      return fmt::format("the friction cone of {} (mu = {:.4g})", contact_names_[at_i], at.mu[i]);
    case Row::Kind::kTorque:
      return fmt::format("|torque of {}| ≤ {:.4g} N·m", joint_names_[at_i], limits_.max_torque);
    case Row::Kind::kUser:
      return fmt::format("row '{}'", limits_.rows[at_i].name);
    case Row::Kind::kSign:
      return fmt::format("the sign of the tangential force of {}", contact_names_[at_i]);
  }
  return {};
}

/// The requirements, in words, behind a certificate. One by one those are dropped without which the rest is
/// still infeasible: what is left contradicts itself and has no smaller contradiction inside.
std::vector<std::string> SqueezeProgram::contradiction(const lp::FarkasCertificate& farkas,
                                                       const SqueezeInstant& at) const {
  struct Requirement {
    std::string text;
    std::vector<double*> lower, upper;  // a cone has two rows, a torque two sides
    double weight = 0.0;
  };
  lp::LpProblem rest = problem_;
  rest.c.setZero();
  std::vector<Requirement> all;
  const auto find = [&all](const std::string& text) -> Requirement& {
    const auto same = [&text](const Requirement& r) { return r.text == text; };
    const auto found = std::find_if(all.begin(), all.end(), same);
    return found != all.end() ? *found : all.emplace_back(Requirement{text, {}, {}, 0.0});
  };
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const auto r = static_cast<Index>(row);
    Requirement& floor = find(row_text(row, at));
    floor.lower.push_back(&rest.row_lower[r]);
    floor.weight = std::max(floor.weight, farkas.row_lower[r]);
    Requirement& ceiling =
        rows_[row].kind != Row::Kind::kNormal
            ? floor
            : find(fmt::format("the normal force of {} ≤ {:.4g} N",
                               contact_names_[static_cast<std::size_t>(rows_[row].who)], limits_.max_normal));
    ceiling.upper.push_back(&rest.row_upper[r]);
    ceiling.weight = std::max(ceiling.weight, farkas.row_upper[r]);
  }
  const auto drop = [](const Requirement& requirement) {
    for (double* bound : requirement.lower) *bound = -kInfinity;
    for (double* bound : requirement.upper) *bound = kInfinity;
  };
  std::erase_if(all, [&](const Requirement& requirement) {
    if (requirement.weight > 0.0) return false;
    drop(requirement);
    return true;
  });
  std::vector<std::string> texts;
  for (const Requirement& requirement : all) {
    const VectorXd lower = rest.row_lower;
    const VectorXd upper = rest.row_upper;
    drop(requirement);
    if (lp::solve_lp(rest).status == lp::LpStatus::kInfeasible) continue;
    std::copy(lower.begin(), lower.end(), rest.row_lower.begin());
    std::copy(upper.begin(), upper.end(), rest.row_upper.begin());
    texts.push_back(requirement.text);
  }
  return texts;
}

/// Puts the Farkas multipliers into words: the rows with a weight are those that contradict each other.
void SqueezeProgram::explain(const lp::LpSolution& solution, const SqueezeInstant& at) {
  if (solution.status == lp::LpStatus::kUnbounded) {
    squeeze_.reason =
        "more squeeze is always better for this objective; give planner.max_normal_N or max_torque_Nm";
    return;
  }
  if (solution.farkas.empty()) {
    squeeze_.reason = fmt::format("the linear program was not solved: {}", solution.message);
    return;
  }
  const std::vector<std::string> texts = contradiction(solution.farkas, at);
  squeeze_.reason = fmt::format("no squeeze exists: {} cannot hold{}", fmt::join(texts, " and "),
                                texts.size() > 1 ? " together" : "");
  // With one internal force the reason is visible: the contacts that it parts while it presses the others.
  if (at.G_null.cols() == 1) {
    const auto normals = at.G_null.col(0).head(at.grasp.n_C());
    const double sign = normals.sum() < 0.0 ? -1.0 : 1.0;
    for (Index column = 0; column < normals.size(); ++column) {
      if (sign * normals[column] > 1e-12) continue;
      const Index i = column < at.grasp.n_S()
                          ? at.grasp.sliding[static_cast<std::size_t>(column)]
                          : at.grasp.rolling[static_cast<std::size_t>(column - at.grasp.n_S())];
      squeeze_.reason += fmt::format("; squeezing opens {}", contact_names_[static_cast<std::size_t>(i)]);
    }
  }
}

}  // namespace enfold::planners
