// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/control/plan.hpp"

#include <algorithm>

#include "enfold/base/require.hpp"

namespace enfold::control {

std::size_t Plan::segment(double t) const {
  const auto after = std::upper_bound(points.begin(), points.end(), t,
                                      [](double time, const PlanPoint& point) { return time < point.time; });
  return after == points.begin() ? 0 : static_cast<std::size_t>(after - points.begin()) - 1;
}

PlanCursor::PlanCursor(std::shared_ptr<const Plan> plan) : plan_{std::move(plan)} {
  ENFOLD_REQUIRE(plan_ != nullptr && !plan_->empty(), "PlanCursor: the plan is empty");
}

void PlanCursor::move_to(double t) {
  from_ = plan_->segment(t);
  to_ = std::min(from_ + 1, plan_->points.size() - 1);
  const double width = next().time - point().time;
  fraction_ = width > 0.0 ? std::clamp((t - point().time) / width, 0.0, 1.0) : 0.0;
}

void PlanCursor::value(VectorXd PlanPoint::*quantity, VectorXd& out) const {
  out = (1.0 - fraction_) * (point().*quantity) + fraction_ * (next().*quantity);
}

void PlanCursor::rate(VectorXd PlanPoint::*quantity, VectorXd& out) const {
  if (at_end() || (point().*quantity).size() == 0 || (next().*quantity).size() == 0) {
    out.setZero(point().theta.size());
  } else {
    value(quantity, out);
  }
}

}  // namespace enfold::control
