// SPDX-License-Identifier: BSD-3-Clause
// Laws, motors, sensors and beliefs as a scenario names them: what is built from the keys, and what comes
// out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "closed_loop.hpp"
#include "control_laws.hpp"
#include "enfold/base/error.hpp"
#include "enfold/io/scenario_file.hpp"
#include "enfold/test/scenario_path.hpp"
#include "outcome.hpp"
#include "program_test.hpp"
#include "reality.hpp"

namespace enfold::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;

io::Scenario with(const std::vector<std::string>& overrides, const char* name = "song2001-rotate") {
  return io::read_scenario(test::scenario_path(name), overrides);
}

ScenarioRun run_with(const std::vector<std::string>& overrides, const char* name = "song2001-rotate") {
  return run_scenario(with(overrides, name), Console(true));
}

double number(const ScenarioRun& run, const std::string& name) {
  for (const auto& [key, value] : outcome_numbers(run))
    if (key == name) return value;
  ADD_FAILURE() << "no number " << name;
  return std::nan("");
}

TEST(ControlLawsTest, ReaderAndProgramKnowTheSameLaws) {
  std::set<std::string_view> read, made;
  for (const io::ControllerKeys& one : io::controller_types()) read.insert(one.type);
  for (const ControlLaw& one : control_laws()) made.insert(one.type);
  EXPECT_EQ(read, made);
  EXPECT_EQ(made.size(), control_laws().size());
  LawParts unknown;
  unknown.spec.type = "magic";
  EXPECT_THROW((void)make_law(unknown), InvalidArgument);
}

// Every law with nothing but its name turns the ellipse, from 1° behind, and ends within half a degree.
TEST(ControlLawsTest, EachTurnsTheEllipseWithItsDefaults) {
  for (const ControlLaw& law : control_laws()) {
    if (law.type == "force_loop") continue;  // for compliant contacts
    const ScenarioRun run = run_with({fmt::format("controller={{type: {}}}", law.type),
                                      "planner.min_normal_N=1", "task.start.phi_deg=69.5"});
    const auto [code, message] = run_result(run);
    EXPECT_EQ(code, ExitCode::kDone) << law.type << ": " << message;
    EXPECT_LT(std::abs(number(run, "final_error.phi_rad")), 0.01) << law.type;
  }
}

// Rolling contacts, joints to spare, a palm; from a start on the path.
TEST(ControlLawsTest, EachHandlesRollingContactsAndJointsToSpare) {
  for (const char* scenario : {"song2001-case-a", "redundant-arms", "palm-enveloping"}) {
    for (const ControlLaw& law : control_laws()) {
      if (law.type == "force_loop") continue;
      const ScenarioRun run =
          run_with({fmt::format("controller={{type: {}}}", law.type), "task.start=null"}, scenario);
      const auto [code, message] = run_result(run);
      EXPECT_EQ(code, ExitCode::kDone) << scenario << ", " << law.type << ": " << message;
    }
  }
}

TEST(RealityTest, MotorsSaturateForAsLongAsTheyAreSaid) {
  const ScenarioRun run = run_with({"motors.max_torque_Nm=0.6"});
  int saturated = 0;
  for (const sim::Sample& sample : run.history.samples) {
    EXPECT_LE(sample.tau.cwiseAbs().maxCoeff(), 0.6 + 1e-12);
    saturated += sample.saturated ? 1 : 0;
  }
  EXPECT_GT(saturated, 10);
  EXPECT_NEAR(run.history.summary.saturated_time, 1e-3 * saturated, 2e-3);
  EXPECT_THAT(saturation_text(run.history), HasSubstr("could not give"));
  const std::vector<std::string> lines = reality_lines(run.setup, run.planned.plan);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(lines[0],
              AllOf(HasSubstr("warning: the plan asks for a torque of"), HasSubstr("max_torque_Nm")));
  const ScenarioRun free = run_with({"motors.max_torque_Nm=60", "motors.max_rate_Nmps=1e4"});
  EXPECT_EQ(free.history.summary.saturated_time, 0.0);
  EXPECT_EQ(saturation_text(free.history), "");
  for (const std::string& line : reality_lines(free.setup, free.planned.plan))
    EXPECT_THAT(line, testing::Not(HasSubstr("warning")));
}

