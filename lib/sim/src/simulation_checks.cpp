// SPDX-License-Identifier: BSD-3-Clause
// What a simulation looks for at each instant, and what it writes down.
#include <algorithm>
#include <cmath>
#include <limits>

#include "enfold/base/require.hpp"
#include "enfold/sim/simulation.hpp"

namespace enfold::sim {
namespace {

using contact::ContactMode;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

/// Room for every sample, so that recording copies and never allocates.
void Simulation::size_samples() {
  const Index n = problem_.plant.contacts->n_contacts();
  Sample sample;
  const mechanics::Mechanism& mechanism = *problem_.plant.mechanism;
  sample.x = q_.head(q_.size() - mechanism.n_theta());
  sample.x_dot = v_.head(mechanism.n_x());
  sample.x_des = reference_.x;
  sample.x_dot_des = reference_.x_dot;
  sample.theta = sample.omega = sample.tau = tau_;
  sample.lambda_N = sample.lambda_T = sample.gap = sample.slip = sample.offset = measured_.lambda_N;
  sample.modes = modes_;
  sample.alpha = command_.alpha;
  sample.alpha_des = command_.alpha_des;
  sample.A0 = sample.A1 = MatrixXd::Constant(n, n, kNaN);
  const auto count =
      static_cast<std::size_t>(std::floor(options_.duration * options_.record_rate + 1e-9)) + 3;
  history_.samples.assign(count, sample);
}

/// Drift, lost contacts, contacts that ran off their link.
bool Simulation::check_contacts() {
  const contact::ContactKinematics& kinematics = plant_.kinematics();
  Summary& summary = history_.summary;
  for (const Index i : plant_.closed()) {
    const double gap_rate = kinematics.W_N.col(i).dot(v_);
    summary.drift_work += plant_.lambda_N()[i] * gap_rate * (t_ - last_solve_time_);
    if (modes_[static_cast<std::size_t>(i)] == ContactMode::kRoll)
      summary.drift_work += plant_.lambda_T()[i] * kinematics.W_T.col(i).dot(v_) * (t_ - last_solve_time_);
    if (!(finder_ && is_automatic(static_cast<std::size_t>(i))) && plant_.lambda_N()[i] <= 0.0 &&
        kinematics.gap[i] - plant_.offset()[i] > options_.loss_gap) {
      end(RunStatus::kContactLost,
          fmt::format("contact {} opened: its normal force is zero and its gap {:.2e} m at t = {:.4f} s",
                      contact_name(i), kinematics.gap[i], t_),
          i);
      return false;
    }
    if (kinematics.edge_distance[i] < 0.0) {
      end(RunStatus::kContactOffLink,
          fmt::format("contact {} ran off the end of its link at t = {:.4f} s", contact_name(i), t_), i);
      return false;
    }
    summary.max_gap_drift = std::max(summary.max_gap_drift, std::abs(kinematics.gap[i] - plant_.offset()[i]));
    summary.max_gap_rate_drift = std::max(summary.max_gap_rate_drift, std::abs(gap_rate));
  }
  return true;
}

bool Simulation::check_uniqueness() {
  uniqueness_ = &rule_->test_uniqueness();
  const bool unique = uniqueness_->status != lcp::PMatrixStatus::kNotP;
  if (uniqueness_->status == lcp::PMatrixStatus::kUndecided)
    history_.summary.undecided_time += t_ - last_solve_time_;
  last_solve_time_ = t_;
  if (unique != was_unique_) {
    std::string culprits;
    for (const Index j : uniqueness_->witness.indices) {
      culprits += (culprits.empty() ? "" : ", ") + contact_name(rule_->closed()[static_cast<std::size_t>(j)]);
    }
    const std::string cause =
        unique ? std::string("all principal minors are positive again")
               : fmt::format("the principal minor of {{{}}} is {:.3g}", culprits, uniqueness_->witness.value);
    history_.events.push_back(
        {t_, "uniqueness", culprits, unique ? "not P" : "P", unique ? "P" : "not P", cause});
    if (!unique && !options_.continuous_branch && options_.policy == ModelPolicy::kRigid && !finder_) {
      end(RunStatus::kNotUnique,
          fmt::format("A stopped being a P-matrix at t = {:.4f} s: {}; the rigid model has no unique answer "
                      "from here on. Allow compliant contacts (simulation.model: integrated), follow the "
                      "continuous branch (simulation.continuous_branch: true), or lower the friction of "
                      "these contacts",
                      t_, cause));
    }
  }
  was_unique_ = unique;
  return !ended_;
}

/// A contact that slides does so in its own direction; at rest, in that of the plan. True if a mode has
/// changed.
bool Simulation::update_modes() {
  const contact::ContactKinematics& kinematics = plant_.kinematics();
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    next_modes_[i] = modes_[i];
    if (!is_sliding(modes_[i])) continue;
    next_modes_[i] = rule_direction(i, kinematics.W_T.col(static_cast<Index>(i)).dot(v_));
  }
  if (next_modes_ == modes_) return false;
  lambda_before_ = plant_.lambda_N();
  lambda_T_before_ = plant_.lambda_T();
  plant_.set_modes(next_modes_);
  const bool solved = solve_rigid() == ContactSolveStatus::kSolved;
  const double jump = solved ? std::max((plant_.lambda_N() - lambda_before_).lpNorm<Eigen::Infinity>(),
                                        (plant_.lambda_T() - lambda_T_before_).lpNorm<Eigen::Infinity>())
                             : kNaN;
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    if (modes_[i] == next_modes_[i]) continue;
    history_.events.push_back({t_, "mode", contact_name(static_cast<Index>(i)),
                               std::string(to_string(modes_[i])), std::string(to_string(next_modes_[i])),
                               "the slip changed its direction", 0.0, 0.0, jump});
  }
  modes_ = next_modes_;
  return true;
}

