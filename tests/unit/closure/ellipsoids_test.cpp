// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/closure/ellipsoids.hpp"

#include <gmock/gmock.h>

#include "enfold/test/paper_hand.hpp"

namespace enfold::test {
namespace {

struct Case {
  PaperHand hand = paper_hand();
  VectorXd q = hand.closed(0.0, 0.15, 80.0);
  grasp::GraspMatrices grasp;
  explicit Case(const std::vector<ContactMode>& modes) {
    grasp::assemble(hand.kinematics(q, VectorXd::Zero(7)), modes, VectorXd::Constant(4, 0.3), 3, grasp);
  }
};

/// Two routes: random joint rates through ẋ = J̃⁻¹G̃ᵀ inverted, against the axes.
TEST(EllipsoidsTest, VelocitiesOfUnitJointRatesLieOnTheEllipsoidOfASlidingGrasp) {
  const Case c({4, kPlus});
  const double length = 0.2;
  const closure::GraspEllipsoids e = closure::grasp_ellipsoids(c.grasp, 2, length);
  EXPECT_EQ(e.free_motions, 0);
  ASSERT_EQ(e.velocity.freedoms(), 3);
  const MatrixXd H = c.grasp.J_tilde.inverse() * c.grasp.G_tilde.transpose();  // θ̇ = H ẋ
  const CounterRandom random(1, 1);
  for (std::uint64_t i = 0; i < 20; ++i) {
    VectorXd x_dot = random_vector(random, 3 * i, 3);
    x_dot /= (H * x_dot).norm();
    x_dot[2] *= length;
    const VectorXd inside = (e.velocity.axes.transpose() * x_dot).cwiseQuotient(e.velocity.radii);
    EXPECT_NEAR(inside.norm(), 1.0, 1e-9);
  }
}

/// The forces w = H̃ᵀτ of unit torques: the largest and smallest are the singular values of H̃ᵀ.
TEST(EllipsoidsTest, ForcesOfUnitTorquesHaveReciprocalRadii) {
  const Case c({4, kPlus});
  const double length = 0.2;
  const closure::GraspEllipsoids e = closure::grasp_ellipsoids(c.grasp, 2, length);
  MatrixXd H_T = c.grasp.G_tilde * c.grasp.J_tilde.transpose().inverse();
  H_T.row(2) /= length;
  const VectorXd sigma = Eigen::JacobiSVD<MatrixXd>(H_T).singularValues();
  EXPECT_LT((e.force.radii - sigma).cwiseAbs().maxCoeff(), 1e-9 * sigma[0]);
  for (Index i = 0; i < 3; ++i) EXPECT_NEAR(e.force.radii[i] * e.velocity.radii[2 - i], 1.0, 1e-12);
  EXPECT_NEAR(e.velocity.measure(), 1.0 / sigma.prod(), 1e-9 / sigma.prod());
}

/// n − k = 1 freedom with two rolling contacts (S4, case (a)), 2 with one.
TEST(EllipsoidsTest, RollingContactsTakeFreedomsAway) {
  EXPECT_EQ(closure::grasp_ellipsoids(Case({kRoll, kPlus, kPlus, kPlus}).grasp, 2, 0.2).velocity.freedoms(),
            2);
  EXPECT_EQ(closure::grasp_ellipsoids(Case({kRoll, kRoll, kPlus, kPlus}).grasp, 2, 0.2).velocity.freedoms(),
            1);
}

/// k = 8 > n = 7: four rolling contacts lock everything.
TEST(EllipsoidsTest, LockedGraspHasNone) {
  const closure::GraspEllipsoids e =
      closure::grasp_ellipsoids(Case({kRoll, kRoll, kRoll, kRoll}).grasp, 2, 0.2);
  EXPECT_EQ(e.velocity.freedoms(), 0);
  EXPECT_EQ(e.force.freedoms(), 0);
  EXPECT_EQ(e.velocity.axes.rows(), 3);
  EXPECT_EQ(e.free_motions, 0);
}

/// With one contact kept the object moves though all joints stand still.
TEST(EllipsoidsTest, CountsMotionsThatTheJointsDoNotStop) {
  const closure::GraspEllipsoids e =
      closure::grasp_ellipsoids(Case({kPlus, kOpen, kOpen, kOpen}).grasp, 2, 0.2);
  EXPECT_EQ(e.free_motions, 2);
}

}  // namespace
}  // namespace enfold::test
