// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/lemke.hpp"

#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "enfold/lcp/enumeration.hpp"
#include "enfold/lcp/lcp_residual.hpp"
#include "enfold/test/matchers.hpp"

namespace enfold::lcp {
namespace {

using test::EigenNear;

TEST(LemkeTest, SolvesWithoutPivotsWhenBIsNotNegative) {
  const LcpSolution s = solve_lemke({MatrixXd::Constant(2, 2, -1.0), VectorXd{{0.0, 3.0}}});
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s.pivots, 0);
  EXPECT_THAT(s.x, EigenNear(VectorXd::Zero(2), 0.0));
  EXPECT_THAT(s.y, EigenNear(VectorXd{{0.0, 3.0}}, 0.0));
}

TEST(LemkeTest, SolvesTheEmptyProblem) {
  EXPECT_TRUE(solve_lemke({MatrixXd(0, 0), VectorXd(0)}).ok());
}

// Both active: x = A⁻¹(5, 6)ᵀ = (4/3, 7/3).
TEST(LemkeTest, SolvesAProblemWithBothPairsActive) {
  const LcpSolution s = solve_lemke({MatrixXd{{2.0, 1.0}, {1.0, 2.0}}, VectorXd{{-5.0, -6.0}}});
  ASSERT_TRUE(s.ok());
  EXPECT_THAT(s.x, EigenNear(VectorXd{{4.0 / 3.0, 7.0 / 3.0}}, 1e-15));
  EXPECT_THAT(s.y, EigenNear(VectorXd::Zero(2), 0.0));
  EXPECT_LE(s.residual, 1e-14);
}

// Three solutions, all found by enumeration: Lemke must return one of them.
TEST(LemkeTest, ReturnsOneOfSeveralSolutions) {
  const LcpProblem problem{MatrixXd{{1.0, 2.0}, {2.0, 1.0}}, VectorXd{{-1.0, -1.0}}};
  const LcpSolution s = solve_lemke(problem);
  ASSERT_TRUE(s.ok());
  const auto all = enumerate_solutions(problem).solutions;
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const auto& e) { return (e.x - s.x).norm() < 1e-12; }));
}

TEST(LemkeTest, ReturnsSecondaryRayWhenNoSolutionExists) {
  // y_1 = x_2 − x_1 − 1, y_2 = x_1 − x_2 − 1: their sum is −2.
  const LcpProblem problem{MatrixXd{{-1.0, 1.0}, {1.0, -1.0}}, VectorXd{{-1.0, -1.0}}};
  const LcpSolution s = solve_lemke(problem);
  ASSERT_EQ(s.status, LcpStatus::kRayTermination);
  EXPECT_FALSE(s.ok());
  EXPECT_GT(s.residual, 0.1);
  EXPECT_DOUBLE_EQ(s.ray.x.maxCoeff(), 1.0);
  EXPECT_GE(s.ray.x.minCoeff(), 0.0);
  EXPECT_GE(s.ray.y.minCoeff(), 0.0);
  EXPECT_GE(s.ray.z_0, 0.0);
  EXPECT_DOUBLE_EQ(s.ray.x.dot(s.ray.y), 0.0);
  EXPECT_THAT(s.ray.y, EigenNear(problem.A * s.ray.x + VectorXd::Constant(2, s.ray.z_0), 1e-14));
  EXPECT_EQ(enumerate_solutions(problem).count(), 0);
}

TEST(LemkeTest, RayCertifiesInfeasibilityOfASemiDefiniteProblem) {
  // y_1 + y_2 = b_1 + b_2 = −1 whatever x is.
  const LcpProblem problem{MatrixXd{{1.0, -1.0}, {-1.0, 1.0}}, VectorXd{{1.0, -2.0}}};
  const LcpSolution s = solve_lemke(problem);
  ASSERT_EQ(s.status, LcpStatus::kRayTermination);
  EXPECT_TRUE(ray_proves_infeasibility(problem, s.ray));
}

