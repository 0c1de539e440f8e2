// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/internal_force_planner.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "enfold/base/require.hpp"
#include "enfold/grasp/audit.hpp"
#include "enfold/grasp/internal_forces.hpp"
#include "enfold/planners/planned_motion.hpp"
#include "enfold/planners/rate_program.hpp"

namespace enfold::planners {
namespace {

using contact::ContactMode;

struct Instant {
  PlanStatus status = PlanStatus::kPlanned;
  control::PlanPoint point;
  std::vector<RowPrice> prices;
  RobustVertex binding;
  std::string reason;
  // What the next instant takes over: the last basis and modes so far, also where there is no plan.
  MatrixXd basis;
  std::vector<ContactMode> modes;
  // What a program over all instants needs; only with a limit of the torques' rates.
  RateInstant rate;
  grasp::GraspMatrices grasp;
  VectorXd lambda_0;

  [[nodiscard]] bool ok() const { return status == PlanStatus::kPlanned; }
};

/// Same status, same critical contact and vertex, same modes: α_d is smooth between two such instants.
bool alike(const Instant& a, const Instant& b) {
  return a.status == b.status && a.point.critical_contact == b.point.critical_contact &&
         a.point.modes == b.point.modes && a.binding.same_as(b.binding);
}

bool alike_in_modes(const Instant& a, const Instant& b) {
  return a.status == b.status && a.point.modes == b.point.modes;
}

class Planner {
 public:
  Planner(const PlanProblem& problem, const PlanOptions& options)
      : problem_{problem},
        options_{options},
        program_{options.objective, problem.limits, problem.contacts->names(),
                 problem.mechanism->joint_names()},
        motion_{problem.mechanism, problem.contacts,   problem.mu,
                problem.modes,     problem.trajectory, problem.coordinates} {
    if (!problem.uncertainty.empty())
      robust_.emplace(problem.uncertainty, problem.limits, problem.contacts->names(),
                      problem.mechanism->n_x());
  }

  PlanSolution run() {
    const double T = problem_.trajectory->duration();
    const auto n = std::max<long>(1, std::lround(std::ceil(T * options_.sample_rate - 1e-9)));
    std::vector<Instant> instants;
    instants.reserve(static_cast<std::size_t>(n) + 64);
    for (long i = 0; i <= n; ++i) {
      const double t = T * static_cast<double>(i) / static_cast<double>(n);
      Instant next = plan_at(t, instants.empty() ? Instant{} : instants.back());
      // With limited rates hops of the critical contact follow from all instants together.
      const bool hops = !instants.empty() && (rate_limited() ? !alike_in_modes(instants.back(), next)
                                                             : !alike(instants.back(), next));
      if (hops) {
        const Instant last = instants.back();
        refine(last, next, instants);
        next = plan_at(t, instants.back());  // continues the basis of its new neighbour
      }
      instants.push_back(std::move(next));
    }
    if (rate_limited()) limit_rates(instants);
    return collect(std::move(instants), robust_.has_value());
  }

 private:
  [[nodiscard]] bool rate_limited() const { return std::isfinite(problem_.limits.max_torque_rate); }

  /// All instants again in one program, if each of them has a plan of its own.
  void limit_rates(std::vector<Instant>& instants) {
    std::vector<RateInstant> all;
    for (Instant& at : instants) {
      if (!at.ok()) return;
      all.push_back(std::move(at.rate));
    }
    const RateSolution solution = solve_rate_program(all, problem_.limits.max_torque_rate);
    if (!solution.ok()) {
      const auto k = static_cast<std::size_t>(solution.steepest);
      for (std::size_t i = k; i <= k + 1; ++i)
        instants[i] = fail(std::move(instants[i]), PlanStatus::kInfeasible, too_steep(instants, solution));
      return;
    }
    for (std::size_t k = 0; k < instants.size(); ++k) {
      Instant& at = instants[k];
      at.point.alpha_des = solution.alpha[k];
      at.point.tau = all[k].tau_0 + all[k].tau_by_alpha * solution.alpha[k];
      const VectorXd lambda = at.lambda_0 + at.point.G_null * solution.alpha[k];
      grasp::spread_forces(at.grasp, at.point.modes, problem_.mu, lambda, at.point.lambda_N,
                           at.point.lambda_T);
      at.prices = program_.prices_of(solution.row_dual[k]);
      at.point.critical_contact = -1;
      at.point.shadow_price = 0.0;
      for (const RowPrice& row : at.prices) {
        if (row.upper || (row.kind != Requirement::kNormal && row.kind != Requirement::kCone)) continue;
        at.point.critical_contact = static_cast<int>(row.who);
        at.point.shadow_price = row.price;
        break;
      }
    }
  }

