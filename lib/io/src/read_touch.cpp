// SPDX-License-Identifier: BSD-3-Clause
// What touches what: the object's shape and the contacts.
#include "read_touch.hpp"

#include <array>

#include "document.hpp"
#include "enfold/io/scenario_file.hpp"
#include "read_control.hpp"
#include "words.hpp"

namespace enfold::io {
namespace {

// The keys of each type of shape beside its type; the first is required.
std::vector<std::string_view> keys_of(std::string_view type) {
  if (type == "circle") return {"radius_m"};
  if (type == "superellipse") return {"semi_axes_m", "exponent"};
  if (type == "polygon") return {"corners_m", "corner_radius_m"};
  if (type == "spline") return {"points_m"};
  return {"semi_axes_m"};
}

std::vector<std::array<double, 2>> read_points(const Field& field) {
  std::vector<std::array<double, 2>> points;
  for (const Field& point : field.items()) points.push_back(point.pair());
  return points;
}

ShapeSpec read_shape(const Field& field) {
  const Table table(field, "shape");
  ShapeSpec shape;
  shape.type = choose_text(table["type"], scenario_shapes());
  const std::vector<std::string_view> used = keys_of(shape.type);
  for (const std::string_view key :
       {"radius_m", "semi_axes_m", "exponent", "corners_m", "corner_radius_m", "points_m"}) {
    if (std::find(used.begin(), used.end(), key) == used.end() && table.has(key)) {
      fail(table[key].place(), fmt::format("a shape of type {} takes '{}', not '{}'", shape.type,
                                           fmt::join(used, "' and '"), key));
    }
  }
  if (shape.type == "circle") {
    const double radius = table["radius_m"].number(Sign::kPositive);
    shape.semi_axes = {radius, radius};
  } else if (shape.type == "polygon") {
    shape.corners = read_points(table["corners_m"]);
    shape.corner_radius = table.number("corner_radius_m", 0.0, Sign::kNonNegative);
  } else if (shape.type == "spline") {
    shape.points = read_points(table["points_m"]);
  } else {
    shape.semi_axes = table["semi_axes_m"].pair(Sign::kPositive);
    if (shape.type == "superellipse") shape.exponent = table["exponent"].number(Sign::kPositive);
  }
  return shape;
}

std::vector<std::string> link_names(const HandSpec& hand) {
  std::vector<std::string> names;
  for (const ArmSpec& arm : hand.arms) {
    for (const LinkSpec& link : arm.links) names.push_back(arm.name + "." + link.name);
  }
  return names;
}

// Which corner of a polygon touches: on a plane always one, on a link one or the nearest.
void read_corner(const Table& table, const ShapeSpec& shape, ContactSpec& contact) {
  const bool polygon = shape.type == "polygon";
  if (!polygon && table.has("corner")) {
    fail(table["corner"].place(), fmt::format("a shape of type {} has no corners", shape.type));
  }
  if (!polygon || (contact.plane.empty() && !table.has("corner"))) return;
  const Field corner = table["corner"];
  if (corner.count() >= shape.corners.size()) {
    fail(corner.place(), fmt::format("{} is {}, but the polygon has corners 0 to {}", corner.path,
                                     corner.count(), shape.corners.size() - 1));
  }
  contact.corner = static_cast<int>(corner.count());
}

// A link touches a convex object once, but for corners of their own and the hollow side of a link.
void require_free(const Table& table, const ContactSpec& contact, const std::vector<ContactSpec>& taken,
                  bool hollow) {
  for (const ContactSpec& other : taken) {
    if (other.link != contact.link || hollow) continue;
    if (contact.corner >= 0 && other.corner >= 0 && contact.corner != other.corner) continue;
    fail(
        table["link"].place(),
        fmt::format("link '{}' has a contact already; a straight link touches a convex object once. Contacts "
                    "of several corners of a polygon each name their own 'corner'",
                    contact.link));
  }
}

bool is_hollow(const HandSpec& hand, std::string_view link) {
  for (const ArmSpec& arm : hand.arms) {
    for (const LinkSpec& l : arm.links)
      if (arm.name + "." + l.name == link) return l.bulge < 0.0;
  }
  return false;
}

}  // namespace

ObjectSpec read_object(const Field& field) {
  const Table table(field, "object");
  ObjectSpec object;
  object.mass = table["mass_kg"].number(Sign::kPositive);
  object.inertia = table["inertia_kgm2"].number(Sign::kPositive);
  object.shape = read_shape(table["shape"]);
  return object;
}

std::vector<ContactSpec> read_contacts(const Field& field, const Scenario& scenario) {
  const std::vector<std::string> links = link_names(scenario.hand);
  const std::vector<std::string_view> known(links.begin(), links.end());
  std::vector<std::string_view> planes;
  for (const PlaneSpec& plane : scenario.planes) planes.push_back(plane.name);
  std::vector<ContactSpec> on_links;
  return read_named<ContactSpec>(field, [&](const Field& item) {
    const Table table(item, "contact");
    ContactSpec contact;
    contact.mu = table["mu"].number(Sign::kNonNegative);
    contact.restitution = table.number("restitution", 0.0, Sign::kNonNegative);
    if (contact.restitution > 1.0) {
      fail(table["restitution"].place(),
           fmt::format("{} must be 0 to 1, found {}: a bounce creates no energy", table["restitution"].path,
                       contact.restitution));
    }
    if (table.has("mode")) contact.mode = choose(table["mode"], kContactKindWords);
    contact.place.text = table.has("mode") ? table["mode"].place() : table.place();
    if (table.has("plane")) {
      if (table.has("link"))
        fail(table["plane"].place(), "a contact is on a link or on a plane, not on both");
      if (table.has("part")) fail(table["part"].place(), "a plane has no parts; only links have");
      contact.plane = choose_text(table["plane"], planes);
      contact.name = table["name"].name(true);
      read_corner(table, scenario.object.shape, contact);
      return contact;
    }
    contact.link = choose_text(table["link"], known);
    if (table.has("part")) contact.part = choose(table["part"], kContactPartWords);
    read_corner(table, scenario.object.shape, contact);
    require_free(table, contact, on_links, is_hollow(scenario.hand, contact.link));
    on_links.push_back(contact);
    contact.name = table.has("name") ? table["name"].name(true) : contact.link;
    return contact;
  });
}

}  // namespace enfold::io
