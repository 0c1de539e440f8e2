// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/warm_lcp_solver.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "enfold/base/error.hpp"
#include "enfold/lcp/lemke.hpp"
#include "enfold/test/matchers.hpp"

namespace enfold::lcp {
namespace {

using test::EigenNear;

const MatrixXd kThreeSolutions{{1.0, 2.0}, {2.0, 1.0}};  // with b = (−1, −1): x = (1, 0), (0, 1), (⅓, ⅓)

TEST(WarmLcpSolverTest, ASecondSolveOfASimilarProblemNeedsNoPivot) {
  const MatrixXd A{{2.0, 1.0}, {1.0, 2.0}};
  WarmLcpSolver solver(4);
  ASSERT_TRUE(solver.solve(A, VectorXd{{-5.0, -6.0}}).ok());
  const LcpSolution& s = solver.solve(A, VectorXd{{-5.1, -5.9}});
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s.pivots, 0);
  EXPECT_THAT(s.x, EigenNear(solve_lemke({A, VectorXd{{-5.1, -5.9}}}).x, 1e-14));
}

// Along a path of right sides the active set changes many times; every step must equal a cold Lemke solve.
TEST(WarmLcpSolverTest, EqualsLemkeAlongAPathOfProblems) {
  for (const Index n : {4, 11}) {
    const MatrixXd B = MatrixXd::NullaryExpr(
        n, n, [n](Index i, Index j) { return std::sin(static_cast<double>(3 * i + 7 * j * j + n)); });
    const MatrixXd A = B * B.transpose() + MatrixXd::Identity(n, n);
    WarmLcpSolver warm(n);
    for (int k = 0; k < 500; ++k) {
      const VectorXd b = VectorXd::NullaryExpr(
          n, [k](Index i) { return std::sin(0.05 * k * static_cast<double>(i + 1) + 0.3); });
      const LcpSolution& s = warm.solve(A, b);
      ASSERT_TRUE(s.ok()) << k;
      ASSERT_THAT(s.x, EigenNear(solve_lemke({A, b}).x, 1e-10)) << k;
      ASSERT_GE(s.y.minCoeff(), 0.0);
      ASSERT_EQ(s.x.dot(s.y), 0.0);
    }
  }
}

TEST(WarmLcpSolverTest, AGivenBasisSelectsAmongSeveralSolutions) {
  const VectorXd b{{-1.0, -1.0}};
  WarmLcpSolver solver(2);
  EXPECT_THAT(solver.solve_from_basis(kThreeSolutions, b, std::array<Index, 1>{0}).x,
              EigenNear(VectorXd{{1.0, 0.0}}, 1e-15));
  EXPECT_THAT(solver.solve_from_basis(kThreeSolutions, b, std::array<Index, 1>{1}).x,
              EigenNear(VectorXd{{0.0, 1.0}}, 1e-15));
  EXPECT_THAT(solver.solve_from_basis(kThreeSolutions, b, std::array<Index, 2>{0, 1}).x,
              EigenNear(VectorXd{{1.0 / 3.0, 1.0 / 3.0}}, 1e-15));
}

TEST(WarmLcpSolverTest, AWrongGuessFallsBackToLemke) {
  // A_SS of the guess is singular.
  const MatrixXd A{{0.0, 1.0}, {-1.0, 0.0}};
  const VectorXd b{{-1.0, 2.0}};
  WarmLcpSolver solver(2);
  const LcpSolution& s = solver.solve_from_basis(A, b, std::array<Index, 1>{0});
  ASSERT_TRUE(s.ok());
  EXPECT_THAT(s.x, EigenNear(VectorXd{{2.0, 1.0}}, 1e-15));
}

TEST(WarmLcpSolverTest, RemembersOneBasisPerSize) {
  WarmLcpSolver solver(3);
  const VectorXd b2{{-1.0, -1.0}};
  const VectorXd b3{{-1.0, -2.0, -3.0}};
  (void)solver.solve_from_basis(kThreeSolutions, b2, std::array<Index, 1>{1});
  ASSERT_TRUE(solver.solve(MatrixXd::Identity(3, 3), b3).ok());
  const LcpSolution& s = solver.solve(kThreeSolutions, b2);
  EXPECT_THAT(s.x, EigenNear(VectorXd{{0.0, 1.0}}, 1e-15));
  EXPECT_EQ(s.pivots, 0);
  solver.reset();
  EXPECT_GT(solver.solve(MatrixXd::Identity(3, 3), b3).pivots, 0);
}

TEST(WarmLcpSolverTest, ReportsTheRayAndRecovers) {
  const MatrixXd A{{1.0, -1.0}, {-1.0, 1.0}};
  WarmLcpSolver solver(2);
  const LcpSolution& s = solver.solve(A, VectorXd{{1.0, -2.0}});
  ASSERT_EQ(s.status, LcpStatus::kRayTermination);
  EXPECT_EQ(s.ray.x.maxCoeff(), 1.0);
  ASSERT_TRUE(solver.solve(MatrixXd::Identity(2, 2), VectorXd{{-1.0, 1.0}}).ok());
  EXPECT_EQ(s.ray.x.maxCoeff(), 0.0);
}

TEST(WarmLcpSolverTest, RefusesInvalidInput) {
  WarmLcpSolver solver(2);
  EXPECT_THROW((void)solver.solve(MatrixXd::Identity(3, 3), VectorXd::Zero(3)), InvalidArgument);
  EXPECT_THROW((void)solver.solve(MatrixXd::Identity(2, 2), VectorXd::Constant(2, std::nan(""))),
               InvalidArgument);
  EXPECT_THROW((void)solver.solve_from_basis(kThreeSolutions, VectorXd::Zero(2), std::array<Index, 1>{2}),
               InvalidArgument);
}

}  // namespace
}  // namespace enfold::lcp
