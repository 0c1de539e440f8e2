// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/sim/compliant_integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "enfold/base/require.hpp"

namespace enfold::sim {

using contact::ContactMode;
using ode::DenseMethod;
using ode::DenseOutcome;

std::string describe(const CompliantAdvance& advance, const CompliantIntegratorOptions& options) {
  const char* name = advance.method == DenseMethod::kRosenbrock4 ? "rosenbrock4" : "dormand_prince5";
  if (!advance.automatic) return fmt::format("{}: as the options say", name);
  const double product = advance.fastest_rate * advance.interval;
  return fmt::format("{}: the fastest contact rate {:.3g} 1/s times {:.3g} s is {:.3g}, {} {:.3g}", name,
                     advance.fastest_rate, advance.interval, product,
                     product > options.explicit_limit ? "above the limit for explicit steps of"
                                                      : "within the limit for explicit steps of",
                     options.explicit_limit);
}

CompliantIntegrator::CompliantIntegrator(CompliantPlant& plant, const CompliantIntegratorOptions& options)
    : plant_{plant},
      options_{options},
      explicit_{DenseMethod::kDormandPrince5},
      implicit_{DenseMethod::kRosenbrock4} {
  ENFOLD_REQUIRE(options.position_tol > 0.0 && options.velocity_tol > 0.0 && options.event_tol > 0.0,
                 "CompliantIntegrator: tolerances are {}, {} and {}, expected > 0", options.position_tol,
                 options.velocity_tol, options.event_tol);
  ENFOLD_REQUIRE(options.max_steps >= 1 && options.max_events >= 0 && options.explicit_limit > 0.0,
                 "CompliantIntegrator: max_steps is {}, max_events {}, explicit_limit {}", options.max_steps,
                 options.max_events, options.explicit_limit);
  const mechanics::Mechanism& mechanism = *plant.model().mechanism;
  const Index n_C = plant.model().contacts->n_contacts();
  q_.setZero(mechanism.n_q());
  q_dot_ = q_;
  v_.setZero(mechanism.n_v());
  xi_.setZero(n_C);
  modes_.assign(static_cast<std::size_t>(n_C), ContactMode::kOpen);
  x_.assign(static_cast<std::size_t>(q_.size() + v_.size() + n_C), 0.0);
  event_x_ = x_;
  ode::State tolerances(x_.size(), options.position_tol);
  std::fill_n(tolerances.begin() + q_.size(), v_.size(), options.velocity_tol);
  // Rounding keeps a coordinate of size 1 from being more accurate than this.
  for (ode::DenseStepper* stepper : {&explicit_, &implicit_}) stepper->set_tolerances(tolerances, 1e-14);
  changes_.reserve(static_cast<std::size_t>(options.max_events + 1) * static_cast<std::size_t>(n_C));
}

void CompliantIntegrator::unpack(const ode::State& x) {
  const double* data = x.data();
  q_ = Eigen::Map<const VectorXd>(data, q_.size());
  v_ = Eigen::Map<const VectorXd>(data + q_.size(), v_.size());
  xi_ = Eigen::Map<const VectorXd>(data + q_.size() + v_.size(), xi_.size());
}

void CompliantIntegrator::load(const CompliantState& state) {
  auto out = std::copy(state.q.begin(), state.q.end(), x_.begin());
  out = std::copy(state.v.begin(), state.v.end(), out);
  std::copy(state.xi.begin(), state.xi.end(), out);
}

void CompliantIntegrator::store(CompliantState& state) {
  unpack(x_);
  state.q = q_;
  state.v = v_;
  state.xi = xi_;
}

void CompliantIntegrator::derivative(const ode::State& x, ode::State& rate, double t) {
  ++result_.evaluations;
  plant_.set_time(t);
  unpack(x);
  const ContactSolveStatus status =
      located_ ? plant_.solve(q_, v_, xi_, tau_, modes_) : plant_.solve(q_, v_, xi_, tau_);
  if (status != ContactSolveStatus::kSolved) {
    singular_ = true;
    std::fill(rate.begin(), rate.end(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  plant_.model().mechanism->configuration_rate(q_, v_, q_dot_);
  auto out = std::copy(q_dot_.begin(), q_dot_.end(), rate.begin());
  out = std::copy(plant_.v_dot().begin(), plant_.v_dot().end(), out);
  std::copy(plant_.xi_dot().begin(), plant_.xi_dot().end(), out);
}

void CompliantIntegrator::jacobian(const ode::State& x, double t, MatrixXd& df_dx, ode::State& df_dt) {
  ++result_.jacobians;
  plant_.set_time(t);
  unpack(x);
  const ContactSolveStatus status =
      located_ ? plant_.solve(q_, v_, xi_, tau_, modes_) : plant_.solve(q_, v_, xi_, tau_);
  singular_ = singular_ || status != ContactSolveStatus::kSolved;
  plant_.jacobian(df_dx);
  std::fill(df_dt.begin(), df_dt.end(), 0.0);  // torques are constant
  plant_.acceleration_drift(drift_);
  std::copy(drift_.begin(), drift_.end(), df_dt.begin() + q_.size());
}

bool CompliantIntegrator::modes_hold(const ode::State& x) {
  unpack(x);
  return plant_.same_formulas(modes_, plant_.modes_at(q_, v_, xi_)) && plant_.features().first_lost(q_) < 0;
}

/// Looks at the middle and the end of the last step, and bisects to where the modes first fail.
bool CompliantIntegrator::find_event(const ode::DenseStepper& stepper, double from) {
  const double end = stepper.t();
  double good = from;
  double bad = 0.5 * (from + end);
  stepper.interpolate(bad, event_x_);
  if (modes_hold(event_x_)) {
    good = bad;
    bad = end;
    if (modes_hold(stepper.x())) return false;
  }
  while (bad - good > options_.event_tol) {
    const double middle = 0.5 * (good + bad);
    if (middle <= good || middle >= bad) break;
    stepper.interpolate(middle, event_x_);
    (modes_hold(event_x_) ? good : bad) = middle;
  }
  stepper.interpolate(bad, event_x_);
  event_t_ = bad;
  return true;
}

void CompliantIntegrator::change_modes(double t) {
  unpack(x_);
  plant_.change_features().update(q_, t, feature_changes_);
  const std::vector<ContactMode>& next = plant_.modes_at(q_, v_, xi_);
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    if (next[i] != modes_[i] && changes_.size() < changes_.capacity())
      changes_.push_back({t, static_cast<Index>(i), modes_[i], next[i]});
    modes_[i] = next[i];
  }
  plant_.change_features().follow(q_, modes_);
}

DenseMethod CompliantIntegrator::choose(double rate, double h) const {
  switch (options_.method) {
    case CompliantMethod::kDormandPrince5:
      return DenseMethod::kDormandPrince5;
    case CompliantMethod::kRosenbrock4:
      return DenseMethod::kRosenbrock4;
    case CompliantMethod::kAuto:
      break;
  }
  const bool stiff = rate * h > options_.explicit_limit && q_.size() == v_.size();
  return stiff ? DenseMethod::kRosenbrock4 : DenseMethod::kDormandPrince5;
}

CompliantAdvance CompliantIntegrator::advance(CompliantState& state, const VectorXd& tau, double t,
                                              double h) {
  ENFOLD_REQUIRE(state.q.size() == q_.size() && state.v.size() == v_.size() && state.xi.size() == xi_.size(),
                 "CompliantIntegrator: the state has {} + {} + {} entries, expected {} + {} + {}",
                 state.q.size(), state.v.size(), state.xi.size(), q_.size(), v_.size(), xi_.size());
  ENFOLD_REQUIRE(std::isfinite(h) && h > 0.0, "CompliantIntegrator: h is {}, expected > 0", h);
  result_ = {};
  changes_.clear();
  feature_changes_.clear();
  tau_ = tau;
  located_ = true;
  singular_ = false;
  load(state);
  result_.t = t;
  plant_.set_time(t);
  if (plant_.solve(state.q, state.v, state.xi, tau_) != ContactSolveStatus::kSolved) {
    result_.status = CompliantStatus::kSingular;
    return result_;
  }
  std::copy(plant_.modes().begin(), plant_.modes().end(), modes_.begin());
  // What moved between two advances, e.g. while the rigid model ran, is no event of this one.
  plant_.change_features().release();
  plant_.change_features().follow(state.q, modes_);
  result_.fastest_rate = plant_.fastest_rate();
  result_.interval = h;
  result_.automatic = options_.method == CompliantMethod::kAuto;
  result_.method = choose(result_.fastest_rate, h);
  const bool stiff = result_.method == DenseMethod::kRosenbrock4;
  ode::DenseStepper& stepper = stiff ? implicit_ : explicit_;
  double& suggestion = stiff ? implicit_dt_ : explicit_dt_;
  double dt = suggestion > 0.0 ? suggestion : std::min(h, 0.1 / (result_.fastest_rate + 1.0 / h));

  const auto f = [this](const ode::State& x, ode::State& rate, double time) { derivative(x, rate, time); };
  const auto J = [this](const ode::State& x, double time, MatrixXd& df_dx, ode::State& df_dt) {
    jacobian(x, time, df_dx, df_dt);
  };
  const std::optional<ode::JacobianFunction> jacobian_function{J};
  const double end = t + h;
  const double rounding = 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(end), h);
  stepper.start(x_, t);
  bool not_finite = false;
  while (end - result_.t > rounding) {
    if (result_.steps + result_.rejected >= options_.max_steps) break;
    if (dt <= rounding) {
      result_.status = singular_    ? CompliantStatus::kSingular
                       : not_finite ? CompliantStatus::kNotFinite
                                    : CompliantStatus::kStepTooSmall;
      break;
    }
    const double left = end - result_.t;
    const bool cut = dt >= left;
    double next = cut ? left : dt;
    const DenseOutcome outcome = stepper.try_step(f, jacobian_function, next);
    if (outcome != DenseOutcome::kAccepted) {
      ++result_.rejected;
      not_finite = outcome == DenseOutcome::kNotFinite;
      dt = next;
      continue;
    }
    ++result_.steps;
    dt = cut ? std::max(dt, next) : next;  // a cut step says nothing against the longer one before it
    if (located_ && find_event(stepper, result_.t)) {
      x_ = event_x_;
      result_.t = event_t_;
      ++result_.events;
      change_modes(event_t_);
      located_ = result_.all_located = result_.events < options_.max_events;
      if (!located_) plant_.change_features().release();
      stepper.start(x_, result_.t);
      continue;
    }
    x_ = stepper.x();
    result_.t = stepper.t();
  }
  suggestion = std::min(dt, h);
  if (end - result_.t <= rounding) {
    result_.t = end;
    result_.status = CompliantStatus::kReachedEnd;
  }
  store(state);
  plant_.set_time(result_.t);
  if (plant_.solve(state.q, state.v, state.xi, tau_) != ContactSolveStatus::kSolved)
    result_.status = CompliantStatus::kSingular;
  return result_;
}

}  // namespace enfold::sim
