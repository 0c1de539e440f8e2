// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lp/lp_solver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "enfold/test/matchers.hpp"

namespace enfold::lp {
namespace {

using test::EigenNear;

// max 3x + 5y  s.t.  x ≤ 4, 2y ≤ 12, 3x + 2y ≤ 18, x, y ≥ 0: optimum 36 at (2, 6), prices (0, 3/2, 1).
LpProblem wyndor() {
  LpProblem p = unconstrained_lp(2, 3);
  p.c << -3.0, -5.0;
  p.R << 1.0, 0.0, 0.0, 2.0, 3.0, 2.0;
  p.row_upper << 4.0, 12.0, 18.0;
  p.lower.setZero();
  return p;
}

TEST(LpSolverTest, SolvesTheTextbookProductMix) {
  const LpSolution s = solve_lp(wyndor());
  ASSERT_EQ(s.status, LpStatus::kOptimal) << s.message;
  EXPECT_TRUE(s.ok());
  EXPECT_THAT(s.z, EigenNear(Eigen::Vector2d(2.0, 6.0), 1e-12));
  EXPECT_NEAR(s.objective, -36.0, 1e-12);
  EXPECT_THAT(s.row_dual, EigenNear(Eigen::Vector3d(0.0, -1.5, -1.0), 1e-12));
  EXPECT_THAT(s.row_activity, EigenNear(Eigen::Vector3d(2.0, 12.0, 18.0), 1e-12));
  EXPECT_THAT(s.reduced_cost, EigenNear(Eigen::Vector2d::Zero(), 1e-12));
  EXPECT_LE(s.residual.largest(), 1e-14);
}

// Two suppliers (20, 30) and two customers (25, 25), costs [4 6; 5 3]: the cheap cells first, 20·4 + 5·5 +
// 25·3 = 180.
TEST(LpSolverTest, SolvesATransportProblemWithEqualityRows) {
  LpProblem p = unconstrained_lp(4, 4);
  p.c << 4.0, 6.0, 5.0, 3.0;
  p.R << 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 1;
  p.row_lower << 20.0, 30.0, 25.0, 25.0;
  p.row_upper = p.row_lower;
  p.lower.setZero();
  const LpSolution s = solve_lp(p);
  ASSERT_TRUE(s.ok()) << s.message;
  EXPECT_NEAR(s.objective, 180.0, 1e-10);
  EXPECT_LE(s.residual.largest(), 1e-12);
}

TEST(LpSolverTest, SolvesAProgramWithoutRows) {
  LpProblem p = unconstrained_lp(2, 0);
  p.c << 1.0, -2.0;
  p.lower << -3.0, 0.0;
  p.upper << 7.0, 5.0;
  const LpSolution s = solve_lp(p);
  ASSERT_TRUE(s.ok()) << s.message;
  EXPECT_THAT(s.z, EigenNear(Eigen::Vector2d(-3.0, 5.0), 0.0));
  EXPECT_THAT(s.reduced_cost, EigenNear(p.c, 0.0));
}

TEST(LpSolverTest, SolvesWithFreeVariables) {
  // min |x − 3| as min s, −s ≤ x − 3 ≤ s, with x fixed by x = 1 through a row: s = 2.
  LpProblem p = unconstrained_lp(2, 3);
  p.c << 0.0, 1.0;
  p.R << 1.0, -1.0, 1.0, 1.0, 1.0, 0.0;
  p.row_upper(0) = 3.0;
  p.row_lower(1) = 3.0;
  p.row_lower(2) = p.row_upper(2) = 1.0;
  const LpSolution s = solve_lp(p);
  ASSERT_TRUE(s.ok()) << s.message;
  EXPECT_NEAR(s.objective, 2.0, 1e-12);
}

TEST(LpSolverTest, ShadowPricesAreDerivativesOfTheObjective) {
  const LpProblem p = wyndor();
  const LpSolution s = solve_lp(p);
  constexpr double kStep = 1e-3;  // the optimum is linear in the bound while the basis stays
  for (Index i = 0; i < p.m(); ++i) {
    LpProblem above = p;
    LpProblem below = p;
    above.row_upper(i) += kStep;
    below.row_upper(i) -= kStep;
    const double slope = (solve_lp(above).objective - solve_lp(below).objective) / (2.0 * kStep);
    EXPECT_NEAR(s.row_dual(i), slope, 1e-9) << "row " << i;
  }
}

TEST(LpSolverTest, ReducedCostsAreDerivativesWithRespectToActiveBounds) {
  LpProblem p = wyndor();
  p.upper << 1.0, kInfinity;
  const LpSolution s = solve_lp(p);
  ASSERT_TRUE(s.ok());
  LpProblem above = p;
  LpProblem below = p;
  above.upper(0) += 1e-3;
  below.upper(0) -= 1e-3;
  EXPECT_NEAR(s.reduced_cost(0), (solve_lp(above).objective - solve_lp(below).objective) / 2e-3, 1e-9);
}

// Beale's example, on which the simplex method with the plain largest-coefficient rule cycles: optimum −1/20.
TEST(LpSolverTest, LeavesTheDegenerateVertexOfBealesExample) {
  LpProblem p = unconstrained_lp(4, 3);
  p.c << -0.75, 150.0, -0.02, 6.0;
  p.R << 0.25, -60.0, -0.04, 9.0, 0.5, -90.0, -0.02, 3.0, 0.0, 0.0, 1.0, 0.0;
  p.row_upper << 0.0, 0.0, 1.0;
  p.lower.setZero();
  for (const LpMethod method : {LpMethod::kAuto, LpMethod::kPrimal, LpMethod::kDual}) {
    const LpSolution s = solve_lp(p, {.method = method});
    ASSERT_TRUE(s.ok()) << s.message;
    EXPECT_NEAR(s.objective, -0.05, 1e-12);
  }
}

TEST(LpSolverTest, SolvesWhenMoreRowsMeetAtTheVertexThanItNeeds) {
  // x + y, over four half-planes through the same vertex (1, 1).
  LpProblem p = unconstrained_lp(2, 4);
  p.c << 1.0, 1.0;
  p.R << 1, 0, 0, 1, 1, 1, 1, 2;
  p.row_lower << 1.0, 1.0, 2.0, 3.0;
  const LpSolution s = solve_lp(p);
  ASSERT_TRUE(s.ok()) << s.message;
  EXPECT_THAT(s.z, EigenNear(Eigen::Vector2d(1.0, 1.0), 1e-12));
}

TEST(LpSolverTest, ReportsTheIterationLimit) {
  LpProblem p = wyndor();
  const LpSolution s = solve_lp(p, {.max_iterations = 1});
  EXPECT_EQ(s.status, LpStatus::kIterationLimit);
  EXPECT_LE(s.iterations, 1);
  EXPECT_FALSE(s.message.empty());
}

TEST(LpSolverTest, ReadsBoundsThatCrossByRoundingAsAnEquality) {
  LpProblem p = unconstrained_lp(1, 1);
  p.c << 1.0;
  p.R << 1.0;
  p.row_lower << 0.1 + 0.2;  // 0.30000000000000004
  p.row_upper << 0.3;
  const LpSolution s = solve_lp(p);
  ASSERT_TRUE(s.ok()) << s.message;
  EXPECT_NEAR(s.z(0), 0.3, 1e-15);
}

TEST(LpSolverTest, ResolvesAnUnchangedProgramWithoutPivots) {
  LpSolver solver;
  const LpProblem p = wyndor();
  EXPECT_GT(solver.solve(p).iterations, 0);
  EXPECT_EQ(solver.solve(p).iterations, 0);
  solver.reset();
  EXPECT_GT(solver.solve(p).iterations, 0);
}

TEST(LpSolverTest, RecoversFromEveryOutcomeAndFromAChangeOfShape) {
  LpSolver solver;
  LpProblem infeasible = wyndor();
  infeasible.row_lower(0) = 3.0;
  infeasible.row_lower(1) = 11.0;
  LpProblem unbounded = wyndor();
  unbounded.row_upper.setConstant(kInfinity);
  LpProblem crossed = wyndor();
  crossed.lower(0) = 5.0;
  crossed.upper(0) = 4.0;
  for (const LpProblem& detour : {infeasible, unbounded, crossed, unconstrained_lp(5, 2)}) {
    (void)solver.solve(detour);
    const LpSolution& s = solver.solve(wyndor());
    ASSERT_EQ(s.status, LpStatus::kOptimal) << s.message;
    EXPECT_THAT(s.z, EigenNear(Eigen::Vector2d(2.0, 6.0), 1e-12));
    EXPECT_TRUE(s.farkas.empty());
    EXPECT_EQ(s.ray.size(), 0);
    EXPECT_TRUE(s.message.empty());
  }
}

TEST(LpSolverTest, PrintsNothing) {
  ::testing::internal::CaptureStdout();
  LpProblem p = wyndor();
  (void)solve_lp(p);
  p.row_upper(0) = -1.0;
  (void)solve_lp(p);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

TEST(LpStatusTest, EveryStatusHasItsOwnName) {
  EXPECT_EQ(to_string(LpSolution{}.status), "not run");
  EXPECT_EQ(to_string(LpStatus::kInfeasible), "infeasible");
  EXPECT_NE(to_string(LpStatus::kResidualTooLarge), to_string(LpStatus::kNumericalTrouble));
}

}  // namespace
}  // namespace enfold::lp
