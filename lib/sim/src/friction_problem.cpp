// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/sim/friction_problem.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "enfold/base/require.hpp"
#include "enfold/lcp/lcp_solver.hpp"

namespace enfold::sim {

using contact::ContactMode;
using contact::is_sliding;
using contact::slip_sign;

namespace {

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

/// The modes to try, the most closed first: where two give the same forces, the first is kept.
std::vector<ContactMode> choices(ContactFreedom freedom) {
  switch (freedom) {
    case ContactFreedom::kStickOrSlip:
      return {ContactMode::kRoll, ContactMode::kSlidePlus, ContactMode::kSlideMinus, ContactMode::kOpen};
    case ContactFreedom::kSlidePlus:
      return {ContactMode::kSlidePlus, ContactMode::kOpen};
    case ContactFreedom::kSlideMinus:
      return {ContactMode::kSlideMinus, ContactMode::kOpen};
    case ContactFreedom::kHeld:
      return {ContactMode::kRoll, ContactMode::kOpen};
  }
  return {ContactMode::kOpen};
}

class Enumerator {
 public:
  Enumerator(const FrictionProblem& problem, const FrictionOptions& options)
      : p_{problem}, options_{options}, n_{problem.c_N.size()} {
    for (const ContactFreedom freedom : p_.freedom) choices_.push_back(choices(freedom));
    acceleration_ = std::max(p_.c_N.lpNorm<Eigen::Infinity>(), p_.c_T.lpNorm<Eigen::Infinity>());
    force_ = acceleration_ / std::max(p_.D.diagonal().maxCoeff(), std::numeric_limits<double>::min());
  }

  FrictionSolution run() {
    std::vector<std::size_t> digit(at(n_), 0);
    std::vector<ContactMode> modes(at(n_));
    while (true) {
      for (std::size_t i = 0; i < modes.size(); ++i) modes[i] = choices_[i][digit[i]];
      try_modes(modes);
      std::size_t i = 0;
      while (i < digit.size() && ++digit[i] == choices_[i].size()) digit[i++] = 0;
      if (i == digit.size()) break;
    }
    out_.status = continuum_                 ? FrictionStatus::kContinuum
                  : undecided_               ? FrictionStatus::kUndecided
                  : out_.answers.empty()     ? FrictionStatus::kNone
                  : out_.answers.size() == 1 ? FrictionStatus::kUnique
                                             : FrictionStatus::kSeveral;
    return std::move(out_);
  }

 private:
  /// One column per unknown: λ_N of a closed contact with the friction of its slip, λ_T of a sticking one.
  void try_modes(const std::vector<ContactMode>& modes) {
    unknown_.clear();
    for (Index i = 0; i < n_; ++i)
      if (modes[at(i)] != ContactMode::kOpen) unknown_.push_back(i);
    const auto closed = static_cast<Index>(unknown_.size());
    for (Index i = 0; i < n_; ++i)
      if (modes[at(i)] == ContactMode::kRoll) unknown_.push_back(n_ + i);
    const auto size = static_cast<Index>(unknown_.size());
    VectorXd forces = VectorXd::Zero(2 * n_);
    if (size > 0) {
      MatrixXd S(size, size);
      VectorXd right(size);
      for (Index c = 0; c < size; ++c) {
        const Index j = unknown_[at(c)];
        VectorXd column = p_.D.col(j);
        if (c < closed) column -= slip_sign(modes[at(j)]) * p_.mu[j] * p_.D.col(n_ + j);
        S.col(c) = column(unknown_);
        right[c] = j < n_ ? -p_.c_N[j] : -p_.c_T[j - n_];
      }
      Eigen::FullPivLU<MatrixXd> lu(S);
      lu.setThreshold(1e-11);
      const VectorXd solved = lu.solve(right);
      const bool regular = lu.isInvertible();
      if (!regular && (S * solved - right).lpNorm<Eigen::Infinity>() > 1e-9 * acceleration_) return;
      for (Index c = 0; c < size; ++c) forces[unknown_[at(c)]] = solved[c];
      for (Index c = 0; c < closed; ++c) {
        const Index j = unknown_[at(c)];
        if (is_sliding(modes[at(j)])) forces[n_ + j] = -slip_sign(modes[at(j)]) * p_.mu[j] * forces[j];
      }
      if (!regular) {
        settle_singular(modes, S, right, closed);
        return;
      }
    }
    keep_if_admissible(modes, forces);
  }

