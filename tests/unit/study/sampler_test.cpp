// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/study/sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <set>

#include "enfold/base/error.hpp"

namespace enfold::study {
namespace {

std::vector<double> point(const Sampler& sampler, std::uint64_t index) {
  std::vector<double> u(sampler.dimension());
  sampler.point(index, u);
  return u;
}

/// How many of the first n points lie in each cell of a partition of the square into 2^a × 2^b cells.
bool one_in_each_cell(const SobolSampler& sampler, std::size_t i, std::size_t j, unsigned a, unsigned b) {
  std::set<std::pair<int, int>> cells;
  const std::uint64_t n = std::uint64_t{1} << (a + b);
  for (std::uint64_t k = 0; k < n; ++k) {
    const std::vector<double> u = point(sampler, k);
    cells.emplace(static_cast<int>(u[i] * std::exp2(a)), static_cast<int>(u[j] * std::exp2(b)));
  }
  return cells.size() == n;
}

// The first points as every table of the sequence has them, in units of 2^-64; point 0 is the origin.
TEST(SobolSamplerTest, StartsAsPublished) {
  const SobolSampler sampler(3, 1);
  const double expected[][3] = {{0, 0, 0},          {0.5, 0.5, 0.5},       {0.75, 0.25, 0.25},
                                {0.25, 0.75, 0.75}, {0.375, 0.375, 0.625}, {0.875, 0.875, 0.125}};
  for (std::uint64_t n = 0; n < 6; ++n) {
    std::vector<std::uint64_t> x(3);
    sampler.unshifted(n, x);
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_EQ(static_cast<double>(x[j]) * 0x1.0p-64, expected[n][j]) << n << ", " << j;
  }
}

// Random access against Boost's engine, one number after the other.
TEST(SobolSamplerTest, EveryPointIsThatOfTheSequentialEngine) {
  for (const std::size_t d : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{111}}) {
    const SobolSampler sampler(d, 1);
    boost::random::sobol engine(d);
    std::vector<std::uint64_t> x(d);
    for (std::uint64_t n = 1; n < 600; ++n) {
      sampler.unshifted(n, x);
      for (std::size_t j = 0; j < d; ++j)
        ASSERT_EQ(x[j], engine()) << "dimension " << j << " of " << d << ", point " << n;
    }
  }
}

// Of the first 2^k points each coordinate has one in each of 2^k equal slices, shifted or not. [eq:sobol]
TEST(SobolSamplerTest, EveryDimensionIsSpreadEvenly) {
  const SobolSampler sampler(SobolSampler::kMaxDimension, 5);
  constexpr std::size_t kPoints = 256;
  std::vector<std::vector<bool>> hit(sampler.dimension(), std::vector<bool>(kPoints, false));
  for (std::uint64_t n = 0; n < kPoints; ++n) {
    const std::vector<double> u = point(sampler, n);
    for (std::size_t j = 0; j < u.size(); ++j) hit[j][static_cast<std::size_t>(u[j] * kPoints)] = true;
  }
  for (std::size_t j = 0; j < hit.size(); ++j)
    EXPECT_EQ(std::count(hit[j].begin(), hit[j].end(), true), static_cast<long>(kPoints))
        << "dimension " << j;
}

// The first two coordinates are a (0, m, 2)-net: every cell of volume 2^-m, whatever its shape, has one
// point.
TEST(SobolSamplerTest, TheFirstTwoDimensionsFillEveryElementaryCell) {
  const SobolSampler sampler(2, 77);
  for (unsigned a = 0; a <= 8; ++a) EXPECT_TRUE(one_in_each_cell(sampler, 0, 1, a, 8 - a)) << a;
}

TEST(SobolSamplerTest, RefusesMoreDimensionsThanItStates) {
  EXPECT_THROW(SobolSampler(SobolSampler::kMaxDimension + 1, 1), InvalidArgument);
}

TEST(LatinHypercubeSamplerTest, EveryCoordinateHasOnePointInEachSlice) {  // [eq:latin-hypercube]
  for (const std::uint64_t count : {1U, 2U, 10U, 997U}) {
    const LatinHypercubeSampler sampler(4, count, 3);
    std::vector<std::set<std::uint64_t>> slices(4);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::vector<double> u = point(sampler, i);
      for (std::size_t j = 0; j < 4; ++j)
        slices[j].insert(static_cast<std::uint64_t>(u[j] * static_cast<double>(count)));
    }
    for (const auto& some : slices) EXPECT_EQ(some.size(), count);
  }
}

