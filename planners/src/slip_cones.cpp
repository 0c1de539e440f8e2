// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/slip_cones.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <bit>
#include <utility>

#include "enfold/base/require.hpp"
#include "enfold/grasp/internal_forces.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/lp/lp_solver.hpp"
#include "enfold/uniqueness/certify.hpp"

namespace enfold::planners {
namespace {

constexpr Index kMostContacts = 10;

bool has_bit(SlipPattern pattern, Index i) {
  return (pattern >> static_cast<unsigned>(i) & 1U) != 0;
}

SlipPattern bit(Index i) {
  return SlipPattern{1} << static_cast<unsigned>(i);
}

VectorXd signs(SlipPattern pattern, Index n) {
  VectorXd out(n);
  for (Index i = 0; i < n; ++i) out[i] = has_bit(pattern, i) ? 1.0 : -1.0;
  return out;
}

/// P at every μ of the cube, cut off at 0. The middle alone refutes most.
bool unique_on_cube(const uniqueness::FrictionFamily& family, const VectorXd& mu, double margin) {
  thread_local lcp::PMatrixTester tester(kMostContacts);
  if (tester.decide(family.A(mu)).status != lcp::PMatrixStatus::kP) return false;
  if (margin == 0.0) return true;
  const uniqueness::FrictionBox box{(mu.array() - margin).max(0.0), mu.array() + margin};
  return uniqueness::certify(family, box).status == uniqueness::CertificateStatus::kCertified;
}

}  // namespace

SlipCones::SlipCones(std::shared_ptr<const SlipConesProblem> problem) : problem_{std::move(problem)} {
  ENFOLD_REQUIRE(problem_ && problem_->mechanism && problem_->contacts,
                 "SlipCones: mechanism and contacts must be given");
  const Index n = problem_->contacts->n_contacts();
  ENFOLD_REQUIRE(n == problem_->mechanism->n_theta() && n >= problem_->mechanism->n_x() && n <= kMostContacts,
                 "SlipCones: {} sliding contacts for {} joints, expected as many, at most {}", n,
                 problem_->mechanism->n_theta(), kMostContacts);
  ENFOLD_REQUIRE(problem_->mu.size() == n && problem_->min_normal.size() == n,
                 "SlipCones: {} friction coefficients and {} floors for {} contacts", problem_->mu.size(),
                 problem_->min_normal.size(), n);
  ENFOLD_REQUIRE(problem_->margin >= 0.0, "SlipCones: margin is {}, expected ≥ 0", problem_->margin);
}

bool SlipCones::move_to(const VectorXd& x) {
  const mechanics::Mechanism& mechanism = *problem_->mechanism;
  const Index n_x = mechanism.n_x();
  const Index n = mechanism.n_theta();
  cones_.assign(std::size_t{1} << static_cast<unsigned>(n), Verdict::kUnknown);
  const contact::Closure closure = problem_->contacts->close(x);
  if (!closure.closed()) return false;
  VectorXd q(mechanism.n_q());
  q << x, closure.theta;
  const VectorXd rest = VectorXd::Zero(mechanism.n_v());
  contact::ContactKinematics kinematics;
  problem_->contacts->kinematics(q, rest, kinematics);
  mechanics::Dynamics dynamics;
  mechanism.dynamics(q, rest, dynamics);
  W_N_ = kinematics.W_N;
  W_T_ = kinematics.W_T;
  h_ = dynamics.h;
  const Eigen::PartialPivLU<MatrixXd> joints(W_N_.bottomRows(n).transpose());
  if (!(joints.rcond() > 1e-12)) return false;
  S_ = W_T_.topRows(n_x).transpose() -
       W_T_.bottomRows(n).transpose() * joints.solve(W_N_.topRows(n_x).transpose());
  const Eigen::LLT<MatrixXd> inertia(dynamics.M);
  if (inertia.info() != Eigen::Success) return false;
  const MatrixXd L_N = inertia.matrixL().solve(W_N_);
  const MatrixXd L_T = inertia.matrixL().solve(W_T_);
  K_N_ = L_N.transpose() * L_N;
  K_T_ = L_N.transpose() * L_T;
  D_T_ = L_T.transpose() * L_T;
  return true;
}

SlipPattern SlipCones::pattern(const VectorXd& x_dot) const {
  SlipPattern out = 0;
  for (Index i = 0; i < S_.rows(); ++i)
    if (S_.row(i).dot(x_dot) > 0.0) out |= bit(i);
  return out;
}

uniqueness::FrictionFamily SlipCones::family(SlipPattern pattern, Index sticking) const {
  VectorXd sign = signs(pattern, K_N_.rows());
  if (sticking < 0) return {K_N_, -K_T_ * sign.asDiagonal()};
  // φ̈_T of this contact is zero: the Schur complement of its row and column.
  sign[sticking] = 0.0;
  const VectorXd column = K_T_.col(sticking) / D_T_(sticking, sticking);
  return {K_N_ - column * K_T_.col(sticking).transpose(),
          (column * D_T_.row(sticking) - K_T_) * sign.asDiagonal()};
}

/// λ = λ_0 + G° α with λ ≥ Λ within the limits, at rest.
bool SlipCones::has_squeeze(SlipPattern pattern) const {
  const Index n_x = problem_->mechanism->n_x();
  const Index n = K_N_.rows();
  const MatrixXd W = W_N_ - W_T_ * (problem_->mu.array() * signs(pattern, n).array()).matrix().asDiagonal();
  grasp::InternalForces internal;
  internal.compute(W.topRows(n_x));
  if (!(internal.rank_ratio() > 1e-10)) return false;
  VectorXd lambda_0;
  internal.particular(h_.head(n_x), lambda_0);
  const bool torques = std::isfinite(problem_->limits.max_torque);
  const Index rows = torques ? 2 * n : n;
  MatrixXd by_alpha(rows, internal.p());
  VectorXd offset(rows);
  VectorXd lower(rows);
  VectorXd upper(rows);
  by_alpha.topRows(n) = internal.basis();
  offset.head(n) = lambda_0;
  lower.head(n) = problem_->min_normal;
  upper.head(n).setConstant(problem_->limits.max_normal);
  if (torques) {
    const auto J_transposed = -W.bottomRows(n);
    by_alpha.bottomRows(n) = J_transposed * internal.basis();
    offset.tail(n) = h_.tail(n) + J_transposed * lambda_0;
    lower.tail(n).setConstant(-problem_->limits.max_torque);
    upper.tail(n).setConstant(problem_->limits.max_torque);
  }
  if (internal.p() == 0) return ((offset - lower).array() >= 0.0 && (upper - offset).array() >= 0.0).all();
  lp::LpProblem program = lp::unconstrained_lp(internal.p(), rows);
  program.R = by_alpha;
  program.row_lower = lower - offset;
  program.row_upper = upper - offset;
  if (internal.p() > 1) return lp::solve_lp(program).ok();
  // One α: the intervals that the rows leave it.
  double least = -lp::kInfinity;
  double most = lp::kInfinity;
  for (Index r = 0; r < rows; ++r) {
    const double slope = by_alpha(r, 0);
    if (std::abs(slope) < 1e-12) {
      if (program.row_lower[r] > 0.0 || program.row_upper[r] < 0.0) return false;
      continue;
    }
    const double a = program.row_lower[r] / slope;
    const double b = program.row_upper[r] / slope;
    least = std::max(least, std::min(a, b));
    most = std::min(most, std::max(a, b));
  }
  return least <= most;
}

bool SlipCones::allows(SlipPattern pattern) {
  Verdict& verdict = cones_[pattern];
  if (verdict == Verdict::kUnknown) {
    verdict = has_squeeze(pattern) && unique_on_cube(family(pattern), problem_->mu, problem_->margin)
                  ? Verdict::kYes
                  : Verdict::kNo;
  }
  return verdict == Verdict::kYes;
}

bool SlipCones::allows_change(SlipPattern from, SlipPattern to) {
  const SlipPattern changed = from ^ to;
  // Contacts that turn at one instant may do so in any order: all patterns between are asked for.
  SlipPattern part = 0;
  do {
    const SlipPattern between = from ^ part;
    if (!allows(between)) return false;
    for (Index i = 0; i < K_N_.rows(); ++i) {
      if (has_bit(changed, i) && !unique_on_cube(family(between, i), problem_->mu, problem_->margin))
        return false;
    }
    part = (part - changed) & changed;
  } while (part != 0);
  return true;
}

bool SlipCones::allows_turn(const VectorXd& from, const VectorXd& to) {
  const VectorXd a = S_ * from;
  const VectorXd b = S_ * to;
  std::vector<std::pair<double, Index>> turns;
  SlipPattern at = pattern(from);
  const SlipPattern last = pattern(to);
  for (Index i = 0; i < a.size(); ++i)
    if (has_bit(at ^ last, i)) turns.emplace_back(a[i] / (a[i] - b[i]), i);
  std::sort(turns.begin(), turns.end());
  if (!allows(at)) return false;
  for (const auto& [when, contact] : turns) {
    if (!allows_change(at, at ^ bit(contact))) return false;
    at ^= bit(contact);
  }
  return true;
}

}  // namespace enfold::planners
