// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/base/counter_random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace enfold {
namespace {

constexpr std::uint64_t kDraws = 100'000;

// The statistical bounds are five standard deviations of the estimate; the seeds are fixed, so the outcome is
// too.
double five_sigma(double sigma) {
  return 5.0 * sigma / std::sqrt(static_cast<double>(kDraws));
}

double correlation(const CounterRandom& a, const CounterRandom& b, std::uint64_t lag) {
  double sum = 0.0;
  for (std::uint64_t n = 0; n < kDraws; ++n) sum += a.symmetric(n) * b.symmetric(n + lag);
  return 3.0 * sum / static_cast<double>(kDraws);  // Var(symmetric) = 1/3
}

TEST(CounterRandomTest, IsAPureFunctionOfSeedStreamAndIndex) {
  static_assert(CounterRandom(7, 3).bits(42) == CounterRandom(7, 3).bits(42));
  EXPECT_NE(CounterRandom(7, 3).bits(42), CounterRandom(8, 3).bits(42));
  EXPECT_NE(CounterRandom(7, 3).bits(42), CounterRandom(7, 4).bits(42));
  EXPECT_NE(CounterRandom(7, 3).bits(42), CounterRandom(7, 3).bits(43));
}

TEST(CounterRandomTest, DrawsDoNotDependOnTheirOrder) {
  const CounterRandom random(11, 0);
  std::vector<std::uint64_t> forward;
  for (std::uint64_t n = 0; n < 1000; ++n) forward.push_back(random.bits(n));
  for (std::uint64_t n = 1000; n-- > 0;) EXPECT_EQ(random.bits(n), forward[n]);
  for (std::uint64_t k = 0; k < 1000; ++k) {
    const std::uint64_t n = (k * 617) % 1000;  // 617 and 1000 share no factor: a permutation
    EXPECT_EQ(CounterRandom(11, 0).bits(n), forward[n]);
  }
}

TEST(CounterRandomTest, UniformHasTheMeanAndVarianceOfTheUnitInterval) {
  const CounterRandom random(1, 0);
  double sum = 0.0;
  double sum_squares = 0.0;
  for (std::uint64_t n = 0; n < kDraws; ++n) {
    const double u = random.uniform(n);
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    sum_squares += (u - 0.5) * (u - 0.5);
  }
  EXPECT_NEAR(sum / kDraws, 0.5, five_sigma(std::sqrt(1.0 / 12.0)));
  EXPECT_NEAR(sum_squares / kDraws, 1.0 / 12.0, five_sigma(std::sqrt(1.0 / 180.0)));
}

TEST(CounterRandomTest, SymmetricIsCentredAndCoversTheInterval) {
  const CounterRandom random(2, 5);
  double sum = 0.0;
  double least = 1.0;
  double most = -1.0;
  for (std::uint64_t n = 0; n < kDraws; ++n) {
    const double s = random.symmetric(n);
    ASSERT_GE(s, -1.0);
    ASSERT_LT(s, 1.0);
    sum += s;
    least = std::min(least, s);
    most = std::max(most, s);
  }
  EXPECT_NEAR(sum / kDraws, 0.0, five_sigma(std::sqrt(1.0 / 3.0)));
  EXPECT_LT(least, -0.999);
  EXPECT_GT(most, 0.999);
}

TEST(CounterRandomTest, FillsTheBinsOfAHistogramEvenly) {
  const CounterRandom random(3, 0);
  std::array<int, 64> bins{};
  for (std::uint64_t n = 0; n < kDraws; ++n) ++bins[static_cast<std::size_t>(random.uniform(n) * 64.0)];
  const double expected = static_cast<double>(kDraws) / 64.0;
  double chi_squared = 0.0;
  for (const int count : bins) chi_squared += (count - expected) * (count - expected) / expected;
  // 63 degrees of freedom: mean 63, standard deviation √126.
  EXPECT_NEAR(chi_squared, 63.0, 5.0 * std::sqrt(126.0));
}

TEST(CounterRandomTest, StreamsSeedsAndShiftsAreUncorrelated) {
  const CounterRandom reference(1, 0);
  for (std::uint64_t k = 1; k <= 10; ++k) {
    EXPECT_NEAR(correlation(reference, CounterRandom(1, k), 0), 0.0, five_sigma(1.0)) << "stream " << k;
    EXPECT_NEAR(correlation(reference, CounterRandom(1 + k, 0), 0), 0.0, five_sigma(1.0)) << "seed " << 1 + k;
    EXPECT_NEAR(correlation(reference, reference, k), 0.0, five_sigma(1.0)) << "lag " << k;
    EXPECT_NEAR(correlation(reference, CounterRandom(1, k), 1), 0.0, five_sigma(1.0))
        << "stream " << k << ", lag 1";
  }
}

TEST(CounterRandomTest, NeighbouringIndicesFlipHalfTheBits) {
  const CounterRandom random(0, 0);
  double flipped = 0.0;
  for (std::uint64_t n = 0; n < kDraws; ++n) flipped += std::popcount(random.bits(n) ^ random.bits(n + 1));
  EXPECT_NEAR(flipped / kDraws, 32.0, five_sigma(4.0));
}

TEST(CounterRandomTest, StreamsOfOneSeedDoNotRepeatDraws) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t stream = 0; stream < 100; ++stream) {
    for (std::uint64_t n = 0; n < 100; ++n) seen.insert(CounterRandom(5, stream).bits(n));
  }
  EXPECT_EQ(seen.size(), 10'000U);
}

}  // namespace
}  // namespace enfold
