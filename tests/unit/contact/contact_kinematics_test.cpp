// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "contact_scene.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/numeric_derivative.hpp"

namespace enfold::contact {
namespace {

using test::Draw;
using test::EigenNear;
using test::numeric_derivative;
using test::Scene;

constexpr std::uint64_t kSeed = 2001;

/// A random hand (thin and thick links, both sides) near a random object, at any state: not only closed ones.
struct Case {
  Scene scene;
  VectorXd q;
  VectorXd v;
  VectorXd v_dot;
};
Case random_case(int index) {
  Draw draw(kSeed, index);
  const auto shapes = test::shapes();
  std::vector<int> n_links(static_cast<std::size_t>(draw.whole(1, 3)));
  for (int& n : n_links) n = draw.whole(1, 4);
  Scene scene(test::random_arms(draw, n_links), shapes[static_cast<std::size_t>(index) % shapes.size()]);
  const Index n = scene.mechanism->n_v();
  return {std::move(scene), draw.vector(n, 2.0), draw.vector(n, 2.0), draw.vector(n, 3.0)};
}
int n_cases() {
  return test::count(150, 1500);
}

// [eq:planar-gap]: the lowest point of the object over the link's line, less the link's half thickness.
TEST(ContactKinematicsTest, GapIsTheSampledDistanceOfTheObjectFromTheLine) {
  int thick = 0;
  for (int k = 0; k < n_cases(); ++k) {
    const Case c = random_case(k);
    const ContactKinematics kin = c.scene.at(c.q);
    for (Index i = 0; i < c.scene.contacts.n_contacts(); ++i) {
      const test::LinkLine line = test::link_line(c.scene, c.q, i);
      const double radius = c.scene.hand().link(i).radius;
      const auto lowest = test::minimise_over_boundary(
          c.scene, c.q, [&](const Vector2d& x) { return line.n.dot(x - line.p) - radius; });
      EXPECT_NEAR(kin.gap[i], lowest.value, 1e-14)
          << c.scene.shape.name << ", seed " << kSeed << ", case " << k;
      // The search finds where a minimum is with half the digits of its value.
      const double along = line.d.dot(lowest.point - line.p);
      EXPECT_NEAR(kin.edge_distance[i], std::min(along, c.scene.hand().link(i).length - along), 1e-7);
      thick += radius > 0.0 ? 1 : 0;
    }
  }
  EXPECT_GT(thick, n_cases());
}

// S = R diag(a², b²) Rᵀ: the gap of an ellipse without any support function.
TEST(ContactKinematicsTest, GapOfAnEllipseIsTheMatrixFormula) {
  const Scene scene(test::paper_arms(0.01), test::ellipse_shape(0.15, 0.11));
  Draw draw(kSeed, 0);
  for (int k = 0; k < 50; ++k) {
    const VectorXd q = draw.vector(7, 2.0);
    const Eigen::Matrix2d R = Eigen::Rotation2Dd(q[2]).toRotationMatrix();
    const Eigen::Matrix2d S = R * Eigen::Vector2d(0.15 * 0.15, 0.11 * 0.11).asDiagonal() * R.transpose();
    const ContactKinematics kin = scene.at(q);
    for (Index i = 0; i < 4; ++i) {
      const test::LinkLine line = test::link_line(scene, q, i);
      EXPECT_NEAR(kin.gap[i], line.n.dot(q.head<2>() - line.p) - std::sqrt(line.n.dot(S * line.n)) - 0.01,
                  1e-14);
    }
  }
}

// Where the foot of the contact lies on the link, the gap is the Euclidean distance of two bodies: a capsule
// and the object.
TEST(ContactKinematicsTest, GapIsTheDistanceOfTheCapsuleFromTheObject) {
  for (const double radius : {0.0, 0.012})
    for (const test::Shape& shape : test::round_shapes()) {
      const Scene scene(test::ring_of_arms(3, 3, radius), shape);
      const VectorXd x{{0.005, -0.004, 0.4}};
      // Closed as if the links were thicker, then shaken: every link is off by about 2 cm.
      const Closure closure = Scene(test::ring_of_arms(3, 3, radius + 0.02), shape).contacts.close(x);
      ASSERT_TRUE(closure.closed()) << shape.name << ": " << closure.message;
      Draw draw(kSeed, 0);
      const VectorXd q = scene.stack(x, closure.theta + draw.vector(9, 0.01));
      const ContactKinematics kin = scene.at(q);
      for (Index i = 0; i < 9; ++i) {
        ASSERT_GT(kin.gap[i], 1e-4);
        ASSERT_GT(kin.edge_distance[i], 1e-3);
        const test::LinkLine line = test::link_line(scene, q, i);
        const double length = scene.hand().link(i).length;
        const auto nearest = test::minimise_over_boundary(scene, q, [&](const Vector2d& y) {
          const double s = std::clamp(line.d.dot(y - line.p), 0.0, length);
          return (y - line.p - s * line.d).norm() - radius;
        });
        EXPECT_NEAR(kin.gap[i], nearest.value, 1e-14) << shape.name << " link " << i;
      }
    }
}

// [eq:S4.7]: φ̇_N = W_Nᵀ v.
TEST(ContactKinematicsTest, GapRateIsTheSlopeOfTheGap) {
  for (int k = 0; k < n_cases(); ++k) {
    const Case c = random_case(k);
    const VectorXd slope = numeric_derivative([&](double t) { return c.scene.at(c.q + t * c.v).gap; });
    EXPECT_THAT(VectorXd(c.scene.at(c.q).W_N.transpose() * c.v), EigenNear(slope, 1e-10))
        << c.scene.shape.name << ", seed " << kSeed << ", case " << k;
  }
}

// [eq:planar-bias]: along q + v t + ½ v̇ t², φ̈ = W_Nᵀ v̇ + bias_N.
TEST(ContactKinematicsTest, NormalBiasIsTheSlopeOfTheGapRate) {
  for (int k = 0; k < n_cases(); ++k) {
    const Case c = random_case(k);
    const ContactKinematics kin = c.scene.at(c.q, c.v);
    for (const bool accelerated : {false, true}) {
      const VectorXd v_dot = accelerated ? c.v_dot : VectorXd::Zero(c.v.size());
      const VectorXd slope = numeric_derivative([&](double t) -> VectorXd {
        return c.scene.at(c.q + t * c.v + 0.5 * t * t * v_dot).W_N.transpose() * (c.v + t * v_dot);
      });
      EXPECT_THAT(VectorXd(kin.W_N.transpose() * v_dot + kin.bias_N), EigenNear(slope, 1e-9))
          << c.scene.shape.name << ", seed " << kSeed << ", case " << k;
    }
  }
}

TEST(ContactKinematicsTest, TangentialBiasIsTheSlopeOfTheSlip) {
  for (int k = 0; k < n_cases(); ++k) {
    const Case c = random_case(k);
    const ContactKinematics kin = c.scene.at(c.q, c.v);
    for (const bool accelerated : {false, true}) {
      const VectorXd v_dot = accelerated ? c.v_dot : VectorXd::Zero(c.v.size());
      const VectorXd slope = numeric_derivative([&](double t) -> VectorXd {
        return c.scene.at(c.q + t * c.v + 0.5 * t * t * v_dot).W_T.transpose() * (c.v + t * v_dot);
      });
      EXPECT_THAT(VectorXd(kin.W_T.transpose() * v_dot + kin.bias_T), EigenNear(slope, 1e-9))
          << c.scene.shape.name << ", seed " << kSeed << ", case " << k;
    }
  }
}

// The points of both bodies that are at the contact now move with their bodies; their relative velocity, by
// differences of their places, is the slip along t and the gap rate along n.
TEST(ContactKinematicsTest, SlipIsTheRelativeVelocityOfTheTwoMaterialPoints) {
  for (int k = 0; k < n_cases(); ++k) {
    const Case c = random_case(k);
    const Index n_j = c.scene.hand().n_joints();
    const ContactKinematics kin = c.scene.at(c.q);
    for (Index i = 0; i < c.scene.contacts.n_contacts(); ++i) {
      const ContactFrame frame = c.scene.contacts.frame(c.q, i);
      const test::LinkLine line = test::link_line(c.scene, c.q, i);
      const Vector2d on_object = Eigen::Rotation2Dd(-c.q[2]) * (frame.object_point - c.q.head<2>());
      const Vector2d arm = frame.link_point - line.p;
      const Vector2d on_link{line.d.dot(arm), line.d.x() * arm.y() - line.d.y() * arm.x()};
      const Vector2d relative = numeric_derivative([&](double t) -> Vector2d {
        const VectorXd q = c.q + t * c.v;
        return q.head<2>() + Eigen::Rotation2Dd(q[2]) * on_object -
               test::world_point(c.scene.hand(), q.tail(n_j), i, on_link);
      });
      EXPECT_NEAR(kin.W_T.col(i).dot(c.v), line.d.dot(relative), 1e-10) << "seed " << kSeed << ", case " << k;
      EXPECT_NEAR(kin.W_N.col(i).dot(c.v), line.n.dot(relative), 1e-10) << "seed " << kSeed << ", case " << k;
    }
  }
}

// The second assembly: W from the mechanism's point Jacobians at the contact frame.
TEST(ContactKinematicsTest, ColumnsAreThePointJacobiansSeenAlongTheFrame) {
  for (int k = 0; k < n_cases(); ++k) {
    const Case c = random_case(k);
    const Index n_j = c.scene.hand().n_joints();
    const ContactKinematics kin = c.scene.at(c.q);
    for (Index i = 0; i < c.scene.contacts.n_contacts(); ++i) {
      const ContactFrame frame = c.scene.contacts.frame(c.q, i);
      MatrixXd relative(2, 3 + n_j);
      relative << c.scene.mechanism->object_point_jacobian(c.q, frame.object_point),
          -c.scene.mechanism->link_point_jacobian(c.q, frame.link, frame.link_point);
      EXPECT_THAT(kin.W_N.col(i), EigenNear(VectorXd(relative.transpose() * frame.normal), 1e-13));
      EXPECT_THAT(kin.W_T.col(i), EigenNear(VectorXd(relative.transpose() * frame.tangents.col(0)), 1e-13));
    }
  }
}

TEST(ContactKinematicsTest, AnswersDependOnTheStateOnlyNotOnWhatTheOutputHeld) {
  // As many contacts on another number of joints, other contacts on as many joints, and the same again.
  const Scene two_links(test::ring_of_arms(1, 2, 0.0), test::ellipse_shape(0.15, 0.11));
  const Scene four_links(test::paper_arms(), test::ellipse_shape(0.15, 0.11));
  const PlanarContactSet two_of_four(four_links.mechanism, {{"a", 1}, {"b", 2}});
  Draw draw(kSeed, 0);
  ContactKinematics used;
  for (const PlanarContactSet* set : {&two_links.contacts, static_cast<const PlanarContactSet*>(&two_of_four),
                                      &four_links.contacts, &four_links.contacts}) {
    const Index n = set == &two_links.contacts ? 5 : 7;
    const VectorXd q = draw.vector(n, 2.0);
    const VectorXd v = draw.vector(n, 2.0);
    ContactKinematics fresh;
    set->kinematics(q, v, fresh);
    set->kinematics(q, v, used);
    EXPECT_EQ(used.gap, fresh.gap);
    ASSERT_EQ(used.W_N.rows(), n);
    EXPECT_EQ(used.W_N, fresh.W_N);
    EXPECT_EQ(used.W_T, fresh.W_T);
    EXPECT_EQ(used.bias_N, fresh.bias_N);
    EXPECT_EQ(used.bias_T, fresh.bias_T);
    EXPECT_EQ(used.edge_distance, fresh.edge_distance);
    for (VectorXd* x : {&used.gap, &used.bias_N, &used.bias_T, &used.edge_distance})
      x->setConstant(std::nan(""));
    used.W_N.setConstant(std::nan(""));
    used.W_T.setConstant(std::nan(""));
  }
}

}  // namespace
}  // namespace enfold::contact
