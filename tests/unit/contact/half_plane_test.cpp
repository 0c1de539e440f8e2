// SPDX-License-Identifier: BSD-3-Clause
// Objects on fixed half-planes: corners of polygons, and the nearest point of smooth shapes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <memory>

#include "contact_scene.hpp"
#include "enfold/contact/planar_contact_set.hpp"
#include "enfold/geometry/convex_polygon.hpp"
#include "enfold/test/numeric_derivative.hpp"

namespace enfold::contact {
namespace {

using mechanics::PlanarGraspMechanism;
using mechanics::PlanarHand;
using mechanics::PlanarObject;

const std::vector<Vector2d> kCorners{{-0.1, -0.05}, {0.12, -0.04}, {0.1, 0.07}, {-0.09, 0.05}};
const std::vector<PlanarHalfPlane> kPlanes{{"floor", {0.02, -0.3}, 0.2}, {"wall", {0.5, 0.1}, 1.9}};

std::shared_ptr<const PlanarGraspMechanism> alone(PlanarObject object) {
  return std::make_shared<PlanarGraspMechanism>(PlanarHand({}, Vector2d(0.0, -9.81)), std::move(object));
}

/// Two corners on the floor and one on the wall; or each plane once, for a curve.
PlanarContactSet polygon_scene() {
  PlanarObject object{1.0, 0.01, nullptr};
  object.polygon = std::make_shared<geometry::ConvexPolygon>(kCorners);
  return {alone(object), {{"a", -1, 0, 0}, {"b", -1, 0, 1}, {"c", -1, 1, 2}}, kPlanes};
}
PlanarContactSet curve_scene(const test::Shape& shape) {
  return {alone({1.0, 0.01, shape.curve}), {{"a", -1, 0}, {"b", -1, 1}}, kPlanes};
}

ContactKinematics at(const PlanarContactSet& set, const VectorXd& q, const VectorXd& v) {
  ContactKinematics out;
  set.kinematics(q, v, out);
  return out;
}

// φ̇ = W_Nᵀv; d/dt of W_Nᵀv and W_Tᵀv at v̇ = 0 are the biases; the slip is that of the material point.
TEST(HalfPlaneTest, CornersAndCurvesAgreeWithFiniteDifferences) {
  std::vector<PlanarContactSet> sets{polygon_scene()};
  for (const test::Shape& shape : test::shapes()) sets.push_back(curve_scene(shape));
  for (const PlanarContactSet& set : sets) {
    const Eigen::Vector3d q{0.1, 0.2, 0.4};
    const Eigen::Vector3d v{0.3, -0.7, 1.3};
    const ContactKinematics here = at(set, q, v);
    for (Index i = 0; i < set.n_contacts(); ++i) {
      const auto path = [&](double t) { return at(set, q + t * v, v); };
      EXPECT_NEAR(here.W_N.col(i).dot(v), test::numeric_derivative([&](double t) { return path(t).gap[i]; }),
                  1e-9);
      EXPECT_NEAR(here.bias_N[i],
                  test::numeric_derivative([&](double t) { return path(t).W_N.col(i).dot(v); }), 1e-8);
      EXPECT_NEAR(here.bias_T[i],
                  test::numeric_derivative([&](double t) { return path(t).W_T.col(i).dot(v); }), 1e-8);
      // The material point that touches now, carried along by the body.
      const ContactFrame frame = set.frame(q, i);
      const Eigen::Vector2d arm = frame.object_point - q.head<2>();
      const double slip = frame.tangents.col(0).dot(v.head<2>() + v[2] * Eigen::Vector2d(-arm.y(), arm.x()));
      EXPECT_NEAR(here.W_T.col(i).dot(v), slip, 1e-12);
    }
  }
}

// The gap is the least distance of all points of the boundary, found by scanning it.
TEST(HalfPlaneTest, GapOfACurveIsTheLeastDistanceOfItsPoints) {
  for (const test::Shape& shape : test::shapes()) {
    const PlanarContactSet set = curve_scene(shape);
    const Eigen::Vector3d q{0.1, 0.2, -0.8};
    const ContactKinematics here = at(set, q, Eigen::Vector3d::Zero());
    for (Index i = 0; i < 2; ++i) {
      const PlanarHalfPlane& plane = kPlanes[static_cast<std::size_t>(i)];
      const Vector2d n{-std::sin(plane.angle), std::cos(plane.angle)};
      double least = INFINITY;
      for (int k = 0; k < 20000; ++k) {
        const Vector2d p = q.head<2>() + Eigen::Rotation2Dd(q[2]) * shape.boundary(2.0 * M_PI * k / 20000);
        least = std::min(least, n.dot(p - plane.point));
      }
      EXPECT_NEAR(here.gap[i], least, 1e-7) << shape.name;
    }
  }
}

TEST(HalfPlaneTest, RefusesCornersThatDoNotExistAndCornersOfCurves) {
  PlanarObject object{1.0, 0.01, nullptr};
  object.polygon = std::make_shared<geometry::ConvexPolygon>(kCorners);
  EXPECT_THROW(PlanarContactSet(alone(object), {{"a", -1, 0, 4}}, kPlanes), InvalidArgument);
  EXPECT_THROW(PlanarContactSet(alone(object), {{"a", -1, 2, 0}}, kPlanes), InvalidArgument);
  EXPECT_THROW(PlanarContactSet(alone({1.0, 0.01, test::shapes()[0].curve}), {{"a", -1, 0, 1}}, kPlanes),
               InvalidArgument);
}

}  // namespace
}  // namespace enfold::contact
