// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "enfold/base/types.hpp"

namespace enfold::mechanics {

/// A force on a mechanism from outside, a given function of time and configuration.
class Load {
 public:
  virtual ~Load() = default;

  /// Generalised force at time t and configuration q, written into f (n_v, already sized). Const,
  /// thread-safe, allocates nothing.
  virtual void generalised_force(double t, const VectorXd& q, VectorXd& f) const = 0;
};

/// A force and a moment on a planar object, linear in time between knots and constant before the first and
/// after the last.
struct PlanarPointLoad {
  struct Knot {
    double time = 0.0;                  ///< [s]
    Vector2d force = Vector2d::Zero();  ///< in world directions [N]
    double moment = 0.0;                ///< counter-clockwise [N·m]
  };
  Vector2d point = Vector2d::Zero();  ///< where the force acts, in the body frame: it moves with the body [m]
  std::vector<Knot> knots;            ///< at least one, times increasing; a single knot is a constant
};

/// Point loads on the object of a PlanarGraspMechanism, added up:
///
///     f = [F ; (R p) × F + m ; 0 …],   R the rotation by q[2]                                [eq:point-load]
class PlanarObjectLoad final : public Load {
 public:
  /// @pre every load has a knot, all numbers finite, times increasing (throws InvalidArgument)
  explicit PlanarObjectLoad(std::vector<PlanarPointLoad> loads);

  /// @pre q and f have the same size ≥ 3 (throws InvalidArgument)
  void generalised_force(double t, const VectorXd& q, VectorXd& f) const override;

  [[nodiscard]] const std::vector<PlanarPointLoad>& loads() const { return loads_; }

 private:
  std::vector<PlanarPointLoad> loads_;
};

}  // namespace enfold::mechanics
