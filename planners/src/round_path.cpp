// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/round_path.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "enfold/base/require.hpp"

namespace enfold::planners {

RoundPath::RoundPath(VectorXd from, Shape shape, double duration)
    : from_{std::move(from)}, shape_{std::move(shape)}, duration_{duration} {
  ENFOLD_REQUIRE(from_.size() == 2 + shape_.others_to.size(),
                 "RoundPath: from has {} coordinates, others_to {}", from_.size(), shape_.others_to.size());
  ENFOLD_REQUIRE(std::isfinite(duration) && duration > 0.0, "RoundPath: duration is {} s, expected > 0",
                 duration);
  ENFOLD_REQUIRE(std::isfinite(shape_.turns) && shape_.radius_to >= 0.0,
                 "RoundPath: {} turns to a radius of {} m", shape_.turns, shape_.radius_to);
  direction_ = from_.head<2>() - shape_.centre;
  radius_from_ = direction_.norm();
  ENFOLD_REQUIRE(radius_from_ > 0.0, "RoundPath: it starts at its centre ({}, {})", from_[0], from_[1]);
  direction_ /= radius_from_;
}

void RoundPath::sample(double t, control::Reference& out) const {
  const double T = duration_;
  const double u = std::clamp(t / T, 0.0, 1.0);
  const bool moving = t >= 0.0 && t <= T;
  const double s = u * u * u * (10.0 + u * (-15.0 + 6.0 * u));
  const double s1 = u * u * (30.0 + u * (-60.0 + 30.0 * u)) / T;
  const double s2 = u * (60.0 + u * (-180.0 + 120.0 * u)) / (T * T);
  const double s3 = (moving ? 60.0 + u * (-360.0 + 360.0 * u) : 0.0) / (T * T * T);

  // f(s) = r(s) R(ωs) d₀ and its derivatives by s; e⊥ is e turned by 90°.
  const double omega = 2.0 * std::numbers::pi * shape_.turns;
  const double dr = shape_.radius_to - radius_from_;
  const double r = radius_from_ + dr * s;
  const Vector2d e = Eigen::Rotation2Dd(omega * s) * direction_;
  const Vector2d e_perp{-e.y(), e.x()};
  const Vector2d f1 = dr * e + omega * r * e_perp;
  const Vector2d f2 = 2.0 * omega * dr * e_perp - omega * omega * r * e;
  const Vector2d f3 = -3.0 * omega * omega * dr * e - omega * omega * omega * r * e_perp;

  const Index n = from_.size();
  const auto others = [&](VectorXd& part, double factor) {
    part.tail(n - 2) = factor * (shape_.others_to - from_.tail(n - 2));
  };
  for (VectorXd* part : {&out.x, &out.x_dot, &out.x_ddot, &out.x_dddot}) part->resize(n);
  out.x.head<2>() = shape_.centre + r * e;
  others(out.x, s);
  out.x.tail(n - 2) += from_.tail(n - 2);
  out.x_dot.head<2>() = f1 * s1;
  others(out.x_dot, s1);
  out.x_ddot.head<2>() = f2 * s1 * s1 + f1 * s2;
  others(out.x_ddot, s2);
  out.x_dddot.head<2>() = f3 * s1 * s1 * s1 + 3.0 * f2 * s1 * s2 + f1 * s3;
  others(out.x_dddot, s3);
}

Retimed::Retimed(std::shared_ptr<const control::Trajectory> base, double duration)
    : base_{std::move(base)}, duration_{duration} {
  ENFOLD_REQUIRE(base_ != nullptr, "Retimed: there is no trajectory of {} s", duration);
  ENFOLD_REQUIRE(std::isfinite(duration) && duration > 0.0, "Retimed: duration is {} s, expected > 0",
                 duration);
}

void Retimed::sample(double t, control::Reference& out) const {
  const double speed = base_->duration() / duration_;
  base_->sample(t * speed, out);
  out.x_dot *= speed;
  out.x_ddot *= speed * speed;
  out.x_dddot *= speed * speed * speed;
}

}  // namespace enfold::planners
