// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/solution_change.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "enfold/base/counter_random.hpp"
#include "enfold/base/error.hpp"
#include "enfold/lcp/enumeration.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/test/matchers.hpp"

namespace enfold::lcp {
namespace {

using test::EigenNear;

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_{seed, 51} {}
  MatrixXd matrix(Index rows, Index cols) {
    MatrixXd A(rows, cols);
    for (Index i = 0; i < A.size(); ++i) A.data()[i] = random_.symmetric(n_++);
    return A;
  }
  /// In the unit ball, more often near its surface.
  VectorXd in_ball(Index n) {
    const VectorXd d = matrix(n, 1);
    return d.normalized() * std::pow(random_.uniform(n_++), 1.0 / static_cast<double>(n));
  }

 private:
  CounterRandom random_;
  std::uint64_t n_ = 0;
};

// The cones of A = diag(−1, 1): S = {} and {1} both cover b_1 ≥ 0, b_2 ≥ 0; {2} and {1, 2} cover b_1 ≥ 0,
// b_2 ≤ 0. Two solutions for b_1 > 0, none for b_1 < 0.
TEST(SolutionChangeTest, FindsTheWallOfATwoByTwoExample) {
  const LcpProblem problem{MatrixXd{{-1.0, 0.0}, {0.0, 1.0}}, VectorXd{{3.0, 4.0}}};
  const SolutionChange change = nearest_solution_change(problem);
  ASSERT_EQ(change.status, ChangeStatus::kFound);
  EXPECT_EQ(change.kind, ChangeKind::kFold);
  EXPECT_NEAR(change.distance, 3.0, 1e-14);
  EXPECT_EQ(change.lower_bound, change.distance);
  EXPECT_THAT(change.b_changed, EigenNear(VectorXd{{0.0, 4.0}}, 1e-14));
  EXPECT_EQ(change.count_before, 2);
  EXPECT_EQ(change.count_after, 0);
  EXPECT_EQ(change.active, std::vector<Index>{});
  EXPECT_EQ(change.index, 0);
}

// A = [1 2; 2 1], three solutions between the rays (−1, −2) and (−2, −1), one elsewhere. b = (−1, −1) is
// 1/√5 away from both.
TEST(SolutionChangeTest, FindsTheEdgeOfThreeSolutions) {
  const LcpProblem problem{MatrixXd{{1.0, 2.0}, {2.0, 1.0}}, VectorXd{{-1.0, -1.0}}};
  const SolutionChange change = nearest_solution_change(problem);
  ASSERT_EQ(change.status, ChangeStatus::kFound);
  EXPECT_NEAR(change.distance, 1.0 / std::sqrt(5.0), 1e-14);
  EXPECT_EQ(change.count_before, 3);
  EXPECT_EQ(change.count_after, 1);
}

// From outside the wedge, the nearest point may be its apex.
TEST(SolutionChangeTest, FindsTheApexOfACone) {
  const LcpProblem problem{MatrixXd{{1.0, 2.0}, {2.0, 1.0}}, VectorXd{{3.0, 4.0}}};
  const SolutionChange change = nearest_solution_change(problem);
  ASSERT_EQ(change.status, ChangeStatus::kFound);
  EXPECT_NEAR(change.distance, 5.0, 1e-14);
  EXPECT_THAT(change.b_changed, EigenNear(VectorXd::Zero(2), 1e-14));
  EXPECT_EQ(change.count_before, 1);
  EXPECT_EQ(change.count_after, 3);
}

TEST(SolutionChangeTest, OneDimensionChangesAtZero) {
  const SolutionChange change = nearest_solution_change({MatrixXd{{-2.0}}, VectorXd{{-0.5}}});
  ASSERT_EQ(change.status, ChangeStatus::kFound);
  EXPECT_EQ(change.distance, 0.5);
  EXPECT_EQ(change.count_before, 0);
  EXPECT_EQ(change.count_after, 2);
}

// A = [1 1; 1 1]: on the ray (−1, −1) the solutions fill a segment.
TEST(SolutionChangeTest, FindsAContinuum) {
  const LcpProblem problem{MatrixXd::Ones(2, 2), VectorXd{{-1.0, -2.0}}};
  const SolutionChange change = nearest_solution_change(problem);
  ASSERT_EQ(change.status, ChangeStatus::kFound);
  EXPECT_EQ(change.kind, ChangeKind::kContinuum);
  EXPECT_NEAR(change.distance, std::sqrt(0.5), 1e-14);
  EXPECT_THAT(change.b_changed, EigenNear(VectorXd{{-1.5, -1.5}}, 1e-14));
  EXPECT_EQ(change.count_after, std::nullopt);
  EXPECT_EQ(enumerate_solutions({problem.A, change.b_beyond}).status, EnumerationStatus::kContinuum);
}

TEST(SolutionChangeTest, BOnTheWallIsAtDistanceZero) {
  const SolutionChange change =
      nearest_solution_change({MatrixXd{{-1.0, 0.0}, {0.0, 1.0}}, VectorXd{{0.0, 4.0}}});
  ASSERT_EQ(change.status, ChangeStatus::kFound);
  EXPECT_NEAR(change.distance, 0.0, 1e-15);
}

TEST(SolutionChangeTest, APMatrixNeverChanges) {
  Draws draws(7);
  for (Index n = 1; n <= 7; ++n) {
    const MatrixXd B = draws.matrix(n, n);
    const LcpProblem problem{B * B.transpose() + MatrixXd::Identity(n, n), draws.matrix(n, 1)};
    const SolutionChange change = nearest_solution_change(problem);
    EXPECT_EQ(change.status, ChangeStatus::kNever);
    EXPECT_TRUE(std::isinf(change.distance));
    EXPECT_EQ(change.count_before, 1);
  }
}

// The ball of the reported distance holds one count only, and just beyond the point there is another.
TEST(SolutionChangeTest, NoSampleWithinTheDistanceHasAnotherCount) {
  int folds = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    Draws draws(100 + seed);
    const Index n = 2 + static_cast<Index>(seed % 4);
    const LcpProblem problem{draws.matrix(n, n), draws.matrix(n, 1)};
    if (test_p_matrix(problem.A).status != PMatrixStatus::kNotP) continue;
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", n " << n);
    const SolutionChange change = nearest_solution_change(problem);
    ASSERT_EQ(change.status, ChangeStatus::kFound);
    EXPECT_EQ(enumerate_solutions(problem).count(), change.count_before);
    EXPECT_NEAR((change.b_changed - problem.b).norm(), change.distance, 1e-13);
    EXPECT_LE((change.b_beyond - change.b_changed).norm(), 1e-2);
    EXPECT_EQ(enumerate_solutions({problem.A, change.b_beyond}).count(), change.count_after);
    EXPECT_NE(change.count_after, change.count_before);
    int others = 0;
    for (int k = 0; k < 2000; ++k) {
      const VectorXd b = problem.b + 0.999 * change.distance * draws.in_ball(n);
      others += enumerate_solutions({problem.A, b}).count() != change.count_before ? 1 : 0;
    }
    EXPECT_EQ(others, 0);
    ++folds;
  }
  EXPECT_GE(folds, 15);
}

