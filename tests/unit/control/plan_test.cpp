// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/control/plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace enfold::control {
namespace {

Plan plan_at(const std::vector<double>& times) {
  Plan plan;
  for (const double time : times) {
    plan.points.emplace_back();
    plan.points.back().time = time;
  }
  return plan;
}

TEST(PlanTest, SegmentIsTheLastPointNotAfterTheTime) {
  const Plan plan = plan_at({0.0, 0.25, 0.5, 0.500001, 1.0});
  for (const double t : {0.0, 0.1, 0.25, 0.3, 0.4999, 0.5, 0.5000005, 0.500001, 0.9, 1.0}) {
    std::size_t expected = 0;
    for (std::size_t i = 0; i < plan.points.size(); ++i)
      if (plan.points[i].time <= t) expected = i;
    EXPECT_EQ(plan.segment(t), expected) << "t = " << t;
  }
}

TEST(PlanTest, SegmentIsTheFirstPointBeforeTheStartAndTheLastAfterTheEnd) {
  const Plan plan = plan_at({0.1, 0.2, 0.3});
  EXPECT_EQ(plan.segment(-1.0), 0U);
  EXPECT_EQ(plan.segment(std::nextafter(0.2, 0.0)), 0U);
  EXPECT_EQ(plan.segment(0.2), 1U);
  EXPECT_EQ(plan.segment(0.3), 2U);
  EXPECT_EQ(plan.segment(std::numeric_limits<double>::infinity()), 2U);
}

TEST(PlanTest, OfTwoPointsAtOneTimeTheLaterCounts) {
  EXPECT_EQ(plan_at({0.0, 0.5, 0.5, 1.0}).segment(0.5), 2U);
}

TEST(PlanTest, KnowsWhenItIsEmpty) {
  EXPECT_TRUE(Plan{}.empty());
  EXPECT_EQ(Plan{}.segment(0.3), 0U);
  EXPECT_FALSE(plan_at({0.0}).empty());
}

}  // namespace
}  // namespace enfold::control
