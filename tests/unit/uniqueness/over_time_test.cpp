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

// A(t) = A_a + t A_b, with its exact enclosure; the slip of row 1 turns round at `turn`.
struct Moving {
  FrictionFamily at_0, rate;
  double turn = 2.0;

  [[nodiscard]] FrictionFamily family(double t) const {
    FrictionFamily out{at_0.A_0 + t * rate.A_0, at_0.A_1 + t * rate.A_1};
    if (t > turn) out.A_1.col(1) *= -1.0;
    return out;
  }
  [[nodiscard]] FamilyAt at() const {
    return [*this](double t) -> std::optional<FrictionFamily> { return family(t); };
  }
  [[nodiscard]] FamilyOver over() const {
    return [*this](double from, double to) -> std::optional<FamilyEnclosure> {
      const double half = 0.5 * (to - from);
      FamilyEnclosure out;
      out.centre = family(0.5 * (from + to));
      out.radius_0 = (half * rate.A_0).cwiseAbs() + MatrixXd::Constant(4, 4, 1e-15);
      out.radius_1 = (half * rate.A_1).cwiseAbs() + MatrixXd::Constant(4, 4, 1e-15);
      out.turns.assign(4, false);
      out.turns[1] = from <= turn && turn <= to;
      return out;
    };
  }
};

// From Example 2 at 0.5 s to 0.8 s of the paper in a straight line: P is lost on the way.
Moving to_the_loss() {
  const FrictionFamily from = test::Example2(0.5).family;
  const FrictionFamily to = test::Example2(0.8).family;
  return {from, {to.A_0 - from.A_0, to.A_1 - from.A_1}};
}

VectorXd design() {
  return test::Example2(0.5).mu(0.8, 0.6);
}

// Every matrix of the enclosure is P where its corners are, and both verdicts are proved up to the length
// that halving reaches; the loss itself against bisection.
TEST(OverTimeTest, LossIsEnclosedByProofsOnBothSides) {
  const Moving motion = to_the_loss();
  double inside = 0.0;
  double outside = 1.0;
  while (outside - inside > 1e-12) {
    const double middle = 0.5 * (inside + outside);
    (test::p_status(motion.family(middle).A(design())) == PMatrixStatus::kP ? inside : outside) = middle;
  }
  for (const auto slip : {SlipDirections::kDeclared, SlipDirections::kBoth}) {
    const OverTime found = uniqueness_over_time(motion.at(), motion.over(), 1.0, design(),
                                                {.slip = slip, .intervals = 10, .halvings = 16});
    ASSERT_EQ(found.stretches.size(), 3u);
    EXPECT_EQ(found.stretches[0].verdict, TimeVerdict::kUnique);
    EXPECT_EQ(found.stretches[1].verdict, TimeVerdict::kUndecided);
    EXPECT_EQ(found.stretches[2].verdict, TimeVerdict::kNotUnique);
    EXPECT_LT(found.stretches[1].to - found.stretches[1].from, 1e-5);
    EXPECT_LE(found.stretches[1].from, inside);
    EXPECT_GE(found.stretches[1].to, inside);
    EXPECT_EQ(found.first_loss(), &found.stretches[2]);
    EXPECT_FALSE(found.unique());
  }
}

TEST(OverTimeTest, SmallFrictionIsProvedUniqueAllAlongThoughSlipTurnsRound) {
  Moving motion = to_the_loss();
  motion.turn = 0.4;
  const OverTime found =
      uniqueness_over_time(motion.at(), motion.over(), 1.0, VectorXd::Constant(4, 0.1), {.intervals = 20});
  ASSERT_EQ(found.stretches.size(), 1u);
  EXPECT_TRUE(found.unique());
  EXPECT_EQ(found.first_loss(), nullptr);
}

// The word "proved" is for enclosures only.
TEST(OverTimeTest, WithoutAnEnclosureNothingIsProved) {
  const OverTime found = uniqueness_over_time(to_the_loss().at(), {}, 1.0, design(), {.intervals = 10});
  ASSERT_EQ(found.stretches.size(), 3u);
  EXPECT_EQ(found.stretches[0].verdict, TimeVerdict::kSampledUnique);
  EXPECT_EQ(found.stretches[1].verdict, TimeVerdict::kUndecided);
  EXPECT_EQ(found.stretches[2].verdict, TimeVerdict::kSampledNotUnique);
  EXPECT_FALSE(found.unique());
  ASSERT_NE(found.first_loss(), nullptr);
}

// A minor that dips below zero for a hundredth of a second between the samples: never called unique there.
TEST(OverTimeTest, DipBetweenSamplesIsNotCalledUnique) {
  const auto value = [](double t) { return (t - 0.503) / 0.005 * ((t - 0.503) / 0.005) - 0.5; };
  const FamilyAt dipping = [&](double t) -> std::optional<FrictionFamily> {
    return FrictionFamily{MatrixXd::Constant(1, 1, value(t)), MatrixXd::Zero(1, 1)};
  };
  // The square's range over the stretch.
  const FamilyOver over = [&](double from, double to) -> std::optional<FamilyEnclosure> {
    const double least = from <= 0.503 && 0.503 <= to ? -0.5 : std::min(value(from), value(to));
    const double most = std::max(value(from), value(to));
    return FamilyEnclosure{{MatrixXd::Constant(1, 1, 0.5 * (least + most)), MatrixXd::Zero(1, 1)},
                           MatrixXd::Constant(1, 1, 0.5 * (most - least) + 1e-12),
                           MatrixXd::Zero(1, 1),
                           {false}};
  };
  const OverTime found =
      uniqueness_over_time(dipping, over, 1.0, VectorXd::Zero(1), {.intervals = 10, .halvings = 12});
  bool lost = false;
  for (const TimeStretch& stretch : found.stretches) {
    const bool over_the_dip = stretch.from < 0.503 && 0.503 < stretch.to;
    if (stretch.verdict == TimeVerdict::kUnique) {
      EXPECT_FALSE(over_the_dip);
    }
    lost = lost || (over_the_dip && stretch.verdict == TimeVerdict::kNotUnique);
  }
  EXPECT_TRUE(lost);
  EXPECT_FALSE(found.unique());
}

