// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/closure/contact_wrenches.hpp"

#include <gmock/gmock.h>

#include "enfold/base/error.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/paper_hand.hpp"
#include "textbook_grasps.hpp"

namespace enfold::test {
namespace {

TEST(ContactWrenchesTest, PlanarConeHasTwoEdgesWithTheMomentsOfTheirForces) {
  const closure::ContactWrenches c = planar_grasp({{0.5, 0.2, 0, -1}}, 0.4);
  ASSERT_EQ(c.n_g(), 2);
  MatrixXd expected(3, 2);  // n ± μ t with t = (1, 0): moment 0.5·(−1) − 0.2·(±0.4)
  expected << 0.4, -0.4, -1, -1, -0.5 - 0.08, -0.5 + 0.08;
  EXPECT_LT((c.W - expected).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(ContactWrenchesTest, SpatialPyramidLiesInsideTheRoundCone) {
  MatrixXd point(3, 1);
  MatrixXd normal(3, 1);
  point << 0.1, 0.2, 0.3;
  normal << 0, 0.6, -0.8;
  const closure::ContactWrenches c =
      closure::contact_wrenches(point, normal, VectorXd::Constant(1, 0.5), VectorXd::Zero(3), 6);
  ASSERT_EQ(c.n_g(), 6);
  for (Index j = 0; j < 6; ++j) {
    const Eigen::Vector3d f = c.W.col(j).head(3);
    EXPECT_NEAR(f.dot(Eigen::Vector3d(normal)), 1.0, 1e-14);
    EXPECT_NEAR((f - Eigen::Vector3d(normal)).norm(), 0.5, 1e-14);
    EXPECT_LT((c.W.col(j).tail(3) - Eigen::Vector3d(point).cross(f)).norm(), 1e-15);
  }
  EXPECT_NEAR(c.length, Eigen::Vector3d(point).norm(), 1e-15);
}

/// Two routes: from points and normals, and from the gradients of gap and slip.
TEST(ContactWrenchesTest, OfAHandAreThoseOfItsContactPoints) {
  const PaperHand hand = paper_hand();
  const VectorXd q = hand.closed(0.0, 0.15, 80.0);
  const VectorXd mu = VectorXd::LinSpaced(4, 0.1, 0.7);
  const closure::ContactWrenches a =
      closure::contact_wrenches(hand.kinematics(q, VectorXd::Zero(7)), mu, 3, 2, 0.15);
  MatrixXd points(2, 4);
  MatrixXd normals(2, 4);
  for (Index i = 0; i < 4; ++i) {
    const contact::ContactFrame frame = hand.contacts->frame(q, i);
    points.col(i) = frame.object_point;
    normals.col(i) = frame.normal;
  }
  const closure::ContactWrenches b = closure::contact_wrenches(points, normals, mu, q.head(2));
  ASSERT_EQ(a.n_g(), b.n_g());
  for (Index i = 0; i < 4; ++i) {  // the two edges may come in either order
    const MatrixXd pair = b.W.middleCols(2 * i, 2);
    const double straight = (a.W.middleCols(2 * i, 2) - pair).cwiseAbs().maxCoeff();
    const double crossed = (a.W.middleCols(2 * i, 2) - pair.rowwise().reverse()).cwiseAbs().maxCoeff();
    EXPECT_LT(std::min(straight, crossed), 1e-12) << "contact " << i;
  }
}

TEST(ContactWrenchesTest, RefusesNormalsThatAreNotUnitAndNegativeFriction) {
  EXPECT_THROW((void)planar_grasp({{0, 0, 1, 1}}, 0.1), InvalidArgument);
  EXPECT_THROW((void)planar_grasp({{0, 0, 1, 0}}, -0.1), InvalidArgument);
  EXPECT_THROW((void)closure::contact_wrenches(MatrixXd::Zero(4, 1), MatrixXd::Zero(4, 1), VectorXd::Zero(1),
                                               VectorXd::Zero(4)),
               InvalidArgument);
}

}  // namespace
}  // namespace enfold::test