// Whole numbers make facets coincide and minors vanish: folds may cancel there.
TEST(SolutionChangeTest, CoincidingFacetsDoNotHideAChange) {
  int never = 0;
  int found = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Draws draws(700 + seed);
    const Index n = 2 + static_cast<Index>(seed % 2);
    const LcpProblem problem{(1.5 * draws.matrix(n, n)).array().round(), draws.matrix(n, 1)};
    SCOPED_TRACE(testing::Message() << "seed " << seed << "\n" << problem.A);
    const SolutionChange change = nearest_solution_change(problem);
    ASSERT_NE(change.status, ChangeStatus::kUndecided);
    never += change.status == ChangeStatus::kNever ? 1 : 0;
    found += change.status == ChangeStatus::kFound ? 1 : 0;
    const double reach = change.status == ChangeStatus::kNever ? 10.0 : 0.999 * change.lower_bound;
    for (int k = 0; k < 300; ++k) {
      const VectorXd b = problem.b + reach * draws.in_ball(n);
      ASSERT_EQ(enumerate_solutions({problem.A, b}).count(), change.count_before);
    }
  }
  EXPECT_GT(never, 5);
  EXPECT_GT(found, 150);
}

TEST(SolutionChangeTest, ScalesWithBAndNotWithA) {
  Draws draws(5);
  const LcpProblem problem{draws.matrix(3, 3) - MatrixXd::Identity(3, 3), draws.matrix(3, 1)};
  const SolutionChange one = nearest_solution_change(problem);
  const SolutionChange two = nearest_solution_change({1e6 * problem.A, 1e-5 * problem.b});
  ASSERT_EQ(one.status, ChangeStatus::kFound);
  ASSERT_EQ(two.status, ChangeStatus::kFound);
  EXPECT_NEAR(two.distance, 1e-5 * one.distance, 1e-17);
  EXPECT_EQ(one.active, two.active);
}

TEST(SolutionChangeTest, LeavesLargeProblemsAloneUnlessTheyAreP) {
  const MatrixXd I = MatrixXd::Identity(11, 11);
  EXPECT_EQ(nearest_solution_change({-I, VectorXd::Ones(11)}).status, ChangeStatus::kTooLarge);
  EXPECT_EQ(nearest_solution_change({I, VectorXd::Ones(11)}).status, ChangeStatus::kNever);
  EXPECT_THROW((void)nearest_solution_change({MatrixXd::Identity(2, 2), VectorXd::Ones(2)}, {.limit = 13}),
               InvalidArgument);
  EXPECT_THROW((void)nearest_solution_change({MatrixXd::Identity(2, 2), VectorXd::Ones(3)}), InvalidArgument);
}

}  // namespace
}  // namespace enfold::lcp
