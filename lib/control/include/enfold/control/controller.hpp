// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "enfold/base/types.hpp"

namespace enfold::control {

/// What the sensors say at a control instant. A force reading is the force just before the torque changes.
struct Measurement {
  VectorXd q;         ///< measured configuration [x ; θ]
  VectorXd v;         ///< measured velocity
  VectorXd lambda_N;  ///< measured normal forces, n_C [N]
  VectorXd lambda_T;  ///< measured tangential forces, n_C [N]
  bool forces_valid = false;  ///< false at the first instant, when no torque has acted yet
};

/// What a controller answers, and what it believes.
struct Command {
  VectorXd tau;        ///< joint torques [N·m]
  VectorXd alpha;      ///< internal-force magnitudes computed from the forces, p [N]
  VectorXd alpha_des;  ///< their desired values, p [N]
  bool saturated = false;
  bool singular = false;  ///< the law's matrices lost rank; tau is not to be used
};

/// A control law. The constructor may throw; command() allocates nothing and never throws, so that the same object
/// can run on a robot.
class Controller {
 public:
  virtual ~Controller() = default;
  /// Forgets all integrals.
  virtual void reset() = 0;
  virtual void command(double t, const Measurement& measured, Command& out) noexcept = 0;
  /// One line about the law and its gains, for reports: poles included.
  [[nodiscard]] virtual std::string description() const = 0;
};

}  // namespace enfold::control
