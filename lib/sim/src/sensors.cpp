// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/sim/sensors.hpp"

#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::sim {
namespace {

enum Stream : std::uint64_t { kForceStream = 1, kPoseStream = 2, kVelocityStream = 3 };

double rounded(double value, double resolution) {
  return resolution > 0.0 ? std::round(value / resolution) * resolution : value;
}

}  // namespace

Sensors::Sensors(std::shared_ptr<const mechanics::Mechanism> mechanism, Index n_contacts, NoiseModel noise)
    : mechanism_{std::move(mechanism)},
      noise_{std::move(noise)},
      force_draw_{noise_.seed, kForceStream},
      pose_draw_{noise_.seed, kPoseStream},
      velocity_draw_{noise_.seed, kVelocityStream},
      n_contacts_{n_contacts},
      q_des_{VectorXd::Zero(mechanism_->n_q())},
      delta_{VectorXd::Zero(mechanism_->n_v())},
      q_delta_{VectorXd::Zero(mechanism_->n_q())} {
  ENFOLD_REQUIRE(noise_.force >= 0.0 && noise_.pose >= 0.0 && noise_.velocity >= 0.0,
                 "Sensors: noise fractions are {}, {} and {}, expected ≥ 0", noise_.force, noise_.pose,
                 noise_.velocity);
  ENFOLD_REQUIRE(
      noise_.pose_reference != PoseNoiseReference::kRange || noise_.pose_range.size() == mechanism_->n_x(),
      "Sensors: pose_range has {} entries, expected {}", noise_.pose_range.size(), mechanism_->n_x());
  const SensorOffsets& offsets = noise_.offsets;
  ENFOLD_REQUIRE(offsets.pose_bias.size() == 0 || offsets.pose_bias.size() == mechanism_->n_x(),
                 "Sensors: pose_bias has {} entries, expected {}", offsets.pose_bias.size(),
                 mechanism_->n_x());
  const Index n_pose = mechanism_->n_q() - mechanism_->n_theta();
  ENFOLD_REQUIRE(offsets.pose_resolution.size() == 0 || offsets.pose_resolution.size() == n_pose,
                 "Sensors: pose_resolution has {} entries, expected {}", offsets.pose_resolution.size(),
                 n_pose);
  ENFOLD_REQUIRE(offsets.force_resolution >= 0.0 && offsets.joint_resolution >= 0.0 &&
                     (offsets.pose_resolution.size() == 0 || offsets.pose_resolution.minCoeff() >= 0.0),
                 "Sensors: a resolution is negative");
}

void Sensors::disturb(std::uint64_t instant, const VectorXd& x_des, control::Measurement& measured) {
  add_noise(instant, x_des, measured);
  if (!noise_.offsets.none()) add_offsets(measured);
}

void Sensors::add_offsets(control::Measurement& measured) {
  const SensorOffsets& offsets = noise_.offsets;
  const Index n_x = mechanism_->n_x();
  if (offsets.pose_bias.size() > 0) {
    delta_.setZero();
    delta_.head(n_x) = offsets.pose_bias;
    mechanism_->configuration_rate(measured.q, delta_, q_delta_);
    measured.q += q_delta_;
  }
  for (Index i = 0; i < offsets.pose_resolution.size(); ++i)
    measured.q[i] = rounded(measured.q[i], offsets.pose_resolution[i]);
  for (double& angle : measured.q.tail(mechanism_->n_theta()))
    angle = rounded(angle + offsets.joint_bias, offsets.joint_resolution);
  for (double& force : measured.lambda_N)
    force = rounded(force + offsets.force_bias, offsets.force_resolution);
  for (double& force : measured.lambda_T) force = rounded(force, offsets.force_resolution);
}

void Sensors::add_noise(std::uint64_t instant, const VectorXd& x_des, control::Measurement& measured) {
  const Index n_x = mechanism_->n_x();
  const auto draw = [instant](const CounterRandom& stream, Index channels, Index channel) {
    return stream.symmetric(instant * static_cast<std::uint64_t>(channels) +
                            static_cast<std::uint64_t>(channel));
  };
  if (noise_.force > 0.0) {
    for (Index i = 0; i < n_contacts_; ++i) {
      measured.lambda_N[i] *= 1.0 + noise_.force * draw(force_draw_, 2 * n_contacts_, 2 * i);
      measured.lambda_T[i] *= 1.0 + noise_.force * draw(force_draw_, 2 * n_contacts_, 2 * i + 1);
    }
  }
  if (noise_.velocity > 0.0) {
    const Index n_v = measured.v.size();
    for (Index i = 0; i < n_v; ++i) measured.v[i] *= 1.0 + noise_.velocity * draw(velocity_draw_, n_v, i);
  }
  if (noise_.pose <= 0.0) return;
  q_des_ = measured.q;
  switch (noise_.pose_reference) {
    case PoseNoiseReference::kError:
      q_des_.head(x_des.size()) = x_des;
      mechanism_->difference(measured.q, q_des_, delta_);
      break;
    case PoseNoiseReference::kReading:
      delta_.head(n_x) = measured.q.head(n_x);
      break;
    case PoseNoiseReference::kRange:
      delta_.head(n_x) = noise_.pose_range;
      break;
  }
  delta_.tail(delta_.size() - n_x).setZero();  // joint encoders are exact
  for (Index i = 0; i < n_x; ++i) delta_[i] *= noise_.pose * draw(pose_draw_, n_x, i);
  mechanism_->configuration_rate(measured.q, delta_, q_delta_);
  measured.q += q_delta_;
}

}  // namespace enfold::sim
