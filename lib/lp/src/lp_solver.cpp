// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lp/lp_solver.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "enfold/base/require.hpp"
#include "simplex_model.hpp"

namespace enfold::lp {
namespace {

struct Crossing {
  bool in_rows = false;
  Index index = -1;
};

// The first pair of bounds that crosses by more than rounding.
Crossing find_crossing(const LpProblem& problem, double tol) {
  const auto crosses = [tol](double lower, double upper) {
    return lower - upper > tol * (1.0 + std::abs(lower));
  };
  for (Index i = 0; i < problem.m(); ++i) {
    if (crosses(problem.row_lower(i), problem.row_upper(i))) return {true, i};
  }
  for (Index j = 0; j < problem.n(); ++j) {
    if (crosses(problem.lower(j), problem.upper(j))) return {false, j};
  }
  return {};
}

FarkasCertificate zero_certificate(const LpProblem& problem) {
  return {.row_lower = VectorXd::Zero(problem.m()),
          .row_upper = VectorXd::Zero(problem.m()),
          .lower = VectorXd::Zero(problem.n()),
          .upper = VectorXd::Zero(problem.n())};
}

// z_k ≥ lower and z_k ≤ upper < lower: weight one on each.
FarkasCertificate crossing_certificate(const LpProblem& problem, const Crossing& crossing) {
  FarkasCertificate certificate = zero_certificate(problem);
  (crossing.in_rows ? certificate.row_lower : certificate.lower)(crossing.index) = 1.0;
  (crossing.in_rows ? certificate.row_upper : certificate.upper)(crossing.index) = 1.0;
  return certificate;
}

// min Σ (s⁺ + s⁻)  s.t.  row_lower ≤ R z + s⁺ − s⁻ ≤ row_upper,  lower ≤ z ≤ upper,  s ≥ 0. Always feasible;
// its row duals y ∈ [−1, 1] are the Farkas multipliers and its value is their contradiction, by strong
// duality.
LpProblem elastic_lp(const LpProblem& problem) {
  const Index n = problem.n();
  const Index m = problem.m();
  LpProblem elastic = unconstrained_lp(n + 2 * m, m);
  elastic.c.tail(2 * m).setOnes();
  elastic.R << problem.R, MatrixXd::Identity(m, m), -MatrixXd::Identity(m, m);
  elastic.row_lower = problem.row_lower;
  elastic.row_upper = problem.row_upper;
  elastic.lower << problem.lower, VectorXd::Zero(2 * m);
  elastic.upper.head(n) = problem.upper;
  return elastic;
}

// Splits signed multipliers by sign and drops what rests on an absent bound: that part is rounding in an
// honest certificate, and shows up as a defect in verify_farkas otherwise.
void split(const VectorXd& k, const VectorXd& lower, const VectorXd& upper, VectorXd& on_lower,
           VectorXd& on_upper) {
  for (Index i = 0; i < k.size(); ++i) {
    if (lower(i) > -kInfinity) on_lower(i) = std::max(k(i), 0.0);
    if (upper(i) < kInfinity) on_upper(i) = std::max(-k(i), 0.0);
  }
}

FarkasCertificate farkas_from_rows(const LpProblem& problem, const VectorXd& y) {
  FarkasCertificate certificate = zero_certificate(problem);
  split(y, problem.row_lower, problem.row_upper, certificate.row_lower, certificate.row_upper);
  const VectorXd d = -problem.R.transpose() * certificate.y();
  split(d, problem.lower, problem.upper, certificate.lower, certificate.upper);
  return certificate;
}

// min cᵀd over the directions of recession within the unit box.
LpProblem recession_lp(const LpProblem& problem) {
  LpProblem recession = unconstrained_lp(problem.n(), problem.m());
  recession.c = problem.c;
  recession.R = problem.R;
  for (Index i = 0; i < problem.m(); ++i) {
    if (problem.row_lower(i) > -kInfinity) recession.row_lower(i) = 0.0;
    if (problem.row_upper(i) < kInfinity) recession.row_upper(i) = 0.0;
  }
  for (Index j = 0; j < problem.n(); ++j) {
    recession.lower(j) = problem.lower(j) > -kInfinity ? 0.0 : -1.0;
    recession.upper(j) = problem.upper(j) < kInfinity ? 0.0 : 1.0;
  }
  return recession;
}

}  // namespace

class LpSolver::Impl {
 public:
  explicit Impl(const LpOptions& options) : options_{options} { validate(options_); }

  const LpSolution& solve(const LpProblem& problem) {
    validate(problem);
    clear_outcome();
    const Crossing crossing = find_crossing(problem, options_.feasibility_tol);
    if (crossing.index >= 0) {
      report_crossing(problem, crossing);
      return solution_;
    }
    model_.load(problem);
    attempt(problem);
    // A warm basis can be ill conditioned for the new data: a verdict that fails its check gets one cold
    // attempt.
    if (solution_.status == LpStatus::kResidualTooLarge) {
      model_.forget_basis();
      attempt(problem);
    }
    return solution_;
  }

  void reset() { model_.forget_basis(); }

 private:
  void clear_outcome() {
    solution_.farkas = {};
    solution_.ray.resize(0);
    solution_.message.clear();
    solution_.iterations = 0;
  }

