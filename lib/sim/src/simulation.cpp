// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/sim/simulation.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"
#include "same_time.hpp"

namespace enfold::sim {
namespace {

// A state beyond this has diverged.
constexpr double kLargestVelocity = 1e6;

SimulationOptions checked(const SimulationProblem& problem, SimulationOptions options) {
  const bool controlled = problem.controller != nullptr;
  ENFOLD_REQUIRE(controlled ? problem.trajectory && problem.plan && !problem.plan->empty()
                            : !problem.trajectory && !problem.plan,
                 "Simulation: controller, trajectory and a plan with points must be given, or none of them");
  ENFOLD_REQUIRE(problem.plant.mechanism && problem.plant.contacts,
                 "Simulation: the plant has no mechanism or contacts");
  ENFOLD_REQUIRE(problem.q.size() == problem.plant.mechanism->n_q() &&
                     problem.v.size() == problem.plant.mechanism->n_v(),
                 "Simulation: q has {} and v {} entries, expected {} and {}", problem.q.size(),
                 problem.v.size(), problem.plant.mechanism->n_q(), problem.plant.mechanism->n_v());
  ENFOLD_REQUIRE(static_cast<Index>(problem.modes.size()) == problem.plant.contacts->n_contacts(),
                 "Simulation: {} modes for {} contacts", problem.modes.size(),
                 problem.plant.contacts->n_contacts());
  if (controlled) {
    for (const control::PlanPoint& point : problem.plan->points) {
      ENFOLD_REQUIRE(point.modes.size() == problem.modes.size(),
                     "Simulation: the plan has {} modes at t = {} s for {} contacts", point.modes.size(),
                     point.time, problem.modes.size());
    }
  }
  ENFOLD_REQUIRE(
      options.duration > 0.0 && options.step > 0.0 && options.record_rate > 0.0 &&
          options.control_rate >= 0.0,
      "Simulation: duration {} s, step {} s and record_rate {} Hz must be > 0, control_rate {} Hz ≥ 0",
      options.duration, options.step, options.record_rate, options.control_rate);
  ENFOLD_REQUIRE(options.control_rate > 0.0 || options.noise.silent(),
                 "Simulation: sensor noise is drawn at control instants; a continuous law has none");
  ENFOLD_REQUIRE(options.control_rate > 0.0 || (options.control_delay == 0.0 && options.actuators.none()),
                 "Simulation: delay and limits of the motors need a sampled law (control_rate > 0)");
  ENFOLD_REQUIRE(problem.automatic.empty() || problem.automatic.size() == problem.modes.size(),
                 "Simulation: {} contacts say whether they are automatic, expected {}",
                 problem.automatic.size(), problem.modes.size());
  ENFOLD_REQUIRE(options.policy == ModelPolicy::kRigid || options.control_rate > 0.0,
                 "Simulation: compliant contacts need a sampled law (control_rate > 0)");
  ENFOLD_REQUIRE(options.policy == ModelPolicy::kRigid || !options.laws.empty(),
                 "Simulation: compliant contacts need a contact law");
  ENFOLD_REQUIRE(options.policy != ModelPolicy::kIntegrated ||
                     (options.switching.leave_rest > options.slip_tol &&
                      options.switching.settle_rate > 0.0 && options.switching.settle_time >= 0.0),
                 "Simulation: leave_rest {} m/s must be above slip_tol {} m/s, settle_rate {} m/s above 0, "
                 "settle_time {} s ≥ 0",
                 options.switching.leave_rest, options.slip_tol, options.switching.settle_rate,
                 options.switching.settle_time);
  // RK4 is stable for a double pole at −ω up to |ω·step| = 2.78; beyond 1 the correction is no longer a decay
  // to trust.
  ENFOLD_REQUIRE(options.rigid.drift_frequency >= 0.0 && options.rigid.drift_frequency * options.step <= 1.0,
                 "Simulation: drift_frequency is {} rad/s, expected 0 … {} (1/step)",
                 options.rigid.drift_frequency, 1.0 / options.step);
  return options;
}

}  // namespace

Simulation::Simulation(SimulationProblem problem, SimulationOptions options)
    : problem_{std::move(problem)},
      options_{checked(problem_, std::move(options))},
      plant_{problem_.plant, options_.rigid},
      compliant_{options_.policy == ModelPolicy::kRigid
                     ? nullptr
                     : std::make_unique<Compliant>(problem_.plant, options_.laws, options_.compliant)},
      sensors_{problem_.plant.mechanism, problem_.plant.contacts->n_contacts(), options_.noise},
      q_{problem_.q},
      v_{problem_.v},
      modes_{problem_.modes},
      next_modes_{problem_.modes} {
  const mechanics::Mechanism& mechanism = *problem_.plant.mechanism;
  tau_.setZero(mechanism.n_theta());
  stage_q_ = q_dot_ = q_;
  stage_v_ = v_;
  if (controlled()) {
    const double period = continuous() ? 1.0 : 1.0 / options_.control_rate;
    loop_.emplace(*problem_.controller, period, options_.actuators, mechanism.n_theta());
    if (options_.control_delay > 0.0) delay_.emplace(options_.control_delay, period, mechanism.n_theta());
    integral_.setZero(problem_.controller->n_integrals());
  }
  stage_integral_ = integral_;
  state_.resize(static_cast<std::size_t>(q_.size() + v_.size() + (continuous() ? integral_.size() : 0)));
  measured_.q = q_;
  measured_.v = v_;
  measured_.lambda_N = measured_.lambda_T = VectorXd::Zero(problem_.plant.contacts->n_contacts());
  lambda_before_ = lambda_T_before_ = measured_.lambda_N;
  rule_modes_ = modes_;
  rule_ = &plant_;
  // With a plan, rigid contacts slide where it says: none is automatic. What finds modes also finds where a
  // contact goes on to another part of a surface; under a continuous law the steps go over it.
  const bool as_planned = options_.policy == ModelPolicy::kRigid && problem_.plan;
  if (as_planned) problem_.automatic.assign(modes_.size(), false);
  const bool moves_on = plant_.features().any() && !continuous();
  const bool any_automatic =
      std::find(problem_.automatic.begin(), problem_.automatic.end(), true) != problem_.automatic.end();
  if ((any_automatic || moves_on) && options_.policy != ModelPolicy::kCompliant) {
    options_.modes.require_determinate = options_.policy == ModelPolicy::kIntegrated;
    problem_.automatic.resize(modes_.size(), false);
    finder_ = std::make_unique<RigidIntegrator>(plant_, problem_.automatic, options_.modes);
  }
  if (finder_ || compliant_) rule_plant_ = std::make_unique<RigidPlant>(problem_.plant, options_.rigid);
  if (compliant_ && options_.stability)
    probe_ = std::make_unique<CompliantPlant>(problem_.plant, options_.laws);
  history_.names = {mechanism.joint_names(), problem_.plant.contacts->names(),
                    mechanism.object_position_names(), mechanism.object_velocity_names()};
  start();
}

const std::string& Simulation::contact_name(Index i) const {
  return history_.names.contacts[static_cast<std::size_t>(i)];
}

/// The first torque acts before any force was measured; the first sample shows what it makes of them.
void Simulation::start() {
  start_modes();
  if (controlled()) {
    problem_.trajectory->sample(0.0, reference_);
    read_sensors();
    measured_.forces_valid = false;
  }
  const bool commanded = !controlled() || command_torques();
  size_samples();
  if (!commanded) return;
  if (controlled()) tau_ = next_tau_;
  saturated_ = next_saturated_;
  if (compliant_ || finder_) {
    const bool solved = solve_rigid() == ContactSolveStatus::kSolved;
    const lcp::PMatrixStatus unique = plant_.test_uniqueness().status;
    std::string cause =
        options_.policy == ModelPolicy::kCompliant ? "the scenario asks for it" : reason_for_compliance();
    // Before any force is known the plan's are the best guess, unless the rigid answer is unique. Contacts
    // without a plan start as they are, without deformation.
    const bool rigid = solved && unique != lcp::PMatrixStatus::kNotP;
    VectorXd forces_N = VectorXd::Zero(plant_.lambda_N().size());
    VectorXd forces_T = forces_N;
    if (controlled()) {
      forces_N = rigid ? plant_.lambda_N() : problem_.plan->points.front().lambda_N;
      forces_T = rigid ? plant_.lambda_T() : problem_.plan->points.front().lambda_T;
    }
    if (cause.empty() && finder_) {
      const RigidAdvance found = finder_->find_modes(q_, v_, tau_, t_);
      log_rigid_events();
      modes_ = plant_.modes();
      cause = found.reason;
      if (!found.ok() && !compliant_) {
        end_without_answer(found);
        return;
      }
    }
    if (!cause.empty() && !compliant_) {
      end_not_unique(cause);
      if (ended_) return;
    } else if (!cause.empty()) {
      enter_compliant(cause, forces_N, forces_T);
      if (ended_) return;
      follow_rule();
      check_uniqueness();
      record();
      return;
    }
    follow_rule();
  }
  if (!solve_contacts() || !check_contacts() || !check_uniqueness()) return;
  record();
}

bool Simulation::advance() {
  const std::size_t before = n_samples_;
  while (!ended_ && n_samples_ == before) {
    const double next_record = static_cast<double>(record_count_) / options_.record_rate;
    const double next_control = continuous() || !controlled()
                                    ? next_record
                                    : static_cast<double>(control_count_) / options_.control_rate;
    const double next_torque = delay_ ? delay_->next() : next_control;
    integrate_to(std::min({next_record, next_control, next_torque, options_.duration}));
    if (ended_) break;
    const bool last = t_ >= options_.duration - kSameTime;
    instant(controlled() && !last && t_ >= next_control - kSameTime, last || t_ >= next_record - kSameTime);
    ended_ = ended_ || last;
  }
  return !ended_;
}

/// Everything that happens at an instant: forces under the torque so far, then the new torque, then new
/// modes.
void Simulation::instant(bool control_now, bool record_now) {
  if (controlled()) problem_.trajectory->sample(t_, reference_);
  if (is_compliant_) {
    compliant_instant(control_now, record_now);
    return;
  }
  if (finder_) {
    found_modes_instant(control_now, record_now);
    return;
  }
  if (!solve_contacts() || !check_contacts() || !check_uniqueness()) return;
  if (control_now && !continuous()) {
    read_sensors();
    if (!command_torques()) return;
  }
  if (record_now) record();
  take_torques(control_now);
  if (update_modes()) {
    if (solve_contacts()) check_uniqueness();
  }
  if (ended_ || options_.policy != ModelPolicy::kIntegrated) return;
  const std::string cause = reason_for_compliance();
  if (cause.empty()) return;
  // Under the new torque, the one that will act: what is left of the rigid answer if that is unique, else the
  // last.
  if (was_unique_ && solve_rigid() == ContactSolveStatus::kSolved) {
    lambda_before_ = plant_.lambda_N();
    lambda_T_before_ = plant_.lambda_T();
  }
  enter_compliant(cause, lambda_before_, lambda_T_before_);
}

void Simulation::integrate_to(double stop) {
  const double span = stop - t_;
  if (span <= kSameTime) return;
  if (is_compliant_ || finder_) {
    // Uniqueness is looked at after every step, as below.
    while (!ended_ && stop - t_ > kSameTime) {
      const double next = stop - t_ > (1.0 + 1e-9) * options_.step ? t_ + options_.step : stop;
      if (!is_compliant_) integrate_found_modes(next);
      if (is_compliant_ && !ended_ && next - t_ > kSameTime) integrate_compliant(next);
      if (!ended_ && stop - t_ > kSameTime) instant(false, false);
    }
    return;
  }
  const auto steps = std::max<long>(1, std::lround(std::ceil(span / options_.step - 1e-9)));
  const double dt = span / static_cast<double>(steps);
  std::copy(q_.begin(), q_.end(), state_.begin());
  std::copy(v_.begin(), v_.end(), state_.begin() + q_.size());
  if (continuous()) std::copy(integral_.begin(), integral_.end(), state_.begin() + q_.size() + v_.size());
  const auto f = [this](const ode::State& x, ode::State& rate, double t) { derivative(x, rate, t); };
  const double from = t_;
  for (long i = 0; i < steps; ++i) {
    stepper_.step(f, state_, from + static_cast<double>(i) * dt, dt);
    if (stage_status_ != ContactSolveStatus::kSolved) {
      if (law_singular_) {
        end_singular();
        return;
      }
      end(RunStatus::kSolverFailed,
          fmt::format("the contact problem had no solution within the step after t = {:.4f} s", t_));
      return;
    }
    t_ = i + 1 == steps ? stop : from + static_cast<double>(i + 1) * dt;
    q_ = Eigen::Map<const VectorXd>(state_.data(), q_.size());
    v_ = Eigen::Map<const VectorXd>(state_.data() + q_.size(), v_.size());
    if (continuous())
      integral_ = Eigen::Map<const VectorXd>(state_.data() + q_.size() + v_.size(), integral_.size());
    if (!q_.allFinite() || !(v_.lpNorm<Eigen::Infinity>() < kLargestVelocity)) {
      end(RunStatus::kDiverged, fmt::format("the state diverged before t = {:.4f} s", t_));
    }
    // Modes and losses are looked for after every step, lest the world depend on how often it is recorded.
    if (!ended_ && i + 1 < steps) instant(false, false);
    if (ended_) return;
  }
}

void Simulation::derivative(const ode::State& state, ode::State& rate, double t) {
  stage_q_ = Eigen::Map<const VectorXd>(state.data(), q_.size());
  stage_v_ = Eigen::Map<const VectorXd>(state.data() + q_.size(), v_.size());
  ContactSolveStatus status = ContactSolveStatus::kSolved;
  if (continuous()) {
    stage_integral_ = Eigen::Map<const VectorXd>(state.data() + q_.size() + v_.size(), integral_.size());
    status = solve_continuous(t, stage_q_, stage_v_);
    std::copy(command_.integral_rate.begin(), command_.integral_rate.end(),
              rate.begin() + q_.size() + v_.size());
  } else {
    plant_.set_time(t);
    status = plant_.solve(stage_q_, stage_v_, tau_);
    ++history_.summary.contact_solves;
  }
  if (status != ContactSolveStatus::kSolved) {
    stage_status_ = status;
    std::fill(rate.begin(), rate.end(), 0.0);
    return;
  }
  problem_.plant.mechanism->configuration_rate(stage_q_, stage_v_, q_dot_);
  std::copy(q_dot_.begin(), q_dot_.end(), rate.begin());
  std::copy(plant_.v_dot().begin(), plant_.v_dot().end(), rate.begin() + q_.size());
}

/// Torque, forces and integral rate at one state. The torque does not depend on the forces of the same
/// instant, since the force loop is an integral; the second evaluation is for the rate of that integral.
ContactSolveStatus Simulation::solve_continuous(double t, const VectorXd& q, const VectorXd& v) {
  measured_.q = q;
  measured_.v = v;
  problem_.controller->evaluate(t, measured_, stage_integral_, command_);
  if (command_.singular) {
    law_singular_ = true;  // the stages that follow overwrite command_
    return ContactSolveStatus::kSingular;
  }
  tau_ = command_.tau;
  plant_.set_time(t);
  const ContactSolveStatus status = plant_.solve(q, v, tau_);
  ++history_.summary.contact_solves;
  if (status != ContactSolveStatus::kSolved) return status;
  measured_.lambda_N = plant_.lambda_N();
  measured_.lambda_T = plant_.lambda_T();
  measured_.forces_valid = true;
  problem_.controller->evaluate(t, measured_, stage_integral_, command_);
  return status;
}

void Simulation::read_sensors() {
  measured_.q = q_;
  measured_.v = v_;
  measured_.lambda_N = lambda_N();
  measured_.lambda_T = lambda_T();
  measured_.forces_valid = true;
  if (!options_.noise.silent())
    sensors_.disturb(static_cast<std::uint64_t>(control_count_), reference_.x, measured_);
}

bool Simulation::command_torques() {
  if (continuous()) {
    problem_.controller->evaluate(t_, measured_, integral_, command_);
  } else {
    command_ = loop_->command(t_, measured_);
    ++control_count_;
    note_saturation();
  }
  next_tau_ = command_.tau;
  if (command_.singular) end_singular();
  return !ended_;
}

void Simulation::end_singular() {
  end(RunStatus::kControllerSingular,
      fmt::format("the control law's matrices lost rank at t = {:.4f} s", t_));
}

ContactSolveStatus Simulation::solve_rigid() {
  plant_.set_time(t_);
  ++history_.summary.contact_solves;
  return plant_.solve(q_, v_, tau_);
}

bool Simulation::solve_contacts() {
  ContactSolveStatus status = ContactSolveStatus::kSolved;
  if (continuous()) {
    stage_integral_ = integral_;
    status = solve_continuous(t_, q_, v_);
    if (law_singular_) {
      end_singular();
      return false;
    }
  } else {
    status = solve_rigid();
  }
  if (status == ContactSolveStatus::kSolved) {
    history_.summary.max_lcp_residual = std::max(history_.summary.max_lcp_residual, plant_.residual());
    if (was_unique_) {  // what a compliant model takes over if the next answer is not unique any more
      lambda_before_ = plant_.lambda_N();
      lambda_T_before_ = plant_.lambda_T();
    }
    return true;
  }
  end(RunStatus::kSolverFailed,
      fmt::format("the contact problem at t = {:.4f} s {}", t_,
                  status == ContactSolveStatus::kSingular ? "is singular"
                                                          : "has no solution that the solver could find"));
  return false;
}

History Simulation::take_history() {
  ended_ = true;
  history_.samples.resize(n_samples_);
  if (compliant_ && compliant_->explicit_intervals + compliant_->implicit_intervals > 0) {
    history_.summary.compliant_method = fmt::format(
        "{} explicit and {} Rosenbrock intervals; the stiffest by {}", compliant_->explicit_intervals,
        compliant_->implicit_intervals, describe(compliant_->stiffest, compliant_->integrator.options()));
  }
  return std::move(history_);
}

History simulate(SimulationProblem problem, SimulationOptions options) {
  Simulation simulation(std::move(problem), std::move(options));
  while (simulation.advance()) {
  }
  return simulation.take_history();
}

}  // namespace enfold::sim
