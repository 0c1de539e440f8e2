// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "enfold/base/error.hpp"
#include "enfold/control/controller.hpp"
#include "enfold/test/matchers.hpp"

namespace enfold::control {
namespace {

using test::EigenNear;

/// Answers with what it was given: τ holds (t, its integrals), the rates are (1, t, q₀).
class EchoLaw final : public Controller {
 public:
  [[nodiscard]] Index n_integrals() const override { return 3; }
  void evaluate(double t, const Measurement& measured, const VectorXd& integral,
                Command& out) noexcept override {
    ++evaluations;
    out.tau.resize(4);
    out.tau << t, integral;
    out.integral_rate.resize(3);
    out.integral_rate << 1.0, t, measured.q[0];
  }
  [[nodiscard]] std::string description() const override { return "echo"; }
  int evaluations = 0;
};

Measurement reading(double q_0) {
  Measurement m;
  m.q = VectorXd::Constant(1, q_0);
  return m;
}

TEST(SampledLoopTest, IntegralsAreSumsOfRateTimesPeriod) {
  EchoLaw law;
  SampledLoop loop(law, 0.01);
  EXPECT_THAT(loop.integral(), EigenNear(VectorXd::Zero(3), 0.0));
  for (int k = 0; k < 100; ++k) (void)loop.command(0.01 * k, reading(std::sin(0.1 * k)));
  double sum = 0.0;
  for (int k = 0; k < 100; ++k) sum += 0.01 * std::sin(0.1 * k);
  EXPECT_THAT(loop.integral(), EigenNear(VectorXd(Eigen::Vector3d(1.0, 0.01 * 0.01 * 4950, sum)), 1e-12));
}

// The torque of an instant knows the rates of the instants before it, not its own.
TEST(SampledLoopTest, LawSeesTheIntegralUpToTheInstantBefore) {
  EchoLaw law;
  SampledLoop loop(law, 0.5);
  EXPECT_THAT(loop.command(0.0, reading(4.0)).tau,
              EigenNear(VectorXd(Eigen::Vector4d(0.0, 0.0, 0.0, 0.0)), 0.0));
  EXPECT_THAT(loop.command(0.5, reading(6.0)).tau,
              EigenNear(VectorXd(Eigen::Vector4d(0.5, 0.5, 0.0, 2.0)), 0.0));
  EXPECT_THAT(loop.command(1.0, reading(0.0)).tau,
              EigenNear(VectorXd(Eigen::Vector4d(1.0, 1.0, 0.25, 5.0)), 0.0));
}

TEST(SampledLoopTest, HoldsTheTorqueBetweenCalls) {
  EchoLaw law;
  SampledLoop loop(law, 0.1);
  const Command& held = loop.command(0.3, reading(1.0));
  const VectorXd tau = held.tau;
  EXPECT_EQ(law.evaluations, 1);
  EXPECT_THAT(held.tau, EigenNear(tau, 0.0));
  EXPECT_EQ(&loop.command(0.4, reading(1.0)), &held);
  EXPECT_EQ(held.tau[0], 0.4);
  EXPECT_EQ(law.evaluations, 2);
}

TEST(SampledLoopTest, ResetEmptiesTheIntegrals) {
  EchoLaw law;
  SampledLoop loop(law, 0.1);
  for (int k = 0; k < 5; ++k) (void)loop.command(0.1 * k, reading(1.0));
  EXPECT_GT(loop.integral().norm(), 0.1);
  loop.reset();
  EXPECT_THAT(loop.integral(), EigenNear(VectorXd::Zero(3), 0.0));
  EXPECT_THAT(loop.command(0.0, reading(1.0)).tau, EigenNear(VectorXd::Zero(4), 0.0));
}

TEST(SampledLoopTest, RefusesAPeriodThatIsNotPositiveAndFinite) {
  EchoLaw law;
  for (const double bad :
       {0.0, -1e-3, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(SampledLoop(law, bad), InvalidArgument) << bad;
}

}  // namespace
}  // namespace enfold::control
