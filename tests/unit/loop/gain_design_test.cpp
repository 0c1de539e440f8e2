// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/controllers/gain_design.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "enfold/base/error.hpp"
#include "enfold/loop/poles.hpp"
#include "enfold/loop/state_space.hpp"
#include "enfold/test/matchers.hpp"

namespace enfold::controllers {
namespace {

/// The sampled double integrator under K_p and K_v by the matrix exponential; not the closed form.
MatrixXd closed_motion(const Gains& gains, double period) {
  const MatrixXd A = (MatrixXd(2, 2) << 0.0, 1.0, 0.0, 0.0).finished();
  const loop::Held held = loop::zero_order_hold(A, Eigen::Vector2d(0.0, 1.0), period);
  return held.Phi - held.Gamma * Eigen::RowVector2d(gains.Kp, gains.Kv);
}

/// [I ; e] of I⁺ = I + T e, e⁺ = −K_α I − K_P e: the reading is what the torque before has made.
MatrixXd closed_force(const Gains& gains, double period, double K_P = 0.0) {
  return (MatrixXd(2, 2) << 1.0, period, -gains.Kalpha, -K_P).finished();
}

// [eq:sampled-placement] Distinct real poles and complex pairs at three rates: the loop's own eigenvalues.
TEST(GainDesignTest, SampledGainsPutTheExactPolesWhereTheyAreWanted) {
  const WantedPoles wanted[] = {
      {-6.0, -15.0, -8.0}, {{-8.0, 6.0}, {-8.0, -6.0}, -12.0}, {-2.0, -40.0, -20.0}};
  for (const WantedPoles& poles : wanted) {
    for (const double rate : {50.0, 100.0, 1000.0, 10000.0}) {
      const double T = 1.0 / rate;
      const Gains gains = sampled_gains(poles, T);
      EXPECT_LT(loop::distance({poles.motion_1, poles.motion_2}, loop::poles(closed_motion(gains, T), T)),
                1e-8 * rate);
      EXPECT_LT(loop::distance({poles.force}, loop::poles(closed_force(gains, T), T)), 1e-8 * rate);
      for (const double K_P : {-0.3, 0.2, 0.6}) {
        const MatrixXd force = closed_force(sampled_gains(poles, T, K_P), T, K_P);
        EXPECT_LT(loop::distance({poles.force}, loop::poles(force, T)), 1e-8 * rate);
        EXPECT_LT(force.eigenvalues().cwiseAbs().maxCoeff(), std::exp(poles.force * T) + 1e-9);
      }
    }
  }
}

// The double pole's trace and determinant; its eigenvalues are known to the root of rounding only.
TEST(GainDesignTest, SampledGainsOfADoublePoleHaveItsCharacteristicPolynomial) {
  for (const double rate : {100.0, 1000.0, 10000.0}) {
    const double T = 1.0 / rate;
    const MatrixXd closed = closed_motion(sampled_gains({}, T), T);
    const double z = std::exp(-10.0 * T);
    EXPECT_NEAR(closed.trace(), 2.0 * z, 1e-14);
    EXPECT_NEAR(closed.determinant(), z * z, 1e-14);
  }
}

// What sampling leaves of S4's 100, 20 and 10: the double pole splits like the root of the period.
TEST(GainDesignTest, ContinuousGainsRunSampledMoveTheirPoles) {
  for (const double rate : {100.0, 1000.0, 10000.0}) {
    const double T = 1.0 / rate;
    const auto motion = sampled_motion_poles({}, T);
    const auto force = sampled_force_poles({}, T);
    const std::vector<loop::Pole> exact = loop::poles(closed_motion({}, T), T);
    EXPECT_LT(loop::distance({motion[0], motion[1]}, exact), 1e-6);
    EXPECT_LT(loop::distance({force[0]}, loop::poles(closed_force({}, T), T)), 1e-9);
    // w = (z − 1)/T obeys w² + (20 + 50T)w + 100 = 0, and s = w − w²T/2 + …
    const double middle = -10.0 - 75.0 * T;
    const double split = 10.0 * std::sqrt(5.0 * T);
    const double tolerance = 1000.0 * std::pow(T, 1.5);
    EXPECT_NEAR(motion[0].real(), middle + split, tolerance);
    EXPECT_NEAR(motion[1].real(), middle - split, tolerance);
    EXPECT_NEAR(force[0].real(), -10.0 - 1.5 * 100.0 * T, 10.0 * 1000.0 * T * T);
  }
}

TEST(GainDesignTest, ContinuousLimitOfTheSampledGains) {
  const WantedPoles wanted{-6.0, -15.0, -8.0};
  const Gains limit = continuous_gains(wanted);
  EXPECT_NEAR(limit.Kp, 90.0, 1e-12);
  EXPECT_NEAR(limit.Kv, 21.0, 1e-12);
  EXPECT_NEAR(limit.Kalpha, 8.0, 1e-12);
  const Gains fast = sampled_gains(wanted, 1e-6);
  EXPECT_NEAR(fast.Kp, limit.Kp, 2e-3);
  EXPECT_NEAR(fast.Kv, limit.Kv, 2e-3);
  EXPECT_NEAR(fast.Kalpha, limit.Kalpha, 2e-3);
}

// [eq:settling-time] The errors themselves at that time.
TEST(GainDesignTest, SettlingTimeIsWhenTwoPerCentAreLeft) {
  for (const double settling : {0.2, 0.5834, 3.0}) {
    const WantedPoles poles = poles_for_settling(settling);
    const double x = -poles.motion_1.real() * settling;
    EXPECT_EQ(poles.motion_1, poles.motion_2);
    EXPECT_NEAR((1.0 + x) * std::exp(-x), 0.02, 1e-14);
    EXPECT_NEAR(std::exp(poles.force * settling), 0.02, 1e-14);
  }
  EXPECT_NEAR(poles_for_settling(1.0).motion_1.real(), -5.8339, 1e-4);
}

// [eq:bandwidth] |T(iω_b)|² = 1/2 of both loops.
TEST(GainDesignTest, BandwidthIsWhereHalfThePowerIsLeft) {
  const double omega_b = 30.0;
  const WantedPoles poles = poles_for_bandwidth(omega_b);
  const Gains gains = continuous_gains(poles);
  const std::complex<double> s{0.0, omega_b};
  const std::complex<double> motion = (gains.Kv * s + gains.Kp) / (s * s + gains.Kv * s + gains.Kp);
  const std::complex<double> force = gains.Kalpha / (s + gains.Kalpha);
  EXPECT_NEAR(std::norm(motion), 0.5, 1e-12);
  EXPECT_NEAR(std::norm(force), 0.5, 1e-12);
}

TEST(GainDesignTest, RefusesWhatNoGainReaches) {
  EXPECT_THROW((void)sampled_gains({-10.0, -10.0, -80.0}, 0.01), InvalidArgument);  // faster than ln 2/T
  EXPECT_NO_THROW((void)sampled_gains({-10.0, -10.0, -69.0}, 0.01));
  EXPECT_THROW((void)sampled_gains({1.0, -10.0, -10.0}, 0.01), InvalidArgument);
  EXPECT_THROW((void)sampled_gains({}, 0.0), InvalidArgument);
  EXPECT_THROW((void)poles_for_settling(0.0), InvalidArgument);
  EXPECT_THROW((void)poles_for_bandwidth(-1.0), InvalidArgument);
}

}  // namespace
}  // namespace enfold::controllers
