// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/grasp/grasp_matrices.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "enfold/base/error.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::grasp {
namespace {

using test::ContactMode;
using test::EigenNear;
using test::PaperHand;

using test::kMinus;
using test::kOpen;
using test::kPlus;
using test::kRoll;

const VectorXd kMu = (VectorXd(4) << 0.1, 0.3, 0.5, 0.7).finished();

GraspMatrices assembled(const PaperHand& hand, const VectorXd& q, const VectorXd& v,
                        const std::vector<ContactMode>& modes) {
  GraspMatrices out;
  assemble(hand.kinematics(q, v), modes, kMu, 3, out);
  return out;
}

// W from the gradients of gap and slip, and from unit wrenches and arm Jacobians at the contact points, in
// all 256 combinations of modes.                                                        [eq:S4.3] [eq:S4.5]
// [eq:S4.6]
TEST(GraspMatricesTest, TwoRoutesAgreeInAllCombinationsOfModes) {
  const CounterRandom random(11, 0);
  for (const double radius : {0.0, 0.012}) {
    const PaperHand hand = test::paper_hand({.radius = radius});
    for (std::uint64_t n = 0; n < 6; ++n) {
      const VectorXd q = hand.random_closed(random, n);
      for (int number = 0; number < 256; ++number) {
        const auto modes = test::mode_combination(number, 4);
        const GraspMatrices one = assembled(hand, q, VectorXd::Zero(7), modes);
        const GraspMatrices two = assemble_from_frames(*hand.mechanism, *hand.contacts, q, modes, kMu);
        ASSERT_THAT(one.G, EigenNear(two.G, 1e-14));
        ASSERT_THAT(one.J, EigenNear(two.J, 1e-14));
        ASSERT_THAT(one.G_tilde, EigenNear(two.G_tilde, 1e-14));
        ASSERT_THAT(one.J_tilde, EigenNear(two.J_tilde, 1e-14));
        ASSERT_EQ(one.sliding, two.sliding);
        ASSERT_EQ(one.rolling, two.rolling);
      }
    }
  }
}

// λ = [λ_NS ; λ_NR ; λ_TR]: column by column against the gradients themselves. [eq:S4.4]
TEST(GraspMatricesTest, ColumnsAreSlidingThenRollingNormalsThenRollingTangents) {
  const PaperHand hand = test::paper_hand({.radius = 0.01});
  const VectorXd q = hand.closed(0.0, 0.165, 80.0);
  const VectorXd v = VectorXd::LinSpaced(7, -0.3, 0.4);
  const auto kinematics = hand.kinematics(q, v);
  const GraspMatrices grasp = assembled(hand, q, v, {kRoll, kPlus, kRoll, kMinus});
  EXPECT_EQ(grasp.sliding, (std::vector<Index>{1, 3}));
  EXPECT_EQ(grasp.rolling, (std::vector<Index>{0, 2}));
  EXPECT_EQ(grasp.k(), 6);
  EXPECT_EQ(grasp.n_C(), 4);
  MatrixXd W(7, 6);
  W << kinematics.W_N.col(1) - 0.3 * kinematics.W_T.col(1),
      kinematics.W_N.col(3) + 0.7 * kinematics.W_T.col(3), kinematics.W_N.col(0), kinematics.W_N.col(2),
      kinematics.W_T.col(0), kinematics.W_T.col(2);
  EXPECT_THAT(grasp.W(), EigenNear(W, 1e-15));
  W.leftCols(2) << kinematics.W_N.col(1), kinematics.W_N.col(3);
  EXPECT_THAT(grasp.W_tilde(), EigenNear(W, 1e-15));
  VectorXd bias(6);
  bias << kinematics.bias_N[1], kinematics.bias_N[3], kinematics.bias_N[0], kinematics.bias_N[2],
      kinematics.bias_T[0], kinematics.bias_T[2];
  EXPECT_THAT(grasp.bias, EigenNear(bias, 0.0));
}

// Friction opposes the slip: in a sliding column the power of the tangential force is −μ λ_N |φ̇_T|. [eq:S4.3]
TEST(GraspMatricesTest, FrictionOfASlidingContactTakesPowerAway) {
  const CounterRandom random(12, 0);
  const PaperHand hand = test::paper_hand();
  for (std::uint64_t n = 0; n < 20; ++n) {
    const VectorXd q = hand.random_closed(random, n);
    const VectorXd x_dot = test::random_vector(random, 1000 + 3 * n, 3);
    const VectorXd v = test::closed_velocity(hand, q, x_dot);
    const VectorXd slip = hand.kinematics(q, v).W_T.transpose() * v;
    const GraspMatrices grasp = assembled(hand, q, v, test::sliding_modes(hand, q, x_dot));
    const VectorXd expected = -kMu.cwiseProduct(slip.cwiseAbs());
    EXPECT_LT(expected.maxCoeff(), 0.0);
    EXPECT_THAT(VectorXd(grasp.W().transpose() * v), EigenNear(expected, 1e-12)) << "seed 12, draw " << n;
  }
}

TEST(GraspMatricesTest, WStacksGAndMinusJTransposed) {
  const PaperHand hand = test::paper_hand();
  const VectorXd q = hand.closed(0.0, 0.15, 75.0);
  const GraspMatrices grasp = assembled(hand, q, VectorXd::Zero(7), {kPlus, kRoll, kOpen, kMinus});
  EXPECT_THAT(grasp.W().topRows(3), EigenNear(grasp.G, 0.0));
  EXPECT_THAT(grasp.W().bottomRows(4), EigenNear(MatrixXd(-grasp.J.transpose()), 0.0));
  EXPECT_THAT(grasp.W_tilde().topRows(3), EigenNear(grasp.G_tilde, 0.0));
  EXPECT_THAT(grasp.W_tilde().bottomRows(4), EigenNear(MatrixXd(-grasp.J_tilde.transpose()), 0.0));
  EXPECT_GT((grasp.W() - grasp.W_tilde()).norm(), 0.01);
}

TEST(GraspMatricesTest, OpenContactsHaveNoColumn) {
  const PaperHand hand = test::paper_hand();
  const VectorXd q = hand.closed(0.0, 0.15, 90.0);
  const GraspMatrices none = assembled(hand, q, VectorXd::Zero(7), {kOpen, kOpen, kOpen, kOpen});
  EXPECT_EQ(none.k(), 0);
  EXPECT_EQ(none.W().rows(), 7);
  EXPECT_EQ(none.W().cols(), 0);
  const GraspMatrices one = assembled(hand, q, VectorXd::Zero(7), {kOpen, kOpen, kOpen, kRoll});
  EXPECT_EQ(one.k(), 2);
  EXPECT_EQ(one.rolling, (std::vector<Index>{3}));
}

// One object refilled with other modes gives what a fresh one gives.
TEST(GraspMatricesTest, RefillsForOtherModes) {
  const PaperHand hand = test::paper_hand();
  const VectorXd q = hand.closed(0.0, 0.15, 90.0);
  GraspMatrices reused;
  for (int number = 0; number < 256; ++number) {
    const auto modes = test::mode_combination((number * 37) % 256, 4);
    assemble(hand.kinematics(q, VectorXd::Ones(7)), modes, kMu, 3, reused);
    const GraspMatrices fresh = assembled(hand, q, VectorXd::Ones(7), modes);
    ASSERT_THAT(reused.W(), EigenNear(fresh.W(), 0.0));
    ASSERT_THAT(reused.bias, EigenNear(fresh.bias, 0.0));
  }
}

// Checklist row 5: friction along a link of no thickness has no moment about the link's own joint, so that
// det J is det J̃; with thickness it has one.
TEST(GraspMatricesTest, DeterminantsOfJAndJTildeAgreeForThinLinksOnly) {
  const std::vector<ContactMode> modes{kPlus, kMinus, kPlus, kMinus};
  const PaperHand thin = test::paper_hand();
  const GraspMatrices on_thin = assembled(thin, thin.closed(0.0, 0.15, 80.0), VectorXd::Zero(7), modes);
  EXPECT_NEAR(on_thin.J.determinant() / on_thin.J_tilde.determinant(), 1.0, 1e-12);
  const PaperHand thick = test::paper_hand({.radius = 0.012});
  const GraspMatrices on_thick = assembled(thick, thick.closed(0.0, 0.165, 80.0), VectorXd::Zero(7), modes);
  EXPECT_GT(std::abs(on_thick.J.determinant() / on_thick.J_tilde.determinant() - 1.0), 1e-3);
}

// Stacking is the left inverse of spreading in every mode, and spread forces obey the laws of their modes.
// [eq:S4.4]
TEST(SpreadForcesTest, StackingUndoesSpreading) {
  const CounterRandom random(13, 0);
  const PaperHand hand = test::paper_hand();
  const VectorXd q = hand.closed(0.0, 0.15, 90.0);
  for (int number = 0; number < 256; ++number) {
    const auto modes = test::mode_combination(number, 4);
    const GraspMatrices grasp = assembled(hand, q, VectorXd::Zero(7), modes);
    const VectorXd lambda = test::random_vector(random, 100 * static_cast<std::uint64_t>(number), grasp.k());
    VectorXd lambda_N;
    VectorXd lambda_T;
    VectorXd back;
    spread_forces(grasp, modes, kMu, lambda, lambda_N, lambda_T);
    stack_forces(grasp, lambda_N, lambda_T, back);
    ASSERT_THAT(back, EigenNear(lambda, 0.0));
    for (Index i = 0; i < 4; ++i) {
      const ContactMode mode = modes[static_cast<std::size_t>(i)];
      if (mode == kOpen) {
        ASSERT_EQ(std::abs(lambda_N[i]) + std::abs(lambda_T[i]), 0.0);
      }
      if (mode == kPlus) {
        ASSERT_EQ(lambda_T[i], -kMu[i] * lambda_N[i]);
      }
      if (mode == kMinus) {
        ASSERT_EQ(lambda_T[i], kMu[i] * lambda_N[i]);
      }
    }
    // W λ is the sum of the forces on the contacts.
    const auto kinematics = hand.kinematics(q, VectorXd::Zero(7));
    ASSERT_THAT(VectorXd(grasp.W() * lambda),
                EigenNear(VectorXd(kinematics.W_N * lambda_N + kinematics.W_T * lambda_T), 1e-14));
  }
}

TEST(GraspMatricesTest, RefusesSizesThatDoNotFit) {
  const PaperHand hand = test::paper_hand();
  const VectorXd q = hand.closed(0.0, 0.15, 90.0);
  const auto kinematics = hand.kinematics(q, VectorXd::Zero(7));
  const std::vector<ContactMode> four(4, kPlus);
  const std::vector<ContactMode> three(3, kPlus);
  const VectorXd mu_3 = VectorXd::Constant(3, 0.1);
  GraspMatrices out;
  EXPECT_THROW(assemble(kinematics, three, kMu, 3, out), InvalidArgument);
  EXPECT_THROW(assemble(kinematics, four, mu_3, 3, out), InvalidArgument);
  EXPECT_THROW(assemble(kinematics, four, kMu, 8, out), InvalidArgument);
  EXPECT_THROW(assemble(kinematics, four, kMu, -1, out), InvalidArgument);
  auto spatial = kinematics;
  spatial.W_T.setZero(7, 8);
  EXPECT_THROW(assemble(spatial, four, kMu, 3, out), InvalidArgument);
  auto without_bias = kinematics;
  without_bias.bias_T.resize(0);
  EXPECT_THROW(assemble(without_bias, four, kMu, 3, out), InvalidArgument);
  EXPECT_THROW((void)assemble_from_frames(*hand.mechanism, *hand.contacts, q, three, kMu), InvalidArgument);
  EXPECT_THROW((void)assemble_from_frames(*hand.mechanism, *hand.contacts, q, four, mu_3), InvalidArgument);
  EXPECT_NO_THROW(assemble(kinematics, four, kMu, 3, out));
}

TEST(GraspMatricesTest, RefusesFrictionThatIsNegativeOrNotANumber) {
  const PaperHand hand = test::paper_hand();
  const VectorXd q = hand.closed(0.0, 0.15, 90.0);
  const std::vector<ContactMode> modes(4, kPlus);
  GraspMatrices out;
  for (const double bad : {-0.1, std::numeric_limits<double>::quiet_NaN()}) {
    VectorXd mu = kMu;
    mu[2] = bad;
    EXPECT_THROW(assemble(hand.kinematics(q, VectorXd::Zero(7)), modes, mu, 3, out), InvalidArgument);
    EXPECT_THROW((void)assemble_from_frames(*hand.mechanism, *hand.contacts, q, modes, mu), InvalidArgument);
  }
}

TEST(SpreadForcesTest, RefusesSizesThatDoNotFit) {
  const PaperHand hand = test::paper_hand();
  const std::vector<ContactMode> modes(4, kPlus);
  const GraspMatrices grasp = assembled(hand, hand.closed(0.0, 0.15, 90.0), VectorXd::Zero(7), modes);
  VectorXd lambda_N;
  VectorXd lambda_T;
  VectorXd lambda;
  EXPECT_THROW(spread_forces(grasp, modes, kMu, VectorXd::Ones(3), lambda_N, lambda_T), InvalidArgument);
  EXPECT_THROW(spread_forces(grasp, modes, VectorXd::Ones(3), VectorXd::Ones(4), lambda_N, lambda_T),
               InvalidArgument);
  EXPECT_THROW(stack_forces(grasp, VectorXd::Ones(3), VectorXd::Ones(4), lambda), InvalidArgument);
  EXPECT_THROW(stack_forces(grasp, VectorXd::Ones(4), VectorXd::Ones(3), lambda), InvalidArgument);
}

}  // namespace
}  // namespace enfold::grasp
