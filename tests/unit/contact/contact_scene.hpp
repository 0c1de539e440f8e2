// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "enfold/contact/planar_contact_set.hpp"
#include "enfold/test/random_hand.hpp"
#include "enfold/test/test_shapes.hpp"

namespace enfold::test {

/// A shape as the library sees it and, drawn by its own formula, as the tests see it.
struct Shape {
  std::string name;
  std::shared_ptr<const geometry::ConvexCurve> curve;
  std::function<Vector2d(double)> boundary;  ///< parameter 0 … 2π → a point of the boundary, body frame
};

[[nodiscard]] inline Shape ellipse_shape(double a, double b) {
  return {"ellipse", std::make_shared<geometry::Ellipse>(a, b), [a, b](double t) {
            return Vector2d{a * std::cos(t), b * std::sin(t)};
          }};
}
[[nodiscard]] inline Shape hidden_ellipse_shape(double a, double b) {
  return {"hidden ellipse", std::make_shared<HiddenEllipse>(a, b), ellipse_shape(a, b).boundary};
}
/// As a sum of three circular motions: r e^{iβ} + 2ε e^{−2iβ} − ε e^{4iβ}.
[[nodiscard]] inline Shape trilobe_shape(double r, double eps) {
  return {"trilobe", std::make_shared<Trilobe>(r, eps), [r, eps](double beta) {
            const std::complex<double> z =
                std::polar(r, beta) + 2.0 * std::polar(eps, -2.0 * beta) - std::polar(eps, 4.0 * beta);
            return Vector2d{z.real(), z.imag()};
          }};
}
[[nodiscard]] inline std::vector<Shape> shapes() {
  return {ellipse_shape(0.15, 0.11), hidden_ellipse_shape(0.08, 0.14), trilobe_shape(0.12, 0.013)};
}

/// Rounder ones, that long arms of equal links can go around at any angle.
[[nodiscard]] inline std::vector<Shape> round_shapes() {
  return {ellipse_shape(0.13, 0.12), hidden_ellipse_shape(0.115, 0.125), trilobe_shape(0.12, 0.006)};
}

/// A hand, an object and a contact on every link, named like the links.
struct Scene {
  Scene(std::vector<mechanics::PlanarArm> arms, Shape object)
      : shape{std::move(object)},
        mechanism{std::make_shared<mechanics::PlanarGraspMechanism>(
            mechanics::PlanarHand(std::move(arms), Vector2d::Zero()),
            mechanics::PlanarObject{1.69, 1.46e-2, shape.curve})},
        contacts{mechanism, on_every_link(mechanism->hand())} {}

  [[nodiscard]] const mechanics::PlanarHand& hand() const { return mechanism->hand(); }
  [[nodiscard]] contact::ContactKinematics at(const VectorXd& q, const VectorXd& v) const {
    contact::ContactKinematics out;
    contacts.kinematics(q, v, out);
    return out;
  }
  [[nodiscard]] contact::ContactKinematics at(const VectorXd& q) const {
    return at(q, VectorXd::Zero(q.size()));
  }
  [[nodiscard]] VectorXd stack(const VectorXd& x, const VectorXd& theta) const {
    VectorXd q(x.size() + theta.size());
    q << x, theta;
    return q;
  }

  static std::vector<contact::PlanarContact> on_every_link(const mechanics::PlanarHand& hand) {
    std::vector<contact::PlanarContact> contacts;
    for (Index l = 0; l < hand.n_joints(); ++l)
      contacts.push_back({hand.link_names()[static_cast<std::size_t>(l)], l});
    return contacts;
  }

  Shape shape;
  std::shared_ptr<const mechanics::PlanarGraspMechanism> mechanism;
  contact::PlanarContactSet contacts;
};

/// The hand of S4 (song2001-rotate.yaml); links of half thickness `radius`.
[[nodiscard]] inline std::vector<mechanics::PlanarArm> paper_arms(double radius = 0.0) {
  const mechanics::PlanarLink proximal{.name = "proximal",
                                       .length = 0.2,
                                       .mass = 0.5,
                                       .inertia = 1.67e-3,
                                       .com = {0.1, 0.0},
                                       .radius = radius};
  mechanics::PlanarLink distal = proximal;
  distal.name = "distal";
  return {{.name = "left",
           .base = {-0.05, 0.0},
           .object_side = geometry::Side::kRight,
           .links = {proximal, distal}},
          {.name = "right",
           .base = {0.05, 0.0},
           .object_side = geometry::Side::kLeft,
           .links = {proximal, distal}}};
}

/// Arms of equal links around an object at the origin, that reach it from all sides.
[[nodiscard]] inline std::vector<mechanics::PlanarArm> ring_of_arms(int n_arms, int n_links, double radius) {
  std::vector<mechanics::PlanarArm> arms;
  for (int a = 0; a < n_arms; ++a) {
    mechanics::PlanarArm arm;
    arm.name = fmt::format("arm{}", a + 1);
    const double angle = 2.0 * kPi * a / n_arms + 0.3;
    arm.base = 0.18 * Vector2d{std::cos(angle), std::sin(angle)};
    arm.object_side = a % 2 == 0 ? geometry::Side::kLeft : geometry::Side::kRight;
    for (int l = 0; l < n_links; ++l)
      arm.links.push_back({.name = fmt::format("link{}", l + 1),
                           .length = 0.26,
                           .mass = 0.3,
                           .inertia = 1e-3,
                           .com = {0.13, 0.0},
                           .radius = radius});
    arms.push_back(std::move(arm));
  }
  return arms;
}

/// Joint, direction and normal (towards the object) of a link, without the library's kinematics.
struct LinkLine {
  Vector2d p;
  Vector2d d;
  Vector2d n;
};
[[nodiscard]] inline LinkLine link_line(const Scene& scene, const VectorXd& q, Index link) {
  const VectorXd theta = q.tail(scene.hand().n_joints());
  LinkLine line;
  line.p = world_point(scene.hand(), theta, link, Vector2d::Zero());
  line.d = world_point(scene.hand(), theta, link, {1.0, 0.0}) - line.p;
  const bool left = scene.hand().arm_of(link).object_side == geometry::Side::kLeft;
  line.n = left ? Vector2d{-line.d.y(), line.d.x()} : Vector2d{line.d.y(), -line.d.x()};
  return line;
}

/// Smallest value of f over the object's boundary in the world: a scan, then a ternary search.
struct BoundaryMinimum {
  double value;
  Vector2d point;
};
[[nodiscard]] inline BoundaryMinimum minimise_over_boundary(const Scene& scene, const VectorXd& q,
                                                            const std::function<double(const Vector2d&)>& f) {
  const Eigen::Rotation2Dd R(q[2]);
  const auto world = [&](double t) -> Vector2d { return q.head<2>() + R * scene.shape.boundary(t); };
  constexpr int kSamples = 720;
  double best = 0.0;
  double lowest = f(world(0.0));
  for (int i = 1; i < kSamples; ++i) {
    const double t = 2.0 * kPi * i / kSamples;
    if (const double value = f(world(t)); value < lowest) {
      lowest = value;
      best = t;
    }
  }
  double lo = best - 2.0 * kPi / kSamples;
  double hi = best + 2.0 * kPi / kSamples;
  while (hi - lo > 1e-9) {
    const double third = (hi - lo) / 3.0;
    if (f(world(lo + third)) < f(world(hi - third)))
      hi -= third;
    else
      lo += third;
  }
  return {f(world(0.5 * (lo + hi))), world(0.5 * (lo + hi))};
}

}  // namespace enfold::test
