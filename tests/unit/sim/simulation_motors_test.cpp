// SPDX-License-Identifier: BSD-3-Clause
// Between controller and plant: late torques, limits of the motors; sensors with bias and resolution.
#include <gtest/gtest.h>

#include <cmath>

#include "closed_loop_case.hpp"
#include "enfold/base/error.hpp"
#include "enfold/test/matchers.hpp"
#include "logging_law.hpp"

namespace enfold::sim {
namespace {

using test::EigenNear;

struct LoggedRun {
  History history;
  std::vector<LoggingLaw::Call> commands;
};

LoggedRun run(const SimulationOptions& options) {
  ClosedLoopCase c = rotation();
  c.start = pose(0.0, 0.15, 69.0);
  SimulationProblem problem = c.problem();
  auto law = std::make_shared<LoggingLaw>(problem.controller);
  problem.controller = law;
  LoggedRun out{simulate(problem, options), {}};
  out.commands = law->commands(options.control_rate);
  return out;
}

// Recorded torques are those just before the instant: at 0.5 ms after a control instant, with a delay of
// 2.3 ms, that of the control instant three periods before; and the first one until another arrives.
TEST(SimulationDelayTest, TorqueOfAControlInstantActsAfterTheDelay) {
  for (const double delay : {0.0, 0.0023, 0.003, 0.0102}) {
    SimulationOptions options{.duration = 0.04, .record_rate = 2000.0, .control_rate = 1000.0};
    options.control_delay = delay;
    const LoggedRun logged = run(options);
    ASSERT_EQ(logged.history.status, RunStatus::kCompleted) << logged.history.message;
    for (std::size_t i = 1; i < logged.history.samples.size(); ++i) {
      const Sample& sample = logged.history.samples[i];
      const auto arrived = static_cast<long>(std::ceil((sample.time - delay) * 1000.0 - 1e-6)) - 1;
      const auto command = static_cast<std::size_t>(std::max(0L, arrived));
      EXPECT_THAT(sample.tau, EigenNear(logged.commands.at(command).tau, 0.0))
          << "delay " << delay << " s, t = " << sample.time << " s";
    }
  }
}

TEST(SimulationDelayTest, RecordingDoesNotChangeADelayedRun) {
  SimulationOptions options{.duration = 0.1, .record_rate = 1000.0};
  options.control_delay = 0.00137;
  const LoggedRun often = run(options);
  options.record_rate = 100.0;
  const LoggedRun seldom = run(options);
  for (std::size_t i = 0; i < seldom.history.samples.size(); ++i)
    EXPECT_EQ(seldom.history.samples[i].x, often.history.samples[10 * i].x);
}

TEST(SimulationMotorsTest, TorquesAndTheirRatesStayWithinTheLimits) {
  const LoggedRun free = run({.duration = 0.2});
  double most = 0.0;
  for (const Sample& sample : free.history.samples) most = std::max(most, sample.tau.cwiseAbs().maxCoeff());
  SimulationOptions options{.duration = 0.2};
  options.actuators.max_torque = {0.98 * most};
  options.actuators.max_rate = {8.0};
  const LoggedRun limited = run(options);
  ASSERT_EQ(limited.history.status, RunStatus::kCompleted) << limited.history.message;
  const auto& samples = limited.history.samples;
  for (std::size_t i = 2; i < samples.size(); ++i) {
    EXPECT_LE(samples[i].tau.cwiseAbs().maxCoeff(), 0.98 * most);
    EXPECT_LE((samples[i].tau - samples[i - 1].tau).cwiseAbs().maxCoeff(), 8e-3 + 1e-15);
  }
  EXPECT_GT(limited.history.summary.saturated_instants, 0);
  EXPECT_EQ(limited.history.summary.control_instants, 200);
  EXPECT_EQ(free.history.summary.saturated_instants, 0);
  const auto& events = limited.history.events;
  EXPECT_EQ(
      std::count_if(events.begin(), events.end(), [](const Event& e) { return e.kind == "saturation"; }), 1);
}

TEST(SimulationMotorsTest, DelayAndLimitsNeedASampledLaw) {
  SimulationOptions options{.duration = 0.1, .control_rate = 0.0};
  options.control_delay = 1e-3;
  EXPECT_THROW(simulate(rotation().problem(), options), InvalidArgument);
  options.control_delay = 0.0;
  options.actuators.resolution = 0.01;
  EXPECT_THROW(simulate(rotation().problem(), options), InvalidArgument);
}

TEST(SensorOffsetsTest, BiasIsAddedAndReadingsAreMultiplesOfTheResolution) {
  const test::PaperHand hand = test::paper_hand();
  NoiseModel noise;
  noise.offsets = {.force_bias = 0.25,
                   .joint_bias = 0.01,
                   .pose_bias = Eigen::Vector3d(0.001, -0.002, 0.02),
                   .force_resolution = 0.1,
                   .joint_resolution = 0.003,
                   .pose_resolution = Eigen::Vector3d(0.0005, 0.0, 0.007)};
  EXPECT_FALSE(noise.silent());
  Sensors sensors(hand.mechanism, 4, noise);
  control::Measurement truth;
  truth.q = hand.closed(0.002, 0.151, 80.0);
  truth.v = VectorXd::Constant(7, 0.1);
  truth.lambda_N = Eigen::Vector4d(1.03, 2.0, 3.0, 4.0);
  truth.lambda_T = Eigen::Vector4d(-0.13, 0.2, -0.3, 0.4);
  control::Measurement read = truth;
  sensors.disturb(3, truth.q.head(3), read);
  EXPECT_THAT(read.lambda_N, EigenNear(Eigen::Vector4d(1.3, 2.3, 3.3, 4.3), 0.1));
  EXPECT_NEAR(read.lambda_N[0], 1.3, 1e-12);
  EXPECT_NEAR(read.lambda_T[0], -0.1, 1e-12);
  EXPECT_EQ(read.v, truth.v);
  EXPECT_NEAR(read.q[1], 0.149, 1e-15);
  const auto expect_multiple = [](double value, double exact, double unit) {
    EXPECT_NEAR(value / unit, std::round(value / unit), 1e-9);
    EXPECT_LE(std::abs(value - exact), 0.5 * unit + 1e-12);
  };
  expect_multiple(read.q[0], truth.q[0] + 0.001, 0.0005);
  expect_multiple(read.q[2], truth.q[2] + 0.02, 0.007);
  for (Index i = 3; i < 7; ++i) expect_multiple(read.q[i], truth.q[i] + 0.01, 0.003);
  for (Index i = 0; i < 4; ++i) expect_multiple(read.lambda_N[i], truth.lambda_N[i] + 0.25, 0.1);

  noise.offsets.pose_bias = Eigen::Vector2d(1.0, 1.0);
  EXPECT_THROW(Sensors(hand.mechanism, 4, noise), InvalidArgument);
  noise.offsets.pose_bias.resize(0);
  noise.offsets.force_resolution = -0.1;
  EXPECT_THROW(Sensors(hand.mechanism, 4, noise), InvalidArgument);
}

}  // namespace
}  // namespace enfold::sim
