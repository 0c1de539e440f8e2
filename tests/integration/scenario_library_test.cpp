// SPDX-License-Identifier: BSD-3-Clause
// Every scenario that ships: what it says must come out does, and its audit has the counts derived by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "embedded_scenarios.hpp"
#include "enfold/base/error.hpp"
#include "enfold/io/file.hpp"
#include "enfold/io/scenario_file.hpp"
#include "outcome.hpp"
#include "program_test.hpp"

namespace enfold::app {
namespace {

namespace fs = std::filesystem;

TEST(ScenarioLibraryTest, EveryScenarioMeetsItsStatedOutcome) {
  int stated = 0;
  for (const EmbeddedScenario& one : embedded_scenarios()) {
    const io::Scenario scenario = io::parse_scenario(one.text, one.name);
    EXPECT_FALSE(scenario.shows.empty()) << one.name;
    if (!scenario.expect) continue;
    ++stated;
    const ScenarioRun run = run_scenario(scenario, Console(true));
    const auto [code, message] = run_result(run);
    for (const Outcome& outcome : compare_outcome(run, code, message))
      EXPECT_TRUE(outcome.met) << one.name << ": " << outcome.text << "\n" << message;
    if (!scenario.has_hand()) continue;
    EXPECT_FALSE(scenario.expect->counts.empty()) << one.name;
    // The counts of a grasp that is controlled add up.
    const grasp::GraspAudit audit = audit_at_start(run.setup, run.planned.plan);
    if (code == ExitCode::kDone) {
      EXPECT_EQ(audit.m + audit.p, audit.n_theta) << one.name;
    }
  }
  EXPECT_GE(stated, 12);
}

// The same file with a count and a number that are wrong: 3, unless the user changes the scenario anyway.
TEST(ScenarioLibraryTest, MissedOutcomeIsExitCodeThree) {
  const fs::path home = fs::current_path();
  const fs::path root = fs::temp_directory_path() / fmt::format("enfold-library-{}", getpid());
  fs::create_directories(root);
  fs::current_path(root);
  ASSERT_EQ(run_program({"new", "mine", "--from", "song2001-case-a"}).code, 0);
  EXPECT_EQ(run_program({"simulate", "mine.yaml", "--no-figures"}).code, 0);
  const std::string text = io::read_file("mine.yaml");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    io::write_file("changed.yaml", changed);
  };
  with("m: 1, p: 3", "m: 2, p: 3");
  EXPECT_EQ(run_program({"simulate", "changed.yaml", "--no-figures"}).code, 3);
  EXPECT_EQ(run_program({"check", "changed.yaml"}).code, 3);
  EXPECT_EQ(run_program({"simulate", "changed.yaml", "--no-figures", "--set", "seed=2"}).code, 0);
  with("error_from_eq14.phi_rad: [0, 0.02]", "error_from_eq14.phi_rad: [0.5, 0.6]");
  EXPECT_EQ(run_program({"simulate", "changed.yaml", "--no-figures"}).code, 3);
  with("error_from_eq14.phi_rad", "no_such_number");
  EXPECT_EQ(run_program({"simulate", "changed.yaml", "--no-figures"}).code, 3);
  fs::current_path(home);
  fs::remove_all(root);
}

// What the task may tell: the file is read strictly, and reads back as it was written.
TEST(ScenarioLibraryTest, CoordinatesAndExpectationsAreReadStrictlyAndWrittenBack) {
  for (const EmbeddedScenario& one : embedded_scenarios()) {
    const io::Scenario scenario = io::parse_scenario(one.text, one.name);
    EXPECT_EQ(io::parse_scenario(io::scenario_to_yaml(scenario), one.name), scenario) << one.name;
  }
  std::string case_a;
  for (const EmbeddedScenario& one : embedded_scenarios())
    if (one.name == "song2001-case-a") case_a = one.text;
  const auto refused = [&](const std::string& from, const std::string& to, const std::string& reason) {
    std::string changed = case_a;
    changed.replace(changed.find(from), from.size(), to);
    try {
      (void)io::parse_scenario(changed, "changed");
      ADD_FAILURE() << to;
    } catch (const ScenarioError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(reason));
    }
  };
  refused("coordinates: [phi]", "coordinates: [psi]", "psi");
  refused("coordinates: [phi]", "coordinates: [phi, phi]", "twice");
  refused("coordinates: [phi]", "coordinates: [y, phi]", "y_m");
  refused("to: {phi_deg: 89}", "to: {phi_deg: 89, y_m: 0.15}", "not told by the task");
  refused("counts: {n: 7", "counts: {q: 7", "q");
}

}  // namespace
}  // namespace enfold::app
