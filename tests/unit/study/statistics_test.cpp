// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/study/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "enfold/base/counter_random.hpp"
#include "enfold/base/error.hpp"
#include "enfold/study/sampler.hpp"

namespace enfold::study {
namespace {

double binomial(std::uint64_t k, std::uint64_t n, double p) {
  const auto a = static_cast<double>(k);
  const auto b = static_cast<double>(n);
  return std::exp(std::lgamma(b + 1) - std::lgamma(a + 1) - std::lgamma(b - a + 1) + a * std::log(p) +
                  (b - a) * std::log1p(-p));
}

/// Probability that the interval holds p, by summing over all outcomes.
template <typename Make>
double coverage(const Make& make, std::uint64_t n, double p) {
  double sum = 0.0;
  for (std::uint64_t k = 0; k <= n; ++k) {
    const Interval interval = make(k, n, 0.95);
    if (interval.lower <= p && p <= interval.upper) sum += binomial(k, n, p);
  }
  return sum;
}

TEST(WilsonIntervalTest, SolvesTheEquationItStandsFor) {  // [eq:wilson]
  // Its ends are the p at which |p̂ − p| = z √(p(1 − p)/n).
  const double z = 1.959963984540054;
  for (const auto& [k, n] : {std::pair{8U, 10U}, std::pair{1U, 30U}, std::pair{450U, 1000U}}) {
    const Interval interval = wilson_interval(k, n);
    const double mean = static_cast<double>(k) / n;
    for (const double p : {interval.lower, interval.upper})
      EXPECT_NEAR(std::abs(mean - p), z * std::sqrt(p * (1.0 - p) / n), 1e-12);
    EXPECT_LT(interval.lower, mean);
    EXPECT_GT(interval.upper, mean);
  }
  EXPECT_NEAR(wilson_interval(8, 10).lower, 0.4902, 5e-5);
  EXPECT_NEAR(wilson_interval(8, 10).upper, 0.9433, 5e-5);
}

TEST(WilsonIntervalTest, EndsAreExactWhereAllOrNoneSucceed) {
  EXPECT_EQ(wilson_interval(0, 20).lower, 0.0);
  EXPECT_EQ(wilson_interval(20, 20).upper, 1.0);
  EXPECT_LT(wilson_interval(20, 20).lower, 1.0);
  EXPECT_EQ(wilson_interval(0, 0).lower, 0.0);
  EXPECT_EQ(wilson_interval(0, 0).upper, 1.0);
  EXPECT_THROW((void)wilson_interval(3, 2), InvalidArgument);
  EXPECT_THROW((void)wilson_interval(1, 2, 1.0), InvalidArgument);
}

// The end is where the tail of the binomial distribution has half of 5 %.                [eq:clopper-pearson]
TEST(ExactIntervalTest, TailsHoldHalfOfWhatIsLeft) {
  for (const auto& [k, n] : {std::pair{3U, 20U}, std::pair{19U, 20U}, std::pair{40U, 100U}}) {
    const Interval interval = exact_interval(k, n);
    double at_least = 0.0;
    double at_most = 0.0;
    for (std::uint64_t i = k; i <= n; ++i) at_least += binomial(i, n, interval.lower);
    for (std::uint64_t i = 0; i <= k; ++i) at_most += binomial(i, n, interval.upper);
    EXPECT_NEAR(at_least, 0.025, 1e-9);
    EXPECT_NEAR(at_most, 0.025, 1e-9);
  }
  EXPECT_NEAR(exact_interval(0, 10).upper, 1.0 - std::pow(0.025, 0.1), 1e-12);
  EXPECT_EQ(exact_interval(0, 10).lower, 0.0);
  EXPECT_EQ(exact_interval(10, 10).upper, 1.0);
}

TEST(ExactIntervalTest, CoversAtLeastItsConfidenceForEveryRate) {
  for (int i = 1; i < 100; ++i) {
    const double p = i / 100.0;
    EXPECT_GE(coverage(exact_interval, 40, p), 0.95 - 1e-9) << p;
    const Interval wilson = wilson_interval(7, 40);
    const Interval exact = exact_interval(7, 40);
    EXPECT_LT(wilson.upper - wilson.lower, exact.upper - exact.lower);
  }
}

TEST(WilsonIntervalTest, CoversItsConfidenceOnAverageOverTheRates) {
  for (const std::uint64_t n : {20U, 100U, 400U}) {
    double sum = 0.0;
    for (int i = 0; i < 500; ++i) sum += coverage(wilson_interval, n, (i + 0.5) / 500.0) / 500.0;
    EXPECT_NEAR(sum, 0.95, 0.01) << n;
  }
}

// 2000 studies of 200 random samples each: the success region is a disc quarter, so the truth is known.
TEST(WilsonIntervalTest, CoversTheTruthIn95PercentOfSimulatedStudies) {
  constexpr std::uint64_t kStudies = 2000;
  constexpr std::uint64_t kSamples = 200;
  for (const double radius : {0.6, 0.9, 1.0}) {
    const double truth = M_PI / 4.0 * radius * radius;
    int covered = 0;
    int exactly_covered = 0;
    for (std::uint64_t study = 0; study < kStudies; ++study) {
      const RandomSampler sampler(2, 1000 + study);
      std::vector<double> u(2);
      std::uint64_t k = 0;
      for (std::uint64_t i = 0; i < kSamples; ++i) {
        sampler.point(i, u);
        if (u[0] * u[0] + u[1] * u[1] < radius * radius) ++k;
      }
      const Interval wilson = wilson_interval(k, kSamples);
      const Interval exact = exact_interval(k, kSamples);
      covered += wilson.lower <= truth && truth <= wilson.upper ? 1 : 0;
      exactly_covered += exact.lower <= truth && truth <= exact.upper ? 1 : 0;
    }
    EXPECT_NEAR(covered / double{kStudies}, 0.95, 0.02) << radius;
    EXPECT_NEAR(exactly_covered / double{kStudies}, 0.96, 0.02) << radius;
  }
}

TEST(MomentsTest, DescribeAKnownSample) {
  const Moments m = moments(std::vector<double>{4.0, 1.0, 3.0, 2.0, 5.0, std::nan("")});
  EXPECT_EQ(m.count, 5U);
  EXPECT_DOUBLE_EQ(m.mean, 3.0);
  EXPECT_DOUBLE_EQ(m.sd, std::sqrt(2.5));
  EXPECT_EQ(m.least, 1.0);
  EXPECT_EQ(m.lower_quartile, 2.0);
  EXPECT_EQ(m.median, 3.0);
  EXPECT_EQ(m.most, 5.0);
  EXPECT_EQ(moments({}).count, 0U);
}

TEST(CorrelationTest, SeesLinesAndMonotoneCurves) {
  std::vector<double> x, line, cube, none;
  for (int i = -50; i <= 50; ++i) {
    x.push_back(i);
    line.push_back(3.0 - 2.0 * i);
    cube.push_back(std::pow(i, 3));
    none.push_back(i * i);
  }
  EXPECT_NEAR(correlation(x, line), -1.0, 1e-12);
  EXPECT_NEAR(rank_correlation(x, cube), 1.0, 1e-12);
  EXPECT_LT(correlation(x, cube), 0.95);
  EXPECT_NEAR(correlation(x, none), 0.0, 1e-12);
  EXPECT_TRUE(std::isnan(correlation(x, std::vector<double>(101, 1.0))));
  line[3] = NAN;
  EXPECT_NEAR(correlation(x, line), -1.0, 1e-12);
}

// Ties share their mean rank: ranks 0, 1.5, 1.5, 3 against 0, 1, 2, 3.
TEST(CorrelationTest, EqualNumbersShareTheirRank) {
  const std::vector<double> x{1, 2, 3, 4};
  const std::vector<double> y{1, 2, 2, 5};
  EXPECT_NEAR(rank_correlation(x, y), 4.5 / std::sqrt(5.0 * 4.5), 1e-12);
}

TEST(HistogramTest, CountsEveryFiniteNumberOnce) {
  std::vector<double> values;
  const CounterRandom random(1, 0);
  for (std::uint64_t i = 0; i < 1000; ++i) values.push_back(random.uniform(i));
  values.push_back(NAN);
  const Histogram h = histogram(values);
  EXPECT_EQ(h.edges.size(), h.counts.size() + 1);
  EXPECT_EQ(std::accumulate(h.counts.begin(), h.counts.end(), std::uint64_t{0}), 1000U);
  EXPECT_GE(h.counts.size(), 5U);
  EXPECT_LE(h.counts.size(), 40U);
  EXPECT_EQ(histogram(std::vector{2.0, 2.0}).counts.size(), 1U);
  EXPECT_TRUE(histogram({}).counts.empty());
}

// y = 3 x1 + 2 x2 + x3 with uniform x: shares 9/14, 4/14, 1/14, and 0 for x4. [eq:main-effect]
TEST(MainEffectTest, FindsTheSharesOfALinearFunction) {
  const SobolSampler sampler(4, 1);
  std::vector<std::vector<double>> x(4);
  std::vector<double> y;
  std::vector<double> u(4);
  for (std::uint64_t i = 0; i < 8192; ++i) {
    sampler.point(i, u);
    for (std::size_t j = 0; j < 4; ++j) x[j].push_back(u[j]);
    y.push_back(3.0 * u[0] + 2.0 * u[1] + u[2]);
  }
  const double expected[] = {9.0 / 14.0, 4.0 / 14.0, 1.0 / 14.0, 0.0};
  for (std::size_t j = 0; j < 4; ++j) {
    const MainEffect effect = main_effect(x[j], y);
    // Ten slices see all but 1 % of a line: the variance inside a slice is 1/100 of the whole.
    EXPECT_NEAR(effect.share, expected[j], 0.01 * expected[j] + 0.005) << j;
    ASSERT_EQ(effect.bins.size(), 10U);
    const double slope = j == 0 ? 3.0 : j == 1 ? 2.0 : j == 2 ? 1.0 : 0.0;
    for (std::size_t b = 0; b < 10; ++b) {
      const double middle = 0.5 * (effect.bins[b].lower + effect.bins[b].upper);
      EXPECT_NEAR(effect.bins[b].mean, 3.0 + slope * (middle - 0.5), 0.02);
    }
  }
}

// Ishigami's function, whose indices are known in closed form: S1 = 0.3139, S2 = 0.4424, S3 = 0.
TEST(MainEffectTest, FindsTheIndicesOfIshigami) {
  const SobolSampler sampler(3, 7);
  std::vector<std::vector<double>> x(3);
  std::vector<double> y;
  std::vector<double> u(3);
  for (std::uint64_t i = 0; i < 16384; ++i) {
    sampler.point(i, u);
    for (std::size_t j = 0; j < 3; ++j) {
      u[j] = M_PI * (2.0 * u[j] - 1.0);
      x[j].push_back(u[j]);
    }
    y.push_back(std::sin(u[0]) + 7.0 * std::pow(std::sin(u[1]), 2) +
                0.1 * std::pow(u[2], 4) * std::sin(u[0]));
  }
  EXPECT_NEAR(main_effect(x[0], y, 40).share, 0.3139, 0.01);
  EXPECT_NEAR(main_effect(x[1], y, 40).share, 0.4424, 0.01);
  EXPECT_NEAR(main_effect(x[2], y, 40).share, 0.0, 0.01);
}

TEST(MainEffectTest, ChanceAloneExplainsNothing) {
  double sum = 0.0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const CounterRandom random(seed, 0);
    std::vector<double> x, y;
    for (std::uint64_t i = 0; i < 200; ++i) {
      x.push_back(random.uniform(2 * i));
      y.push_back(random.uniform(2 * i + 1));
    }
    sum += main_effect(x, y).share / 40.0;
  }
  EXPECT_LT(sum, 0.02);  // without taking chance off it would be 9/199 = 0.045
}

TEST(MainEffectTest, SlicesByValueWhereThereAreFew) {
  const MainEffect effect = main_effect(std::vector{1.0, 2.0, 1.0, 2.0}, std::vector{0.0, 5.0, 2.0, 7.0});
  ASSERT_EQ(effect.bins.size(), 2U);
  EXPECT_EQ(effect.bins[0].mean, 1.0);
  EXPECT_EQ(effect.bins[1].mean, 6.0);
  // t(1, 97.5 %) = 12.706, standard error √2/√2 = 1.
  EXPECT_NEAR(effect.bins[0].half_width, 12.706, 1e-3);
  EXPECT_TRUE(std::isnan(main_effect(std::vector{1.0, 2.0}, std::vector{3.0, 3.0}).share));
}

}  // namespace
}  // namespace enfold::study