TEST(LatinHypercubeSamplerTest, CoordinatesAreNotCorrelated) {
  const LatinHypercubeSampler sampler(2, 10'000, 9);
  double product = 0.0;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const std::vector<double> u = point(sampler, i);
    product += 12.0 * (u[0] - 0.5) * (u[1] - 0.5) / 10'000.0;
  }
  EXPECT_NEAR(product, 0.0, 0.05);  // five standard deviations
}

TEST(SamplerTest, PointsDoNotDependOnTheOrderInWhichTheyAreAskedFor) {
  const RandomSampler random(3, 4);
  const LatinHypercubeSampler latin(3, 1000, 4);
  const SobolSampler sobol(3, 4);
  for (const Sampler* sampler : {static_cast<const Sampler*>(&random), static_cast<const Sampler*>(&latin),
                                 static_cast<const Sampler*>(&sobol)}) {
    std::vector<std::vector<double>> forward;
    for (std::uint64_t i = 0; i < 1000; ++i) forward.push_back(point(*sampler, i));
    for (std::uint64_t k = 0; k < 1000; ++k) {
      const std::uint64_t i = (k * 617) % 1000;
      EXPECT_EQ(point(*sampler, i), forward[i]);
      for (const double u : forward[i]) EXPECT_TRUE(u >= 0.0 && u < 1.0);
    }
  }
}

TEST(SamplerTest, AnotherSeedGivesOtherPoints) {
  EXPECT_NE(point(RandomSampler(2, 1), 5), point(RandomSampler(2, 2), 5));
  EXPECT_NE(point(LatinHypercubeSampler(2, 9, 1), 5), point(LatinHypercubeSampler(2, 9, 2), 5));
  EXPECT_NE(point(SobolSampler(2, 1), 5), point(SobolSampler(2, 2), 5));
}

/// Root of the mean squared error of the mean of f over `n` points, over many seeds.
double integration_error(const std::function<double(const std::vector<double>&)>& f, double truth,
                         std::uint64_t n,
                         const std::function<std::unique_ptr<Sampler>(std::uint64_t seed)>& make) {
  constexpr std::uint64_t kSeeds = 50;
  double squares = 0.0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const std::unique_ptr<Sampler> sampler = make(seed);
    double sum = 0.0;
    for (std::uint64_t i = 0; i < n; ++i) sum += f(point(*sampler, i));
    squares += std::pow(sum / static_cast<double>(n) - truth, 2);
  }
  return std::sqrt(squares / kSeeds);
}

// ∫ Π (1 + (u_j − ½)/2) = 1 and ∫ Σ exp(u_j) = d(e − 1): random errs like n^(−1/2) σ; the others much less.
TEST(SamplerTest, SobolAndLatinHypercubeBeatRandomInIntegration) {
  static constexpr std::uint64_t kPoints = 1024;
  static constexpr std::size_t kDimension = 5;
  const auto product = [](const std::vector<double>& u) {
    double f = 1.0;
    for (const double x : u) f *= 1.0 + 0.5 * (x - 0.5);
    return f;
  };
  const auto sum = [](const std::vector<double>& u) {
    double f = 0.0;
    for (const double x : u) f += std::exp(x);
    return f;
  };
  const std::pair<std::function<double(const std::vector<double>&)>, double> cases[] = {
      {product, 1.0}, {sum, kDimension * (std::numbers::e - 1.0)}};
  for (const auto& [f, truth] : cases) {
    const double random = integration_error(f, truth, kPoints, [](std::uint64_t seed) {
      return std::make_unique<RandomSampler>(kDimension, seed);
    });
    const double latin = integration_error(f, truth, kPoints, [](std::uint64_t seed) {
      return std::make_unique<LatinHypercubeSampler>(kDimension, kPoints, seed);
    });
    const double sobol = integration_error(f, truth, kPoints, [](std::uint64_t seed) {
      return std::make_unique<SobolSampler>(kDimension, seed);
    });
    EXPECT_LT(latin, 0.3 * random);
    EXPECT_LT(sobol, 0.1 * random);
  }
  // What random must give: the standard deviation of the product is √((1 + 1/48)^5 − 1).
  const double expected = std::sqrt((std::pow(1.0 + 1.0 / 48.0, 5) - 1.0) / kPoints);
  const double random = integration_error(product, 1.0, kPoints, [](std::uint64_t seed) {
    return std::make_unique<RandomSampler>(kDimension, seed);
  });
  EXPECT_NEAR(random / expected, 1.0, 0.5);
}

}  // namespace
}  // namespace enfold::study
