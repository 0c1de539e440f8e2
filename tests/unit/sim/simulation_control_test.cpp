// SPDX-License-Identifier: BSD-3-Clause
// Theorem 3.1 along whole runs: continuous control follows (14) and (15), sampled control tends to it.
#include <gtest/gtest.h>

#include <cmath>

#include "closed_loop_case.hpp"
#include "enfold/test/matchers.hpp"
#include "logging_law.hpp"

namespace enfold::sim {
namespace {

/// Errors of all three coordinates at the start, small enough for the slips to keep their planned directions.
ClosedLoopCase started_off() {
  ClosedLoopCase c = rotation();
  c.start = pose(0.0002, 0.1499, 69.6);
  return c;
}

// The plant slides the way the law believes, whatever the slip: Theorem 3.1 takes the directions as known.
constexpr double kAnySlip = 1e3;

// [eq:S4.14] ë + K_v ė + K_p e = 0 from rest, with a double pole, two real ones and a complex pair.
TEST(SimulationControlTest, ContinuousControlFollowsTheErrorEquationOfMotion) {
  for (const auto& [Kp, Kv] : {std::pair{100.0, 20.0}, std::pair{75.0, 20.0}, std::pair{200.0, 20.0}}) {
    ClosedLoopCase c = started_off();
    c.gains = {.Kp = Kp, .Kv = Kv, .Kalpha = 10.0};
    const History history = simulate(c.problem(), {.control_rate = 0.0, .slip_tol = kAnySlip});
    ASSERT_EQ(history.status, RunStatus::kCompleted) << history.message;
    const VectorXd e_0 = history.samples[0].x_des - history.samples[0].x;
    const double discriminant = Kv * Kv / 4 - Kp;
    const double w = std::sqrt(std::abs(discriminant));
    const double sigma = Kv / 2;
    for (const Sample& sample : history.samples) {
      const double t = sample.time;
      const double shape = discriminant > 0.0   ? std::cosh(w * t) + sigma / w * std::sinh(w * t)
                           : discriminant < 0.0 ? std::cos(w * t) + sigma / w * std::sin(w * t)
                                                : 1.0 + sigma * t;
      const VectorXd expected = std::exp(-sigma * t) * shape * e_0;
      ASSERT_THAT(sample.x_des - sample.x, test::EigenNear(expected, 1e-9)) << "t = " << t << ", Kp = " << Kp;
    }
  }
}

// [eq:S4.15] e_α + K_α ∫e_α = 0. From an integral of c it starts at −K_α c and decays with the pole −K_α. The
// correction of the gaps, switched off here, adds forces of some 1e-6 N.
TEST(SimulationControlTest, ContinuousControlFollowsTheErrorEquationOfForce) {
  const double offset = -0.02;
  for (const double Kalpha : {10.0, 25.0}) {
    ClosedLoopCase c = started_off();
    c.gains.Kalpha = Kalpha;
    SimulationProblem problem = c.problem();
    problem.controller = std::make_shared<ShiftedLaw>(problem.controller, offset);
    const History history =
        simulate(problem, {.control_rate = 0.0, .rigid = {.drift_frequency = 0.0}, .slip_tol = kAnySlip});
    ASSERT_EQ(history.status, RunStatus::kCompleted) << history.message;
    for (const Sample& sample : history.samples) {
      const double error = sample.alpha_des[0] - sample.alpha[0];
      ASSERT_NEAR(error, -Kalpha * offset * std::exp(-Kalpha * sample.time), 1e-8) << "t = " << sample.time;
    }
  }
}

// The hold delays the torque by half a period on average: the distance from continuous control is ∝ the
// period.
TEST(SimulationControlTest, SampledControlTendsToContinuousControlAtFirstOrder) {
  const ClosedLoopCase c = started_off();
  const auto run = [&](double control) {
    return simulate(
        c.problem(),
        {.duration = 0.4, .step = 5e-4, .record_rate = 50.0, .control_rate = control, .slip_tol = kAnySlip});
  };
  const History limit = run(0.0);
  std::vector<double> pose_error, force_error;
  for (const double control : {500.0, 1000.0, 2000.0}) {
    const History history = run(control);
    ASSERT_EQ(history.samples.size(), limit.samples.size());
    pose_error.push_back(0.0);
    force_error.push_back(0.0);
    for (std::size_t k = 0; k < limit.samples.size(); ++k) {
      pose_error.back() = std::max(pose_error.back(), (history.samples[k].x - limit.samples[k].x).norm());
      force_error.back() =
          std::max(force_error.back(), (history.samples[k].lambda_N - limit.samples[k].lambda_N).norm());
    }
  }
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(pose_error[i] / pose_error[i + 1], 2.0, 0.1);
    EXPECT_NEAR(force_error[i] / force_error[i + 1], 2.0, 0.2);
  }
  EXPECT_GT(pose_error.back(), 1e-6);
  EXPECT_LT(pose_error.back(), 1e-4);
}

// Integration error of the whole loop ∝ step⁴, between two plan points where α_d is smooth.
TEST(SimulationControlTest, ContinuousRunIsOfFourthOrderInTheStep) {
  const ClosedLoopCase c = started_off();
  const auto end = [&](double step) {
    const History history = simulate(c.problem(), {.duration = 0.008,
                                                   .step = step,
                                                   .record_rate = 125.0,
                                                   .control_rate = 0.0,
                                                   .rigid = {.drift_frequency = 0.0},
                                                   .slip_tol = kAnySlip});
    return VectorXd(history.samples.back().omega);
  };
  const VectorXd exact = end(1.25e-4);
  const double coarse = (end(4e-3) - exact).norm();
  const double fine = (end(2e-3) - exact).norm();
  EXPECT_GT(coarse, 1e-12);
  EXPECT_NEAR(std::log2(coarse / fine), 4.0, 0.4);
}

}  // namespace
}  // namespace enfold::sim
