// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/closure/squeeze_effort.hpp"

#include <gmock/gmock.h>

#include "enfold/test/paper_hand.hpp"

namespace enfold::test {
namespace {

grasp::GraspMatrices matrices(double y, double phi_deg, const std::vector<ContactMode>& modes,
                              const VectorXd& mu) {
  const PaperHand hand = paper_hand();
  const VectorXd q = hand.closed(0.0, y, phi_deg);
  grasp::GraspMatrices out;
  grasp::assemble(hand.kinematics(q, VectorXd::Zero(7)), modes, mu, 3, out);
  return out;
}

/// p = 1: the null vector of G, scaled until its smallest normal force is 1 N.
TEST(SqueezeEffortTest, OfASingleSqueezeIsTheScaledNullVector) {
  const VectorXd mu = VectorXd::Constant(4, 0.1);
  const grasp::GraspMatrices grasp = matrices(0.15, 80.0, {4, kPlus}, mu);
  VectorXd null = Eigen::FullPivLU<MatrixXd>(grasp.G).kernel().col(0);
  if (null.sum() < 0.0) null = -null;
  ASSERT_GT(null.minCoeff(), 0.0);
  null /= null.minCoeff();
  const closure::SqueezeEffort effort = closure::squeeze_effort(grasp, mu);
  ASSERT_TRUE(effort.ok());
  EXPECT_LT((effort.lambda - null).cwiseAbs().maxCoeff(), 1e-9 * null.maxCoeff());
  EXPECT_NEAR(effort.largest, (grasp.J.transpose() * null).cwiseAbs().maxCoeff(), 1e-9);
}

/// With more internal forces: no random squeeze that presses every contact inside the cones is cheaper.
TEST(SqueezeEffortTest, IsTheCheapestOfManySqueezesWithRollingContacts) {
  const VectorXd mu = VectorXd::Constant(4, 0.6);
  const grasp::GraspMatrices grasp = matrices(0.15, 80.0, {kRoll, kPlus, kRoll, kPlus}, mu);
  const closure::SqueezeEffort effort = closure::squeeze_effort(grasp, mu);
  ASSERT_TRUE(effort.ok());
  EXPECT_LT((grasp.G * effort.lambda).norm(), 1e-9);
  EXPECT_GT(effort.lambda.head(4).minCoeff(), 1.0 - 1e-9);
  const MatrixXd kernel = Eigen::FullPivLU<MatrixXd>(grasp.G).kernel();
  const CounterRandom random(2, 1);
  int valid = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    VectorXd lambda = kernel * random_vector(random, 3 * i, kernel.cols());
    const double least = lambda.head(4).minCoeff();
    if (least <= 0.0) continue;
    lambda /= least;
    bool inside = true;
    for (Index r = 0; r < 2; ++r) inside = inside && std::abs(lambda[4 + r]) <= 0.6 * lambda[2 + r];
    if (!inside) continue;
    ++valid;
    EXPECT_GE((grasp.J.transpose() * lambda).cwiseAbs().maxCoeff(), effort.largest - 1e-9);
  }
  EXPECT_GT(valid, 50);
}

/// Turning about a centre above y = 0.158 m, squeezing opens a contact (checklist row 14).
TEST(SqueezeEffortTest, IsInfeasibleWhereSqueezingOpensAContact) {
  const VectorXd mu = VectorXd::Constant(4, 0.1);
  const PaperHand hand = paper_hand();
  for (const double y : {0.150, 0.165}) {
    int pressed = 0;
    for (const double phi_deg : {70.0, 80.0, 90.0, 100.0, 110.0}) {
      const std::vector<ContactMode> modes =
          sliding_modes(hand, hand.closed(0.0, y, phi_deg), Eigen::Vector3d(0, 0, 1));
      pressed += closure::squeeze_effort(matrices(y, phi_deg, modes, mu), mu).ok() ? 1 : 0;
    }
    EXPECT_EQ(pressed == 5, y < 0.158) << y;
  }
}

}  // namespace
}  // namespace enfold::test
