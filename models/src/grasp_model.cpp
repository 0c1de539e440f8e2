// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/models/grasp_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "enfold/base/error.hpp"
#include "enfold/geometry/ellipse.hpp"

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

// A circle is an ellipse with equal axes; the reader fills in both.
constexpr ShapeFactory kShapes[] = {{"ellipse", make_ellipse}, {"circle", make_ellipse}};

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
                         .radius = link.radius});
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

GraspModel build(const io::Scenario& scenario) {
  std::vector<mechanics::PlanarArm> arms;
  for (const io::ArmSpec& arm : scenario.hand.arms) arms.push_back(make_arm(arm));
  mechanics::PlanarHand hand(std::move(arms), {scenario.hand.gravity[0], scenario.hand.gravity[1]});
  const mechanics::PlanarObject object{scenario.object.mass, scenario.object.inertia,
                                       make_shape(scenario.object.shape)};

  GraspModel model;
  model.mechanism = std::make_shared<mechanics::PlanarGraspMechanism>(std::move(hand), object);
  std::vector<contact::PlanarContact> contacts;
  model.mu.resize(static_cast<Index>(scenario.contacts.size()));
  for (const io::ContactSpec& contact : scenario.contacts) {
    model.mu[static_cast<Index>(contacts.size())] = contact.mu;
    contacts.push_back({contact.name, link_number(model.mechanism->link_names(), contact)});
  }
  model.contacts = std::make_shared<contact::PlanarContactSet>(model.mechanism, std::move(contacts));
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