// x = (0, 1) is feasible, yet no feasible point is complementary: the ray must not be taken for a proof.
TEST(LemkeTest, RayIsNoCertificateWhenTheProblemIsFeasible) {
  const LcpProblem problem{MatrixXd{{0.0, 1.0}, {0.0, 0.0}}, VectorXd{{-1.0, 1.0}}};
  const LcpSolution s = solve_lemke(problem);
  ASSERT_EQ(s.status, LcpStatus::kRayTermination);
  EXPECT_FALSE(ray_proves_infeasibility(problem, s.ray));
  EXPECT_EQ(enumerate_solutions(problem).count(), 0);
}

TEST(LemkeTest, RayIsClearedByTheNextSolve) {
  LemkeSolver solver(2);
  LcpSolution s;
  solver.solve(MatrixXd{{1.0, -1.0}, {-1.0, 1.0}}, VectorXd{{1.0, -2.0}}, s);
  ASSERT_EQ(s.status, LcpStatus::kRayTermination);
  solver.solve(MatrixXd::Identity(2, 2), VectorXd{{-1.0, -2.0}}, s);
  ASSERT_TRUE(s.ok());
  EXPECT_THAT(s.ray.x, EigenNear(VectorXd::Zero(2), 0.0));
  EXPECT_EQ(s.ray.z_0, 0.0);
}

TEST(LemkeTest, ReportsThePivotLimit) {
  const LcpSolution s =
      solve_lemke({MatrixXd{{2.0, 1.0}, {1.0, 2.0}}, VectorXd{{-5.0, -6.0}}}, {.max_pivots = 1});
  EXPECT_EQ(s.status, LcpStatus::kMaxPivots);
  EXPECT_EQ(s.pivots, 1);
}

TEST(LemkeTest, DowngradesItselfWhenTheResidualFails) {
  const LcpSolution s =
      solve_lemke({MatrixXd{{3.0, 1.0}, {1.0, 7.0}}, VectorXd{{-0.1, -0.7}}}, {.residual_tol = -1.0});
  EXPECT_EQ(s.status, LcpStatus::kResidualTooLarge);
}

// Equal entries of b and the cyclic symmetry make the ratios tie.
TEST(LemkeTest, SolvesACyclicProblemWhoseRatiosTie) {
  const LcpProblem problem{MatrixXd{{1.0, 2.0, 0.0}, {0.0, 1.0, 2.0}, {2.0, 0.0, 1.0}},
                           VectorXd::Constant(3, -1.0)};
  const LcpSolution s = solve_lemke(problem);
  ASSERT_TRUE(s.ok());
  EXPECT_THAT(s.x, EigenNear(VectorXd::Constant(3, 1.0 / 3.0), 1e-15));
}

// Lower triangular with 2 below the unit diagonal: only the first pair is active, x = (1, 0, …,
// 0).
TEST(LemkeTest, SolvesLowerTriangularProblems) {
  for (const Index n : {2, 5, 8}) {
    const MatrixXd U = MatrixXd::Constant(n, n, 2.0).triangularView<Eigen::StrictlyUpper>();
    const LcpProblem problem{U.transpose() + MatrixXd::Identity(n, n), VectorXd::Constant(n, -1.0)};
    const LcpSolution s = solve_lemke(problem);
    ASSERT_TRUE(s.ok()) << "n = " << n;
    EXPECT_THAT(s.x, EigenNear(VectorXd::Unit(n, 0), 1e-14));
  }
}

TEST(LemkeTest, IsIndifferentToTheUnitsOfAAndB) {
  const MatrixXd A{{4.0, -1.0, 0.5}, {1.0, 3.0, -2.0}, {0.2, 1.0, 2.0}};
  const VectorXd b{{-1.0, 2.0, -3.0}};
  const LcpSolution s = solve_lemke({A, b});
  ASSERT_TRUE(s.ok());
  for (const double scale : {1e-8, 1e8}) {
    const LcpSolution scaled = solve_lemke({scale * A, b});
    ASSERT_TRUE(scaled.ok());
    EXPECT_THAT(scaled.x * scale, EigenNear(s.x, 1e-14));
  }
}

TEST(LemkeTest, RefusesAProblemAboveItsSize) {
  LemkeSolver solver(2);
  LcpSolution s;
  EXPECT_THROW(solver.solve(MatrixXd::Identity(3, 3), VectorXd::Zero(3), s), InvalidArgument);
  EXPECT_THROW(LemkeSolver(-1), InvalidArgument);
}

}  // namespace
}  // namespace enfold::lcp