void Simulation::record() {
  Sample& sample = history_.samples[n_samples_++];
  const mechanics::Mechanism& mechanism = *problem_.plant.mechanism;
  const contact::ContactKinematics& kinematics =
      is_compliant_ ? compliant_->plant.kinematics() : plant_.kinematics();
  const Index n_theta = mechanism.n_theta();
  sample.time = t_;
  sample.x = q_.head(sample.x.size());
  sample.x_dot = v_.head(mechanism.n_x());
  sample.x_des = reference_.x;
  sample.x_dot_des = reference_.x_dot;
  sample.theta = q_.tail(n_theta);
  sample.omega = v_.tail(n_theta);
  sample.tau = tau_;
  sample.lambda_N = lambda_N();
  sample.lambda_T = lambda_T();
  sample.gap = kinematics.gap;
  sample.offset = is_compliant_ ? compliant_->plant.offset() : plant_.offset();
  sample.slip.noalias() = kinematics.W_T.transpose().lazyProduct(v_);
  sample.modes = is_compliant_ ? compliant_->plant.modes() : modes_;
  sample.model = is_compliant_ ? ContactModel::kCompliant : ContactModel::kRigid;
  if (controlled()) {
    // What the law makes of the true state and forces, at instants between two of its own as well.
    measured_.q = q_;
    measured_.v = v_;
    measured_.lambda_N = lambda_N();
    measured_.lambda_T = lambda_T();
    measured_.forces_valid = true;
    problem_.controller->evaluate(t_, measured_, continuous() ? integral_ : loop_->integral(), command_);
    sample.alpha = command_.alpha;
    sample.alpha_des = command_.alpha_des;
    sample.critical_contact = problem_.plan->points[problem_.plan->segment(t_)].critical_contact;
  }
  sample.saturated = saturated_;
  sample.energy = mechanism.kinetic_energy(q_, v_) + mechanism.potential_energy(q_) +
                  (is_compliant_ ? compliant_->plant.stored_energy() : 0.0);
  if (uniqueness_ != nullptr) {
    const bool is_P = uniqueness_->status == lcp::PMatrixStatus::kP;
    sample.p_matrix = is_P                                               ? Uniqueness::kUnique
                      : uniqueness_->status == lcp::PMatrixStatus::kNotP ? Uniqueness::kNotUnique
                                                                         : Uniqueness::kUndecided;
    sample.min_minor = uniqueness_->smallest.value;
    sample.lcp_solutions = is_P ? 1 : rule_->count_solutions();
  }
  for (Index j = 0; j < rule_->A().cols(); ++j) {
    for (Index i = 0; i < rule_->A().rows(); ++i) {
      const Index row = rule_->closed()[static_cast<std::size_t>(i)];
      const Index column = rule_->closed()[static_cast<std::size_t>(j)];
      sample.A0(row, column) = rule_->A_0()(i, j);
      sample.A1(row, column) = rule_->A_1()(i, j);
    }
  }
  if (probe_) record_stability(sample);
  ++record_count_;
}

/// The last sample of a failed run shows the state in which it failed.
void Simulation::end(RunStatus status, std::string message, Index contact) {
  ended_ = true;
  history_.status = status;
  history_.message = std::move(message);
  Event event{t_, "end", {}, {}, {}, history_.message};
  if (contact >= 0) {
    event.contact = contact_name(contact);
    event.from = std::string(to_string(modes_[static_cast<std::size_t>(contact)]));
    if (status == RunStatus::kContactLost) {
      event.to = std::string(to_string(ContactMode::kOpen));
      modes_[static_cast<std::size_t>(contact)] = ContactMode::kOpen;
    }
  }
  history_.events.push_back(std::move(event));
  const bool solved = status == RunStatus::kContactLost || status == RunStatus::kContactOffLink ||
                      status == RunStatus::kNotUnique;
  const bool recorded = n_samples_ > 0 && history_.samples[n_samples_ - 1].time >= t_;
  if (!solved || recorded || history_.samples.empty()) return;
  uniqueness_ = &rule_->test_uniqueness();
  record();
}

}  // namespace enfold::sim
