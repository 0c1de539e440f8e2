// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "enfold/uniqueness/frontier.hpp"
#include "uniqueness_cases.hpp"

namespace enfold::uniqueness {
namespace {

using test::TouchCase;

TEST(FrontierTouchTest, DoubleRootIsATouchAndNoFrontier) {
  const TouchCase c(0.0);
  const Frontier found = frontier(c.P, c.Q);
  EXPECT_EQ(found.status, FrontierStatus::kTouchOnly);
  EXPECT_TRUE(std::isinf(found.r));
  ASSERT_EQ(found.touches.size(), 1u);
  EXPECT_NEAR(found.touches[0].r, 1.0, 1e-9);
  EXPECT_EQ(found.touches[0].indices, (std::vector<Index>{0, 1}));
}

TEST(FrontierTouchTest, MinorThatStaysJustPositiveHasNoRoot) {
  const TouchCase c(1e-9);
  EXPECT_EQ(frontier(c.P, c.Q).status, FrontierStatus::kNone);
}

// The minor is negative for 1 − √gap < r < 1 + √gap only: a stretch of 6e-5 that a scan steps over.
TEST(FrontierTouchTest, ShortDipBelowZeroIsACrossing) {
  const TouchCase c(-1e-9);
  const Frontier found = frontier(c.P, c.Q);
  ASSERT_EQ(found.status, FrontierStatus::kCrossing);
  EXPECT_NEAR(found.r, 1.0 - std::sqrt(1e-9), 1e-9);
}

// One more row whose own minor 1 − r/3 crosses at 3: the touch at 1 is listed beside it.
TEST(FrontierTouchTest, TouchBeforeACrossingIsListed) {
  const TouchCase c(0.0);
  MatrixXd P = MatrixXd::Identity(3, 3);
  MatrixXd Q = MatrixXd::Zero(3, 3);
  P.topLeftCorner(2, 2) = c.P;
  Q.topLeftCorner(2, 2) = c.Q;
  Q(2, 2) = -1.0 / 3.0;
  const Frontier found = frontier(P, Q);
  ASSERT_EQ(found.status, FrontierStatus::kCrossing);
  EXPECT_NEAR(found.r, 3.0, 1e-12);
  EXPECT_EQ(found.indices, (std::vector<Index>{2}));
  ASSERT_EQ(found.touches.size(), 2u);  // of {0, 1} and {0, 1, 2}
  for (const Touch& touch : found.touches) EXPECT_NEAR(touch.r, 1.0, 1e-8);
}

// (1 − r)³: three roots in one place, one change of sign.
TEST(FrontierTouchTest, TripleRootIsACrossing) {
  MatrixXd Q = -MatrixXd::Identity(3, 3);
  Q(0, 1) = 1.0;
  Q(1, 2) = 1.0;
  const Frontier found = frontier(MatrixXd::Identity(3, 3), Q);
  ASSERT_EQ(found.status, FrontierStatus::kCrossing);
  EXPECT_NEAR(found.r, 1.0, 1e-12);
  EXPECT_EQ(found.indices, (std::vector<Index>{0}));
}

}  // namespace
}  // namespace enfold::uniqueness
