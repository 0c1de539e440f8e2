// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/feasible_duration.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"
#include "enfold/grasp/internal_forces.hpp"
#include "enfold/planners/planned_motion.hpp"
#include "enfold/planners/round_path.hpp"

namespace enfold::planners {
namespace {

using lp::kInfinity;

// ζ = (T_1/T)² of the second speed that is looked at, and the largest: a thousandth of the duration.
constexpr double kSlow = 0.25;
constexpr double kFastest = 1e6;

/// The requirements at one instant of the path, at one speed.
class Instants {
 public:
  Instants(const PlanProblem& problem, double duration)
      : problem_{problem},
        duration_{duration},
        program_{Objective::kNormals, problem.limits, problem.contacts->names(),
                 problem.mechanism->joint_names()},
        motion_{problem.mechanism,
                problem.contacts,
                problem.mu,
                problem.modes,
                std::make_shared<Retimed>(problem.trajectory, duration),
                problem.coordinates} {}

  /// At the part u of the duration. @param modes slip directions before, updated
  PlanStatus set(double u, std::vector<contact::ContactMode>& modes) {
    motion_.sample(u * duration_, modes, now_);
    if (now_.status == MotionStatus::kOutOfReach) return refuse(PlanStatus::kOutOfReach, now_.reason);
    if (!now_.ok()) return refuse(PlanStatus::kUncontrollable, now_.reason);
    modes = now_.modes;
    if (now_.grasp.k() >= now_.grasp.G.rows()) internal_.compute(now_.grasp.G);
    if (now_.grasp.k() < now_.grasp.G.rows() || !(internal_.rank_ratio() > 1e-10))
      return refuse(PlanStatus::kUncontrollable, "the grasp matrix G loses rank");
    internal_.align_to_squeeze(now_.grasp.n_C());
    basis_ = internal_.basis();
    const Index n_x = problem_.mechanism->n_x();
    const Index n_theta = problem_.mechanism->n_theta();
    const VectorXd wrench =
        now_.dynamics.h.head(n_x) + now_.dynamics.M.topLeftCorner(n_x, n_x) * now_.reference.x_ddot;
    internal_.particular(wrench, lambda_0_);
    tau_0_ = now_.dynamics.h.tail(n_theta) +
             now_.dynamics.M.bottomRightCorner(n_theta, n_theta) * now_.v_dot.tail(n_theta) +
             now_.grasp.J.transpose() * lambda_0_;
    floors_.resize(problem_.mu.size());
    for (Index i = 0; i < floors_.size(); ++i)
      floors_[i] = problem_.min_normal(u * problem_.trajectory->duration(), i);
    return PlanStatus::kPlanned;
  }
  [[nodiscard]] SqueezeInstant instant() const {
    return {now_.grasp, now_.modes, problem_.mu, basis_, lambda_0_, tau_0_, floors_};
  }
  [[nodiscard]] const lp::LpProblem& program() { return program_.program(instant()).lp; }
  [[nodiscard]] const Squeeze& solve() { return program_.solve(instant()); }
  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] const VectorXd& floors() const { return floors_; }

  /// The rows whose price is not zero, in words.
  [[nodiscard]] std::string deciding(const VectorXd& row_dual) {
    std::vector<std::string> texts;
    for (Index row = 0; row < row_dual.size(); ++row) {
      if (std::abs(row_dual[row]) < 1e-9) continue;
      std::string text = program_.requirement_text(row, instant());
      if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
    }
    return fmt::format("{}", fmt::join(texts, " and "));
  }

 private:
  PlanStatus refuse(PlanStatus status, std::string reason) {
    reason_ = std::move(reason);
    return status;
  }

  const PlanProblem& problem_;
  double duration_;
  SqueezeProgram program_;
  PlannedMotion motion_;
  MotionPoint now_;
  grasp::InternalForces internal_;
  MatrixXd basis_;
  VectorXd lambda_0_, tau_0_, floors_;
  std::string reason_;
};

/// One more variable s, with the weights −w in the rows: R α − w s within the bounds plus `shift`.
lp::LpProblem with_variable(const lp::LpProblem& lp, const VectorXd& w, const VectorXd& shift, double most) {
  const Index n = lp.n();
  lp::LpProblem out = lp::unconstrained_lp(n + 1, lp.m());
  out.R << lp.R, -w;
  out.row_lower = lp.row_lower + shift;
  out.row_upper = lp.row_upper + shift;
  out.lower << lp.lower, 0.0;
  out.upper << lp.upper, most;
  return out;
}

long samples_of(const PlanProblem& problem, const PlanOptions& options) {
  return std::max<long>(1,
                        std::lround(std::ceil(problem.trajectory->duration() * options.sample_rate - 1e-9)));
}

/// What every instant allows: the samples, and both sides of every turn of a slip.
class Range {
 public:
  Range(const PlanProblem& problem, const PlanOptions& options)
      : T_{problem.trajectory->duration()},
        tol_{options.hop_tol / T_},
        fast_(problem, T_),
        slow_(problem, T_ / std::sqrt(kSlow)) {}

