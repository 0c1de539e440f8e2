// SPDX-License-Identifier: BSD-3-Clause
// Rigid contacts whose modes the mechanics decide, and the rule that uniqueness is judged by.
#include <algorithm>
#include <cmath>

#include "enfold/sim/simulation.hpp"

namespace enfold::sim {

using contact::ContactMode;

/// Directions of declared contacts; automatic ones are open if their gap is, else closed.
void Simulation::start_modes() {
  plant_.set_modes(modes_);
  (void)solve_rigid();  // for the kinematics only: no torque has been commanded yet
  const contact::ContactKinematics& kinematics = plant_.kinematics();
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    const auto k = static_cast<Index>(i);
    const double slip = kinematics.W_T.col(k).dot(v_);
    if (is_sliding(modes_[i])) modes_[i] = rule_direction(i, slip);
    if (!is_automatic(i)) continue;
    if (kinematics.gap[k] > options_.modes.zero_gap || kinematics.W_N.col(k).dot(v_) > options_.slip_tol)
      modes_[i] = ContactMode::kOpen;
  }
  plant_.set_modes(modes_);
  (void)solve_rigid();
}

/// A contact that slides does so in its own direction; at rest, in that of the plan, or without one in that
/// of its last slip.
ContactMode Simulation::rule_direction(std::size_t contact, double slip) const {
  if (std::abs(slip) > options_.slip_tol)
    return slip > 0.0 ? ContactMode::kSlidePlus : ContactMode::kSlideMinus;
  if (problem_.plan) return problem_.plan->points[problem_.plan->segment(t_)].modes[contact];
  return is_sliding(rule_modes_[contact]) ? rule_modes_[contact] : ContactMode::kSlidePlus;
}

/// Brings the plant of the rule up to date with the state. Silent: the models log their own modes.
void Simulation::follow_rule() {
  const contact::ContactKinematics& kinematics =
      is_compliant_ ? compliant_->plant.kinematics() : plant_.kinematics();
  const VectorXd& offset = is_compliant_ ? compliant_->plant.offset() : plant_.offset();
  const std::vector<ContactMode>& actual = is_compliant_ ? compliant_->plant.modes() : modes_;
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    const double slip = kinematics.W_T.col(static_cast<Index>(i)).dot(v_);
    const bool declared_roll = !is_automatic(i) && problem_.modes[i] == ContactMode::kRoll;
    // A contact that touches without force still has its row: it is what the answer may press on.
    const auto k = static_cast<Index>(i);
    const bool apart = kinematics.gap[k] - offset[k] > options_.modes.zero_gap;
    const bool open =
        is_automatic(i) && !problem_.plan && actual[i] == ContactMode::kOpen && (!is_compliant_ || apart);
    rule_modes_[i] = open ? ContactMode::kOpen : declared_roll ? ContactMode::kRoll : rule_direction(i, slip);
  }
  if (!is_compliant_ && rule_modes_ == plant_.modes()) {
    rule_ = &plant_;
    return;
  }
  rule_ = rule_plant_.get();
  rule_->set_modes(rule_modes_);
  rule_->set_offset(is_compliant_ ? kinematics.gap : plant_.offset());
  rule_->set_time(t_);
  (void)rule_->solve(q_, v_, tau_);
}

void Simulation::log_feature_changes(const std::vector<contact::FeatureChange>& changes) {
  for (const contact::FeatureChange& change : changes) {
    const contact::ContactSet& contacts = *problem_.plant.contacts;
    history_.events.push_back({change.time, "feature", contact_name(change.contact),
                               contacts.feature_name(change.from), contacts.feature_name(change.to),
                               "another part of the surfaces is the nearest"});
  }
}

void Simulation::log_rigid_events() {
  const auto first = static_cast<std::ptrdiff_t>(history_.events.size());
  log_feature_changes(finder_->feature_changes());
  for (const RigidEvent& event : finder_->events()) {
    history_.events.push_back(
        {event.time, event.impact ? "impact" : "mode", contact_name(event.contact),
         event.impact ? std::string{} : std::string(to_string(event.from)),
         event.impact ? std::string{} : std::string(to_string(event.to)),
         event.impact ? fmt::format("{}: {:.4g} N s", event.cause, event.impulse) : std::string(event.cause),
         0.0, event.jump_v, event.jump_lambda, event.energy_change});
  }
  sort_events_from(first);
}

/// What one interval brought, in the order of time; at one instant as it was logged.
void Simulation::sort_events_from(std::ptrdiff_t first) {
  std::stable_sort(history_.events.begin() + first, history_.events.end(),
                   [](const Event& a, const Event& b) { return a.time < b.time; });
}

