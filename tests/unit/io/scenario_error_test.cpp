// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "enfold/io/file.hpp"
#include "enfold/io/scenario_file.hpp"
#include "enfold/test/source_dir.hpp"

namespace enfold::io {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    (void)parse_scenario(text, "demo.yaml", overrides);
  } catch (const ScenarioError& error) {
    return error.what();
  }
  return "no error";
}

std::string paper_text() {
  return read_file(test::source_dir() + "/scenarios/song2001-rotate.yaml");
}

/// The message after the first `from` of the paper's scenario was replaced by `to`.
std::string error_with(const std::string& from, const std::string& to) {
  std::string text = paper_text();
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return error_of(text.replace(at, from.size(), to));
}

std::string error_set(const std::string& override_text) {
  return error_of(paper_text(), {override_text});
}

TEST(ScenarioErrorTest, UnknownKeyIsReportedWithPlaceAndNearestName) {
  EXPECT_EQ(error_of("enfold: 1\nname: a\nobjekt: 3\n"),
            "demo.yaml:3:1: unknown key 'objekt' in the scenario; did you mean 'object'?");
  EXPECT_THAT(error_with("  mass_kg: 1.69", "  masss_kg: 1.69"),
              AllOf(testing::ContainsRegex("^demo.yaml:[0-9]+:3: "),
                    HasSubstr("unknown key 'masss_kg' in object; did you mean 'mass_kg'?")));
}

TEST(ScenarioErrorTest, MissingOrWrongUnitIsReportedWithTheRightKey) {
  EXPECT_THAT(error_with("  mass_kg: 1.69", "  mass: 1.69"), HasSubstr("did you mean 'mass_kg'?"));
  EXPECT_THAT(error_with("  mass_kg: 1.69", "  mass_g: 1690"), HasSubstr("did you mean 'mass_kg'?"));
  EXPECT_THAT(error_with("duration_s: 1.0", "duration_ms: 1000"), HasSubstr("did you mean 'duration_s'?"));
}

TEST(ScenarioErrorTest, WrongValuesAreReportedWithWhatWasExpected) {
  EXPECT_THAT(error_with("mass_kg: 1.69", "mass_kg: heavy"),
              HasSubstr("object.mass_kg must be a number, found 'heavy'"));
  EXPECT_THAT(error_with("mass_kg: 1.69", "mass_kg: \"1\""),
              HasSubstr("must be a number, found the text '1'"));
  EXPECT_THAT(error_with("mass_kg: 1.69", "mass_kg: .nan"), HasSubstr("must be a finite number"));
  EXPECT_THAT(error_with("mass_kg: 1.69", "mass_kg: inf"), HasSubstr("must be a finite number"));
  EXPECT_THAT(error_with("mass_kg: 1.69", "mass_kg: 1e999"), HasSubstr("a double can hold"));
  EXPECT_THAT(error_with("mass_kg: 1.69", "mass_kg: -1.69"),
              HasSubstr("object.mass_kg must be positive, found '-1.69'"));
  EXPECT_THAT(error_with("mass_kg: 1.69", "mass_kg:"), HasSubstr("must be a number, found nothing"));
  EXPECT_THAT(error_with("length_m: 0.20", "length_m: -0.2"), HasSubstr("length_m must be positive"));
  EXPECT_THAT(error_with("inertia_kgm2: 1.67e-3", "inertia_kgm2: -1"), HasSubstr("must be zero or positive"));
  EXPECT_THAT(error_with("mu: 0.1", "mu: -0.1"), HasSubstr("contacts.0.mu must be zero or positive"));
  EXPECT_THAT(error_with("duration_s: 1.0", "duration_s: 0"),
              HasSubstr("task.trajectory.duration_s must be positive"));
  EXPECT_THAT(error_with("step_s: 1.0e-3", "step_s: 0"), HasSubstr("simulation.step_s must be positive"));
  EXPECT_THAT(error_with("model: rigid", "model: rigd"),
              HasSubstr("did you mean 'rigid'? known: integrated, rigid, compliant"));
  EXPECT_THAT(error_with("seed: 1", "seed: -1"), HasSubstr("seed must be a whole number"));
  EXPECT_THAT(error_with("name: song2001-rotate", "name: ../../etc"), HasSubstr("names the run folder"));
  EXPECT_THAT(error_with("name: left\n", "name: \"a,b\"\n"), HasSubstr("starts with a letter"));
  EXPECT_THAT(error_with("type: ellipse", "type: elipse"), HasSubstr("did you mean 'ellipse'?"));
  EXPECT_THAT(error_with("objective: normals", "objective: torqe"),
              HasSubstr("did you mean 'torque'? known: normals, literal, margin, torque, torque_sum"));
  EXPECT_THAT(error_set("planner.friction_margin=1"), HasSubstr("must be below 1, found 1"));
  EXPECT_THAT(error_set("planner.friction_margin=[0.1]"), HasSubstr("lists 1 margins for 4 contacts"));
  EXPECT_THAT(error_set("planner.robust={mu_fraction: 1.5}"), HasSubstr("must be at most 1, found 1.5"));
  EXPECT_THAT(error_set("planner.robust={force_N: [1, -1]}"), HasSubstr("must be zero or positive"));
  EXPECT_THAT(error_set("planner={min_normal_N: 1, max_torque_rate_Nmps: 1, robust: {mu_fraction: 0.1}}"),
              HasSubstr("can't be combined with planner.robust"));
  EXPECT_THAT(error_set("planner.robust={force: [1, 1]}"), HasSubstr("did you mean 'force_N'?"));
}

