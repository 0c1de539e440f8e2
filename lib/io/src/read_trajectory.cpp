// SPDX-License-Identifier: BSD-3-Clause
#include "read_trajectory.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "read_control.hpp"
#include "read_task_coordinates.hpp"

namespace enfold::io {

PoseSpec read_pose(const Field& field, std::string_view section) {
  const Table table(field, section);
  if (table.has("phi_deg") && table.has("phi_rad")) {
    fail(table["phi_rad"].place(), fmt::format("{} gives both phi_deg and phi_rad; keep one", field.path));
  }
  PoseSpec pose;
  pose.x = table["x_m"].number();
  pose.y = table["y_m"].number();
  pose.phi = table.has("phi_rad") ? table["phi_rad"].number()
                                  : table["phi_deg"].number() * (std::numbers::pi / 180.0);
  pose.place.text = table.place();
  return pose;
}

namespace {

PoseSpec read_goal(const Field& field, const std::vector<std::string>& coordinates, const PoseSpec& from) {
  return coordinates.empty() ? read_pose(field) : read_told_pose(field, coordinates, from);
}

std::vector<ViaSpec> read_via(const Field& field, const std::vector<std::string>& coordinates,
                              const TrajectorySpec& path) {
  std::vector<ViaSpec> all;
  for (const Field& item : field.items()) {
    const Table table(item, "via");
    ViaSpec via;
    via.pose = read_goal(table["pose"], coordinates, path.from);
    if (table.has("time_s")) via.time = table["time_s"].number(Sign::kPositive);
    if (!all.empty() && via.time.has_value() != all.front().time.has_value())
      fail(item.place(), fmt::format("{}: give time_s at all poses or at none", item.path));
    const double before = all.empty() || !all.back().time ? 0.0 : *all.back().time;
    if (via.time && !(*via.time > before && *via.time < path.duration))
      fail(table["time_s"].place(), fmt::format("{} is {} s, expected between {} s and the end at {} s",
                                                table["time_s"].path, *via.time, before, path.duration));
    all.push_back(via);
  }
  return all;
}

/// What a circle or a spiral tells; its last x and y follow.
void read_round(const Table& table, const std::vector<std::string>& coordinates, TrajectorySpec& path) {
  const auto told = [&](std::string_view name) {
    return coordinates.empty() ||
           std::find(coordinates.begin(), coordinates.end(), name) != coordinates.end();
  };
  if (!told("x") || !told("y"))
    fail(table.place(), fmt::format("a {} needs x and y among task.coordinates", path.type));
  path.centre = table["centre_m"].pair();
  path.turns = table["turns"].number();
  const double dx = path.from.x - path.centre[0];
  const double dy = path.from.y - path.centre[1];
  const double radius = std::hypot(dx, dy);
  if (!(radius > 0.0))
    fail(table["centre_m"].place(), fmt::format("{} is trajectory.from itself", table["centre_m"].path));
  path.radius_to = path.type == "spiral" ? table["radius_to_m"].number(Sign::kNonNegative) : radius;
  path.to = path.from;
  if (table.has("to")) {
    if (!told("phi"))
      fail(table["to"].place(), "trajectory.to gives nothing here: the path tells x and y, the contacts phi");
    path.to = read_told_pose(table["to"], {"phi"}, path.from);
  }
  const double angle = 2.0 * std::numbers::pi * path.turns;
  const double grown = path.radius_to / radius;
  path.to.x = path.centre[0] + grown * (std::cos(angle) * dx - std::sin(angle) * dy);
  path.to.y = path.centre[1] + grown * (std::sin(angle) * dx + std::cos(angle) * dy);
}

}  // namespace

TrajectorySpec read_trajectory(const Field& field, const std::vector<std::string>& coordinates) {
  const Table table(field, "trajectory");
  TrajectorySpec path;
  if (table.has("type"))
    path.type = choose_text(table["type"], std::array<std::string_view, 5>{
                                               "quintic", "minimum_jerk", "circle", "spiral", "unique_path"});
  path.duration = table["duration_s"].number(Sign::kPositive);
  path.from = read_pose(table["from"]);
  const auto only_for = [&](std::string_view key, bool right, std::string_view types) {
    if (table.has(key) && !right)
      fail(table[key].place(), fmt::format("{} is for trajectory.type {}", table[key].path, types));
  };
  only_for("via", path.type == "minimum_jerk", "minimum_jerk");
  only_for("centre_m", path.is_round(), "circle or spiral");
  only_for("turns", path.is_round(), "circle or spiral");
  only_for("radius_to_m", path.type == "spiral", "spiral");
  for (const std::string_view key : {"margin", "detour_m", "rests"})
    only_for(key, path.type == "unique_path", "unique_path");
  if (path.is_round()) {
    read_round(table, coordinates, path);
    return path;
  }
  path.to = read_goal(table["to"], coordinates, path.from);
  if (path.type == "unique_path") {
    if (!coordinates.empty())
      fail(table.place(), "a unique_path tells the whole pose: leave task.coordinates out");
    path.margin = table.number("margin", path.margin, Sign::kNonNegative);
    path.detour = table.number("detour_m", path.detour, Sign::kNonNegative);
    if (table.has("rests")) path.rests = table["rests"].flag();
  }
  if (table.has("via")) path.via = read_via(table["via"], coordinates, path);
  return path;
}

}  // namespace enfold::io