// One number, a list and a map are the same limits.
TEST(RealityTest, LimitsAreGivenOnceInOrderOrByName) {
  const sim::SimulationOptions one =
      make_closed_loop(make_setup(with({"motors.max_torque_Nm=0.8"})), nullptr).options;
  EXPECT_EQ(one.actuators.max_torque, std::vector<double>{0.8});
  const std::vector<double> each{0.8, 0.9, 0.7, 0.6};
  EXPECT_EQ(make_closed_loop(make_setup(with({"motors.max_torque_Nm=[0.8, 0.9, 0.7, 0.6]"})), nullptr)
                .options.actuators.max_torque,
            each);
  EXPECT_EQ(make_closed_loop(make_setup(with({"motors.max_torque_Nm={left.distal: 0.9, left.proximal: 0.8, "
                                              "right.proximal: 0.7, right.distal: 0.6}"})),
                             nullptr)
                .options.actuators.max_torque,
            each);
}

// A late torque is a later run: the first torques agree, and the delay is that of the options.
TEST(RealityTest, DelayAndSensorsReachTheSimulation) {
  const sim::SimulationOptions options =
      make_closed_loop(
          make_setup(with({"controller.delay_s=0.0025", "sensors.force_bias_N=0.1",
                           "sensors.joint_resolution_deg=0.1", "sensors.pose_bias={y_m: 1e-3}"})),
          nullptr)
          .options;
  EXPECT_EQ(options.control_delay, 0.0025);
  EXPECT_EQ(options.noise.offsets.force_bias, 0.1);
  EXPECT_NEAR(options.noise.offsets.joint_resolution, 0.1 * std::acos(-1.0) / 180.0, 1e-15);
  EXPECT_EQ(options.noise.offsets.pose_bias[1], 1e-3);
  // A sensor that reads 1 mm too much in y holds the object 1 mm too low, but for torques computed at the
  // pose read.
  const ScenarioRun run = run_with({"sensors.pose_bias={y_m: 1e-3}", "simulation.duration_s=1.5"});
  EXPECT_NEAR(number(run, "final_error.y_m"), 1e-3, 1e-4);
}

// Friction, masses and lengths that are wrong: the plant is the file's, plan and law are the belief's.
TEST(RealityTest, ControllerAndPlannerBelieveAndTheWorldStays) {
  const auto setup =
      make_setup(with({"controller.model={mu: 0.2, link_mass_factor: 1.1, link_length_factor: "
                       "1.001, object_mass_factor: 0.9}"}));
  EXPECT_EQ(setup.model.mu, VectorXd::Constant(4, 0.1));
  EXPECT_EQ(setup.believed.mu, VectorXd::Constant(4, 0.2));
  EXPECT_DOUBLE_EQ(setup.believed.mechanism->hand().link(0).mass, 1.1 * 0.5);
  EXPECT_DOUBLE_EQ(setup.believed.mechanism->hand().link(0).length, 1.001 * 0.2);
  EXPECT_DOUBLE_EQ(setup.model.mechanism->hand().link(0).length, 0.2);
  EXPECT_EQ(make_closed_loop(setup, nullptr).problem.plant.mechanism, setup.model.mechanism);

  // A wrong inertia disturbs the motion; the world's friction is what slides.
  const ScenarioRun right = run_with({"task.start.phi_deg=70"});
  const ScenarioRun wrong = run_with({"task.start.phi_deg=70", "controller.model.object_inertia_factor=1.3"});
  EXPECT_GT(number(wrong, "largest_error.phi_rad"), 10.0 * number(right, "largest_error.phi_rad"));
  for (const sim::Sample& sample : wrong.history.samples)
    for (Index i = 0; i < 4; ++i) EXPECT_NEAR(std::abs(sample.lambda_T[i]), 0.1 * sample.lambda_N[i], 1e-9);
  EXPECT_THAT(reality_lines(wrong.setup, wrong.planned.plan).back(),
              HasSubstr("believe: inertia of the object times 1.3"));
}

