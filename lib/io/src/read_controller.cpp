// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>

#include "enfold/control/force_feedback.hpp"
#include "enfold/io/scenario_file.hpp"
#include "read_control.hpp"
#include "read_per_name.hpp"

namespace enfold::io {
namespace {

const ControllerKeys& keys_of(const std::string& type) {
  const auto& types = controller_types();
  return *std::find_if(types.begin(), types.end(), [&](const auto& entry) { return entry.type == type; });
}

bool belongs(std::string_view key, const ControllerKeys& law) {
  return std::find(law.keys.begin(), law.keys.end(), key) != law.keys.end();
}

/// A gain of another law would be without effect, which its author does not know.
void check_gains_belong(const Table& table, const ControllerKeys& law) {
  for (const ControllerKeys& other : controller_types()) {
    for (const std::string_view key : other.keys) {
      if (!table.has(key) || belongs(key, law)) continue;
      std::vector<std::string_view> owners;
      for (const ControllerKeys& owner : controller_types())
        if (belongs(key, owner)) owners.push_back(owner.type);
      fail(
          table[key].place(),
          fmt::format("controller.{} is no key of type {}, but of {}; {} knows {}. Another type is chosen "
                      "with its defaults by --set 'controller={{type: {}}}'",
                      key, law.type, fmt::join(owners, ", "), law.type, fmt::join(law.keys, ", "), law.type));
    }
  }
}

/// Where a key is, or the table in which its default applies.
const std::string& place_of(const Table& table, std::string_view key) {
  return table.has(key) ? table[key].place() : table.place();
}

void require_pole(const Table& poles, std::string_view key, bool wanted, const ControllerSpec& out,
                  std::string_view why) {
  if (wanted) (void)poles[key];
  if (!wanted && poles.has(key))
    fail(poles[key].place(), fmt::format("controller.poles.{} is not for type {}: {}", key, out.type, why));
}

void read_poles(const Table& table, ControllerSpec& out) {
  const bool moves = out.type != "object_impedance";
  const bool squeezes = out.type != "computed_torque";
  for (const char* gain : {"Kp", "Kv", "Kalpha"}) {
    if (!table.has(gain) || (!moves && gain[1] != 'a')) continue;
    fail(table["poles"].place(),
         fmt::format("controller gives both poles and {}; keep the poles or the gains", gain));
  }
  const Table poles(table["poles"], "poles");
  require_pole(poles, "motion", moves, out, "stiffness, damping and the inertia of the grasp tell its poles");
  require_pole(poles, "force", squeezes, out, "it feeds no force back");
  const auto [p1, p2] = moves ? poles["motion"].pair() : std::array{-1.0, -1.0};
  const double force = squeezes ? poles["force"].number() : -1.0;
  const bool decays = p1 < 0.0 && p2 < 0.0 && force < 0.0;
  if (!decays && !out.allow_unstable) {
    fail(poles.place(),
         fmt::format("controller.poles must be negative so that errors decay, found{}{}{}",
                     moves ? fmt::format(" motion [{}, {}]", p1, p2) : "", moves && squeezes ? " and" : "",
                     squeezes ? fmt::format(" force {}", force) : ""));
  }
  if (moves) {
    out.Kp = p1 * p2;
    out.Kv = -(p1 + p2);
  }
  if (!squeezes) return;
  // The pole of proportional and integral feedback together is at −K_α/(1 + K_P).
  out.Kalpha = -force * (out.type == "whole_arm_pi" ? 1.0 + out.KPalpha : 1.0);
}

[[noreturn]] void fail_unstable(const std::string& place, const std::string& reason) {
  fail(place, reason + ". Set controller.allow_unstable to run it all the same");
}

void check_decays(const Table& table, const ControllerSpec& out, const ControllerKeys& law) {
  if (belongs("Kalpha", law) && !(out.Kalpha > 0.0)) {
    fail_unstable(
        place_of(table, "Kalpha"),
        fmt::format("controller.Kalpha must be positive, found {}: the pole of e_α + K_α∫e_α = 0 is at −K_α, "
                    "so the force error would not decay; the paper prints −10 where its law needs +10",
                    out.Kalpha));
  }
  for (const auto& [key, gain] : {std::pair{"Kp", out.Kp}, std::pair{"Kv", out.Kv}}) {
    if (!belongs(key, law) || gain > 0.0) continue;
    fail_unstable(place_of(table, key),
                  fmt::format("controller.{} must be positive, found {}: the poles of ë + K_v ė + K_p e = 0 "
                              "would not decay",
                              key, gain));
  }
}

/// The force loop as it is sampled: the force has answered before it is read again.
void check_force_gains(const Table& table, const ControllerSpec& out, const ControllerKeys& law) {
  const bool pi = belongs("KPalpha", law);
  if (out.type == "force_loop" || !belongs("Kalpha", law) || !(out.rate > 0.0)) return;
  const double KP = pi ? out.KPalpha : 0.0;
  const control::OpenRange range = control::stable_force_gains(out.Kalpha, 1.0 / out.rate);
  if (pi && KP >= 1.0) {
    fail_unstable(
        place_of(table, "KPalpha"),
        fmt::format(
            "controller.KPalpha must be below 1, found {}: a rigid force answers within the sample, "
            "so that the error changes its sign from reading to reading and grows by {:.4g} each time "
            "(the integral alone stretches the limit, to {:.6g})",
            KP, control::force_error_ratio(KP, out.Kalpha, 1.0 / out.rate), range.below));
  }
  if (range.contains(KP)) return;
  fail_unstable(
      place_of(table, pi ? "KPalpha" : "Kalpha"),
      fmt::format("controller.{} is {}, and the force loop sampled at {} Hz is unstable: with K_α = "
                  "{} the proportional gain{} must be between {:.6g} and {:.6g}",
                  pi ? "KPalpha" : "Kalpha", pi ? KP : out.Kalpha, out.rate, out.Kalpha,
                  pi ? "" : ", 0 here,", range.above, range.below));
}

double read_rate(const Table& table, double rate) {
  rate = table.number("rate_hz", rate, Sign::kNonNegative);
  if (!table.has("continuous")) return rate;
  const bool continuous = table["continuous"].flag();
  if (table.has("rate_hz") && continuous != (rate == 0.0)) {
    fail(table["continuous"].place(),
         fmt::format("controller.continuous is {} but rate_hz is {}; keep one of them", continuous, rate));
  }
  return continuous ? 0.0 : rate;
}

void check_sampled(const Table& table, const ControllerSpec& out) {
  if (out.rate > 0.0) return;
  if (out.delay > 0.0) fail(table["delay_s"].place(), "controller.delay_s needs a sampled law (rate_hz > 0)");
  if (out.type != "force_loop" && out.type != "whole_arm_pi" &&
      out.contact_forces == ContactForceSource::kPlanned)
    return;
  fail(table.place(),
       fmt::format("controller.type {}{} needs a sampled law (rate_hz > 0): its torque depends on the forces "
                   "of the same instant",
                   out.type, out.type == "computed_torque" ? " with measured contact forces" : ""));
}

std::vector<double> read_joint_gain(const Field& field, const HandSpec& hand, Sign sign) {
  std::vector<double> out = read_per_name(field, joint_names(hand), {"gain", "joint"}, sign);
  if (field.value->kind == Value::Kind::kScalar) out.resize(1);
  return out;
}

std::array<double, 3> read_along(const Field& field, std::string_view section,
                                 const std::array<std::string_view, 3>& keys, Sign sign) {
  const Table table(field, section);
  return {table[keys[0]].number(sign), table[keys[1]].number(sign), table[keys[2]].number(sign)};
}

}  // namespace

ControllerSpec read_controller(const Field& field, const Scenario& scenario) {
  const Table table(field, "controller");
  ControllerSpec out;
  if (table.has("type")) {
    std::vector<std::string_view> known;
    for (const ControllerKeys& entry : controller_types()) known.push_back(entry.type);
    out.type = choose_text(table["type"], known);
  }
  const ControllerKeys& law = keys_of(out.type);
  check_gains_belong(table, law);
  if (table.has("allow_unstable")) out.allow_unstable = table["allow_unstable"].flag();
  out.rate = read_rate(table, out.rate);
  out.delay = table.number("delay_s", out.delay, Sign::kNonNegative);
  if (table.has("model")) out.model = read_belief(table["model"], scenario.contacts);
  if (table.has("self_motion")) out.self_motion = choose(table["self_motion"], kSelfMotionWords);
  if (table.has("contact_forces")) out.contact_forces = choose(table["contact_forces"], kContactForceWords);
  check_sampled(table, out);

  const Sign gain = out.allow_unstable ? Sign::kAny : Sign::kPositive;
  out.Klambda = table.number("Klambda", out.Klambda, Sign::kNonNegative);
  out.KPalpha = table.number("KPalpha", out.KPalpha, Sign::kAny);
  if (table.has("joint_stiffness_Nmprad"))
    out.joint_stiffness = read_joint_gain(table["joint_stiffness_Nmprad"], scenario.hand, gain);
  if (table.has("joint_damping_Nmsprad"))
    out.joint_damping = read_joint_gain(table["joint_damping_Nmsprad"], scenario.hand, gain);
  if (table.has("stiffness"))
    out.stiffness = read_along(table["stiffness"], "stiffness", {"x_Npm", "y_Npm", "phi_Nmprad"}, gain);
  if (table.has("damping"))
    out.damping = read_along(table["damping"], "damping", {"x_Nspm", "y_Nspm", "phi_Nmsprad"}, gain);
  out.Kp = table.number("Kp", out.Kp, Sign::kAny);
  out.Kv = table.number("Kv", out.Kv, Sign::kAny);
  out.Kalpha = table.number("Kalpha", out.Kalpha, Sign::kAny);
  if (table.has("poles")) read_poles(table, out);
  if (out.allow_unstable) return out;
  check_decays(table, out, law);
  check_force_gains(table, out, law);
  return out;
}

}  // namespace enfold::io
