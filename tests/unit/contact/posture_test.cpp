// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/contact/posture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "contact_scene.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/object_shapes.hpp"

namespace enfold::contact {
namespace {

using test::Draw;
using test::EigenNear;
using ::testing::AllOf;
using ::testing::HasSubstr;

struct PostureHand {
  std::shared_ptr<const mechanics::PlanarGraspMechanism> mechanism;
  std::shared_ptr<const PlanarContactSet> contacts;
};

/// A random hand near a random object: straight and curved links, contacts on faces, tips and either, links
/// without a contact.
PostureHand random_posture_hand(Draw& draw, const test::ObjectShape& shape, int max_arms, int max_links) {
  const int n_arms = draw.whole(1, max_arms);
  const int n_links = draw.whole(1, max_links);
  std::vector<mechanics::PlanarArm> arms = test::ring_of_arms(n_arms, n_links, draw.whole(0, 1) * 0.008);
  for (auto& arm : arms)
    for (auto& link : arm.links) {
      link.length *= draw.between(0.5, 1.1);
      link.bulge = draw.whole(0, 3) == 0 ? draw.between(0.002, 0.02) : 0.0;
    }
  PostureHand hand;
  hand.mechanism = std::make_shared<mechanics::PlanarGraspMechanism>(
      mechanics::PlanarHand(std::move(arms), Vector2d::Zero()), shape.object());
  std::vector<PlanarContact> contacts;
  for (Index l = 0; l < hand.mechanism->n_theta(); ++l) {
    if (draw.whole(0, 2) == 0) continue;
    const int part = draw.whole(0, 3);
    contacts.push_back({fmt::format("c{}", l), l, -1, -1,
                        part == 0   ? LinkPart::kTip
                        : part == 1 ? LinkPart::kAny
                                    : LinkPart::kFace});
  }
  hand.contacts = std::make_shared<PlanarContactSet>(hand.mechanism, contacts);
  return hand;
}

/// The smallest distance of points of a link from the sampled object less the half thickness, without the
/// library's kinematics. Rough: points of the axis of straight links only.
double sampled_separation(const PostureHand& hand, const test::ObjectShape& shape, const VectorXd& q,
                          Index link) {
  const VectorXd theta = q.tail(hand.mechanism->n_theta());
  const std::vector<Vector2d> boundary = test::sampled_boundary(shape, 400);
  const Eigen::Rotation2Dd R(q[2]);
  double closest = 1e3;
  for (int a = 0; a <= 60; ++a) {
    const Vector2d p = test::world_point(hand.mechanism->hand(), theta, link,
                                         {hand.mechanism->hand().link(link).length * a / 60, 0.0});
    const Vector2d inside = R.inverse() * (p - q.head<2>());
    if (shape.curve().contains(inside)) return -1.0;
    for (const Vector2d& b : boundary) closest = std::min(closest, (b - inside).norm());
  }
  return closest - hand.mechanism->hand().link(link).radius;
}

// [eq:posture]: whatever the search returns makes all contacts, on their parts, with no link in the object.
TEST(PostureTest, EveryPostureOfARandomHandMakesItsContacts) {
  int found = 0;
  int refused = 0;
  const int n_cases = test::count(6, 120);
  for (const test::ObjectShape& shape : test::object_shapes()) {
    for (int k = 0; k < n_cases; ++k) {
      Draw draw(31, k);
      const PostureHand hand = random_posture_hand(draw, shape, k % 5 == 0 ? 6 : 2, k % 7 == 0 ? 8 : 3);
      const VectorXd x{{draw.between(-0.02, 0.02), draw.between(-0.02, 0.02), draw.between(-3.0, 3.0)}};
      const PostureSearch search =
          find_postures(*hand.contacts, x, {.starts = 24, .max_postures = 3, .seed = 5});
      if (!search.found()) {
        ++refused;
        EXPECT_FALSE(search.failure.closed());
        EXPECT_FALSE(search.failure.message.empty());
        continue;
      }
      ++found;
      double before = 2.0;
      for (const Posture& posture : search.postures) {
        EXPECT_LE(posture.score, before);
        before = posture.score;
        ASSERT_EQ(posture.theta.size(), hand.mechanism->n_theta());
        VectorXd q(3 + posture.theta.size());
        q << x, posture.theta;
        ContactKinematics kin;
        hand.contacts->kinematics(q, VectorXd::Zero(q.size()), kin);
        EXPECT_LT(kin.gap.size() == 0 ? 0.0 : kin.gap.cwiseAbs().maxCoeff(), 1e-10)
            << shape.name << ", case " << k;
        for (const double edge : kin.edge_distance) EXPECT_GE(edge, 0.0);
        for (Index l = 0; l < hand.mechanism->n_theta(); ++l) {
          if (hand.mechanism->hand().link(l).bulge != 0.0) continue;
          EXPECT_GT(sampled_separation(hand, shape, q, l), -1e-3)
              << shape.name << ", case " << k << ", link " << l;
        }
      }
    }
  }
  EXPECT_GT(found, n_cases);
  EXPECT_GT(refused, 0);
  RecordProperty("found", found);
  RecordProperty("refused", refused);
}

// Two routes: tangents in closed form, and Newton from random starts.
TEST(PostureTest, FindsTheTangentsOfThePapersHand) {
  const test::Scene scene(test::paper_arms(), test::ellipse_shape(0.15, 0.11));
  for (const double phi : {70.0, 85.0, 110.0}) {
    const VectorXd x{{0.0, 0.15, phi * test::kPi / 180.0}};
    const PostureSearch search = find_postures(scene.contacts, x, {.starts = 40});
    ASSERT_TRUE(search.found()) << search.failure.message;
    EXPECT_THAT(search.postures.front().theta, EigenNear(scene.contacts.close(x).theta, 1e-10));
    EXPECT_EQ(search.postures.size(), 1U);  // the side says which tangent
  }
}

TEST(PostureTest, ClosureNearAPostureStaysOnItsBranch) {
  int branches = 0;
  for (int k = 0; k < 12; ++k) {
    Draw draw(33, k);
    const auto shapes = test::object_shapes();
    const PostureHand hand = random_posture_hand(draw, shapes[static_cast<std::size_t>(k) % 2], 1, 3);
    const VectorXd x{{0.0, 0.0, 0.3}};
    const PostureSearch search = find_postures(*hand.contacts, x);
    for (const Posture& posture : search.postures) {
      if (posture.edge_margin < 0.02 || posture.conditioning < 0.05 || posture.clearance < 2e-3) continue;
      ++branches;
      const VectorXd moved = x + VectorXd{{2e-4, -1e-4, 5e-4}};
      const Closure closure = hand.contacts->close_near(moved, posture.theta);
      ASSERT_TRUE(closure.closed()) << closure.message;
      EXPECT_LT((closure.theta - posture.theta).lpNorm<Eigen::Infinity>(), 0.03) << "case " << k;
    }
  }
  EXPECT_GT(branches, 8);
}

TEST(PostureTest, FingertipsPinchABox) {
  auto arms = test::paper_arms(0.01);
  arms[0].base = {-0.15, 0.0};
  arms[1].base = {0.15, 0.0};
  const auto box = std::make_shared<geometry::ConvexPolygon>(
      std::vector<Vector2d>{{-0.05, -0.05}, {0.05, -0.05}, {0.05, 0.05}, {-0.05, 0.05}});
  const auto mechanism = std::make_shared<mechanics::PlanarGraspMechanism>(
      mechanics::PlanarHand(arms, Vector2d::Zero()), mechanics::PlanarObject{1.0, 1e-3, nullptr, box});
  const PlanarContactSet tips(
      mechanism, {{"left.tip", 1, -1, -1, LinkPart::kTip}, {"right.tip", 3, -1, -1, LinkPart::kTip}});
  const VectorXd x{{0.0, 0.25, 0.0}};
  const PostureSearch search = find_postures(tips, x);
  ASSERT_TRUE(search.found()) << search.failure.message;
  EXPECT_GT(search.postures.size(), 1U);  // a family: two joints for one contact
  VectorXd q(7);
  q << x, search.postures.front().theta;
  for (Index i = 0; i < 2; ++i) {
    const ContactFrame frame = tips.frame(q, i);
    // On a side of the box, not inside, at the half thickness from the tip.
    const Vector2d local = frame.object_point - x.head<2>();
    EXPECT_NEAR(local.cwiseAbs().maxCoeff(), 0.05, 1e-9);
    EXPECT_NEAR((frame.object_point - frame.link_point).norm(), 0.0, 1e-9);
  }
}

// Two contacts of one link: its face flush against a side of a box needs the two joints before it.
TEST(PostureTest, TwoJointsLayALinkFlushOnABox) {
  auto arms = test::paper_arms(0.01);
  arms.resize(1);
  const auto box = std::make_shared<geometry::ConvexPolygon>(
      std::vector<Vector2d>{{-0.05, -0.05}, {0.05, -0.05}, {0.05, 0.05}, {-0.05, 0.05}});
  const auto mechanism = std::make_shared<mechanics::PlanarGraspMechanism>(
      mechanics::PlanarHand(arms, Vector2d::Zero()), mechanics::PlanarObject{1.0, 1e-3, nullptr, box});
  const PlanarContactSet flush(mechanism, {{"low", 1, -1, 0}, {"high", 1, -1, 3}});
  const VectorXd x{{0.06, 0.3, 0.0}};
  const PostureSearch search = find_postures(flush, x);
  ASSERT_TRUE(search.found()) << search.failure.message;
  const VectorXd& theta = search.postures.front().theta;
  EXPECT_NEAR(std::abs(std::cos(theta[0] + theta[1])), 0.0, 1e-9);  // along the side
}

TEST(PostureTest, SaysWhichContactFailsAndWhy) {
  const test::Scene scene(test::paper_arms(), test::ellipse_shape(0.15, 0.11));
  const PlanarContactSet tip(scene.mechanism, {{"left.tip", 1, -1, -1, LinkPart::kTip}});
  PostureSearch search = find_postures(tip, VectorXd{{0.0, 0.9, 0.0}});
  EXPECT_FALSE(search.found());
  EXPECT_EQ(search.failure.contact, 0);
  // The tip reaches 0.4 m from the base at (−0.05, 0); the ellipse begins near 0.79 m from there.
  EXPECT_NEAR(search.failure.shortfall, 0.39, 0.01);
  EXPECT_THAT(search.failure.message,
              AllOf(HasSubstr("arm left"), HasSubstr("left.tip"), HasSubstr("gap of 0.39")));

  // Two tips and two faces on two joints: more contacts than joints.
  const PlanarContactSet many(scene.mechanism, {{"a", 0}, {"b", 1}, {"c", 1, -1, -1, LinkPart::kTip}});
  search = find_postures(many, VectorXd{{0.0, 0.15, 1.5}});
  EXPECT_FALSE(search.found());
  EXPECT_THAT(search.failure.message, HasSubstr("more of them than joints"));
  EXPECT_FALSE(many.close(VectorXd{{0.0, 0.15, 1.5}}).closed());

  // A link on its own that must lie in the object.
  const PlanarContactSet distal(scene.mechanism, {{"b", 1}});
  search = find_postures(distal, VectorXd{{-0.05, 0.0, 0.0}});
  EXPECT_FALSE(search.found());
  EXPECT_EQ(search.failure.status, Closure::Status::kWrapsWrongly);
  EXPECT_THAT(search.failure.message, HasSubstr("inside the object"));
}

TEST(PostureTest, SameSeedGivesTheSamePostures) {
  Draw draw(34, 2);
  const PostureHand hand = random_posture_hand(draw, test::object_shapes()[1], 2, 3);
  const VectorXd x{{0.0, 0.0, 0.1}};
  const PostureSearch a = find_postures(*hand.contacts, x);
  const PostureSearch b = find_postures(*hand.contacts, x);
  ASSERT_EQ(a.postures.size(), b.postures.size());
  for (std::size_t i = 0; i < a.postures.size(); ++i) EXPECT_EQ(a.postures[i].theta, b.postures[i].theta);
}

TEST(PostureTest, RefusesPosesAndOptionsThatMakeNoSense) {
  const test::Scene scene(test::paper_arms(), test::ellipse_shape(0.15, 0.11));
  EXPECT_THROW((void)find_postures(scene.contacts, VectorXd::Zero(2)), InvalidArgument);
  EXPECT_THROW((void)find_postures(scene.contacts, VectorXd{{0.0, std::nan(""), 0.0}}), InvalidArgument);
  EXPECT_THROW((void)find_postures(scene.contacts, VectorXd::Zero(3), {.starts = 0}), InvalidArgument);
}

}  // namespace
}  // namespace enfold::contact
