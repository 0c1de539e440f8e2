// SPDX-License-Identifier: BSD-3-Clause
// The program as a user meets it: commands, files, messages and exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "embedded_scenarios.hpp"
#include "enfold/io/file.hpp"
#include "enfold/io/run_folder.hpp"
#include "enfold/io/scenario_file.hpp"
#include "enfold/test/scenario_path.hpp"
#include "program_test.hpp"

namespace enfold::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

class CommandLineTest : public ProgramTest {
 protected:
  static Answer enfold(std::vector<std::string> words) { return run_program(std::move(words)); }

  /// The paper's scenario with one text replaced.
  static std::string edited(const std::string& from, const std::string& to) {
    std::string text = io::read_file(rotate());
    const auto at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error("nothing to edit: " + from);
    text.replace(at, from.size(), to);
    io::write_file("edited.yaml", text);
    return "edited.yaml";
  }
  static std::string rotate() { return test::scenario_path("song2001-rotate").string(); }
};

TEST_F(CommandLineTest, HelpAndVersionAreNoErrors) {
  EXPECT_EQ(enfold({"--help"}).code, 0);
  EXPECT_THAT(enfold({"--version"}).out, StartsWith("enfold 0."));
  for (const char* command : {"check", "plan", "simulate", "lcp", "plot", "reproduce", "new"}) {
    const Answer answer = enfold({command, "--help"});
    EXPECT_EQ(answer.code, 0) << command;
    EXPECT_THAT(answer.out, HasSubstr("--help")) << command;
  }
}

