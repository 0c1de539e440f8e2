// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/control/actuators.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "enfold/base/error.hpp"
#include "enfold/control/controller.hpp"
#include "enfold/test/matchers.hpp"

namespace enfold::control {
namespace {

using test::EigenNear;

VectorXd vec(std::initializer_list<double> values) {
  VectorXd out(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), out.begin());
  return out;
}

TEST(ActuatorsTest, TorqueAndItsRateStayWithinTheLimits) {
  Actuators motors({.max_torque = {1.0, 2.0}, .max_rate = {10.0}}, 0.01, 2);
  VectorXd out;
  EXPECT_DOUBLE_EQ(motors.limit(vec({3.0, -1.0}), out), 2.0);
  EXPECT_THAT(out, EigenNear(vec({1.0, -1.0}), 0.0));  // the first is not limited in its rate
  motors.commit(out);
  EXPECT_NEAR(motors.limit(vec({-3.0, -1.05}), out), 3.9, 1e-12);
  EXPECT_THAT(out, EigenNear(vec({0.9, -1.05}), 1e-15));
}

TEST(ActuatorsTest, RoundingIsNoSaturationAndNeverExceedsTheLimit) {
  Actuators motors({.max_torque = {1.0}, .resolution = 0.3}, 0.01, 1);
  VectorXd out;
  EXPECT_EQ(motors.limit(vec({0.47}), out), 0.0);
  EXPECT_NEAR(out[0], 0.6, 1e-15);
  (void)motors.limit(vec({5.0}), out);
  EXPECT_NEAR(out[0], 0.9, 1e-15);
  (void)motors.limit(vec({-5.0}), out);
  EXPECT_NEAR(out[0], -0.9, 1e-15);
}

TEST(ActuatorsTest, RefusesLimitsThatMakeNoSense) {
  EXPECT_THROW(Actuators({.max_torque = {1.0, 2.0, 3.0}}, 0.01, 2), InvalidArgument);
  EXPECT_THROW(Actuators({.max_torque = {0.0}}, 0.01, 2), InvalidArgument);
  EXPECT_THROW(Actuators({.max_rate = {std::nan("")}}, 0.01, 2), InvalidArgument);
  EXPECT_THROW(Actuators({.resolution = -1.0}, 0.01, 2), InvalidArgument);
  EXPECT_THROW(Actuators({}, 0.0, 2), InvalidArgument);
}

TEST(TorqueDelayTest, EachTorqueArrivesAfterTheDelayInOrder) {
  TorqueDelay delay(0.025, 0.01, 1);
  VectorXd tau;
  std::vector<double> arrived;
  EXPECT_EQ(delay.next(), std::numeric_limits<double>::infinity());
  for (int k = 0; k < 20; ++k) {
    const double t = 0.01 * k;
    while (delay.next() <= t) {
      EXPECT_NEAR(delay.next(), 0.01 * static_cast<double>(arrived.size()) + 0.025, 1e-12);
      delay.pop(tau);
      arrived.push_back(tau[0]);
    }
    delay.push(t, vec({static_cast<double>(k)}));
  }
  ASSERT_EQ(arrived.size(), 17U);
  for (std::size_t i = 0; i < arrived.size(); ++i) EXPECT_EQ(arrived[i], static_cast<double>(i));
}

TEST(TorqueDelayTest, RefusesWhatItCannotHold) {
  EXPECT_THROW(TorqueDelay(-1.0, 0.01, 1), InvalidArgument);
  EXPECT_THROW(TorqueDelay(std::numeric_limits<double>::infinity(), 0.01, 1), InvalidArgument);
  TorqueDelay delay(0.0, 0.01, 1);
  VectorXd tau;
  EXPECT_THROW(delay.pop(tau), InvalidArgument);
}

/// Force control of a plant that answers at once, with a set-point that changes: τ = ∫(r − y), y = τ.
class Integrator final : public Controller {
 public:
  [[nodiscard]] Index n_integrals() const override { return 1; }
  void evaluate(double t, const Measurement& measured, const VectorXd& integral,
                Command& out) noexcept override {
    out.tau = integral;
    out.integral_rate.resize(1);
    out.integral_rate[0] = 10.0 * ((t < 2.0 ? 3.0 : 0.5) - measured.lambda_N[0]);
  }
  [[nodiscard]] std::string description() const override { return "integrator"; }
};

/// Time after the set-point came back into reach until the output is within 0.01 of it.
double recovery(bool anti_windup) {
  Integrator law;
  const double period = 0.01;
  SampledLoop loop(law, period, {.max_torque = {1.0}, .anti_windup = anti_windup}, 1);
  Measurement measured;
  measured.lambda_N = vec({0.0});
  double settled = 1e9;
  for (int k = 0; k < 1000; ++k) {
    const Command& command = loop.command(k * period, measured);
    measured.lambda_N = command.tau;
    EXPECT_LE(std::abs(command.tau[0]), 1.0);
    if (std::abs(command.tau[0] - 0.5) > 0.01)
      settled = 1e9;
    else
      settled = std::min(settled, k * period - 2.0);
  }
  return settled;
}

// Without anti-windup the integral grows for 2 s by 20 per second, and needs more than 5 s to come back; with
// it the output leaves the limit at once, and settles like the linear loop, ln(0.5/0.01)/10 s.
TEST(AntiWindupTest, IntegralHoldsWhileItWouldOnlyWindUp) {
  EXPECT_NEAR(recovery(true), std::log(50.0) / 10.0, 0.05);
  EXPECT_GT(recovery(false), 5.0);
}

TEST(AntiWindupTest, LimitsDoNotTouchALoopThatStaysWithinThem) {
  Integrator law;
  SampledLoop free(law, 0.01);
  SampledLoop limited(law, 0.01, {.max_torque = {100.0}, .max_rate = {1e6}}, 1);
  Measurement measured;
  measured.lambda_N = vec({0.0});
  for (int k = 0; k < 100; ++k) {
    const VectorXd tau = free.command(0.01 * k, measured).tau;
    const Command& command = limited.command(0.01 * k, measured);
    EXPECT_EQ(command.tau, tau);
    EXPECT_FALSE(command.saturated);
    measured.lambda_N = tau;
  }
}

}  // namespace
}  // namespace enfold::control