/// To `stop`, or to where the rigid answer is not unique any more and the compliant model takes over.
void Simulation::integrate_found_modes(double stop) {
  const RigidAdvance advanced = finder_->advance(q_, v_, tau_, t_, stop - t_);
  history_.summary.contact_solves += advanced.evaluations;
  log_rigid_events();
  t_ = advanced.ok() ? stop : advanced.t;
  modes_ = plant_.modes();
  if (!q_.allFinite() || !v_.allFinite()) {
    end(RunStatus::kDiverged, fmt::format("the state diverged before t = {:.4f} s", t_));
    return;
  }
  if (advanced.ok()) return;
  if (compliant_) {
    enter_compliant(advanced.reason, plant_.lambda_N(), plant_.lambda_T());
    return;
  }
  end_without_answer(advanced);
}

void Simulation::end_without_answer(const RigidAdvance& advanced) {
  const bool no_unique_answer = advanced.status == RigidStatus::kSeveral ||
                                advanced.status == RigidStatus::kNone ||
                                advanced.status == RigidStatus::kIndeterminate;
  const RunStatus status = no_unique_answer                             ? RunStatus::kNotUnique
                           : advanced.status == RigidStatus::kNotFinite ? RunStatus::kDiverged
                                                                        : RunStatus::kSolverFailed;
  end(status,
      fmt::format(
          "rigid contact ends at t = {:.4f} s: {}{}", t_, advanced.reason,
          no_unique_answer ? ". Allow compliant contacts (simulation.model: integrated or compliant)" : ""));
}

/// Where the rigid model was found wanting and nothing else is allowed.
void Simulation::end_not_unique(const std::string& cause) {
  if (options_.continuous_branch) return;
  end(RunStatus::kNotUnique,
      fmt::format("{} at t = {:.4f} s: the rigid model has no unique answer from here on. Allow compliant "
                  "contacts (simulation.model: integrated)",
                  cause, t_));
}

/// As instant(), for modes that were found on the way.
void Simulation::found_modes_instant(bool control_now, bool record_now) {
  if (!solve_contacts() || !check_contacts()) return;
  follow_rule();
  if (!check_uniqueness()) return;
  if (control_now) {
    read_sensors();
    if (!command_torques()) return;
  }
  if (record_now) record();
  take_torques(control_now);
  // Declared contacts slide where they slide; a change of direction is an event like any other.
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    if (is_automatic(i) || !is_sliding(modes_[i])) continue;
    const ContactMode next = rule_direction(i, plant_.kinematics().W_T.col(static_cast<Index>(i)).dot(v_));
    if (next == modes_[i]) continue;
    history_.events.push_back({t_, "mode", contact_name(static_cast<Index>(i)),
                               std::string(to_string(modes_[i])), std::string(to_string(next)),
                               "the slip changed its direction"});
    modes_[i] = next;
  }
  plant_.set_modes(modes_);
  std::string cause = reason_for_compliance();
  if (cause.empty()) return;
  if (!compliant_) {
    end_not_unique(cause);
    return;
  }
  // The forces of the last instant that had one answer; of this one under the new torque, if it still has.
  enter_compliant(cause, lambda_before_, lambda_T_before_);
}

/// The contacts' own eigenvalues. Rigid contacts are looked at as if they gave way under their forces.
void Simulation::record_stability(Sample& sample) {
  const CompliantPlant* springs = is_compliant_ ? &compliant_->plant : probe_.get();
  if (!is_compliant_) {
    VectorXd xi;
    probe_->set_offset(plant_.offset());
    (void)probe_->adopt_forces(q_, v_, plant_.lambda_N(), plant_.lambda_T(), xi);
    // A sliding contact stays one, whatever rounding says.
    if (probe_->solve(q_, v_, xi, tau_, modes_) != ContactSolveStatus::kSolved) return;
  }
  const ContactStability found = contact_stability(*springs, *options_.stability);
  sample.contact_growth = found.growth;
  sample.contact_eigenvalues = found.eigenvalues;
  const bool grows = !found.stable();
  Summary& summary = history_.summary;
  if (grows && found.growth > summary.max_contact_growth) {
    summary.max_contact_growth = found.growth;
    summary.stability_warning = fmt::format("{} (t = {:.3f} s)", found.warning, t_);
  }
  const auto word = [](ContactStabilityStatus status) {
    return status == ContactStabilityStatus::kFastGrowth   ? "grows fast"
           : status == ContactStabilityStatus::kSlowGrowth ? "grows slowly"
                                                           : "stable";
  };
  if (std::string_view(word(found.status)) == word(stability_)) return;
  history_.events.push_back({t_,
                             "stability",
                             {},
                             word(stability_),
                             word(found.status),
                             grows ? found.warning : "every disturbance of the contact forces decays"});
  stability_ = found.status;
}

}  // namespace enfold::sim