  DurationRange over(long n) {
    for (long i = 0; i <= n; ++i) {
      const double u = static_cast<double>(i) / static_cast<double>(n);
      const std::vector<contact::ContactMode> before = fast_modes_;
      if (!consider(u)) return out_;
      if (i > 0 && fast_modes_ != before &&
          !turn(static_cast<double>(i - 1) / static_cast<double>(n), u, before))
        return out_;
    }
    out_.shortest = T_ / std::sqrt(most_);
    out_.longest = least_ > 1e-12 ? T_ / std::sqrt(least_) : kInfinity;
    if (out_.shortest > out_.longest * (1.0 + 1e-9)) {
      out_.status = PlanStatus::kInfeasible;
      out_.reason = fmt::format(
          "no one speed suits the whole path: at {:.4g} % of it the duration must be at least {:.4g} s for "
          "{}, "
          "at {:.4g} % at most {:.4g} s for {}",
          100.0 * out_.shortest_at, out_.shortest, out_.shortest_by, 100.0 * out_.longest_at, out_.longest,
          out_.longest_by);
    }
    return out_;
  }

 private:
  /// Narrows the interval by the instant at the part u. Whether there is any left at all.
  bool consider(double u) {
    const PlanStatus status = fast_.set(u, fast_modes_);
    if (status != PlanStatus::kPlanned || slow_.set(u, slow_modes_) != PlanStatus::kPlanned) {
      out_.status = status;
      out_.reason = fmt::format("at {:.4g} % of the path {}", 100.0 * u, fast_.reason());
      return false;
    }
    const lp::LpProblem& at_1 = fast_.program();
    const lp::LpProblem& at_slow = slow_.program();
    // Bounds move with ζ as minus the offsets do; of two finite ones both by the same.
    VectorXd slope(at_1.m());
    for (Index r = 0; r < at_1.m(); ++r) {
      const bool lower = std::isfinite(at_1.row_lower[r]);
      slope[r] = lower                              ? at_1.row_lower[r] - at_slow.row_lower[r]
                 : std::isfinite(at_1.row_upper[r]) ? at_1.row_upper[r] - at_slow.row_upper[r]
                                                    : 0.0;
    }
    slope /= 1.0 - kSlow;
    lp::LpProblem both = with_variable(at_1, slope, -slope, kFastest);
    const Index zeta = both.n() - 1;
    both.c[zeta] = -1.0;
    const lp::LpSolution& highest = upwards_.solve(both);
    if (!highest.ok()) {
      out_.status = PlanStatus::kInfeasible;
      out_.reason =
          fmt::format("at {:.4g} % of the path no speed helps: {}", 100.0 * u, fast_.solve().reason);
      return false;
    }
    if (highest.z[zeta] < most_) {
      most_ = highest.z[zeta];
      out_.shortest_at = u;
      out_.shortest_by = fast_.deciding(highest.row_dual);
    }
    both.c[zeta] = 1.0;
    const lp::LpSolution& lowest = downwards_.solve(both);
    if (lowest.ok() && lowest.z[zeta] > least_ + 1e-12) {
      least_ = lowest.z[zeta];
      out_.longest_at = u;
      out_.longest_by = fast_.deciding(lowest.row_dual);
    }
    return true;
  }

  /// Looks at both sides of where the modes stop being `before`.
  bool turn(double from, double to, const std::vector<contact::ContactMode>& before) {
    const std::vector<contact::ContactMode> after = fast_modes_;
    while (to - from > tol_) {
      const double middle = 0.5 * (from + to);
      fast_modes_ = before;
      if (!consider(middle)) return false;
      (fast_modes_ == before ? from : to) = middle;
    }
    fast_modes_ = slow_modes_ = after;
    return true;
  }

