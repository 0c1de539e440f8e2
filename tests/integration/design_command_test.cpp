// SPDX-License-Identifier: BSD-3-Clause
// `enfold design` as a user meets it: numbers, files, the line to copy, messages and exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "enfold/io/file.hpp"
#include "enfold/test/scenario_path.hpp"
#include "program_test.hpp"

namespace enfold::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class DesignCommandTest : public ProgramTest {
 protected:
  static Answer run(std::vector<std::string> options) {
    std::vector<std::string> words{"design", test::scenario_path("song2001-rotate").string(), "--out", "out"};
    words.insert(words.end(), options.begin(), options.end());
    return run_program(words);
  }
  static json report() { return json::parse(io::read_file("out/design.json")); }
};

TEST_F(DesignCommandTest, TellsWhatSamplingDoesToTheScenariosGains) {
  const Answer answer = run({"--no-figures"});
  ASSERT_EQ(answer.code, 0) << answer.err;
  const json found = report();
  ASSERT_EQ(found["cases"].size(), 1u);
  EXPECT_LT(found["cases"][0]["continuous"]["distance"], 1e-5);
  EXPECT_NEAR(found["cases"][0]["sampled"]["distance"].get<double>(), 0.1, 0.04);  // 1 kHz splits the pole
  EXPECT_NEAR(found["margins"]["all torques"]["continuous"]["phase_rad"].get<double>(), 1.33, 0.05);
  EXPECT_NEAR(found["critical_delay"]["sampled"]["delay_s"].get<double>(), 0.064, 0.003);
  EXPECT_NEAR(found["steps"]["phi"]["settling_time_s"].get<double>(), 0.58, 0.05);
  for (const char* text :
       {"poles [1/s]", "left.distal", "unstable from a delay of", "to copy into the scenario"})
    EXPECT_THAT(answer.out, HasSubstr(text));
  EXPECT_TRUE(fs::exists("out/poles.csv") && fs::exists("out/step.csv"));
}

// The gains for the rate, copied into the scenario: the same poles again, without being asked for.
TEST_F(DesignCommandTest, LineToCopyHasThePolesThatWereAskedFor) {
  const Answer answer = run({"--poles", "-6,-15,-8", "--rate", "200", "--at", "0.5", "--no-figures"});
  ASSERT_EQ(answer.code, 0) << answer.err;
  const json found = report();
  ASSERT_EQ(found["cases"].size(), 2u);
  EXPECT_LT(found["cases"][1]["sampled"]["distance"], 0.02);
  EXPECT_GT(found["cases"][0]["sampled"]["distance"], 0.04);  // the continuous gains at 200 Hz
  const std::string key = "controller: ";
  const std::size_t start = answer.out.rfind(key) + key.size();
  const std::string line = answer.out.substr(start, answer.out.find('\n', start) - start);
  const Answer again = run({"--set", "controller=" + line, "--at", "0.5", "--no-figures"});
  ASSERT_EQ(again.code, 0) << again.err;
  const json copied = report();
  EXPECT_EQ(copied["rate_hz"], 200.0);
  const auto& then = found["cases"][1]["sampled"]["poles"];
  const auto& now = copied["cases"][0]["sampled"]["poles"];
  ASSERT_EQ(then.size(), now.size());
  for (std::size_t i = 0; i < 7; ++i)
    EXPECT_NEAR(then[i]["re"].get<double>(), now[i]["re"].get<double>(), 1e-4);
}

TEST_F(DesignCommandTest, DrawsPolesAndSteps) {
  const Answer answer = run({"--settling", "0.4"});
  ASSERT_EQ(answer.code, 0) << answer.err;
  for (const char* name : {"poles", "step"})
    for (const char* ending : {".svg", ".png"})
      EXPECT_TRUE(fs::exists(fs::path("out/figures") / (std::string(name) + ending)));
}

TEST_F(DesignCommandTest, UnstableDesignExitsWithThreeAndSaysWhy) {
  const Answer answer = run({"--rate", "100", "--set", "controller.Kv=250", "--no-figures"});
  EXPECT_EQ(answer.code, 3);
  EXPECT_THAT(answer.out, HasSubstr("unstable at 100 Hz"));
  EXPECT_FALSE(report()["cases"][0]["sampled"]["stable"]);
}

TEST_F(DesignCommandTest, RefusesContradictionsAndWhatNoGainReaches) {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--poles", "-6,-15,-8", "--settling", "1"},
        {"--at", "5"},
        {"--poles", "-6,-15"},
        {"--poles", "6,-15,-8"},
        {"--rate", "-1"},
        {"--settling", "0"}}) {
    const Answer answer = run(options);
    EXPECT_EQ(answer.code, 2) << options[0];
    EXPECT_FALSE(answer.err.empty());
  }
  const Answer fast = run({"--poles", "-6,-15,-800", "--rate", "100"});
  EXPECT_EQ(fast.code, 2);
  EXPECT_THAT(fast.err, HasSubstr("1154 Hz"));
}

}  // namespace
}  // namespace enfold::app
