// SPDX-License-Identifier: BSD-3-Clause
// Examples 1 and 2 of S4 with compliant contacts and with switching.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "shipped_run.hpp"

namespace enfold::app {
namespace {

using sim::ContactModel;
using sim::Sample;

const Sample& at(const sim::History& history, double t) {
  return history.samples.at(static_cast<std::size_t>(std::lround(t * 1000.0)));
}

std::vector<sim::Event> switches(const sim::History& history) {
  std::vector<sim::Event> out;
  for (const sim::Event& event : history.events)
    if (event.kind == "model") out.push_back(event);
  return out;
}

// S4, Example 2, Figures 6, 8 and 9.
TEST(IntegratedTest, ExampleTwoSwitchesWhereUniquenessIsLostAndReachesTheGoal) {
  const sim::History history = run_shipped("song2001-translate");
  ASSERT_EQ(history.status, sim::RunStatus::kCompleted) << history.message;
  ASSERT_EQ(history.samples.size(), 1001u);
  EXPECT_NEAR(history.samples.back().x[1], 0.15, 2e-4);
  double lost = 1.0;
  for (const sim::Event& event : history.events)
    if (event.kind == "uniqueness") lost = std::min(lost, event.time);
  EXPECT_NEAR(lost, 0.647, 0.005);
  EXPECT_THAT(history.summary.compliant_method,
              testing::AllOf(testing::HasSubstr("0 Rosenbrock"), testing::HasSubstr("within the limit")));
  // Compliant at rest, rigid while sliding, compliant from the loss on.
  const std::vector<sim::Event> found = switches(history);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].time, 0.0);
  EXPECT_EQ(found[1].to, "rigid");
  EXPECT_EQ(found[2].to, "compliant");
  EXPECT_NEAR(found[2].time, lost, 1e-9);
  EXPECT_THAT(found[2].cause, testing::HasSubstr("left.proximal, left.distal, right.proximal, right.distal"));
  for (const Sample& sample : history.samples) {
    EXPECT_GT(sample.lambda_N.minCoeff(), 0.0) << "no contact is lost";
    if (sample.time >= 0.3 && sample.time <= 0.64) {
      EXPECT_NEAR(sample.lambda_N.minCoeff(), 1.0, 0.1);
    }
  }
}

// Forces are continuous at the entry; at the return the jump is what the event says, and small.
TEST(IntegratedTest, NothingJumpsAtASwitchButTheForcesAtTheReturn) {
  for (const std::string name : {"song2001-translate", "song2001-rotate-integrated"}) {
    const sim::History history = run_shipped(name);
    for (const sim::Event& event : switches(history)) {
      if (event.to == "compliant") {
        EXPECT_LT(event.jump_lambda, 1e-9) << name << " " << event.time;
      }
      if (event.to == "rigid") {
        EXPECT_LT(event.jump_lambda, 0.5) << name << " " << event.time;
      }
      EXPECT_LE(event.jump_q, 1e-12) << name << " " << event.time;
      EXPECT_LE(event.jump_v, 1e-12) << name << " " << event.time;
      if (event.time == 0.0) continue;
      // Positions go on with their velocity, velocities with a bounded acceleration.
      const Sample& before = at(history, event.time);
      const Sample& after = at(history, event.time + 1e-3);
      EXPECT_LT((after.theta - before.theta - 1e-3 * before.omega).norm(), 1e-4);
      EXPECT_LT((after.omega - before.omega).norm(), 0.1);
    }
  }
}

// The sample after the switch follows from the one at it: rigid forces under the new torque, springs that
// carry them, and 1 ms of these springs. A jump of the state on the way would show.
TEST(IntegratedTest, StateAfterTheEntryFollowsFromTheStateAtIt) {
  const sim::History history = run_shipped("song2001-translate");
  const auto setup = make_setup(io::read_scenario(test::scenario_path("song2001-translate")));
  const std::vector<sim::Event> found = switches(history);
  ASSERT_EQ(found.size(), 3u);
  const Sample& before = at(history, found[2].time);
  const Sample& after = at(history, found[2].time + 1e-3);
  ASSERT_NEAR(before.time, found[2].time, 1e-12);
  const sim::PlantModel model{setup.model.mechanism, setup.model.contacts, setup.model.mu};
  sim::CompliantState state;
  state.q.resize(7);
  state.v.resize(7);
  state.xi = VectorXd::Zero(4);
  state.q << before.x, before.theta;
  state.v << before.x_dot, before.omega;
  sim::CompliantPlant springs(model, {contact::kelvin_voigt_contact({.stiffness = 1e4})});
  springs.set_offset(before.offset);
  EXPECT_LT(springs.adopt_forces(state.q, state.v, before.lambda_N, before.lambda_T, state.xi), 1e-9);
  sim::CompliantIntegrator integrator(springs);
  ASSERT_TRUE(integrator.advance(state, after.tau, before.time, 1e-3).ok());
  EXPECT_LT((state.q - (VectorXd(7) << after.x, after.theta).finished()).lpNorm<Eigen::Infinity>(), 1e-12);
  EXPECT_LT((state.v - (VectorXd(7) << after.x_dot, after.omega).finished()).lpNorm<Eigen::Infinity>(),
            1e-10);
}

