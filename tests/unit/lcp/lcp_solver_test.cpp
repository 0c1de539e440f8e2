// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/lcp_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "enfold/base/error.hpp"
#include "enfold/lcp/enumeration.hpp"
#include "enfold/lcp/lcp_residual.hpp"
#include "enfold/test/matchers.hpp"

namespace enfold::lcp {
namespace {

using test::EigenNear;

class RandomLcp {
 public:
  explicit RandomLcp(std::uint64_t seed) : engine_{seed} {}

  double normal() { return normal_(engine_); }
  VectorXd vector(Index n) {
    return VectorXd::NullaryExpr(n, [this](Index) { return normal(); });
  }
  MatrixXd matrix(Index rows, Index columns) {
    return MatrixXd::NullaryExpr(rows, columns, [this](Index, Index) { return normal(); });
  }

  // B Bᵀ + C − Cᵀ + 0.1 I
  MatrixXd definite(Index n) {
    const MatrixXd B = matrix(n, n);
    const MatrixXd C = matrix(n, n);
    return B * B.transpose() + C - C.transpose() + 0.1 * MatrixXd::Identity(n, n);
  }

  // Triangular with a positive diagonal, rows and columns permuted alike: a P-matrix whose symmetric part is
  // mostly indefinite.
  MatrixXd permuted_triangular(Index n) {
    MatrixXd T = matrix(n, n).triangularView<Eigen::StrictlyUpper>();
    for (Index i = 0; i < n; ++i) T(i, i) = 0.3 + std::abs(normal());
    Eigen::PermutationMatrix<Eigen::Dynamic> P(n);
    P.setIdentity();
    std::shuffle(P.indices().begin(), P.indices().end(), engine_);
    return P * T * P.transpose();
  }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

double size_of(const VectorXd& v) {
  return std::max(1.0, v.cwiseAbs().maxCoeff());
}

void expect_solution(const LcpProblem& problem, const LcpSolution& s) {
  ASSERT_TRUE(s.ok()) << s.message();
  EXPECT_LE(lcp_residual(problem, s.x), 1e-9 * size_of(problem.b));
  EXPECT_GE(s.x.minCoeff(), 0.0);
  EXPECT_GE(s.y.minCoeff(), 0.0);
  EXPECT_EQ(s.x.cwiseMin(s.y).maxCoeff(), 0.0);
  EXPECT_THAT(s.y, EigenNear(problem.A * s.x + problem.b, 1e-9 * size_of(problem.b)));
}

// Every size up to 9 crosses the fixed lengths, their padding and the loops of unknown length.
TEST(PrincipalPivotTest, EqualsEnumerationOnPMatricesOfEverySmallSize) {
  for (Index n = 1; n <= 9; ++n) {
    PrincipalPivotSolver solver(n);
    LcpSolution s;
    for (std::uint64_t k = 0; k < 60; ++k) {
      RandomLcp random(1000 * static_cast<std::uint64_t>(n) + k);
      const LcpProblem problem{k % 2 == 0 ? random.definite(n) : random.permuted_triangular(n),
                               random.vector(n)};
      SCOPED_TRACE(::testing::Message() << "n = " << n << ", k = " << k);
      solver.solve(problem.A, problem.b, s);
      expect_solution(problem, s);
      const auto all = enumerate_solutions(problem);
      ASSERT_EQ(all.count(), 1);
      EXPECT_THAT(s.x, EigenNear(all.solutions[0].x, 1e-7 * size_of(s.x)));
    }
  }
}

TEST(LcpSolverTest, EqualsLemkeOnLargePMatrices) {
  LcpSolver solver(64);
  LcpSolution s;
  for (const Index n : {10, 13, 16, 32, 33, 64}) {
    for (std::uint64_t k = 0; k < 6; ++k) {
      RandomLcp random(100 * static_cast<std::uint64_t>(n) + k);
      const LcpProblem problem{random.definite(n), random.vector(n)};
      SCOPED_TRACE(::testing::Message() << "n = " << n << ", k = " << k);
      solver.solve(problem.A, problem.b, s);
      expect_solution(problem, s);
      EXPECT_THAT(s.x, EigenNear(solve_lemke(problem).x, 1e-7 * size_of(s.x)));
    }
  }
}

// b = −A x with x_i = 0 at every other index, or entries −1, 0, 1: several bases share the solution.
TEST(LcpSolverTest, SolvesDegenerateRightSides) {
  for (const Index n : {2, 3, 4, 7, 8, 12, 20}) {
    LcpSolver solver(n);
    LcpSolution s;
    for (std::uint64_t k = 0; k < 40; ++k) {
      RandomLcp random(10'000 * static_cast<std::uint64_t>(n) + k);
      LcpProblem problem{random.definite(n), VectorXd::Zero(n)};
      VectorXd x = VectorXd::Zero(n);
      for (Index i = 0; i < n; i += 2) x(i) = std::abs(random.normal());
      problem.b = -problem.A * x;
      SCOPED_TRACE(::testing::Message() << "n = " << n << ", k = " << k);
      solver.solve(problem.A, problem.b, s);
      expect_solution(problem, s);
      EXPECT_THAT(s.x, EigenNear(x, 1e-7 * size_of(x)));
      for (Index i = 0; i < n; ++i) problem.b(i) = std::round(std::clamp(random.normal(), -1.0, 1.0));
      solver.solve(problem.A, problem.b, s);
      expect_solution(problem, s);
      EXPECT_THAT(s.x, EigenNear(solve_lemke(problem).x, 1e-7 * size_of(s.x)));
    }
  }
}

// A = J Jᵀ, b = J v: x is not unique, but A x is.
TEST(LcpSolverTest, SolvesRedundantContactsWithOneVelocity) {
  for (const Index n : {2, 4, 8, 16, 32}) {
    LcpSolver solver(n);
    LcpSolution s;
    for (std::uint64_t k = 0; k < 40; ++k) {
      RandomLcp random(77 * static_cast<std::uint64_t>(n) + k);
      MatrixXd J = random.matrix(n, (n + 1) / 2);
      J.rowwise().normalize();
      if (k % 2 == 0) J.bottomRows(n / 2) = J.topRows(n / 2);
      const LcpProblem problem{J * J.transpose(), J * random.vector(J.cols())};
      SCOPED_TRACE(::testing::Message() << "n = " << n << ", k = " << k);
      solver.solve(problem.A, problem.b, s);
      ASSERT_TRUE(s.ok()) << s.message();
      EXPECT_LE(lcp_residual(problem, s.x), 1e-8 * size_of(problem.b));
      EXPECT_THAT(problem.A * s.x, EigenNear(problem.A * solve_lemke(problem).x, 1e-6 * size_of(problem.b)));
    }
  }
}

TEST(LcpSolverTest, InfeasibleSemiDefiniteProblemsEndInACertifiedRay) {
  for (const Index n : {2, 5, 8, 12}) {
    for (std::uint64_t k = 0; k < 20; ++k) {
      RandomLcp random(500 * static_cast<std::uint64_t>(n) + k);
      MatrixXd J = random.matrix(n, n);
      J.row(n - 1) = -J.row(0);
      LcpProblem problem{J * J.transpose(), random.vector(n)};
      problem.b(n - 1) = -problem.b(0) - 0.1 - std::abs(random.normal());
      const LcpSolution s = solve_lcp(problem);
      ASSERT_EQ(s.status, LcpStatus::kRayTermination) << "n = " << n << ", k = " << k;
      EXPECT_TRUE(ray_proves_infeasibility(problem, s.ray));
    }
  }
}

TEST(LcpSolverTest, GoesOnWithLemkeWhereThereIsNoPositiveDiagonal) {
  const LcpProblem problem{MatrixXd{{0.0, 1.0}, {-1.0, 0.0}}, VectorXd{{-1.0, 2.0}}};
  LcpSolution s;
  PrincipalPivotSolver pivoting(2);
  pivoting.solve(problem.A, problem.b, s);
  EXPECT_EQ(s.status, LcpStatus::kPivotBreakdown);
  s = solve_lcp(problem);
  ASSERT_TRUE(s.ok());
  EXPECT_THAT(s.x, EigenNear(VectorXd{{2.0, 1.0}}, 1e-15));
}

TEST(PrincipalPivotTest, SaysThatAPivotIsZero) {
  // After x_1 the Schur complement of index 0 is 0, and y_0 < 0 is left.
  const MatrixXd A{{1.0, -1.0}, {-1.0, 1.0}};
  PrincipalPivotSolver solver(2);
  LcpSolution s;
  solver.solve(A, VectorXd{{1.0, -2.0}}, s);
  EXPECT_EQ(s.status, LcpStatus::kPivotBreakdown);
  EXPECT_EQ(s.message(), "pivot breakdown");
  EXPECT_GT(s.residual, 0.1);
  EXPECT_EQ(s.residual, lcp_residual(A, VectorXd{{1.0, -2.0}}, s.x));
}

TEST(PrincipalPivotTest, ReportsThePivotLimit) {
  PrincipalPivotSolver solver(2, {.max_pivots = 1});
  LcpSolution s;
  solver.solve(MatrixXd{{2.0, 1.0}, {1.0, 2.0}}, VectorXd{{-5.0, -6.0}}, s);
  EXPECT_EQ(s.status, LcpStatus::kMaxPivots);
  EXPECT_EQ(s.pivots, 1);
}

TEST(PrincipalPivotTest, DowngradesItselfWhenTheResidualFails) {
  PrincipalPivotSolver solver(2, {.residual_tol = -1.0});
  LcpSolution s;
  solver.solve(MatrixXd{{3.0, 1.0}, {1.0, 7.0}}, VectorXd{{-0.1, -0.7}}, s);
  EXPECT_EQ(s.status, LcpStatus::kResidualTooLarge);
}

// warm_tol = 0 asks for a refinement of every point that is not exact.
TEST(PrincipalPivotTest, RefinementNeverMakesTheResidualWorse) {
  PrincipalPivotSolver plain(12);
  PrincipalPivotSolver refining(12, {.warm_tol = 0.0});
  LcpSolution s;
  LcpSolution refined;
  int better = 0;
  for (std::uint64_t k = 0; k < 50; ++k) {
    RandomLcp random(900 + k);
    const LcpProblem problem{random.permuted_triangular(12), random.vector(12)};
    plain.solve(problem.A, problem.b, s);
    refining.solve(problem.A, problem.b, refined);
    expect_solution(problem, refined);
    EXPECT_LE(refined.residual, s.residual);
    better += refined.residual < s.residual ? 1 : 0;
  }
  EXPECT_GT(better, 10);
}

TEST(PrincipalPivotTest, IsIndifferentToTheUnitsOfAAndB) {
  const MatrixXd A{{4.0, -1.0, 0.5}, {1.0, 3.0, -2.0}, {0.2, 1.0, 2.0}};
  const VectorXd b{{-1.0, 2.0, -3.0}};
  const LcpSolution s = solve_lcp({A, b});
  ASSERT_TRUE(s.ok());
  for (const double scale : {1e-8, 1e8}) {
    const LcpSolution scaled = solve_lcp({scale * A, b});
    ASSERT_TRUE(scaled.ok());
    EXPECT_EQ(scaled.pivots, s.pivots);
    EXPECT_THAT(scaled.x * scale, EigenNear(s.x, 1e-14));
  }
}

TEST(LcpSolverTest, SolvesTheEmptyAndTheTrivialProblem) {
  EXPECT_TRUE(solve_lcp({MatrixXd(0, 0), VectorXd(0)}).ok());
  const LcpSolution s = solve_lcp({MatrixXd::Constant(2, 2, -1.0), VectorXd{{0.0, 3.0}}});
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s.pivots, 0);
  EXPECT_THAT(s.x, EigenNear(VectorXd::Zero(2), 0.0));
}

TEST(LcpSolverTest, RefusesInvalidInput) {
  LcpSolver solver(2);
  LcpSolution s;
  EXPECT_THROW(solver.solve(MatrixXd::Identity(3, 3), VectorXd::Zero(3), s), InvalidArgument);
  EXPECT_THROW(solver.solve(MatrixXd::Identity(2, 2), VectorXd::Constant(2, std::nan("")), s),
               InvalidArgument);
  EXPECT_THROW(PrincipalPivotSolver(-1), InvalidArgument);
}

}  // namespace
}  // namespace enfold::lcp
