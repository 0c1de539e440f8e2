// SPDX-License-Identifier: BSD-3-Clause
#include "read_control.hpp"

#include <fmt/format.h>

namespace enfold::io {
namespace {

// One number for all contacts, a list in their order, or a map from their names; `what` for messages.
std::vector<double> read_per_contact(const Field& field, const std::vector<ContactSpec>& contacts,
                                     std::string_view what = "force") {
  const std::size_t n = contacts.size();
  if (field.value->kind == Value::Kind::kList) {
    std::vector<double> out;
    for (const Field& item : field.items()) out.push_back(item.number(Sign::kNonNegative));
    if (out.size() != n) {
      fail(field.place(), fmt::format("{} lists {} {}s for {} contacts", field.path, out.size(), what, n));
    }
    return out;
  }
  if (field.value->kind != Value::Kind::kMap) return std::vector<double>(n, field.number(Sign::kNonNegative));
  std::vector<std::string_view> names;
  for (const ContactSpec& contact : contacts) names.push_back(contact.name);
  std::vector<double> out;
  for (const Entry& entry : field.value->entries) {
    if (std::find(names.begin(), names.end(), entry.key) != names.end()) continue;
    fail(entry.place, fmt::format("unknown contact '{}' in {};{} known: {}", entry.key, field.path,
                                  did_you_mean(entry.key, names), fmt::join(names, ", ")));
  }
  for (const std::string_view name : names) {
    const Value* value = find(*field.value, name);
    if (value == nullptr)
      fail(field.place(), fmt::format("{} has no {} for contact '{}'", field.path, what, name));
    out.push_back(Field{value, fmt::format("{}.{}", field.path, name)}.number(Sign::kNonNegative));
  }
  return out;
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

void read_poles(const Table& table, ControllerSpec& out) {
  for (const char* gain : {"Kp", "Kv", "Kalpha"}) {
    if (table.has(gain)) {
      fail(table["poles"].place(),
           fmt::format("controller gives both poles and {}; keep the poles or the gains", gain));
    }
  }
  const Table poles(table["poles"], "poles");
  const auto [p1, p2] = poles["motion"].pair();
  const double force = poles["force"].number();
  const bool decays = p1 < 0.0 && p2 < 0.0 && force < 0.0;
  if (!decays && !out.allow_unstable) {
    fail(poles.place(),
         fmt::format("controller.poles must be negative so that errors decay, found motion [{}, {}] and "
                     "force {}",
                     p1, p2, force));
  }
  out.Kp = p1 * p2;
  out.Kv = -(p1 + p2);
  out.Kalpha = -force;
}

void check_stable(const Table& table, const ControllerSpec& controller) {
  if (controller.allow_unstable) return;
  if (!(controller.Kalpha > 0.0)) {
    fail(table["Kalpha"].place(),
         fmt::format(
             "controller.Kalpha must be positive, found {}: the pole of e_α + K_α∫e_α = 0 is at −K_α, so the "
             "force error would not decay; the paper prints −10 where its law needs +10. Set "
             "controller.allow_unstable to run it all the same",
             controller.Kalpha));
  }
  for (const auto& [key, gain] : {std::pair{"Kp", controller.Kp}, std::pair{"Kv", controller.Kv}}) {
    if (gain > 0.0) continue;
    fail(table[key].place(),
         fmt::format(
             "controller.{} must be positive, found {}: the poles of ë + K_v ė + K_p e = 0 would not decay. "
             "Set controller.allow_unstable to run it all the same",
             key, gain));
  }
}

RobustSpec read_robust(const Field& field, const std::vector<ContactSpec>& contacts) {
  const Table table(field, "robust");
  RobustSpec robust;
  robust.mu_fraction.assign(contacts.size(), 0.0);
  if (table.has("mu_fraction")) {
    const Field fraction = table["mu_fraction"];
    robust.mu_fraction = read_per_contact(fraction, contacts, "fraction");
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
    planner.friction_margin = read_per_contact(margin, contacts, "margin");
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

ControllerSpec read_controller(const Field& field) {
  const Table table(field, "controller");
  ControllerSpec out;
  if (table.has("type"))
    out.type = choose_text(table["type"], std::array<std::string_view, 2>{"whole_arm", "force_loop"});
  out.rate = table.number("rate_hz", out.rate, Sign::kNonNegative);
  if (table.has("continuous")) {
    const bool continuous = table["continuous"].flag();
    const bool given = table.has("rate_hz");
    if (given && continuous != (out.rate == 0.0)) {
      fail(table["continuous"].place(),
           fmt::format("controller.continuous is {} but rate_hz is {}; keep one of them", continuous,
                       out.rate));
    }
    if (continuous) out.rate = 0.0;
  }
  // Allowed, without effect, with another type too, so that one key switches between the laws.
  const double Klambda = table.number("Klambda", out.Klambda, Sign::kNonNegative);
  if (out.type == "force_loop") out.Klambda = Klambda;
  if (out.type == "force_loop" && out.rate == 0.0) {
    fail(field.place(),
         "controller.type force_loop needs a sampled law (rate_hz > 0): its torque depends on the forces of "
         "the same instant");
  }
  if (table.has("allow_unstable")) out.allow_unstable = table["allow_unstable"].flag();
  if (table.has("self_motion")) out.self_motion = choose(table["self_motion"], kSelfMotionWords);
  if (table.has("poles")) {
    read_poles(table, out);
    return out;
  }
  out.Kp = table.number("Kp", out.Kp, Sign::kAny);
  out.Kv = table.number("Kv", out.Kv, Sign::kAny);
  out.Kalpha = table.number("Kalpha", out.Kalpha, Sign::kAny);
  check_stable(table, out);
  return out;
}

}  // namespace enfold::io