  [[nodiscard]] bool admissible(const std::vector<ContactMode>& modes, const VectorXd& forces) const {
    const VectorXd a = p_.D * forces;
    const double slack_f = options_.tol * std::max(force_, forces.lpNorm<Eigen::Infinity>());
    const double slack_a = options_.tol * std::max(acceleration_, a.lpNorm<Eigen::Infinity>());
    for (Index i = 0; i < n_; ++i) {
      const ContactMode mode = modes[at(i)];
      const bool resting = p_.freedom[at(i)] == ContactFreedom::kStickOrSlip;
      if (mode == ContactMode::kOpen) {
        if (a[i] + p_.c_N[i] < -slack_a) return false;
        continue;
      }
      if (forces[i] < -slack_f) return false;
      if (mode == ContactMode::kRoll && resting && std::abs(forces[n_ + i]) > p_.mu[i] * forces[i] + slack_f)
        return false;
      if (is_sliding(mode) && resting && slip_sign(mode) * (a[n_ + i] + p_.c_T[i]) < -slack_a) return false;
    }
    return true;
  }

  void keep_if_admissible(const std::vector<ContactMode>& modes, const VectorXd& forces) {
    if (!admissible(modes, forces)) return;
    const double same = options_.same_tol * std::max(force_, forces.lpNorm<Eigen::Infinity>());
    for (const FrictionAnswer& known : out_.answers) {
      if ((known.lambda_N - forces.head(n_)).lpNorm<Eigen::Infinity>() <= same &&
          (known.lambda_T - forces.tail(n_)).lpNorm<Eigen::Infinity>() <= same)
        return;
    }
    const VectorXd a = p_.D * forces;
    out_.answers.push_back(
        {modes, forces.head(n_), forces.tail(n_), a.head(n_) + p_.c_N, a.tail(n_) + p_.c_T});
  }

  /// A consistent singular system has a line or more of forces. The least of them, and the most even one, are
  /// tried; if either is admissible there is a continuum, else it stays open whether another is.
  void settle_singular(const std::vector<ContactMode>& modes, const MatrixXd& S, const VectorXd& right,
                       Index closed) {
    const VectorXd least = S.completeOrthogonalDecomposition().solve(right);
    VectorXd forces = VectorXd::Zero(2 * n_);
    for (std::size_t c = 0; c < unknown_.size(); ++c) forces[unknown_[c]] = least[static_cast<Index>(c)];
    for (Index c = 0; c < closed; ++c) {
      const Index j = unknown_[at(c)];
      if (is_sliding(modes[at(j)])) forces[n_ + j] = -slip_sign(modes[at(j)]) * p_.mu[j] * forces[j];
    }
    if (!admissible(modes, forces)) {
      undecided_ = true;
      return;
    }
    continuum_ = true;
    keep_if_admissible(modes, forces);
  }

