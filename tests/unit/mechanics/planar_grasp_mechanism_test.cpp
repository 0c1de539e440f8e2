// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/mechanics/planar_grasp_mechanism.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <array>
#include <cmath>
#include <limits>

#include "enfold/base/error.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/numeric_derivative.hpp"
#include "enfold/test/random_hand.hpp"

namespace enfold::mechanics {
namespace {

using test::Draw;
using test::EigenNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t kMechanismSeed = 77;

PlanarGraspMechanism random_mechanism(Draw& draw) {
  return {test::random_hand(draw), PlanarObject{draw.between(0.5, 2.0), draw.between(1e-3, 1e-2), nullptr}};
}

// [eq:S4.1]: object and arms share no inertia; h = [−g_o ; h_a + g_a].
TEST(PlanarGraspMechanismTest, StacksTheObjectBeforeTheArms) {
  Draw draw(kMechanismSeed, 0);
  const PlanarGraspMechanism mechanism = random_mechanism(draw);
  const PlanarHand& hand = mechanism.hand();
  const Index n_j = hand.n_joints();
  ASSERT_EQ(mechanism.n_q(), 3 + n_j);
  ASSERT_EQ(mechanism.n_v(), 3 + n_j);
  ASSERT_EQ(mechanism.n_x(), 3);
  ASSERT_EQ(mechanism.n_theta(), n_j);
  const VectorXd q = draw.vector(3 + n_j, 2.0);
  const VectorXd v = draw.vector(3 + n_j, 2.0);
  Dynamics out;
  mechanism.dynamics(q, v, out);

  MatrixXd M = MatrixXd::Zero(3 + n_j, 3 + n_j);
  VectorXd h = VectorXd::Zero(3 + n_j);
  const double m = mechanism.object().mass;
  M.diagonal().head<3>() << m, m, mechanism.object().inertia;
  h.head<2>() = -m * hand.gravity();
  std::array<LinkMotion, PlanarHand::kMaxJoints> links;
  hand.kinematics(q.tail(n_j), v.tail(n_j), links);
  hand.dynamics(links, M.bottomRightCorner(n_j, n_j), h.tail(n_j));
  EXPECT_EQ(out.M, M);
  EXPECT_EQ(out.h, h);
  EXPECT_EQ(out.M.llt().info(), Eigen::Success);
}

TEST(PlanarGraspMechanismTest, AnswersDependOnTheStateOnlyNotOnWhatTheOutputHeld) {
  Draw draw(kMechanismSeed, 1);
  const PlanarGraspMechanism mechanism = random_mechanism(draw);
  const Index n = mechanism.n_v();
  Dynamics fresh;
  const VectorXd q = draw.vector(n, 2.0);
  const VectorXd v = draw.vector(n, 2.0);
  mechanism.dynamics(q, v, fresh);
  for (const Index size : {n, n + 2}) {
    Dynamics used{MatrixXd::Constant(size, size, std::nan("")), VectorXd::Constant(size, std::nan(""))};
    mechanism.dynamics(q, v, used);
    EXPECT_EQ(used.M, fresh.M);
    EXPECT_EQ(used.h, fresh.h);
  }
}

TEST(PlanarGraspMechanismTest, EnergiesMatchTheMassMatrixAndTheGravityTerms) {
  for (int k = 0; k < 20; ++k) {
    Draw draw(kMechanismSeed, k);
    const PlanarGraspMechanism mechanism = random_mechanism(draw);
    const VectorXd q = draw.vector(mechanism.n_q(), 2.0);
    const VectorXd v = draw.vector(mechanism.n_v(), 2.0);
    Dynamics out;
    mechanism.dynamics(q, v, out);
    const double T = 0.5 * v.dot(out.M * v);
    EXPECT_NEAR(mechanism.kinetic_energy(q, v), T, 1e-12 * std::max(1.0, T));
    mechanism.dynamics(q, VectorXd::Zero(v.size()), out);
    const double slope =
        test::numeric_derivative([&](double t) { return mechanism.potential_energy(q + t * v); }, 1e-3);
    EXPECT_NEAR(out.h.dot(v), slope, 1e-9);
  }
}

TEST(PlanarGraspMechanismTest, LinkPointJacobianAgreesWithFiniteDifferences) {
  for (int k = 0; k < 30; ++k) {
    Draw draw(kMechanismSeed, k);
    const PlanarGraspMechanism mechanism = random_mechanism(draw);
    const PlanarHand& hand = mechanism.hand();
    const VectorXd q = draw.vector(mechanism.n_q(), 2.0);
    const VectorXd theta = q.tail(hand.n_joints());
    const VectorXd theta_dot = draw.vector(hand.n_joints(), 2.0);
    for (Index link = 0; link < hand.n_joints(); ++link) {
      const Vector2d local = draw.vector(2, 0.3);  // a material point keeps its place in the link's frame
      const Vector2d point = test::world_point(hand, theta, link, local);
      const Vector2d expected = test::numeric_derivative(
          [&](double t) { return test::world_point(hand, theta + t * theta_dot, link, local); });
      const Vector2d velocity = mechanism.link_point_jacobian(q, link, point) * theta_dot;
      EXPECT_THAT(velocity, EigenNear(expected, 1e-10))
          << "seed " << kMechanismSeed << ", case " << k << ", link " << link;
    }
  }
}

TEST(PlanarGraspMechanismTest, ObjectPointJacobianAgreesWithFiniteDifferences) {
  Draw draw(kMechanismSeed, 3);
  const PlanarGraspMechanism mechanism = random_mechanism(draw);
  for (int k = 0; k < 30; ++k) {
    const VectorXd q = draw.vector(mechanism.n_q(), 2.0);
    const VectorXd x_dot = draw.vector(3, 2.0);
    const Vector2d local = draw.vector(2, 0.3);
    const auto world = [&](double t) {
      const double phi = q[2] + t * x_dot[2];
      return Vector2d{q[0] + t * x_dot[0] + local.x() * std::cos(phi) - local.y() * std::sin(phi),
                      q[1] + t * x_dot[1] + local.x() * std::sin(phi) + local.y() * std::cos(phi)};
    };
    const Vector2d velocity = mechanism.object_point_jacobian(q, world(0.0)) * x_dot;
    EXPECT_THAT(velocity, EigenNear(test::numeric_derivative(world), 1e-11));
  }
}

TEST(PlanarGraspMechanismTest, ConfigurationRateAndDifferenceAreThoseOfUnwrappedCoordinates) {
  Draw draw(kMechanismSeed, 4);
  const PlanarGraspMechanism mechanism = random_mechanism(draw);
  const VectorXd from = draw.vector(mechanism.n_q(), 1.0);
  VectorXd to = from;
  to[2] += 7.0;  // more than a turn: the hand has to make it
  VectorXd out;
  mechanism.difference(from, to, out);
  EXPECT_THAT(out, EigenNear(VectorXd(7.0 * VectorXd::Unit(mechanism.n_v(), 2)), 1e-14));
  mechanism.configuration_rate(from, to, out);
  EXPECT_EQ(out, to);
}

TEST(PlanarGraspMechanismTest, ServesAnObjectWithoutAnyArm) {
  const PlanarGraspMechanism mechanism(PlanarHand({}, {0.0, -9.81}), PlanarObject{2.0, 0.1, nullptr});
  Dynamics out;
  mechanism.dynamics(VectorXd::Zero(3), VectorXd::Zero(3), out);
  EXPECT_THAT(out.h, EigenNear(VectorXd{{0.0, 2.0 * 9.81, 0.0}}, 1e-14));
  EXPECT_EQ(mechanism.n_theta(), 0);
}

TEST(PlanarGraspMechanismTest, NamesItsCoordinatesWithUnits) {
  Draw draw(kMechanismSeed, 5);
  const PlanarGraspMechanism mechanism(PlanarHand(test::random_arms(draw, {1, 1}), Vector2d::Zero()),
                                       PlanarObject{});
  EXPECT_THAT(mechanism.joint_names(), ElementsAre("arm1.link1", "arm2.link1"));
  EXPECT_EQ(mechanism.link_names(), mechanism.joint_names());
  EXPECT_THAT(mechanism.object_position_names(), ElementsAre("x_m", "y_m", "phi_rad"));
  EXPECT_THAT(mechanism.object_velocity_names(), ElementsAre("vx_mps", "vy_mps", "omega_radps"));
}

std::string refusal(const PlanarObject& object) {
  try {
    const PlanarGraspMechanism mechanism(PlanarHand({}, Vector2d::Zero()), object);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(PlanarGraspMechanismTest, RefusesAnObjectWithoutMassOrInertia) {
  EXPECT_EQ(refusal({1.0, 1.0, nullptr}), "");
  for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT(refusal({bad, 1.0, nullptr}), HasSubstr("PlanarObject: mass is"));
    EXPECT_THAT(refusal({1.0, bad, nullptr}), HasSubstr("PlanarObject: inertia is"));
  }
}

TEST(PlanarGraspMechanismTest, RefusesStatesPointsAndLinksThatDoNotFit) {
  Draw draw(kMechanismSeed, 6);
  const PlanarGraspMechanism mechanism(PlanarHand(test::random_arms(draw, {2}), Vector2d::Zero()),
                                       PlanarObject{});
  const VectorXd good = VectorXd::Zero(5);
  const VectorXd bad = VectorXd::Zero(4);
  const VectorXd point = VectorXd::Zero(2);
  Dynamics out;
  EXPECT_THROW(mechanism.dynamics(bad, good, out), InvalidArgument);
  EXPECT_THROW(mechanism.dynamics(good, bad, out), InvalidArgument);
  EXPECT_THROW(static_cast<void>(mechanism.kinetic_energy(bad, good)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(mechanism.kinetic_energy(good, bad)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(mechanism.potential_energy(bad)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(mechanism.object_point_jacobian(good, VectorXd::Zero(3))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(mechanism.link_point_jacobian(bad, 0, point)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(mechanism.link_point_jacobian(good, 2, point)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(mechanism.link_point_jacobian(good, -1, point)), InvalidArgument);
  EXPECT_NO_THROW(static_cast<void>(mechanism.link_point_jacobian(good, 1, point)));
}

}  // namespace
}  // namespace enfold::mechanics
