// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Geometry>

#include "enfold/mechanics/planar_hand.hpp"

namespace enfold::test {

/// Joint torques of a motion (θ, θ̇, θ̈) by the recursion of Newton and Euler in the links' own frames: the
/// second route to M and h, which the library gets from Jacobians in the world frame.        [Luh, Walker &
/// Paul 1980]
[[nodiscard]] inline VectorXd newton_euler(const mechanics::PlanarHand& hand, const VectorXd& theta,
                                           const VectorXd& theta_dot, const VectorXd& theta_ddot,
                                           const Vector2d& gravity) {
  const auto cross = [](const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); };
  const auto left = [](const Vector2d& a) { return Vector2d{-a.y(), a.x()}; };
  VectorXd tau(hand.n_joints());
  Index first = 0;
  for (const mechanics::PlanarArm& arm : hand.arms()) {
    const auto n = static_cast<Index>(arm.links.size());
    std::vector<Vector2d> inertial(arm.links.size());  // m·(a_com − g), in the link's frame
    std::vector<double> spin(arm.links.size());        // angular acceleration
    double omega = 0.0;
    double omega_dot = 0.0;
    Vector2d a = -gravity;  // of the next joint, in the frame of the link before it
    for (Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      a = Eigen::Rotation2Dd(-theta[first + i]) * a;
      omega += theta_dot[first + i];
      omega_dot += theta_ddot[first + i];
      const Vector2d& c = arm.links[k].com;
      inertial[k] = arm.links[k].mass * (a + omega_dot * left(c) - omega * omega * c);
      spin[k] = omega_dot;
      const Vector2d tip{arm.links[k].length, 0.0};
      a += omega_dot * left(tip) - omega * omega * tip;
    }
    Vector2d f = Vector2d::Zero();  // on the next link, in this link's frame
    double moment = 0.0;            // on the next link, about its joint
    for (Index i = n - 1; i >= 0; --i) {
      const auto k = static_cast<std::size_t>(i);
      const mechanics::PlanarLink& link = arm.links[k];
      moment += link.inertia * spin[k] + cross(link.com, inertial[k]) + cross({link.length, 0.0}, f);
      tau[first + i] = moment;
      f = Eigen::Rotation2Dd(theta[first + i]) * (f + inertial[k]);
    }
    first += n;
  }
  return tau;
}

}  // namespace enfold::test
