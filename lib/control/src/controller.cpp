// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/control/controller.hpp"

#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::control {

SampledLoop::SampledLoop(Controller& law, double period)
    : law_{law}, period_{period}, integral_{VectorXd::Zero(law.n_integrals())} {
  ENFOLD_REQUIRE(std::isfinite(period) && period > 0.0,
                 "SampledLoop: period is {} s, expected > 0 and finite", period);
}

SampledLoop::SampledLoop(Controller& law, double period, const ActuatorLimits& limits, Index n_joints)
    : SampledLoop{law, period} {
  if (limits.none()) return;
  actuators_.emplace(limits, period, n_joints);
  anti_windup_ = limits.anti_windup && law.n_integrals() > 0;
  limited_.setZero(n_joints);
  next_integral_ = integral_;
}

void SampledLoop::reset() {
  integral_.setZero();
  if (actuators_) actuators_->reset();
}

const Command& SampledLoop::command(double t, const Measurement& measured) noexcept {
  law_.evaluate(t, measured, integral_, command_);
  bool hold = false;
  if (actuators_ && !command_.singular) {
    const double taken = actuators_->limit(command_.tau, limited_);
    command_.saturated = taken > 0.0;
    hold = command_.saturated && anti_windup_ && winds_up(t, measured, taken);
    command_.tau = limited_;
    actuators_->commit(limited_);
  }
  if (!hold) integral_ += period_ * command_.integral_rate;
  return command_;
}

/// Would the law, with its integrals a step further, ask for more beyond the limits than it does now?
bool SampledLoop::winds_up(double t, const Measurement& measured, double taken) noexcept {
  next_integral_ = integral_ + period_ * command_.integral_rate;
  law_.evaluate(t, measured, next_integral_, trial_);
  return actuators_->limit(trial_.tau, trial_limited_) > taken;
}

}  // namespace enfold::control
