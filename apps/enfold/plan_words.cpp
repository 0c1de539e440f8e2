// SPDX-License-Identifier: BSD-3-Clause
#include "plan_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace enfold::app {
namespace {

using planners::Requirement;
using planners::RobustVertex;
using planners::RowPrice;

/// What the objective counts, with its unit.
const char* cost_of(const Setup& setup) {
  switch (setup.scenario.planner.objective) {
    case io::PlannerObjective::kNormals:
      return "N of squeeze in all";
    case io::PlannerObjective::kLiteral:
      return "N of squeeze and friction in all";
    case io::PlannerObjective::kMargin:
      return "N of distance to the friction cones";
    case io::PlannerObjective::kTorque:
      return "N·m of torque at the joint that has most";
    case io::PlannerObjective::kTorqueSum:
      return "N·m of torque in all";
  }
  return "";
}

/// Points in a row of a plan that are alike in what `key` tells, longer than what locates a hop.
template <class Key, class Tell>
void for_stretches(const control::Plan& plan, const Key& key, const Tell& tell) {
  const auto& points = plan.points;
  for (std::size_t first = 0; first < points.size();) {
    std::size_t last = first;
    while (last + 1 < points.size() && key(first, last + 1)) ++last;
    if (points[last].time - points[first].time > 2e-6 || points.size() == 1) tell(first, last);
    first = last + 1;
  }
}

/// Over time, by trapezoids.
double mean_price(const std::vector<control::PlanPoint>& points, std::size_t first, std::size_t last) {
  double sum = 0.0;
  double time = 0.0;
  for (std::size_t k = first; k <= last; ++k) {
    const double before = points[k == 0 ? 0 : k - 1].time;
    const double after = points[std::min(k + 1, points.size() - 1)].time;
    sum += 0.5 * (after - before) * points[k].shadow_price;
    time += 0.5 * (after - before);
  }
  return sum / time;
}

}  // namespace

std::vector<std::string> critical_lines(const Setup& setup, const planners::PlanSolution& planned) {
  const std::vector<std::string>& names = setup.model.contacts->names();
  const auto& points = planned.plan.points;
  const auto alike = [&](std::size_t a, std::size_t b) {
    return points[a].critical_contact == points[b].critical_contact &&
           (planned.binding.empty() || planned.binding[a].same_as(planned.binding[b]));
  };
  std::vector<std::string> out;
  for_stretches(planned.plan, alike, [&](std::size_t first, std::size_t last) {
    const auto by_price = [&](const control::PlanPoint& a, const control::PlanPoint& b) {
      return a.shadow_price < b.shadow_price;
    };
    const auto from = points.begin() + static_cast<std::ptrdiff_t>(first);
    const auto [least, most] =
        std::minmax_element(from, points.begin() + static_cast<std::ptrdiff_t>(last) + 1, by_price);
    const int contact = points[first].critical_contact;
    const std::string span = fmt::format("{:8.6f} s to {:8.6f} s  ", points[first].time, points[last].time);
    if (contact < 0) {
      out.push_back(span + "none");
      return;
    }
    const std::string& name = names[static_cast<std::size_t>(contact)];
    // With limited rates a floor at one instant costs at its neighbours: only the whole stretch means
    // something.
    out.push_back(setup.scenario.planner.max_torque_rate
                      ? fmt::format("{}{:<20}  one newton more all along there costs {:.3g} {} on average",
                                    span, name, mean_price(points, first, last), cost_of(setup))
                      : fmt::format("{}{:<20}  one newton more there costs {:.3g} to {:.3g} {}", span, name,
                                    least->shadow_price, most->shadow_price, cost_of(setup)));
    if (!planned.binding.empty() && !planned.binding[first].none())
      out.push_back("    worst with " + planners::vertex_text(planned.binding[first], names));
  });
  return out;
}

std::vector<std::string> price_lines(const Setup& setup, const planners::PlanSolution& planned) {
  using Limit = std::tuple<Requirement, Index, bool>;
  std::vector<Limit> limits;
  const auto of_limit = [](const RowPrice& row) {
    return row.kind == Requirement::kTorque || (row.kind == Requirement::kNormal && row.upper);
  };
  for (const auto& prices : planned.prices) {
    for (const RowPrice& row : prices) {
      const Limit limit{row.kind, row.who, row.upper};
      if (of_limit(row) && std::find(limits.begin(), limits.end(), limit) == limits.end())
        limits.push_back(limit);
    }
  }
  std::vector<std::string> out;
  for (const Limit& limit : limits) {
    const auto [kind, who, upper] = limit;
    const auto price_at = [&, kind = kind, who = who, upper = upper](std::size_t k) {
      for (const RowPrice& row : planned.prices[k])
        if (row.kind == kind && row.who == who && row.upper == upper) return row.price;
      return 0.0;
    };
    const auto alike = [&](std::size_t a, std::size_t b) {
      return (price_at(a) > 0.0) == (price_at(b) > 0.0);
    };
    for_stretches(planned.plan, alike, [&, kind = kind, who = who](std::size_t first, std::size_t last) {
      double most = 0.0;
      for (std::size_t k = first; k <= last; ++k) most = std::max(most, price_at(k));
      if (most == 0.0) return;
      const auto at = static_cast<std::size_t>(who);
      const bool torque = kind == Requirement::kTorque;
      out.push_back(fmt::format(
          "{:8.6f} s to {:8.6f} s  the {} of {} is at its limit: {} more would save up to {:.3g} {}",
          planned.plan.points[first].time, planned.plan.points[last].time, torque ? "torque" : "normal force",
          torque ? setup.model.mechanism->joint_names()[at] : setup.model.contacts->names()[at],
          torque ? "0.1 N·m" : "one newton", torque ? 0.1 * most : most, cost_of(setup)));
    });
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace enfold::app
