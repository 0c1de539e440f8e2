// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/ode/fixed_step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "enfold/base/error.hpp"

namespace enfold::ode {
namespace {

constexpr Method kMethods[] = {Method::kRungeKutta4, Method::kDormandPrince5, Method::kEuler};

int order(Method method) {
  switch (method) {
    case Method::kRungeKutta4:
      return 4;
    case Method::kDormandPrince5:
      return 5;
    case Method::kEuler:
      return 1;
  }
  return 0;
}

// ẋ = x²·cos t, x(0) = 1/2: nonlinear and time-dependent, with x(t) = 1 / (2 − sin t).
void separable(const State& x, State& dxdt, double t) {
  dxdt[0] = x[0] * x[0] * std::cos(t);
}

double error_at_2(Method method, int steps) {
  FixedStepper stepper(method);
  State x{0.5};
  const double dt = 2.0 / steps;
  const auto f = [](const State& s, State& dsdt, double t) { separable(s, dsdt, t); };
  for (int k = 0; k < steps; ++k) stepper.step(f, x, k * dt, dt);
  return x[0] - 1.0 / (2.0 - std::sin(2.0));
}

// C of error(dt) = C·dtᵖ + D·dtᵖ⁺¹ + …, from dt and dt/2 with the D term eliminated.
double leading_constant(Method method, int p, int steps) {
  const auto scaled = [&](int n) { return error_at_2(method, n) / std::pow(2.0 / n, p); };
  return 2.0 * scaled(2 * steps) - scaled(steps);
}

// The plain slope log2(error(dt) / error(dt/2)) won't do: Dormand–Prince 5 has so small a C that D·dt⁶ bends
// its slope (3.6, 4.6, 4.8 at 20, 40, 80 steps here) until rounding sets in. C itself settles only if p is
// the order.
TEST(FixedStepperTest, ErrorFallsWithTheOrderOfTheMethod) {
  for (const Method method : kMethods) {
    const int p = order(method);
    const auto ratio = [method](int exponent) {
      return leading_constant(method, exponent, 20) / leading_constant(method, exponent, 40);
    };
    EXPECT_NEAR(ratio(p), 1.0, 0.1) << "order " << p;
    // The test can tell: a wrong order misses 1 by far.
    EXPECT_GT(std::abs(ratio(p + 1) - 1.0), 0.4) << "order " << p;
    EXPECT_GT(std::abs(ratio(p - 1) - 1.0), 0.4) << "order " << p;
  }
}

TEST(FixedStepperTest, OneStepOfTheExponentialIsItsTaylorPolynomial) {
  const double dt = 0.1;
  const auto f = [](const State& x, State& dxdt, double) { dxdt[0] = x[0]; };
  State x{1.0};
  FixedStepper().step(f, x, 0.0, dt);
  EXPECT_NEAR(x[0], 1.0 + dt + dt * dt / 2.0 + dt * dt * dt / 6.0 + dt * dt * dt * dt / 24.0, 1e-15);
  x = {1.0};
  FixedStepper(Method::kEuler).step(f, x, 0.0, dt);
  EXPECT_DOUBLE_EQ(x[0], 1.0 + dt);
}

TEST(FixedStepperTest, MatchesTheClosedFormOfTheExponential) {
  const auto f = [](const State& x, State& dxdt, double) { dxdt[0] = -2.0 * x[0]; };
  for (const Method method : {Method::kRungeKutta4, Method::kDormandPrince5}) {
    FixedStepper stepper(method);
    State x{3.0};
    for (int k = 0; k < 1000; ++k) stepper.step(f, x, 1e-3 * k, 1e-3);
    EXPECT_NEAR(x[0], 3.0 * std::exp(-2.0), 1e-12);
  }
}

// θ̈ = −sin θ from rest at 2 rad: E = ω²/2 − cos θ is constant.
TEST(FixedStepperTest, KeepsTheEnergyOfAPendulum) {
  const auto f = [](const State& x, State& dxdt, double) {
    dxdt[0] = x[1];
    dxdt[1] = -std::sin(x[0]);
  };
  const auto energy = [](const State& x) { return 0.5 * x[1] * x[1] - std::cos(x[0]); };
  for (const Method method : {Method::kRungeKutta4, Method::kDormandPrince5}) {
    FixedStepper stepper(method);
    State x{2.0, 0.0};
    const double before = energy(x);
    for (int k = 0; k < 10'000; ++k) stepper.step(f, x, 1e-3 * k, 1e-3);
    EXPECT_NEAR(energy(x), before, 1e-11);
  }
}

TEST(FixedStepperTest, NegativeStepsRetraceThePath) {
  FixedStepper stepper;
  const auto f = [](const State& s, State& dsdt, double t) { separable(s, dsdt, t); };
  State x{0.5};
  for (int k = 0; k < 100; ++k) stepper.step(f, x, 0.01 * k, 0.01);
  for (int k = 100; k > 0; --k) stepper.step(f, x, 0.01 * k, -0.01);
  EXPECT_NEAR(x[0], 0.5, 1e-11);
}

TEST(FixedStepperTest, AStepDoesNotDependOnEarlierSteps) {
  const auto f = [](const State& s, State& dsdt, double t) { separable(s, dsdt, t); };
  for (const Method method : kMethods) {
    FixedStepper used(method);
    State detour{0.9};
    used.step(f, detour, 0.0, 0.1);
    State jumped{0.3};  // as after an impact: not where the last step ended
    State fresh{0.3};
    used.step(f, jumped, 0.1, 0.1);
    FixedStepper(method).step(f, fresh, 0.1, 0.1);
    EXPECT_EQ(jumped[0], fresh[0]);
  }
}

TEST(FixedStepperTest, FollowsAChangeOfSize) {
  const auto f = [](const State& x, State& dxdt, double) {
    for (std::size_t i = 0; i < x.size(); ++i) dxdt[i] = x[i];
  };
  for (const Method method : kMethods) {
    FixedStepper stepper(method);
    State one{1.0};
    State three{1.0, 1.0, 1.0};
    stepper.step(f, one, 0.0, 0.1);
    stepper.step(f, three, 0.0, 0.1);
    State again{1.0};
    stepper.step(f, again, 0.0, 0.1);
    ASSERT_EQ(three.size(), 3U);
    EXPECT_EQ(three[2], one[0]);
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again[0], one[0]);
  }
}

TEST(FixedStepperTest, LeavesTheStateWhenTheRightHandSideThrows) {
  for (const Method method : kMethods) {
    FixedStepper stepper(method);
    int calls = 0;
    const int last_good = method == Method::kEuler ? 0 : 2;
    const auto f = [&](const State& x, State& dxdt, double) {
      if (calls++ >= last_good) throw std::runtime_error("out of reach");
      dxdt[0] = x[0];
    };
    State x{1.0};
    EXPECT_THROW(stepper.step(f, x, 0.0, 0.1), std::runtime_error);
    EXPECT_EQ(x[0], 1.0);
  }
}

TEST(FixedStepperTest, RejectsInvalidStepsAndEmptyStates) {
  FixedStepper stepper;
  const auto f = [](const State&, State& dxdt, double) { dxdt[0] = 0.0; };
  State x{1.0};
  EXPECT_THROW(stepper.step(f, x, 0.0, 0.0), InvalidArgument);
  EXPECT_THROW(stepper.step(f, x, 0.0, std::numeric_limits<double>::quiet_NaN()), InvalidArgument);
  EXPECT_THROW(stepper.step(f, x, 0.0, std::numeric_limits<double>::infinity()), InvalidArgument);
  EXPECT_THROW(stepper.step(f, x, std::numeric_limits<double>::quiet_NaN(), 0.1), InvalidArgument);
  State empty;
  EXPECT_THROW(stepper.step(f, empty, 0.0, 0.1), InvalidArgument);
  EXPECT_EQ(stepper.method(), Method::kRungeKutta4);
}

}  // namespace
}  // namespace enfold::ode
