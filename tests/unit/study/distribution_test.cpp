// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/study/distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "enfold/base/error.hpp"

namespace enfold::study {
namespace {

/// F(F⁻¹(u)) = u with the distribution function written down here.                             [eq:quantile]
void expect_inverse(const Distribution& distribution, const std::function<double(double)>& F) {
  double before = -INFINITY;
  for (int k = 1; k < 200; ++k) {
    const double u = k / 200.0;
    const double x = distribution.quantile(u);
    EXPECT_NEAR(F(x), u, 1e-12) << "x = " << x;
    EXPECT_GT(x, before);
    before = x;
  }
}

TEST(DistributionTest, QuantilesInvertTheDistributionFunctions) {
  expect_inverse(Distribution::uniform(-1.0, 3.0), [](double x) { return (x + 1.0) / 4.0; });
  expect_inverse(Distribution::log_uniform(1e-3, 10.0),
                 [](double x) { return std::log(x / 1e-3) / std::log(1e4); });
  expect_inverse(Distribution::normal(2.0, 0.5),
                 [](double x) { return 0.5 * std::erfc(-(x - 2.0) / 0.5 / std::sqrt(2.0)); });
  expect_inverse(Distribution::triangular(1.0, 2.0, 4.0), [](double x) {
    return x < 2.0 ? (x - 1.0) * (x - 1.0) / 3.0 : 1.0 - (4.0 - x) * (4.0 - x) / 6.0;
  });
  const auto Phi = [](double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); };
  expect_inverse(Distribution::normal(0.0, 1.0, -0.5, 2.0),
                 [&](double x) { return (Phi(x) - Phi(-0.5)) / (Phi(2.0) - Phi(-0.5)); });
}

TEST(DistributionTest, EndsStayFiniteAndWithinTheBounds) {
  for (const Distribution& distribution :
       {Distribution::uniform(0.1, 0.3), Distribution::log_uniform(0.1, 0.3),
        Distribution::normal(0.2, 0.1, 0.1, 0.3), Distribution::triangular(0.1, 0.1, 0.3),
        Distribution::triangular(0.1, 0.3, 0.3)}) {
    EXPECT_GE(distribution.quantile(0.0), 0.1);
    EXPECT_LE(distribution.quantile(1.0), 0.3);
    EXPECT_NEAR(distribution.quantile(0.0), 0.1, 1e-15);
    EXPECT_NEAR(distribution.quantile(1.0), 0.3, 1e-15);
  }
  EXPECT_TRUE(std::isfinite(Distribution::normal(0.0, 1.0).quantile(0.0)));
  EXPECT_TRUE(std::isfinite(Distribution::normal(0.0, 1.0).quantile(1.0)));
}

TEST(DistributionTest, DiscreteValuesComeEquallyOften) {
  const Distribution values = Distribution::values({3.0, 1.0, 2.0});
  EXPECT_TRUE(values.discrete());
  EXPECT_EQ(values.levels(), 3U);
  EXPECT_EQ(values.quantile(0.0), 3.0);
  EXPECT_EQ(values.quantile(0.34), 1.0);
  EXPECT_EQ(values.quantile(1.0), 2.0);
  const Distribution whole = Distribution::integers(-2, 7);
  EXPECT_EQ(whole.levels(), 10U);
  EXPECT_EQ(whole.level(0), -2.0);
  EXPECT_EQ(whole.quantile(0.999), 7.0);
  EXPECT_FALSE(Distribution::uniform(0, 1).discrete());
  EXPECT_EQ(Distribution::uniform(0, 1).levels(), 0U);
  EXPECT_THROW((void)whole.level(10), InvalidArgument);
}

TEST(DistributionTest, RefusesParametersThatMakeNoDistribution) {
  EXPECT_THROW((void)Distribution::uniform(1.0, 1.0), InvalidArgument);
  EXPECT_THROW((void)Distribution::uniform(2.0, 1.0), InvalidArgument);
  EXPECT_THROW((void)Distribution::uniform(NAN, 1.0), InvalidArgument);
  EXPECT_THROW((void)Distribution::uniform(0.0, INFINITY), InvalidArgument);
  EXPECT_THROW((void)Distribution::log_uniform(0.0, 1.0), InvalidArgument);
  EXPECT_THROW((void)Distribution::normal(0.0, 0.0), InvalidArgument);
  EXPECT_THROW((void)Distribution::normal(0.0, -1.0), InvalidArgument);
  EXPECT_THROW((void)Distribution::normal(0.0, 1.0, 2.0, 1.0), InvalidArgument);
  EXPECT_THROW((void)Distribution::normal(0.0, 1.0, 50.0, 51.0), InvalidArgument);
  EXPECT_THROW((void)Distribution::triangular(0.0, 2.0, 1.0), InvalidArgument);
  EXPECT_THROW((void)Distribution::values({}), InvalidArgument);
  EXPECT_THROW((void)Distribution::values({1.0, NAN}), InvalidArgument);
  EXPECT_THROW((void)Distribution::integers(2, 1), InvalidArgument);
}

}  // namespace
}  // namespace enfold::study
