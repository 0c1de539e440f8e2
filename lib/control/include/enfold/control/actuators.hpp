// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <vector>

#include "enfold/base/types.hpp"

namespace enfold::control {

/// What motors and their drives do to a torque command. An empty vector is no limit, one entry is for every
/// joint, else there is one for each.
struct ActuatorLimits {
  std::vector<double> max_torque{};  ///< |τ_i| stays at or below; > 0 [N·m]
  std::vector<double> max_rate{};    ///< |τ̇_i|, from period to period, stays at or below; > 0 [N·m/s]
  double resolution = 0.0;           ///< torques are multiples of it; 0: any torque [N·m]
  /// Integrals of the law hold still where their next step would ask for more than the limits give.
  bool anti_windup = true;

  [[nodiscard]] bool none() const { return max_torque.empty() && max_rate.empty() && resolution == 0.0; }
};

/// Limits torques one period after the other.                                              [eq:saturation]
///
///     τ = sat(τ_before + sat(τ* − τ_before, ṙ T), τ_max), rounded to the resolution
///
/// The first torque is not limited in its rate: the hand holds already when the clock starts.
class Actuators {
 public:
  /// @pre period > 0; limits > 0, 1 or n_joints of them; resolution ≥ 0 (throws InvalidArgument)
  Actuators(const ActuatorLimits& limits, double period, Index n_joints);

  /// The torque that acts if `tau` is asked for now. Returns what the limits take away, Σ|τ* − τ| before
  /// rounding [N·m]. Allocates nothing once `out` has its size.
  double limit(const VectorXd& tau, VectorXd& out) const;
  /// Remembers the torque that acts, for the next period's rate.
  void commit(const VectorXd& tau);
  void reset() { started_ = false; }

 private:
  VectorXd max_torque_, max_change_, before_;
  double resolution_;
  bool started_ = false;
};

/// Torques on their way from the controller to the motors.
class TorqueDelay {
 public:
  /// @pre delay ≥ 0, period > 0, both finite (throws InvalidArgument)
  TorqueDelay(double delay, double period, Index n_joints);

  /// `tau`, commanded at time t, acts from t + delay on. @pre no more than one push per period
  void push(double t, const VectorXd& tau);
  /// When the next torque begins to act; infinity if none is on its way [s].
  [[nodiscard]] double next() const {
    return count_ == 0 ? std::numeric_limits<double>::infinity() : ring_[first_].time;
  }
  /// Takes the torque of next(). @pre next() is finite
  void pop(VectorXd& tau);

 private:
  struct Entry {
    double time = 0.0;
    VectorXd tau;
  };
  double delay_;
  std::vector<Entry> ring_;
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace enfold::control
