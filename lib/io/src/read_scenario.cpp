// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numbers>

#include "document.hpp"
#include "enfold/io/file.hpp"
#include "enfold/io/scenario_file.hpp"
#include "read_control.hpp"
#include "read_task_coordinates.hpp"
#include "read_touch.hpp"
#include "read_trajectory.hpp"
#include "table.hpp"
#include "words.hpp"

namespace enfold::io {
namespace {

LinkSpec read_link(const Field& field) {
  const Table table(field, "link");
  LinkSpec link;
  link.name = table["name"].name(false);
  link.length = table["length_m"].number(Sign::kPositive);
  link.mass = table["mass_kg"].number(Sign::kPositive);
  link.inertia = table["inertia_kgm2"].number(Sign::kNonNegative);
  link.radius = table.number("radius_m", 0.0, Sign::kNonNegative);
  link.bulge = table.number("bulge_m", 0.0, Sign::kAny);
  link.com = {0.5 * link.length, 0.0};
  if (table.has("com_m")) {
    const Field com = table["com_m"];
    link.com = com.value->kind == Value::Kind::kScalar ? std::array{com.number(), 0.0} : com.pair();
  }
  return link;
}

ArmSpec read_arm(const Field& field) {
  const Table table(field, "arm");
  ArmSpec arm;
  arm.name = table["name"].name(false);
  arm.base = table["base_m"].pair();
  arm.object_side = choose(table["object_side"], kObjectSideWords);
  arm.links = read_named<LinkSpec>(table["links"], read_link);
  return arm;
}

HandSpec read_hand(const Field& field) {
  const Table table(field, "hand");
  HandSpec hand;
  if (table.has("gravity_mps2")) hand.gravity = table["gravity_mps2"].pair();
  if (table.has("arms")) hand.arms = read_named<ArmSpec>(table["arms"], read_arm);
  return hand;
}

PlaneSpec read_plane(const Field& field) {
  const Table table(field, "plane");
  return {table["name"].name(false), table["point_m"].pair(),
          table.number("angle_deg", 0.0, Sign::kAny) * (std::numbers::pi / 180.0)};
}

LoadSpec read_load(const Field& field) {
  const Table table(field, "load");
  LoadSpec load;
  if (table.has("at_m")) load.at = table["at_m"].pair();
  for (const Field& item : table["knots"].items()) {
    const Table knot(item, "load_knot");
    const Field time = knot["time_s"];
    if (!load.knots.empty() && !(time.number() > load.knots.back().time)) {
      fail(time.place(), fmt::format("{} must be later than the knot before it at {} s", time.path,
                                     load.knots.back().time));
    }
    load.knots.push_back({time.number(), knot.has("force_N") ? knot["force_N"].pair() : std::array{0.0, 0.0},
                          knot.number("moment_Nm", 0.0, Sign::kAny)});
  }
  return load;
}

TaskSpec read_task(const Field& field, bool has_hand) {
  const Table table(field, "task");
  TaskSpec task;
  if (table.has("loads")) {
    for (const Field& item : table["loads"].items()) task.loads.push_back(read_load(item));
  }
  if (table.has("start")) {
    const Table start(table["start"], "start");
    task.start = read_pose(table["start"], "start");
    task.start_velocity = {start.number("vx_mps", 0.0, Sign::kAny), start.number("vy_mps", 0.0, Sign::kAny),
                           start.number("omega_radps", 0.0, Sign::kAny)};
    if (has_hand && task.start_velocity != std::array{0.0, 0.0, 0.0}) {
      fail(start.place(), "task.start has a velocity; with a hand the run starts at rest");
    }
  }
  if (!has_hand) {
    if (table.has("trajectory")) {
      fail(table["trajectory"].place(),
           "task.trajectory needs a hand that moves the object; this one has no arms");
    }
    if (table.has("coordinates")) {
      fail(table["coordinates"].place(),
           "task.coordinates needs a hand that moves the object; this one has no arms");
    }
    (void)table["start"];  // there is no other place for the object to be
    return task;
  }
  if (table.has("coordinates")) task.coordinates = read_coordinates(table["coordinates"]);
  task.trajectory = read_trajectory(table["trajectory"], task.coordinates);
  if (!table.has("start")) task.start = task.trajectory.from;
  return task;
}

SimulationSpec read_simulation(const Table& root, double default_duration) {
  SimulationSpec simulation;
  simulation.duration = default_duration;
  if (!root.has("simulation") && default_duration > 0.0) return simulation;
  const Table table(root["simulation"], "simulation");
  if (table.has("model")) simulation.model = choose(table["model"], kModelWords);
  simulation.step = table.number("step_s", simulation.step, Sign::kPositive);
  simulation.record_rate = table.number("record_hz", simulation.record_rate, Sign::kPositive);
  simulation.duration = default_duration > 0.0 ? table.number("duration_s", default_duration, Sign::kPositive)
                                               : table["duration_s"].number(Sign::kPositive);
  simulation.drift_frequency =
      table.number("drift_frequency_radps", simulation.drift_frequency, Sign::kNonNegative);
  if (table.has("continuous_branch")) simulation.continuous_branch = table["continuous_branch"].flag();
  return simulation;
}

ContactLawSpec read_contact_law(const Table& root) {
  ContactLawSpec law;
  if (!root.has("contact_law")) return law;
  const Table table(root["contact_law"], "contact_law");
  if (table.has("type"))
    law.type = choose_text(table["type"], std::array<std::string_view, 2>{"kelvin_voigt", "hunt_crossley"});
  law.stiffness = table.number("stiffness_Npm", law.stiffness, Sign::kPositive);
  law.damping_ratio = table.number("damping_ratio", law.damping_ratio, Sign::kNonNegative);
  for (const std::string_view key : {"dissipation_spm", "exponent"}) {
    if (law.type != "hunt_crossley" && table.has(key)) {
      fail(table[key].place(), fmt::format("{} is for contact_law.type hunt_crossley", table[key].path));
    }
  }
  law.dissipation = table.number("dissipation_spm", law.dissipation, Sign::kNonNegative);
  law.exponent = table.number("exponent", law.exponent, Sign::kPositive);
  if (law.exponent < 1.0) {
    fail(table["exponent"].place(),
         fmt::format("contact_law.exponent must be at least 1, found {}", law.exponent));
  }
  return law;
}

NoiseSpec read_noise(const Table& root) {
  NoiseSpec noise;
  if (!root.has("noise")) return noise;
  const Table table(root["noise"], "noise");
  noise.force = table.number("force", noise.force, Sign::kNonNegative);
  noise.pose = table.number("pose", noise.pose, Sign::kNonNegative);
  noise.velocity = table.number("velocity", noise.velocity, Sign::kNonNegative);
  if (table.has("pose_reference"))
    noise.pose_reference = choose(table["pose_reference"], kPoseReferenceWords);
  return noise;
}

// The scenario's name names its run folder, so it must not leave `runs/`.
std::string read_name(const Field& field) {
  const std::string name = field.text();
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
  };
  if (name.empty() || name[0] == '.' || !std::all_of(name.begin(), name.end(), plain)) {
    fail(field.place(),
         fmt::format("name must hold only letters, digits, '_', '.' and '-' and not start with '.', "
                     "because it names the run folder; found '{}'",
                     name));
  }
  return name;
}

}  // namespace

