// SPDX-License-Identifier: BSD-3-Clause
// What is not ideal: motors, sensors, and what the controller believes of the world.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "read_control.hpp"
#include "read_per_name.hpp"

namespace enfold::io {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

// One value stays one value, so that it is written as it was read.
std::vector<double> read_per_joint(const Field& field, const HandSpec& hand, std::string_view quantity) {
  std::vector<double> out = read_per_name(field, joint_names(hand), {quantity, "joint"}, Sign::kPositive);
  if (field.value->kind == Value::Kind::kScalar) out.resize(1);
  return out;
}

void require_sampled(const Field& field, const Scenario& scenario) {
  if (scenario.controller.rate > 0.0) return;
  fail(field.place(), fmt::format("{} needs a sampled law (controller.rate_hz > 0)", field.path));
}

std::array<double, 3> read_pose_error(const Field& field, Sign sign) {
  const Table table(field, "pose_error");
  return {table.number("x_m", 0.0, sign), table.number("y_m", 0.0, sign),
          table.number("phi_deg", 0.0, sign) * kDegree};
}

}  // namespace

BeliefSpec read_belief(const Field& field, const std::vector<ContactSpec>& contacts) {
  const Table table(field, "belief");
  BeliefSpec belief;
  if (table.has("mu"))
    belief.mu =
        read_per_name(table["mu"], contact_names(contacts), {"coefficient", "contact"}, Sign::kNonNegative);
  for (const auto& [key, factor] : {std::pair{"link_mass_factor", &belief.link_mass},
                                    {"link_inertia_factor", &belief.link_inertia},
                                    {"link_length_factor", &belief.link_length},
                                    {"object_mass_factor", &belief.object_mass},
                                    {"object_inertia_factor", &belief.object_inertia},
                                    {"object_size_factor", &belief.object_size}})
    *factor = table.number(key, 1.0, Sign::kPositive);
  return belief;
}

MotorsSpec read_motors(const Field& field, const Scenario& scenario) {
  const Table table(field, "motors");
  MotorsSpec motors;
  if (table.has("max_torque_Nm"))
    motors.max_torque = read_per_joint(table["max_torque_Nm"], scenario.hand, "torque");
  if (table.has("max_rate_Nmps"))
    motors.max_rate = read_per_joint(table["max_rate_Nmps"], scenario.hand, "rate");
  motors.resolution = table.number("resolution_Nm", motors.resolution, Sign::kNonNegative);
  if (table.has("anti_windup")) motors.anti_windup = table["anti_windup"].flag();
  if (!motors.ideal()) require_sampled(field, scenario);
  return motors;
}

SensorsSpec read_sensors(const Field& field, const Scenario& scenario) {
  const Table table(field, "sensors");
  SensorsSpec sensors;
  sensors.force_bias = table.number("force_bias_N", 0.0, Sign::kAny);
  sensors.force_resolution = table.number("force_resolution_N", 0.0, Sign::kNonNegative);
  sensors.joint_bias = table.number("joint_bias_deg", 0.0, Sign::kAny) * kDegree;
  sensors.joint_resolution = table.number("joint_resolution_deg", 0.0, Sign::kNonNegative) * kDegree;
  if (table.has("pose_bias")) sensors.pose_bias = read_pose_error(table["pose_bias"], Sign::kAny);
  if (table.has("pose_resolution"))
    sensors.pose_resolution = read_pose_error(table["pose_resolution"], Sign::kNonNegative);
  if (!sensors.exact()) require_sampled(field, scenario);
  return sensors;
}

}  // namespace enfold::io
