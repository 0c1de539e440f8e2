// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "enfold/control/plan.hpp"

namespace enfold::planners {

/// A circle or a spiral of the first two coordinates about a centre, the others in a straight line.
/// [eq:round-path]
///
///     x = c + (r₀ + (r₁ − r₀) s) R(2π·turns·s) d₀,   d₀ = (x₀ − c)/r₀,   s = 10u³ − 15u⁴ + 6u⁵,   u = t/T
///
/// From rest to rest. With r₁ = r₀ it is a circle.
class RoundPath final : public control::Trajectory {
 public:
  struct Shape {
    Vector2d centre = Vector2d::Zero();  ///< [m]
    double turns = 1.0;                  ///< counter-clockwise positive
    double radius_to = 0.0;              ///< r₁ [m]
    VectorXd others_to;                  ///< last values of the coordinates after the first two
  };

  /// @pre from has two coordinates and those of others_to; it is not the centre; radius_to ≥ 0, duration > 0
  /// (throws InvalidArgument)
  RoundPath(VectorXd from, Shape shape, double duration);

  [[nodiscard]] double duration() const override { return duration_; }
  void sample(double t, control::Reference& out) const override;

 private:
  VectorXd from_;
  Shape shape_;
  double duration_;
  double radius_from_ = 0.0;
  Vector2d direction_;
};

/// A trajectory at another speed: the same poses, in another time.
///
///     x(t) = x₁(t·T₁/T)
class Retimed final : public control::Trajectory {
 public:
  /// @pre base set, duration > 0 (throws InvalidArgument)
  Retimed(std::shared_ptr<const control::Trajectory> base, double duration);

  [[nodiscard]] double duration() const override { return duration_; }
  void sample(double t, control::Reference& out) const override;

 private:
  std::shared_ptr<const control::Trajectory> base_;
  double duration_;
};

}  // namespace enfold::planners
