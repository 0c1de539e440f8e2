// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/mechanics/load.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::mechanics {
namespace {

PlanarPointLoad::Knot load_at(const std::vector<PlanarPointLoad::Knot>& knots, double t) {
  const auto after =
      std::find_if(knots.begin(), knots.end(), [t](const PlanarPointLoad::Knot& k) { return k.time > t; });
  if (after == knots.begin()) return knots.front();
  if (after == knots.end()) return knots.back();
  const auto before = after - 1;
  const double s = (t - before->time) / (after->time - before->time);
  return {t, (1.0 - s) * before->force + s * after->force, (1.0 - s) * before->moment + s * after->moment};
}

}  // namespace

PlanarObjectLoad::PlanarObjectLoad(std::vector<PlanarPointLoad> loads) : loads_{std::move(loads)} {
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const PlanarPointLoad& load = loads_[i];
    ENFOLD_REQUIRE(load.point.allFinite(), "PlanarObjectLoad: the point of load {} is not finite", i);
    ENFOLD_REQUIRE(!load.knots.empty(), "PlanarObjectLoad: load {} has no knots, expected at least one", i);
    for (std::size_t k = 0; k < load.knots.size(); ++k) {
      const PlanarPointLoad::Knot& knot = load.knots[k];
      ENFOLD_REQUIRE(std::isfinite(knot.time) && knot.force.allFinite() && std::isfinite(knot.moment),
                     "PlanarObjectLoad: knot {} of load {} is not finite", k, i);
      ENFOLD_REQUIRE(k == 0 || knot.time > load.knots[k - 1].time,
                     "PlanarObjectLoad: knot {} of load {} is at {} s, expected after {} s", k, i, knot.time,
                     load.knots[k - 1].time);
    }
  }
}

void PlanarObjectLoad::generalised_force(double t, const VectorXd& q, VectorXd& f) const {
  ENFOLD_REQUIRE(q.size() == f.size() && q.size() >= 3,
                 "generalised_force: {} coordinates and {} forces, expected equally many, at least 3",
                 q.size(), f.size());
  f.setZero();
  const double c = std::cos(q[2]);
  const double s = std::sin(q[2]);
  for (const PlanarPointLoad& load : loads_) {
    const PlanarPointLoad::Knot now = load_at(load.knots, t);
    const Vector2d r{c * load.point.x() - s * load.point.y(), s * load.point.x() + c * load.point.y()};
    f.head<2>() += now.force;
    f[2] += r.x() * now.force.y() - r.y() * now.force.x() + now.moment;
  }
}

}  // namespace enfold::mechanics
