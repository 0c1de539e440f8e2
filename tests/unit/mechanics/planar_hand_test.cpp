// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/mechanics/planar_hand.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

#include "enfold/test/counts.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/numeric_derivative.hpp"
#include "enfold/test/random_hand.hpp"
#include "newton_euler.hpp"

namespace enfold::mechanics {
namespace {

using test::Draw;
using test::EigenNear;
using ::testing::ElementsAre;

constexpr std::uint64_t kSeed = 20010;

struct Sample {
  PlanarHand hand;
  VectorXd theta;
  VectorXd theta_dot;
};

Sample random_sample(int index) {
  Draw draw(kSeed, index);
  PlanarHand hand = test::random_hand(draw);
  const Index n = hand.n_joints();
  return {std::move(hand), draw.vector(n, 3.0), draw.vector(n, 4.0)};
}

std::vector<LinkMotion> motion_of(const PlanarHand& hand, const VectorXd& theta, const VectorXd& theta_dot) {
  std::vector<LinkMotion> links(static_cast<std::size_t>(hand.n_joints()));
  hand.kinematics(theta, theta_dot, links);
  return links;
}

struct Terms {
  MatrixXd M;
  VectorXd h;
};

Terms dynamics_of(const Sample& s) {
  const Index n = s.hand.n_joints();
  Terms terms{MatrixXd::Constant(n, n, 7.0), VectorXd::Constant(n, 7.0)};  // dirty: all of it must be written
  s.hand.dynamics(motion_of(s.hand, s.theta, s.theta_dot), terms.M, terms.h);
  return terms;
}

// [eq:planar-h]
TEST(PlanarHandTest, VelocityAndGravityTermsAgreeWithNewtonAndEuler) {
  for (int k = 0; k < test::count(200, 2000); ++k) {
    const Sample s = random_sample(k);
    const VectorXd zero = VectorXd::Zero(s.hand.n_joints());
    const VectorXd expected = test::newton_euler(s.hand, s.theta, s.theta_dot, zero, s.hand.gravity());
    EXPECT_THAT(dynamics_of(s).h, EigenNear(expected, 1e-9)) << "seed " << kSeed << ", case " << k;
  }
}

// [eq:planar-M]
TEST(PlanarHandTest, MassMatrixAgreesWithNewtonAndEuler) {
  for (int k = 0; k < test::count(200, 2000); ++k) {
    const Sample s = random_sample(k);
    const Index n = s.hand.n_joints();
    const VectorXd zero = VectorXd::Zero(n);
    MatrixXd expected(n, n);
    for (Index j = 0; j < n; ++j)
      expected.col(j) = test::newton_euler(s.hand, s.theta, zero, VectorXd::Unit(n, j), Vector2d::Zero());
    EXPECT_THAT(dynamics_of(s).M, EigenNear(expected, 1e-9)) << "seed " << kSeed << ", case " << k;
  }
}

TEST(PlanarHandTest, MassMatrixIsSymmetricAndPositiveDefinite) {
  for (int k = 0; k < test::count(200, 2000); ++k) {
    const MatrixXd M = dynamics_of(random_sample(k)).M;
    EXPECT_EQ((M - M.transpose()).cwiseAbs().maxCoeff(), 0.0);
    EXPECT_EQ(M.llt().info(), Eigen::Success) << "seed " << kSeed << ", case " << k;
  }
}

// The arm of point masses, stretched: the configuration where M is nearest to singular.
TEST(PlanarHandTest, MassMatrixOfAStretchedArmOfPointMassesIsPositiveDefinite) {
  PlanarArm arm{.name = "arm", .base = Vector2d::Zero(), .object_side = geometry::Side::kLeft, .links = {}};
  for (const char* name : {"a", "b", "c"})
    arm.links.push_back({.name = name, .length = 0.2, .mass = 0.5, .inertia = 0.0, .com = {0.2, 0.0}});
  const Sample s{PlanarHand({arm}, Vector2d::Zero()), VectorXd::Zero(3), VectorXd::Zero(3)};
  const MatrixXd M = dynamics_of(s).M;
  // M = m JᵀJ with J the tips' speeds across the arm: lower triangular, L on its diagonal. So det M = (m
  // L²)³.
  EXPECT_NEAR(M.determinant() / std::pow(0.5 * 0.04, 3), 1.0, 1e-12);
}

TEST(PlanarHandTest, ArmsDoNotFeelEachOther) {
  Draw draw(kSeed, 1);
  const PlanarHand hand(test::random_arms(draw, {2, 3}), {0.0, -9.81});
  const Sample s{hand, draw.vector(5, 3.0), draw.vector(5, 4.0)};
  EXPECT_TRUE(dynamics_of(s).M.topRightCorner(2, 3).isZero(0.0));
  const Sample alone{PlanarHand({hand.arms()[1]}, hand.gravity()), s.theta.tail(3), s.theta_dot.tail(3)};
  EXPECT_EQ(dynamics_of(s).M.bottomRightCorner(3, 3), dynamics_of(alone).M);
  EXPECT_EQ(dynamics_of(s).h.tail(3), dynamics_of(alone).h);
}

// [eq:link-motion]
TEST(PlanarHandTest, JointPositionsAndDirectionsAreSumsOfComplexExponentials) {
  for (int k = 0; k < 50; ++k) {
    const Sample s = random_sample(k);
    const auto links = motion_of(s.hand, s.theta, s.theta_dot);
    for (Index i = 0; i < s.hand.n_joints(); ++i) {
      const LinkMotion& m = links[static_cast<std::size_t>(i)];
      const Vector2d p = test::world_point(s.hand, s.theta, i, Vector2d::Zero());
      const Vector2d ahead = test::world_point(s.hand, s.theta, i, {1.0, 0.0});
      EXPECT_THAT(m.p, EigenNear(p, 1e-14));
      EXPECT_THAT(m.d, EigenNear(Vector2d(ahead - p), 1e-14));
      EXPECT_NEAR(m.d.x(), std::cos(m.psi), 1e-15);
      EXPECT_NEAR(m.d.y(), std::sin(m.psi), 1e-15);
    }
  }
}

// Along θ(t) = θ + θ̇ t, where θ̈ = 0: ṗ is the slope of p, p_bias the slope of ṗ, ψ̇ the slope of ψ.
TEST(PlanarHandTest, JointVelocityAndBiasAgreeWithFiniteDifferences) {
  for (int k = 0; k < 50; ++k) {
    const Sample s = random_sample(k);
    const auto links = motion_of(s.hand, s.theta, s.theta_dot);
    for (Index i = 0; i < s.hand.n_joints(); ++i) {
      const auto at = [&](double t) {
        return motion_of(s.hand, s.theta + t * s.theta_dot, s.theta_dot)[static_cast<std::size_t>(i)];
      };
      const LinkMotion& m = links[static_cast<std::size_t>(i)];
      const Vector2d p_dot = test::numeric_derivative([&](double t) { return at(t).p; });
      const Vector2d p_bias = test::numeric_derivative([&](double t) { return at(t).p_dot; });
      EXPECT_THAT(m.p_dot, EigenNear(p_dot, 1e-9)) << "seed " << kSeed << ", case " << k << ", link " << i;
      EXPECT_THAT(m.p_bias, EigenNear(p_bias, 1e-9)) << "seed " << kSeed << ", case " << k << ", link " << i;
      EXPECT_NEAR(m.psi_dot, test::numeric_derivative([&](double t) { return at(t).psi; }), 1e-10);
    }
  }
}

// Signs of the design: angles counter-clockwise, the first to the x axis, the next to the link before; τ
// turns the joint counter-clockwise, so that holding a horizontal arm up against gravity takes a positive
// torque.
TEST(PlanarHandTest, AnglesAndTorquesAreCounterClockwise) {
  PlanarArm arm{.name = "arm", .base = {0.1, 0.2}, .object_side = geometry::Side::kLeft, .links = {}};
  arm.links.push_back({.name = "upper", .length = 0.3, .mass = 2.0, .inertia = 0.01, .com = {0.1, 0.0}});
  arm.links.push_back({.name = "lower", .length = 0.2, .mass = 1.0, .inertia = 0.01, .com = {0.1, 0.0}});
  const PlanarHand hand({arm}, {0.0, -10.0});
  const VectorXd theta{{0.0, std::numbers::pi / 2}};
  const auto links = motion_of(hand, theta, VectorXd{{1.0, 0.0}});
  EXPECT_THAT(links[1].p, EigenNear(Vector2d(0.4, 0.2), 1e-15));
  EXPECT_THAT(links[1].d, EigenNear(Vector2d(0.0, 1.0), 1e-15));
  EXPECT_THAT(links[1].p_dot, EigenNear(Vector2d(0.0, 0.3), 1e-15));
  const Sample s{hand, theta, VectorXd::Zero(2)};
  EXPECT_THAT(dynamics_of(s).h, EigenNear(VectorXd{{2.0 * 10.0 * 0.1 + 1.0 * 10.0 * 0.3, 0.0}}, 1e-14));
}

TEST(PlanarHandTest, NumbersAndNamesJointsArmByArm) {
  Draw draw(kSeed, 2);
  const PlanarHand hand(test::random_arms(draw, {2, 1, 3}), Vector2d::Zero());
  EXPECT_EQ(hand.n_joints(), 6);
  EXPECT_THAT(hand.link_names(), ElementsAre("arm1.link1", "arm1.link2", "arm2.link1", "arm3.link1",
                                             "arm3.link2", "arm3.link3"));
  EXPECT_EQ(hand.first_joint(1), 0);
  EXPECT_EQ(hand.first_joint(2), 2);
  EXPECT_EQ(hand.first_joint(5), 3);
  EXPECT_EQ(hand.arm_of(2).name, "arm2");
  EXPECT_EQ(hand.link(4).length, hand.arms()[2].links[1].length);
}

}  // namespace
}  // namespace enfold::mechanics
