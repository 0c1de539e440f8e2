// SPDX-License-Identifier: BSD-3-Clause
#include "read_control.hpp"

#include <fmt/format.h>

#include "read_per_name.hpp"

namespace enfold::io {
namespace {

std::vector<double> read_per_contact(const Field& field, const std::vector<ContactSpec>& contacts) {
  return read_per_name(field, contact_names(contacts), {"force", "contact"}, Sign::kNonNegative);
}

NormalFloor read_floor(const Field& field, const std::vector<ContactSpec>& contacts) {
  const Value& value = *field.value;
  const bool knots = value.kind == Value::Kind::kList && !value.items.empty() &&
                     value.items.front().kind == Value::Kind::kMap;
  NormalFloor floor;
  if (!knots) {
    floor.knots.push_back({0.0, read_per_contact(field, contacts)});
    return floor;
  }
  for (const Field& item : field.items()) {
    const Table table(item, "normal_knot");
    const Field time = table["time_s"];
    const double t = time.number(Sign::kNonNegative);
    if (!floor.knots.empty() && !(t > floor.knots.back().time)) {
      fail(time.place(), fmt::format("{} must be later than the knot before it at {} s, found {}", time.path,
                                     floor.knots.back().time, t));
    }
    floor.knots.push_back({t, read_per_contact(table["N"], contacts)});
  }
  // A single knot is a constant, whatever its time.
  if (floor.knots.size() == 1) floor.knots.front().time = 0.0;
  return floor;
}

RobustSpec read_robust(const Field& field, const std::vector<ContactSpec>& contacts) {
  const Table table(field, "robust");
  RobustSpec robust;
  robust.mu_fraction.assign(contacts.size(), 0.0);
  if (table.has("mu_fraction")) {
    const Field fraction = table["mu_fraction"];
    robust.mu_fraction =
        read_per_name(fraction, contact_names(contacts), {"fraction", "contact"}, Sign::kNonNegative);
    for (const double value : robust.mu_fraction)
      if (value > 1.0)
        fail(fraction.place(), fmt::format("{} must be at most 1, found {}", fraction.path, value));
  }
  if (table.has("force_N")) robust.force = table["force_N"].pair(Sign::kNonNegative);
  robust.moment = table.number("moment_Nm", 0.0, Sign::kNonNegative);
  if (table.has("held")) robust.held = table["held"].flag();
  return robust;
}

}  // namespace

PlannerSpec read_planner(const Field& field, const std::vector<ContactSpec>& contacts) {
  const Table table(field, "planner");
  PlannerSpec planner;
  if (table.has("objective")) planner.objective = choose(table["objective"], kObjectiveWords);
  planner.min_normal = read_floor(table["min_normal_N"], contacts);
  planner.sample_rate = table.number("sample_hz", planner.sample_rate, Sign::kPositive);
  if (table.has("max_torque_Nm")) planner.max_torque = table["max_torque_Nm"].number(Sign::kPositive);
  planner.friction_margin.assign(contacts.size(), 0.0);
  if (table.has("friction_margin")) {
    const Field margin = table["friction_margin"];
    planner.friction_margin =
        read_per_name(margin, contact_names(contacts), {"margin", "contact"}, Sign::kNonNegative);
    for (const double value : planner.friction_margin)
      if (value >= 1.0) fail(margin.place(), fmt::format("{} must be below 1, found {}", margin.path, value));
  }
  if (table.has("robust")) planner.robust = read_robust(table["robust"], contacts);
  if (table.has("max_torque_rate_Nmps")) {
    const Field rate = table["max_torque_rate_Nmps"];
    planner.max_torque_rate = rate.number(Sign::kPositive);
    if (planner.robust || planner.objective == PlannerObjective::kLiteral)
      fail(rate.place(),
           fmt::format("{} can't be combined with planner.robust or objective literal", rate.path));
  }
  if (table.has("max_normal_N")) {
    const Field most = table["max_normal_N"];
    planner.max_normal = most.number(Sign::kPositive);
    for (const NormalFloor::Knot& knot : planner.min_normal.knots) {
      const double least = *std::max_element(knot.N.begin(), knot.N.end());
      if (least <= *planner.max_normal) continue;
      fail(most.place(),
           fmt::format("planner.max_normal_N is {}, below min_normal_N {}; no force is between them",
                       *planner.max_normal, least));
    }
  }
  return planner;
}

}  // namespace enfold::io
