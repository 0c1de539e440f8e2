// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "enfold/base/types.hpp"

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

/// Runs a law at a fixed rate: the torque is held between two calls, integrals are sums of rate·period.
class SampledLoop {
 public:
  /// @pre period > 0 and finite [s] (throws InvalidArgument)
  SampledLoop(Controller& law, double period);

  /// The torque from time t on. Called once each period.
  const Command& command(double t, const Measurement& measured) noexcept;
  void reset() { integral_.setZero(); }
  [[nodiscard]] const VectorXd& integral() const { return integral_; }

 private:
  Controller& law_;
  double period_;
  VectorXd integral_;
  Command command_;
};

}  // namespace enfold::control
