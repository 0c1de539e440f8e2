// SPDX-License-Identifier: BSD-3-Clause
// The compliant half of a simulation, and the switches to it and back.
#include <algorithm>
#include <cmath>

#include "enfold/sim/simulation.hpp"

namespace enfold::sim {

using contact::ContactMode;

namespace {

/// Between the states that the two models were last solved at: what jumps at a switch.
double distance(const VectorXd& a, const VectorXd& b) {
  return (a - b).lpNorm<Eigen::Infinity>();
}

}  // namespace

/// Why the rigid model can't go on from here; empty if it can. Refers to the last rigid solve.
std::string Simulation::reason_for_compliance() {
  const lcp::PMatrixResult& unique = plant_.test_uniqueness();
  if (unique.status != lcp::PMatrixStatus::kNotP) return {};
  std::string names;
  for (const Index j : unique.witness.indices)
    names += (names.empty() ? "" : ", ") + contact_name(plant_.closed()[static_cast<std::size_t>(j)]);
  return fmt::format("A is no P-matrix: the principal minor of {{{}}} is {:.3g}", names,
                     unique.witness.value);
}

void Simulation::enter_compliant(const std::string& cause, const VectorXd& forces_N,
                                 const VectorXd& forces_T) {
  CompliantState& state = compliant_->state;
  state.q = q_;
  state.v = v_;
  state.xi.setZero(forces_N.size());
  compliant_->plant.set_offset(plant_.offset());
  const double missed = compliant_->plant.adopt_forces(q_, v_, forces_N, forces_T, state.xi);
  is_compliant_ = true;
  settled_since_ = INFINITY;
  if (!solve_compliant()) return;
  history_.summary.model_switches += t_ > 0.0 ? 1 : 0;
  history_.events.push_back({t_,
                             "model",
                             {},
                             t_ > 0.0 ? "rigid" : "",
                             "compliant",
                             cause,
                             distance(plant_.q(), compliant_->plant.q()),
                             distance(plant_.v(), compliant_->plant.v()),
                             missed,
                             compliant_->plant.stored_energy()});
}

bool Simulation::solve_compliant() {
  compliant_->plant.set_time(t_);
  const ContactSolveStatus status = compliant_->plant.solve(q_, v_, compliant_->state.xi, tau_);
  ++history_.summary.contact_solves;
  if (status == ContactSolveStatus::kSolved) return true;
  end(RunStatus::kSolverFailed, fmt::format("the mass matrix is singular at t = {:.4f} s", t_));
  return false;
}

void Simulation::integrate_compliant(double stop) {
  CompliantState& state = compliant_->state;
  state.q = q_;
  state.v = v_;
  const CompliantAdvance advanced = compliant_->integrator.advance(state, tau_, t_, stop - t_);
  history_.summary.contact_solves += advanced.evaluations;
  history_.summary.compliant_time += advanced.t - t_;
  ++(advanced.method == ode::DenseMethod::kRosenbrock4 ? compliant_->implicit_intervals
                                                       : compliant_->explicit_intervals);
  if (advanced.fastest_rate * advanced.interval >=
      compliant_->stiffest.fastest_rate * compliant_->stiffest.interval)
    compliant_->stiffest = advanced;
  q_ = state.q;
  v_ = state.v;
  const auto first = static_cast<std::ptrdiff_t>(history_.events.size());
  log_feature_changes(compliant_->integrator.feature_changes());
  for (const ModeChange& change : compliant_->integrator.mode_changes())
    history_.events.push_back({change.time, "mode", contact_name(change.contact),
                               std::string(to_string(change.from)), std::string(to_string(change.to)),
                               "found by the compliant model"});
  sort_events_from(first);
  t_ = advanced.ok() ? stop : advanced.t;
  if (!advanced.ok() || !q_.allFinite() || !v_.allFinite())
    end(RunStatus::kDiverged,
        fmt::format("the compliant contacts could not be integrated beyond t = {:.4f} s: {}", t_,
                    describe(advanced, compliant_->integrator.options())));
}

/// As instant(), with the forces of the springs. The rigid matrix is kept up to date beside them: it says
/// whether a rigid answer would be unique.
void Simulation::compliant_instant(bool control_now, bool record_now) {
  if (!solve_compliant()) return;
  // Without a rigid model to go back to, uniqueness is for the record only.
  if (record_now || options_.policy == ModelPolicy::kIntegrated) {
    follow_rule();
    if (!check_uniqueness()) return;
  }
  const contact::ContactKinematics& kinematics = compliant_->plant.kinematics();
  for (Index i = 0; i < kinematics.gap.size(); ++i) {
    if (kinematics.edge_distance[i] >= 0.0 || compliant_->plant.lambda_N()[i] <= 0.0) continue;
    end(RunStatus::kContactOffLink,
        fmt::format("contact {} ran off the end of its link at t = {:.4f} s", contact_name(i), t_), i);
    return;
  }
  if (control_now) {
    read_sensors();
    if (!command_torques()) return;
  }
  if (record_now) record();
  take_torques(control_now);
  if (options_.policy == ModelPolicy::kIntegrated) leave_compliant_when_settled();
}

/// May the rigid model take over, contact by contact? Whether its answer is unique is asked after that.
bool Simulation::settled() const {
  const SwitchOptions& when = options_.switching;
  const CompliantPlant& springs = compliant_->plant;
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    const auto k = static_cast<Index>(i);
    const ContactMode mode = springs.modes()[i];
    if (mode == ContactMode::kOpen) {
      if (!is_automatic(i)) return false;
      continue;
    }
    if (std::abs(springs.deformation_rate()[k]) >= when.settle_rate) return false;
    const contact::NormalForce& force = springs.normal_forces()[i];
    const double most = when.damper_share * springs.lambda_N()[k];
    if (std::abs(force.d_rate * springs.deformation_rate()[k]) > most) return false;
    if (std::abs(springs.law(k).tangential.damping * springs.xi_dot()[k]) > most) return false;
    if (!is_automatic(i)) continue;
    const double slip = std::abs(springs.slip()[k]);
    if (is_sliding(mode) ? slip <= when.leave_rest : slip >= when.settle_rate) return false;
  }
  return true;
}

