// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/quintic.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::planners {

Quintic::Quintic(VectorXd from, VectorXd to, double duration)
    : from_{std::move(from)}, step_{std::move(to)}, duration_{duration} {
  ENFOLD_REQUIRE(from_.size() == step_.size(), "Quintic: from has {} coordinates, to has {}", from_.size(),
                 step_.size());
  ENFOLD_REQUIRE(std::isfinite(duration) && duration > 0.0, "Quintic: duration is {} s, expected > 0",
                 duration);
  step_ -= from_;
}

void Quintic::sample(double t, control::Reference& out) const {
  const double T = duration_;
  const double u = std::clamp(t / T, 0.0, 1.0);
  const bool moving = t >= 0.0 && t <= T;
  out.x = from_ + progress(u) * step_;
  out.x_dot = u * u * (30.0 + u * (-60.0 + 30.0 * u)) / T * step_;
  out.x_ddot = u * (60.0 + u * (-180.0 + 120.0 * u)) / (T * T) * step_;
  out.x_dddot = (moving ? 60.0 + u * (-360.0 + 360.0 * u) : 0.0) / (T * T * T) * step_;
}

}  // namespace enfold::planners
