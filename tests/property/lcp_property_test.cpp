// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "enfold/lcp/enumeration.hpp"
#include "enfold/lcp/lcp_residual.hpp"
#include "enfold/lcp/lemke.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/lcp/warm_lcp_solver.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/test/matchers.hpp"
#include "lcp_generators.hpp"

namespace enfold::lcp {
namespace {

using test::EigenNear;
using test::LcpGenerator;

constexpr Index kEnumerated = 10;  // largest n whose solutions are enumerated

std::uint64_t seed_of(int family, Index n, int k) {
  return static_cast<std::uint64_t>(family) * 1'000'000'000U + static_cast<std::uint64_t>(n) * 10'000'000U +
         static_cast<std::uint64_t>(k);
}

double size_of(const VectorXd& v) {
  return std::max(1.0, v.cwiseAbs().maxCoeff());
}

std::string size_name(const ::testing::TestParamInfo<int>& info) {
  return fmt::format("n{:02}", info.param);
}

class LcpSizeTest : public ::testing::TestWithParam<int> {
 protected:
  // Solves one problem by Lemke and warm, checks both by the residual and by enumeration; returns the
  // residual ratio.
  static double check_unique_solution(const LcpProblem& problem, LemkeSolver& lemke, WarmLcpSolver& warm) {
    LcpSolution s;
    lemke.solve(problem.A, problem.b, s);
    EXPECT_EQ(s.status, LcpStatus::kSolved) << s.message();
    const double ratio = lcp_residual(problem, s.x) / size_of(problem.b);
    EXPECT_LE(ratio, 1e-9);
    EXPECT_GE(s.x.minCoeff(), 0.0);
    EXPECT_GE(s.y.minCoeff(), 0.0);
    EXPECT_EQ(s.x.cwiseMin(s.y).maxCoeff(), 0.0);

    const LcpSolution& w = warm.solve(problem.A, problem.b);
    EXPECT_TRUE(w.ok()) << w.message();
    EXPECT_THAT(w.x, EigenNear(s.x, 1e-7 * size_of(s.x)));
    if (problem.size() <= kEnumerated) {
      const EnumerationResult all = enumerate_solutions(problem);
      EXPECT_EQ(all.count(), 1) << to_string(all.status);
      if (all.solutions.size() == 1) {
        EXPECT_THAT(s.x, EigenNear(all.solutions[0].x, 1e-7 * size_of(s.x)));
      }
    }
    return ratio;
  }
};

class LcpPositiveDefiniteTest : public LcpSizeTest {};
class LcpIndefinitePMatrixTest : public LcpSizeTest {};
class LcpDegenerateTest : public LcpSizeTest {};
class LcpInfeasibleTest : public LcpSizeTest {};

TEST_P(LcpPositiveDefiniteTest, EveryProblemIsSolvedAndEqualsEnumeration) {
  const Index n = GetParam();
  LemkeSolver lemke(n);
  WarmLcpSolver warm(n);
  double worst = 0.0;
  for (int k = 0; k < test::count(200, 10'000) && !HasFailure(); ++k) {
    const std::uint64_t seed = seed_of(1, n, k);
    SCOPED_TRACE(fmt::format("seed {}, n = {}", seed, n));
    worst = std::max(worst, check_unique_solution(LcpGenerator(seed).positive_definite(n), lemke, warm));
  }
  RecordProperty("worst_residual", fmt::format("{:.2e}", worst));
}

TEST_P(LcpIndefinitePMatrixTest, EveryProblemIsSolvedAndEqualsEnumeration) {
  const Index n = GetParam();
  LemkeSolver lemke(n);
  WarmLcpSolver warm(n);
  PMatrixTester tester(n);
  double worst = 0.0;
  for (int k = 0; k < test::count(200, 10'000) && !HasFailure(); ++k) {
    const std::uint64_t seed = seed_of(2, n, k);
    SCOPED_TRACE(fmt::format("seed {}, n = {}", seed, n));
    const LcpProblem problem = LcpGenerator(seed).indefinite_p_matrix(n);
    if (n > 1) {
      EXPECT_LT(LcpGenerator::smallest_eigenvalue_of_symmetric_part(problem.A), 0.0);
    }
    if (n <= kEnumerated) {
      EXPECT_EQ(tester.test(problem.A).status, PMatrixStatus::kP);
    }
    worst = std::max(worst, check_unique_solution(problem, lemke, warm));
  }
  RecordProperty("worst_residual", fmt::format("{:.2e}", worst));
}

// b with zeros and equal entries: several bases share the solution, and ratio tests tie.
TEST_P(LcpDegenerateTest, TiedRightSidesOfPMatricesAreSolved) {
  const Index n = GetParam();
  LemkeSolver lemke(n);
  WarmLcpSolver warm(n);
  for (int k = 0; k < test::count(100, 2'000) && !HasFailure(); ++k) {
    const std::uint64_t seed = seed_of(3, n, k);
    SCOPED_TRACE(fmt::format("seed {}, n = {}", seed, n));
    LcpGenerator generator(seed);
    LcpProblem problem = k % 2 == 0 ? generator.positive_definite(n) : generator.indefinite_p_matrix(n);
    for (Index i = 0; i < n; ++i) problem.b(i) = static_cast<double>(generator.below(3)) - 1.0;
    check_unique_solution(problem, lemke, warm);
  }
}

// As many active constraints at the solution as it can have, with b made for them: x_i = y_i = 0 at half the
// indices.
TEST_P(LcpDegenerateTest, SolutionsWithoutStrictComplementarityAreFound) {
  const Index n = GetParam();
  LemkeSolver lemke(n);
  WarmLcpSolver warm(n);
  for (int k = 0; k < test::count(100, 2'000) && !HasFailure(); ++k) {
    const std::uint64_t seed = seed_of(4, n, k);
    SCOPED_TRACE(fmt::format("seed {}, n = {}", seed, n));
    LcpGenerator generator(seed);
    LcpProblem problem = generator.positive_definite(n);
    VectorXd x = VectorXd::Zero(n);
    for (Index i = 0; i < n; i += 2) x(i) = std::abs(generator.normal());
    problem.b = -problem.A * x;
    check_unique_solution(problem, lemke, warm);
    EXPECT_THAT(warm.solve(problem.A, problem.b).x, EigenNear(x, 1e-7 * size_of(x)));
  }
}

// A = J Jᵀ: x is not unique, but the velocity Jᵀ x is.
TEST_P(LcpDegenerateTest, RedundantContactsAreSolvedWithOneVelocity) {
  const Index n = GetParam();
  LemkeSolver lemke(n);
  WarmLcpSolver warm(n);
  LcpSolution s;
  for (int k = 0; k < test::count(100, 2'000) && !HasFailure(); ++k) {
    const std::uint64_t seed = seed_of(5, n, k);
    SCOPED_TRACE(fmt::format("seed {}, n = {}", seed, n));
    const LcpProblem problem = LcpGenerator(seed).redundant(n, k % 2 == 0);
    lemke.solve(problem.A, problem.b, s);
    ASSERT_EQ(s.status, LcpStatus::kSolved) << s.message();
    EXPECT_LE(lcp_residual(problem, s.x), 1e-9 * size_of(problem.b));
    const LcpSolution& w = warm.solve(problem.A, problem.b);
    ASSERT_TRUE(w.ok()) << w.message();
    EXPECT_THAT(problem.A * w.x, EigenNear(problem.A * s.x, 1e-6 * size_of(problem.b)));
  }
}

TEST_P(LcpInfeasibleTest, SemiDefiniteProblemsEndInACertifiedRay) {
  const Index n = GetParam();
  LemkeSolver lemke(n);
  LcpSolution s;
  for (int k = 0; k < test::count(100, 2'000) && !HasFailure(); ++k) {
    const std::uint64_t seed = seed_of(6, n, k);
    SCOPED_TRACE(fmt::format("seed {}, n = {}", seed, n));
    const LcpProblem problem = LcpGenerator(seed).infeasible(n);
    lemke.solve(problem.A, problem.b, s);
    ASSERT_EQ(s.status, LcpStatus::kRayTermination) << s.message();
    EXPECT_TRUE(ray_proves_infeasibility(problem, s.ray));
    EXPECT_THAT(s.ray.y, EigenNear(problem.A * s.ray.x + VectorXd::Constant(n, s.ray.z_0),
                                   1e-9 * size_of(problem.A.reshaped())));
    if (n <= 6) {
      EXPECT_EQ(enumerate_solutions(problem).solutions.size(), 0U);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, LcpPositiveDefiniteTest, ::testing::Range(1, 21), size_name);
INSTANTIATE_TEST_SUITE_P(Sizes, LcpIndefinitePMatrixTest, ::testing::Range(1, 21), size_name);
INSTANTIATE_TEST_SUITE_P(Sizes, LcpInfeasibleTest, ::testing::Values(2, 3, 4, 6, 8, 12, 16, 20), size_name);
INSTANTIATE_TEST_SUITE_P(Sizes, LcpDegenerateTest, ::testing::Values(1, 2, 3, 4, 6, 8, 12, 16, 20),
                         size_name);

}  // namespace
}  // namespace enfold::lcp