TEST(OverTimeTest, MissingMotionIsReportedAndBadInputRefused) {
  const FamilyAt half = [](double t) -> std::optional<FrictionFamily> {
    if (t > 0.5) return std::nullopt;
    return FrictionFamily{MatrixXd::Identity(1, 1), MatrixXd::Zero(1, 1)};
  };
  const OverTime found =
      uniqueness_over_time(half, {}, 1.0, VectorXd::Zero(1), {.intervals = 4, .halvings = 4});
  ASSERT_EQ(found.stretches.size(), 2u);
  EXPECT_EQ(found.stretches[1].verdict, TimeVerdict::kNoMotion);
  EXPECT_THROW((void)uniqueness_over_time(half, {}, -1.0, VectorXd::Zero(1)), InvalidArgument);
  EXPECT_THROW((void)uniqueness_over_time(half, {}, 1.0, VectorXd::Zero(2)), InvalidArgument);
  EXPECT_THROW((void)uniqueness_over_time(half, {}, 1.0, VectorXd::Zero(1), {.intervals = 0}),
               InvalidArgument);
}

// [eq:interval-matrix] for families: any matrix of the enclosure, any μ of a box that the corners certify.
TEST(CornerFamiliesTest, BoxCertifiedAtTheCornersHoldsForEveryMember) {
  const CounterRandom random(84, 0);
  int certified = 0;
  for (std::uint64_t n = 0; n < 30; ++n) {
    const Index size = 1 + static_cast<Index>(n % 4);
    FamilyEnclosure enclosure;
    enclosure.centre = test::random_family(random, n, size);
    enclosure.radius_0 = 0.05 * test::random_matrix(random, 500000 + 100 * n, size, size).cwiseAbs();
    enclosure.radius_1 = 0.05 * test::random_matrix(random, 600000 + 100 * n, size, size).cwiseAbs();
    enclosure.turns.assign(static_cast<std::size_t>(size), false);
    enclosure.turns[0] = n % 3 == 0;
    const FrictionBox box{VectorXd::Zero(size), VectorXd::Constant(size, 0.3)};
    bool all = true;
    const auto corners = corner_families(enclosure);
    EXPECT_EQ(corners.size(), (std::size_t{1} << (size - 1)) * (n % 3 == 0 ? 2 : 1));
    for (const FrictionFamily& corner : corners)
      all = all && certify(corner, box).status == CertificateStatus::kCertified;
    if (!all) continue;
    ++certified;
    for (std::uint64_t k = 0; k < 200; ++k) {
      const std::uint64_t seed = 20'000'000 + 100000 * n + 200 * k;
      FrictionFamily member{enclosure.centre.A_0 + enclosure.radius_0.cwiseProduct(
                                                       test::random_matrix(random, seed, size, size)),
                            enclosure.centre.A_1 + enclosure.radius_1.cwiseProduct(
                                                       test::random_matrix(random, seed + 50, size, size))};
      if (enclosure.turns[0] && k % 2 == 0) member.A_1.col(0) *= -1.0;
      VectorXd mu(size);
      for (Index j = 0; j < size; ++j)
        mu[j] = 0.15 * (1.0 + random.symmetric(seed + 100 + static_cast<std::uint64_t>(j)));
      EXPECT_EQ(test::p_status(member.A(mu)), PMatrixStatus::kP) << "seed 84, draw " << n;
    }
  }
  EXPECT_GT(certified, 5);
  EXPECT_EQ(signed_families(test::Example2(0.5).family).size(), 16u);
}

// The smallest margin of a motion against a fine scan; the proved bound lies below it and not far below.
TEST(SmallestMarginTest, IsThatOfAFineScanAndItsBoundHolds) {
  const Moving motion = to_the_loss();
  const VectorXd mu = test::Example2(0.5).mu(0.3, 0.4);
  for (const auto slip : {SlipDirections::kDeclared, SlipDirections::kBoth}) {
    double least = 1e9;
    for (int k = 0; k <= 400; ++k)
      least = std::min(least, friction_margin(motion.family(k / 400.0), mu, {.slip = slip}).half_width);
    const SmallestMargin found =
        smallest_margin_over_time(motion.at(), motion.over(), 1.0, mu, {.slip = slip, .instants = 9});
    EXPECT_EQ(found.margin.status, MarginStatus::kFinite);
    EXPECT_LE(found.margin.half_width, least + 1e-9);
    EXPECT_GE(found.proved, 0.998 * found.margin.half_width);
    EXPECT_LE(found.proved, least);
    const SmallestMargin sampled = smallest_margin_over_time(motion.at(), {}, 1.0, mu, {.slip = slip});
    EXPECT_EQ(sampled.proved, 0.0);
    EXPECT_NEAR(sampled.margin.half_width, found.margin.half_width, 1e-6);
  }
}

}  // namespace
}  // namespace enfold::uniqueness
