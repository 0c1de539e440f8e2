// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numbers>

#include "document.hpp"
#include "enfold/io/file.hpp"
#include "enfold/io/scenario_file.hpp"
#include "read_control.hpp"
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
  link.com = {0.5 * link.length, 0.0};
  if (table.has("com_m")) {
    const Field com = table["com_m"];
    link.com = com.value->kind == Value::Kind::kScalar ? std::array{com.number(), 0.0} : com.pair();
  }
  return link;
}

// The list, read item by item, with the names checked for doubles.
template <typename T, typename Read>
std::vector<T> read_named(const Field& list, const Read& read) {
  std::vector<T> out;
  for (const Field& item : list.items()) {
    T next = read(item);
    if (std::any_of(out.begin(), out.end(), [&](const T& other) { return other.name == next.name; })) {
      fail(item.place(),
           fmt::format("the name '{}' is used twice in {}; names tell items apart", next.name, list.path));
    }
    out.push_back(std::move(next));
  }
  return out;
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
  hand.arms = read_named<ArmSpec>(table["arms"], read_arm);
  return hand;
}

ObjectSpec read_object(const Field& field) {
  const Table table(field, "object");
  const Table shape(table["shape"], "shape");
  ObjectSpec object;
  object.mass = table["mass_kg"].number(Sign::kPositive);
  object.inertia = table["inertia_kgm2"].number(Sign::kPositive);
  object.shape.type = choose_text(shape["type"], scenario_shapes());
  const bool circle = object.shape.type == "circle";
  const std::string_view unused = circle ? "semi_axes_m" : "radius_m";
  if (shape.has(unused)) {
    fail(shape[unused].place(), fmt::format("a shape of type {} takes '{}', not '{}'", object.shape.type,
                                            circle ? "radius_m" : "semi_axes_m", unused));
  }
  if (circle) {
    const double radius = shape["radius_m"].number(Sign::kPositive);
    object.shape.semi_axes = {radius, radius};
  } else {
    object.shape.semi_axes = shape["semi_axes_m"].pair(Sign::kPositive);
  }
  return object;
}

std::vector<std::string> link_names(const HandSpec& hand) {
  std::vector<std::string> names;
  for (const ArmSpec& arm : hand.arms) {
    for (const LinkSpec& link : arm.links) names.push_back(arm.name + "." + link.name);
  }
  return names;
}

std::vector<ContactSpec> read_contacts(const Field& field, const HandSpec& hand) {
  const std::vector<std::string> links = link_names(hand);
  const std::vector<std::string_view> known(links.begin(), links.end());
  std::vector<std::string> taken;
  return read_named<ContactSpec>(field, [&](const Field& item) {
    const Table table(item, "contact");
    ContactSpec contact;
    contact.link = choose_text(table["link"], known);
    if (std::find(taken.begin(), taken.end(), contact.link) != taken.end()) {
      fail(table["link"].place(),
           fmt::format("link '{}' has a contact already; a straight link touches a convex object once",
                       contact.link));
    }
    taken.push_back(contact.link);
    contact.name = table.has("name") ? table["name"].name(true) : contact.link;
    contact.mu = table["mu"].number(Sign::kNonNegative);
    if (table.has("mode")) contact.mode = choose(table["mode"], kContactKindWords);
    contact.place.text = table.has("mode") ? table["mode"].place() : table.place();
    return contact;
  });
}

PoseSpec read_pose(const Field& field) {
  const Table table(field, "pose");
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

TaskSpec read_task(const Field& field) {
  const Table table(field, "task");
  const Table trajectory(table["trajectory"], "trajectory");
  TaskSpec task;
  if (trajectory.has("type")) {
    task.trajectory.type = choose_text(trajectory["type"], std::array<std::string_view, 1>{"quintic"});
  }
  task.trajectory.duration = trajectory["duration_s"].number(Sign::kPositive);
  task.trajectory.from = read_pose(trajectory["from"]);
  task.trajectory.to = read_pose(trajectory["to"]);
  task.start = table.has("start") ? read_pose(table["start"]) : task.trajectory.from;
  return task;
}

SimulationSpec read_simulation(const Table& root, double default_duration) {
  SimulationSpec simulation;
  simulation.duration = default_duration;
  if (!root.has("simulation")) return simulation;
  const Table table(root["simulation"], "simulation");
  if (table.has("model")) simulation.model = choose(table["model"], kModelWords);
  simulation.step = table.number("step_s", simulation.step, Sign::kPositive);
  simulation.record_rate = table.number("record_hz", simulation.record_rate, Sign::kPositive);
  simulation.duration = table.number("duration_s", simulation.duration, Sign::kPositive);
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
    law.type = choose_text(table["type"], std::array<std::string_view, 1>{"kelvin_voigt"});
  law.stiffness = table.number("stiffness_Npm", law.stiffness, Sign::kPositive);
  law.damping_ratio = table.number("damping_ratio", law.damping_ratio, Sign::kNonNegative);
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
  scenario.hand = read_hand(root["hand"]);
  scenario.object = read_object(root["object"]);
  scenario.contacts = read_contacts(root["contacts"], scenario.hand);
  scenario.task = read_task(root["task"]);
  scenario.planner = read_planner(root["planner"], scenario.contacts);
  if (root.has("controller")) scenario.controller = read_controller(root["controller"]);
  scenario.simulation = read_simulation(root, scenario.task.trajectory.duration);
  scenario.contact_law = read_contact_law(root);
  scenario.noise = read_noise(root);
  if (root.has("seed")) scenario.seed = root["seed"].count();
  return scenario;
}

Scenario read_scenario(const std::filesystem::path& path, std::span<const std::string> overrides) {
  return parse_scenario(read_file(path), path.string(), overrides);
}

}  // namespace enfold::io
