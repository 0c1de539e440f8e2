// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "enfold/base/types.hpp"
#include "enfold/control/actuators.hpp"

namespace enfold::control {

/// What the sensors say at a control instant. A force reading is the force just before the torque changes.
struct Measurement {
  VectorXd q;                 ///< measured configuration [x ; θ]
  VectorXd v;                 ///< measured velocity
  VectorXd lambda_N;          ///< measured normal forces, n_C [N]
  VectorXd lambda_T;          ///< measured tangential forces, n_C [N]
  bool forces_valid = false;  ///< false at the first instant, when no torque has acted yet
};

/// What a controller answers, and what it believes.
struct Command {
  VectorXd tau;            ///< joint torques [N·m]
  VectorXd alpha;          ///< internal-force magnitudes computed from the forces, p [N]
  VectorXd alpha_des;      ///< their desired values, p [N]
  VectorXd integral_rate;  ///< what the law integrates, n_integrals
  bool singular = false;   ///< the law's matrices lost rank or tau is not finite: not to be used
  bool saturated = false;  ///< set by SampledLoop: the motors can't give what the law asked for
};

/// A control law as a function of time, measurement and the values of its integrals. Whoever runs it
/// integrates `integral_rate`: a sampled loop by sums (SampledLoop), a continuous one together with the state
/// of the plant.
///
/// The constructor may throw; evaluate() never does, and allocates nothing once `out` has its sizes, so that
/// the same object can run on a robot.
class Controller {
 public:
  virtual ~Controller() = default;
  [[nodiscard]] virtual Index n_integrals() const = 0;
  virtual void evaluate(double t, const Measurement& measured, const VectorXd& integral,
                        Command& out) noexcept = 0;
  /// One line about the law and its gains, for reports.
  [[nodiscard]] virtual std::string description() const = 0;
};

/// Runs a law at a fixed rate: the torque is held between two calls, integrals are sums of rate·period, and
/// the torque stays within what the motors can give. This is all that a robot's control thread has to call:
///
///     loop.command(t, measurement).tau
///
/// Anti-windup by conditional integration: while a limit is active, the integrals take their step only if the
/// law, asked again with them, does not ask for more beyond the limits than before.          [eq:anti-windup]
class SampledLoop {
 public:
  /// @pre period > 0 and finite [s] (throws InvalidArgument)
  SampledLoop(Controller& law, double period);
  /// @pre as above and as Actuators (throws InvalidArgument)
  SampledLoop(Controller& law, double period, const ActuatorLimits& limits, Index n_joints);

  /// The torque from time t on. Called once each period. Allocates nothing after the first call that meets a
  /// limit.
  const Command& command(double t, const Measurement& measured) noexcept;
  void reset();
  [[nodiscard]] const VectorXd& integral() const { return integral_; }

 private:
  [[nodiscard]] bool winds_up(double t, const Measurement& measured, double taken) noexcept;

  Controller& law_;
  double period_;
  VectorXd integral_;
  Command command_;
  std::optional<Actuators> actuators_;
  bool anti_windup_ = false;
  VectorXd limited_, trial_limited_, next_integral_;
  Command trial_;
};

}  // namespace enfold::control
