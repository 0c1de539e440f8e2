// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lp/lp_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "enfold/base/error.hpp"
#include "enfold/lp/lp_solver.hpp"

namespace enfold::lp {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(LpProblemTest, AcceptsInfiniteBoundsAndNoRows) {
  EXPECT_NO_THROW(validate(unconstrained_lp(2, 3)));
  EXPECT_NO_THROW(validate(unconstrained_lp(1, 0)));
}

TEST(LpProblemTest, RejectsSizesThatDisagree) {
  for (VectorXd LpProblem::*field :
       {&LpProblem::c, &LpProblem::row_lower, &LpProblem::row_upper, &LpProblem::lower, &LpProblem::upper}) {
    LpProblem p = unconstrained_lp(2, 3);
    (p.*field).conservativeResize((p.*field).size() + 1);
    (p.*field).setZero();
    EXPECT_THROW(validate(p), InvalidArgument);
  }
  EXPECT_THROW(validate(LpProblem{}), InvalidArgument);
  EXPECT_THROW((void)unconstrained_lp(0, 1), InvalidArgument);
}

TEST(LpProblemTest, RejectsNanEverywhere) {
  for (VectorXd LpProblem::*field :
       {&LpProblem::c, &LpProblem::row_lower, &LpProblem::row_upper, &LpProblem::lower, &LpProblem::upper}) {
    LpProblem p = unconstrained_lp(2, 3);
    (p.*field)(1) = kNan;
    EXPECT_THROW(validate(p), InvalidArgument);
    EXPECT_THROW((void)solve_lp(p), InvalidArgument);
  }
  LpProblem p = unconstrained_lp(2, 3);
  p.R(2, 1) = kNan;
  EXPECT_THROW(validate(p), InvalidArgument);
}

TEST(LpProblemTest, RejectsInfiniteCostAndBoundsThatNoNumberMeets) {
  LpProblem cost = unconstrained_lp(1, 1);
  cost.c(0) = kInfinity;
  EXPECT_THROW(validate(cost), InvalidArgument);
  LpProblem lower = unconstrained_lp(1, 1);
  lower.lower(0) = kInfinity;
  EXPECT_THROW(validate(lower), InvalidArgument);
  LpProblem row = unconstrained_lp(1, 1);
  row.row_upper(0) = -kInfinity;
  EXPECT_THROW(validate(row), InvalidArgument);
}

TEST(LpProblemTest, NamesTheOffendingEntryInTheMessage) {
  LpProblem p = unconstrained_lp(2, 3);
  p.upper(1) = kNan;
  try {
    validate(p);
    FAIL() << "expected InvalidArgument";
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("upper bound of variable 1"));
  }
}

TEST(LpOptionsTest, RejectsTolerancesOutsideTheirRange) {
  for (double LpOptions::*field : {&LpOptions::feasibility_tol, &LpOptions::optimality_tol,
                                   &LpOptions::residual_tol, &LpOptions::certificate_tol}) {
    for (const double value : {0.0, -1e-9, 1.0, kNan}) {
      LpOptions options;
      options.*field = value;
      EXPECT_THROW(LpSolver{options}, InvalidArgument);
    }
  }
  EXPECT_THROW(LpSolver{LpOptions{.max_iterations = 0}}, InvalidArgument);
}

}  // namespace
}  // namespace enfold::lp
