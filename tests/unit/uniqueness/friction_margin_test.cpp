// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/friction_margin.hpp"

#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "uniqueness_cases.hpp"

namespace enfold::uniqueness {
namespace {

using lcp::PMatrixStatus;
using test::Example2;

/// All points of a 3ⁿ grid of the cube are P.
bool cube_is_P(const FrictionFamily& family, const VectorXd& mu, double r, SlipDirections slip) {
  const Index n = family.size();
  int count = 1;
  for (Index j = 0; j < n; ++j) count *= 3;
  lcp::PMatrixTester tester(n);
  for (int number = 0; number < count; ++number) {
    VectorXd point = mu;
    int rest = number;
    for (Index j = 0; j < n; ++j, rest /= 3) {
      const double s = rest % 3 - 1;
      point[j] = slip == SlipDirections::kBoth ? s * (mu[j] + r) : std::max(0.0, mu[j] + s * r);
    }
    if (tester.test(family.A(point)).status != PMatrixStatus::kP) return false;
  }
  return true;
}

// [eq:friction-margin]
TEST(FrictionMarginTest, EqualsBisectionOnGridsOfTheCube) {
  const CounterRandom random(81, 0);
  int finite = 0;
  for (int k = 0; k < test::count(60, 600); ++k) {
    const auto n = static_cast<std::uint64_t>(k);
    const bool hand = k % 2 == 0;
    const FrictionFamily family =
        hand ? test::random_grasp_family(random, n) : test::random_family(random, n, 1 + k % 4);
    const VectorXd mu = test::random_vector(random, 900000 + 10 * n, family.size(), 0.3).cwiseAbs();
    const SlipDirections slip = k % 5 == 0 ? SlipDirections::kBoth : SlipDirections::kDeclared;
    SCOPED_TRACE(fmt::format("seed 81, draw {}", k));
    const FrictionMargin margin = friction_margin(family, mu, {.slip = slip});
    if (!cube_is_P(family, mu, 0.0, slip)) {
      EXPECT_EQ(margin.status, MarginStatus::kNotP);
      EXPECT_EQ(margin.half_width, 0.0);
      continue;
    }
    double inside = 0.0;
    double outside = 20.0;
    if (cube_is_P(family, mu, outside, slip)) {
      EXPECT_GT(margin.half_width, outside);
      continue;
    }
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (inside + outside);
      (cube_is_P(family, mu, middle, slip) ? inside : outside) = middle;
    }
    ASSERT_EQ(margin.status, MarginStatus::kFinite);
    EXPECT_NEAR(margin.half_width, inside, 1e-9 * std::max(1.0, inside));
    const std::vector<Index>& S = margin.indices;
    const MatrixXd A = family.A(margin.critical_mu)(S, S);
    EXPECT_NEAR(A.determinant(), 0.0, 1e-9 * std::pow(family.A_0.norm(), static_cast<double>(S.size())));
    ++finite;
  }
  EXPECT_GT(finite, 30);
}

// The certificate flips at the margin. [eq:friction-margin] [eq:box-certificate]
TEST(FrictionMarginTest, CubesBelowAreCertifiedAndCubesAboveAreRefuted) {
  const Example2 at(0.5);
  const VectorXd mu = at.mu(0.8, 0.6);
  const FrictionMargin margin = friction_margin(at.family, mu);
  ASSERT_EQ(margin.status, MarginStatus::kFinite);
  EXPECT_GT(margin.half_width, 0.01);
  const auto cube = [&](double r) { return certify(at.family, {mu.array() - r, mu.array() + r}).status; };
  EXPECT_EQ(cube(margin.half_width - 1e-9), CertificateStatus::kCertified);
  EXPECT_EQ(cube(margin.half_width + 1e-9), CertificateStatus::kRefuted);
  EXPECT_EQ(margin.scale.status, FrontierStatus::kCrossing);
  EXPECT_EQ(test::p_status(at.family.A((margin.scale.r - 1e-9) * mu)), PMatrixStatus::kP);
  EXPECT_EQ(test::p_status(at.family.A((margin.scale.r + 1e-9) * mu)), PMatrixStatus::kNotP);
}

TEST(FrictionMarginTest, IsZeroWhereExampleTwoHasLostUniqueness) {
  const Example2 at(0.8);
  const FrictionMargin margin = friction_margin(at.family, at.mu(0.8, 0.6));
  EXPECT_EQ(margin.status, MarginStatus::kNotP);
  EXPECT_EQ(margin.half_width, 0.0);
  EXPECT_LT(margin.scale.r, 1.0);
}

TEST(FrictionMarginTest, IsUnboundedWithoutFriction) {
  const FrictionFamily family{MatrixXd::Identity(3, 3), MatrixXd::Zero(3, 3)};
  const FrictionMargin margin = friction_margin(family, VectorXd::Ones(3));
  EXPECT_EQ(margin.status, MarginStatus::kUnbounded);
  EXPECT_TRUE(std::isinf(margin.half_width));
}

TEST(FrictionMarginTest, RefusesBadInputAndReportsSizesAboveTheLimit) {
  const FrictionFamily family{MatrixXd::Identity(3, 3), MatrixXd::Zero(3, 3)};
  EXPECT_THROW((void)friction_margin(family, VectorXd::Ones(2)), InvalidArgument);
  EXPECT_THROW((void)friction_margin(family, -VectorXd::Ones(3)), InvalidArgument);
  EXPECT_THROW((void)friction_margin(family, VectorXd::Constant(3, std::nan(""))), InvalidArgument);
  EXPECT_THROW((void)friction_margin(family, VectorXd::Ones(3), {.limit = 13}), InvalidArgument);
  EXPECT_EQ(friction_margin(family, VectorXd::Ones(3), {.limit = 2}).status, MarginStatus::kTooLarge);
}

}  // namespace
}  // namespace enfold::uniqueness
