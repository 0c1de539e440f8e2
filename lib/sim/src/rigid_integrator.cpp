// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/sim/rigid_integrator.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "enfold/base/require.hpp"

namespace enfold::sim {

using contact::ContactMode;
using contact::is_sliding;
using contact::slip_sign;
using ode::DenseMethod;
using ode::DenseOutcome;

namespace {

// What a mode may be violated by before it has ended; above what an event's location leaves behind.
constexpr double kSlipSlack = 1e-8;     // [m/s]
constexpr double kGapSlack = 1e-11;     // [m]
constexpr double kConeSlack = 1e-8;     // of the largest force
constexpr double kLiftSlack = 1e-7;     // of the largest acceleration
constexpr double kClosingSlack = 1e-9;  // [m/s]: a slower approach is drift

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

const char* impact_cause(const Impact& impact) {
  if (impact.restitution_scale < 1.0)
    return "the gap closed; restitution was lowered, for it would have created energy";
  switch (impact.status) {
    case FrictionStatus::kUnique:
      return "the gap closed";
    case FrictionStatus::kContinuum:
      return "the gap closed; how the contacts share the impulse is not determined";
    case FrictionStatus::kUndecided:
      return "the gap closed; whether there are other answers was not decided";
    default:
      return "the gap closed; of several answers the one with the least energy";
  }
}

}  // namespace

RigidIntegrator::RigidIntegrator(RigidPlant& plant, std::vector<bool> automatic,
                                 const RigidIntegratorOptions& options)
    : plant_{plant},
      automatic_{std::move(automatic)},
      options_{options},
      stepper_{options.method},
      modes_{plant.modes()} {
  ENFOLD_REQUIRE(automatic_.size() == modes_.size(), "RigidIntegrator: {} flags for {} contacts",
                 automatic_.size(), modes_.size());
  ENFOLD_REQUIRE(options.method != DenseMethod::kRosenbrock4,
                 "RigidIntegrator: the contact problem has no Jacobian for an implicit method");
  ENFOLD_REQUIRE(options.position_tol > 0.0 && options.velocity_tol > 0.0 && options.event_tol > 0.0,
                 "RigidIntegrator: tolerances are {}, {} and {}, expected > 0", options.position_tol,
                 options.velocity_tol, options.event_tol);
  const mechanics::Mechanism& mechanism = *plant.model().mechanism;
  q_.setZero(mechanism.n_q());
  q_dot_ = q_;
  v_.setZero(mechanism.n_v());
  x_.assign(at(q_.size() + v_.size()), 0.0);
  event_x_ = x_;
  ode::State tolerances(x_.size(), options.position_tol);
  std::fill_n(tolerances.begin() + q_.size(), v_.size(), options.velocity_tol);
  stepper_.set_tolerances(tolerances, 1e-14);
}

void RigidIntegrator::unpack(const ode::State& x) {
  q_ = Eigen::Map<const VectorXd>(x.data(), q_.size());
  v_ = Eigen::Map<const VectorXd>(x.data() + q_.size(), v_.size());
}

void RigidIntegrator::derivative(const ode::State& x, ode::State& rate, double t) {
  // A stage that failed makes NaN of all that follow: the step is lost.
  if (stage_ == ContactSolveStatus::kSolved) {
    ++result_.evaluations;
    unpack(x);
    plant_.set_time(t);
    stage_ = plant_.solve(q_, v_, tau_);
  }
  if (stage_ != ContactSolveStatus::kSolved) {
    std::fill(rate.begin(), rate.end(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  if (t < doubtful_ && failing_at_last_solve() >= 0) doubtful_ = t;
  plant_.model().mechanism->configuration_rate(q_, v_, q_dot_);
  const auto out = std::copy(q_dot_.begin(), q_dot_.end(), rate.begin());
  std::copy(plant_.v_dot().begin(), plant_.v_dot().end(), out);
}

Index RigidIntegrator::failing(const ode::State& x, double t) {
  unpack(x);
  plant_.set_time(t);
  ++result_.evaluations;
  if (plant_.solve(q_, v_, tau_) != ContactSolveStatus::kSolved) return -1;  // the next step says so
  return failing_at_last_solve();
}

Index RigidIntegrator::failing_at_last_solve() const {
  const contact::ContactKinematics& kinematics = plant_.kinematics();
  const double force = plant_.lambda_N().size() > 0 ? plant_.lambda_N().maxCoeff() : 0.0;
  const double acceleration = plant_.v_dot().lpNorm<Eigen::Infinity>();
  const Index lost = plant_.features().first_lost(q_);
  if (lost >= 0) return lost;
  for (Index i = 0; i < kinematics.gap.size(); ++i) {
    if (!automatic_[at(i)]) continue;
    const ContactMode mode = modes_[at(i)];
    const double gap_rate = kinematics.W_N.col(i).dot(v_);
    if (mode == ContactMode::kOpen) {
      if (kinematics.gap[i] - plant_.offset()[i] < -kGapSlack && gap_rate < -kClosingSlack) return i;
      continue;
    }
    if (plant_.lambda_N()[i] <= 0.0 && plant_.normal_acceleration(i) > kLiftSlack * acceleration) return i;
    if (is_sliding(mode) && slip_sign(mode) * kinematics.W_T.col(i).dot(v_) < -kSlipSlack) return i;
    if (mode == ContactMode::kRoll &&
        std::abs(plant_.lambda_T()[i]) > plant_.model().mu[i] * plant_.lambda_N()[i] + kConeSlack * force)
      return i;
  }
  return -1;
}

/// Looks at the end of the last step, and before it where a stage was in doubt, and bisects to where a mode
/// first fails. The plant's last solve is that of the end: the methods' last stage.
bool RigidIntegrator::find_event(double from) {
  double good = from;
  double bad = doubtful_;
  if (bad < stepper_.t()) {
    stepper_.interpolate(bad, event_x_);
    event_contact_ = failing(event_x_, bad);
  }
  if (!(bad < stepper_.t()) || event_contact_ < 0) {
    if (bad < stepper_.t()) good = bad;
    bad = stepper_.t();
    event_contact_ = failing(stepper_.x(), bad);
    if (event_contact_ < 0) return false;
  }
  while (bad - good > options_.event_tol) {
    const double middle = 0.5 * (good + bad);
    if (middle <= good || middle >= bad) break;
    stepper_.interpolate(middle, event_x_);
    const Index contact = failing(event_x_, middle);
    if (contact < 0) {
      good = middle;
    } else {
      bad = middle;
      event_contact_ = contact;
    }
  }
  stepper_.interpolate(bad, event_x_);
  event_t_ = bad;
  return true;
}

std::string RigidIntegrator::names(const std::vector<Index>& contacts) const {
  std::string out;
  for (const Index i : contacts) out += (out.empty() ? "" : ", ") + plant_.model().contacts->names()[at(i)];
  return out;
}

/// S4 Eq. (22), with the contacts at zero slip counted as sticking.
bool RigidIntegrator::determinate(const std::vector<Index>& closed, const std::vector<Index>& sticking,
                                  std::string& reason) const {
  const Index n_v = v_.size();
  const auto k = static_cast<Index>(closed.size() + sticking.size());
  if (sticking.empty()) return true;  // whether A is a P-matrix says the rest
  if (k >= n_v) {
    reason = fmt::format("at rest, where contacts may stick: {}; 2 n_R + n_S = {} is not below n = {} (22)",
                         names(sticking), k, n_v);
    return false;
  }
  MatrixXd W(n_v, k);
  W << plant_.kinematics().W_N(Eigen::all, closed), plant_.kinematics().W_T(Eigen::all, sticking);
  Eigen::ColPivHouseholderQR<MatrixXd> qr(W);
  qr.setThreshold(1e-9);
  if (qr.rank() == k) return true;
  reason = fmt::format("rank W = {} is below 2 n_R + n_S = {} with {} sticking (22)", qr.rank(), k,
                       names(sticking));
  return false;
}

bool RigidIntegrator::collide(double t, const std::vector<Index>& touching, bool over_corner) {
  const contact::ContactKinematics& kinematics = plant_.kinematics();
  const PlantModel& model = plant_.model();
  ImpactProblem problem;
  problem.M = plant_.dynamics().M;
  problem.W_N = kinematics.W_N(Eigen::all, touching);
  problem.W_T = kinematics.W_T(Eigen::all, touching);
  problem.v = v_;
  problem.mu = model.mu(touching);
  problem.restitution = model.restitution.size() > 0 ? VectorXd(model.restitution(touching))
                                                     : VectorXd::Zero(problem.mu.size());
  const Impact impact = solve_impact(problem, options_.impact);
  if (!impact.ok()) {
    result_.status = RigidStatus::kNone;
    result_.reason = fmt::format("the impact of {} has no answer", names(touching));
    return false;
  }
  const double jump = (impact.v - v_).lpNorm<Eigen::Infinity>();
  double energy = impact.energy_change;
  for (std::size_t k = 0; k < touching.size(); ++k) {
    const double p = impact.impulse_N[static_cast<Index>(k)];
    if (p <= 0.0) continue;
    events_.push_back({t, true, touching[k], modes_[at(touching[k])], modes_[at(touching[k])],
                       over_corner ? "the contact went on to another corner" : impact_cause(impact), p, jump,
                       0.0, energy});
    energy = 0.0;
  }
  v_ = impact.v;
  std::copy(v_.begin(), v_.end(), x_.begin() + q_.size());
  return true;
}

const char* RigidIntegrator::cause_of(Index i) const {
  return modes_[at(i)] == ContactMode::kOpen   ? "the gap closed"
         : is_sliding(modes_[at(i)])           ? "the slip reached zero"
         : modes_[at(i)] == ContactMode::kRoll ? "friction reached its limit"
                                               : "";
}

/// New modes at x_: an impact if a contact is closing, then the friction problem of what touches.
bool RigidIntegrator::resolve(double t, Index trigger) {
  unpack(x_);
  plant_.set_time(t);
  if (plant_.solve(q_, v_, tau_) == ContactSolveStatus::kSingular) {
    result_.status = RigidStatus::kSingular;
    result_.reason = "the mass matrix, or the rows of rolling contacts, can't be factorised";
    return false;
  }
  const VectorXd lambda_N = plant_.lambda_N();
  const VectorXd lambda_T = plant_.lambda_T();
  // Where another part of the surfaces is the nearest now: over a corner the contact point jumps, and its new
  // place may close with a speed.
  const std::size_t n_before = feature_changes_.size();
  if (plant_.features().any()) plant_.change_features().update(q_, t, feature_changes_);
  const std::span<const contact::FeatureChange> moved = std::span{feature_changes_}.subspan(n_before);
  const auto has_moved = [&](Index i) {
    return std::ranges::any_of(moved,
                               [i](const contact::FeatureChange& change) { return change.contact == i; });
  };
  if (!moved.empty()) {
    if (trigger >= 0 && has_moved(trigger)) trigger = -1;
    (void)plant_.solve(q_, v_, tau_);
  }
  const contact::ContactKinematics& kinematics = plant_.kinematics();
  const auto rate = [&](Index i) { return kinematics.W_N.col(i).dot(v_); };
  const auto slip = [&](Index i) { return kinematics.W_T.col(i).dot(v_); };
  std::vector<Index> touching;
  bool closing = false, over_corner = false;
  for (Index i = 0; i < kinematics.gap.size(); ++i) {
    const bool open = modes_[at(i)] == ContactMode::kOpen;
    if (open && (kinematics.gap[i] - plant_.offset()[i] > options_.zero_gap || rate(i) > kClosingSlack))
      continue;
    touching.push_back(i);
    over_corner = over_corner || (!open && rate(i) < -kSlipSlack && has_moved(i));
    closing = closing || over_corner || (open && rate(i) < -kClosingSlack);
  }
  if (closing) {
    if (!collide(t, touching, over_corner)) return false;
    std::erase_if(touching, [&](Index i) { return automatic_[at(i)] && rate(i) > kSlipSlack; });
  }

  if (std::ranges::none_of(automatic_, std::identity{})) {  // what is declared stays; nothing to be found
    if (plant_.solve(q_, v_, tau_) == ContactSolveStatus::kSolved) return true;
    result_.status = RigidStatus::kSolverFailed;
    result_.reason = fmt::format("the contact problem of {} could not be solved", names(touching));
    return false;
  }

  // What may each of them do?
  FrictionProblem friction;
  std::vector<Index> sticking;
  for (const Index i : touching) {
    ContactFreedom freedom = ContactFreedom::kHeld;
    if (automatic_[at(i)]) {
      const bool resting = std::abs(slip(i)) <= options_.zero_slip ||
                           (i == trigger && is_sliding(modes_[at(i)]) &&
                            slip_sign(modes_[at(i)]) * slip(i) < 0.0 && std::abs(slip(i)) < 1e-3) ||
                           (!closing && modes_[at(i)] == ContactMode::kRoll);
      freedom = resting         ? ContactFreedom::kStickOrSlip
                : slip(i) > 0.0 ? ContactFreedom::kSlidePlus
                                : ContactFreedom::kSlideMinus;
    } else if (is_sliding(modes_[at(i)])) {
      freedom =
          modes_[at(i)] == ContactMode::kSlidePlus ? ContactFreedom::kSlidePlus : ContactFreedom::kSlideMinus;
    }
    if (freedom == ContactFreedom::kStickOrSlip || freedom == ContactFreedom::kHeld) sticking.push_back(i);
    friction.freedom.push_back(freedom);
  }
  if (options_.require_determinate && !determinate(touching, sticking, result_.reason)) {
    result_.status = RigidStatus::kIndeterminate;
    return false;
  }
  const auto m = static_cast<Index>(touching.size());
  MatrixXd W(v_.size(), 2 * m);
  W << kinematics.W_N(Eigen::all, touching), kinematics.W_T(Eigen::all, touching);
  const Eigen::LLT<MatrixXd> M_llt(plant_.dynamics().M);
  // The acceleration without any contact force.
  const std::vector<ContactMode> all_open(modes_.size(), ContactMode::kOpen);
  plant_.set_modes(all_open);
  plant_.solve(q_, v_, tau_);
  const VectorXd free = plant_.v_dot();
  friction.D = W.transpose() * M_llt.solve(W);
  friction.mu = plant_.model().mu(touching);
  friction.c_N.resize(m);
  friction.c_T.resize(m);
  const double omega = plant_.options().drift_frequency;
  for (Index k = 0; k < m; ++k) {
    const Index i = touching[at(k)];
    friction.c_N[k] = kinematics.W_N.col(i).dot(free) + kinematics.bias_N[i] + 2.0 * omega * rate(i) +
                      omega * omega * (kinematics.gap[i] - plant_.offset()[i]);
    friction.c_T[k] =
        kinematics.W_T.col(i).dot(free) + kinematics.bias_T[i] +
        2.0 * omega * slip(i) * (friction.freedom[at(k)] == ContactFreedom::kStickOrSlip ? 1.0 : 0.0);
  }
  const FrictionSolution solved = solve_friction(friction);
  if (solved.answers.empty() || solved.status == FrictionStatus::kSeveral ||
      solved.status == FrictionStatus::kContinuum) {
    plant_.set_modes(modes_);
    plant_.solve(q_, v_, tau_);
    result_.status = solved.answers.empty() ? RigidStatus::kNone : RigidStatus::kSeveral;
    result_.reason =
        solved.answers.empty() ? fmt::format("the contact problem of {} has no answer", names(touching))
        : solved.status == FrictionStatus::kContinuum
            ? fmt::format("the forces of {} are not determined", names(touching))
            : fmt::format("the contact problem of {} has {} answers", names(touching), solved.answers.size());
    return false;
  }

  std::vector<ContactMode> next(modes_.size(), ContactMode::kOpen);
  const FrictionAnswer& answer = solved.answers.front();
  for (std::size_t k = 0; k < touching.size(); ++k) {
    const Index i = touching[k];
    next[at(i)] = answer.modes[k];
    // A declared contact stays closed here; whether it is lost is for the caller to say.
    if (!automatic_[at(i)]) next[at(i)] = modes_[at(i)];
  }
  plant_.set_modes(next);
  if (plant_.solve(q_, v_, tau_) != ContactSolveStatus::kSolved) {
    result_.status = RigidStatus::kSolverFailed;
    result_.reason = fmt::format("the contact problem of {} could not be solved", names(touching));
    return false;
  }
  const double jump = std::max((plant_.lambda_N() - lambda_N).lpNorm<Eigen::Infinity>(),
                               (plant_.lambda_T() - lambda_T).lpNorm<Eigen::Infinity>());
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (next[i] == modes_[i]) continue;
    const char* cause = next[i] == ContactMode::kOpen      ? "the normal force reached zero"
                        : static_cast<Index>(i) == trigger ? cause_of(trigger)
                        : !moved.empty()                   ? "a contact went on to another part of a surface"
                                                           : "another contact changed its mode";
    if (next[i] == ContactMode::kOpen && closing) cause = "an impact";
    events_.push_back({t, false, static_cast<Index>(i), modes_[i], next[i], cause, 0.0, 0.0, jump, 0.0});
  }
  modes_ = next;
  if (plant_.features().any()) plant_.change_features().follow(q_, modes_);
  return true;
}

void RigidIntegrator::begin(const VectorXd& q, const VectorXd& v, const VectorXd& tau, double t) {
  ENFOLD_REQUIRE(q.size() == q_.size() && v.size() == v_.size(),
                 "RigidIntegrator: the state has {} + {} entries, expected {} + {}", q.size(), v.size(),
                 q_.size(), v_.size());
  result_ = {};
  result_.t = t;
  events_.clear();
  feature_changes_.clear();
  tau_ = tau;
  stage_ = ContactSolveStatus::kSolved;
  modes_ = plant_.modes();
  const auto out = std::copy(q.begin(), q.end(), x_.begin());
  std::copy(v.begin(), v.end(), out);
  if (plant_.features().any()) plant_.change_features().follow(q, modes_);
}

void RigidIntegrator::finish(VectorXd& q, VectorXd& v) {
  unpack(x_);
  q = q_;
  v = v_;
  plant_.set_time(result_.t);
  if (plant_.solve(q, v, tau_) != ContactSolveStatus::kSolved && result_.ok())
    result_.status = RigidStatus::kSolverFailed;
}

RigidAdvance RigidIntegrator::find_modes(VectorXd& q, VectorXd& v, const VectorXd& tau, double t) {
  begin(q, v, tau, t);
  result_.status = RigidStatus::kReachedEnd;
  (void)resolve(t, -1);
  finish(q, v);
  return result_;
}

RigidAdvance RigidIntegrator::advance(VectorXd& q, VectorXd& v, const VectorXd& tau, double t, double h) {
  ENFOLD_REQUIRE(std::isfinite(h) && h > 0.0, "RigidIntegrator: h is {}, expected > 0", h);
  begin(q, v, tau, t);
  const double end = t + h;
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(end), h);
  const auto f = [this](const ode::State& x, ode::State& rate, double time) { derivative(x, rate, time); };
  double dt = dt_ > 0.0 ? dt_ : h;
  result_.status = RigidStatus::kReachedEnd;
  // A new torque may end a mode at once.
  const Index at_start = failing(x_, t);
  bool good = at_start < 0 || (++result_.events, resolve(t, at_start));
  if (good) stepper_.start(x_, t);
  while (good && end - result_.t > rounding) {
    if (result_.steps + result_.rejected >= options_.max_steps || dt <= rounding) {
      result_.status = stage_ == ContactSolveStatus::kNoSolution ? RigidStatus::kNone
                       : stage_ == ContactSolveStatus::kSingular ? RigidStatus::kSingular
                       : dt <= rounding                          ? RigidStatus::kNotFinite
                                                                 : RigidStatus::kMaxSteps;
      result_.reason = stage_ == ContactSolveStatus::kNoSolution ? "the contact problem has no answer"
                       : stage_ == ContactSolveStatus::kSingular ? "the contact problem is singular"
                                                                 : "the steps became too small";
      break;
    }
    const double left = end - result_.t;
    const bool cut = dt >= left;
    double next = cut ? left : dt;
    doubtful_ = std::numeric_limits<double>::infinity();
    stage_ = ContactSolveStatus::kSolved;
    const DenseOutcome outcome = stepper_.try_step(f, std::nullopt, next);
    if (outcome != DenseOutcome::kAccepted) {
      ++result_.rejected;
      dt = next;
      continue;
    }
    ++result_.steps;
    dt = cut ? std::max(dt, next) : next;
    if (find_event(result_.t)) {
      x_ = event_x_;
      result_.t = event_t_;
      if (++result_.events > options_.max_events) {
        result_.status = RigidStatus::kChatter;
        const std::string& name = plant_.model().contacts->names()[at(event_contact_)];
        result_.reason =
            feature_changes_.size() > at(options_.max_events / 2)
                ? fmt::format(
                      "{} goes to and fro between two corners, as where the surfaces lie flush: give "
                      "it a contact at each corner",
                      name)
                : fmt::format("the modes of {} change without end", name);
        break;
      }
      good = resolve(event_t_, event_contact_);
      if (good) stepper_.start(x_, result_.t);
      continue;
    }
    x_ = stepper_.x();
    result_.t = stepper_.t();
  }
  dt_ = std::min(dt, h);
  if (good && result_.ok()) result_.t = end;
  finish(q, v);
  return result_;
}

}  // namespace enfold::sim
