// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

#include "enfold/io/file.hpp"
#include "enfold/io/scenario_file.hpp"
#include "enfold/test/source_dir.hpp"

namespace enfold::io {
namespace {

const std::string kFolder = test::source_dir() + "/scenarios/";

Scenario paper(const std::vector<std::string>& overrides = {}) {
  return read_scenario(kFolder + "song2001-rotate.yaml", overrides);
}

TEST(ScenarioTest, ReadsThePapersExampleInSiAndRadians) {
  const Scenario s = paper();
  EXPECT_EQ(s.name, "song2001-rotate");
  ASSERT_EQ(s.hand.arms.size(), 2u);
  EXPECT_EQ(s.hand.arms[0].object_side, ObjectSide::kRight);
  EXPECT_EQ(s.hand.arms[1].base, (std::array{0.05, 0.0}));
  EXPECT_EQ(s.hand.arms[0].links[1].com, (std::array{0.1, 0.0}));
  EXPECT_EQ(s.object.shape, (ShapeSpec{"ellipse", {0.15, 0.11}}));
  ASSERT_EQ(s.contacts.size(), 4u);
  EXPECT_EQ(
      s.contacts[3],
      (ContactSpec{.name = "right.distal", .link = "right.distal", .mu = 0.1, .mode = ContactKind::kSlide}));
  EXPECT_DOUBLE_EQ(s.task.trajectory.to.phi, 110.0 * std::numbers::pi / 180.0);
  EXPECT_EQ(s.planner.min_normal.at(0.3, 2), 0.5);
  EXPECT_EQ(s.controller.Kalpha, 10.0);
  EXPECT_EQ(s.simulation.model, SimulationModel::kRigid);
  EXPECT_EQ(s.simulation.duration, 1.0);
  EXPECT_EQ(s.simulation.drift_frequency, 100.0);
}

TEST(ScenarioTest, NoiseExampleDiffersFromThePapersOnlyInNoise) {
  Scenario noisy = read_scenario(kFolder + "song2001-rotate-noise.yaml");
  EXPECT_EQ(noisy.noise, (NoiseSpec{0.1, 0.1, 0.0, PoseReference::kError}));
  const Scenario quiet = paper();
  noisy.name = quiet.name;
  noisy.shows = quiet.shows;
  noisy.noise = quiet.noise;
  noisy.expect = quiet.expect;
  EXPECT_EQ(noisy, quiet);
}

TEST(ScenarioTest, IsEqualAfterWritingAndReading) {
  const std::vector<std::vector<std::string>> cases = {
      {},
      {"controller.rate_hz=0", "hand.arms.left.links.0.com_m=[0.07, -0.01]", "seed=18446744073709551615"},
      {"object.shape={type: circle, radius_m: 0.12}", "shows=\"quotes \\\" and: # {marks}\\n\"", "name=true"},
      {"planner.min_normal_N=[0.5, 0.6, 0.7, 0.8]", "planner.max_normal_N=50", "planner.max_torque_Nm=4"},
      {"planner.objective=torque_sum", "planner.friction_margin=[0, 0.1, 0.2, 0.3]",
       "planner.robust={mu_fraction: {left.proximal: 0.1, left.distal: 0.2, right.proximal: 0, right.distal: "
       "1}}"},
      {"planner.objective=margin", "planner.max_torque_rate_Nmps=5"},
      {"task.trajectory={type: circle, duration_s: 2, from: {x_m: 0, y_m: 0.14, phi_deg: 80}, centre_m: [0, "
       "0.15], "
       "turns: -1.5, to: {phi_deg: 100}}"},
      {"task.trajectory={type: spiral, duration_s: 2, from: {x_m: 0, y_m: 0.14, phi_deg: 80}, centre_m: [0, "
       "0.15], "
       "turns: 0.25, radius_to_m: 0}"},
      {"task.trajectory={type: minimum_jerk, duration_s: 2, from: {x_m: 0, y_m: 0.14, phi_deg: 80}, to: "
       "{x_m: 0, "
       "y_m: 0.15, phi_deg: 90}, via: [{pose: {x_m: 0.01, y_m: 0.14, phi_deg: 85}, time_s: 0.5}, {pose: "
       "{x_m: 0, y_m: "
       "0.14, phi_deg: 86}, time_s: 1.5}]}"},
      {"task.trajectory={type: minimum_jerk, duration_s: 2, from: {x_m: 0, y_m: 0.14, phi_deg: 80}, to: "
       "{phi_deg: 90}, "
       "via: [{pose: {phi_deg: 85}}]}",
       "task.coordinates=[phi]"},
      {"planner.objective=torque",
       "planner.robust={mu_fraction: 0.2, force_N: [1, 0.5], moment_Nm: 0.1, held: true}"},
      {"planner.min_normal_N=[{time_s: 0, N: 1}, {time_s: 0.5, N: [1, 2, 3, 4]}]"},
      {"controller={type: whole_arm_pi, KPalpha: -0.3, poles: {motion: [-3, -4], force: -5}, delay_s: "
       "0.002}"},
      {"controller={type: force_loop, Klambda: 1.5}",
       "motors={max_torque_Nm: [1, 2, 3, 4], anti_windup: false}"},
      {"controller={type: joint_pd, joint_stiffness_Nmprad: {left.distal: 1, left.proximal: 2, right.distal: "
       "3, "
       "right.proximal: 4}, joint_damping_Nmsprad: 0.7}",
       "motors={max_torque_Nm: 2, max_rate_Nmps: 70, resolution_Nm: 0.01}"},
      {"controller={type: computed_torque, Kp: 50, contact_forces: measured}",
       "sensors={force_bias_N: -0.1, force_resolution_N: 0.05, joint_bias_deg: 0.3, joint_resolution_deg: "
       "0.1, "
       "pose_bias: {x_m: 1.0e-3, phi_deg: 0.7}, pose_resolution: {y_m: 1.0e-4}}"},
      {"controller={type: object_impedance, stiffness: {x_Npm: 100, y_Npm: 200, phi_Nmprad: 3}, damping: "
       "{x_Nspm: 10, y_Nspm: 20, phi_Nmsprad: 0.3}, poles: {force: -12}, model: {mu: {left.proximal: 0.1, "
       "left.distal: 0.2, right.proximal: 0.3, right.distal: 0.4}, link_length_factor: 1.01, "
       "object_inertia_factor: 0.9}}"},
      {"task.start={x_m: 1.0e-3, y_m: 0.15, phi_rad: 1.2345678901234567}", "controller.allow_unstable=true",
       "controller.Kalpha=-10"},
  };
  for (const auto& overrides : cases) {
    const Scenario s = paper(overrides);
    const std::string text = scenario_to_yaml(s);
    EXPECT_EQ(parse_scenario(text, "again.yaml"), s) << text;
  }
  for (int degrees = -360; degrees <= 360; ++degrees) {
    const Scenario s = paper({fmt::format("task.start.phi_deg={}.1", degrees)});
    ASSERT_EQ(parse_scenario(scenario_to_yaml(s), "again.yaml"), s) << degrees;
  }
}

TEST(ScenarioTest, OverridesFollowNamesWithDotsAndNumbers) {
  const Scenario s = paper({"contacts.left.proximal.mu=0.3", "contacts.3.mu=0.4",
                            "arms.right.links.distal.mass_kg=0.7", "noise.velocity=0.2", "simulation=null"});
  EXPECT_EQ(s.contacts[0].mu, 0.3);
  EXPECT_EQ(s.contacts[3].mu, 0.4);
  EXPECT_EQ(s.hand.arms[1].links[1].mass, 0.7);
  EXPECT_EQ(s.noise.velocity, 0.2);
  EXPECT_EQ(s.simulation.model, SimulationModel::kIntegrated);
}

TEST(ScenarioTest, PolesGiveTheGainsOfTheirPolynomial) {
  const Scenario s = paper({"controller={poles: {motion: [-4, -6], force: -7}, continuous: true}"});
  EXPECT_EQ(s.controller.Kp, 24.0);
  EXPECT_EQ(s.controller.Kv, 10.0);
  EXPECT_EQ(s.controller.Kalpha, 7.0);
  EXPECT_EQ(s.controller.rate, 0.0);
}

TEST(ScenarioTest, FloorIsLinearBetweenKnotsAndConstantOutside) {
  const Scenario s =
      paper({"planner.min_normal_N=[{time_s: 0.2, N: 1}, {time_s: 0.6, N: {left.proximal: 3, "
             "left.distal: 1, right.proximal: 1, right.distal: 5}}]"});
  EXPECT_EQ(s.planner.min_normal.at(0.0, 0), 1.0);
  EXPECT_DOUBLE_EQ(s.planner.min_normal.at(0.4, 0), 2.0);
  EXPECT_DOUBLE_EQ(s.planner.min_normal.at(0.4, 3), 3.0);
  EXPECT_EQ(s.planner.min_normal.at(9.0, 3), 5.0);
}

TEST(ScenarioTest, SchemaAndReaderKnowTheSameKeys) {
  const auto defs = nlohmann::json::parse(read_file(kFolder + "scenario.schema.json")).at("$defs");
  EXPECT_EQ(defs.size(), scenario_sections().size());
  for (const ScenarioSection& section : scenario_sections()) {
    const auto& def = defs.at(std::string(section.name));
    std::set<std::string> in_schema;
    for (const auto& item : def.at("properties").items()) in_schema.insert(item.key());
    EXPECT_EQ(in_schema, std::set<std::string>(section.keys.begin(), section.keys.end())) << section.name;
    EXPECT_EQ(def.at("additionalProperties"), false) << section.name;
  }
}

}  // namespace
}  // namespace enfold::io
