// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/control/plan.hpp"

#include <algorithm>

namespace enfold::control {

std::size_t Plan::segment(double t) const {
  const auto after = std::upper_bound(points.begin(), points.end(), t,
                                      [](double time, const PlanPoint& point) { return time < point.time; });
  return after == points.begin() ? 0 : static_cast<std::size_t>(after - points.begin()) - 1;
}

}  // namespace enfold::control