TEST(IntegratedTest, RigidPolicyEndsExampleTwoWhereUniquenessIsLost) {
  const sim::History history = run_shipped("song2001-translate", {"simulation.model=rigid"});
  EXPECT_EQ(history.status, sim::RunStatus::kNotUnique);
  EXPECT_NEAR(history.samples.back().time, 0.647, 0.005);
  EXPECT_THAT(history.message,
              testing::AllOf(testing::HasSubstr("left.proximal, left.distal, right.proximal, right.distal"),
                             testing::HasSubstr("simulation.model: integrated")));
  // Or it goes on along the solution next to the last one, if the scenario says so.
  const sim::History on =
      run_shipped("song2001-translate", {"simulation.model=rigid", "simulation.continuous_branch=true"});
  EXPECT_GT(on.samples.back().time, 0.7) << on.message;
}

// Two models of one world: the object within 0.1 mm, the forces within 5 % from 0.1 s after the switch to
// rigid.
TEST(IntegratedTest, AllCompliantAndIntegratedAgreeOnExampleTwo) {
  const sim::History integrated = run_shipped("song2001-translate");
  const sim::History compliant = run_shipped("song2001-translate", {"simulation.model=compliant"});
  ASSERT_EQ(compliant.status, sim::RunStatus::kCompleted) << compliant.message;
  const std::vector<sim::Event> found = switches(integrated);
  ASSERT_EQ(found.size(), 3u);
  for (std::size_t k = 0; k < integrated.samples.size(); ++k) {
    const Sample& a = integrated.samples[k];
    const Sample& b = compliant.samples[k];
    EXPECT_EQ(b.model, ContactModel::kCompliant);
    EXPECT_NEAR(a.x[1], b.x[1], 1e-4);
    if (a.time < found[1].time + 0.1 || a.time > found[2].time) continue;
    for (Index i = 0; i < 4; ++i) EXPECT_NEAR(a.lambda_N[i], b.lambda_N[i], 0.05 * b.lambda_N[i]) << a.time;
  }
}

// S4, Example 1, from true rest with sticking contacts: the figures of the paper stay.
TEST(IntegratedTest, ExampleOneFromTrueRestKeepsItsFigures) {
  const sim::History history = run_shipped("song2001-rotate-integrated");
  ASSERT_EQ(history.status, sim::RunStatus::kCompleted) << history.message;
  for (const Sample& sample : history.samples) {
    const double t = sample.time;
    const double error = (sample.x_des[2] - sample.x[2]) * 180.0 / std::numbers::pi;
    if (t <= 0.5) {
      EXPECT_NEAR(error, (1.0 + 10.0 * t) * std::exp(-10.0 * t), 0.02);
    }
    if (t >= 0.4 && t <= 0.9) {
      EXPECT_NEAR(sample.lambda_N.minCoeff(), 0.5, 0.05) << t;
    }
  }
  // The contact with the least force hops as on the plan: right.proximal → left.distal → left.proximal.
  std::vector<std::pair<double, Index>> hops;
  for (const Sample& sample : history.samples) {
    if (sample.time < 0.2 || sample.time > 0.9) continue;
    Index least = 0;
    sample.lambda_N.minCoeff(&least);
    if (hops.empty() || hops.back().second != least) hops.emplace_back(sample.time, least);
  }
  ASSERT_EQ(hops.size(), 3u);
  EXPECT_EQ(hops[0].second, 2);
  EXPECT_EQ(hops[1].second, 1);
  EXPECT_EQ(hops[2].second, 0);
  EXPECT_NEAR(hops[1].first, 0.3894, 0.03);
  EXPECT_NEAR(hops[2].first, 0.6368, 0.03);
  EXPECT_EQ(history.samples.front().model, ContactModel::kCompliant);
  EXPECT_EQ(at(history, 0.5).model, ContactModel::kRigid);
  // Towards the end two contacts come to rest one after the other: S4's case (a), 2R + 2S, is determined.
  EXPECT_EQ(history.samples.back().model, ContactModel::kRigid);
  EXPECT_EQ(std::count(history.samples.back().modes.begin(), history.samples.back().modes.end(),
                       contact::ContactMode::kRoll),
            2);
}

}  // namespace
}  // namespace enfold::app
