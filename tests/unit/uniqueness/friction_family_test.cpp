// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/friction_family.hpp"

#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "enfold/grasp/audit.hpp"
#include "uniqueness_cases.hpp"

namespace enfold::uniqueness {
namespace {

using test::ContactMode;
using test::EigenNear;

// A(μ) = A₀ + A₁ diag(μ) against the matrix that the audit assembles for each μ. [eq:S4.19]
TEST(FrictionFamilyTest, EqualsTheContactMatrixOfTheGraspInAllCombinationsOfModes) {
  const CounterRandom random(71, 0);
  const test::PaperHand hand = test::paper_hand({.radius = 0.012});
  int tested = 0;
  for (int number = 0; number < 255; ++number) {
    const auto modes = test::mode_combination(number, 4);
    const auto n = static_cast<std::uint64_t>(number);
    const VectorXd q = hand.random_closed(random, n);
    const VectorXd mu = test::random_vector(random, 4000 + 10 * n, 4).cwiseAbs();
    grasp::GraspMatrices grasp;
    grasp::assemble(hand.kinematics(q, VectorXd::Zero(7)), modes, mu, 3, grasp);
    if (grasp.k() == 0 || grasp.k() > 6) continue;
    mechanics::Dynamics dynamics;
    hand.mechanism->dynamics(q, VectorXd::Zero(7), dynamics);
    const MatrixXd stacked = grasp::contact_matrix(dynamics.M, grasp);

    const GraspFamily built = friction_family(*hand.mechanism, *hand.contacts, q, modes);
    ASSERT_TRUE(built.ok()) << to_string(built.status);
    const MatrixXd A = built.family.A(built.rows_of(mu));
    // The audit stacks sliding before rolling contacts; the family keeps their order.
    std::vector<Index> order = grasp.sliding;
    order.insert(order.end(), grasp.rolling.begin(), grasp.rolling.end());
    std::vector<Index> place;
    for (const Index contact : built.contacts)
      place.push_back(std::find(order.begin(), order.end(), contact) - order.begin());
    const MatrixXd expected = stacked(place, place);
    EXPECT_THAT(A, EigenNear(expected, 1e-10 * expected.norm())) << "seed 71, modes " << number;
    ++tested;
  }
  EXPECT_GT(tested, 200);
}

TEST(FrictionFamilyTest, CoefficientOfARollingContactDoesNotEnter) {
  const test::PaperHand hand = test::paper_hand();
  const std::vector<ContactMode> modes{test::kPlus, test::kRoll, test::kMinus, test::kPlus};
  const GraspFamily built =
      friction_family(*hand.mechanism, *hand.contacts, hand.closed(0.0, 0.15, 80.0), modes);
  ASSERT_TRUE(built.ok());
  for (Index j = 0; j < 4; ++j) EXPECT_EQ(built.family.enters(j), j != 1) << j;
}

// Four rolling contacts need 8 independent rows; there are 7 coordinates, and here fewer tangents than that.
TEST(FrictionFamilyTest, ReportsDependentRollingRows) {
  contact::ContactKinematics kinematics;
  kinematics.W_N = MatrixXd::Identity(3, 2);
  kinematics.W_T = MatrixXd::Ones(3, 2);
  const std::vector<ContactMode> modes(2, test::kRoll);
  const GraspFamily built = friction_family(MatrixXd::Identity(3, 3), kinematics, modes);
  EXPECT_EQ(built.status, GraspFamilyStatus::kDependentRolling);
  EXPECT_EQ(friction_family(-MatrixXd::Identity(3, 3), kinematics, modes).status,
            GraspFamilyStatus::kSingularMass);
}

TEST(FrictionFamilyTest, GroupsExpandToRows) {
  const FrictionGroups groups{{1, -1, 0, 1}, 2};
  EXPECT_THAT(groups.expand(Eigen::Vector2d(0.3, 0.7), 9.0),
              EigenNear(Eigen::Vector4d(0.7, 9.0, 0.3, 0.7), 0.0));
  EXPECT_THROW((void)groups.expand(VectorXd::Zero(3)), InvalidArgument);
  EXPECT_THROW((void)(FrictionGroups{{0, 2}, 2}.expand(VectorXd::Zero(2))), InvalidArgument);
  EXPECT_EQ(independent_groups(3).group_of, (std::vector<Index>{0, 1, 2}));
}

TEST(FrictionFamilyTest, RefusesBadInput) {
  FrictionFamily family{MatrixXd::Identity(2, 2), MatrixXd::Zero(2, 3)};
  EXPECT_THROW(validate(family), InvalidArgument);
  family = {MatrixXd::Zero(2, 3), MatrixXd::Zero(2, 3)};
  EXPECT_THROW(validate(family), InvalidArgument);
  family = {MatrixXd::Identity(2, 2), MatrixXd::Constant(2, 2, std::nan(""))};
  EXPECT_THROW(validate(family), InvalidArgument);
  family.A_1.setZero();
  EXPECT_THROW((void)family.A(VectorXd::Zero(3)), InvalidArgument);
  const test::PaperHand hand = test::paper_hand();
  const std::vector<ContactMode> modes(3, test::kPlus);
  EXPECT_THROW((void)friction_family(*hand.mechanism, *hand.contacts, hand.closed(0.0, 0.15, 80.0), modes),
               InvalidArgument);
  EXPECT_THROW((void)friction_family(*hand.mechanism, *hand.contacts, VectorXd::Zero(2), modes),
               InvalidArgument);
}

}  // namespace
}  // namespace enfold::uniqueness