TEST_F(CommandLineTest, UsageErrorsExitWithTwo) {
  EXPECT_EQ(enfold({}).code, 2);
  EXPECT_EQ(enfold({"simulate"}).code, 2);
  EXPECT_EQ(enfold({"simulate", rotate(), "--bogus"}).code, 2);
  const Answer unknown = enfold({"simulat"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("known: check, plan, simulate"));
  EXPECT_EQ(enfold({"reproduce", "nobody1999"}).code, 2);
}

TEST_F(CommandLineTest, MissingFileExitsWithOne) {
  const Answer answer = enfold({"simulate", "nowhere.yaml"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("nowhere.yaml"));
}

TEST_F(CommandLineTest, CheckPrintsTheAudit) {
  const Answer answer = enfold({"check", rotate()});
  EXPECT_EQ(answer.code, 0) << answer.err;
  for (const char* text :
       {"n = 7", "m = 3", "p = 1", "rank W = 4", "P-matrix", "scenario 1", "along the desired path"}) {
    EXPECT_THAT(answer.out, HasSubstr(text));
  }
}

TEST_F(CommandLineTest, CheckSaysWhichContactsAreTooSoftAndWhatWouldDo) {
  const auto check = [&](const std::string& stiffness) {
    return enfold({"check", test::scenario_path("song2001-translate").string(), "--set",
                   "contact_law.stiffness_Npm=" + stiffness});
  };
  EXPECT_THAT(check("1e4").out,
              testing::AllOf(HasSubstr("compliant contacts:"), testing::Not(HasSubstr("too soft"))));
  EXPECT_THAT(check("100").out,
              testing::AllOf(HasSubstr("left.proximal: k = 100 N/m"), HasSubstr("is too soft")));
  EXPECT_THAT(check("1e8").out, HasSubstr("too stiff"));
}

TEST_F(CommandLineTest, PrintedDefaultsAreAScenarioThatReadsBackEqual) {
  const Answer answer = enfold({"check", rotate(), "--print-defaults"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(io::parse_scenario(answer.out, "printed"), io::read_scenario(rotate()));
}

TEST_F(CommandLineTest, PlanWritesItsTableAndNamesTheCriticalContacts) {
  const Answer answer = enfold({"plan", rotate()});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("left.distal"));
  const std::string table = io::read_file("runs/song2001-rotate/plan.csv");
  EXPECT_THAT(table, StartsWith("time_s,alpha_des.1_N,lambda_N.left.proximal_N"));
  EXPECT_GT(std::count(table.begin(), table.end(), '\n'), 1001);
  // A plan's folder is a run's folder: a simulation may take it over.
  EXPECT_EQ(enfold({"simulate", rotate(), "--no-figures", "--quiet"}).code, 0);
  EXPECT_FALSE(fs::exists("runs/song2001-rotate/plan.csv"));
}

TEST_F(CommandLineTest, SimulateLeavesARunFolder) {
  const Answer answer = enfold({"simulate", rotate(), "--out", "run"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("1001 of 1001"));
  for (const char* file : {"run.json", "history.csv", "events.csv", "matrices.bin"})
    EXPECT_TRUE(fs::exists(fs::path("run") / file));
  for (const char* figure : {"torques", "tracking", "forces", "snapshots"}) {
    for (const char* type : {".svg", ".png"}) {
      EXPECT_GT(fs::file_size(fs::path("run/figures") / (std::string(figure) + type)), 2000U)
          << figure << type;
    }
  }
  const sim::History history = io::read_history("run");
  EXPECT_EQ(history.samples.size(), 1001U);
  EXPECT_EQ(io::read_run_scenario("run"), io::read_scenario(rotate()));
}

TEST_F(CommandLineTest, QuietSaysNothingOnSuccess) {
  const Answer answer = enfold({"simulate", rotate(), "--no-figures", "--quiet"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.out + answer.err, "");
}

TEST_F(CommandLineTest, SameSeedSameBytesOtherSeedOtherBytes) {
  const std::string noisy = test::scenario_path("song2001-rotate-noise").string();
  for (const char* out : {"a", "b"})
    ASSERT_EQ(enfold({"simulate", noisy, "--no-figures", "--seed", "7", "--out", out}).code, 0);
  ASSERT_EQ(enfold({"simulate", noisy, "--no-figures", "--seed", "8", "--out", "c"}).code, 0);
  for (const char* file : {"run.json", "history.csv", "events.csv", "matrices.bin"}) {
    EXPECT_EQ(io::read_file(fs::path("a") / file), io::read_file(fs::path("b") / file)) << file;
  }
  EXPECT_NE(io::read_file("a/history.csv"), io::read_file("c/history.csv"));
}

TEST_F(CommandLineTest, PlotDrawsARunAgain) {
  ASSERT_EQ(enfold({"simulate", rotate(), "--no-figures", "--out", "run"}).code, 0);
  EXPECT_FALSE(fs::exists("run/figures"));
  const Answer answer = enfold({"plot", "run"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(fs::exists("run/figures/forces.png"));
  EXPECT_EQ(enfold({"plot", "no-such-run"}).code, 1);
  EXPECT_EQ(enfold({"plot", "run", "--renderer", "crayons"}).code, 2);
  fs::resize_file("run/history.csv", 3000);
  EXPECT_EQ(enfold({"plot", "run"}).code, 1);
}

TEST_F(CommandLineTest, AFolderThatIsNoRunIsLeftAlone) {
  fs::create_directories("mine");
  io::write_file("mine/thesis.tex", "years of work");
  const Answer answer = enfold({"simulate", rotate(), "--no-figures", "--out", "mine"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("run.json"));
  EXPECT_EQ(io::read_file("mine/thesis.tex"), "years of work");
}

TEST_F(CommandLineTest, AFullDiskExitsWithOne) {
  // A limit on the size of files is what a full disk looks like to the program.
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  struct rlimit small = before;
  small.rlim_cur = 20000;
  std::signal(SIGXFSZ, SIG_IGN);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string scenario = rotate();
  const char* argv[] = {"enfold", "simulate", scenario.c_str(), "--no-figures", "--out", "run"};
  const int code = run_command_line(6, argv);
  setrlimit(RLIMIT_FSIZE, &before);
  (void)testing::internal::GetCapturedStdout();
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("history.csv"));
  EXPECT_EQ(code, 1);
  EXPECT_TRUE(fs::exists("run/run.json"));  // the folder is known as a run, and may be replaced
}

TEST_F(CommandLineTest, InvalidScenariosExitWithTwoAndSayWhere) {
  const struct {
    const char *from, *to, *place, *text;
  } cases[] = {
      {"mass_kg: 1.69", "mass_kg: -1.69", "edited.yaml:", "object.mass_kg"},
      {"mass_kg: 1.69", "mas_kg: 1.69", "edited.yaml:", "mass_kg"},
      {"mass_kg: 1.69", "mass_kg: .nan", "edited.yaml:", "object.mass_kg"},
      {"mass_kg: 1.69", "mass_kg: heavy", "edited.yaml:", "object.mass_kg"},
      {"link: left.distal, ", "link: left.thumb, ", "edited.yaml:", "left.thumb"},
      {"mu: 0.1", "mu: -0.1", "edited.yaml:", "mu"},
      {"y_m: 0.15, phi_deg: 69", "y_m: 0.45, phi_deg: 69", "edited.yaml:", "does not reach"},
      {"y_m: 0.15, phi_deg: 69", "y_m: 0.05, phi_deg: 69", "edited.yaml:", "inside"},
      {"phi_deg: 69", "phi_degrees: 69", "edited.yaml:", "phi_deg"},
      {"Kalpha: 10", "Kalpha: -10", "edited.yaml:", "must be positive"},
      {"enfold: 1 ", "enfold: 2 ", "edited.yaml:", "version 2"},
      {"duration_s: 1.0", "duration_s: 0", "edited.yaml:", "duration_s"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(std::string(one.from) + " → " + one.to);
    const Answer answer = enfold({"simulate", edited(one.from, one.to), "--no-figures", "--out", "never"});
    EXPECT_EQ(answer.code, 2);
    EXPECT_THAT(answer.err, HasSubstr(one.place));
    EXPECT_THAT(answer.err, HasSubstr(one.text));
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    EXPECT_FALSE(fs::exists("never"));
  }
}

TEST_F(CommandLineTest, APlanThatDoesNotExistExitsWithThree) {
  const Answer squeeze = enfold({"plan", rotate(), "--set", "task.trajectory.to.y_m=0.17"});
  EXPECT_EQ(squeeze.code, 3);
  EXPECT_THAT(squeeze.err, HasSubstr("no squeeze exists"));
  EXPECT_THAT(squeeze.err, HasSubstr("from t = 0.9"));
  EXPECT_EQ(enfold({"simulate", rotate(), "--set", "task.trajectory.to.y_m=0.17", "--no-figures"}).code, 3);
  EXPECT_EQ(enfold({"check", rotate(), "--set", "task.trajectory.to.y_m=0.17"}).code, 3);
  const Answer reach = enfold({"plan", rotate(), "--set", "task.trajectory.to.y_m=0.4"});
  EXPECT_EQ(reach.code, 3);
  EXPECT_THAT(reach.err, HasSubstr("out of reach"));
  const Answer rolling = enfold({"check", rotate(), "--set", "contacts.left.proximal.mode=roll"});
  EXPECT_EQ(rolling.code, 3);
  EXPECT_THAT(rolling.out, HasSubstr("name 2 of x, y, phi in task.coordinates"));
}

TEST_F(CommandLineTest, AmbiguousPhysicsExitsWithFour) {
  // S4's Example 2: lifted at 0°, A stops being a P-matrix on the way.
  std::vector<std::string> words = {"simulate", rotate(), "--no-figures"};
  for (const char* set :
       {"task.start={x_m: 0, y_m: 0.12, phi_deg: 0}", "task.trajectory.from={x_m: 0, y_m: 0.12, phi_deg: 0}",
        "task.trajectory.to={x_m: 0, y_m: 0.15, phi_deg: 0}", "contacts.left.proximal.mu=0.8",
        "contacts.left.distal.mu=0.6", "contacts.right.proximal.mu=0.8", "contacts.right.distal.mu=0.6"}) {
    words.insert(words.end(), {"--set", set});
  }
  const Answer answer = enfold(words);
  EXPECT_EQ(answer.code, 4) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("P-matrix"));
}

TEST_F(CommandLineTest, AForcedWrongGainExitsWithFiveAndTheReason) {
  const Answer answer = enfold({"simulate", rotate(), "--no-figures", "--set", "controller.Kalpha=-10",
                                "--set", "controller.allow_unstable=true", "--out", "run"});
  EXPECT_EQ(answer.code, 5);
  EXPECT_THAT(answer.err, HasSubstr("force pole at +10"));
  EXPECT_GT(io::read_history("run").samples.size(), 100U);  // a failed run leaves what it had computed
}

TEST_F(CommandLineTest, NewStartsFromEveryShippedScenario) {
  for (const EmbeddedScenario& one : embedded_scenarios()) {
    const std::string file = "my-" + one.name;
    EXPECT_EQ(enfold({"new", file, "--from", one.name}).code, 0);
    EXPECT_EQ(io::read_scenario(file + ".yaml").name, file);
    // A grasp that is there to be refused is refused by both.
    const io::Scenario scenario = io::parse_scenario(one.text, one.name);
    const bool refused = scenario.expect && scenario.expect->exit == 3;
    EXPECT_EQ(enfold({"check", file + ".yaml", "--quiet", "--no-figures"}).code, refused ? 3 : 0) << one.name;
  }
  EXPECT_GE(embedded_scenarios().size(), 2U);
  EXPECT_EQ(enfold({"new", "my-song2001-rotate"}).code, 1);  // never overwrites
  EXPECT_EQ(enfold({"new", "x", "--from", "nothing"}).code, 2);
  EXPECT_EQ(enfold({"new"}).code, 2);
  EXPECT_THAT(enfold({"new", "--list"}).out, HasSubstr("song2001-rotate"));
}

TEST_F(CommandLineTest, ReproduceLeavesThreeFiguresAndAVerdictTable) {
  const Answer answer = enfold({"reproduce", "song2001"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  for (const char* figure : {"song2001-fig3", "song2001-fig4", "song2001-fig5"}) {
    EXPECT_TRUE(fs::exists(fs::path("runs/song2001/figures") / (std::string(figure) + ".svg")));
    EXPECT_TRUE(fs::exists(fs::path("runs/song2001/figures") / (std::string(figure) + ".png")));
  }
  const std::string table = io::read_file("runs/song2001/verdicts.md");
  EXPECT_THAT(table, HasSubstr("reproduced under reading 7"));
  EXPECT_THAT(table, testing::Not(HasSubstr("not reproduced")));
  EXPECT_THAT(io::read_file("runs/song2001/run.json"), HasSubstr("reproduced_under_reading"));
}

}  // namespace
}  // namespace enfold::app