  [[nodiscard]] std::string too_steep(const std::vector<Instant>& instants,
                                      const RateSolution& solution) const {
    if (solution.status != lp::LpStatus::kInfeasible) return solution.message;
    const auto k = static_cast<std::size_t>(solution.steepest);
    std::string turns;
    for (std::size_t i = 0; i < instants[k].modes.size(); ++i)
      if (instants[k].modes[i] != instants[k + 1].modes[i])
        turns += fmt::format("; the slip of {} turns around there, and its friction with it",
                             problem_.contacts->names()[i]);
    return fmt::format(
        "no squeeze keeps the torques' rates within {:.4g} N·m/s: {:.4g} N·m/s is the least, for {}{}",
        problem_.limits.max_torque_rate, solution.largest_rate,
        problem_.mechanism->joint_names()[static_cast<std::size_t>(solution.steepest_joint)], turns);
  }

  /// Bisects until the two sides of each change are hop_tol apart; `out` takes the instants on the way, in
  /// order.
  void refine(const Instant& a, const Instant& b, std::vector<Instant>& out) {
    const double width = b.point.time - a.point.time;
    if ((rate_limited() ? alike_in_modes(a, b) : alike(a, b)) || width <= options_.hop_tol) return;
    Instant middle = plan_at(a.point.time + 0.5 * width, a);
    refine(a, middle, out);
    middle = plan_at(middle.point.time, out.back());
    out.push_back(middle);
    refine(middle, b, out);
  }

  /// @param before the neighbour in time whose basis and slip directions are continued
  Instant plan_at(double t, const Instant& before) {
    Instant at;
    at.basis = before.basis;
    at.modes = before.modes;
    at.point.time = t;
    motion_.sample(t, before.modes, now_);
    if (now_.status == MotionStatus::kOutOfReach)
      return fail(std::move(at), PlanStatus::kOutOfReach, now_.reason);
    if (!now_.ok()) return fail(std::move(at), PlanStatus::kUncontrollable, now_.reason);
    at.point.theta = now_.theta;
    at.point.theta_dot = now_.v.tail(now_.theta.size());
    at.point.theta_ddot = now_.v_dot.tail(now_.theta.size());
    at.modes = now_.modes;
    at.point.modes = now_.modes;
    if (now_.grasp.k() >= now_.grasp.G.rows()) internal_.compute(now_.grasp.G);
    if (now_.grasp.k() < now_.grasp.G.rows() || !(internal_.rank_ratio() > 1e-10)) {
      return fail(
          std::move(at), PlanStatus::kUncontrollable,
          fmt::format("the grasp matrix G loses rank: the contacts cannot push the object every way; {}",
                      grasp::refusal(grasp::audit(*problem_.mechanism, *problem_.contacts, now_.q, now_.modes,
                                                  problem_.mu, problem_.coordinates))));
    }
    if (at.basis.size() > 0) {
      internal_.align(at.basis);
    } else {
      internal_.align_to_squeeze(now_.grasp.n_C());
    }
    at.basis = internal_.basis();
    forces_at(t, at);
    return at;
  }

  void forces_at(double t, Instant& at) {
    const Index n_x = problem_.mechanism->n_x();
    const Index n_theta = problem_.mechanism->n_theta();
    wrench_ = now_.dynamics.h.head(n_x) + now_.dynamics.M.topLeftCorner(n_x, n_x) * now_.reference.x_ddot;
    internal_.particular(wrench_, lambda_0_);
    tau_0_ = now_.dynamics.h.tail(n_theta) +
             now_.dynamics.M.bottomRightCorner(n_theta, n_theta) * now_.v_dot.tail(n_theta) +
             now_.grasp.J.transpose() * lambda_0_;
    floors_.resize(problem_.mu.size());
    for (Index i = 0; i < floors_.size(); ++i) floors_[i] = problem_.min_normal(t, i);
    const SqueezeInstant instant{now_.grasp, at.point.modes, problem_.mu, internal_.basis(),
                                 lambda_0_,  tau_0_,         floors_};
    const RobustSqueeze* robust = robust_ ? &robust_->solve(program_, instant, now_) : nullptr;
    if (robust != nullptr && robust->status != RobustStatus::kSolved) {
      at = fail(std::move(at), PlanStatus::kNotUnique, robust->reason);
      return;
    }
    const Squeeze& squeeze = robust != nullptr ? robust->squeeze : program_.solve(instant);
    if (robust != nullptr) at.binding = robust->binding;
    at.prices = squeeze.prices;
    if (!squeeze.ok()) {
      at = fail(std::move(at), PlanStatus::kInfeasible, squeeze.reason);
      return;
    }
    if (rate_limited()) {
      const VectorXd alpha = squeeze.alpha;
      const InstantProgram program = program_.program(instant);
      at.rate = {t, program.lp, program.tau_by_alpha, tau_0_, alpha};
      at.grasp = now_.grasp;
      at.lambda_0 = lambda_0_;
    }
    at.point.alpha_des = squeeze.alpha;
    at.point.G_null = internal_.basis();
    at.point.tau = squeeze.tau;
    at.point.critical_contact = squeeze.critical_contact;
    at.point.shadow_price = squeeze.shadow_price;
    grasp::spread_forces(now_.grasp, at.point.modes, problem_.mu, squeeze.lambda, at.point.lambda_N,
                         at.point.lambda_T);
  }