  double T_, tol_;
  Instants fast_, slow_;
  std::vector<contact::ContactMode> fast_modes_, slow_modes_;
  lp::LpSolver upwards_, downwards_;
  DurationRange out_;
  double least_ = 0.0, most_ = kFastest;
};

bool has_plan(const PlanProblem& problem, const PlanOptions& options, double duration, std::string& reason) {
  PlanProblem other = problem;
  other.trajectory = std::make_shared<Retimed>(problem.trajectory, duration);
  const double back = problem.trajectory->duration() / duration;
  other.min_normal = [&problem, back](double t, Index i) { return problem.min_normal(t * back, i); };
  PlanOptions as_many = options;
  as_many.sample_rate = std::clamp(options.sample_rate * back, 10.0, 10000.0);
  const PlanSolution solution = plan_internal_forces(other, as_many);
  if (!solution.ok()) reason = solution.message;
  return solution.ok();
}

}  // namespace

DurationRange feasible_durations(const PlanProblem& problem, const PlanOptions& options) {
  DurationRange out = Range(problem, options).over(samples_of(problem, options));
  const bool coupled = std::isfinite(problem.limits.max_torque_rate) || !problem.uncertainty.empty();
  if (!out.exists() || !coupled) return out;
  std::string reason;
  double infeasible = out.shortest;
  double feasible = out.shortest * (1.0 + 1e-9);
  if (has_plan(problem, options, feasible, reason)) return out;
  do {
    infeasible = feasible;
    feasible *= 1.5;
    if (feasible > 100.0 * std::max(out.shortest, problem.trajectory->duration()) || feasible > out.longest) {
      out.status = PlanStatus::kInfeasible;
      out.reason = fmt::format("a slower motion does not help, up to {:.4g} s: {}", infeasible, reason);
      return out;
    }
  } while (!has_plan(problem, options, feasible, reason));
  while (feasible - infeasible > 1e-3 * feasible) {
    const double middle = 0.5 * (feasible + infeasible);
    (has_plan(problem, options, middle, reason) ? feasible : infeasible) = middle;
  }
  out.shortest = feasible;
  out.shortest_by = reason;
  return out;
}

double feasible_floors(const PlanProblem& problem, const PlanOptions& options) {
  ENFOLD_REQUIRE(!std::isfinite(problem.limits.max_torque_rate) && problem.uncertainty.empty(),
                 "feasible_floors: not for robust plans or limited torque rates");
  Instants at(problem, problem.trajectory->duration());
  std::vector<contact::ContactMode> modes;
  lp::LpSolver solver;
  double part = 1.0;
  const long n = samples_of(problem, options);
  for (long i = 0; i <= n; ++i) {
    if (at.set(static_cast<double>(i) / static_cast<double>(n), modes) != PlanStatus::kPlanned) return -1.0;
    const lp::LpProblem& program = at.program();
    // λ_N − κ Λ ≥ 0: the first rows are the floors, in the order of the columns.
    VectorXd weight = VectorXd::Zero(program.m());
    VectorXd shift = VectorXd::Zero(program.m());
    const grasp::GraspMatrices& grasp = at.instant().grasp;
    for (Index column = 0; column < grasp.n_C(); ++column) {
      const Index contact = column < grasp.n_S()
                                ? grasp.sliding[static_cast<std::size_t>(column)]
                                : grasp.rolling[static_cast<std::size_t>(column - grasp.n_S())];
      weight[column] = at.floors()[contact];
      shift[column] = -at.floors()[contact];
    }
    lp::LpProblem scaled = with_variable(program, weight, VectorXd::Zero(program.m()), 1.0);
    scaled.row_lower += shift;
    // Ceilings don't move with κ: rows of their own.
    const Index m = scaled.m();
    scaled.R.conservativeResize(m + grasp.n_C(), Eigen::NoChange);
    scaled.row_lower.conservativeResize(m + grasp.n_C());
    scaled.row_upper.conservativeResize(m + grasp.n_C());
    for (Index column = 0; column < grasp.n_C(); ++column) {
      scaled.R.row(m + column) << program.R.row(column), 0.0;
      scaled.row_lower[m + column] = -kInfinity;
      scaled.row_upper[m + column] = program.row_upper[column];
      scaled.row_upper[column] = kInfinity;
    }
    scaled.c[scaled.n() - 1] = -1.0;
    const lp::LpSolution& solution = solver.solve(scaled);
    if (!solution.ok()) return -1.0;
    part = std::min(part, solution.z[scaled.n() - 1]);
  }
  return part;
}

}  // namespace enfold::planners
