// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/controllers/gains.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "enfold/base/error.hpp"

namespace enfold::controllers {
namespace {

using Complex = std::complex<double>;
using testing::HasSubstr;

/// Text of the InvalidArgument that gains_from_poles throws; empty if it accepts.
std::string refusal(Complex motion_1, Complex motion_2, double force) {
  try {
    (void)gains_from_poles(motion_1, motion_2, force);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return {};
}

// S4's gains: all poles at −10 with K_p = 100, K_v = 20 and K_α = +10 (checklist row 7).     [eq:S4.14]
// [eq:S4.15]
TEST(GainsTest, PapersPolesGiveThePapersGainsWithAPositiveForceGain) {
  const Gains gains = gains_from_poles(-10.0, -10.0, -10.0);
  EXPECT_DOUBLE_EQ(gains.Kp, 100.0);
  EXPECT_DOUBLE_EQ(gains.Kv, 20.0);
  EXPECT_DOUBLE_EQ(gains.Kalpha, 10.0);
  EXPECT_DOUBLE_EQ(Gains{}.Kp, gains.Kp);
  EXPECT_DOUBLE_EQ(Gains{}.Kv, gains.Kv);
  EXPECT_DOUBLE_EQ(Gains{}.Kalpha, gains.Kalpha);
}

// Poles → gains → poles for real pairs, near and far apart, and for conjugate pairs. [eq:S4.14]
TEST(GainsTest, PolesComeBackFromTheGains) {
  const std::vector<std::pair<Complex, Complex>> pairs{{-1.0, -2.0},
                                                       {-30.0, -4.0},
                                                       {-1e-3, -1e4},
                                                       {-1e-6, -1e6},
                                                       {{-3.0, 4.0}, {-3.0, -4.0}},
                                                       {{-1e-3, -50.0}, {-1e-3, 50.0}},
                                                       {{-7.0, 0.5}, {-7.0, -0.5}}};
  for (const auto& [one, two] : pairs) {
    const auto [s_1, s_2] = motion_poles(gains_from_poles(one, two, -1.0));
    const bool same_order = std::abs(s_1 - one) < std::abs(s_1 - two);
    const Complex first = same_order ? one : two;
    const Complex second = same_order ? two : one;
    EXPECT_LT(std::abs(s_1 - first), 1e-10 * std::abs(first)) << one << ' ' << two;
    EXPECT_LT(std::abs(s_2 - second), 1e-10 * std::abs(second)) << one << ' ' << two;
  }
}

// Both poles are roots of s² + K_v s + K_p, unstable gains included. [eq:S4.14]
TEST(GainsTest, MotionPolesAreRootsOfTheErrorEquation) {
  for (const double Kp : {100.0, 99.0, 1.0, 0.0, -5.0}) {
    for (const double Kv : {20.0, 2.0, 0.0, -3.0}) {
      const auto [s_1, s_2] = motion_poles({.Kp = Kp, .Kv = Kv, .Kalpha = 1.0});
      EXPECT_NEAR(std::abs(s_1 * s_1 + Kv * s_1 + Kp), 0.0, 1e-12) << Kp << ' ' << Kv;
      EXPECT_NEAR(std::abs(s_2 * s_2 + Kv * s_2 + Kp), 0.0, 1e-12) << Kp << ' ' << Kv;
      EXPECT_NEAR(std::abs(s_1 + s_2 + Kv), 0.0, 1e-12) << Kp << ' ' << Kv;
      EXPECT_GE(s_1.real(), s_2.real());
    }
  }
}

TEST(GainsTest, RefusesMotionPolesThatAreNotStable) {
  EXPECT_THAT(refusal(1.0, -2.0, -1.0), HasSubstr("motion poles have real parts 1 and -2"));
  EXPECT_THAT(refusal(-2.0, 0.0, -1.0), HasSubstr("expected < 0"));
  EXPECT_THAT(refusal({0.0, 3.0}, {0.0, -3.0}, -1.0), HasSubstr("expected < 0"));
  EXPECT_THAT(refusal(std::numeric_limits<double>::quiet_NaN(), -2.0, -1.0), HasSubstr("expected < 0"));
}

TEST(GainsTest, RefusesComplexPolesThatAreNotConjugate) {
  EXPECT_THAT(refusal({-1.0, 2.0}, {-1.0, 2.0}, -1.0), HasSubstr("conjugate"));
  EXPECT_THAT(refusal({-1.0, 2.0}, {-3.0, -2.0}, -1.0), HasSubstr("conjugate"));
  EXPECT_THAT(refusal({-1.0, 2.0}, -1.0, -1.0), HasSubstr("conjugate"));
  EXPECT_EQ(refusal({-1.0, 2.0}, {-1.0, -2.0}, -1.0), "");
}

TEST(GainsTest, RefusesPolesThatAreNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_NE(refusal(-infinity, -1.0, -1.0), "");
  EXPECT_NE(refusal({-1.0, infinity}, {-1.0, -infinity}, -1.0), "");
  EXPECT_NE(refusal(-1.0, -1.0, -infinity), "");
}

// K_α = −10, as S4 prints it, would put the pole at +10: the refusal says so (checklist row 7). [eq:S4.15]
TEST(GainsTest, RefusalOfAForcePoleSaysThatTheForceGainMustBePositive) {
  for (const double bad : {10.0, 0.0}) {
    const std::string text = refusal(-10.0, -10.0, bad);
    EXPECT_THAT(text, HasSubstr(fmt::format("force pole is {}, expected < 0", bad)));
    EXPECT_THAT(text, HasSubstr("K_α"));
    EXPECT_THAT(text, HasSubstr("positive"));
  }
  EXPECT_NE(refusal(-10.0, -10.0, std::numeric_limits<double>::quiet_NaN()), "");
}

}  // namespace
}  // namespace enfold::controllers
