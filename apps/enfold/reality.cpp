// SPDX-License-Identifier: BSD-3-Clause
#include "reality.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace enfold::app {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

double limit_of(const std::vector<double>& limits, Index joint) {
  if (limits.empty()) return std::numeric_limits<double>::infinity();
  return limits[limits.size() == 1 ? 0 : static_cast<std::size_t>(joint)];
}

/// The plan's largest demand on a joint, over what it may be.
struct Demand {
  double share = 0.0, value = 0.0, limit = 0.0, time = 0.0;
  Index joint = 0;

  void see(double asked, double limit_here, double t, Index i) {
    if (asked <= share * limit_here) return;
    *this = {asked / limit_here, asked, limit_here, t, i};
  }
};

void add_demand(const Demand& demand, const Setup& setup, const char* what, const char* unit,
                std::vector<std::string>& lines) {
  if (!(demand.limit > 0.0)) return;
  const std::string& joint = setup.model.mechanism->joint_names()[static_cast<std::size_t>(demand.joint)];
  lines.push_back(fmt::format(
      "{}the plan asks for a {} of {:.4g} {} at {}, t = {:.3f} s; its motor gives {:.4g}{}",
      demand.share > 1.0 ? "warning: " : "", what, demand.value, unit, joint, demand.time, demand.limit,
      demand.share > 1.0 ? ". Set planner.max_torque_Nm, or give the task more time" : ""));
}

void add_motors(const Setup& setup, const control::Plan& plan, std::vector<std::string>& lines) {
  const io::MotorsSpec& motors = setup.scenario.motors;
  Demand torque, rate;
  for (std::size_t k = 0; k < plan.points.size(); ++k) {
    const control::PlanPoint& point = plan.points[k];
    for (Index i = 0; i < point.tau.size(); ++i) {
      torque.see(std::abs(point.tau[i]), limit_of(motors.max_torque, i), point.time, i);
      // At a hop between critical contacts the plan has a corner, not a jump.
      const double width = k == 0 ? 0.0 : point.time - plan.points[k - 1].time;
      if (width < 1e-5) continue;
      rate.see(std::abs(point.tau[i] - plan.points[k - 1].tau[i]) / width, limit_of(motors.max_rate, i),
               point.time, i);
    }
  }
  if (!motors.max_torque.empty()) add_demand(torque, setup, "torque", "N·m", lines);
  if (!motors.max_rate.empty()) add_demand(rate, setup, "torque rate", "N·m/s", lines);
  if (motors.resolution > 0.0)
    lines.push_back(fmt::format("torques are multiples of {:.4g} N·m", motors.resolution));
}

void add_sensors(const io::SensorsSpec& s, std::vector<std::string>& lines) {
  if (s.exact()) return;
  std::vector<std::string> parts;
  const auto add = [&](double value, double scale, const char* what) {
    if (value != 0.0) parts.push_back(fmt::format(fmt::runtime(what), value / scale));
  };
  add(s.force_bias, 1.0, "forces {:+.3g} N off");
  add(s.force_resolution, 1.0, "forces in steps of {:.3g} N");
  add(s.joint_bias, kDegree, "joint angles {:+.3g}° off");
  add(s.joint_resolution, kDegree, "joint angles in steps of {:.3g}°");
  for (std::size_t i = 0; i < 3; ++i) {
    const double scale = i == 2 ? kDegree : 1e-3;
    const char* unit = i == 2 ? "°" : " mm";
    const char* name = i == 0 ? "x" : i == 1 ? "y" : "phi";
    if (s.pose_bias[i] != 0.0)
      parts.push_back(fmt::format("{} {:+.3g}{} off", name, s.pose_bias[i] / scale, unit));
    if (s.pose_resolution[i] != 0.0)
      parts.push_back(fmt::format("{} in steps of {:.3g}{}", name, s.pose_resolution[i] / scale, unit));
  }
  lines.push_back(fmt::format("sensors: {}", fmt::join(parts, ", ")));
}

void add_belief(const io::Scenario& scenario, std::vector<std::string>& lines) {
  const io::BeliefSpec& b = scenario.controller.model;
  if (b.exact()) return;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < b.mu.size(); ++i)
    if (b.mu[i] != scenario.contacts[i].mu)
      parts.push_back(fmt::format("mu of {} is {} (it is {})", scenario.contacts[i].name, b.mu[i],
                                  scenario.contacts[i].mu));
  for (const auto& [name, factor] : {std::pair{"masses of the links", b.link_mass},
                                     {"inertias of the links", b.link_inertia},
                                     {"lengths of the links", b.link_length},
                                     {"mass of the object", b.object_mass},
                                     {"inertia of the object", b.object_inertia},
                                     {"size of the object", b.object_size}})
    if (factor != 1.0) parts.push_back(fmt::format("{} times {}", name, factor));
  if (!parts.empty())
    lines.push_back(fmt::format("controller and planner believe: {}", fmt::join(parts, ", ")));
}

}  // namespace

std::vector<std::string> reality_lines(const Setup& setup, const control::Plan& plan) {
  const io::Scenario& scenario = setup.scenario;
  std::vector<std::string> lines;
  add_motors(setup, plan, lines);
  if (scenario.controller.delay > 0.0)
    lines.push_back(fmt::format("torques come {:.4g} ms late, {:.3g} periods",
                                1e3 * scenario.controller.delay,
                                scenario.controller.delay * scenario.controller.rate));
  add_sensors(scenario.sensors, lines);
  add_belief(scenario, lines);
  return lines;
}

std::string saturation_text(const sim::History& history) {
  const sim::Summary& s = history.summary;
  if (s.saturated_instants == 0) return {};
  return fmt::format(
      "the motors could not give what the law asked for during {:.4g} s, {:.3g} % of the run",
      s.saturated_time,
      100.0 * static_cast<double>(s.saturated_instants) / static_cast<double>(s.control_instants));
}

}  // namespace enfold::app
