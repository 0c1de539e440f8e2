// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/enumeration.hpp"

#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "enfold/lcp/lcp_residual.hpp"
#include "enfold/test/matchers.hpp"

namespace enfold::lcp {
namespace {

using test::EigenNear;
using Set = std::vector<Index>;

TEST(EnumerationTest, FindsNoSolution) {
  const auto all = enumerate_solutions({MatrixXd{{-1.0, 0.0}, {0.0, 1.0}}, VectorXd{{-1.0, 1.0}}});
  EXPECT_EQ(all.status, EnumerationStatus::kExact);
  EXPECT_EQ(all.count(), 0);
}

TEST(EnumerationTest, FindsTheOneSolutionOfAPMatrix) {
  const auto all = enumerate_solutions({MatrixXd{{2.0, 1.0}, {1.0, 2.0}}, VectorXd{{-5.0, -6.0}}});
  ASSERT_EQ(all.count(), 1);
  EXPECT_EQ(all.solutions[0].active, (Set{0, 1}));
  EXPECT_THAT(all.solutions[0].x, EigenNear(VectorXd{{4.0 / 3.0, 7.0 / 3.0}}, 1e-15));
}

TEST(EnumerationTest, FindsTwoSolutions) {
  const LcpProblem problem{MatrixXd{{-1.0, 0.0}, {0.0, 1.0}}, VectorXd{{1.0, 1.0}}};
  const auto all = enumerate_solutions(problem);
  ASSERT_EQ(all.count(), 2);
  EXPECT_THAT(all.solutions[0].x, EigenNear(VectorXd{{0.0, 0.0}}, 0.0));
  EXPECT_THAT(all.solutions[1].x, EigenNear(VectorXd{{1.0, 0.0}}, 0.0));
  EXPECT_EQ(all.solutions[1].active, Set{0});
}

TEST(EnumerationTest, FindsThreeSolutions) {
  const LcpProblem problem{MatrixXd{{1.0, 2.0}, {2.0, 1.0}}, VectorXd{{-1.0, -1.0}}};
  const auto all = enumerate_solutions(problem);
  ASSERT_EQ(all.count(), 3);
  EXPECT_THAT(all.solutions[0].x, EigenNear(VectorXd{{1.0, 0.0}}, 1e-15));
  EXPECT_THAT(all.solutions[1].x, EigenNear(VectorXd{{0.0, 1.0}}, 1e-15));
  EXPECT_THAT(all.solutions[2].x, EigenNear(VectorXd{{1.0 / 3.0, 1.0 / 3.0}}, 1e-15));
  for (const auto& s : all.solutions) {
    EXPECT_LE(s.residual, 1e-15);
    EXPECT_THAT(s.y, EigenNear(problem.A * s.x + problem.b, 1e-15));
  }
}

TEST(EnumerationTest, FindsAllTwoToTheNSolutions) {
  const auto all = enumerate_solutions({-MatrixXd::Identity(6, 6), VectorXd::Ones(6)});
  EXPECT_EQ(all.count(), 64);
}

TEST(EnumerationTest, ReportsADegenerateSolutionOnce) {
  // b = 0: all four bases give x = 0.
  const auto all = enumerate_solutions({MatrixXd{{2.0, 1.0}, {1.0, 2.0}}, VectorXd::Zero(2)});
  ASSERT_EQ(all.count(), 1);
  EXPECT_EQ(all.solutions[0].active, Set{});
}

TEST(EnumerationTest, FlagsTheZeroProblemAsAContinuum) {
  for (const Index n : {1, 2, 4}) {
    const auto all = enumerate_solutions({MatrixXd::Zero(n, n), VectorXd::Zero(n)});
    EXPECT_EQ(all.status, EnumerationStatus::kContinuum);
    EXPECT_TRUE(all.continuum);
    EXPECT_EQ(all.count(), std::nullopt);
    EXPECT_EQ(all.solutions.size(), 1U);
  }
}

// x_1 + x_2 = 1: a segment with the vertices (1, 0) and (0, 1).
TEST(EnumerationTest, FlagsASegmentAndReturnsItsEnds) {
  const auto all = enumerate_solutions({MatrixXd::Ones(2, 2), VectorXd{{-1.0, -1.0}}});
  EXPECT_EQ(all.status, EnumerationStatus::kContinuum);
  ASSERT_EQ(all.solutions.size(), 2U);
  EXPECT_THAT(all.solutions[0].x + all.solutions[1].x, EigenNear(VectorXd::Ones(2), 1e-15));
}

// x_1 + x_2 + x_3 = 1: a triangle, from a basis with a null space of dimension two.
TEST(EnumerationTest, FlagsATriangleAndReturnsItsCorners) {
  const auto all = enumerate_solutions({MatrixXd::Ones(3, 3), VectorXd::Constant(3, -1.0)});
  EXPECT_EQ(all.status, EnumerationStatus::kContinuum);
  EXPECT_EQ(all.solutions.size(), 3U);
}

// S = {1}: y_1 = 0 for every x_1, and y_2 = x_1 − 1 ≥ 0 leaves the half line x_1 ≥ 1.
TEST(EnumerationTest, FlagsAHalfLineAndReturnsItsStart) {
  const auto all = enumerate_solutions({MatrixXd{{0.0, 1.0}, {1.0, 0.0}}, VectorXd{{0.0, -1.0}}});
  EXPECT_EQ(all.status, EnumerationStatus::kContinuum);
  ASSERT_EQ(all.solutions.size(), 1U);
  EXPECT_THAT(all.solutions[0].x, EigenNear(VectorXd{{1.0, 0.0}}, 1e-15));
}

TEST(EnumerationTest, ASingularBasisThatHoldsOnePointOrNoneIsNoContinuum) {
  // x_1 + x_2 = 0 leaves only x = 0; x_1 + x_2 = −1 leaves nothing.
  EXPECT_EQ(enumerate_solutions({MatrixXd::Ones(2, 2), VectorXd::Zero(2)}).count(), 1);
  EXPECT_EQ(enumerate_solutions({MatrixXd::Ones(2, 2), VectorXd::Ones(2)}).count(), 1);
  EXPECT_EQ(enumerate_solutions({MatrixXd::Zero(2, 2), VectorXd{{-1.0, 1.0}}}).count(), 0);
  EXPECT_EQ(enumerate_solutions({MatrixXd::Zero(2, 2), VectorXd{{1.0, 1.0}}}).count(), 1);
}

TEST(EnumerationTest, DoesNotClaimACountWhenABasisIsSingularOnlyToRounding) {
  const double eps = 1e-11;
  const auto all =
      enumerate_solutions({MatrixXd{{1.0, 1.0}, {1.0, 1.0 + eps}}, VectorXd{{-1.0, -1.0 + 2e-9}}});
  EXPECT_EQ(all.status, EnumerationStatus::kUndecided);
  EXPECT_EQ(all.count(), std::nullopt);
}

TEST(EnumerationTest, DeclinesProblemsAboveTheLimitWithoutAnError) {
  const LcpProblem problem{MatrixXd::Identity(11, 11), VectorXd::Ones(11)};
  const auto all = enumerate_solutions(problem);
  EXPECT_EQ(all.status, EnumerationStatus::kTooLarge);
  EXPECT_EQ(all.count(), std::nullopt);
  EXPECT_EQ(enumerate_solutions(problem, {.limit = 11}).count(), 1);
}

TEST(EnumerationTest, TheEmptyProblemHasOneSolution) {
  EXPECT_EQ(enumerate_solutions({MatrixXd(0, 0), VectorXd(0)}).count(), 1);
}

TEST(EnumerationTest, RefusesALimitItCannotHold) {
  EXPECT_THROW((void)enumerate_solutions({MatrixXd(0, 0), VectorXd(0)}, {.limit = 21}), InvalidArgument);
}

}  // namespace
}  // namespace enfold::lcp