TEST(ScenarioErrorTest, TrajectoriesAreReadStrictly) {
  const std::string from = "duration_s: 1, from: {x_m: 0, y_m: 0.14, phi_deg: 80}";
  const auto error = [&](const std::string& rest) {
    return error_set("task.trajectory={" + from + ", " + rest + "}");
  };
  EXPECT_THAT(error("type: circl"),
              HasSubstr("did you mean 'circle'? known: quintic, minimum_jerk, circle, spiral, unique_path"));
  EXPECT_THAT(error("type: circle, turns: 1"), HasSubstr("task.trajectory.centre_m is missing"));
  EXPECT_THAT(error("type: circle, turns: 1, centre_m: [0, 0.14]"), HasSubstr("is trajectory.from itself"));
  EXPECT_THAT(error("type: circle, turns: 1, centre_m: [0, 0.1], to: {x_m: 0, phi_deg: 1}"),
              HasSubstr("x_m is not told"));
  EXPECT_THAT(error("type: circle, turns: 1, centre_m: [0, 0.1], radius_to_m: 1"),
              HasSubstr("is for trajectory.type spiral"));
  EXPECT_THAT(error("type: spiral, turns: 1, centre_m: [0, 0.1]"), HasSubstr("radius_to_m is missing"));
  const std::string to = "to: {x_m: 0, y_m: 0.15, phi_deg: 90}";
  EXPECT_THAT(error(to + ", turns: 1"), HasSubstr("is for trajectory.type circle or spiral"));
  const std::string pose = "pose: {x_m: 0, y_m: 0.15, phi_deg: 90}";
  EXPECT_THAT(error(to + ", via: [{" + pose + "}]"), HasSubstr("is for trajectory.type minimum_jerk"));
  const std::string jerk = "type: minimum_jerk, " + to + ", via: ";
  EXPECT_THAT(error(jerk + "[{" + pose + ", time_s: 1}]"),
              HasSubstr("is 1 s, expected between 0 s and the end at 1 s"));
  EXPECT_THAT(error(jerk + "[{" + pose + ", time_s: 0.5}, {" + pose + ", time_s: 0.4}]"),
              HasSubstr("expected between 0.5 s and the end"));
  EXPECT_THAT(error(jerk + "[{" + pose + ", time_s: 0.5}, {" + pose + "}]"),
              HasSubstr("at all poses or at none"));
  EXPECT_THAT(error(jerk + "[{time_s: 0.5}]"), HasSubstr("pose is missing"));
}

TEST(ScenarioErrorTest, NamesMustBeUniqueAndKnown) {
  EXPECT_THAT(error_with("link: left.distal", "link: left.distl"), HasSubstr("did you mean 'left.distal'?"));
  EXPECT_THAT(error_with("name: left.distal, ", "name: left.proximal, "),
              HasSubstr("'left.proximal' is used twice in contacts"));
  EXPECT_THAT(error_with("link: left.distal", "link: left.proximal"), HasSubstr("has a contact already"));
  EXPECT_THAT(error_with("- name: right", "- name: left"), HasSubstr("'left' is used twice in hand.arms"));
}

