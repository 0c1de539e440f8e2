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

/// Errors of readings that are the same at every instant. An empty vector is none.
struct SensorOffsets {
  double force_bias = 0.0;        ///< added to every normal force [N]
  double joint_bias = 0.0;        ///< added to every joint angle [rad]
  VectorXd pose_bias{};           ///< added to the object's pose, as a velocity would move it, n_x [m, rad]
  double force_resolution = 0.0;  ///< normal and tangential forces are multiples of it; 0: exact [N]
  double joint_resolution = 0.0;  ///< joint angles are multiples of it; 0: exact [rad]
  VectorXd pose_resolution{};     ///< of the object's coordinates, one for each; 0: exact [m, rad]

  [[nodiscard]] bool none() const {
    return force_bias == 0.0 && joint_bias == 0.0 && force_resolution == 0.0 && joint_resolution == 0.0 &&
           (pose_bias.size() == 0 || pose_bias.isZero(0.0)) &&
           (pose_resolution.size() == 0 || pose_resolution.isZero(0.0));
  }
};

/// What sensors add to the truth, in this order: noise, bias, and rounding to the resolution.
///
/// Noise is uniform, in fractions: a reading r becomes r + f·u·reference with u uniform on [−1, 1).
struct NoiseModel {
  double force = 0.0;     ///< of every force reading
  double pose = 0.0;      ///< of the object's pose
  double velocity = 0.0;  ///< of every velocity reading, object and joints
  PoseNoiseReference pose_reference = PoseNoiseReference::kError;
  VectorXd pose_range{};  ///< for kRange: how far each object coordinate moves, n_x
  SensorOffsets offsets{};
  std::uint64_t seed = 1;

  [[nodiscard]] bool silent() const {
    return force == 0.0 && pose == 0.0 && velocity == 0.0 && offsets.none();
  }
};

/// Turns the true state into what the controller reads. Draws depend on seed, instant and channel only, so
/// that a run is the same whatever ran before it.
class Sensors {
 public:
  /// @pre fractions and resolutions ≥ 0, pose_range of size n_x if it is used, pose_bias empty or of size
  /// n_x, pose_resolution empty or one for each coordinate of the object (throws InvalidArgument)
  Sensors(std::shared_ptr<const mechanics::Mechanism> mechanism, Index n_contacts, NoiseModel noise);

  /// Adds the errors of control instant number `instant` to a true measurement, in place. Allocates nothing.
  void disturb(std::uint64_t instant, const VectorXd& x_des, control::Measurement& measured);

 private:
  void add_noise(std::uint64_t instant, const VectorXd& x_des, control::Measurement& measured);
  void add_offsets(control::Measurement& measured);

  std::shared_ptr<const mechanics::Mechanism> mechanism_;
  NoiseModel noise_;
  CounterRandom force_draw_, pose_draw_, velocity_draw_;
  Index n_contacts_;
  VectorXd q_des_, delta_, q_delta_;
};

}  // namespace enfold::sim
