// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/over_time.hpp"

#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "uniqueness_cases.hpp"

namespace enfold::uniqueness {
namespace {

using lcp::PMatrixStatus;

// [eq:interval-matrix]
TEST(IntervalMatrixTest, NoSampleContradictsAProofAndEveryRefusalHasAVertexThatIsNotP) {
  const CounterRandom random(83, 0);
  int proved = 0;
  for (std::uint64_t n = 0; n < 40; ++n) {
    const Index size = 1 + static_cast<Index>(n % 5);
    const MatrixXd A = test::random_family(random, n, size).A_0;
    const MatrixXd Delta = 0.4 * test::random_matrix(random, 400000 + 100 * n, size, size).cwiseAbs();
    const bool P = interval_matrix_is_p(A, Delta);
    proved += P ? 1 : 0;
    bool counter_example = false;
    for (std::uint64_t k = 0; k < 300; ++k) {
      MatrixXd sample = A;
      for (Index i = 0; i < size; ++i)
        for (Index j = 0; j < size; ++j)
          sample(i, j) += Delta(i, j) * random.symmetric(10'000'000 + 100000 * n + 100 * k +
                                                         static_cast<std::uint64_t>(size * i + j));
      counter_example = counter_example || test::p_status(sample) != PMatrixStatus::kP;
    }
    EXPECT_FALSE(P && counter_example) << "seed 83, draw " << n;
  }
  EXPECT_GT(proved, 5);
  EXPECT_LT(proved, 40);
}

FamilyAt example_2() {
  return [](double t) -> std::optional<FrictionFamily> { return test::Example2(t).family; };
}

// S4, Example 2: unique until 0.647 s, then not; proved on both sides of every sample before it.
TEST(OverTimeTest, ExampleTwoIsProvedUniqueUntilItIsLost) {
  const OverTime found = uniqueness_over_time(example_2(), 1.0, test::Example2(0.5).mu(0.8, 0.6),
                                              {.intervals = 50, .halvings = 12});
  ASSERT_GE(found.stretches.size(), 2u);
  EXPECT_EQ(found.stretches.front().verdict, TimeVerdict::kUnique);
  double last = 0.0;
  double sampled_only = 0.0;
  double lost = 1.0;
  for (const TimeStretch& stretch : found.stretches) {
    EXPECT_EQ(stretch.from, last);
    last = stretch.to;
    if (stretch.verdict == TimeVerdict::kSampledOnly) sampled_only += stretch.to - stretch.from;
    if (stretch.verdict == TimeVerdict::kNotUnique) lost = std::min(lost, stretch.from);
  }
  EXPECT_EQ(last, 1.0);
  EXPECT_NEAR(lost, 0.6475, 0.002);
  EXPECT_LT(sampled_only, 0.001);
  EXPECT_FALSE(found.unique());
}

TEST(OverTimeTest, SmallFrictionIsProvedUniqueAllAlongThoughSlipTurnsRound) {
  const FamilyAt turning = [](double t) -> std::optional<FrictionFamily> {
    FrictionFamily family = test::Example2(0.3).family;
    if (t > 0.4) family.A_1.col(1) *= -1.0;
    return family;
  };
  const OverTime found = uniqueness_over_time(turning, 1.0, VectorXd::Constant(4, 0.1));
  ASSERT_EQ(found.stretches.size(), 1u);
  EXPECT_TRUE(found.unique());
}

// A minor that dips below zero for a hundredth of a second between the samples: never called unique there.
TEST(OverTimeTest, DipBetweenSamplesIsNotCalledUnique) {
  const FamilyAt dipping = [](double t) -> std::optional<FrictionFamily> {
    const double dip = (t - 0.503) / 0.005;
    return FrictionFamily{MatrixXd::Constant(1, 1, dip * dip - 0.5), MatrixXd::Zero(1, 1)};
  };
  const OverTime found =
      uniqueness_over_time(dipping, 1.0, VectorXd::Zero(1), {.intervals = 10, .halvings = 12});
  for (const TimeStretch& stretch : found.stretches) {
    if (stretch.verdict != TimeVerdict::kUnique) continue;
    EXPECT_FALSE(stretch.from < 0.503 && 0.503 < stretch.to);
  }
  EXPECT_FALSE(found.unique());
}

TEST(OverTimeTest, MissingMotionIsReportedAndBadInputRefused) {
  const FamilyAt half = [](double t) -> std::optional<FrictionFamily> {
    if (t > 0.5) return std::nullopt;
    return FrictionFamily{MatrixXd::Identity(1, 1), MatrixXd::Zero(1, 1)};
  };
  const OverTime found = uniqueness_over_time(half, 1.0, VectorXd::Zero(1), {.intervals = 4, .halvings = 4});
  ASSERT_EQ(found.stretches.size(), 2u);
  EXPECT_EQ(found.stretches[1].verdict, TimeVerdict::kNoMotion);
  EXPECT_THROW((void)uniqueness_over_time(half, -1.0, VectorXd::Zero(1)), InvalidArgument);
  EXPECT_THROW((void)uniqueness_over_time(half, 1.0, VectorXd::Zero(2)), InvalidArgument);
  EXPECT_THROW((void)uniqueness_over_time(half, 1.0, VectorXd::Zero(1), {.safety = 0.5}), InvalidArgument);
}

}  // namespace
}  // namespace enfold::uniqueness
