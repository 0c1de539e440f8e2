// SPDX-License-Identifier: BSD-3-Clause
// Between the controller and the plant: torques that come late, and motors that can't give what is asked for.
#include "enfold/sim/simulation.hpp"
#include "same_time.hpp"

namespace enfold::sim {

/// Sets the torque that acts from now on: the one just commanded, or, with a delay, the one that arrives now.
void Simulation::take_torques(bool control_now) {
  if (continuous() || !controlled()) return;
  saturated_ = next_saturated_;
  if (!delay_) {
    if (control_now) tau_ = next_tau_;
    return;
  }
  if (control_now) delay_->push(t_, next_tau_);
  while (delay_->next() <= t_ + kSameTime) delay_->pop(tau_);
}

/// Counts instants at a limit; the first of a run is an event.
void Simulation::note_saturation() {
  Summary& summary = history_.summary;
  ++summary.control_instants;
  next_saturated_ = command_.saturated;
  if (!command_.saturated) return;
  summary.saturated_time += 1.0 / options_.control_rate;
  if (summary.saturated_instants++ > 0) return;
  history_.events.push_back(
      {t_, "saturation", {}, {}, {}, "the motors can't give the torque or its rate that the law asks for"});
}

}  // namespace enfold::sim
