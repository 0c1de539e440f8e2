// SPDX-License-Identifier: BSD-3-Clause
// How runs end, what happens on the way, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "closed_loop_case.hpp"
#include "enfold/base/error.hpp"
#include "enfold/lcp/enumeration.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/test/matchers.hpp"
#include "logging_law.hpp"
#include "plant_case.hpp"

namespace enfold::sim {
namespace {

using contact::ContactMode;
using testing::HasSubstr;

std::vector<Event> events_of(const History& history, const std::string& kind) {
  std::vector<Event> out;
  for (const Event& event : history.events)
    if (event.kind == kind) out.push_back(event);
  return out;
}

/// The first example's plan and start, in the state and under the constant torque of a plant case.
SimulationProblem pushed(const PlantCase& c) {
  SimulationProblem out = rotation().problem();
  out.plant = c.model();
  out.controller = std::make_shared<ConstantTorque>(c.tau);
  const auto plan = std::make_shared<control::Plan>();
  plan->points.resize(1);
  plan->points[0].modes = c.modes;
  out.plan = plan;
  out.modes = c.modes;
  out.q = c.q;
  out.v = c.v;
  return out;
}

// [eq:S4.15] A negative force gain drives the internal force away (checklist row 7) until a contact lets go.
TEST(SimulationEndTest, LostContactIsNamedAndOpenInTheLastSample) {
  ClosedLoopCase c = rotation();
  c.start = pose(0.0, 0.15, 69.0);
  c.gains.Kalpha = -10.0;
  const History history = simulate(c.problem(), {});
  ASSERT_EQ(history.status, RunStatus::kContactLost);
  ASSERT_EQ(history.events.size(), 1U);
  const Event& event = history.events.back();
  EXPECT_EQ(event.kind, "end");
  EXPECT_EQ(event.to, "open");
  EXPECT_EQ(event.cause, history.message);
  EXPECT_THAT(history.message, HasSubstr("contact " + event.contact + " opened"));
  const Sample& last = history.samples.back();
  EXPECT_EQ(last.time, event.time);
  int open = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (last.modes[i] != ContactMode::kOpen) continue;
    ++open;
    EXPECT_EQ(history.names.contacts[i], event.contact);
    EXPECT_EQ(last.lambda_N[static_cast<Index>(i)], 0.0);
    EXPECT_GT(last.gap[static_cast<Index>(i)], 1e-6);
  }
  EXPECT_EQ(open, 1);
  const MatrixXd A = last.A0 + last.A1 * c.mu.asDiagonal();
  EXPECT_NEAR(last.min_minor, lcp::principal_minors(A).minCoeff(), 1e-12);
  for (std::size_t k = 0; k + 1 < history.samples.size(); ++k)
    EXPECT_EQ(
        std::count(history.samples[k].modes.begin(), history.samples[k].modes.end(), ContactMode::kOpen), 0);
  // The law itself does not let go.
  c.gains.Kalpha = 10.0;
  EXPECT_EQ(simulate(c.problem(), {}).status, RunStatus::kCompleted);
}

// The distal links of the world are shorter than those of the law: at some time the contact passes their
// tips.
TEST(SimulationEndTest, ContactBeyondItsLinkEndsTheRun) {
  const ClosedLoopCase c = closed_loop_case({.from = pose(0.0, 0.15, 0.0),
                                             .to = pose(0.0, 0.12, 0.0),
                                             .mu = friction(0.1, 0.1),
                                             .min_normal = 2.0});
  const test::PaperHand shorter = test::paper_hand({.lengths = {0.2, 0.1}});
  SimulationProblem problem = c.problem();
  problem.plant.mechanism = shorter.mechanism;
  problem.plant.contacts = shorter.contacts;
  const History history = simulate(problem, {});
  ASSERT_EQ(history.status, RunStatus::kContactOffLink) << history.message;
  const Event& event = history.events.back();
  EXPECT_THAT(event.contact, HasSubstr("distal"));
  EXPECT_THAT(history.message, HasSubstr("contact " + event.contact + " ran off the end of its link"));
  const auto edge = [&](const Sample& sample) {
    const VectorXd distances = shorter.kinematics(q_of(sample), v_of(sample)).edge_distance;
    return distances.minCoeff();
  };
  ASSERT_GT(history.samples.size(), 100U);
  EXPECT_LT(edge(history.samples.back()), 0.0);
  EXPECT_GT(edge(history.samples[history.samples.size() - 2]), 0.0);
}

// S4, Example 2: P is lost at t = 0.647 s.
TEST(SimulationEndTest, LossOfUniquenessEndsTheRun) {
  const History history = simulate(lift().problem(), {});
  ASSERT_EQ(history.status, RunStatus::kNotUnique);
  EXPECT_NEAR(history.samples.back().time, 0.647, 0.002);
  const std::vector<Event> verdicts = events_of(history, "uniqueness");
  ASSERT_EQ(verdicts.size(), 1U);
  const Event& event = verdicts.front();
  EXPECT_EQ(event.from, "P");
  EXPECT_EQ(event.to, "not P");
  EXPECT_THAT(event.cause, HasSubstr("principal minor of {left.proximal, left.distal, right.proximal"));
  EXPECT_EQ(events_of(history, "end").size(), 1U);
  EXPECT_EQ(history.samples.back().p_matrix, Uniqueness::kNotUnique);
  EXPECT_LE(history.samples.back().min_minor, 0.0);
  for (std::size_t k = 0; k + 1 < history.samples.size(); ++k) {
    EXPECT_EQ(history.samples[k].p_matrix, Uniqueness::kUnique);
    EXPECT_GT(history.samples[k].min_minor, 0.0);
  }
}

// Allowed to go on, the run stays on the branch it is on: no jump of the forces, three solutions to choose
// from.
TEST(SimulationEndTest, ContinuousBranchGoesOnWithoutAJump) {
  const History history = simulate(lift().problem(), {.continuous_branch = true});
  ASSERT_EQ(history.status, RunStatus::kCompleted) << history.message;
  EXPECT_EQ(events_of(history, "uniqueness").size(), 1U);
  EXPECT_TRUE(events_of(history, "end").empty());
  int three = 0;
  for (std::size_t k = 1; k < history.samples.size(); ++k) {
    const Sample& sample = history.samples[k];
    EXPECT_LT((sample.lambda_N - history.samples[k - 1].lambda_N).lpNorm<Eigen::Infinity>(), 0.1)
        << sample.time;
    EXPECT_EQ(sample.lcp_solutions == 1, sample.p_matrix == Uniqueness::kUnique) << sample.time;
    three += sample.lcp_solutions == 3 ? 1 : 0;
  }
  EXPECT_GT(three, 300);
}

TEST(SimulationEndTest, SingularLawEndsTheRunInSampledAndContinuousControl) {
  for (const double control : {1000.0, 0.0}) {
    for (const double from : {0.0, 0.0105, 0.02}) {
      SimulationProblem problem = rotation().problem();
      const auto law = std::make_shared<LoggingLaw>(problem.controller);
      law->singular_from = from;
      problem.controller = law;
      const History history = simulate(problem, {.control_rate = control});
      EXPECT_EQ(history.status, RunStatus::kControllerSingular) << history.message;
      EXPECT_THAT(history.message, HasSubstr("control law"));
      EXPECT_EQ(events_of(history, "end").size(), 1U);
      ASSERT_EQ(history.samples.empty(), from == 0.0);
      if (from == 0.0) continue;
      EXPECT_NEAR(history.samples.back().time, from, 1.1e-3);
    }
  }
}

// A state, a torque and a friction for which no forces exist (all 2⁴ bases fail): the run ends where it
// starts.
TEST(SimulationEndTest, UnsolvableContactProblemEndsTheRun) {
  bool met = false;
  for (std::uint64_t seed = 0; seed < 200 && !met; ++seed) {
    PlantCase c = plant_case(seed, -2.0);
    c.mu.setConstant(3.0);
    RigidPlant plant(c.model());
    plant.set_modes(c.modes);
    (void)plant.solve(c.q, c.v, c.tau);
    const lcp::EnumerationResult all = lcp::enumerate_solutions({plant.A(), plant.b()});
    if (all.status != lcp::EnumerationStatus::kExact || !all.solutions.empty()) continue;
    met = true;
    const History history = simulate(pushed(c), {.duration = 0.01, .continuous_branch = true});
    EXPECT_EQ(history.status, RunStatus::kSolverFailed);
    EXPECT_THAT(history.message, HasSubstr("no solution"));
    EXPECT_TRUE(history.samples.empty());
  }
  EXPECT_TRUE(met);
}

TEST(SimulationEndTest, SingularContactProblemEndsTheRun) {
  PlantCase c = plant_case(1);
  c.hand = test::paper_hand({.radius = 0.003, .gravity = {0.3, -1.0}, .extra_contacts = {{"twin", 1}}});
  c.mu = VectorXd::Constant(5, 0.1);
  c.modes.push_back(ContactMode::kRoll);
  c.modes[1] = ContactMode::kRoll;
  const History history = simulate(pushed(c), {.duration = 0.01});
  EXPECT_EQ(history.status, RunStatus::kSolverFailed);
  EXPECT_THAT(history.message, HasSubstr("is singular"));
}

// Beyond the start of the path the first slip is backwards, and turns round on the way.
TEST(SimulationEventTest, ModeChangesAreLoggedWithTheJumpOfTheForcesAndNoneOfTheState) {
  ClosedLoopCase c = rotation();
  c.start = pose(0.0, 0.15, 72.0);
  const History history = simulate(c.problem(), {.duration = 0.4});
  ASSERT_EQ(history.status, RunStatus::kCompleted) << history.message;
  const std::vector<Event> changes = events_of(history, "mode");
  ASSERT_FALSE(changes.empty());
  EXPECT_EQ(changes.size(), history.events.size());
  for (const Event& event : changes) {
    const auto k = static_cast<std::size_t>(std::lround(event.time * 1000.0));
    const Sample& before = history.samples[k];
    const Sample& after = history.samples[k + 1];
    const auto at = std::find(history.names.contacts.begin(), history.names.contacts.end(), event.contact);
    const auto i = static_cast<std::size_t>(at - history.names.contacts.begin());
    EXPECT_EQ(event.from, to_string(before.modes[i]));
    EXPECT_EQ(event.to, to_string(after.modes[i]));
    EXPECT_NE(event.from, event.to);
    // Both sides of the instant, anew: old modes and torque, new modes and torque.
    RigidPlant left(c.plant());
    RigidPlant right(c.plant());
    left.set_modes(before.modes);
    right.set_modes(after.modes);
    ASSERT_EQ(left.solve(q_of(before), v_of(before), before.tau), ContactSolveStatus::kSolved);
    ASSERT_EQ(right.solve(q_of(before), v_of(before), after.tau), ContactSolveStatus::kSolved);
    const double jump = std::max((left.lambda_N() - right.lambda_N()).lpNorm<Eigen::Infinity>(),
                                 (left.lambda_T() - right.lambda_T()).lpNorm<Eigen::Infinity>());
    EXPECT_NEAR(event.jump_lambda, jump, 1e-9);
    EXPECT_GT(event.jump_lambda, 1e-3);
    EXPECT_EQ(event.jump_q, 0.0);
    EXPECT_EQ(event.jump_v, 0.0);
    EXPECT_LT((after.x - before.x).norm(), 1e-2);
  }
}

// A contact that slides faster than slip_tol does so in its own direction; a slower one in the planned one.
TEST(SimulationEventTest, DirectionIsThatOfTheSlipOrOfThePlanAtRest) {
  ClosedLoopCase c = rotation();
  c.start = pose(0.0, 0.15, 72.0);
  const double slip_tol = 2e-3;
  const History history = simulate(c.problem(), {.duration = 0.4, .slip_tol = slip_tol});
  ASSERT_EQ(history.status, RunStatus::kCompleted);
  int own = 0;
  for (std::size_t k = 0; k + 1 < history.samples.size(); ++k) {
    const Sample& sample = history.samples[k];
    const std::vector<ContactMode>& planned = c.plan->points[c.plan->segment(sample.time)].modes;
    for (std::size_t i = 0; i < 4; ++i) {
      const double slip = sample.slip[static_cast<Index>(i)];
      const ContactMode expected = std::abs(slip) <= slip_tol ? planned[i]
                                   : slip > 0.0               ? ContactMode::kSlidePlus
                                                              : ContactMode::kSlideMinus;
      EXPECT_EQ(history.samples[k + 1].modes[i], expected) << "t = " << sample.time << ", contact " << i;
      own += expected != planned[i] ? 1 : 0;
    }
  }
  EXPECT_GT(own, 20);
}

TEST(SimulationEventTest, SummaryTellsTheLargestDriftAndResidual) {
  const History history = simulate(rotation().problem(), {.duration = 0.5});
  double gap = 0.0;
  for (const Sample& sample : history.samples) gap = std::max(gap, sample.gap.cwiseAbs().maxCoeff());
  EXPECT_DOUBLE_EQ(history.summary.max_gap_drift, gap);
  EXPECT_GT(gap, 0.0);
  EXPECT_LT(gap, 1e-9);
  EXPECT_LT(history.summary.max_gap_rate_drift, 1e-6);
  EXPECT_LT(history.summary.max_lcp_residual, 1e-9);
  EXPECT_EQ(history.summary.undecided_time, 0.0);
  EXPECT_GE(history.summary.contact_solves, 5 * 500);  // four stages and one instant per step
  EXPECT_LE(history.summary.contact_solves, 6 * 500);
}

TEST(SimulationRefusalTest, RefusesWhatCannotBeRun) {
  const auto refused = [](auto change) {
    SimulationProblem problem = rotation().problem();
    SimulationOptions options{.duration = 0.01};
    change(problem, options);
    EXPECT_THROW(Simulation(problem, options), InvalidArgument);
  };
  using P = SimulationProblem;
  using O = SimulationOptions;
  EXPECT_NO_THROW(Simulation(rotation().problem(), {.duration = 0.01}));
  refused([](P& p, O&) { p.controller = nullptr; });
  refused([](P& p, O&) { p.trajectory = nullptr; });
  refused([](P& p, O&) { p.plan = nullptr; });
  refused([](P& p, O&) { p.plan = std::make_shared<control::Plan>(); });
  refused([](P& p, O&) { p.plant.mechanism = nullptr; });
  refused([](P& p, O&) { p.plant.contacts = nullptr; });
  refused([](P& p, O&) { p.q.conservativeResize(6); });
  refused([](P& p, O&) { p.v.conservativeResize(6); });
  refused([](P& p, O&) { p.modes.pop_back(); });
  refused([](P& p, O&) {
    control::Plan plan = *p.plan;
    plan.points[3].modes.pop_back();
    p.plan = std::make_shared<control::Plan>(plan);
  });
  refused([](P& p, O&) { p.plant.mu = VectorXd::Ones(3); });
  refused([](P&, O& o) { o.duration = 0.0; });
  refused([](P&, O& o) { o.duration = std::nan(""); });
  refused([](P&, O& o) { o.step = 0.0; });
  refused([](P&, O& o) { o.record_rate = 0.0; });
  refused([](P&, O& o) { o.control_rate = -1.0; });
  refused([](P&, O& o) { o.control_rate = 0.0, o.noise.force = 0.1; });
  refused([](P&, O& o) { o.noise.pose = -0.1; });
  refused([](P&, O& o) { o.rigid.drift_frequency = 1001.0; });
  refused([](P&, O& o) { o.rigid.drift_frequency = -1.0; });
}

TEST(SimulationRefusalTest, AcceptsADriftFrequencyUpToOneOverTheStep) {
  EXPECT_NO_THROW(Simulation(rotation().problem(), {.duration = 0.01, .rigid = {.drift_frequency = 1000.0}}));
  EXPECT_NO_THROW(Simulation(rotation().problem(), {.duration = 0.01, .rigid = {.drift_frequency = 0.0}}));
}

}  // namespace
}  // namespace enfold::sim
