// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "contact_scene.hpp"
#include "enfold/test/matchers.hpp"

namespace enfold::contact {
namespace {

using geometry::Side;
using test::EigenNear;
using test::kPi;
using test::Scene;
using ::testing::AllOf;
using ::testing::HasSubstr;

VectorXd pose(double x, double y, double phi_deg) {
  return VectorXd{{x, y, phi_deg * kPi / 180.0}};
}

/// Every link touches: the gap is 0 by the library, 0 by sampling the boundary, and the touch lies on the
/// link.
void expect_grasped(const Scene& scene, const VectorXd& x) {
  const Closure closure = scene.contacts.close(x);
  ASSERT_TRUE(closure.closed()) << scene.shape.name << " at " << x.transpose() << ": " << closure.message;
  EXPECT_EQ(closure.contact, -1);
  EXPECT_EQ(closure.message, "");
  const VectorXd q = scene.stack(x, closure.theta);
  const ContactKinematics kin = scene.at(q);
  EXPECT_THAT(kin.gap, EigenNear(VectorXd(VectorXd::Zero(kin.gap.size())), 1e-12)) << scene.shape.name;
  EXPECT_GE(kin.edge_distance.minCoeff(), 0.0);
  for (Index i = 0; i < scene.contacts.n_contacts(); ++i) {
    const test::LinkLine line = test::link_line(scene, q, i);
    const auto lowest =
        test::minimise_over_boundary(scene, q, [&](const Vector2d& y) { return line.n.dot(y - line.p); });
    EXPECT_NEAR(lowest.value, scene.hand().link(i).radius, 1e-12) << scene.shape.name << " link " << i;
    EXPECT_LE(std::abs(closure.theta[i]), kPi);
    // An arm wraps towards its object: from the second joint on it only turns to the object's side.
    if (i != scene.hand().first_joint(i)) {
      const double turn = scene.hand().arm_of(i).object_side == Side::kLeft ? 1.0 : -1.0;
      EXPECT_GT(turn * closure.theta[i], 0.0);
    }
  }
}

TEST(ClosureTest, PaperHandTouchesWithAllLinksOverTheRotation) {
  const Scene scene(test::paper_arms(), test::ellipse_shape(0.15, 0.11));
  for (int phi = 69; phi <= 111; ++phi) expect_grasped(scene, pose(0.0, 0.15, phi));
}

TEST(ClosureTest, PaperHandTouchesWithAllLinksOverTheLift) {
  const Scene scene(test::paper_arms(), test::ellipse_shape(0.15, 0.11));
  for (int mm = 120; mm <= 150; ++mm) expect_grasped(scene, pose(0.0, 1e-3 * mm, 0.0));
}

TEST(ClosureTest, ThickLinksTouchWithTheirSurface) {
  const Scene scene(test::paper_arms(0.01), test::ellipse_shape(0.15, 0.11));
  for (int phi = 70; phi <= 110; phi += 2) expect_grasped(scene, pose(0.0, 0.17, phi));
}

TEST(ClosureTest, PaperHandTouchesAShapeGivenByItsSupportFunctionOnly) {
  for (const double radius : {0.0, 0.01}) {
    const Scene scene(test::paper_arms(radius), test::trilobe_shape(0.12, 0.013));
    for (int phi = 0; phi < 360; phi += 5) expect_grasped(scene, pose(0.0, 0.155, phi));
  }
}

TEST(ClosureTest, ArmsOfAnyNumberTouchWithAnyNumberOfLinks) {
  for (const test::Shape& shape : test::round_shapes())
    for (const double radius : {0.0, 0.012})
      for (const int n_arms : {1, 3, 5})
        for (const int n_links : {1, 3, 6}) {
          const Scene scene(test::ring_of_arms(n_arms, n_links, radius), shape);
          for (int k = 0; k < 8; ++k)
            expect_grasped(scene, pose(0.01 * std::cos(k), 0.01 * std::sin(k), 45.0 * k));
        }
}

TEST(ClosureTest, MixedThicknessesTouchAsLongAsTheyFit) {
  auto arms = test::ring_of_arms(3, 3, 0.012);
  for (auto& arm : arms) arm.links[2].radius = 0.0;
  arms[1].links[1].radius = 0.02;
  expect_grasped(Scene(arms, test::trilobe_shape(0.12, 0.013)), pose(0.0, 0.0, 20.0));
}

TEST(ClosureTest, ClosedFormAndNewtonRouteCloseTheHandAlike) {
  const Scene exact(test::paper_arms(), test::ellipse_shape(0.15, 0.11));
  const Scene newton(test::paper_arms(), test::hidden_ellipse_shape(0.15, 0.11));
  for (int phi = 70; phi <= 110; ++phi) {
    const Closure a = exact.contacts.close(pose(0.0, 0.15, phi));
    const Closure b = newton.contacts.close(pose(0.0, 0.15, phi));
    ASSERT_TRUE(a.closed() && b.closed());
    EXPECT_THAT(a.theta, EigenNear(b.theta, 1e-12));
  }
}

TEST(ClosureTest, SymmetricPoseClosesTheTwoArmsAsMirrorImages) {
  const Scene scene(test::paper_arms(), test::ellipse_shape(0.15, 0.11));
  const VectorXd theta = scene.contacts.close(pose(0.0, 0.15, 90.0)).theta;
  EXPECT_NEAR(theta[0], kPi - theta[2], 1e-14);
  EXPECT_NEAR(theta[1], -theta[3], 1e-14);
  EXPECT_GT(theta[3], 0.0);
}

// The shortfall is the length that is missing: a link longer by a hair more closes, by a hair less does not.
TEST(ClosureTest, SaysByHowMuchAContactDoesNotReach) {
  for (const test::Shape& shape : {test::ellipse_shape(0.15, 0.11), test::trilobe_shape(0.12, 0.013)}) {
    auto arms = test::paper_arms();
    arms[1].links[1].length = 0.05;
    const VectorXd x = pose(0.0, 0.155, 80.0);
    const Closure closure = Scene(arms, shape).contacts.close(x);
    ASSERT_EQ(closure.status, Closure::Status::kDoesNotReach) << shape.name;
    EXPECT_FALSE(closure.closed());
    EXPECT_EQ(closure.contact, 3);
    EXPECT_THAT(closure.message,
                AllOf(HasSubstr("contact right.distal does not reach"), HasSubstr("lengthen")));
    EXPECT_THAT(closure.message, HasSubstr(fmt::format("{:.2g} m beyond", closure.shortfall)));
    EXPECT_GT(closure.shortfall, 0.0);
    arms[1].links[1].length = 0.05 + closure.shortfall - 1e-12;
    EXPECT_FALSE(Scene(arms, shape).contacts.close(x).closed());
    arms[1].links[1].length = 0.05 + closure.shortfall + 1e-12;
    EXPECT_TRUE(Scene(arms, shape).contacts.close(x).closed());
  }
}

TEST(ClosureTest, NamesTheContactThatDoesNotReachByItsOwnName) {
  const Scene scene(test::paper_arms(), test::ellipse_shape(0.15, 0.11));
  const PlanarContactSet contacts(scene.mechanism, {{"thumb", 2}, {"index", 0}});
  const Closure closure = contacts.close(pose(0.0, 0.4, 90.0));
  EXPECT_EQ(closure.status, Closure::Status::kDoesNotReach);
  EXPECT_EQ(closure.contact, 1);
  EXPECT_THAT(closure.message, AllOf(HasSubstr("contact index"), HasSubstr("left.proximal")));
}

TEST(ClosureTest, RefusesAnObjectThatLiesOverAJoint) {
  for (const test::Shape& shape : test::shapes()) {
    const Scene scene(test::paper_arms(), shape);
    const Closure closure = scene.contacts.close(pose(-0.06, 0.02, 0.0));
    ASSERT_EQ(closure.status, Closure::Status::kWrapsWrongly) << shape.name;
    EXPECT_FALSE(closure.closed());
    EXPECT_EQ(closure.contact, 0) << closure.message;
    EXPECT_THAT(closure.message, AllOf(HasSubstr("contact left.proximal"),
                                       HasSubstr("lies inside the object"), HasSubstr("move the object")));
  }
  // Only the other arm's joint is under this object.
  const Scene scene(test::paper_arms(), test::hidden_ellipse_shape(0.08, 0.14));
  const Closure closure = scene.contacts.close(pose(0.06, 0.02, 0.0));
  EXPECT_EQ(closure.status, Closure::Status::kWrapsWrongly);
  EXPECT_EQ(closure.contact, 2) << closure.message;
  EXPECT_THAT(closure.message, HasSubstr("contact right.proximal"));
}

TEST(ClosureTest, RefusesAJointThatIsNearerToTheObjectThanItsLinkIsThick) {
  auto arms = test::paper_arms();
  arms[0].links[1].radius = 0.1;
  const Closure closure = Scene(arms, test::ellipse_shape(0.15, 0.11)).contacts.close(pose(0.0, 0.15, 90.0));
  EXPECT_EQ(closure.status, Closure::Status::kWrapsWrongly);
  EXPECT_EQ(closure.contact, 1);
  EXPECT_THAT(closure.message, AllOf(HasSubstr("contact left.distal"), HasSubstr("radius of 0.1 m")));
}

// A link without a contact lies along its tangent as well, whether or not it is long enough to touch.
TEST(ClosureTest, LinksWithoutAContactNeedNotReach) {
  auto arms = test::ring_of_arms(1, 2, 0.0);
  arms[0].base = {-0.4, 0.0};
  arms[0].links[0].length = 0.2;
  arms[0].links[1].length = 0.4;
  const Scene scene(arms, test::ellipse_shape(0.15, 0.11));
  const VectorXd x = pose(0.0, 0.0, 10.0);
  EXPECT_EQ(scene.contacts.close(x).status, Closure::Status::kDoesNotReach);
  const PlanarContactSet distal_only(scene.mechanism, {{"distal", 1}});
  const Closure closure = distal_only.close(x);
  ASSERT_TRUE(closure.closed()) << closure.message;
  EXPECT_NEAR(closure.theta[1], 0.0, 1e-12);  // the two links lie on one tangent
  EXPECT_NEAR(scene.at(scene.stack(x, closure.theta)).gap[1], 0.0, 1e-12);
}

TEST(ClosureTest, NamesTheLinkIfOneWithoutAContactFails) {
  const Scene scene(test::paper_arms(), test::ellipse_shape(0.15, 0.11));
  const PlanarContactSet distal_only(scene.mechanism, {{"left.tip", 1}});
  const Closure closure = distal_only.close(pose(0.0, 0.0, 0.0));
  EXPECT_EQ(closure.status, Closure::Status::kWrapsWrongly);
  EXPECT_EQ(closure.contact, -1);
  EXPECT_THAT(closure.message, HasSubstr("left.proximal"));
}

}  // namespace
}  // namespace enfold::contact
