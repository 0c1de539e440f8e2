// SPDX-License-Identifier: BSD-3-Clause
// The compliant half of a simulation, and the switches to it and back.
#include <algorithm>
#include <cmath>

#include "enfold/sim/simulation.hpp"

namespace enfold::sim {

using contact::ContactMode;

/// Why the rigid model can't go on from here; empty if it can. Refers to the last rigid solve.
std::string Simulation::reason_for_compliance() const {
  if (uniqueness_ != nullptr && uniqueness_->status == lcp::PMatrixStatus::kNotP) {
    std::string names;
    for (const Index j : uniqueness_->witness.indices)
      names += (names.empty() ? "" : ", ") + contact_name(plant_.closed()[static_cast<std::size_t>(j)]);
    return fmt::format("A is no P-matrix: the principal minor of {{{}}} is {:.3g}", names,
                       uniqueness_->witness.value);
  }
  std::string resting;
  for (std::size_t i = 0; i < problem_.automatic.size(); ++i) {
    const auto column = plant_.kinematics().W_T.col(static_cast<Index>(i));
    if (!problem_.automatic[i] || std::abs(column.dot(v_)) > options_.slip_tol) continue;
    resting += (resting.empty() ? "" : ", ") + contact_name(static_cast<Index>(i));
  }
  return resting.empty() ? resting : "at rest, where contacts may stick: " + resting;
}

void Simulation::enter_compliant(const std::string& cause, const VectorXd& forces_N,
                                 const VectorXd& forces_T) {
  CompliantState& state = compliant_->state;
  state.q = q_;
  state.v = v_;
  state.xi.setZero(forces_N.size());
  const double missed = compliant_->plant.adopt_forces(q_, v_, forces_N, forces_T, state.xi);
  is_compliant_ = true;
  settled_since_ = INFINITY;
  if (!solve_compliant()) return;
  history_.events.push_back(
      {t_,
       "model",
       {},
       t_ > 0.0 ? "rigid" : "",
       "compliant",
       fmt::format("{}; {:.3g} J are stored in the contacts", cause, compliant_->plant.stored_energy()),
       0.0,
       0.0,
       missed});
}

bool Simulation::solve_compliant() {
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
  q_ = state.q;
  v_ = state.v;
  for (const ModeChange& change : compliant_->integrator.mode_changes())
    history_.events.push_back({change.time, "mode", contact_name(change.contact),
                               std::string(to_string(change.from)), std::string(to_string(change.to)),
                               "found by the compliant model"});
  t_ = advanced.ok() ? stop : advanced.t;
  if (!advanced.ok() || !q_.allFinite() || !v_.allFinite())
    end(RunStatus::kDiverged,
        fmt::format("the compliant contacts could not be integrated beyond t = {:.4f} s: {}", t_,
                    describe(advanced, compliant_->integrator.options())));
}

/// As instant(), with the forces of the springs. The rigid matrix is kept up to date beside them: it says
/// whether a rigid answer would be unique.
void Simulation::compliant_instant(bool control_now, bool record_now) {
  follow_rule_modes();
  (void)plant_.solve(q_, v_, tau_);
  if (!check_uniqueness() || !solve_compliant()) return;
  const contact::ContactKinematics& kinematics = plant_.kinematics();
  for (Index i = 0; i < kinematics.gap.size(); ++i) {
    if (kinematics.edge_distance[i] >= 0.0) continue;
    end(RunStatus::kContactOffLink,
        fmt::format("contact {} ran off the end of its link at t = {:.4f} s", contact_name(i), t_), i);
    return;
  }
  if (control_now) {
    read_sensors();
    if (!command_torques()) return;
  }
  if (record_now) record();
  if (control_now) tau_ = next_tau_;
  if (options_.policy == ModelPolicy::kIntegrated) leave_compliant_when_settled();
}

/// Contacts at zero slip count as sliding in the planned direction. Silent: the compliant model logs its own
/// modes.
void Simulation::follow_rule_modes() {
  const std::vector<ContactMode>& planned = problem_.plan->points[problem_.plan->segment(t_)].modes;
  const contact::ContactKinematics& kinematics = compliant_->plant.kinematics();
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    if (!is_sliding(modes_[i])) continue;
    const double slip = kinematics.W_T.col(static_cast<Index>(i)).dot(v_);
    modes_[i] = std::abs(slip) <= options_.slip_tol ? planned[i]
                : slip > 0.0                        ? ContactMode::kSlidePlus
                                                    : ContactMode::kSlideMinus;
  }
  plant_.set_modes(modes_);
}

void Simulation::leave_compliant_when_settled() {
  const SwitchOptions& when = options_.switching;
  const CompliantPlant& springs = compliant_->plant;
  bool settled = uniqueness_->status != lcp::PMatrixStatus::kNotP;
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    const auto k = static_cast<Index>(i);
    settled =
        settled && springs.lambda_N()[k] > 0.0 && std::abs(springs.deformation_rate()[k]) < when.settle_rate;
    if (!problem_.automatic.empty() && problem_.automatic[i])
      settled = settled && std::abs(springs.slip()[k]) > when.leave_rest && is_sliding(springs.modes()[i]);
  }
  if (!settled) {
    settled_since_ = INFINITY;
    return;
  }
  if (!std::isfinite(settled_since_)) settled_since_ = t_;
  if (t_ - settled_since_ < when.settle_time) return;

  plant_.set_offset(plant_.kinematics().gap);
  if (plant_.solve(q_, v_, tau_) != ContactSolveStatus::kSolved || plant_.lambda_N().minCoeff() <= 0.0) {
    settled_since_ = INFINITY;  // a rigid contact would open here: stay
    return;
  }
  if (!solve_compliant()) return;  // under the new torque, for a fair comparison
  const double jump = std::max((plant_.lambda_N() - springs.lambda_N()).lpNorm<Eigen::Infinity>(),
                               (plant_.lambda_T() - springs.lambda_T()).lpNorm<Eigen::Infinity>());
  history_.events.push_back(
      {t_,
       "model",
       {},
       "compliant",
       "rigid",
       fmt::format(
           "A is a P-matrix, all contacts slide and press, and have settled for {:.3g} s; {:.3g} J leave "
           "the contacts",
           t_ - settled_since_, springs.stored_energy()),
       0.0,
       0.0,
       jump});
  is_compliant_ = false;
}

}  // namespace enfold::sim