Scenario parse_scenario(const std::string& text, const std::string& file_name,
                        std::span<const std::string> overrides) {
  Value document = parse_document(text, file_name);
  apply_overrides(document, overrides);
  // The version first: a file of another version is likely to hold keys unknown here.
  if (const Value* version = find(document, "enfold"); version == nullptr) {
    fail(document.place,
         "enfold is missing; the first line of a scenario is 'enfold: 1', its format version");
  } else if (Field{version, "enfold"}.count() != 1) {
    fail(version->place,
         fmt::format("format version {} is not known; this program reads 'enfold: 1'", version->text));
  }
  const Table root({&document, ""}, "scenario");
  Scenario scenario;
  scenario.name = read_name(root["name"]);
  if (root.has("shows")) scenario.shows = root["shows"].text();
  // Without planes there is nothing but a hand to touch.
  if (root.has("planes")) scenario.planes = read_named<PlaneSpec>(root["planes"], read_plane);
  if (root.has("hand") || scenario.planes.empty()) scenario.hand = read_hand(root["hand"]);
  if (!scenario.has_hand() && scenario.planes.empty()) (void)Table(root["hand"], "hand")["arms"];
  scenario.object = read_object(root["object"]);
  scenario.contacts = read_contacts(root["contacts"], scenario);
  scenario.task = read_task(root["task"], scenario.has_hand());
  if (scenario.has_hand()) {
    scenario.planner = read_planner(root["planner"], scenario.contacts);
    if (root.has("controller")) scenario.controller = read_controller(root["controller"], scenario);
    if (root.has("motors")) scenario.motors = read_motors(root["motors"], scenario);
    if (root.has("sensors")) scenario.sensors = read_sensors(root["sensors"], scenario);
  }
  for (const std::string_view key : {"planner", "controller", "noise", "motors", "sensors"}) {
    if (!scenario.has_hand() && root.has(key)) {
      fail(root[key].place(), fmt::format("{} needs a hand with arms; this scenario has none", key));
    }
  }
  scenario.simulation = read_simulation(root, scenario.task.trajectory.duration);
  scenario.contact_law = read_contact_law(root);
  scenario.noise = read_noise(root);
  if (root.has("seed")) scenario.seed = root["seed"].count();
  if (root.has("expect")) scenario.expect = read_expect(root["expect"]);
  return scenario;
}

Scenario read_scenario(const std::filesystem::path& path, std::span<const std::string> overrides) {
  return parse_scenario(read_file(path), path.string(), overrides);
}

}  // namespace enfold::io
