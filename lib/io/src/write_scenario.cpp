// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>

#include "enfold/io/scenario_file.hpp"

namespace enfold::io {
namespace {

std::string double_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

// A word that YAML might take for something else is quoted.
std::string word(const std::string& name) {
  std::string lower = name;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  constexpr std::array<std::string_view, 9> special = {"null", "true", "false", "yes", "no",
                                                       "on",   "off",  "y",     "n"};
  const bool plain = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
                     std::find(special.begin(), special.end(), lower) == special.end();
  return plain ? name : double_quoted(name);
}

std::string number_pair(const std::array<double, 2>& v) {
  return fmt::format("[{}, {}]", v[0], v[1]);
}

// The number of degrees that is read back as exactly this angle, or the nearest there is.
double angle_degrees(double phi) {
  constexpr double kDegree = std::numbers::pi / 180.0;
  const double degrees = phi / kDegree;
  const double tidy = std::round(degrees * 1e9) / 1e9;
  for (const double candidate :
       {tidy, degrees, std::nextafter(degrees, INFINITY), std::nextafter(degrees, -INFINITY)}) {
    if (candidate * kDegree == phi) return candidate;
  }
  return degrees;
}

// Degrees if some short number of degrees is read back as exactly this angle, else radians.
std::string angle(double phi) {
  constexpr double kDegree = std::numbers::pi / 180.0;
  const double degrees = angle_degrees(phi);
  return degrees * kDegree == phi ? fmt::format("phi_deg: {}", degrees) : fmt::format("phi_rad: {}", phi);
}

std::string pose(const PoseSpec& p) {
  return fmt::format("{{x_m: {}, y_m: {}, {}}}", p.x, p.y, angle(p.phi));
}

std::string told_pose(const PoseSpec& p, const std::vector<std::string>& coordinates) {
  if (coordinates.empty()) return pose(p);
  std::vector<std::string> told;
  for (const std::string& name : coordinates) {
    told.push_back(name == "x"   ? fmt::format("x_m: {}", p.x)
                   : name == "y" ? fmt::format("y_m: {}", p.y)
                                 : angle(p.phi));
  }
  return fmt::format("{{{}}}", fmt::join(told, ", "));
}

std::string trajectory(const TrajectorySpec& path, const std::vector<std::string>& coordinates) {
  std::string out = fmt::format("  trajectory:\n    type: {}\n    duration_s: {}\n    from: {}\n", path.type,
                                path.duration, pose(path.from));
  if (path.is_round()) {
    out += fmt::format("    centre_m: {}\n    turns: {}\n", number_pair(path.centre), path.turns);
    if (path.type == "spiral") out += fmt::format("    radius_to_m: {}\n", path.radius_to);
    if (path.to.phi != path.from.phi) out += fmt::format("    to: {{{}}}\n", angle(path.to.phi));
    return out;
  }
  out += fmt::format("    to: {}\n", told_pose(path.to, coordinates));
  if (path.type == "unique_path")
    out += fmt::format("    margin: {}\n    detour_m: {}\n    rests: {}\n", path.margin, path.detour,
                       path.rests);
  if (!path.via.empty()) out += "    via:\n";
  for (const ViaSpec& via : path.via) {
    out += fmt::format("      - {{pose: {}{}}}\n", told_pose(via.pose, coordinates),
                       via.time ? fmt::format(", time_s: {}", *via.time) : "");
  }
  return out;
}

std::string expect(const ExpectSpec& e) {
  std::string out = fmt::format("expect:\n  exit: {}\n", e.exit);
  if (!e.says.empty()) out += fmt::format("  says: {}\n", double_quoted(e.says));
  if (!e.counts.empty()) out += "  counts:\n";
  for (const ExpectSpec::Count& count : e.counts) out += fmt::format("    {}: {}\n", count.name, count.value);
  if (!e.numbers.empty()) out += "  numbers:\n";
  for (const ExpectSpec::Range& range : e.numbers)
    out += fmt::format("    {}: [{}, {}]\n", range.name, range.low, range.high);
  return out;
}

std::string per_contact(const std::vector<double>& N, const std::vector<ContactSpec>& contacts) {
  if (std::all_of(N.begin(), N.end(), [&](double x) { return x == N.front(); }))
    return fmt::format("{}", N.front());
  std::string out;
  for (std::size_t i = 0; i < N.size(); ++i) {
    out += fmt::format("{}{}: {}", i == 0 ? "{" : ", ", word(contacts[i].name), N[i]);
  }
  return out + "}";
}

std::string force_floor(const NormalFloor& f, const std::vector<ContactSpec>& contacts) {
  if (f.knots.size() == 1) return per_contact(f.knots.front().N, contacts);
  std::string out;
  for (const NormalFloor::Knot& knot : f.knots) {
    out += fmt::format("\n    - {{time_s: {}, N: {}}}", knot.time, per_contact(knot.N, contacts));
  }
  return out;
}

std::string hand(const HandSpec& h) {
  std::string out = fmt::format("hand:\n  gravity_mps2: {}\n", number_pair(h.gravity));
  if (!h.arms.empty()) out += "  arms:\n";
  for (const ArmSpec& arm : h.arms) {
    out += fmt::format("    - name: {}\n      base_m: {}\n      object_side: {}\n      links:\n",
                       word(arm.name), number_pair(arm.base), to_string(arm.object_side));
    for (const LinkSpec& l : arm.links) {
      out += fmt::format(
          "        - {{name: {}, length_m: {}, mass_kg: {}, inertia_kgm2: {}, com_m: {}, radius_m: {}, "
          "bulge_m: {}}}\n",
          word(l.name), l.length, l.mass, l.inertia, number_pair(l.com), l.radius, l.bulge);
    }
  }
  return out;
}

std::string planes(const std::vector<PlaneSpec>& all) {
  std::string out = all.empty() ? "" : "planes:\n";
  for (const PlaneSpec& p : all) {
    out += fmt::format("  - {{name: {}, point_m: {}, angle_deg: {}}}\n", word(p.name), number_pair(p.point),
                       angle_degrees(p.angle));
  }
  return out;
}

std::string loads(const std::vector<LoadSpec>& all) {
  std::string out = all.empty() ? "" : "  loads:\n";
  for (const LoadSpec& load : all) {
    out += fmt::format("    - at_m: {}\n      knots:\n", number_pair(load.at));
    for (const LoadSpec::Knot& knot : load.knots) {
      out += fmt::format("        - {{time_s: {}, force_N: {}, moment_Nm: {}}}\n", knot.time,
                         number_pair(knot.force), knot.moment);
    }
  }
  return out;
}

std::string contact(const ContactSpec& c) {
  const std::string where =
      (c.plane.empty() ? fmt::format("link: {}, part: {}", word(c.link), to_string(c.part))
                       : "plane: " + word(c.plane)) +
      (c.corner >= 0 ? fmt::format(", corner: {}", c.corner) : "");
  return fmt::format("  - {{name: {}, {}, mu: {}, mode: {}, restitution: {}}}\n", word(c.name), where, c.mu,
                     to_string(c.mode), c.restitution);
}

std::string point_list(const std::vector<std::array<double, 2>>& points) {
  std::string out = "[";
  for (const auto& point : points) out += (out.size() > 1 ? ", " : "") + number_pair(point);
  return out + "]";
}

std::string shape(const ShapeSpec& s) {
  if (s.type == "circle") return fmt::format("radius_m: {}", s.semi_axes[0]);
  if (s.type == "polygon")
    return fmt::format("corners_m: {}, corner_radius_m: {}", point_list(s.corners), s.corner_radius);
  if (s.type == "spline") return "points_m: " + point_list(s.points);
  const std::string axes = "semi_axes_m: " + number_pair(s.semi_axes);
  return s.type == "superellipse" ? fmt::format("{}, exponent: {}", axes, s.exponent) : axes;
}

std::string object(const ObjectSpec& o) {
  return fmt::format("object:\n  shape: {{type: {}, {}}}\n  mass_kg: {}\n  inertia_kgm2: {}\n", o.shape.type,
                     shape(o.shape), o.mass, o.inertia);
}

std::string planner(const Scenario& s) {
  const PlannerSpec& p = s.planner;
  std::string out = fmt::format("planner:\n  objective: {}\n  min_normal_N: {}\n  sample_hz: {}\n",
                                to_string(p.objective), force_floor(p.min_normal, s.contacts), p.sample_rate);
  if (p.max_normal) out += fmt::format("  max_normal_N: {}\n", *p.max_normal);
  if (p.max_torque) out += fmt::format("  max_torque_Nm: {}\n", *p.max_torque);
  if (p.max_torque_rate) out += fmt::format("  max_torque_rate_Nmps: {}\n", *p.max_torque_rate);
  if (!p.friction_margin.empty())
    out += fmt::format("  friction_margin: {}\n", per_contact(p.friction_margin, s.contacts));
  if (p.robust) {
    out += fmt::format("  robust:\n    mu_fraction: {}\n    force_N: {}\n    moment_Nm: {}\n    held: {}\n",
                       per_contact(p.robust->mu_fraction, s.contacts), number_pair(p.robust->force),
                       p.robust->moment, p.robust->held);
  }
  return out;
}

std::string per_joint(const std::vector<double>& values) {
  return values.size() == 1 ? fmt::format("{}", values[0]) : fmt::format("[{}]", fmt::join(values, ", "));
}

std::string belief(const Scenario& s) {
  const BeliefSpec& b = s.controller.model;
  std::string out = "  model:\n";
  if (!b.mu.empty()) out += fmt::format("    mu: {}\n", per_contact(b.mu, s.contacts));
  return out + fmt::format(
                   "    link_mass_factor: {}\n    link_inertia_factor: {}\n    link_length_factor: {}\n"
                   "    object_mass_factor: {}\n    object_inertia_factor: {}\n    object_size_factor: {}\n",
                   b.link_mass, b.link_inertia, b.link_length, b.object_mass, b.object_inertia,
                   b.object_size);
}

// The value of a key that is a law's own; poles are written as gains.
std::string gain(std::string_view key, const ControllerSpec& c) {
  if (key == "Kp") return fmt::format("{}", c.Kp);
  if (key == "Kv") return fmt::format("{}", c.Kv);
  if (key == "Kalpha") return fmt::format("{}", c.Kalpha);
  if (key == "KPalpha") return fmt::format("{}", c.KPalpha);
  if (key == "Klambda") return fmt::format("{}", c.Klambda);
  if (key == "joint_stiffness_Nmprad") return per_joint(c.joint_stiffness);
  if (key == "joint_damping_Nmsprad") return per_joint(c.joint_damping);
  if (key == "contact_forces") return std::string(to_string(c.contact_forces));
  if (key == "self_motion") return std::string(to_string(c.self_motion));
  if (key == "stiffness")
    return fmt::format("{{x_Npm: {}, y_Npm: {}, phi_Nmprad: {}}}", c.stiffness[0], c.stiffness[1],
                       c.stiffness[2]);
  return fmt::format("{{x_Nspm: {}, y_Nspm: {}, phi_Nmsprad: {}}}", c.damping[0], c.damping[1], c.damping[2]);
}

std::string controller(const Scenario& s) {
  const ControllerSpec& c = s.controller;
  std::string out = fmt::format("controller:\n  type: {}\n  rate_hz: {}\n", c.type, c.rate);
  for (const ControllerKeys& law : controller_types()) {
    if (law.type != c.type) continue;
    for (const std::string_view key : law.keys)
      if (key != "poles") out += fmt::format("  {}: {}\n", key, gain(key, c));
  }
  out += fmt::format("  allow_unstable: {}\n  delay_s: {}\n", c.allow_unstable, c.delay);
  return out + belief(s);
}

std::string motors(const MotorsSpec& m) {
  std::string out = "motors:\n";
  if (!m.max_torque.empty()) out += fmt::format("  max_torque_Nm: {}\n", per_joint(m.max_torque));
  if (!m.max_rate.empty()) out += fmt::format("  max_rate_Nmps: {}\n", per_joint(m.max_rate));
  return out + fmt::format("  resolution_Nm: {}\n  anti_windup: {}\n", m.resolution, m.anti_windup);
}

std::string pose_error(const std::array<double, 3>& e) {
  return fmt::format("{{x_m: {}, y_m: {}, phi_deg: {}}}", e[0], e[1], angle_degrees(e[2]));
}

std::string sensors(const SensorsSpec& s) {
  return fmt::format(
      "sensors:\n  force_bias_N: {}\n  force_resolution_N: {}\n  joint_bias_deg: {}\n"
      "  joint_resolution_deg: {}\n  pose_bias: {}\n  pose_resolution: {}\n",
      s.force_bias, s.force_resolution, angle_degrees(s.joint_bias), angle_degrees(s.joint_resolution),
      pose_error(s.pose_bias), pose_error(s.pose_resolution));
}

}  // namespace

std::string scenario_to_yaml(const Scenario& s) {
  std::string out =
      fmt::format("enfold: {}\nname: {}\nshows: {}\n", s.format, word(s.name), double_quoted(s.shows));
  out += hand(s.hand) + planes(s.planes) + object(s.object) + "contacts:\n";
  for (const ContactSpec& c : s.contacts) out += contact(c);
  if (s.has_hand()) {
    out += fmt::format("task:\n  start: {}\n", pose(s.task.start)) +
           trajectory(s.task.trajectory, s.task.coordinates);
    if (!s.task.coordinates.empty())
      out += fmt::format("  coordinates: [{}]\n", fmt::join(s.task.coordinates, ", "));
  } else {
    const auto& [vx, vy, omega] = s.task.start_velocity;
    std::string start = pose(s.task.start);
    start.pop_back();
    out +=
        fmt::format("task:\n  start: {}, vx_mps: {}, vy_mps: {}, omega_radps: {}}}\n", start, vx, vy, omega);
  }
  out += loads(s.task.loads);
  if (s.has_hand()) {
    out += planner(s);
    out += controller(s);
  }
  out += fmt::format(
      "simulation:\n  model: {}\n  step_s: {}\n  record_hz: {}\n  duration_s: {}\n  drift_frequency_radps: "
      "{}\n"
      "  continuous_branch: {}\n",
      to_string(s.simulation.model), s.simulation.step, s.simulation.record_rate, s.simulation.duration,
      s.simulation.drift_frequency, s.simulation.continuous_branch);
  out += fmt::format("contact_law:\n  type: {}\n  stiffness_Npm: {}\n  damping_ratio: {}\n",
                     s.contact_law.type, s.contact_law.stiffness, s.contact_law.damping_ratio);
  if (s.contact_law.type == "hunt_crossley") {
    out += fmt::format("  dissipation_spm: {}\n  exponent: {}\n", s.contact_law.dissipation,
                       s.contact_law.exponent);
  }
  if (s.has_hand()) {
    out += fmt::format("noise:\n  force: {}\n  pose: {}\n  velocity: {}\n  pose_reference: {}\n",
                       s.noise.force, s.noise.pose, s.noise.velocity, to_string(s.noise.pose_reference));
    out += motors(s.motors) + sensors(s.sensors);
  }
  out += fmt::format("seed: {}\n", s.seed);
  if (s.expect) out += expect(*s.expect);
  return out;
}

}  // namespace enfold::io
