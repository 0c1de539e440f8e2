// SPDX-License-Identifier: BSD-3-Clause
#include "read_task_coordinates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>

#include "read_control.hpp"

namespace enfold::io {
namespace {

constexpr std::array<std::string_view, 3> kCoordinates = {"x", "y", "phi"};

bool told(const std::vector<std::string>& coordinates, std::string_view name) {
  return std::find(coordinates.begin(), coordinates.end(), name) != coordinates.end();
}

}  // namespace

std::vector<std::string> read_coordinates(const Field& field) {
  std::vector<std::string> named;
  for (const Field& item : field.items()) {
    std::string name = choose_text(item, kCoordinates);
    if (told(named, name)) fail(item.place(), fmt::format("{} names {} twice", field.path, name));
    named.push_back(std::move(name));
  }
  std::vector<std::string> ordered;
  for (const std::string_view name : kCoordinates)
    if (told(named, name)) ordered.emplace_back(name);
  return ordered;
}

PoseSpec read_told_pose(const Field& field, const std::vector<std::string>& coordinates,
                        const PoseSpec& from) {
  const Table table(field, "pose");
  PoseSpec pose = from;
  const auto read = [&](std::string_view coordinate, std::string_view key, double& value, double unit) {
    if (!table.has(key)) return false;
    if (!told(coordinates, coordinate)) {
      fail(table[key].place(),
           fmt::format(
               "{} is not told by the task: task.coordinates names {}, and the contacts tell the rest; "
               "leave it out or name {}",
               table[key].path, fmt::join(coordinates, ", "), coordinate));
    }
    value = table[key].number() * unit;
    return true;
  };
  if (table.has("phi_deg") && table.has("phi_rad"))
    fail(table["phi_rad"].place(), fmt::format("{} gives both phi_deg and phi_rad; keep one", field.path));
  constexpr double kDegree = std::numbers::pi / 180.0;
  const bool x = read("x", "x_m", pose.x, 1.0);
  const bool y = read("y", "y_m", pose.y, 1.0);
  const bool phi = read("phi", "phi_deg", pose.phi, kDegree) || read("phi", "phi_rad", pose.phi, 1.0);
  for (const auto& [given, coordinate, key] :
       {std::tuple{x, "x", "x_m"}, std::tuple{y, "y", "y_m"}, std::tuple{phi, "phi", "phi_deg"}}) {
    if (told(coordinates, coordinate) && !given) (void)table[key];  // says that it is missing
  }
  pose.place.text = table.place();
  return pose;
}

ExpectSpec read_expect(const Field& field) {
  const Table table(field, "expect");
  ExpectSpec expect;
  if (table.has("exit")) {
    const Field exit = table["exit"];
    if (exit.count() > 5)
      fail(exit.place(), fmt::format("{} is {}, expected 0 to 5", exit.path, exit.count()));
    expect.exit = static_cast<int>(exit.count());
  }
  if (table.has("says")) expect.says = table["says"].text();
  if (table.has("counts")) {
    const Table counts(table["counts"], "expect_counts");
    for (const char* name : {"n", "n_theta", "k", "m", "p", "r_x"})
      if (counts.has(name)) expect.counts.push_back({name, static_cast<long>(counts[name].count())});
  }
  if (table.has("numbers")) {
    const Field numbers = table["numbers"];
    if (numbers.value->kind != Value::Kind::kMap)
      fail(numbers.place(), fmt::format("{} must be a map from names to [low, high]", numbers.path));
    for (const Entry& entry : numbers.value->entries) {
      const Field item{&entry.value, fmt::format("{}.{}", numbers.path, entry.key)};
      const auto [low, high] = item.pair();
      if (low > high) fail(item.place(), fmt::format("{}: {} is above {}", item.path, low, high));
      expect.numbers.push_back({entry.key, low, high});
    }
    // A map has no order; JSON keeps none.
    std::sort(expect.numbers.begin(), expect.numbers.end(),
              [](const ExpectSpec::Range& a, const ExpectSpec::Range& b) { return a.name < b.name; });
  }
  return expect;
}

}  // namespace enfold::io
