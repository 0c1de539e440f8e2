// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/loop/step_response.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "enfold/base/error.hpp"
#include "enfold/controllers/gain_design.hpp"
#include "simulated_decay.hpp"

namespace enfold::loop {
namespace {

// [eq:step-response] Continuous: the error equation's 1 − (1 + 10t) e^{−10t}, of the coordinate alone.
TEST(StepResponseTest, OfContinuousControlIsThatOfTheErrorEquation) {
  const auto c = test::held_case(test::pose_deg(0.0, 0.15, 90.0), VectorXd::Constant(4, 0.1));
  const LinearLoop linear = c.linear(c.whole_arm({}));
  ASSERT_TRUE(linear.ok()) << linear.message;
  for (Index i = 0; i < 3; ++i) {
    const StepResponse response = step_response(linear, i, 0.0, 0.0, 1.0);
    for (std::size_t k = 0; k < response.time.size(); ++k) {
      const double t = response.time[k];
      VectorXd exact = VectorXd::Zero(3);
      exact[i] = 1.0 - (1.0 + 10.0 * t) * std::exp(-10.0 * t);
      ASSERT_LT((response.motion.row(static_cast<Index>(k)).transpose() - exact).norm(), 1e-6) << "t = " << t;
    }
    EXPECT_NEAR(response.settling_time, 0.5834, 0.003);
    EXPECT_LT(response.overshoot, 1e-6);
  }
}

// [eq:sampled-loop] Sampled at 50 Hz with 1.3 periods of delay: the simulated loop, started off by a small
// step, is where the response says, between the control instants too; so are forces and torques.
TEST(StepResponseTest, OfASampledLoopWithDelayIsThatOfTheSimulatedOne) {
  const auto c = test::held_case(test::pose_deg(0.0, 0.15, 80.0), VectorXd::Constant(4, 0.1));
  const auto law = c.whole_arm({.Kp = 50.0, .Kv = 12.0, .Kalpha = 6.0});
  const LinearLoop linear = c.linear(law);
  ASSERT_TRUE(linear.ok()) << linear.message;
  const double T = 0.02;
  const double delay = 0.026;
  const StepResponse response = step_response(linear, 2, T, delay, 0.6, 120);
  const double step = 1e-6;
  const VectorXd rest = c.grasp.q.head(3);
  sim::SimulationProblem problem;
  problem.plant = {c.hand.mechanism, c.hand.contacts, c.grasp.mu};
  problem.controller = law;
  problem.trajectory = c.still;
  problem.plan = c.plan;
  problem.modes = c.grasp.modes;
  problem.q = c.hand.closed(rest - step * VectorXd::Unit(3, 2));
  problem.v = VectorXd::Zero(7);
  sim::SimulationOptions options{.duration = 0.65, .step = 1e-3, .record_rate = 200.0, .control_rate = 50.0};
  options.control_delay = delay;
  options.slip_tol = 1e3;
  options.rigid.drift_frequency = 0.0;
  const sim::History history = sim::simulate(problem, options);
  ASSERT_EQ(history.status, sim::RunStatus::kCompleted) << history.message;
  double motion = 0.0;
  double force = 0.0;
  int compared = 0;
  const VectorXd held = c.plan->points[0].lambda_N;
  for (std::size_t k = 0; k < response.time.size(); ++k) {
    const auto i = static_cast<std::size_t>(std::lround(response.time[k] * 200.0));
    if (i >= history.samples.size()) break;
    const sim::Sample& sample = history.samples[i];
    ASSERT_NEAR(sample.time, response.time[k], 1e-9);
    const auto row = static_cast<Index>(k);
    const VectorXd jumped = (sample.x - rest) / step + VectorXd::Unit(3, 2);
    motion = std::max(motion, (jumped - response.motion.row(row).transpose()).norm());
    force = std::max(force, ((sample.lambda_N - held) / step - response.forces.row(row).transpose()).norm());
    ++compared;
  }
  EXPECT_LT(motion, 1e-4);
  EXPECT_LT(force, 1e-3 * response.forces.cwiseAbs().maxCoeff());
  EXPECT_GT(compared, 80);
  EXPECT_THROW((void)step_response(linear, 3, T, 0.0, 1.0), InvalidArgument);
  EXPECT_THROW((void)step_response(linear, 0, 0.0, delay, 1.0), InvalidArgument);
}

}  // namespace
}  // namespace enfold::loop
