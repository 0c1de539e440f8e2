// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "enfold/base/counter_random.hpp"
#include "enfold/base/error.hpp"
#include "enfold/contact/contact_mode.hpp"
#include "enfold/contact/planar_contact_set.hpp"
#include "enfold/contact/posture.hpp"
#include "enfold/geometry/convex_polygon.hpp"
#include "enfold/geometry/convex_spline.hpp"
#include "enfold/geometry/ellipse.hpp"
#include "enfold/geometry/superellipse.hpp"
#include "enfold/mechanics/planar_grasp_mechanism.hpp"

namespace enfold::test {

/// What a random grasp is drawn from.
struct RandomGraspOptions {
  int min_arms = 1, max_arms = 6;
  int min_links = 1, max_links = 8;
  double touching = 0.75;  ///< probability that a link has a contact
  double rolling = 0.25;   ///< probability that a contact rolls
  double open = 0.05;      ///< probability that a contact is open
  /// Probability that the mechanics decide modes: as often those of all that slide as of half of them.
  double automatic = 0.35;
  double palm = 0.25;   ///< probability of a contact with the environment; of a second one: half of it
  double thick = 0.5;   ///< probability that a link is a capsule
  double curved = 0.2;  ///< probability that a link with a contact on its face is an arc, hollow or not
  /// Probability that a contact may go on from its link's face to the tip.
  double any_part = 0.3;
  /// Of a polygon: probability that an arm begins with a free link and one flat on a side, with two contacts.
  double flush = 0.3;
  double gravity = 0.5;  ///< probability that there is gravity
  double mu_min = 0.05, mu_max = 1.0;
  bool all_shapes = true;  ///< false: ellipses and circles only
};

/// Arms that wrap around an object, each link tangent to it.
struct RandomGrasp {
  std::shared_ptr<const mechanics::PlanarGraspMechanism> mechanism;
  std::shared_ptr<const contact::PlanarContactSet> contacts;
  VectorXd mu;
  std::vector<contact::ContactMode> modes;
  std::vector<bool> automatic;  ///< contacts whose modes the mechanics decide; declared as sliding
  std::string shape;            ///< what sort of curve the object is
  VectorXd x;                   ///< pose of the object
};

/// The angle at which a link with its joint there touches the object with its face, away from its ends.
[[nodiscard]] inline std::optional<double> touching_angle(const mechanics::PlanarLink& link, Vector2d joint,
                                                          geometry::Side side,
                                                          const mechanics::PlanarObject& object,
                                                          const VectorXd& x) {
  const auto alone = std::make_shared<mechanics::PlanarGraspMechanism>(
      mechanics::PlanarHand({{"arm", joint, side, {link}}}, Vector2d::Zero()), object);
  const contact::PlanarContactSet touch(alone, {{"touch", 0}});
  const contact::PostureSearch search = contact::find_postures(touch, x, {.starts = 8, .max_postures = 1});
  if (!search.found() || search.postures.front().edge_margin < 0.05) return std::nullopt;
  return search.postures.front().theta[0];
}

/// The number-th grasp of a seed: arms start outside the object and wrap around it, link by link, along the
/// tangents; the lengths of links are drawn so that those with a contact reach it.
[[nodiscard]] inline RandomGrasp random_grasp(std::uint64_t seed, std::uint64_t number,
                                              const RandomGraspOptions& options = {}) {
  const CounterRandom random(seed, number);
  std::uint64_t draws = 0;
  const auto between = [&](double low, double high) { return low + (high - low) * random.uniform(draws++); };
  const auto whole = [&](int low, int high) { return low + static_cast<int>(between(0.0, high - low + 1)); };
  const auto happens = [&](double probability) { return between(0.0, 1.0) < probability; };
  constexpr double kTurn = 2.0 * std::numbers::pi;

  const double a = between(0.06, 0.2);
  const double b = happens(0.2) ? a : a * between(0.5, 1.0);
  const int kind = options.all_shapes ? whole(0, 4) : 0;
  RandomGrasp out;
  std::shared_ptr<const geometry::ConvexPolygon> polygon;
  std::shared_ptr<const geometry::ConvexCurve> shape;
  if (kind == 0) shape = std::make_shared<geometry::Ellipse>(a, b);
  if (kind == 1) shape = std::make_shared<geometry::Superellipse>(a, b, between(1.5, 6.0));
  const auto points_around = [&](int n, double uneven) {  // on an ellipse, in order: convex
    std::vector<Vector2d> points;
    for (int i = 0; i < n; ++i) {
      const double at = kTurn * (i + between(-uneven, uneven)) / n;
      points.emplace_back(a * std::cos(at), b * std::sin(at));
    }
    return points;
  };
  if (kind == 2) {
    // Not every curve through convex points is convex; that through evenly spaced ones on a circle is.
    for (double uneven = 0.2; !shape; uneven *= 0.5) {
      try {
        shape = std::make_shared<geometry::ConvexSpline>(points_around(whole(6, 12), uneven));
      } catch (const InvalidArgument&) {
        if (uneven < 1e-3) throw;
      }
    }
  }
  if (kind > 2)
    polygon = std::make_shared<geometry::ConvexPolygon>(points_around(whole(3, 7), 0.2),
                                                        kind == 3 ? 0.0 : 0.1 * std::min(a, b));
  out.shape = kind == 0   ? a == b ? "circle" : "ellipse"
              : kind == 1 ? "superellipse"
              : kind == 2 ? "spline"
              : kind == 3 ? "sharp polygon"
                          : "rounded polygon";
  const geometry::ConvexCurve& curve = polygon ? *polygon : *shape;
  const double size = curve.characteristic_length();
  const double mass = between(0.2, 3.0);
  const mechanics::PlanarObject object{mass, 0.25 * mass * size * size * between(0.5, 2.0), shape, polygon};
  out.x = Eigen::Vector3d(between(-0.05, 0.05), between(-0.05, 0.05), between(-3.0, 3.0));
  const Eigen::Rotation2Dd R(out.x[2]);

  std::vector<mechanics::PlanarArm> arms;
  std::vector<contact::PlanarContact> contacts;
  Index link_number = 0;
  const int n_arms = whole(options.min_arms, options.max_arms);
  for (int arm_number = 0; arm_number < n_arms; ++arm_number) {
    mechanics::PlanarArm arm;
    arm.name = fmt::format("arm{}", arm_number + 1);
    const double around = kTurn * (arm_number + between(-0.3, 0.3)) / n_arms;
    const double away = size * between(1.25, 2.0);
    arm.base = Vector2d(out.x.head<2>()) + away * Vector2d(std::cos(around), std::sin(around));
    arm.object_side = happens(0.5) ? geometry::Side::kLeft : geometry::Side::kRight;
    Vector2d joint = arm.base;
    const int n_links = whole(options.min_links, options.max_links);
    const auto add_link = [&](double length, double radius, double psi, double bulge = 0.0) {
      mechanics::PlanarLink link;
      link.name = fmt::format("link{}", arm.links.size() + 1);
      link.radius = radius;
      link.bulge = bulge;
      link.length = length;
      link.mass = between(0.05, 0.6);
      link.com = {length * between(0.3, 0.7), 0.0};
      link.inertia = link.mass * length * length / 12.0;
      joint += length * Vector2d(std::cos(psi), std::sin(psi));
      arm.links.push_back(std::move(link));
      ++link_number;
    };
    if (polygon && n_links >= 2 && happens(options.flush)) {
      // The arm's first tangent is at some corner; the side that begins there, seen around the object, takes
      // the second link. The first ends on that side's line, before the corner.
      const double sigma = arm.object_side == geometry::Side::kLeft ? 1.0 : -1.0;
      const geometry::TangentRay ray =
          geometry::tangent_ray(curve, R.inverse() * (joint - out.x.head<2>()), arm.object_side, 0.0);
      if (ray.status != geometry::TangentRay::Status::kFound) continue;
      const Vector2d right = sigma * Vector2d(std::sin(ray.psi), -std::cos(ray.psi));
      const Index near = polygon->corner_towards(right);
      const Index n_c = polygon->n_corners();
      const Index far = (near + (sigma > 0.0 ? 1 : n_c - 1)) % n_c;
      const Index face = sigma > 0.0 ? near : far;
      const Vector2d along = (polygon->core(far) - polygon->core(near)).normalized();
      const double radius = happens(options.thick) ? between(0.01, 0.04) * size : 0.0;
      const double before = size * between(0.1, 0.4);
      const Vector2d start =
          polygon->core(near) - before * along + (polygon->corner_radius() + radius) * polygon->normal(face);
      const Vector2d from = Vector2d(out.x.head<2>()) + R * start - joint;
      const double psi = std::atan2(along.y(), along.x()) + out.x[2];
      const double side = (polygon->core(far) - polygon->core(near)).norm();
      add_link(from.norm(), 0.0, std::atan2(from.y(), from.x()));
      for (const auto& [corner, word] : {std::pair{near, "near"}, std::pair{far, "far"}})
        contacts.push_back({fmt::format("{}.link2.{}", arm.name, word), link_number, -1, corner});
      add_link(before + side * between(1.05, 1.4), radius, psi);
    }
    for (int l = static_cast<int>(arm.links.size()); l < n_links; ++l) {
      const double radius = happens(options.thick) ? between(0.01, 0.04) * size : 0.0;
      const geometry::TangentRay ray =
          geometry::tangent_ray(curve, R.inverse() * (joint - out.x.head<2>()), arm.object_side, radius);
      if (ray.status != geometry::TangentRay::Status::kFound) break;
      const bool touches = happens(options.touching);
      const bool any_part = touches && happens(options.any_part);
      const double length =
          touches ? ray.distance * between(any_part ? 1.0 : 1.15, 1.5) + (any_part ? 1e-3 : 0.1) * size
                  : std::max(0.05 * size, ray.distance * between(0.3, 0.8));
      if (touches)
        contacts.push_back({fmt::format("{}.link{}", arm.name, l + 1), link_number, -1, -1,
                            any_part ? contact::LinkPart::kAny : contact::LinkPart::kFace});
      double psi = ray.psi + out.x[2];
      double bulge = 0.0;
      if (touches && !any_part && happens(options.curved)) {
        bulge = length * (happens(0.6) ? between(0.01, 0.12) : between(-0.04, -0.005));
        const mechanics::PlanarLink link{
            .name = "link", .length = length, .mass = 1.0, .inertia = 1.0, .radius = radius, .bulge = bulge};
        const std::optional<double> turned = touching_angle(link, joint, arm.object_side, object, out.x);
        bulge = turned ? bulge : 0.0;
        psi = turned.value_or(psi);
      }
      add_link(length, radius, psi, bulge);
    }
    if (!arm.links.empty()) arms.push_back(std::move(arm));
  }

  std::vector<contact::PlanarHalfPlane> planes;
  double turned = between(-3.0, 3.0);
  for (const char* name : {"palm", "table"}) {
    if (!happens(planes.empty() ? options.palm : 0.5)) break;
    contact::PlanarHalfPlane palm{name, {}, turned};
    turned += between(1.0, 5.0);
    const Vector2d n(-std::sin(palm.angle), std::cos(palm.angle));
    // The plane's normal points at the object, whose outward normal there is −n.
    const double beta = std::atan2(-n.y(), -n.x()) - out.x[2];
    palm.point = Vector2d(out.x.head<2>()) - curve.support(beta).h * n;
    contact::PlanarContact touch;
    touch.name = name;
    touch.plane = static_cast<Index>(planes.size());
    if (polygon) touch.corner = polygon->corner_towards(R.inverse() * -n);
    planes.push_back(palm);
    contacts.push_back(touch);
  }
  const Vector2d gravity =
      happens(options.gravity) ? Vector2d(between(-10.0, 10.0), between(-10.0, 10.0)) : Vector2d(0.0, 0.0);
  out.mechanism = std::make_shared<mechanics::PlanarGraspMechanism>(
      mechanics::PlanarHand(std::move(arms), gravity), object);
  out.contacts = std::make_shared<contact::PlanarContactSet>(out.mechanism, contacts, planes);
  out.mu.resize(static_cast<Index>(contacts.size()));
  for (double& mu : out.mu) mu = between(options.mu_min, options.mu_max);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double draw = between(0.0, 1.0);
    out.modes.push_back(draw < options.open                     ? contact::ContactMode::kOpen
                        : draw < options.open + options.rolling ? contact::ContactMode::kRoll
                        : happens(0.5)                          ? contact::ContactMode::kSlidePlus
                                                                : contact::ContactMode::kSlideMinus);
  }
  const double automatic = !happens(options.automatic) ? -1.0 : happens(0.5) ? 0.5 : 1.0;
  for (const contact::ContactMode mode : out.modes)
    out.automatic.push_back(is_sliding(mode) && happens(automatic));
  return out;
}

}  // namespace enfold::test
