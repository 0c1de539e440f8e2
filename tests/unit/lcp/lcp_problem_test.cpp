// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/lcp_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "enfold/base/error.hpp"
#include "enfold/lcp/enumeration.hpp"
#include "enfold/lcp/lcp_residual.hpp"
#include "enfold/lcp/lemke.hpp"

namespace enfold::lcp {
namespace {

using ::testing::HasSubstr;

std::string message_of(const LcpProblem& problem) {
  try {
    validate(problem);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(LcpProblemTest, AcceptsSquareFiniteDataAndTheEmptyProblem) {
  EXPECT_EQ(message_of({MatrixXd::Identity(3, 3), VectorXd::Zero(3)}), "");
  EXPECT_EQ(message_of({MatrixXd(0, 0), VectorXd(0)}), "");
}

TEST(LcpProblemTest, NamesTheSizesThatDoNotFit) {
  EXPECT_THAT(message_of({MatrixXd::Zero(2, 3), VectorXd::Zero(2)}), HasSubstr("A is 2 × 3, expected 2 × 2"));
  EXPECT_THAT(message_of({MatrixXd::Zero(2, 2), VectorXd::Zero(3)}), HasSubstr("b has 3 entries"));
}

TEST(LcpProblemTest, NamesTheEntryThatIsNotFinite) {
  LcpProblem problem{MatrixXd::Identity(2, 2), VectorXd::Zero(2)};
  problem.A(1, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(message_of(problem), HasSubstr("A(1, 0) is nan"));
  problem.A(1, 0) = 0.0;
  problem.b(1) = -std::numeric_limits<double>::infinity();
  EXPECT_THAT(message_of(problem), HasSubstr("b(1) is -inf"));
}

TEST(LcpProblemTest, EverySolverRefusesInvalidData) {
  const LcpProblem problem{MatrixXd::Zero(2, 3), VectorXd::Zero(2)};
  EXPECT_THROW((void)solve_lemke(problem), InvalidArgument);
  EXPECT_THROW((void)enumerate_solutions(problem), InvalidArgument);
  EXPECT_THROW((void)lcp_residual(problem, VectorXd::Zero(2)), InvalidArgument);
}

// min(x, y) of x = (1, −2, 0) and y = A x + b = (1, −1.5, 3) by hand.
TEST(LcpResidualTest, IsTheLargestEntryOfTheMinimumMap) {
  const LcpProblem problem{MatrixXd::Identity(3, 3), VectorXd{{0.0, 0.5, 3.0}}};
  EXPECT_DOUBLE_EQ(lcp_residual(problem, VectorXd{{1.0, -2.0, 0.0}}), 2.0);
  EXPECT_DOUBLE_EQ(lcp_residual(problem, VectorXd::Zero(3)), 0.0);
}

TEST(LcpResidualTest, IsInfiniteForAPointThatIsNotFinite) {
  const LcpProblem problem{MatrixXd::Identity(2, 2), VectorXd::Zero(2)};
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(lcp_residual(problem, VectorXd{{bad, 0.0}}), std::numeric_limits<double>::infinity());
  }
}

}  // namespace
}  // namespace enfold::lcp
