// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>

#include "enfold/base/counter_random.hpp"
#include "enfold/control/controller.hpp"
#include "enfold/mechanics/mechanism.hpp"

namespace enfold::sim {

/// What a fraction of pose noise is a fraction of (checklist row 22).
enum class PoseNoiseReference {
  kError,    ///< the tracking error x_d − x
  kReading,  ///< the coordinate itself
  kRange,    ///< how far the coordinate moves in the whole task
};

/// Uniform noise, in fractions: a reading r becomes r + f·u·reference with u uniform on [−1, 1).
struct NoiseModel {
  double force = 0.0;     ///< of every force reading
  double pose = 0.0;      ///< of the object's pose
  double velocity = 0.0;  ///< of every velocity reading, object and joints
  PoseNoiseReference pose_reference = PoseNoiseReference::kError;
  VectorXd pose_range{};  ///< for kRange: how far each object coordinate moves, n_x
  std::uint64_t seed = 1;

  [[nodiscard]] bool silent() const { return force == 0.0 && pose == 0.0 && velocity == 0.0; }
};

/// Turns the true state into what the controller reads. Draws depend on seed, instant and channel only, so
/// that a run is the same whatever ran before it.
class Sensors {
 public:
  /// @pre fractions ≥ 0, pose_range of size n_x if it is used (throws InvalidArgument)
  Sensors(std::shared_ptr<const mechanics::Mechanism> mechanism, Index n_contacts, NoiseModel noise);

  /// Adds the noise of control instant number `instant` to a true measurement, in place. Allocates nothing.
  void disturb(std::uint64_t instant, const VectorXd& x_des, control::Measurement& measured);

 private:
  std::shared_ptr<const mechanics::Mechanism> mechanism_;
  NoiseModel noise_;
  CounterRandom force_draw_, pose_draw_, velocity_draw_;
  Index n_contacts_;
  VectorXd q_des_, delta_, q_delta_;
};

}  // namespace enfold::sim