TEST(RealityTest, CheckAndSimulateTellWhatIsNotIdeal) {
  const auto checked = run_program({"check", test::scenario_path("song2001-rotate").string(), "--set",
                                    "motors.max_torque_Nm=0.6", "--set", "controller.delay_s=0.003", "--set",
                                    "controller.model.mu=0.12"});
  EXPECT_EQ(checked.code, 0);
  EXPECT_THAT(checked.out,
              AllOf(HasSubstr("not ideal:"), HasSubstr("its motor gives 0.6"),
                    HasSubstr("3 ms late, 3 periods"), HasSubstr("mu of left.proximal is 0.12")));
}

// Bad values: exit code 2, with their place.
TEST(RealityTest, BadValuesAreRefusedWithTheirPlace) {
  const auto refused = [](const std::string& set, const std::string& words) {
    const auto answer = run_program({"check", test::scenario_path("song2001-rotate").string(), "--set", set});
    EXPECT_EQ(answer.code, 2) << set;
    EXPECT_THAT(answer.err, AllOf(HasSubstr("--set " + set.substr(0, set.find('='))), HasSubstr(words)))
        << set;
  };
  refused("motors.max_torque_Nm=0", "must be positive");
  refused("motors.max_torque_Nm=[1, 2]", "lists 2 torques for 4 joints");
  refused("motors.max_rate_Nmps={left.distal: 3}", "has no rate for joint 'left.proximal'");
  refused("motors.resolution_Nm=-1", "must be zero or positive");
  refused("motors.max_torqe_Nm=1", "did you mean 'max_torque_Nm'");
  refused("controller.delay_s=-0.001", "must be zero or positive");
  refused("controller.model.mu=-0.1", "must be zero or positive");
  refused("controller.model.link_mass_factor=0", "must be positive");
  refused("sensors.force_resolution_N=-1", "must be zero or positive");
  refused("sensors.pose_bias={z_m: 1}", "unknown key 'z_m'");
  refused("controller.KPalpha=0.2", "controller.KPalpha is no key of type whole_arm, but of whole_arm_pi");
  refused("controller={type: joint_pd, Kp: 3}", "is no key of type joint_pd");
  refused("controller={type: whole_arm_pi, KPalpha: 1}", "must be below 1, found 1");
  refused("controller={type: whole_arm_pi, KPalpha: -0.995}", "must be between -0.99 and 1.005");
  refused("controller={type: whole_arm_pi, rate_hz: 0}", "needs a sampled law");
  refused("controller={type: whole_arm, rate_hz: 8}", "force loop sampled at 8 Hz is unstable");
  refused("controller={type: computed_torque, contact_forces: measured, continuous: true}",
          "needs a sampled law");
  refused("controller={type: computed_torque, poles: {motion: [-3, -3], force: -3}}", "feeds no force back");
  refused("controller={type: object_impedance, poles: {motion: [-3, -3], force: -3}}",
          "stiffness, damping and the inertia");
  refused("controller={type: joint_pd, joint_stiffness_Nmprad: -1}", "must be positive");
}

// An unstable proportional gain, allowed, does what the refusal says.
TEST(RealityTest, ForceGainAboveOneOpensTheHand) {
  const ScenarioRun run = run_with({"controller={type: whole_arm_pi, KPalpha: 1.1, allow_unstable: true}"});
  EXPECT_NE(run.history.status, sim::RunStatus::kCompleted);
  EXPECT_EQ(run_with({"controller={type: whole_arm_pi, KPalpha: 0.9}"}).history.status,
            sim::RunStatus::kCompleted);
}

}  // namespace
}  // namespace enfold::app
