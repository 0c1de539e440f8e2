// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/control/actuators.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::control {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

VectorXd each_joint(const std::vector<double>& limit, Index n_joints, const char* name) {
  ENFOLD_REQUIRE(limit.size() <= 1 || static_cast<Index>(limit.size()) == n_joints,
                 "Actuators: {} values of {} for {} joints, expected none, one, or one for each",
                 limit.size(), name, n_joints);
  for (const double value : limit)
    ENFOLD_REQUIRE(value > 0.0, "Actuators: {} is {}, expected > 0", name, value);
  VectorXd out = VectorXd::Constant(n_joints, limit.empty() ? kInfinity : limit[0]);
  if (limit.size() > 1) std::copy(limit.begin(), limit.end(), out.begin());
  return out;
}

}  // namespace

Actuators::Actuators(const ActuatorLimits& limits, double period, Index n_joints)
    : max_torque_{each_joint(limits.max_torque, n_joints, "max_torque")},
      max_change_{each_joint(limits.max_rate, n_joints, "max_rate") * period},
      before_{VectorXd::Zero(n_joints)},
      resolution_{limits.resolution} {
  ENFOLD_REQUIRE(std::isfinite(period) && period > 0.0, "Actuators: period is {} s, expected > 0 and finite",
                 period);
  ENFOLD_REQUIRE(std::isfinite(resolution_) && resolution_ >= 0.0,
                 "Actuators: resolution is {} N·m, expected ≥ 0 and finite", resolution_);
}

double Actuators::limit(const VectorXd& tau, VectorXd& out) const {
  out.resize(tau.size());
  double taken = 0.0;
  for (Index i = 0; i < tau.size(); ++i) {
    double value = tau[i];
    if (started_) value = std::clamp(value, before_[i] - max_change_[i], before_[i] + max_change_[i]);
    value = std::clamp(value, -max_torque_[i], max_torque_[i]);
    taken += std::abs(tau[i] - value);
    // Towards zero at a limit, so that rounding never breaks a limit of the torque.
    if (resolution_ > 0.0) {
      const double nearest = std::round(value / resolution_) * resolution_;
      value = std::abs(nearest) <= max_torque_[i] ? nearest : std::trunc(value / resolution_) * resolution_;
    }
    out[i] = value;
  }
  return taken;
}

void Actuators::commit(const VectorXd& tau) {
  before_ = tau;
  started_ = true;
}

TorqueDelay::TorqueDelay(double delay, double period, Index n_joints) : delay_{delay} {
  ENFOLD_REQUIRE(std::isfinite(delay) && delay >= 0.0, "TorqueDelay: delay is {} s, expected ≥ 0 and finite",
                 delay);
  ENFOLD_REQUIRE(std::isfinite(period) && period > 0.0,
                 "TorqueDelay: period is {} s, expected > 0 and finite", period);
  ENFOLD_REQUIRE(delay <= 1e6 * period, "TorqueDelay: delay {} s is more than a million periods of {} s",
                 delay, period);
  ring_.resize(static_cast<std::size_t>(std::ceil(delay / period)) + 2);
  for (Entry& entry : ring_) entry.tau.setZero(n_joints);
}

void TorqueDelay::push(double t, const VectorXd& tau) {
  ENFOLD_REQUIRE(count_ < ring_.size(), "TorqueDelay: {} torques are on their way already", count_);
  Entry& entry = ring_[(first_ + count_++) % ring_.size()];
  entry.time = t + delay_;
  entry.tau = tau;
}

void TorqueDelay::pop(VectorXd& tau) {
  ENFOLD_REQUIRE(count_ > 0, "TorqueDelay: no torque is on its way");
  tau = ring_[first_].tau;
  first_ = (first_ + 1) % ring_.size();
  --count_;
}

}  // namespace enfold::control
