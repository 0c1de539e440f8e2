// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/margin_sensitivity.hpp"

#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "uniqueness_cases.hpp"

namespace enfold::uniqueness {
namespace {

VectorXd some_mu(const CounterRandom& random, std::uint64_t n, Index size) {
  return test::random_vector(random, 700000 + 10 * n, size).cwiseAbs() * 0.1 + VectorXd::Constant(size, 0.05);
}

// Smooth places only: where a step changes the critical minor or vertex there is a kink.
bool same_place(const FrictionMargin& a, const FrictionMargin& b) {
  return b.status == MarginStatus::kFinite && a.indices == b.indices &&
         (a.critical_mu - b.critical_mu).norm() < 0.01;
}

// [eq:margin-gradient]
TEST(MarginSensitivityTest, GradientByMuAgreesWithFiniteDifferences) {
  const CounterRandom random(81, 0);
  int checked = 0;
  for (std::uint64_t n = 0; n < 60; ++n) {
    const FrictionFamily family = test::random_family(random, n, 1 + static_cast<Index>(n % 4));
    const VectorXd mu = some_mu(random, n, family.size());
    const FrictionMargin margin = friction_margin(family, mu);
    if (margin.status != MarginStatus::kFinite) continue;
    const MarginGradient gradient = margin_gradient(family, mu, margin);
    for (Index j = 0; j < mu.size(); ++j) {
      const VectorXd step = 1e-5 * VectorXd::Unit(mu.size(), j);
      const FrictionMargin up = friction_margin(family, mu + step);
      const FrictionMargin down = friction_margin(family, mu - step);
      if (!same_place(margin, up) || !same_place(margin, down)) continue;
      SCOPED_TRACE(fmt::format("seed 81, draw {}, coefficient {}", n, j));
      EXPECT_NEAR(gradient.half_width_by_mu[j], (up.half_width - down.half_width) / 2e-5, 1e-5);
      if (gradient.scale_by_mu.size() > 0 && up.scale.indices == margin.scale.indices &&
          down.scale.indices == margin.scale.indices) {
        EXPECT_NEAR(gradient.scale_by_mu[j], (up.scale.r - down.scale.r) / 2e-5,
                    1e-4 * std::max(1.0, std::abs(gradient.scale_by_mu[j])));
      }
      ++checked;
    }
  }
  EXPECT_GT(checked, 60);
}

// [eq:margin-gradient]
TEST(MarginSensitivityTest, DerivativeByAnyParameterAgreesWithFiniteDifferences) {
  const CounterRandom random(82, 0);
  int checked = 0;
  for (std::uint64_t n = 0; n < 60; ++n) {
    const FrictionFamily family = test::random_family(random, n, 2 + static_cast<Index>(n % 3));
    const FrictionFamily by_p = test::random_family(random, 500 + n, family.size());
    const VectorXd mu = some_mu(random, n, family.size());
    const auto at = [&](double p) {
      return friction_margin({family.A_0 + p * by_p.A_0, family.A_1 + p * by_p.A_1}, mu);
    };
    const FrictionMargin margin = at(0.0);
    if (margin.status != MarginStatus::kFinite) continue;
    const FrictionMargin up = at(1e-6);
    const FrictionMargin down = at(-1e-6);
    if (!same_place(margin, up) || !same_place(margin, down)) continue;
    SCOPED_TRACE(fmt::format("seed 82, draw {}", n));
    const double expected = (up.half_width - down.half_width) / 2e-6;
    EXPECT_NEAR(half_width_derivative(family, mu, margin, {by_p.A_0, by_p.A_1}), expected,
                1e-5 * std::max(1.0, std::abs(expected)));
    ++checked;
  }
  EXPECT_GT(checked, 20);
}

TEST(MarginSensitivityTest, IsEmptyWithoutAMarginAndRefusesWrongSizes) {
  const FrictionFamily frictionless{MatrixXd::Identity(2, 2), MatrixXd::Zero(2, 2)};
  const VectorXd mu = VectorXd::Constant(2, 0.5);
  const FrictionMargin margin = friction_margin(frictionless, mu);
  EXPECT_EQ(margin_gradient(frictionless, mu, margin).half_width_by_mu.size(), 0);
  EXPECT_TRUE(
      std::isnan(half_width_derivative(frictionless, mu, margin, {frictionless.A_0, frictionless.A_1})));
  EXPECT_TRUE(std::isnan(scale_derivative(frictionless, mu, margin, {frictionless.A_0, frictionless.A_1})));
  EXPECT_THROW((void)margin_gradient(frictionless, VectorXd::Zero(3), margin), InvalidArgument);
}

}  // namespace
}  // namespace enfold::uniqueness
