// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <initializer_list>
#include <numbers>

#include "enfold/base/counter_random.hpp"
#include "enfold/closure/contact_wrenches.hpp"

namespace enfold::test {

struct PlanarPoint {
  double x, y, n_x, n_y;
};

/// Contacts at (x, y) with normals (n_x, n_y) into the object, one μ, moments about the origin.
inline closure::ContactWrenches planar_grasp(std::initializer_list<PlanarPoint> contacts, double mu,
                                             double length = 1.0) {
  const auto n = static_cast<Index>(contacts.size());
  MatrixXd points(2, n);
  MatrixXd normals(2, n);
  Index i = 0;
  for (const PlanarPoint& c : contacts) {
    points.col(i) << c.x, c.y;
    normals.col(i++) << c.n_x, c.n_y;
  }
  closure::ContactWrenches out =
      closure::contact_wrenches(points, normals, VectorXd::Constant(n, mu), VectorXd::Zero(2));
  out.length = length;
  return out;
}

/// Two opposed contacts on a disk of radius 1.
inline closure::ContactWrenches pinched_disk(double mu) {
  return planar_grasp({{-1, 0, 1, 0}, {1, 0, -1, 0}}, mu);
}

/// Three contacts, 120° apart, on a disk of radius 1.
inline closure::ContactWrenches disk_of_three(double mu) {
  const double s = std::sqrt(3.0) / 2.0;
  return planar_grasp({{1, 0, -1, 0}, {-0.5, s, 0.5, -s}, {-0.5, -s, 0.5, s}}, mu);
}

/// A square of side 2, a frictionless contact on each side at a distance d from its middle: the two on the
/// left and right turn it one way, the two on top and bottom the other way.
inline closure::ContactWrenches square_of_four(double d, double mu = 0.0) {
  return planar_grasp({{1, d, -1, 0}, {-1, -d, 1, 0}, {d, 1, 0, -1}, {-d, -1, 0, 1}}, mu);
}

/// A parallel jaw on a square of side 2 whose fingers are at heights −h (left) and h (right).
inline closure::ContactWrenches offset_jaw(double mu, double h) {
  return planar_grasp({{-1, -h, 1, 0}, {1, h, -1, 0}}, mu);
}

/// Contacts at random places of an ellipse-like ring, normals up to ±1 rad off the inward radius.
inline closure::ContactWrenches random_grasp(const CounterRandom& random, std::uint64_t first, Index n,
                                             double mu) {
  MatrixXd points(2, n);
  MatrixXd normals(2, n);
  for (Index i = 0; i < n; ++i) {
    const std::uint64_t at = first + 3 * static_cast<std::uint64_t>(i);
    const double angle = std::numbers::pi * random.symmetric(at);
    const double inward = angle + std::numbers::pi + random.symmetric(at + 1);
    const double radius = 1.0 + 0.5 * random.symmetric(at + 2);
    points.col(i) << radius * std::cos(angle), radius * std::sin(angle);
    normals.col(i) << std::cos(inward), std::sin(inward);
  }
  return closure::contact_wrenches(points, normals, VectorXd::Constant(n, mu), VectorXd::Zero(2));
}

}  // namespace enfold::test
