// SPDX-License-Identifier: BSD-3-Clause
// `enfold lcp` as a user meets it: files, report, JSON, messages and exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "enfold/base/counter_random.hpp"
#include "enfold/io/file.hpp"
#include "program_test.hpp"

namespace enfold::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class LcpCommandTest : public ProgramTest {
 protected:
  static Answer run(std::vector<std::string> words) {
    words.insert(words.begin(), "lcp");
    return run_program(std::move(words));
  }

  static json report(std::vector<std::string> words) {
    words.insert(words.end(), {"--json", "-"});
    const Answer outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return json::parse(outcome.out);
  }

  /// A random n × (n + 1) CSV with `diagonal` added to the diagonal.
  static void write_random(const std::string& file, int n, double diagonal) {
    const CounterRandom random(11, static_cast<std::uint64_t>(n));
    std::string text;
    std::uint64_t draw = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= n; ++j)
        text +=
            fmt::format("{}{:.6f}", j == 0 ? "" : ",", random.symmetric(draw++) + (i == j ? diagonal : 0.0));
      text += "\n";
    }
    io::write_file(file, text);
  }
};

TEST_F(LcpCommandTest, ReportsClassesSolutionsAndTheNearestChange) {
  io::write_file("three.csv", "# A | b\n1, 2, -1\n2, 1, -1\n");
  const Answer outcome = run({"three.csv"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* text :
       {"n = 2", "principal minor {1, 2} of A is -3", "strictly copositive    yes", "3 solutions",
        "active {1, 2}", "x = (0.333333, 0.333333)", "Lemke: solved", "distance 0.447214", "3 → 1"}) {
    EXPECT_THAT(outcome.out, HasSubstr(text));
  }
}

TEST_F(LcpCommandTest, JsonHoldsEverything) {
  io::write_file("three.csv", "1,2,-1\n2,1,-1\n");
  const json all = report({"three.csv"});
  EXPECT_EQ(all["n"], 2);
  EXPECT_EQ(all["A"], json::parse("[[1,2],[2,1]]"));
  EXPECT_EQ(all["b"], json::parse("[-1,-1]"));
  EXPECT_EQ(all["classes"].size(), 11U);
  EXPECT_EQ(all["classes"]["P"]["verdict"], "no");
  EXPECT_EQ(all["classes"]["P"]["indices"], json::parse("[1,2]"));
  EXPECT_EQ(all["classes"]["copositive"]["verdict"], "yes");
  EXPECT_EQ(all["solutions"]["count"], 3);
  EXPECT_EQ(all["solutions"]["list"].size(), 3U);
  EXPECT_EQ(all["lemke"]["status"], "solved");
  EXPECT_EQ(all["nearest_change"]["status"], "found");
  EXPECT_NEAR(all["nearest_change"]["distance"].get<double>(), 1.0 / std::sqrt(5.0), 1e-14);
  EXPECT_EQ(all["nearest_change"]["count_after"], 1);
  EXPECT_FALSE(all.contains("second"));
  EXPECT_EQ(run({"three.csv", "--json", "three.json", "--quiet"}).out, "");
  EXPECT_EQ(json::parse(io::read_file("three.json")), all);
}

TEST_F(LcpCommandTest, EveryFormatGivesTheSameReport) {
  io::write_file("m.csv", "1,2,-1\n2,1,-1\n");
  io::write_file("A.csv", "1,2\n2,1\n");
  io::write_file("m.yaml", "A: [[1, 2], [2, 1]]\nb: [-1, -1]\n");
  io::write_file("A.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n2\n1\n");
  io::write_file("S.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n2 2 3\n1 1 1\n2 1 2\n2 2 1\n");
  io::write_file("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n-1\n-1\n");
  io::write_file("b.csv", "-1\n-1\n");
  io::write_file("b.yaml", "b: [-1, -1]\n");
  const json expected = report({"m.csv"});
  EXPECT_EQ(report({"m.yaml"}), expected);
  EXPECT_EQ(report({"A.csv", "--b", "b.csv"}), expected);
  EXPECT_EQ(report({"A.mtx", "--b", "b.mtx"}), expected);
  EXPECT_EQ(report({"S.mtx", "--b", "b.yaml"}), expected);
}

TEST_F(LcpCommandTest, WithoutBOnlyTheClassesAreReported) {
  io::write_file("A.csv", "2,-1\n-1,2\n");
  const Answer outcome = run({"A.csv"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("exactly one solution for every b"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("Lemke:")));
  const json all = report({"A.csv"});
  EXPECT_TRUE(all["b"].is_null());
  EXPECT_FALSE(all.contains("solutions"));
  EXPECT_EQ(all["classes"]["M"]["verdict"], "yes");
}

TEST_F(LcpCommandTest, NoSolutionIsAnAnswer) {
  io::write_file("none.csv", "-1,0,-1\n0,1,1\n");
  const json all = report({"none.csv"});
  EXPECT_EQ(all["solutions"]["verdict"], "no solution");
  EXPECT_EQ(all["solutions"]["count"], 0);
}

TEST_F(LcpCommandTest, AContinuumIsCalledInfinite) {
  io::write_file("ones.csv", "1,1,-1\n1,1,-1\n");
  const json all = report({"ones.csv"});
  EXPECT_EQ(all["solutions"]["verdict"], "infinitely many solutions");
  EXPECT_TRUE(all["solutions"]["count"].is_null());
  EXPECT_NEAR(all["nearest_change"]["distance"].get<double>(), 0.0, 1e-12);
}

TEST_F(LcpCommandTest, AboveTheLimitTheAnswerIsNotProvedAndTheExitCodeZero) {
  write_random("open.csv", 24, 1.1);
  const Answer outcome = run({"open.csv"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("number of solutions: not proved (n = 24 is above the limit of 10"));
  EXPECT_THAT(outcome.out, HasSubstr("another number of solutions: not proved"));
  // What is proved stays proved: a dominant diagonal makes A a P-matrix of any size.
  write_random("dominant.csv", 24, 40.0);
  const json all = report({"dominant.csv"});
  EXPECT_EQ(all["classes"]["P"]["verdict"], "yes");
  EXPECT_EQ(all["solutions"]["verdict"], "one solution");
  EXPECT_EQ(all["lemke"]["status"], "solved");
  EXPECT_LT(all["lemke"]["residual"].get<double>(), 1e-9);
}

// A + r·B with B = −I: P until r reaches the least real zero of a minor. det of [2 − r, −1; 1, 3 − r] is
// r² − 5r + 7 > 0, so the diagonal decides: r = 2.
TEST_F(LcpCommandTest, SecondMatrixGivesTheFrontier) {
  io::write_file("A.csv", "2,-1\n1,3\n");
  io::write_file("minus.csv", "-1,0\n0,-1\n");
  io::write_file("plus.csv", "1,0\n0,1\n");
  io::write_file("not_p.csv", "-1,0\n0,1\n");
  const json found = report({"A.csv", "--second", "minus.csv"});
  EXPECT_EQ(found["second"]["verdict"], "frontier");
  EXPECT_NEAR(found["second"]["r"].get<double>(), 2.0, 1e-9);
  EXPECT_EQ(found["second"]["indices"], json::parse("[1]"));
  EXPECT_EQ(report({"A.csv", "--second", "plus.csv"})["second"]["verdict"], "never");
  EXPECT_EQ(report({"not_p.csv", "--second", "plus.csv"})["second"]["verdict"], "not P at zero");
  EXPECT_THAT(run({"A.csv", "--second", "minus.csv"}).out, HasSubstr("A + r·B: P for 0 ≤ r < 2"));
  write_random("large.csv", 24, 40.0);
  io::write_file("large_B.mtx", "%%MatrixMarket matrix coordinate real general\n24 24 1\n1 1 -1\n");
  EXPECT_EQ(report({"large.csv", "--second", "large_B.mtx"})["second"]["verdict"], "not proved");
}

TEST_F(LcpCommandTest, BadInputExitsWithTwoAndSaysWhere) {
  io::write_file("good.csv", "1,2\n2,1\n");
  io::write_file("with_b.csv", "1,2,3\n2,1,3\n");
  io::write_file("nan.csv", "1,2,3\n4,nan,6\n");
  io::write_file("ragged.csv", "1,2,3\n4,5\n");
  io::write_file("wide.csv", "1,2,3,4\n5,6,7,8\n");
  io::write_file("short.yaml", "A: [[1, 2], [3, 4]]\nb: [1]\n");
  io::write_file("three.csv", "1\n2\n3\n");
  io::write_file("inf.mtx", "%%MatrixMarket matrix array real general\n1 1\ninf\n");
  io::write_file("larger.csv", "1,0,0\n0,1,0\n0,0,1\n");
  const struct {
    std::vector<std::string> words;
    const char *place, *text;
  } cases[] = {
      {{"nan.csv"}, "nan.csv:2:3: ", "finite"},
      {{"ragged.csv"}, "ragged.csv:2:1: ", "row 2 has 2 numbers"},
      {{"wide.csv"}, "wide.csv:1:1: ", "2 × 4"},
      {{"short.yaml"}, "short.yaml:2:4: ", "b has 1 numbers"},
      {{"inf.mtx"}, "inf.mtx:3:1: ", "finite"},
      {{"good.csv", "--b", "three.csv"}, "three.csv:1:1: ", "b has 3 numbers, A has 2 rows"},
      {{"with_b.csv", "--b", "three.csv"}, "with_b.csv:1:1: ", "b already"},
      {{"good.csv", "--second", "larger.csv"}, "larger.csv:1:1: ", "3 × 3, A is 2 × 2"},
      {{"good.csv", "--second", "with_b.csv"}, "with_b.csv:1:1: ", "without b"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(fmt::format("{}", one.place));
    const Answer outcome = run(one.words);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, StartsWith(std::string("enfold: ") + one.place));
    EXPECT_THAT(outcome.err, HasSubstr(one.text));
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(run({}).code, 2);
}

TEST_F(LcpCommandTest, AMissingFileExitsWithOne) {
  io::write_file("good.csv", "1,2\n2,1\n");
  EXPECT_EQ(run({"nowhere.csv"}).code, 1);
  EXPECT_EQ(run({"good.csv", "--b", "nowhere.csv"}).code, 1);
  EXPECT_EQ(run({"good.csv", "--second", "nowhere.csv"}).code, 1);
  EXPECT_EQ(run({"good.csv", "--json", "no-such-folder/x.json"}).code, 1);
}

}  // namespace
}  // namespace enfold::app