TEST(ScenarioErrorTest, MissingKeysEmptyFilesAndOtherVersionsAreReported) {
  EXPECT_THAT(error_with("  mass_kg: 1.69\n", ""), HasSubstr("object.mass_kg is missing"));
  EXPECT_THAT(error_of(""), StartsWith("demo.yaml:1:1: the scenario is empty"));
  EXPECT_THAT(error_of("# only a comment\n"), StartsWith("demo.yaml:1:1: the scenario is empty"));
  EXPECT_THAT(error_of("- 1\n"), HasSubstr("a scenario is a map"));
  EXPECT_THAT(error_of("enfold: 2\nwheels: 4\n"), StartsWith("demo.yaml:1:9: format version 2 is not known"));
  EXPECT_THAT(error_of("name: a\n"), HasSubstr("enfold is missing"));
  EXPECT_THAT(error_of("enfold: 1\n---\nenfold: 1\n"), HasSubstr("a second document"));
}

TEST(ScenarioErrorTest, YamlThatIsBrokenOrTooLargeIsReported) {
  EXPECT_THAT(error_of("enfold: 1\nhand: {arms: [\n"),
              AllOf(StartsWith("demo.yaml:"), HasSubstr("not valid YAML")));
  EXPECT_THAT(error_of("enfold: 1\nseed: 1\nseed: 2\n"),
              StartsWith("demo.yaml:3:1: key 'seed' is given twice"));
  EXPECT_THAT(error_of("enfold: 1\nhand: &a [*a]\n"),
              AllOf(StartsWith("demo.yaml:"), testing::Not(HasSubstr("no error"))));
}

TEST(ScenarioErrorTest, GainsThatDoNotDecayNeedPermission) {
  EXPECT_THAT(error_with("Kalpha: 10", "Kalpha: -10"),
              AllOf(HasSubstr("Kalpha must be positive, found -10"), HasSubstr("at −K_α"),
                    HasSubstr("allow_unstable")));
  EXPECT_THAT(error_with("Kv: 20", "Kv: 0"), HasSubstr("controller.Kv must be positive"));
  EXPECT_THAT(error_with("Kalpha: 10", "Kalpha: -10, allow_unstable: true"), "no error");
  EXPECT_THAT(error_with("Kalpha: 10", "poles: {motion: [-1, -2], force: -1}"),
              HasSubstr("gives both poles and Kp"));
  EXPECT_THAT(error_set("controller={poles: {motion: [-1, 2], force: -1}}"),
              HasSubstr("poles must be negative"));
  EXPECT_THAT(error_set("controller.continuous=true"), HasSubstr("keep one of them"));
}

TEST(ScenarioErrorTest, PlannerForcesMustFitTheContacts) {
  EXPECT_THAT(error_set("planner.min_normal_N=[1, 2]"), HasSubstr("lists 2 forces for 4 contacts"));
  EXPECT_THAT(error_set("planner.min_normal_N={left.proximal: 1}"),
              HasSubstr("has no force for contact 'left.distal'"));
  EXPECT_THAT(error_set("planner.min_normal_N={left.proximl: 1}"),
              HasSubstr("did you mean 'left.proximal'?"));
  EXPECT_THAT(error_set("planner.min_normal_N=[{time_s: 1, N: 1}, {time_s: 1, N: 1}]"),
              HasSubstr("must be later"));
  EXPECT_THAT(error_set("planner.max_normal_N=0.1"), HasSubstr("below min_normal_N 0.5"));
}

TEST(ScenarioErrorTest, OverridesAreBlamedByName) {
  EXPECT_THAT(error_set("noise.force=abc"),
              StartsWith("--set noise.force=abc: noise.force must be a number"));
  EXPECT_THAT(error_set("noise.forse=1"),
              StartsWith("--set noise.forse=1: unknown key 'forse' in noise; did you mean 'force'?"));
  EXPECT_THAT(error_set("contacts.left.proxmal.mu=1"), HasSubstr("did you mean 'left.proximal'?"));
  EXPECT_THAT(error_set("seed.x=1"), HasSubstr("seed is a single value"));
  EXPECT_THAT(error_set("seed"), HasSubstr("key=value"));
  EXPECT_THAT(error_set("seed="), HasSubstr("key=value"));
  EXPECT_THAT(error_set("a..b=1"), HasSubstr("empty part"));
  EXPECT_THAT(error_set("seed=[1"), HasSubstr("the value is not valid YAML"));
}

TEST(ScenarioErrorTest, MissingFileIsAnIoError) {
  EXPECT_THROW((void)read_scenario("no/such/file.yaml"), IoError);
  EXPECT_THROW((void)read_scenario(test::source_dir()), IoError);
}

}  // namespace
}  // namespace enfold::io
