// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/study/analysis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "enfold/study/sampler.hpp"

namespace enfold::study {
namespace {

using testing::ElementsAre;

TEST(SuccessMapTest, CountsEachCellOfAGrid) {
  std::vector<double> x, y, success;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 2; ++j) {
      for (int repeat = 0; repeat < 4; ++repeat) {
        x.push_back(0.1 * i);
        y.push_back(10.0 * j);
        success.push_back(repeat < i + j ? 1.0 : 0.0);
      }
    }
  }
  const SuccessMap map = success_map("x", x, "y", y, success);
  EXPECT_THAT(map.x.values, ElementsAre(0.0, 0.1, 0.2));
  EXPECT_THAT(map.y.edges, ElementsAre(-5.0, 5.0, 15.0));
  EXPECT_THAT(map.trials, testing::Each(4U));
  EXPECT_THAT(map.successes, ElementsAre(0U, 1U, 2U, 1U, 2U, 3U));
}

TEST(SuccessMapTest, SlicesContinuousKeysAndLosesNoSample) {
  const SobolSampler sampler(2, 1);
  std::vector<double> x, y, success, u(2);
  for (std::uint64_t i = 0; i < 4000; ++i) {
    sampler.point(i, u);
    x.push_back(u[0]);
    y.push_back(u[1]);
    success.push_back(u[0] > 0.5 ? 1.0 : 0.0);
  }
  const SuccessMap map = success_map("x", x, "y", y, success);
  EXPECT_FALSE(map.x.by_value);
  EXPECT_EQ(std::accumulate(map.trials.begin(), map.trials.end(), std::uint64_t{0}), 4000U);
  EXPECT_EQ(map.successes[map.at(0, 0)], 0U);
  EXPECT_EQ(map.successes[map.at(map.x.values.size() - 1, 0)],
            map.trials[map.at(map.x.values.size() - 1, 0)]);
}

TEST(SuccessMapTest, OneValueIsACellToo) {
  const SuccessMap map =
      success_map("x", std::vector{0.0, 0.0}, "y", std::vector{1.0, 2.0}, std::vector{1.0, 0.0});
  EXPECT_EQ(map.x.values.size(), 1U);
  EXPECT_LT(map.x.edges[0], map.x.edges[1]);
  EXPECT_THAT(map.successes, ElementsAre(1U, 0U));
}

TEST(LevelCountTest, SavesTheMeanCostOfALevelForThoseThatCouldHaveBeenTried) {
  std::vector<Record> records;
  for (std::uint64_t i = 0; i < 10; ++i) {
    Record record{.index = i, .passed = i < 4 ? 0U : i < 6 ? 1U : i < 9 ? 2U : 3U};
    for (std::size_t k = 0; k < std::min<std::size_t>(3, record.passed + 1); ++k)
      record.seconds.push_back(k == 2 ? 10.0 : 1.0);
    records.push_back(record);
  }
  // The last level can't be tried without passing the first: of the six that did not reach it, two could.
  const std::vector<LevelCount> levels = count_levels(records, std::vector<std::size_t>{0, 0, 1});
  EXPECT_EQ(levels[0].reached, 10U);
  EXPECT_EQ(levels[0].fell, 4U);
  EXPECT_EQ(levels[0].seconds_saved, 0.0);
  EXPECT_EQ(levels[1].reached, 6U);
  EXPECT_EQ(levels[1].fell, 2U);
  EXPECT_EQ(levels[1].seconds_saved, 4.0);
  EXPECT_EQ(levels[2].reached, 4U);
  EXPECT_EQ(levels[2].fell, 3U);
  EXPECT_EQ(levels[2].seconds, 40.0);
  EXPECT_EQ(levels[2].seconds_saved, 20.0);
}

TEST(RankedTest, BestFirstWithoutThoseThatHaveNoValue) {
  const std::vector<double> objective{2.0, std::nan(""), 3.0, 1.0, 3.0};
  EXPECT_THAT(ranked(objective, true), ElementsAre(2U, 4U, 0U, 3U));
  EXPECT_THAT(ranked(objective, false), ElementsAre(3U, 0U, 2U, 4U));
}

}  // namespace
}  // namespace enfold::study
