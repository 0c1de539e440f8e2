// SPDX-License-Identifier: BSD-3-Clause
#include "closed_loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <numbers>

#include "enfold/base/error.hpp"
#include "enfold/io/scenario_file.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/source_dir.hpp"

namespace enfold::app {
namespace {

using contact::ContactMode;
using test::EigenNear;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr double kDegree = std::numbers::pi / 180.0;

std::string paper_text() {
  const std::string path = test::source_dir() + "/scenarios/song2001-rotate.yaml";
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

io::Scenario paper(const std::vector<std::string>& overrides = {}) {
  return io::parse_scenario(paper_text(), "paper.yaml", overrides);
}

/// line:column, from 1, of the first place where `text` stands after the first `after`.
std::string place_of(const std::string& document, const std::string& after, const std::string& text) {
  const std::size_t at = document.find(text, document.find(after));
  const std::string before = document.substr(0, at);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  return fmt::format("{}:{}", line, at - (before.rfind('\n') + 1) + 1);
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), by);
}

std::string error_of(const io::Scenario& scenario) {
  try {
    (void)make_setup(scenario);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "no ScenarioError";
}

std::shared_ptr<const control::Plan> plan_of(const Setup& setup) {
  planners::PlanSolution solution = make_plan(setup);
  EXPECT_TRUE(solution.ok()) << solution.message;
  return std::make_shared<const control::Plan>(std::move(solution.plan));
}

TEST(ClosedLoopTest, SetupIsTheClosedHandAtTheStartAndTheQuinticOfTheTask) {
  const auto setup = make_setup(paper());
  EXPECT_THAT(VectorXd(setup.q.head(3)),
              EigenNear(VectorXd(Eigen::Vector3d(0.0, 0.15, 69 * kDegree)), 1e-15));
  contact::ContactKinematics kinematics;
  setup.model.contacts->kinematics(setup.q, VectorXd::Zero(7), kinematics);
  EXPECT_THAT(kinematics.gap, EigenNear(VectorXd::Zero(4), 1e-12));
  EXPECT_EQ(setup.modes, std::vector<ContactMode>(4, ContactMode::kSlidePlus));
  control::Reference reference;
  for (const double t : {0.0, 0.5, 1.0}) {  // halfway in time is halfway in the path
    setup.trajectory->sample(t, reference);
    EXPECT_THAT(reference.x, EigenNear(VectorXd(Eigen::Vector3d(0.0, 0.15, (70 + 40 * t) * kDegree)), 1e-14));
  }
  EXPECT_EQ(setup.trajectory->duration(), 1.0);
}

TEST(ClosedLoopTest, RollingContactsAreDeclaredByTheScenario) {
  const auto setup = make_setup(paper({"contacts.left.distal.mode=roll"}));
  EXPECT_EQ(setup.modes, (std::vector<ContactMode>{ContactMode::kSlidePlus, ContactMode::kRoll,
                                                   ContactMode::kSlidePlus, ContactMode::kSlidePlus}));
}

TEST(ClosedLoopTest, StartOutOfReachIsAScenarioErrorWithItsPlace) {
  const std::string text = replaced(paper_text(), "start: {x_m: 0, y_m: 0.15", "start: {x_m: 0, y_m: 0.35");
  const std::string place = place_of(text, "task:", "{x_m: 0, y_m: 0.35");
  EXPECT_THAT(
      error_of(io::parse_scenario(text, "far.yaml")),
      AllOf(StartsWith("far.yaml:" + place + ": "), HasSubstr("task.start"), HasSubstr("does not reach")));
}

// Which contacts stick is the simulator's question; the plan moves all of them.
TEST(ClosedLoopTest, ModeAutoIsPlannedAsSlidingInThePlannedDirection) {
  const auto declared = make_setup(paper());
  const auto automatic = make_setup(paper({"contacts.left.distal.mode=auto"}));
  EXPECT_EQ(automatic.modes, declared.modes);
  EXPECT_EQ(plan_of(automatic)->points.back().alpha_des, plan_of(declared)->points.back().alpha_des);
}

// The plan through the scenario against the planner called directly.
TEST(ClosedLoopTest, PlanTakesFloorsLimitsAndRateFromTheScenario) {
  io::Scenario scenario = paper({"planner.sample_hz=250"});
  scenario.planner.min_normal.knots = {{0.0, {0.5, 0.6, 0.7, 0.8}}, {1.0, {0.9, 0.6, 0.3, 0.8}}};
  const auto setup = make_setup(scenario);
  const planners::PlanSolution solution = make_plan(setup);
  planners::PlanProblem problem;
  problem.mechanism = setup.model.mechanism;
  problem.contacts = setup.model.contacts;
  problem.mu = VectorXd::Constant(4, 0.1);
  problem.modes.assign(4, ContactMode::kSlidePlus);
  problem.trajectory = setup.trajectory;
  problem.min_normal = [](double t, Index i) {
    return Eigen::Vector4d(0.5 + 0.4 * t, 0.6, 0.7 - 0.4 * t, 0.8)[i];
  };
  const planners::PlanSolution direct = planners::plan_internal_forces(problem, {.sample_rate = 250.0});
  ASSERT_TRUE(solution.ok() && direct.ok());
  ASSERT_EQ(solution.plan.points.size(), direct.plan.points.size());
  for (std::size_t i = 0; i < direct.plan.points.size(); ++i) {
    EXPECT_EQ(solution.plan.points[i].time, direct.plan.points[i].time);
    EXPECT_THAT(solution.plan.points[i].tau, EigenNear(direct.plan.points[i].tau, 1e-9));
  }
  // Example 1 asks for more than 1 N and 0.1 N·m at some time.
  EXPECT_THAT(make_plan(make_setup(paper({"planner.max_normal_N=1"}))).message, HasSubstr("≤ 1 N"));
  EXPECT_THAT(make_plan(make_setup(paper({"planner.max_torque_Nm=0.1"}))).message, HasSubstr("≤ 0.1 N·m"));
}

// An object that stays, with two rolling contacts: each objective is recognised by what it is best at.
TEST(ClosedLoopTest, ObjectivesOfTheScenarioAreThoseOfThePlanner) {
  struct Values {
    double normals = 0.0, literal = 0.0, margin = 0.0;
  };
  std::map<std::string, Values> of;
  for (const auto objective :
       {io::PlannerObjective::kNormals, io::PlannerObjective::kLiteral, io::PlannerObjective::kMargin}) {
    io::Scenario scenario =
        paper({"planner.max_normal_N=10", "task.trajectory.to={x_m: 0}", "contacts.left.proximal.mode=roll",
               "contacts.left.distal.mode=roll", "contacts.left.proximal.mu=0.4",
               "contacts.left.distal.mu=0.5", "task.coordinates=[x]"});
    scenario.planner.objective = objective;
    const auto setup = make_setup(scenario);
    const auto plan = plan_of(setup);
    ASSERT_FALSE(plan->empty());
    const control::PlanPoint& point = plan->points.back();
    Values& values = of[std::string(to_string(objective))];
    values.normals = point.lambda_N.sum();
    values.literal = values.normals;
    values.margin = 1e9;
    for (const Index i : {0, 1}) {
      const double slack = setup.model.mu[i] * point.lambda_N[i] - std::abs(point.lambda_T[i]);
      values.literal += slack;
      values.margin = std::min(values.margin, slack);
    }
  }
  EXPECT_LT(of["normals"].normals, of["margin"].normals - 0.1);
  EXPECT_LE(of["normals"].normals, of["literal"].normals + 1e-9);
  EXPECT_LT(of["literal"].literal, of["normals"].literal - 0.1);
  EXPECT_GT(of["margin"].margin, of["normals"].margin + 0.01);
  EXPECT_GT(of["margin"].margin, of["literal"].margin + 0.01);
}

// At the start of the desired path and at rest the law asks for the planned torque plus K_p times the error.
TEST(ClosedLoopTest, ControllerHasTheScenariosGains) {
  const auto tau = [](const std::string& Kp, double phi) {
    const auto setup = make_setup(paper({"controller.Kp=" + Kp, "task.start.phi_deg=70"}));
    const auto controller = make_controller(setup, plan_of(setup));
    control::Measurement measured;
    measured.q = make_setup(paper({fmt::format("task.start.phi_deg={}", phi)})).q;
    measured.v = VectorXd::Zero(7);
    measured.lambda_N = measured.lambda_T = VectorXd::Zero(4);
    control::Command command;
    command.tau = VectorXd::Zero(4);
    controller->evaluate(0.0, measured, VectorXd::Zero(controller->n_integrals()), command);
    return command.tau;
  };
  const VectorXd planned = plan_of(make_setup(paper()))->points.front().tau;
  EXPECT_THAT(tau("100", 70.0), EigenNear(planned, 1e-9));
  EXPECT_THAT(tau("50", 70.0), EigenNear(planned, 1e-9));
  // Off the path the torque is linear in K_p.
  const VectorXd slope = (tau("100", 69.0) - tau("50", 69.0)) / 50.0;
  EXPECT_GT(slope.norm(), 1e-5);
  EXPECT_THAT(tau("300", 69.0), EigenNear(VectorXd(tau("100", 69.0) + 200.0 * slope), 1e-9));
}

TEST(ClosedLoopTest, ControllerNeedsAPlan) {
  const auto setup = make_setup(paper());
  EXPECT_THROW((void)make_controller(setup, std::make_shared<const control::Plan>()), InvalidArgument);
}

TEST(ClosedLoopTest, CompliantContactsNeedASampledLaw) {
  for (const std::string name : {"integrated", "compliant"}) {
    const auto setup = make_setup(paper({"simulation.model=" + name, "controller.rate_hz=0"}));
    EXPECT_THROW((void)make_simulation(setup, plan_of(setup)), InvalidArgument);
  }
}

/// Runs 20 ms.
sim::History run(std::vector<std::string> overrides) {
  overrides.emplace_back("simulation.duration_s=0.02");
  const auto setup = make_setup(paper(overrides));
  sim::Simulation simulation = make_simulation(setup, plan_of(setup));
  while (simulation.advance()) {
  }
  return simulation.take_history();
}

TEST(ClosedLoopTest, SimulationStartsAtRestAtTheStartAndRunsAsLongAsTheScenarioSays) {
  const sim::History history = run({"simulation.record_hz=500"});
  ASSERT_EQ(history.samples.size(), 11U);
  EXPECT_NEAR(history.samples.front().x[2], 69 * kDegree, 1e-15);
  EXPECT_NEAR(history.samples.front().x_des[2], 70 * kDegree, 1e-15);
  EXPECT_EQ(history.samples.front().x_dot, VectorXd::Zero(3));
  EXPECT_NEAR(history.samples.back().time, 0.02, 1e-12);
}

// Noise that is a fraction of the range is none where a coordinate does not move, and none at all in a
// motion that stays; a fraction of the reading is there in both.
TEST(ClosedLoopTest, NoiseOfARangeIsAFractionOfHowFarTheTaskMoves) {
  const std::string stay = "task.trajectory.to={x_m: 0, y_m: 0.15, phi_deg: 70}";
  const auto last_tau = [](const std::vector<std::string>& overrides) {
    return run(overrides).samples.back().tau;
  };
  const auto difference = [&](std::vector<std::string> overrides) {
    const VectorXd silent = last_tau(overrides);
    overrides.emplace_back("noise.pose=0.1");
    return (last_tau(overrides) - silent).norm();
  };
  EXPECT_EQ(difference({stay, "noise.pose_reference=range"}), 0.0);
  EXPECT_GT(difference({stay, "noise.pose_reference=reading"}), 1e-4);
  EXPECT_GT(difference({"noise.pose_reference=range"}), 1e-4);
  EXPECT_GT(difference({"noise.pose_reference=error"}), 1e-7);
  EXPECT_GT(difference({"noise.pose_reference=range"}), difference({"noise.pose_reference=error"}));
}

TEST(ClosedLoopTest, SeedOfTheScenarioIsThatOfTheNoise) {
  const auto tau = [](const std::string& seed) {
    return run({"noise.force=0.1", "noise.velocity=0.1", seed}).samples.back().tau;
  };
  EXPECT_EQ(tau("seed=5"), tau("seed=5"));
  EXPECT_NE(tau("seed=5"), tau("seed=6"));
}

}  // namespace
}  // namespace enfold::app
