// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/sim/sensors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "enfold/base/error.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::sim {
namespace {

const test::PaperHand& hand() {
  static const test::PaperHand h = test::paper_hand();
  return h;
}

/// A true measurement without a zero in it.
control::Measurement truth() {
  control::Measurement out;
  out.q = hand().closed(0.002, 0.151, 80.0);
  out.v = (VectorXd(7) << 0.1, -0.2, 0.3, -0.4, 0.5, -0.6, 0.7).finished();
  out.lambda_N = Eigen::Vector4d(1.0, 2.0, 3.0, 4.0);
  out.lambda_T = Eigen::Vector4d(-0.1, 0.2, -0.3, 0.4);
  out.forces_valid = true;
  return out;
}

VectorXd desired() {
  return Eigen::Vector3d(0.0, 0.15, 1.2);
}

control::Measurement read(const NoiseModel& noise, std::uint64_t instant) {
  Sensors sensors(hand().mechanism, 4, noise);
  control::Measurement out = truth();
  sensors.disturb(instant, desired(), out);
  return out;
}

bool same(const control::Measurement& a, const control::Measurement& b) {
  return a.q == b.q && a.v == b.v && a.lambda_N == b.lambda_N && a.lambda_T == b.lambda_T &&
         a.forces_valid == b.forces_valid;
}

/// Smallest and largest (reading − truth)/(fraction·reference) over many instants.
struct Spread {
  double low = 1e9, high = -1e9, mean = 0.0;
};

template <typename Ratio>
Spread spread(const NoiseModel& noise, Ratio ratio) {
  Spread out;
  constexpr int kInstants = 2000;
  for (int k = 0; k < kInstants; ++k) {
    const double r = ratio(read(noise, static_cast<std::uint64_t>(k)));
    out.low = std::min(out.low, r);
    out.high = std::max(out.high, r);
    out.mean += r / kInstants;
  }
  return out;
}

/// 2000 draws from U[−1, 1): the mean is within 5 σ = 0.065, the extremes are within 0.01 of the bounds.
void expect_uniform(const Spread& s, const char* what) {
  EXPECT_GE(s.low, -1.0 - 1e-9) << what;
  EXPECT_LE(s.high, 1.0 + 1e-9) << what;
  EXPECT_LT(s.low, -0.99) << what;
  EXPECT_GT(s.high, 0.99) << what;
  EXPECT_NEAR(s.mean, 0.0, 0.065) << what;
}

TEST(SensorsTest, SilentSensorsReadTheTruth) {
  EXPECT_TRUE(NoiseModel{}.silent());
  EXPECT_FALSE(NoiseModel{.force = 0.1}.silent());
  EXPECT_FALSE(NoiseModel{.pose = 0.1}.silent());
  EXPECT_FALSE(NoiseModel{.velocity = 0.1}.silent());
  for (std::uint64_t k = 0; k < 10; ++k) EXPECT_TRUE(same(read({}, k), truth()));
}

TEST(SensorsTest, ForceNoiseIsUniformWithinItsFractionOfEachReading) {
  const NoiseModel noise{.force = 0.2};
  for (Index i = 0; i < 4; ++i) {
    expect_uniform(
        spread(noise, [i](const auto& m) { return (m.lambda_N[i] / truth().lambda_N[i] - 1.0) / 0.2; }),
        "lambda_N");
    expect_uniform(
        spread(noise, [i](const auto& m) { return (m.lambda_T[i] / truth().lambda_T[i] - 1.0) / 0.2; }),
        "lambda_T");
  }
  control::Measurement others = read(noise, 3);
  others.lambda_N = truth().lambda_N;
  others.lambda_T = truth().lambda_T;
  EXPECT_TRUE(same(others, truth()));
}

TEST(SensorsTest, VelocityNoiseIsUniformWithinItsFractionOfEachReading) {
  const NoiseModel noise{.velocity = 0.1};
  for (Index i = 0; i < 7; ++i)
    expect_uniform(spread(noise, [i](const auto& m) { return (m.v[i] / truth().v[i] - 1.0) / 0.1; }), "v");
  control::Measurement others = read(noise, 3);
  others.v = truth().v;
  EXPECT_TRUE(same(others, truth()));
}

// Checklist row 22: what a fraction is a fraction of.
TEST(SensorsTest, PoseNoiseRefersToTheErrorTheReadingOrTheRange) {
  const VectorXd range = Eigen::Vector3d(0.01, 0.03, 0.7);
  const VectorXd error = desired() - truth().q.head(3);
  const VectorXd reading = truth().q.head(3);
  const std::pair<PoseNoiseReference, VectorXd> references[] = {{PoseNoiseReference::kError, error},
                                                                {PoseNoiseReference::kReading, reading},
                                                                {PoseNoiseReference::kRange, range}};
  for (const auto& [reference, size] : references) {
    const NoiseModel noise{.pose = 0.3, .pose_reference = reference, .pose_range = range};
    for (Index i = 0; i < 3; ++i)
      expect_uniform(spread(noise, [i, &size = size](
                                       const auto& m) { return (m.q[i] - truth().q[i]) / (0.3 * size[i]); }),
                     "x");
  }
}

TEST(SensorsTest, PoseNoiseLeavesJointsVelocitiesAndForcesAlone) {
  for (const PoseNoiseReference reference :
       {PoseNoiseReference::kError, PoseNoiseReference::kReading, PoseNoiseReference::kRange}) {
    const NoiseModel noise{.pose = 0.5, .pose_reference = reference, .pose_range = VectorXd::Ones(3)};
    for (std::uint64_t k = 0; k < 20; ++k) {
      control::Measurement measured = read(noise, k);
      EXPECT_GT((measured.q - truth().q).head(3).cwiseAbs().minCoeff(), 0.0);
      measured.q.head(3) = truth().q.head(3);
      EXPECT_TRUE(same(measured, truth()));
    }
  }
}

TEST(SensorsTest, DrawsDependOnSeedAndInstantOnly) {
  const NoiseModel noise{.force = 0.2, .pose = 0.3, .velocity = 0.1, .seed = 7};
  Sensors sensors(hand().mechanism, 4, noise);
  // Backwards, and with a gap: no draw depends on those before it.
  for (const std::uint64_t instant : {9U, 4U, 4U, 123456U, 0U}) {
    control::Measurement measured = truth();
    sensors.disturb(instant, desired(), measured);
    EXPECT_TRUE(same(measured, read(noise, instant))) << instant;
  }
  NoiseModel other = noise;
  other.seed = 8;
  for (std::uint64_t k = 0; k < 10; ++k) {
    EXPECT_FALSE(same(read(noise, k), read(other, k)));
    EXPECT_FALSE(same(read(noise, k), read(noise, k + 1)));
  }
}

// The channel that is switched on or off does not change the draws of the others.
TEST(SensorsTest, ChannelsAreIndependent) {
  const NoiseModel all{.force = 0.2, .pose = 0.3, .velocity = 0.1};
  for (std::uint64_t k = 0; k < 10; ++k) {
    EXPECT_EQ(read({.force = 0.2}, k).lambda_N, read(all, k).lambda_N);
    EXPECT_EQ(read({.force = 0.2}, k).lambda_T, read(all, k).lambda_T);
    EXPECT_EQ(read({.pose = 0.3}, k).q, read(all, k).q);
    EXPECT_EQ(read({.velocity = 0.1}, k).v, read(all, k).v);
  }
}

// 200 instants of 8 force draws: the correlation of any two draws, in the same or in successive instants, is
// within 5/√199 of zero.
TEST(SensorsTest, DrawsOfDifferentInstantsAndChannelsAreUncorrelated) {
  const NoiseModel noise{.force = 0.2};
  MatrixXd draws(200, 16);
  for (Index k = 0; k < draws.rows(); ++k)
    for (Index later = 0; later < 2; ++later) {
      const control::Measurement m = read(noise, static_cast<std::uint64_t>(k + later));
      draws.row(k).segment(8 * later, 4) = m.lambda_N.cwiseQuotient(truth().lambda_N);
      draws.row(k).segment(8 * later + 4, 4) = m.lambda_T.cwiseQuotient(truth().lambda_T);
    }
  draws.rowwise() -= draws.colwise().mean().eval();
  draws.colwise().normalize();
  const MatrixXd correlation = draws.transpose() * draws - MatrixXd::Identity(16, 16);
  EXPECT_LT(correlation.cwiseAbs().maxCoeff(), 5.0 / std::sqrt(199.0));
}

// Forces, poses and velocities draw from streams of their own: no two readings of 50 instants share a draw.
TEST(SensorsTest, NoTwoReadingsShareADraw) {
  const NoiseModel noise{
      .force = 1.0, .pose = 1.0, .velocity = 1.0, .pose_reference = PoseNoiseReference::kReading};
  std::vector<double> draws;
  for (std::uint64_t k = 0; k < 50; ++k) {
    const control::Measurement m = read(noise, k);
    for (Index i = 0; i < 3; ++i) draws.push_back(m.q[i] / truth().q[i]);
    for (Index i = 0; i < 7; ++i) draws.push_back(m.v[i] / truth().v[i]);
    for (Index i = 0; i < 4; ++i) draws.push_back(m.lambda_N[i] / truth().lambda_N[i]);
    for (Index i = 0; i < 4; ++i) draws.push_back(m.lambda_T[i] / truth().lambda_T[i]);
  }
  std::sort(draws.begin(), draws.end());
  double nearest = 1.0;
  for (std::size_t n = 1; n < draws.size(); ++n) nearest = std::min(nearest, draws[n] - draws[n - 1]);
  EXPECT_GT(nearest, 1e-10);  // 900 uniform draws lie some 1e-6 apart; readings are rounded at 1e-15
}

TEST(SensorsTest, RefusesNegativeFractionsAndAMissingRange) {
  const auto make = [](const NoiseModel& noise) { return Sensors(hand().mechanism, 4, noise); };
  EXPECT_THROW(make({.force = -0.1}), InvalidArgument);
  EXPECT_THROW(make({.pose = -0.1}), InvalidArgument);
  EXPECT_THROW(make({.velocity = -0.1}), InvalidArgument);
  EXPECT_THROW(make({.pose = 0.1, .pose_reference = PoseNoiseReference::kRange}), InvalidArgument);
  EXPECT_NO_THROW(
      make({.pose = 0.1, .pose_reference = PoseNoiseReference::kRange, .pose_range = VectorXd::Ones(3)}));
}

}  // namespace
}  // namespace enfold::sim
