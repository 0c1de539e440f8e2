// SPDX-License-Identifier: BSD-3-Clause
// The rest of a motion that some of its coordinates tell.
#include "enfold/planners/constrained_path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "enfold/planners/planned_motion.hpp"
#include "enfold/planners/quintic.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/numeric_derivative.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::planners {
namespace {

using test::ContactMode;
using test::EigenNear;
using test::PaperHand;
using testing::HasSubstr;

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr std::size_t kPhi = 2;

VectorXd pose_at(double x, double y, double phi_deg) {
  return Eigen::Vector3d(x, y, phi_deg * kDegree);
}

ConstrainedPathProblem problem_of(const PaperHand& hand, std::vector<ContactMode> modes, const VectorXd& from,
                                  const VectorXd& to, std::vector<Index> coordinates) {
  return {hand.mechanism,
          hand.contacts,
          VectorXd::Constant(hand.contacts->n_contacts(), 0.3),
          std::move(modes),
          std::make_shared<Quintic>(from, to, 1.0),
          std::move(coordinates)};
}

/// The symmetric case (a): both proximal links roll. Longer distal links leave room for their contacts.
ConstrainedPathProblem proximal_links_roll(double from_deg, double to_deg) {
  return problem_of(test::paper_hand({.lengths = {0.2, 0.26}}),
                    {test::kRoll, test::kPlus, test::kRoll, test::kMinus}, pose_at(0.0, 0.15, from_deg),
                    pose_at(0.0, 0.15, to_deg), {kPhi});
}

// Rolling without slip: the contact point moves as far along the link as along the object's boundary. The one
// length is a difference of two distances from the joint, the other an integral of ρ dβ over the normal's
// angle, by Simpson's rule.                                                             [eq:constrained-path]
TEST(ConstrainedPathTest, RollingContactsMoveAsFarOverTheLinkAsOverTheObject) {
  for (const auto& [from, to] : {std::pair{87.0, 93.0}, {93.0, 87.0}}) {
    const ConstrainedPathProblem problem = proximal_links_roll(from, to);
    const ConstrainedPath path(problem);
    ASSERT_EQ(path.end(), ConstrainedPath::End::kWhole) << path.reason();
    VectorXd before, after;
    path.configuration(0.0, before);
    path.configuration(1.0, after);
    const geometry::Ellipse ellipse(0.15, 0.11);
    for (const Index contact : {0, 2}) {
      const auto reach = [&](const VectorXd& q) {
        const contact::ContactFrame frame = problem.contacts->frame(q, contact);
        const double base = contact == 0 ? -0.05 : 0.05;
        return (frame.link_point - Eigen::Vector2d(base, 0.0)).dot(frame.tangents.col(0));
      };
      const auto normal_angle = [&](const VectorXd& q) {
        const VectorXd n = -problem.contacts->frame(q, contact).normal;
        return std::remainder(std::atan2(n.y(), n.x()) - q[2], 2.0 * std::numbers::pi);
      };
      const double b_0 = normal_angle(before);
      const double turn = std::remainder(normal_angle(after) - b_0, 2.0 * std::numbers::pi);
      double arc = 0.0;
      constexpr int kIntervals = 200;
      for (int i = 0; i <= kIntervals; ++i) {
        const double weight = i == 0 || i == kIntervals ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        arc += weight * ellipse.support(b_0 + turn * i / kIntervals).curvature_radius();
      }
      arc *= std::abs(turn) / kIntervals / 3.0;
      EXPECT_GT(arc, 0.01);
      EXPECT_NEAR(std::abs(reach(after) - reach(before)), arc, 1e-11);
    }
  }
}

// Gaps closed and the named coordinate on its way to rounding; the rates are those of the constraints and the
// slopes of the motion.                                                                 [eq:constrained-path]
TEST(ConstrainedPathTest, KeepsContactsAndItsRatesAreSlopes) {
  const PaperHand hand = test::paper_hand();
  const PlannedMotion motion(
      hand.mechanism, hand.contacts, VectorXd::Constant(4, 0.3),
      {test::kRoll, test::kPlus, test::kMinus, test::kPlus},
      std::make_shared<Quintic>(pose_at(0.0, 0.15, 80.0), pose_at(0.004, 0.15, 95.0), 1.0), {0, 2});
  const auto path = motion.path();
  MotionPoint point;
  control::Reference at;
  for (const double t : {0.0, 0.1037, 0.5, 0.77713, 1.0}) {
    motion.sample(t, {}, point);
    ASSERT_TRUE(point.ok()) << point.reason;
    EXPECT_THAT(point.kinematics.gap, EigenNear(VectorXd::Zero(4), 1e-12)) << t;
    EXPECT_NEAR(point.kinematics.W_T.col(0).dot(point.v), 0.0, 1e-12) << t;
    path->sample(t, at);
    EXPECT_THAT(at.x, EigenNear(point.reference.x, 1e-12)) << t;
    EXPECT_THAT(at.x_dot, EigenNear(point.reference.x_dot, 1e-9)) << t;
    EXPECT_THAT(at.x_ddot, EigenNear(point.reference.x_ddot, 1e-6)) << t;
    if (t < 0.01 || t > 0.99) continue;
    const VectorXd slope = test::numeric_derivative([&](double s) -> VectorXd {
      MotionPoint near;
      motion.sample(t + s, {}, near);
      return near.q;
    });
    EXPECT_THAT(point.v, EigenNear(slope, 1e-8)) << t;
    const VectorXd second = test::numeric_derivative([&](double s) -> VectorXd {
      MotionPoint near;
      motion.sample(t + s, {}, near);
      return near.v;
    });
    EXPECT_THAT(point.v_dot, EigenNear(second, 1e-7)) << t;
  }
}

// Without rolling contacts nothing has a history: the integral ends where closing the hand says.
TEST(ConstrainedPathTest, SlidingContactsGiveTheClosedHand) {
  const PaperHand hand = test::paper_hand();
  const ConstrainedPath path(problem_of(hand, {test::kPlus, test::kMinus, test::kPlus, test::kMinus},
                                        pose_at(0.0, 0.15, 75.0), pose_at(0.003, 0.153, 105.0), {0, 1, 2}));
  ASSERT_EQ(path.end(), ConstrainedPath::End::kWhole) << path.reason();
  VectorXd q;
  for (const double t : {0.0, 0.3333, 0.9}) {
    path.configuration(t, q);
    EXPECT_THAT(q, EigenNear(hand.closed(VectorXd(q.head(3))), 1e-11)) << t;
  }
}

// With both proximal links rolling the hand at 90° and its motion are mirror images, so that y has an
// extremum there: as the only coordinate it tells nothing.
TEST(ConstrainedPathTest, CoordinateThatShowsNothingOfTheMotionIsRefusedAtOnce) {
  ConstrainedPathProblem problem = proximal_links_roll(90.0, 91.0);
  problem.coordinates = {1};
  problem.trajectory = std::make_shared<Quintic>(pose_at(0.0, 0.15, 90.0), pose_at(0.0, 0.151, 90.0), 1.0);
  const ConstrainedPath at_once(problem);
  EXPECT_FALSE(at_once.reaches(0.0));
  EXPECT_THAT(at_once.reason(), HasSubstr("y does not change"));
}

TEST(ConstrainedPathTest, ContactThatLeavesItsLinkEndsThePath) {
  ConstrainedPathProblem problem = proximal_links_roll(90.0, 180.0);
  const ConstrainedPath path(problem);
  EXPECT_NE(path.end(), ConstrainedPath::End::kWhole);
  EXPECT_FALSE(path.reason().empty());
}

// A middle link without a contact is a joint to spare: it moves as little as the constraints let it.
TEST(ConstrainedPathTest, LinksWithoutContactsMoveAsLittleAsTheyCan) {
  PaperHand hand = test::paper_hand({.lengths = {0.14, 0.16, 0.15}});
  hand.contacts = std::make_shared<contact::PlanarContactSet>(
      hand.mechanism, std::vector<contact::PlanarContact>{{"l1", 0}, {"l3", 2}, {"r1", 3}, {"r3", 5}});
  const VectorXd from = pose_at(0.0, 0.153, 85.0);
  const ConstrainedPath path(problem_of(hand, {test::kPlus, test::kMinus, test::kPlus, test::kMinus}, from,
                                        pose_at(0.0, 0.153, 95.0), {0, 1, 2}));
  ASSERT_EQ(path.end(), ConstrainedPath::End::kWhole) << path.reason();
  VectorXd q, next;
  path.configuration(0.5, q);
  path.configuration(0.5 + 1e-5, next);
  const VectorXd v = (next - q) / 1e-5;
  contact::ContactKinematics kinematics;
  hand.contacts->kinematics(q, VectorXd::Zero(q.size()), kinematics);
  // The least θ̇ that keeps the gaps while ẋ is given.
  const MatrixXd J = kinematics.W_N.bottomRows(6).transpose();
  const VectorXd least =
      J.completeOrthogonalDecomposition().solve(VectorXd(-kinematics.W_N.topRows(3).transpose() * v.head(3)));
  EXPECT_THAT(VectorXd(v.tail(6)), EigenNear(least, 1e-3 * v.norm()));
}

}  // namespace
}  // namespace enfold::planners