void Simulation::leave_compliant_when_settled() {
  if (!settled()) {
    settled_since_ = INFINITY;
    return;
  }
  if (!std::isfinite(settled_since_)) settled_since_ = t_;
  if (t_ - settled_since_ < options_.switching.settle_time) return;
  if (!return_to_rigid()) settled_since_ = t_;
}

/// Sets the rigid model up at the present state: offsets where the contacts are, modes as the springs have
/// them. False, with nothing changed, if its answer is not unique or would open a contact.
bool Simulation::return_to_rigid() {
  const CompliantPlant& springs = compliant_->plant;
  const VectorXd offset_before = plant_.offset();
  VectorXd offset = springs.offset();
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    const auto k = static_cast<Index>(i);
    next_modes_[i] = modes_[i];
    if (is_automatic(i)) {
      next_modes_[i] = springs.modes()[i];
    } else if (is_sliding(modes_[i])) {
      next_modes_[i] = rule_direction(i, springs.slip()[k]);
    }
    if (springs.modes()[i] != ContactMode::kOpen) offset[k] = springs.kinematics().gap[k];
  }
  if (!solve_compliant()) return false;  // under the new torque, for a fair comparison
  plant_.set_offset(offset);
  plant_.set_modes(next_modes_);
  plant_.change_features().release();
  VectorXd v = v_;  // finding modes may change it by an impact: then it is too early
  bool fits = solve_rigid() == ContactSolveStatus::kSolved && reason_for_compliance().empty();
  if (fits && finder_) {
    fits = finder_->find_modes(q_, v, tau_, t_).ok() && v == v_ && reason_for_compliance().empty();
    for (std::size_t i = 0; fits && i < modes_.size(); ++i)
      fits = plant_.modes()[i] == springs.modes()[i] || !is_automatic(i);
  }
  for (std::size_t i = 0; fits && i < modes_.size(); ++i)
    fits = springs.modes()[i] == ContactMode::kOpen || plant_.lambda_N()[static_cast<Index>(i)] > 0.0;
  const double jump = std::max((plant_.lambda_N() - springs.lambda_N()).lpNorm<Eigen::Infinity>(),
                               (plant_.lambda_T() - springs.lambda_T()).lpNorm<Eigen::Infinity>());
  fits = fits && jump <= options_.switching.max_jump * springs.lambda_N().maxCoeff();
  if (!fits) {
    plant_.set_offset(offset_before);
    plant_.set_modes(modes_);
    return false;
  }
  modes_ = plant_.modes();
  ++history_.summary.model_switches;
  history_.events.push_back(
      {t_,
       "model",
       {},
       "compliant",
       "rigid",
       fmt::format("the rigid answer is unique and determined, and the contacts have settled for {:.3g} s",
                   t_ - settled_since_),
       distance(springs.q(), plant_.q()),
       distance(springs.v(), plant_.v()),
       jump,
       -springs.stored_energy()});
  is_compliant_ = false;
  was_unique_ = true;
  follow_rule();
  return true;
}

}  // namespace enfold::sim
