// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/directed_frontier.hpp"

#include <gtest/gtest.h>

#include "enfold/uniqueness/family_enclosure.hpp"
#include "enfold/uniqueness/friction_margin.hpp"
#include "uniqueness_cases.hpp"

namespace enfold::uniqueness {
namespace {

using lcp::PMatrixStatus;

// Below r every combination of directions is P, at r the named minor of the named combination vanishes, and
// behind it it is negative. [eq:frontier]
TEST(DirectedFrontierTest, IsTheFirstLossOfAllCombinationsAndNamesTheOneThatFails) {
  const CounterRandom random(91, 0);
  int crossings = 0;
  for (std::uint64_t n = 0; n < 60; ++n) {
    const FrictionFamily family =
        n % 2 == 0 ? test::random_grasp_family(random, n) : test::random_family(random, n, 3);
    const VectorXd mu_0 = VectorXd::Constant(family.size(), n % 3 == 0 ? 0.05 : 0.0);
    const VectorXd d = test::random_vector(random, 300000 + 10 * n, family.size()).cwiseAbs();
    const DirectedFrontier found = directed_frontier(family, mu_0, d, SlipDirections::kBoth);
    const DirectedFrontier declared = directed_frontier(family, mu_0, d, SlipDirections::kDeclared);
    EXPECT_EQ(declared.frontier.r, frontier(family, mu_0, d).r);
    double least = std::numeric_limits<double>::infinity();
    for (const FrictionFamily& one : signed_families(family))
      least = std::min(least, frontier(one, mu_0, d).r);
    if (std::isinf(least)) {
      EXPECT_TRUE(std::isinf(found.frontier.r));
      continue;
    }
    EXPECT_NEAR(found.frontier.r, least, 1e-9 * std::max(1.0, least)) << "seed 91, draw " << n;
    EXPECT_LE(found.frontier.r, declared.frontier.r + 1e-9);
    if (found.frontier.status != FrontierStatus::kCrossing) continue;
    ++crossings;
    const auto& S = found.frontier.indices;
    const auto minor = [&](double r) {
      const VectorXd mu = found.signs.cwiseProduct(mu_0 + r * d);
      return family.A(mu)(S, S).determinant();
    };
    const double r = found.frontier.r;
    EXPECT_GT(minor(r * (1.0 - 1e-6)), 0.0) << "seed 91, draw " << n;
    EXPECT_LT(minor(r * (1.0 + 1e-6)), 0.0) << "seed 91, draw " << n;
    for (const std::vector<Index>& tie : found.frontier.ties) EXPECT_NE(tie, S);
  }
  EXPECT_GT(crossings, 20);
}

TEST(DirectedFrontierTest, AboveTheLimitNothingIsClaimedOfTheOtherDirections) {
  const MatrixXd A = MatrixXd::Identity(13, 13);
  const FrictionFamily family{A, 0.1 * A};
  const DirectedFrontier found =
      directed_frontier(family, VectorXd::Zero(13), VectorXd::Ones(13), SlipDirections::kBoth);
  EXPECT_EQ(found.frontier.status, FrontierStatus::kTooLarge);
  EXPECT_EQ(found.frontier.proved_to, 0.0);
}

// Above the limit the margin is a lower bound that the exact one, on a family of a size that both can do,
// confirms.
TEST(FrictionMarginTest, AboveTheLimitALowerBoundIsProved) {
  const CounterRandom random(92, 0);
  int positive = 0;
  for (std::uint64_t n = 0; n < 20; ++n) {
    FrictionFamily family = test::random_family(random, n, 4);
    family.A_0 += 3.0 * MatrixXd::Identity(4, 4);
    const VectorXd mu = VectorXd::Constant(4, 0.1);
    const FrictionMargin bound = friction_margin(family, mu, {.limit = 3});
    const FrictionMargin exact = friction_margin(family, mu);
    EXPECT_EQ(bound.status, MarginStatus::kTooLarge);
    if (exact.status == MarginStatus::kFinite) {
      EXPECT_LE(bound.half_width, exact.half_width) << "seed 92, draw " << n;
    }
    positive += bound.half_width > 0.0 ? 1 : 0;
  }
  EXPECT_GT(positive, 3);
}

}  // namespace
}  // namespace enfold::uniqueness
