// SPDX-License-Identifier: BSD-3-Clause
// Margins and delays against closed forms, and against the poles of the loop with the delay built in.
#include "enfold/loop/margins.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "enfold/base/error.hpp"
#include "enfold/controllers/gain_design.hpp"
#include "loop_case.hpp"

namespace enfold::loop {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

/// ë = −K_p e − K_v ė, opened at the acceleration: H = −(K_v s + K_p)/s².
StateSpace double_integrator(double Kp, double Kv) {
  StateSpace out;
  out.A = (MatrixXd(2, 2) << 0.0, 1.0, 0.0, 0.0).finished();
  out.B = Eigen::Vector2d(0.0, 1.0);
  out.C = Eigen::RowVector2d(-Kp, -Kv);
  out.D = MatrixXd::Zero(1, 1);
  return out;
}

// |K_v iω + K_p| = ω² at ω² = (K_v² + √(K_v⁴ + 4K_p²))/2, where the phase is that of the zero.   [eq:margins]
TEST(MarginsTest, OfADoubleIntegratorAreThoseOfTheTextbook) {
  for (const auto& [Kp, Kv] : {std::pair{100.0, 20.0}, std::pair{400.0, 5.0}, std::pair{10.0, 40.0}}) {
    const Margins found = margins(double_integrator(Kp, Kv));
    ASSERT_TRUE(found.stable);
    const double omega = std::sqrt(0.5 * (Kv * Kv + std::sqrt(Kv * Kv * Kv * Kv + 4.0 * Kp * Kp)));
    const double phase = std::atan2(Kv * omega, Kp);
    EXPECT_NEAR(found.phase_frequency, omega, 1e-9 * omega);
    EXPECT_NEAR(found.phase, phase, 1e-9);
    EXPECT_NEAR(found.delay, phase / omega, 1e-9);
    EXPECT_EQ(found.gain_low, 0.0);
    EXPECT_TRUE(std::isinf(found.gain_high));
  }
  EXPECT_NEAR(margins(double_integrator(100.0, 20.0)).phase / kDegree, 76.345, 1e-3);
  EXPECT_FALSE(margins(double_integrator(100.0, -1.0)).stable);
}

// Sampled: z² − (2 − gK_vT − gK_pT²/2) z + (1 − gK_vT + gK_pT²/2) has a root at −1 for
// 4 − 2gK_vT = 0, and on the circle for gK_v = gK_pT/2, which no g brings about.
TEST(MarginsTest, GainOfASampledDoubleIntegratorEndsAtTwoOverKvT) {
  const double T = 0.01;
  const Held held = zero_order_hold(double_integrator(100.0, 20.0).A, double_integrator(100.0, 20.0).B, T);
  StateSpace sampled = double_integrator(100.0, 20.0);
  sampled.A = held.Phi;
  sampled.B = held.Gamma;
  sampled.period = T;
  EXPECT_NEAR(margins(sampled).gain_high, 2.0 / (20.0 * T), 1e-6);
}

// [eq:zero-order-hold] ∫ of a double integrator.
TEST(ZeroOrderHoldTest, IsThatOfADoubleIntegrator) {
  const Held held = zero_order_hold(double_integrator(1.0, 1.0).A, double_integrator(1.0, 1.0).B, 0.3);
  EXPECT_NEAR(held.Phi(0, 1), 0.3, 1e-15);
  EXPECT_NEAR(held.Gamma(0, 0), 0.045, 1e-15);
  EXPECT_NEAR(held.Gamma(1, 0), 0.3, 1e-15);
}

/// det(I − e^{−iφ} H) at the frequency of the phase margin, relative to the largest entry of H.
double return_difference(const StateSpace& open, const Margins& found) {
  const Eigen::MatrixXcd H = open.at_frequency(found.phase_frequency);
  double least = 1e9;
  for (const double sign : {-1.0, 1.0}) {
    const std::complex<double> turn = std::exp(std::complex<double>(0.0, sign * found.phase));
    const Eigen::MatrixXcd F = Eigen::MatrixXcd::Identity(H.rows(), H.cols()) - turn * H;
    least = std::min(least, Eigen::JacobiSVD<Eigen::MatrixXcd>(F).singularValues().tail(1)[0] / H.norm());
  }
  return least;
}

// [eq:margins] At every cut: the return difference is singular at the phase margin, and the closed loop is
// stable up to the gain margins and not beyond.
TEST(MarginsTest, ReturnDifferenceIsSingularAtEveryCut) {
  const auto c = test::held_case(test::pose_deg(0.0, 0.15, 80.0), VectorXd::Zero(4));
  const LinearLoop linear = c.linear(c.whole_arm({}));
  ASSERT_TRUE(linear.ok()) << linear.message;
  const OpenLoop open = sampled_loop(linear, 0.002, 0.003);
  std::vector<StateSpace> cuts{open.at(Cut::kCommand), open.at(Cut::kMotion), open.at(Cut::kForces)};
  for (Index i = 0; i < 4; ++i) cuts.push_back(open.at_joint(i));
  for (const StateSpace& cut : cuts) {
    const Margins found = margins(cut);
    ASSERT_TRUE(found.stable);
    ASSERT_TRUE(std::isfinite(found.phase) && std::isfinite(found.gain_high));
    EXPECT_LT(return_difference(cut, found), 1e-9);
    EXPECT_TRUE(stable(poles(cut.closed(found.gain_high * 0.999), cut.period)));
    EXPECT_FALSE(stable(poles(cut.closed(found.gain_high * 1.001), cut.period)));
  }
}

// Opening a loop anywhere and closing it again changes nothing.
TEST(OpenLoopTest, EveryCutClosesToTheSamePoles) {
  const auto c = test::held_case(test::pose_deg(0.0, 0.15, 80.0), VectorXd::Constant(4, 0.1));
  const LinearLoop linear = c.linear(c.force_loop({}, 0.4));
  ASSERT_TRUE(linear.ok()) << linear.message;
  for (const OpenLoop& open :
       {continuous_loop(linear), sampled_loop(linear, 0.004, 0.0), sampled_loop(linear, 0.004, 0.0101)}) {
    const std::vector<Pole> whole = poles(open.closed(), open.system.period);
    for (const Cut cut : {Cut::kCommand, Cut::kMotion, Cut::kForces}) {
      const std::vector<Pole> again = poles(open.at(cut).closed(), open.system.period);
      ASSERT_EQ(again.size(), whole.size());
      for (std::size_t i = 0; i < whole.size(); ++i) {
        if (whole[i].dead_beat || std::abs(whole[i].z) < 0.1) continue;  // of high multiplicity
        EXPECT_LT(distance({whole[i].s}, again), 1e-5);
      }
    }
  }
}

// [eq:critical-delay] The loop with the delay built into its state: stable just below the critical delay and
// unstable just above, with and without whole periods and proportional force feedback, and nothing critical
// before.
TEST(CriticalDelayTest, IsWhereALoopWithTheDelayBuiltInBecomesUnstable) {
  for (const double rate : {100.0, 250.0}) {
    for (const double K_lambda : {0.0, 0.2, 0.4}) {
      const auto c = test::held_case(test::pose_deg(0.0, 0.15, 80.0), VectorXd::Zero(4));
      const LinearLoop linear = c.linear(K_lambda > 0.0 ? c.force_loop({}, K_lambda) : c.whole_arm({}));
      ASSERT_TRUE(linear.ok()) << linear.message;
      const double T = 1.0 / rate;
      const CriticalDelay critical = critical_delay(linear, T);
      ASSERT_TRUE(std::isfinite(critical.delay) && critical.delay > 0.0);
      const auto slowest = [&](double delay) {
        return poles(sampled_loop(linear, T, delay).closed(), T).front().s;
      };
      EXPECT_LT(slowest(critical.delay * (1.0 - 1e-6)).real(), 0.0) << rate << " Hz, K_λ = " << K_lambda;
      EXPECT_GT(slowest(critical.delay * (1.0 + 1e-6)).real(), 0.0) << rate << " Hz, K_λ = " << K_lambda;
      for (int i = 1; i < 24; ++i) EXPECT_LT(slowest(critical.delay * i / 24.0).real(), 0.0) << i;
      if (K_lambda > 0.0) continue;
      EXPECT_NEAR(std::abs(slowest(critical.delay).imag()), critical.omega, 1e-4 * critical.omega);
    }
  }
}

// Without sampling the double integrator's φ/ω, for the geometric stiffness is compensated at d = 0 only; the
// sampled loop's delay tends to it, a hold being half a period of delay.
TEST(CriticalDelayTest, TendsToThatOfContinuousControl) {
  const auto c = test::held_case(test::pose_deg(0.0, 0.15, 90.0), VectorXd::Zero(4));
  const LinearLoop linear = c.linear(c.whole_arm({}));
  ASSERT_TRUE(linear.ok()) << linear.message;
  const double limit = critical_delay(linear, 0.0).delay;
  EXPECT_NEAR(limit, margins(double_integrator(100.0, 20.0)).delay, 0.001);
  for (const double T : {0.004, 0.002})
    EXPECT_NEAR(critical_delay(linear, T).delay, limit - 0.5 * T, 0.05 * T);
}

// [eq:force-echo] A proportional gain on every force error is the echo itself where friction is none, and the
// sampled rigid loop is stable below 1 and unstable above, at every rate.
TEST(ForceEchoTest, ProportionalForceGainOfOneIsTheLimitInASampledRigidLoop) {
  const auto c = test::held_case(test::pose_deg(0.0, 0.15, 90.0), VectorXd::Zero(4));
  for (const double K_lambda : {0.3, 0.97, 1.03, 2.0}) {
    const LinearLoop linear = c.linear(c.force_loop({}, K_lambda));
    ASSERT_TRUE(linear.ok()) << linear.message;
    EXPECT_NEAR(force_echo(linear), K_lambda, 1e-9);
    for (const double rate : {1000.0, 10000.0})
      EXPECT_EQ(stable(poles(sampled_loop(linear, 1.0 / rate).closed(), 1.0 / rate)), K_lambda < 1.0);
  }
}

TEST(PolesTest, DescribeTheirModes) {
  MatrixXd A(3, 3);
  A << 0.0, 1.0, 0.0, -25.0, -6.0, 0.0, 0.0, 0.0, -2.0;  // −3 ± 4i and −2
  const std::vector<Pole> found = poles(A, 0.0);
  EXPECT_NEAR(found[0].s.real(), -2.0, 1e-12);
  EXPECT_NEAR(found[1].damping_ratio(), 0.6, 1e-12);
  EXPECT_NEAR(found[1].natural_frequency(), 5.0, 1e-12);
  EXPECT_NEAR(found[0].settling_time(), std::log(50.0) / 2.0, 1e-12);
  EXPECT_EQ(to_text(found[1].s), "-3 ± 4i");
  EXPECT_LT(distance({{-3.0, 4.0}, {-3.0, -4.0}, -2.0}, found), 1e-12);
  EXPECT_NEAR(distance({-4.0}, found), 0.5, 1e-12);
  EXPECT_TRUE(poles(MatrixXd::Zero(1, 1), 0.1)[0].dead_beat);
  EXPECT_FALSE(stable(poles(MatrixXd::Zero(1, 1), 0.0)));
}

}  // namespace
}  // namespace enfold::loop
