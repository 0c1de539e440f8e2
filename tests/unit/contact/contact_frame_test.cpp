// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "contact_scene.hpp"
#include "enfold/test/matchers.hpp"

namespace enfold::contact {
namespace {

using test::Draw;
using test::EigenNear;
using test::Scene;

TEST(ContactFrameTest, NormalAndTangentAreThoseOfTheLink) {
  Draw draw(3, 0);
  const Scene scene(test::random_arms(draw, {3, 2, 1}), test::trilobe_shape(0.12, 0.013));
  for (int k = 0; k < 30; ++k) {
    const VectorXd q = draw.vector(scene.mechanism->n_q(), 3.0);
    for (Index i = 0; i < 6; ++i) {
      const ContactFrame frame = scene.contacts.frame(q, i);
      const test::LinkLine line = test::link_line(scene, q, i);
      EXPECT_THAT(frame.normal, EigenNear(line.n, 1e-14));
      ASSERT_EQ(frame.tangents.cols(), scene.contacts.n_tangents());
      EXPECT_THAT(frame.tangents.col(0), EigenNear(line.d, 1e-14));
      EXPECT_EQ(frame.link, i);
    }
  }
}

TEST(ContactFrameTest, PointsLieOnBothSurfacesAndAreTheGapApartAlongTheNormal) {
  Draw draw(3, 1);
  for (const test::Shape& shape : test::shapes()) {
    const Scene scene(test::random_arms(draw, {3, 2}), shape);
    for (int k = 0; k < 20; ++k) {
      const VectorXd q = draw.vector(scene.mechanism->n_q(), 3.0);
      const VectorXd gap = scene.at(q).gap;
      for (Index i = 0; i < 5; ++i) {
        const ContactFrame frame = scene.contacts.frame(q, i);
        const test::LinkLine line = test::link_line(scene, q, i);
        EXPECT_THAT(Vector2d(frame.object_point - frame.link_point),
                    EigenNear(Vector2d(gap[i] * line.n), 1e-14));
        EXPECT_NEAR(line.n.dot(frame.link_point - line.p), scene.hand().link(i).radius, 1e-14);
        // On the object, and the lowest of its points over the link: no boundary point is nearer to this one.
        const auto nearest = test::minimise_over_boundary(
            scene, q, [&](const Vector2d& x) { return (x - frame.object_point).norm(); });
        EXPECT_NEAR(nearest.value, 0.0, 1e-9) << shape.name;
        const auto lowest =
            test::minimise_over_boundary(scene, q, [&](const Vector2d& x) { return line.n.dot(x - line.p); });
        EXPECT_NEAR(line.n.dot(frame.object_point - line.p), lowest.value, 1e-14) << shape.name;
      }
    }
  }
}

/// One link along x with the object resting above it (left) or hanging below it (right), 1 cm off.
struct Signs {
  Scene scene;
  VectorXd q;
};
Signs one_link(geometry::Side side, double radius) {
  mechanics::PlanarArm arm{.name = "arm", .base = Vector2d::Zero(), .object_side = side, .links = {}};
  arm.links.push_back(
      {.name = "link", .length = 0.2, .mass = 1.0, .inertia = 1e-3, .com = {0.1, 0.0}, .radius = radius});
  const double height = 0.05 + 0.01 + radius;
  return {Scene({arm}, test::ellipse_shape(0.05, 0.05)),
          VectorXd{{0.08, side == geometry::Side::kLeft ? height : -height, 0.4, 0.0}}};
}

// Signs of the design, written out by hand: n from link to object, t from joint to tip, both rates of the
// object relative to the link.
TEST(ContactSignsTest, ObjectOnTheLeftOfAThinLink) {
  const auto [scene, q] = one_link(geometry::Side::kLeft, 0.0);
  const ContactKinematics kin = scene.at(q);
  EXPECT_NEAR(kin.gap[0], 0.01, 1e-15);
  EXPECT_NEAR(kin.edge_distance[0], 0.08, 1e-15);
  EXPECT_THAT(scene.contacts.frame(q, 0).normal, EigenNear(Vector2d(0.0, 1.0), 1e-15));
  EXPECT_THAT(scene.contacts.frame(q, 0).tangents, EigenNear(Vector2d(1.0, 0.0), 1e-15));
  // The object rises: the gap opens. The link turns counter-clockwise: it closes, at the lever of the
  // contact.
  EXPECT_THAT(kin.W_N.col(0), EigenNear(VectorXd{{0.0, 1.0, 0.0, -0.08}}, 1e-15));
  // Turning counter-clockwise, the object's lowest point moves towards the tip: slide+.
  EXPECT_THAT(kin.W_T.col(0), EigenNear(VectorXd{{1.0, 0.0, 0.05, 0.0}}, 1e-15));
}

TEST(ContactSignsTest, ObjectOnTheRightOfAThickLink) {
  const auto [scene, q] = one_link(geometry::Side::kRight, 0.02);
  const ContactKinematics kin = scene.at(q);
  EXPECT_NEAR(kin.gap[0], 0.01, 1e-15);
  EXPECT_THAT(scene.contacts.frame(q, 0).normal, EigenNear(Vector2d(0.0, -1.0), 1e-15));
  EXPECT_THAT(scene.contacts.frame(q, 0).tangents, EigenNear(Vector2d(1.0, 0.0), 1e-15));
  EXPECT_THAT(kin.W_N.col(0), EigenNear(VectorXd{{0.0, -1.0, 0.0, 0.08}}, 1e-15));
  // The link's lower face is 2 cm below the joint: turning counter-clockwise it moves forward, so slip is
  // −0.02.
  EXPECT_THAT(kin.W_T.col(0), EigenNear(VectorXd{{1.0, 0.0, -0.05, -0.02}}, 1e-15));
}

TEST(ContactSignsTest, EdgeDistanceIsNegativeBeyondEitherEndOfTheLink) {
  auto [scene, q] = one_link(geometry::Side::kLeft, 0.0);
  q[0] = 0.17;
  EXPECT_NEAR(scene.at(q).edge_distance[0], 0.03, 1e-15);
  q[0] = 0.23;
  EXPECT_NEAR(scene.at(q).edge_distance[0], -0.03, 1e-15);
  q[0] = -0.04;
  EXPECT_NEAR(scene.at(q).edge_distance[0], -0.04, 1e-15);
}

}  // namespace
}  // namespace enfold::contact