  void read_point(const LpProblem& problem) {
    LpSolution& s = solution_;
    model_.read(s.z, s.row_dual);
    s.objective = problem.c.dot(s.z);
    s.row_activity.noalias() = problem.R * s.z;
    s.reduced_cost = problem.c;
    s.reduced_cost.noalias() -= problem.R.transpose() * s.row_dual;
    s.residual = lp_residual(problem, s.z, s.row_dual);
  }

  void attempt(const LpProblem& problem) {
    int iterations = 0;
    const Verdict verdict = model_.run(options_, iterations);
    solution_.iterations += iterations;
    read_point(problem);
    switch (verdict) {
      case Verdict::kOptimal:
        return confirm_optimal();
      case Verdict::kNoFeasible:
        return confirm_infeasible(problem);
      case Verdict::kUnbounded:
        return confirm_unbounded(problem);
      case Verdict::kIterationLimit:
        solution_.status = LpStatus::kIterationLimit;
        solution_.message = fmt::format("no optimum after {} pivots", solution_.iterations);
        return;
      case Verdict::kNone:
        solution_.status = LpStatus::kNumericalTrouble;
        solution_.message = "the simplex method reached no verdict, even from the all-slack basis";
        return;
    }
  }

  void confirm_optimal() {
    const LpResidual& r = solution_.residual;
    if (r.largest() <= options_.residual_tol) {
      solution_.status = LpStatus::kOptimal;
      solution_.message.clear();
      return;
    }
    solution_.status = LpStatus::kResidualTooLarge;
    solution_.message = fmt::format("residuals primal {:.2e}, dual {:.2e}, gap {:.2e} exceed {:.2e}",
                                    r.primal, r.dual, r.gap, options_.residual_tol);
  }

  void confirm_infeasible(const LpProblem& problem) {
    SimplexModel phase_one;
    phase_one.load(elastic_lp(problem));
    int iterations = 0;
    VectorXd z_and_slack;
    VectorXd y;
    const Verdict verdict = phase_one.run(options_, iterations);
    phase_one.read(z_and_slack, y);
    FarkasCertificate certificate = farkas_from_rows(problem, y);
    const FarkasCheck check = verify_farkas(problem, certificate, options_.certificate_tol);
    if (verdict == Verdict::kOptimal && check.status == ProofStatus::kProven) {
      solution_.status = LpStatus::kInfeasible;
      solution_.farkas = std::move(certificate);
      solution_.message =
          fmt::format("infeasible: the rows are violated by at least {:.6g} in total", check.contradiction);
      return;
    }
    solution_.status = LpStatus::kResidualTooLarge;
    solution_.message =
        fmt::format("infeasibility claimed but not proven: contradiction {:.2e}, defect {:.2e}",
                    check.contradiction, check.defect);
  }

  void confirm_unbounded(const LpProblem& problem) {
    SimplexModel recession;
    recession.load(recession_lp(problem));
    int iterations = 0;
    VectorXd d;
    VectorXd unused_dual;
    const Verdict verdict = recession.run(options_, iterations);
    recession.read(d, unused_dual);
    const RayCheck check = verify_ray(problem, d, options_.certificate_tol);
    if (verdict == Verdict::kOptimal && check.status == ProofStatus::kProven &&
        solution_.residual.primal <= options_.residual_tol) {
      solution_.status = LpStatus::kUnbounded;
      solution_.ray = d / d.cwiseAbs().maxCoeff();
      solution_.message =
          fmt::format("unbounded: the objective falls by {:.6g} per unit along the ray", check.descent);
      return;
    }
    solution_.status = LpStatus::kResidualTooLarge;
    solution_.message =
        fmt::format("unboundedness claimed but not proven: descent {:.2e}, defect {:.2e}, primal {:.2e}",
                    check.descent, check.defect, solution_.residual.primal);
  }

  void report_crossing(const LpProblem& problem, const Crossing& crossing) {
    solution_.status = LpStatus::kInfeasible;
    solution_.z.resize(0);
    solution_.row_dual.resize(0);
    solution_.reduced_cost.resize(0);
    solution_.row_activity.resize(0);
    solution_.objective = 0.0;
    solution_.residual = {};
    solution_.farkas = crossing_certificate(problem, crossing);
    const Index k = crossing.index;
    solution_.message = fmt::format("infeasible: bounds of {} {} cross, {:.6g} > {:.6g}",
                                    crossing.in_rows ? "row" : "variable", k,
                                    crossing.in_rows ? problem.row_lower(k) : problem.lower(k),
                                    crossing.in_rows ? problem.row_upper(k) : problem.upper(k));
  }

  LpOptions options_;
  SimplexModel model_;
  LpSolution solution_;
};

LpSolver::LpSolver(const LpOptions& options) : impl_{std::make_unique<Impl>(options)} {}
LpSolver::~LpSolver() = default;
LpSolver::LpSolver(LpSolver&&) noexcept = default;
LpSolver& LpSolver::operator=(LpSolver&&) noexcept = default;

const LpSolution& LpSolver::solve(const LpProblem& problem) {
  return impl_->solve(problem);
}

void LpSolver::reset() {
  impl_->reset();
}

LpSolution solve_lp(const LpProblem& problem, const LpOptions& options) {
  return LpSolver{options}.solve(problem);
}

}  // namespace enfold::lp