  static Instant fail(Instant at, PlanStatus status, std::string reason) {
    at.status = status;
    at.reason = std::move(reason);
    return at;
  }

  static PlanSolution collect(std::vector<Instant> instants, bool robust) {
    PlanSolution solution;
    solution.plan.points.reserve(instants.size());
    bool open = false;
    for (Instant& at : instants) {
      const double t = at.point.time;
      if (at.ok()) {
        solution.plan.points.push_back(std::move(at.point));
        solution.prices.push_back(std::move(at.prices));
        if (robust) solution.binding.push_back(std::move(at.binding));
      } else if (open && solution.failures.back().status == at.status) {
        solution.failures.back().to = t;
      } else {
        solution.failures.push_back({t, t, at.status, at.reason});
      }
      open = !at.ok();
    }
    if (!solution.failures.empty()) {
      const PlanFailure& first = solution.failures.front();
      solution.status = first.status;
      solution.message = fmt::format("from t = {:.4g} s to {:.4g} s {}", first.from, first.to, first.reason);
    }
    return solution;
  }

  const PlanProblem& problem_;
  const PlanOptions& options_;
  SqueezeProgram program_;
  std::optional<RobustSolver> robust_;
  PlannedMotion motion_;
  MotionPoint now_;
  grasp::InternalForces internal_;
  VectorXd wrench_, lambda_0_, tau_0_, floors_;
};

void validate(const PlanProblem& problem, const PlanOptions& options) {
  ENFOLD_REQUIRE(problem.mechanism && problem.contacts && problem.trajectory && problem.min_normal,
                 "plan_internal_forces: mechanism, contacts, trajectory and min_normal must all be given");
  const Index n = problem.contacts->n_contacts();
  ENFOLD_REQUIRE(problem.mu.size() == n && static_cast<Index>(problem.modes.size()) == n,
                 "plan_internal_forces: {} friction coefficients and {} modes for {} contacts",
                 problem.mu.size(), problem.modes.size(), n);
  ENFOLD_REQUIRE(options.sample_rate >= 10.0 && options.sample_rate <= 10000.0,
                 "plan_internal_forces: sample_rate is {} Hz, expected 10 … 10000", options.sample_rate);
  ENFOLD_REQUIRE(
      !std::isfinite(problem.limits.max_torque_rate) ||
          (problem.uncertainty.empty() && options.objective != Objective::kLiteral),
      "plan_internal_forces: limited torque rates need a plan that is not robust, and an objective that "
      "is one program");
  ENFOLD_REQUIRE(options.hop_tol > 0.0, "plan_internal_forces: hop_tol is {} s, expected > 0",
                 options.hop_tol);
}

}  // namespace

std::string_view to_string(PlanStatus status) {
  switch (status) {
    case PlanStatus::kPlanned:
      return "planned";
    case PlanStatus::kInfeasible:
      return "infeasible";
    case PlanStatus::kOutOfReach:
      return "out of reach";
    case PlanStatus::kUncontrollable:
      return "uncontrollable";
    case PlanStatus::kNotUnique:
      return "not unique";
  }
  return "unknown";
}

PlanSolution plan_internal_forces(const PlanProblem& problem, const PlanOptions& options) {
  validate(problem, options);
  return Planner(problem, options).run();
}

std::vector<CriticalStretch> critical_stretches(const control::Plan& plan, double shortest) {
  std::vector<CriticalStretch> all;
  for (const control::PlanPoint& point : plan.points) {
    if (all.empty() || all.back().contact != point.critical_contact) {
      if (!all.empty()) all.back().to = point.time;
      all.push_back({point.time, point.time, point.critical_contact});
    }
    all.back().to = point.time;
  }
  std::vector<CriticalStretch> merged;
  for (const CriticalStretch& stretch : all) {
    const bool brief = stretch.to - stretch.from < shortest;
    if (!merged.empty() && (brief || merged.back().contact == stretch.contact)) {
      merged.back().to = stretch.to;
    } else {
      merged.push_back(stretch);
    }
  }
  return merged;
}

}  // namespace enfold::planners
