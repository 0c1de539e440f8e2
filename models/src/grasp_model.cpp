// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/models/grasp_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "enfold/base/error.hpp"
#include "enfold/geometry/convex_spline.hpp"
#include "enfold/geometry/ellipse.hpp"
#include "enfold/geometry/superellipse.hpp"

namespace enfold::models {
namespace {

using Shape = std::shared_ptr<const geometry::ConvexCurve>;

struct ShapeFactory {
  const char* name;
  Shape (*make)(const io::ShapeSpec&);
};

Shape make_ellipse(const io::ShapeSpec& shape) {
  return std::make_shared<geometry::Ellipse>(shape.semi_axes[0], shape.semi_axes[1]);
}

Shape make_superellipse(const io::ShapeSpec& shape) {
  return std::make_shared<geometry::Superellipse>(shape.semi_axes[0], shape.semi_axes[1], shape.exponent);
}

std::vector<Vector2d> points(const std::vector<std::array<double, 2>>& list) {
  std::vector<Vector2d> out;
  for (const auto& [x, y] : list) out.emplace_back(x, y);
  return out;
}

Shape make_spline(const io::ShapeSpec& shape) {
  return std::make_shared<geometry::ConvexSpline>(points(shape.points));
}

// A polygon has corners instead of a smooth curve.
Shape make_none(const io::ShapeSpec&) {
  return nullptr;
}

// A circle is an ellipse with equal axes; the reader fills in both.
constexpr ShapeFactory kShapes[] = {{"ellipse", make_ellipse},
                                    {"circle", make_ellipse},
                                    {"superellipse", make_superellipse},
                                    {"polygon", make_none},
                                    {"spline", make_spline}};

std::shared_ptr<const geometry::ConvexPolygon> make_polygon(const io::ShapeSpec& shape) {
  if (shape.type != "polygon") return nullptr;
  return std::make_shared<geometry::ConvexPolygon>(points(shape.corners), shape.corner_radius);
}

std::shared_ptr<const mechanics::Load> make_load(const std::vector<io::LoadSpec>& specs) {
  if (specs.empty()) return nullptr;
  std::vector<mechanics::PlanarPointLoad> loads;
  for (const io::LoadSpec& spec : specs) {
    mechanics::PlanarPointLoad& load = loads.emplace_back();
    load.point = {spec.at[0], spec.at[1]};
    for (const io::LoadSpec::Knot& knot : spec.knots)
      load.knots.push_back({knot.time, {knot.force[0], knot.force[1]}, knot.moment});
  }
  return std::make_shared<mechanics::PlanarObjectLoad>(std::move(loads));
}

mechanics::PlanarArm make_arm(const io::ArmSpec& spec) {
  mechanics::PlanarArm arm;
  arm.name = spec.name;
  arm.base = {spec.base[0], spec.base[1]};
  arm.object_side =
      spec.object_side == io::ObjectSide::kLeft ? geometry::Side::kLeft : geometry::Side::kRight;
  for (const io::LinkSpec& link : spec.links) {
    arm.links.push_back({.name = link.name,
                         .length = link.length,
                         .mass = link.mass,
                         .inertia = link.inertia,
                         .com = {link.com[0], link.com[1]},
                         .radius = link.radius,
                         .bulge = link.bulge});
  }
  return arm;
}

Index link_number(const std::vector<std::string>& links, const io::ContactSpec& contact) {
  const auto found = std::find(links.begin(), links.end(), contact.link);
  if (found == links.end()) {
    throw ScenarioError(fmt::format("contact '{}' is on link '{}', which the hand does not have; known: {}",
                                    contact.name, contact.link, fmt::join(links, ", ")));
  }
  return found - links.begin();
}

Index plane_number(const std::vector<contact::PlanarHalfPlane>& planes, const io::ContactSpec& contact) {
  const auto found = std::find_if(planes.begin(), planes.end(),
                                  [&](const auto& plane) { return plane.name == contact.plane; });
  if (found == planes.end()) {
    throw ScenarioError(fmt::format("contact '{}' is on plane '{}', which the scenario does not have",
                                    contact.name, contact.plane));
  }
  return found - planes.begin();
}

contact::LinkPart link_part(io::ContactPart part) {
  return part == io::ContactPart::kTip   ? contact::LinkPart::kTip
         : part == io::ContactPart::kAny ? contact::LinkPart::kAny
                                         : contact::LinkPart::kFace;
}

GraspModel build(const io::Scenario& scenario) {
  std::vector<mechanics::PlanarArm> arms;
  for (const io::ArmSpec& arm : scenario.hand.arms) arms.push_back(make_arm(arm));
  mechanics::PlanarHand hand(std::move(arms), {scenario.hand.gravity[0], scenario.hand.gravity[1]});
  const mechanics::PlanarObject object{scenario.object.mass, scenario.object.inertia,
                                       make_shape(scenario.object.shape),
                                       make_polygon(scenario.object.shape)};

  GraspModel model;
  model.mechanism = std::make_shared<mechanics::PlanarGraspMechanism>(std::move(hand), object);
  std::vector<contact::PlanarHalfPlane> planes;
  for (const io::PlaneSpec& plane : scenario.planes)
    planes.push_back({plane.name, {plane.point[0], plane.point[1]}, plane.angle});
  std::vector<contact::PlanarContact> contacts;
  model.mu.resize(static_cast<Index>(scenario.contacts.size()));
  model.restitution = model.mu;
  for (const io::ContactSpec& contact : scenario.contacts) {
    model.mu[static_cast<Index>(contacts.size())] = contact.mu;
    model.restitution[static_cast<Index>(contacts.size())] = contact.restitution;
    if (contact.plane.empty()) {
      contacts.push_back({contact.name, link_number(model.mechanism->link_names(), contact), -1,
                          contact.corner, link_part(contact.part)});
    } else {
      contacts.push_back({contact.name, -1, plane_number(planes, contact), contact.corner});
    }
  }
  model.contacts =
      std::make_shared<contact::PlanarContactSet>(model.mechanism, std::move(contacts), std::move(planes));
  model.load = make_load(scenario.task.loads);
  return model;
}

}  // namespace

Shape make_shape(const io::ShapeSpec& shape) {
  for (const ShapeFactory& known : kShapes) {
    if (shape.type == known.name) return known.make(shape);
  }
  throw ScenarioError(fmt::format("object.shape.type '{}' is unknown; known: {}", shape.type,
                                  fmt::join(shape_names(), ", ")));
}

std::vector<std::string> shape_names() {
  std::vector<std::string> names;
  for (const ShapeFactory& known : kShapes) names.emplace_back(known.name);
  return names;
}

GraspModel make_grasp_model(const io::Scenario& scenario) {
  try {
    return build(scenario);
  } catch (const InvalidArgument& error) {
    throw ScenarioError(fmt::format("scenario '{}': {}", scenario.name, error.what()));
  }
}

}  // namespace enfold::models
