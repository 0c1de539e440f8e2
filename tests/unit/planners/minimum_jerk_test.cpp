// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/minimum_jerk.hpp"

#include <gtest/gtest.h>

#include "enfold/base/counter_random.hpp"
#include "enfold/base/error.hpp"
#include "enfold/planners/quintic.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/numeric_derivative.hpp"

namespace enfold::planners {
namespace {

using test::EigenNear;
using test::numeric_derivative;

const std::vector<VectorXd> kPoints{Eigen::Vector3d(0.0, 0.15, 1.2), Eigen::Vector3d(0.02, 0.16, 1.5),
                                    Eigen::Vector3d(-0.01, 0.155, 1.6), Eigen::Vector3d(0.0, 0.15, 1.9)};
const std::vector<double> kTimes{0.0, 0.3, 0.8, 1.1};

control::Reference sampled_at(const control::Trajectory& path, double t) {
  control::Reference out;
  path.sample(t, out);
  return out;
}

TEST(MinimumJerkTest, WithoutViaPointsItIsTheQuintic) {
  const MinimumJerk path({kPoints[0], kPoints[3]}, {0.0, 1.3});
  const Quintic quintic(kPoints[0], kPoints[3], 1.3);
  for (const double t : {-0.1, 0.0, 0.2, 0.7, 1.25, 1.3, 2.0}) {
    EXPECT_THAT(sampled_at(path, t).x, EigenNear(sampled_at(quintic, t).x, 1e-13));
    EXPECT_THAT(sampled_at(path, t).x_ddot, EigenNear(sampled_at(quintic, t).x_ddot, 1e-11));
  }
}

TEST(MinimumJerkTest, PassesItsPointsInTimeAndRestsAtBothEnds) {
  const MinimumJerk path(kPoints, kTimes);
  for (std::size_t j = 0; j < kPoints.size(); ++j)
    EXPECT_THAT(sampled_at(path, kTimes[j]).x, EigenNear(kPoints[j], 1e-12));
  for (const double t : {0.0, 1.1}) {
    EXPECT_LT(sampled_at(path, t).x_dot.norm(), 1e-11);
    EXPECT_LT(sampled_at(path, t).x_ddot.norm(), 1e-9);
  }
}

TEST(MinimumJerkTest, DerivativesAreThoseOfThePose) {
  const MinimumJerk path(kPoints, kTimes);
  for (const double t : {0.1, 0.45, 0.7, 1.0}) {
    const control::Reference at = sampled_at(path, t);
    EXPECT_THAT(at.x_dot,
                EigenNear(numeric_derivative([&](double s) { return sampled_at(path, t + s).x; }), 1e-8));
    EXPECT_THAT(at.x_ddot,
                EigenNear(numeric_derivative([&](double s) { return sampled_at(path, t + s).x_dot; }), 1e-7));
    EXPECT_THAT(
        at.x_dddot,
        EigenNear(numeric_derivative([&](double s) { return sampled_at(path, t + s).x_ddot; }), 1e-5));
  }
}

// Pontryagin: with positions prescribed at the via points, jerk and its slope are continuous there.
TEST(MinimumJerkTest, DerivativesUpToTheFourthAreContinuousAtViaPoints) {
  const MinimumJerk path(kPoints, kTimes);
  constexpr double kStep = 1e-7;
  for (const double t : {0.3, 0.8}) {
    const auto jump = [&](auto part) {
      return (part(sampled_at(path, t + kStep)) - part(sampled_at(path, t - kStep))).norm();
    };
    const double size = sampled_at(path, t).x_dddot.norm();
    EXPECT_LT(jump([](const auto& r) { return r.x_ddot; }), 3e-7 * size);
    EXPECT_LT(jump([](const auto& r) { return r.x_dddot; }), 1e-4 * (1.0 + size));
    const auto snap = [&](double from) {
      return VectorXd((sampled_at(path, from + 1e-4).x_dddot - sampled_at(path, from).x_dddot) / 1e-4);
    };
    EXPECT_LT((snap(t + 1e-6) - snap(t - 1.01e-4)).norm(), 0.02 * snap(t).norm() + 10.0);
  }
}

/// ∫ x⃛² dt by Simpson's rule: the second route to cost().
double integrated_jerk(const control::Trajectory& path, const std::vector<double>& times) {
  double sum = 0.0;
  for (std::size_t j = 0; j + 1 < times.size(); ++j) {
    constexpr int kSteps = 40;
    const double a = times[j] + 1e-12;
    const double h = (times[j + 1] - times[j] - 2e-12) / kSteps;
    for (int i = 0; i <= kSteps; ++i) {
      const double w = i == 0 || i == kSteps ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
      sum += w * h / 3.0 * sampled_at(path, a + i * h).x_dddot.squaredNorm();
    }
  }
  return sum;
}

TEST(MinimumJerkTest, CostIsTheIntegralOfTheSquaredJerk) {
  const MinimumJerk path(kPoints, kTimes);
  EXPECT_NEAR(path.cost(), integrated_jerk(path, kTimes), 1e-5 * path.cost());
}

// Any other way through the same points in the same times costs more: bumps that vanish at all points.
TEST(MinimumJerkTest, NoOtherPathThroughThePointsHasLessJerk) {
  const MinimumJerk path(kPoints, kTimes);
  class Bumped final : public control::Trajectory {
   public:
    Bumped(const MinimumJerk& base, std::size_t segment, VectorXd size)
        : base_{base}, segment_{segment}, size_{std::move(size)} {}
    [[nodiscard]] double duration() const override { return base_.duration(); }
    void sample(double t, control::Reference& out) const override {
      base_.sample(t, out);
      const double h = kTimes[segment_ + 1] - kTimes[segment_];
      const double s = (t - kTimes[segment_]) / h;
      if (s <= 0.0 || s >= 1.0) return;
      // s³(1−s)³ has no value, velocity or acceleration at its ends.
      out.x_dddot += size_ * (6.0 - 72.0 * s + 180.0 * s * s - 120.0 * s * s * s) / (h * h * h);
    }

   private:
    const MinimumJerk& base_;
    std::size_t segment_;
    VectorXd size_;
  };
  const CounterRandom random(1, 1);
  const double least = integrated_jerk(path, kTimes);
  for (std::size_t segment = 0; segment < 3; ++segment) {
    for (std::uint64_t k = 0; k < 4; ++k) {
      const Eigen::Vector3d size{random.symmetric(12 * segment + 3 * k),
                                 random.symmetric(12 * segment + 3 * k + 1),
                                 random.symmetric(12 * segment + 3 * k + 2)};
      EXPECT_GT(integrated_jerk(Bumped(path, segment, size), kTimes), least);
    }
  }
}

TEST(MinimumJerkTest, BestTimesCostLessThanAnyOthersNearBy) {
  const VectorXd weights = Eigen::Vector3d(10.0, 10.0, 1.0);
  const MinimumJerk best = MinimumJerk::with_best_times(kPoints, 1.1, weights);
  EXPECT_LT(best.cost(weights), MinimumJerk(kPoints, kTimes).cost(weights));
  for (std::size_t j = 1; j <= 2; ++j) {
    for (const double shift : {-0.01, 0.01}) {
      std::vector<double> times = best.times();
      times[j] += shift;
      EXPECT_GT(MinimumJerk(kPoints, times).cost(weights), best.cost(weights));
    }
  }
}

TEST(MinimumJerkTest, SymmetricViaPointIsPassedAtHalfTime) {
  const VectorXd a = Eigen::Vector2d(-1.0, 0.0);
  const VectorXd via = Eigen::Vector2d(0.0, 0.5);
  const VectorXd b = Eigen::Vector2d(1.0, 0.0);
  const MinimumJerk path = MinimumJerk::with_best_times({a, via, b}, 2.0);
  EXPECT_NEAR(path.times()[1], 1.0, 1e-6);
}

TEST(MinimumJerkTest, RefusesTimesThatDoNotIncrease) {
  EXPECT_THROW(MinimumJerk(kPoints, {0.0, 0.5, 0.5, 1.0}), InvalidArgument);
  EXPECT_THROW(MinimumJerk(kPoints, {0.1, 0.5, 0.6, 1.0}), InvalidArgument);
  EXPECT_THROW(MinimumJerk({kPoints[0]}, {0.0}), InvalidArgument);
  EXPECT_THROW((void)MinimumJerk::with_best_times(kPoints, 0.0), InvalidArgument);
}

}  // namespace
}  // namespace enfold::planners
