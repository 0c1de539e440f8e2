// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/control/plan.hpp"

namespace enfold::planners {

/// Rest to rest in a straight line of coordinates, by the fifth-order polynomial of S4's examples.
/// [eq:quintic]
///
///     x(t) = x₀ + s(t/T)(x₁ − x₀),   s(u) = 10u³ − 15u⁴ + 6u⁵
///
/// Velocity and acceleration are zero at both ends. Before the start and after the end it rests.
class Quintic final : public control::Trajectory {
 public:
  /// @pre from and to have one size, duration > 0 [s] (throws InvalidArgument)
  Quintic(VectorXd from, VectorXd to, double duration);

  /// s(u), which rises from 0 to 1; for numbers and for intervals.
  template <class T>
  [[nodiscard]] static T progress(const T& u) {
    return u * u * u * (T(10.0) + u * (T(-15.0) + T(6.0) * u));
  }

  [[nodiscard]] double duration() const override { return duration_; }
  void sample(double t, control::Reference& out) const override;

 private:
  VectorXd from_;
  VectorXd step_;
  double duration_;
};

}  // namespace enfold::planners
