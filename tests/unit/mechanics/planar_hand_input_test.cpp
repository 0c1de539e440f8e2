// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "enfold/base/error.hpp"
#include "enfold/mechanics/planar_hand.hpp"

namespace enfold::mechanics {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

std::vector<PlanarArm> two_arms() {
  const PlanarLink link{.name = "proximal", .length = 0.2, .mass = 0.5, .inertia = 1e-3, .com = {0.1, 0.0}};
  PlanarLink distal = link;
  distal.name = "distal";
  return {
      {.name = "left", .base = {-0.05, 0.0}, .object_side = geometry::Side::kRight, .links = {link, distal}},
      {.name = "right", .base = {0.05, 0.0}, .object_side = geometry::Side::kLeft, .links = {link, distal}}};
}

/// The message with which a hand is refused after `spoil`; empty if it is accepted.
std::string refusal(const std::function<void(std::vector<PlanarArm>&)>& spoil,
                    const Vector2d& gravity = Vector2d::Zero()) {
  std::vector<PlanarArm> arms = two_arms();
  spoil(arms);
  try {
    const PlanarHand hand(arms, gravity);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(PlanarHandInputTest, AcceptsTheHandThatTheOtherCasesSpoil) {
  EXPECT_EQ(refusal([](auto&) {}), "");
}

TEST(PlanarHandInputTest, RefusesABadNumberOfALinkWithTheLinksName) {
  for (const double bad : {0.0, -0.1, kNan, kInf}) {
    EXPECT_THAT(refusal([&](auto& arms) { arms[1].links[1].length = bad; }),
                AllOf(HasSubstr("length of right.distal"), HasSubstr("expected > 0")));
    EXPECT_THAT(refusal([&](auto& arms) { arms[1].links[1].mass = bad; }),
                AllOf(HasSubstr("mass of right.distal"), HasSubstr("expected > 0")));
  }
  for (const double bad : {-1e-9, kNan, kInf}) {
    EXPECT_THAT(refusal([&](auto& arms) { arms[0].links[1].inertia = bad; }),
                HasSubstr("inertia of left.distal"));
    EXPECT_THAT(refusal([&](auto& arms) { arms[0].links[0].radius = bad; }),
                HasSubstr("radius of left.proximal"));
  }
  EXPECT_THAT(refusal([&](auto& arms) { arms[0].links[1].com.y() = kNan; }),
              HasSubstr("centre of mass of left.distal"));
}

// Without inertia about its own joint a link makes M singular.
TEST(PlanarHandInputTest, RefusesALinkWithoutInertiaAboutItsJoint) {
  EXPECT_THAT(refusal([](auto& arms) {
                arms[1].links[0].inertia = 0.0;
                arms[1].links[0].com.setZero();
              }),
              AllOf(HasSubstr("right.proximal"), HasSubstr("no inertia about its joint")));
  EXPECT_EQ(refusal([](auto& arms) { arms[1].links[0].inertia = 0.0; }),
            "");  // a point mass off the joint is fine
}

TEST(PlanarHandInputTest, RefusesBadArmsWithTheArmsName) {
  EXPECT_THAT(refusal([](auto& arms) { arms[1].base.x() = kInf; }), HasSubstr("base of arm right"));
  EXPECT_THAT(refusal([](auto& arms) { arms[0].links.clear(); }), HasSubstr("arm left has no links"));
}

TEST(PlanarHandInputTest, RefusesTwoLinksOfOneName) {
  EXPECT_THAT(refusal([](auto& arms) { arms[1].links[1].name = "proximal"; }), HasSubstr("right.proximal"));
  EXPECT_THAT(refusal([](auto& arms) { arms[1].name = "left"; }), HasSubstr("left.proximal"));
}

TEST(PlanarHandInputTest, RefusesGravityThatIsNotFinite) {
  EXPECT_THAT(refusal([](auto&) {}, {0.0, kNan}), HasSubstr("gravity"));
}

TEST(PlanarHandInputTest, RefusesMoreJointsThanItsWorkspaceHolds) {
  const auto with_links = [](Index n) {
    return [n](std::vector<PlanarArm>& arms) {
      arms.resize(1);
      arms[0].links.resize(1, arms[0].links[0]);
      for (Index i = 1; i < n; ++i) {
        arms[0].links.push_back(arms[0].links[0]);
        arms[0].links.back().name = std::to_string(i);
      }
    };
  };
  EXPECT_EQ(refusal(with_links(PlanarHand::kMaxJoints)), "");
  EXPECT_THAT(refusal(with_links(PlanarHand::kMaxJoints + 1)), HasSubstr("65 joints, at most 64"));
}

TEST(PlanarHandInputTest, RefusesStatesAndWorkspacesOfTheWrongSize) {
  const PlanarHand hand(two_arms(), Vector2d::Zero());
  std::vector<LinkMotion> links(4);
  const VectorXd four = VectorXd::Zero(4);
  const VectorXd three = VectorXd::Zero(3);
  EXPECT_NO_THROW(hand.kinematics(four, four, links));
  EXPECT_THROW(hand.kinematics(three, four, links), InvalidArgument);
  EXPECT_THROW(hand.kinematics(four, three, links), InvalidArgument);
  links.pop_back();
  EXPECT_THROW(hand.kinematics(four, four, links), InvalidArgument);
}

}  // namespace
}  // namespace enfold::mechanics
