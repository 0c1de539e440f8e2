// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/ode/adaptive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "enfold/base/error.hpp"

namespace enfold::ode {
namespace {

const auto kDecay = [](const State& x, State& dxdt, double) { dxdt[0] = -x[0]; };

TEST(IntegrateAdaptiveTest, MatchesTheClosedFormInBothDirections) {
  State x{2.0};
  const AdaptiveResult forward = integrate_adaptive(kDecay, x, 0.0, 3.0);
  ASSERT_TRUE(forward.ok()) << forward.message;
  EXPECT_EQ(forward.t, 3.0);
  EXPECT_NEAR(x[0], 2.0 * std::exp(-3.0), 1e-8);
  const AdaptiveResult backward = integrate_adaptive(kDecay, x, 3.0, 0.0);
  ASSERT_TRUE(backward.ok()) << backward.message;
  EXPECT_EQ(backward.t, 0.0);
  EXPECT_NEAR(x[0], 2.0, 1e-6);
}

TEST(IntegrateAdaptiveTest, AgreesWithFixedStepsOnThePendulum) {
  const auto f = [](const State& x, State& dxdt, double) {
    dxdt[0] = x[1];
    dxdt[1] = -std::sin(x[0]);
  };
  State adaptive{2.0, 0.0};
  State fixed{2.0, 0.0};
  ASSERT_TRUE(integrate_adaptive(f, adaptive, 0.0, 10.0, {.abs_tol = 1e-12, .rel_tol = 1e-12}).ok());
  FixedStepper stepper(Method::kRungeKutta4);
  for (int k = 0; k < 10'000; ++k) stepper.step(f, fixed, 1e-3 * k, 1e-3);
  EXPECT_NEAR(adaptive[0], fixed[0], 1e-9);
  EXPECT_NEAR(adaptive[1], fixed[1], 1e-9);
}

TEST(IntegrateAdaptiveTest, TighterTolerancesCostStepsAndBuyAccuracy) {
  double last_error = 1.0;
  int last_steps = 0;
  for (const double tol : {1e-4, 1e-7, 1e-10}) {
    State x{1.0};
    const AdaptiveResult r = integrate_adaptive(kDecay, x, 0.0, 5.0, {.abs_tol = tol, .rel_tol = tol});
    ASSERT_TRUE(r.ok());
    const double error = std::abs(x[0] - std::exp(-5.0));
    EXPECT_LT(error, last_error);
    EXPECT_GT(r.steps, last_steps);
    last_error = error;
    last_steps = r.steps;
  }
}

TEST(IntegrateAdaptiveTest, RejectsAFirstStepThatIsTooLong) {
  State x{1.0};
  const auto fast = [](const State& s, State& dsdt, double) { dsdt[0] = -50.0 * s[0]; };
  const AdaptiveResult r = integrate_adaptive(fast, x, 0.0, 1.0, {.initial_step = 1.0});
  ASSERT_TRUE(r.ok()) << r.message;
  EXPECT_GT(r.rejected, 0);
  EXPECT_NEAR(x[0], std::exp(-50.0), 1e-8);
}

TEST(IntegrateAdaptiveTest, DoesNothingOverAnEmptyInterval) {
  State x{1.5};
  const AdaptiveResult r = integrate_adaptive(kDecay, x, 2.0, 2.0);
  EXPECT_TRUE(r.ok());
  EXPECT_EQ(r.steps, 0);
  EXPECT_EQ(x[0], 1.5);
}

TEST(IntegrateAdaptiveTest, StopsAtTheStepLimitWithTheStateAtT) {
  State x{1.0};
  const AdaptiveResult r = integrate_adaptive(kDecay, x, 0.0, 100.0, {.max_steps = 5});
  EXPECT_EQ(r.status, AdaptiveStatus::kMaxSteps);
  EXPECT_EQ(r.steps + r.rejected, 5);
  EXPECT_GT(r.t, 0.0);
  EXPECT_LT(r.t, 100.0);
  EXPECT_NEAR(x[0], std::exp(-r.t), 1e-8);
  EXPECT_FALSE(r.message.empty());
}

// ẋ = x², x(0) = 1 is 1/(1 − t): no solution reaches t = 2.
TEST(IntegrateAdaptiveTest, StopsBeforeAFiniteEscapeTime) {
  State x{1.0};
  const auto blow_up = [](const State& s, State& dsdt, double) { dsdt[0] = s[0] * s[0]; };
  const AdaptiveResult r = integrate_adaptive(blow_up, x, 0.0, 2.0);
  EXPECT_FALSE(r.ok());
  EXPECT_NEAR(r.t, 1.0, 1e-6);
  EXPECT_TRUE(std::isfinite(x[0]));
}

TEST(IntegrateAdaptiveTest, ReportsARightHandSideThatIsNotFinite) {
  State x{1.0};
  const auto f = [](const State&, State& dxdt, double t) {
    dxdt[0] = t < 0.5 ? 1.0 : std::numeric_limits<double>::quiet_NaN();
  };
  const AdaptiveResult r = integrate_adaptive(f, x, 0.0, 1.0);
  EXPECT_EQ(r.status, AdaptiveStatus::kNotFinite);
  EXPECT_NEAR(r.t, 0.5, 1e-9);
  EXPECT_NEAR(x[0], 1.0 + r.t, 1e-9);
}

TEST(IntegrateAdaptiveTest, RejectsInvalidInput) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  State x{1.0};
  State empty;
  State bad{nan};
  EXPECT_THROW((void)integrate_adaptive(kDecay, x, nan, 1.0), InvalidArgument);
  EXPECT_THROW((void)integrate_adaptive(kDecay, empty, 0.0, 1.0), InvalidArgument);
  EXPECT_THROW((void)integrate_adaptive(kDecay, bad, 0.0, 1.0), InvalidArgument);
  EXPECT_THROW((void)integrate_adaptive(kDecay, x, 0.0, 1.0, {.abs_tol = -1.0}), InvalidArgument);
  EXPECT_THROW((void)integrate_adaptive(kDecay, x, 0.0, 1.0, {.abs_tol = 0.0, .rel_tol = 0.0}),
               InvalidArgument);
  EXPECT_THROW((void)integrate_adaptive(kDecay, x, 0.0, 1.0, {.initial_step = 0.0}), InvalidArgument);
  EXPECT_THROW((void)integrate_adaptive(kDecay, x, 0.0, 1.0, {.max_steps = 0}), InvalidArgument);
}

}  // namespace
}  // namespace enfold::ode
