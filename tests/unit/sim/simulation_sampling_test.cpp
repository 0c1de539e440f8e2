// SPDX-License-Identifier: BSD-3-Clause
// What a run records and when: instants, limits, held torques, readings.
#include <gtest/gtest.h>

#include <cmath>

#include "closed_loop_case.hpp"
#include "enfold/ode/fixed_step.hpp"
#include "enfold/test/matchers.hpp"
#include "logging_law.hpp"

namespace enfold::sim {
namespace {

using test::EigenNear;

ClosedLoopCase started_behind() {
  ClosedLoopCase c = rotation();
  c.start = pose(0.0, 0.15, 69.0);
  return c;
}

void expect_same(const Sample& a, const Sample& b) {
  EXPECT_EQ(a.time, b.time);
  for (const auto member : {&Sample::x, &Sample::x_dot, &Sample::x_des, &Sample::theta, &Sample::omega,
                            &Sample::tau, &Sample::lambda_N, &Sample::lambda_T, &Sample::gap, &Sample::slip,
                            &Sample::alpha, &Sample::alpha_des})
    EXPECT_EQ(a.*member, b.*member) << "t = " << a.time;
  EXPECT_EQ(a.energy, b.energy);
  EXPECT_EQ(a.min_minor, b.min_minor);
  EXPECT_EQ(a.modes, b.modes);
}

TEST(SimulationSamplingTest, RecordsTheStartEveryPeriodAndTheEnd) {
  struct Case {
    double duration, step, record, control;
    std::size_t samples;
  };
  for (const Case& c : {Case{0.05, 1e-3, 1000.0, 1000.0, 51}, Case{0.05, 1e-3, 1000.0, 250.0, 51},
                        Case{0.05, 7e-4, 300.0, 1000.0, 16}, Case{0.0333, 1e-3, 1000.0, 1000.0, 35},
                        Case{0.0333, 1e-3, 100.0, 0.0, 5}, Case{0.3, 5e-3, 10.0, 100.0, 4},
                        Case{0.1 + 0.2, 5e-3, 100.0, 100.0, 31}, Case{0.004, 5e-3, 100.0, 100.0, 2}}) {
    const History history = simulate(
        started_behind().problem(),
        {.duration = c.duration, .step = c.step, .record_rate = c.record, .control_rate = c.control});
    ASSERT_EQ(history.status, RunStatus::kCompleted) << history.message;
    EXPECT_TRUE(history.message.empty());
    ASSERT_EQ(history.samples.size(), c.samples) << c.duration << " s at " << c.record << " Hz";
    for (std::size_t k = 0; k + 1 < c.samples; ++k)
      EXPECT_EQ(history.samples[k].time, static_cast<double>(k) / c.record);
    EXPECT_DOUBLE_EQ(history.samples.back().time, c.duration);
  }
}

TEST(SimulationSamplingTest, AdvanceGoesFromSampleToSample) {
  Simulation simulation(started_behind().problem(), {.duration = 0.01, .record_rate = 500.0});
  EXPECT_EQ(simulation.time(), 0.0);
  for (int k = 1; k <= 5; ++k) {
    EXPECT_EQ(simulation.advance(), k < 5);
    EXPECT_EQ(simulation.time(), k / 500.0);
  }
  EXPECT_FALSE(simulation.advance());
  EXPECT_EQ(simulation.time(), 0.01);
  EXPECT_EQ(simulation.take_history().samples.size(), 6U);
  EXPECT_FALSE(simulation.advance());
}

TEST(SimulationSamplingTest, NamesAreThoseOfTheMechanismAndTheContacts) {
  const ClosedLoopCase c = started_behind();
  const History history = simulate(c.problem(), {.duration = 0.002});
  EXPECT_EQ(history.names.joints, c.hand.mechanism->joint_names());
  EXPECT_EQ(history.names.contacts, c.hand.contacts->names());
  EXPECT_EQ(history.names.object_position, c.hand.mechanism->object_position_names());
  EXPECT_EQ(history.names.object_velocity, c.hand.mechanism->object_velocity_names());
}

// The torque of a sample is the last one commanded before it; of the first, the first.
TEST(SimulationSamplingTest, TorqueIsHeldBetweenControlInstants) {
  struct Rates {
    double control, record, step;
  };
  for (const Rates& rates :
       {Rates{1000.0, 1000.0, 1e-3}, Rates{250.0, 1000.0, 1e-3}, Rates{1000.0, 250.0, 1e-3},
        Rates{400.0, 1000.0, 1e-3}, Rates{300.0, 700.0, 8e-4}, Rates{500.0, 1000.0, 3e-3}}) {
    SimulationProblem problem = started_behind().problem();
    const auto law = std::make_shared<LoggingLaw>(problem.controller);
    problem.controller = law;
    const History history = simulate(
        problem,
        {.duration = 0.06, .step = rates.step, .record_rate = rates.record, .control_rate = rates.control});
    ASSERT_EQ(history.status, RunStatus::kCompleted) << history.message;
    const std::vector<LoggingLaw::Call> commands = law->commands(rates.control);
    ASSERT_GE(commands.size(), static_cast<std::size_t>(0.06 * rates.control));
    for (const Sample& sample : history.samples) {
      const LoggingLaw::Call* last = &commands.front();
      for (const LoggingLaw::Call& call : commands)
        if (call.t < sample.time - 1e-9) last = &call;
      EXPECT_EQ(sample.tau, last->tau) << "t = " << sample.time << ", control " << rates.control
                                       << " Hz, record " << rates.record << " Hz";
    }
    EXPECT_GT((history.samples.back().tau - history.samples.front().tau).norm(), 1e-3);
  }
}

// [eq:S4.18] Everything in a sample belongs to its state and its torque, computed anew.
TEST(SimulationSamplingTest, ForcesOfASampleAreThoseOfItsStateAndTorque) {
  for (const double control : {0.0, 250.0, 1000.0}) {
    const ClosedLoopCase c = started_behind();
    const History history = simulate(c.problem(), {.duration = 0.3, .control_rate = control});
    ASSERT_EQ(history.status, RunStatus::kCompleted);
    control::Reference reference;
    for (const Sample& sample : history.samples) {
      const VectorXd q = q_of(sample);
      const VectorXd v = v_of(sample);
      RigidPlant plant(c.plant());
      plant.set_modes(sample.modes);
      ASSERT_EQ(plant.solve(q, v, sample.tau), ContactSolveStatus::kSolved);
      ASSERT_THAT(sample.lambda_N, EigenNear(plant.lambda_N(), 1e-9)) << "t = " << sample.time;
      ASSERT_THAT(sample.lambda_T, EigenNear(plant.lambda_T(), 1e-9));
      ASSERT_THAT(sample.A0, EigenNear(plant.A_0(), 1e-9));
      ASSERT_THAT(sample.A1, EigenNear(plant.A_1(), 1e-9));
      const contact::ContactKinematics kinematics = c.hand.kinematics(q, v);
      ASSERT_THAT(sample.gap, EigenNear(kinematics.gap, 1e-15));
      const VectorXd slip = kinematics.W_T.transpose() * v;
      ASSERT_THAT(sample.slip, EigenNear(slip, 1e-14));
      ASSERT_NEAR(sample.energy, c.hand.mechanism->kinetic_energy(q, v), 1e-15);
      c.trajectory->sample(sample.time, reference);
      ASSERT_EQ(sample.x_des, reference.x);
      ASSERT_EQ(sample.x_dot_des, reference.x_dot);
      ASSERT_EQ(sample.p_matrix, Uniqueness::kUnique);
      ASSERT_EQ(sample.lcp_solutions, 1);
      ASSERT_NEAR(sample.min_minor, lcp::principal_minors(plant.A()).minCoeff(), 1e-9);
      ASSERT_EQ(sample.critical_contact, c.plan->points[c.plan->segment(sample.time)].critical_contact);
    }
  }
}

// [eq:S4.9] α = (G°)ᵀ λ at every recorded instant, also at those without control.
TEST(SimulationSamplingTest, InternalForceOfASampleIsThatOfItsForces) {
  for (const double control : {0.0, 250.0, 1000.0}) {
    const ClosedLoopCase c = started_behind();
    const History history = simulate(c.problem(), {.duration = 0.1,
                                                   .record_rate = 500.0,
                                                   .control_rate = control,
                                                   .noise = {.force = control > 0.0 ? 0.1 : 0.0}});
    ASSERT_EQ(history.status, RunStatus::kCompleted);
    for (const Sample& sample : history.samples) {
      grasp::GraspMatrices grasp;
      const VectorXd q = q_of(sample);
      const std::size_t at = c.plan->segment(sample.time);
      const control::PlanPoint& point = c.plan->points[at];
      grasp::assemble(c.hand.kinematics(q, v_of(sample)), point.modes, c.mu, 3, grasp);
      VectorXd null = grasp.G.fullPivLu().kernel().col(0).normalized();
      if (null.dot(point.G_null.col(0)) < 0.0) null = -null;
      ASSERT_EQ(sample.alpha.size(), 1);
      EXPECT_NEAR(sample.alpha[0], null.dot(sample.lambda_N), 1e-9)
          << "t = " << sample.time << ", control " << control << " Hz";
      const control::PlanPoint& next = c.plan->points[std::min(at + 1, c.plan->points.size() - 1)];
      const double u = (sample.time - point.time) / (next.time - point.time);
      EXPECT_NEAR(sample.alpha_des[0], (1.0 - u) * point.alpha_des[0] + u * next.alpha_des[0], 1e-12);
    }
  }
}

// From sample to sample by another integrator with much shorter steps, under the held torque.
TEST(SimulationSamplingTest, StateFollowsTheHeldTorque) {
  const ClosedLoopCase c = started_behind();
  const History history = simulate(c.problem(), {.duration = 0.05, .rigid = {.drift_frequency = 0.0}});
  ASSERT_EQ(history.status, RunStatus::kCompleted);
  RigidPlant plant(c.plant(), {.drift_frequency = 0.0});
  ode::FixedStepper stepper(ode::Method::kDormandPrince5);
  for (std::size_t k = 0; k + 1 < history.samples.size(); ++k) {
    const Sample& from = history.samples[k];
    const Sample& to = history.samples[k + 1];
    plant.set_modes(to.modes);
    const VectorXd start = stacked(q_of(from), v_of(from));
    ode::State state(start.begin(), start.end());
    const auto f = [&](const ode::State& x, ode::State& rate, double) {
      const VectorXd q = Eigen::Map<const VectorXd>(x.data(), 7);
      const VectorXd v = Eigen::Map<const VectorXd>(x.data() + 7, 7);
      ASSERT_EQ(plant.solve(q, v, to.tau), ContactSolveStatus::kSolved);
      std::copy(v.begin(), v.end(), rate.begin());
      std::copy(plant.v_dot().begin(), plant.v_dot().end(), rate.begin() + 7);
    };
    for (int i = 0; i < 5; ++i) stepper.step(f, state, from.time + 2e-4 * i, 2e-4);
    const VectorXd end = Eigen::Map<const VectorXd>(state.data(), 14);
    EXPECT_THAT(stacked(q_of(to), v_of(to)), EigenNear(end, 1e-11)) << "t = " << to.time;
  }
}

// Readings are the truth of the instant, with the forces just before the torque changes.
TEST(SimulationSamplingTest, LawReadsTheLeftLimits) {
  SimulationProblem problem = started_behind().problem();
  const auto law = std::make_shared<LoggingLaw>(problem.controller);
  problem.controller = law;
  const History history = simulate(problem, {.duration = 0.05});
  const std::vector<LoggingLaw::Call> commands = law->commands(1000.0);
  for (std::size_t k = 0; k + 1 < history.samples.size(); ++k) {
    const control::Measurement& measured = commands[k].measured;
    EXPECT_EQ(measured.forces_valid, k > 0);
    EXPECT_EQ(measured.q, q_of(history.samples[k]));
    EXPECT_EQ(measured.v, v_of(history.samples[k]));
    if (k == 0) continue;
    EXPECT_EQ(measured.lambda_N, history.samples[k].lambda_N);
    EXPECT_EQ(measured.lambda_T, history.samples[k].lambda_T);
  }
}

// With noise the law reads what Sensors make of the truth at that control instant, and samples stay true.
TEST(SimulationSamplingTest, NoiseIsThatOfTheSensorsAndSamplesAreTrue) {
  const ClosedLoopCase c = started_behind();
  SimulationProblem problem = c.problem();
  const auto law = std::make_shared<LoggingLaw>(problem.controller);
  problem.controller = law;
  const NoiseModel noise{.force = 0.1, .pose = 0.2, .velocity = 0.05, .seed = 3};
  const History history =
      simulate(problem, {.duration = 0.05, .record_rate = 500.0, .control_rate = 500.0, .noise = noise});
  ASSERT_EQ(history.status, RunStatus::kCompleted) << history.message;
  const std::vector<LoggingLaw::Call> commands = law->commands(500.0);
  Sensors sensors(c.hand.mechanism, 4, noise);
  for (std::size_t k = 1; k + 1 < history.samples.size(); ++k) {
    const Sample& sample = history.samples[k];
    control::Measurement expected{q_of(sample), v_of(sample), sample.lambda_N, sample.lambda_T, true};
    sensors.disturb(k, sample.x_des, expected);
    EXPECT_EQ(commands[k].measured.q, expected.q) << k;
    EXPECT_EQ(commands[k].measured.v, expected.v);
    EXPECT_EQ(commands[k].measured.lambda_N, expected.lambda_N);
    EXPECT_EQ(commands[k].measured.lambda_T, expected.lambda_T);
    RigidPlant plant(c.plant());
    plant.set_modes(sample.modes);
    ASSERT_EQ(plant.solve(q_of(sample), v_of(sample), sample.tau), ContactSolveStatus::kSolved);
    EXPECT_THAT(sample.lambda_N, EigenNear(plant.lambda_N(), 1e-9));
  }
}

TEST(SimulationSamplingTest, SameProblemTwiceGivesTheSameSamples) {
  const SimulationOptions options{.duration = 0.2, .noise = {.force = 0.05, .pose = 0.1, .seed = 5}};
  const History a = simulate(started_behind().problem(), options);
  const History b = simulate(started_behind().problem(), options);
  ASSERT_EQ(a.samples.size(), b.samples.size());
  for (std::size_t k = 0; k < a.samples.size(); ++k) expect_same(a.samples[k], b.samples[k]);
  SimulationOptions other = options;
  other.noise.seed = 6;
  const History c = simulate(started_behind().problem(), other);
  EXPECT_GT((c.samples.back().x - a.samples.back().x).norm(), 1e-9);
}

// How often a run is looked at does not change it, even where contacts change their direction between two
// looks.
TEST(SimulationSamplingTest, RecordingRateDoesNotChangeTheMotion) {
  ClosedLoopCase c = rotation();
  c.start = pose(0.0, 0.15, 71.0);  // beyond the start of the path: the first slip is backwards
  for (const double control : {0.0, 50.0}) {
    const History dense =
        simulate(c.problem(), {.duration = 0.2, .record_rate = 1000.0, .control_rate = control});
    const History sparse =
        simulate(c.problem(), {.duration = 0.2, .record_rate = 10.0, .control_rate = control});
    ASSERT_EQ(sparse.samples.size(), 3U);
    ASSERT_EQ(dense.events.size(), sparse.events.size()) << control;
    EXPECT_FALSE(dense.events.empty());
    for (std::size_t k = 0; k < 3; ++k) {
      const Sample& fine = dense.samples[100 * k];
      EXPECT_THAT(sparse.samples[k].x, EigenNear(fine.x, 1e-10));
      EXPECT_THAT(sparse.samples[k].omega, EigenNear(fine.omega, 1e-9));
      EXPECT_THAT(sparse.samples[k].lambda_N, EigenNear(fine.lambda_N, 1e-8));
    }
  }
}

}  // namespace
}  // namespace enfold::sim
