// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/ode/dense_step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "enfold/base/error.hpp"

namespace enfold::ode {
namespace {

/// ẋ₁ = −r(x₁ − cos t), stiff for large r, and x₂ = sin t.
struct StiffProblem {
  double r;
  void operator()(const State& x, State& dxdt, double t) const {
    dxdt[0] = -r * (x[0] - std::cos(t));
    dxdt[1] = std::cos(t);
  }
  void operator()(const State&, double t, MatrixXd& J, State& df_dt) const {
    J.setZero();
    J(0, 0) = -r;
    df_dt[0] = -r * std::sin(t);
    df_dt[1] = -std::sin(t);
  }
  /// The solution that has no fast part.
  [[nodiscard]] double slow(double t) const { return r * (r * std::cos(t) + std::sin(t)) / (r * r + 1.0); }
};

struct StiffRun {
  double error = 0.0;        ///< at the end
  double dense_error = 0.0;  ///< within the steps
  int steps = 0;
};

StiffRun stiff_run(DenseMethod method, double r, double tol) {
  const StiffProblem problem{r};
  const auto f = [&](const State& x, State& dxdt, double t) { problem(x, dxdt, t); };
  const auto J = [&](const State& x, double t, MatrixXd& df_dx, State& df_dt) {
    problem(x, t, df_dx, df_dt);
  };
  const std::optional<JacobianFunction> jacobian{J};
  DenseStepper stepper(method);
  stepper.set_tolerances({tol, tol}, 0.0);
  stepper.start({problem.slow(0.0), 0.0}, 0.0);
  double dt = 1e-3;
  StiffRun out;
  State middle;
  while (stepper.t() < 2.0) {
    dt = std::min(dt, 2.0 - stepper.t());
    const double from = stepper.t();
    if (stepper.try_step(f, jacobian, dt) != DenseOutcome::kAccepted) continue;
    ++out.steps;
    const double t = from + 0.3 * (stepper.t() - from);
    stepper.interpolate(t, middle);
    out.dense_error =
        std::max({out.dense_error, std::abs(middle[0] - problem.slow(t)), std::abs(middle[1] - std::sin(t))});
  }
  out.error =
      std::max(std::abs(stepper.x()[0] - problem.slow(2.0)), std::abs(stepper.x()[1] - std::sin(2.0)));
  return out;
}

TEST(DenseStepperTest, ErrorFollowsTheToleranceAtTheEndAndWithinSteps) {
  for (const DenseMethod method :
       {DenseMethod::kDormandPrince5, DenseMethod::kBogackiShampine3, DenseMethod::kRosenbrock4}) {
    for (const double tol : {1e-6, 1e-8, 1e-10}) {
      const StiffRun result = stiff_run(method, 1.0, tol);
      EXPECT_LT(result.error, 100.0 * tol);
      EXPECT_LT(result.dense_error, 1000.0 * tol);
    }
  }
}

// Half the step, an eighth of the error, at the end and in the middle of steps.
TEST(DenseStepperTest, BogackiAndShampineHasOrderThree) {
  const auto f = [](const State& x, State& dxdt, double t) { dxdt[0] = x[0] * std::cos(t); };
  std::vector<double> end, dense;
  for (const double h : {0.1, 0.05, 0.025}) {
    DenseStepper stepper(DenseMethod::kBogackiShampine3);
    stepper.set_tolerances({1.0}, 0.0);
    stepper.start({1.0}, 0.0);
    State middle{0.0};
    double worst = 0.0;
    while (stepper.t() < 2.0 - 1e-9) {
      double dt = h;
      ASSERT_EQ(stepper.try_step(f, std::nullopt, dt), DenseOutcome::kAccepted);
      const double t = stepper.t() - 0.4 * h;
      stepper.interpolate(t, middle);
      worst = std::max(worst, std::abs(middle[0] - std::exp(std::sin(t))));
    }
    end.push_back(std::abs(stepper.x()[0] - std::exp(std::sin(stepper.t()))));
    dense.push_back(worst);
  }
  for (std::size_t i = 1; i < end.size(); ++i) {
    EXPECT_NEAR(end[i - 1] / end[i], 8.0, 1.5);
    EXPECT_NEAR(dense[i - 1] / dense[i], 8.0, 1.5);
  }
}

TEST(DenseStepperTest, RosenbrockTakesLongStepsWhereTheExplicitMethodCannot) {
  const StiffRun implicit_run = stiff_run(DenseMethod::kRosenbrock4, 1e5, 1e-6);
  const StiffRun explicit_run = stiff_run(DenseMethod::kDormandPrince5, 1e5, 1e-6);
  EXPECT_LT(implicit_run.error, 1e-4);
  EXPECT_LT(implicit_run.steps, 200);
  EXPECT_GT(explicit_run.steps, 20'000);
}

TEST(DenseStepperTest, StateIsUntouchedByARejectedStep) {
  DenseStepper stepper(DenseMethod::kDormandPrince5);
  stepper.set_tolerances({1e-12}, 0.0);
  stepper.start({1.0}, 0.0);
  double dt = 10.0;
  const auto f = [](const State& x, State& dxdt, double) { dxdt[0] = -x[0] * x[0]; };
  EXPECT_NE(stepper.try_step(f, std::nullopt, dt), DenseOutcome::kAccepted);
  EXPECT_EQ(stepper.x()[0], 1.0);
  EXPECT_EQ(stepper.t(), 0.0);
  EXPECT_LT(dt, 10.0);
}

TEST(DenseStepperTest, StepThroughNotANumberIsRefused) {
  DenseStepper stepper(DenseMethod::kDormandPrince5);
  stepper.set_tolerances({1e-6}, 0.0);
  stepper.start({1.0}, 0.0);
  double dt = 1.0;
  const auto f = [](const State& x, State& dxdt, double) { dxdt[0] = -2.0 * std::sqrt(x[0] - 0.5); };
  EXPECT_EQ(stepper.try_step(f, std::nullopt, dt), DenseOutcome::kNotFinite);
  EXPECT_EQ(dt, 0.25);
}

TEST(DenseStepperTest, RefusesWhatItCannotDo) {
  DenseStepper stepper(DenseMethod::kRosenbrock4);
  EXPECT_THROW(stepper.set_tolerances({0.0}, 0.0), InvalidArgument);
  stepper.set_tolerances({1e-6}, 0.0);
  EXPECT_THROW(stepper.start({1.0, 2.0}, 0.0), InvalidArgument);
  stepper.start({1.0}, 0.0);
  double dt = 0.1;
  const auto f = [](const State&, State& dxdt, double) { dxdt[0] = 0.0; };
  EXPECT_THROW((void)stepper.try_step(f, std::nullopt, dt), InvalidArgument);
}

}  // namespace
}  // namespace enfold::ode
