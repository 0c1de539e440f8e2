// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/frontier.hpp"

#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "uniqueness_cases.hpp"

namespace enfold::uniqueness {
namespace {

using lcp::PMatrixStatus;
using test::Example2;

/// The frontier against a scan with bisection. Where the scan steps over a short dip, the P-test on both
/// sides of the frontier decides.
void expect_frontier_of_scan(const MatrixXd& P, const MatrixXd& Q, const Frontier& found, double r_max) {
  const auto scanned = test::loss_by_scan(P, Q, r_max, 400);
  if (found.status != FrontierStatus::kCrossing) {
    EXPECT_EQ(found.status, FrontierStatus::kNone);
    EXPECT_FALSE(scanned.has_value()) << *scanned;
    return;
  }
  const double tol = 1e-9 * std::max(1.0, found.r);
  EXPECT_EQ(test::p_status(P + (found.r - tol) * Q), PMatrixStatus::kP);
  EXPECT_EQ(test::p_status(P + (found.r + tol) * Q), PMatrixStatus::kNotP);
  ASSERT_TRUE(scanned || found.r > r_max * 399 / 400) << "scan found nothing, frontier " << found.r;
  if (!scanned || *scanned - found.r > r_max / 400) return;
  EXPECT_NEAR(*scanned, found.r, tol);
}

// [eq:frontier] [eq:S4.19]
TEST(FrontierTest, LimitsOfExampleTwoAreThoseOfTheChecklist) {
  const double times[] = {0.2, 0.5, 0.8};
  const double mu_1[] = {1.164, 0.961, 0.685};
  const double mu_2[] = {0.909, 0.724, 0.515};
  for (int k = 0; k < 3; ++k) {
    const Example2 at(times[k]);
    const Frontier first = frontier(at.family, at.pairs, at.mu(0.0, 0.6), Eigen::Vector2d(1.0, 0.0));
    ASSERT_EQ(first.status, FrontierStatus::kCrossing);
    EXPECT_NEAR(first.r, mu_1[k], 5e-4) << "t = " << times[k];
    EXPECT_EQ(first.indices, (std::vector<Index>{0, 1, 2, 3}));
    if (mu_2[k] > 0) {
      // From (0.8, 0), which is P at all three instants.
      const Frontier second = frontier(at.family, at.pairs, at.mu(0.8, 0.0), Eigen::Vector2d(0.0, 1.0));
      ASSERT_EQ(second.status, FrontierStatus::kCrossing);
      EXPECT_NEAR(second.r, mu_2[k], 5e-4) << "t = " << times[k];
    }
  }
}

// S4's Figure 7: (0.8, 0.6) is inside at 0.5 s, outside at 0.8 s. [eq:S4.19]
TEST(FrontierTest, DesignOfExampleTwoIsInsideAtHalfASecondAndOutsideAtEightTenths) {
  const auto scale = [](double t) {
    const Example2 at(t);
    return frontier(at.family, VectorXd::Zero(4), at.mu(0.8, 0.6)).r;
  };
  EXPECT_GT(scale(0.5), 1.0);
  EXPECT_LT(scale(0.8), 1.0);
  double inside = 0.5;
  double outside = 0.8;
  for (int k = 0; k < 50; ++k) {
    const double middle = 0.5 * (inside + outside);
    (scale(middle) > 1.0 ? inside : outside) = middle;
  }
  EXPECT_NEAR(inside, 0.647, 1e-3);
}

TEST(FrontierTest, AgreesWithScanAndBisectionOnExampleTwoAlongAnyDirection) {
  const CounterRandom random(72, 0);
  for (int k = 0; k < test::count(40, 400); ++k) {
    const auto n = static_cast<std::uint64_t>(k);
    const Example2 at(0.05 + 0.9 * random.uniform(10 * n));
    const VectorXd d = test::random_vector(random, 10 * n + 1, 4);
    const Frontier found = frontier(at.family, VectorXd::Zero(4), d, {.r_max = 8.0});
    SCOPED_TRACE(fmt::format("seed 72, draw {}", k));
    expect_frontier_of_scan(at.family.A_0, at.family.A_1 * d.asDiagonal(), found, 8.0);
  }
}

// Both slip directions: a negative direction is friction of the other sign. [eq:frontier]
TEST(FrontierTest, AgreesWithScanAndBisectionOnRandomGrasps) {
  const CounterRandom random(73, 0);
  int crossings = 0;
  const int draws = test::count(100, 1000);
  for (int k = 0; k < draws; ++k) {
    const auto n = static_cast<std::uint64_t>(k);
    const FrictionFamily family = test::random_grasp_family(random, n);
    VectorXd d = test::random_vector(random, 900000 + 10 * n, 4);
    if (k % 3 == 0) d = d.cwiseAbs();
    if (k % 7 == 0) d[k % 4] = 0.0;
    const VectorXd mu_0 = k % 2 == 0
                              ? VectorXd(VectorXd::Zero(4))
                              : VectorXd(test::random_vector(random, 950000 + 10 * n, 4, 0.1).cwiseAbs());
    const MatrixXd P = family.A(mu_0);
    if (test::p_status(P) != PMatrixStatus::kP) continue;
    const Frontier found = frontier(family, mu_0, d, {.r_max = 5.0});
    SCOPED_TRACE(fmt::format("seed 73, draw {}", k));
    expect_frontier_of_scan(P, family.A_1 * d.asDiagonal(), found, 5.0);
    crossings += found.status == FrontierStatus::kCrossing ? 1 : 0;
  }
  EXPECT_GT(crossings, draws / 3);
}

TEST(FrontierTest, AgreesWithScanAndBisectionOnRandomFamilies) {
  const CounterRandom random(74, 0);
  int crossings = 0;
  const int draws = test::count(100, 1000);
  for (int k = 0; k < draws; ++k) {
    const auto n = static_cast<std::uint64_t>(k);
    const Index size = 1 + k % 6;
    FrictionFamily family = test::random_family(random, n, size);
    if (k % 4 == 3 && size > 1) family.A_1.row(0) = family.A_1.row(1);  // singular Q
    const VectorXd d = test::random_vector(random, 900000 + 10 * n, size);
    const Frontier found = frontier(family, VectorXd::Zero(size), d, {.r_max = 5.0});
    SCOPED_TRACE(fmt::format("seed 74, draw {}", k));
    expect_frontier_of_scan(family.A_0, family.A_1 * d.asDiagonal(), found, 5.0);
    crossings += found.status == FrontierStatus::kCrossing ? 1 : 0;
  }
  EXPECT_GT(crossings, draws / 2);
}

// The mirror image of a set fails with it when both hands have the same coefficients.
TEST(FrontierTest, SetsThatFailTogetherAreTies) {
  MatrixXd P = MatrixXd::Identity(3, 3);
  MatrixXd Q = MatrixXd::Zero(3, 3);
  Q(0, 0) = -0.5;
  Q(2, 2) = -0.5;
  const Frontier found = frontier(P, Q);
  ASSERT_EQ(found.status, FrontierStatus::kCrossing);
  EXPECT_NEAR(found.r, 2.0, 1e-12);
  EXPECT_EQ(found.indices, (std::vector<Index>{0}));
  EXPECT_EQ(found.ties, (std::vector<std::vector<Index>>{{2}, {0, 1}, {1, 2}}));
  ASSERT_EQ(found.touches.size(), 0u);  // (1 − r/2)² of {0, 2} touches at r itself, not before
}

TEST(FrontierTest, ZeroDirectionHasNoFrontier) {
  const Example2 at(0.5);
  const Frontier found = frontier(at.family, at.mu(0.8, 0.6), VectorXd::Zero(4));
  EXPECT_EQ(found.status, FrontierStatus::kNone);
  EXPECT_TRUE(std::isinf(found.r) && std::isinf(found.proved_to));
}

TEST(FrontierTest, NilpotentDirectionHasNoFrontier) {
  MatrixXd Q = MatrixXd::Zero(3, 3);
  Q(0, 1) = 3.0;
  Q(1, 2) = -2.0;
  EXPECT_EQ(frontier(MatrixXd::Identity(3, 3), Q).status, FrontierStatus::kNone);
}

TEST(FrontierTest, GroupDirectionIsTheExpandedOne) {
  const Example2 at(0.3);
  const Frontier grouped = frontier(at.family, at.pairs, at.mu(0.1, 0.2), Eigen::Vector2d(0.4, 1.0));
  const Frontier expanded = frontier(at.family, at.mu(0.1, 0.2), at.mu(0.4, 1.0));
  EXPECT_EQ(grouped.r, expanded.r);
  EXPECT_EQ(grouped.indices, expanded.indices);
  const FrictionGroups one{{0, -1, 0, -1}, 1};  // the distal pair keeps its coefficients
  EXPECT_EQ(frontier(at.family, one, at.mu(0.1, 0.2), VectorXd::Ones(1)).r,
            frontier(at.family, at.mu(0.1, 0.2), at.mu(1.0, 0.0)).r);
}

TEST(FrontierTest, ReportsAStartThatIsNotPAndSizesAboveTheLimit) {
  const Example2 at(0.8);
  const Frontier outside = frontier(at.family, at.mu(0.8, 0.6), VectorXd::Ones(4));
  EXPECT_EQ(outside.status, FrontierStatus::kNotPAtStart);
  EXPECT_EQ(outside.r, 0.0);
  EXPECT_EQ(outside.indices, (std::vector<Index>{0, 1, 2, 3}));
  EXPECT_EQ(frontier(MatrixXd::Ones(2, 2), MatrixXd::Identity(2, 2)).r, 0.0);
  const MatrixXd large = MatrixXd::Identity(13, 13);
  EXPECT_EQ(frontier(large, -large).status, FrontierStatus::kTooLarge);
}

TEST(FrontierTest, RefusesBadInput) {
  const MatrixXd I = MatrixXd::Identity(2, 2);
  EXPECT_THROW((void)frontier(MatrixXd::Zero(2, 3), I), InvalidArgument);
  EXPECT_THROW((void)frontier(I, MatrixXd::Identity(3, 3)), InvalidArgument);
  EXPECT_THROW((void)frontier(I, MatrixXd::Constant(2, 2, std::nan(""))), InvalidArgument);
  EXPECT_THROW((void)frontier(I, I, {.exact_limit = 17}), InvalidArgument);
  EXPECT_THROW((void)frontier(I, I, {.r_max = 0.0}), InvalidArgument);
  const FrictionFamily family{I, I};
  EXPECT_THROW((void)frontier(family, VectorXd::Zero(2), VectorXd::Zero(3)), InvalidArgument);
  EXPECT_THROW((void)frontier(family, VectorXd::Zero(3), VectorXd::Zero(2)), InvalidArgument);
  EXPECT_THROW((void)frontier(family, VectorXd::Zero(2), VectorXd::Constant(2, INFINITY)), InvalidArgument);
}

// Above the limit no guess: what is proved and what is refuted enclose the exact answer.
TEST(FrontierTest, BoundsAboveTheLimitEncloseTheExactFrontier) {
  const CounterRandom random(78, 0);
  int crossings = 0;
  for (std::uint64_t n = 0; n < 60; ++n) {
    const Index size = 3 + static_cast<Index>(n % 4);
    const FrictionFamily family = test::random_family(random, n, size);
    const VectorXd d = test::random_vector(random, 900000 + 10 * n, size);
    const Frontier exact = frontier(family, VectorXd::Zero(size), d);
    const Frontier bounds = frontier(family, VectorXd::Zero(size), d, {.exact_limit = 2});
    EXPECT_EQ(bounds.status, FrontierStatus::kTooLarge);
    EXPECT_GT(bounds.proved_to, 0.0);
    EXPECT_LE(bounds.proved_to, exact.r * (1.0 + 1e-12));
    EXPECT_GE(bounds.refuted_at, exact.r * (1.0 - 1e-12));
    crossings += std::isfinite(bounds.refuted_at) ? 1 : 0;
  }
  EXPECT_GT(crossings, 10);
}

// r and its ties do not depend on the length of the direction.
TEST(FrontierTest, LongAndShortDirectionsGiveTheSamePlace) {
  const test::Example2 at(0.5);
  const VectorXd d = at.mu(1.0, 0.0);
  const Frontier one = frontier(at.family, VectorXd::Zero(4), d);
  for (const double length : {1e-150, 1e-9, 1e9, 1e100, 1e200}) {
    const Frontier other = frontier(at.family, VectorXd::Zero(4), length * d);
    EXPECT_EQ(other.status, FrontierStatus::kCrossing);
    EXPECT_NEAR(other.r * length / one.r, 1.0, 1e-9) << length;
    EXPECT_EQ(other.indices, one.indices);
    EXPECT_EQ(other.ties, one.ties);
  }
}

}  // namespace
}  // namespace enfold::uniqueness