  const FrictionProblem& p_;
  const FrictionOptions& options_;
  Index n_;
  double acceleration_ = 0.0, force_ = 0.0;  // sizes that tolerances refer to
  std::vector<std::vector<ContactMode>> choices_;
  std::vector<Index> unknown_;
  bool continuum_ = false, undecided_ = false;
  FrictionSolution out_;
};

/// The stick/slip complementarity problem in [λ_N; λ⁺; λ⁻; σ], as uniqueness/stick_slip.hpp has it. A held
/// contact has no cone: its tangential row is solved with a friction that is never reached.
FrictionSolution solve_by_lemke(const FrictionProblem& p) {
  const Index n = p.c_N.size();
  std::vector<Index> resting;
  MatrixXd W = MatrixXd::Identity(2 * n, n);
  VectorXd mu = p.mu;
  for (Index i = 0; i < n; ++i) {
    const ContactFreedom freedom = p.freedom[at(i)];
    if (freedom == ContactFreedom::kSlidePlus) W(n + i, i) = -p.mu[i];
    if (freedom == ContactFreedom::kSlideMinus) W(n + i, i) = p.mu[i];
    if (freedom == ContactFreedom::kHeld) mu[i] = 1e6;
    if (freedom == ContactFreedom::kStickOrSlip || freedom == ContactFreedom::kHeld) resting.push_back(n + i);
  }
  const auto r = static_cast<Index>(resting.size());
  const MatrixXd DW = p.D * W;
  const MatrixXd D_R = p.D(Eigen::all, resting);
  lcp::LcpProblem lcp;
  lcp.A.setZero(n + 3 * r, n + 3 * r);
  lcp.b.setZero(n + 3 * r);
  lcp.A.topLeftCorner(n, n) = DW.topRows(n);
  lcp.A.block(0, n, n, r) = D_R.topRows(n);
  lcp.A.block(0, n + r, n, r) = -D_R.topRows(n);
  lcp.b.head(n) = p.c_N;
  for (Index k = 0; k < r; ++k) {
    const Index row = resting[at(k)];
    for (const double sign : {1.0, -1.0}) {
      const Index R = n + (sign > 0.0 ? 0 : r) + k;
      lcp.A.block(R, 0, 1, n) = sign * DW.row(row);
      lcp.A.block(R, n, 1, r) = sign * D_R.row(row);
      lcp.A.block(R, n + r, 1, r) = -sign * D_R.row(row);
      lcp.A(R, n + 2 * r + k) = 1.0;
      lcp.A(n + 2 * r + k, R) = -1.0;
      lcp.b[R] = sign * p.c_T[row - n];
    }
    lcp.A(n + 2 * r + k, row - n) = mu[row - n];
  }
  FrictionSolution out{FrictionStatus::kUndecided, {}};
  const lcp::LcpSolution solved = lcp::solve_lcp(lcp);
  if (!solved.ok()) return out;
  VectorXd forces = W * solved.x.head(n);
  for (Index k = 0; k < r; ++k) forces[resting[at(k)]] += solved.x[n + k] - solved.x[n + r + k];
  const VectorXd a = p.D * forces;
  FrictionAnswer answer{std::vector<ContactMode>(at(n), ContactMode::kOpen), forces.head(n), forces.tail(n),
                        a.head(n) + p.c_N, a.tail(n) + p.c_T};
  for (Index i = 0; i < n; ++i) {
    if (answer.lambda_N[i] <= 0.0) continue;
    const ContactFreedom freedom = p.freedom[at(i)];
    const auto k = std::find(resting.begin(), resting.end(), n + i) - resting.begin();
    const bool slips = k < r && solved.x[n + 2 * r + k] > 0.0;
    answer.modes[at(i)] = freedom == ContactFreedom::kSlidePlus    ? ContactMode::kSlidePlus
                          : freedom == ContactFreedom::kSlideMinus ? ContactMode::kSlideMinus
                          : !slips                                 ? ContactMode::kRoll
                          : answer.a_T[i] > 0.0                    ? ContactMode::kSlidePlus
                                                                   : ContactMode::kSlideMinus;
  }
  out.answers.push_back(std::move(answer));
  return out;
}

}  // namespace

FrictionSolution solve_friction(const FrictionProblem& problem, const FrictionOptions& options) {
  const Index n = problem.c_N.size();
  ENFOLD_REQUIRE(problem.D.rows() == 2 * n && problem.D.cols() == 2 * n && problem.c_T.size() == n &&
                     problem.mu.size() == n && static_cast<Index>(problem.freedom.size()) == n,
                 "solve_friction: D is {} × {}, c_T {}, μ {}, freedom {} for {} contacts", problem.D.rows(),
                 problem.D.cols(), problem.c_T.size(), problem.mu.size(), problem.freedom.size(), n);
  ENFOLD_REQUIRE(problem.D.allFinite() && problem.c_N.allFinite() && problem.c_T.allFinite(),
                 "solve_friction: D or c is not finite");
  ENFOLD_REQUIRE(n == 0 || problem.mu.minCoeff() >= 0.0, "solve_friction: a coefficient is {}, expected ≥ 0",
                 problem.mu.minCoeff());
  if (n == 0) return {FrictionStatus::kUnique, {FrictionAnswer{}}};
  double combinations = 1.0;
  for (const ContactFreedom freedom : problem.freedom)
    combinations *= freedom == ContactFreedom::kStickOrSlip ? 4.0 : 2.0;
  if (combinations > static_cast<double>(options.max_combinations)) return solve_by_lemke(problem);
  return Enumerator(problem, options).run();
}

}  // namespace enfold::sim
