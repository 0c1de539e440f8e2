// SPDX-License-Identifier: BSD-3-Clause
// What the report page is made of. That it works is shown in a browser, by tests/browser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>

#include "enfold/base/error.hpp"
#include "enfold/io/file.hpp"
#include "enfold/io/run_folder.hpp"
#include "enfold/test/scenario_path.hpp"
#include "program_test.hpp"
#include "report/base64.hpp"
#include "report/report_page.hpp"
#include "report/report_run.hpp"
#include "report/thin_rows.hpp"

namespace enfold::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

std::vector<std::uint8_t> bytes_of(std::string_view base64_text) {
  std::vector<std::uint8_t> out;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : base64_text) {
    if (c == '=') break;
    const std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    group = (group << 6) | static_cast<std::uint32_t>(digits.find(c));
    if ((bits += 6) >= 8) out.push_back(static_cast<std::uint8_t>(group >> (bits -= 8)));
  }
  return out;
}

template <class Number>
std::vector<Number> numbers_of(const std::string& text) {
  const std::vector<std::uint8_t> bytes = bytes_of(text);
  std::vector<Number> out(bytes.size() / sizeof(Number));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(Number));
  return out;
}

TEST(Base64Test, AnswersTheVectorsOfRfc4648AndUndoesItself) {
  const auto encoded = [](const std::string& text) {
    return base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  };
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foob"), "Zm9vYg==");
  EXPECT_EQ(encoded("fooba"), "Zm9vYmE=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  std::vector<double> numbers;
  for (int i = -40; i < 40; ++i) numbers.push_back(std::exp(i) * std::sin(i));
  EXPECT_EQ(numbers_of<double>(base64_of(std::span<const double>(numbers))), numbers);
}

/// How far the rows left out are from straight lines, found without the thinner.
double measured_deviation(const RunTable& table, const std::vector<std::size_t>& rows) {
  double worst = 0.0;
  for (const Column& column : table.columns) {
    const auto [low, high] = std::minmax_element(column.values.begin(), column.values.end());
    for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
      for (std::size_t k = rows[r]; k < rows[r + 1]; ++k) {
        const double part =
            (table.time[k] - table.time[rows[r]]) / (table.time[rows[r + 1]] - table.time[rows[r]]);
        const double line = std::lerp(column.values[rows[r]], column.values[rows[r + 1]], part);
        worst = std::max(worst, std::abs(column.values[k] - line) / (*high - *low));
      }
    }
  }
  return worst;
}

RunTable waves(std::size_t n) {
  RunTable table;
  table.columns = {{"smooth", {}}, {"spike", {}}};
  table.states = {{"state", {}}};
  for (std::size_t k = 0; k < n; ++k) {
    const double t = 1e-3 * static_cast<double>(k);
    table.time.push_back(t);
    table.columns[0].values.push_back(std::sin(3.0 * t) + 0.1 * std::sin(40.0 * t));
    table.columns[1].values.push_back(k == 777 ? 5.0 : 0.0);
    table.states[0].values.push_back(k >= 1234 && k < 1300 ? 1 : 0);
  }
  return table;
}

TEST(ThinRowsTest, KeepsEverythingThatFits) {
  const ThinnedRows all = thin_rows(waves(50), 50);
  EXPECT_EQ(all.rows.size(), 50U);
  EXPECT_EQ(all.deviation, 0.0);
}

TEST(ThinRowsTest, KeepsSpikesAndChangesOfStateAndTellsItsError) {
  const RunTable table = waves(4000);
  const ThinnedRows thinned = thin_rows(table, 300);
  EXPECT_LE(thinned.rows.size(), 300U);
  EXPECT_EQ(thinned.rows.front(), 0U);
  EXPECT_EQ(thinned.rows.back(), 3999U);
  for (const std::size_t row : {776U, 777U, 778U, 1233U, 1234U, 1299U, 1300U})
    EXPECT_THAT(thinned.rows, testing::Contains(row));
  EXPECT_NEAR(thinned.deviation, measured_deviation(table, thinned.rows), 1e-12);
  EXPECT_LT(thinned.deviation, 1e-2);
  // Every other row would be far worse.
  std::vector<std::size_t> even;
  for (std::size_t k = 0; k < 300; ++k) even.push_back(k * 3999 / 299);
  EXPECT_GT(measured_deviation(table, even), 10.0 * thinned.deviation);
  EXPECT_EQ(thin_rows(table, 300).rows, thinned.rows);
}

TEST(ThinRowsTest, NumbersThatAppearAndVanishKeepTheirEnds) {
  RunTable table = waves(4000);
  for (std::size_t k = 0; k < 4000; ++k)
    if (k < 100 || (k >= 2000 && k < 2500)) table.columns[1].values[k] = std::nan("");
  const ThinnedRows thinned = thin_rows(table, 200);
  for (const std::size_t row : {99U, 100U, 1999U, 2000U, 2499U, 2500U})
    EXPECT_THAT(thinned.rows, testing::Contains(row));
  EXPECT_LT(thinned.deviation, 0.05);
}

class ReportTest : public ProgramTest {
 protected:
  static Answer enfold(std::vector<std::string> words) { return run_program(std::move(words)); }
  static void simulate(const std::string& scenario, const std::string& out,
                       std::vector<std::string> more = {}) {
    std::vector<std::string> words = {
        "simulate", test::scenario_path(scenario).string(), "--no-figures", "--no-report", "--quiet", "--out",
        out};
    words.insert(words.end(), more.begin(), more.end());
    const Answer answer = enfold(words);
    ASSERT_EQ(answer.code, 0) << answer.err;
  }
  static std::vector<float> column(const Json& run, const std::string& name) {
    for (const Json& one : run["columns"]) {
      if (one["name"] != name) continue;
      if (one.contains("f32")) return numbers_of<float>(one["f32"].get<std::string>());
      return std::vector<float>(run["rows"]["shown"].get<std::size_t>(), one["constant"].get<float>());
    }
    return {};
  }
};

TEST_F(ReportTest, OneFileWithoutReferencesWithinThreeMegabytes) {
  simulate("song2001-translate", "run");
  const Answer answer = enfold({"report", "run"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("run/report.html"));
  const std::string page = io::read_file("run/report.html");
  EXPECT_LT(page.size(), 3'000'000U);
  EXPECT_THAT(page, Not(testing::ContainsRegex("<(script|img|link|iframe)[^>]* (src|href)=\"[^d]")));
  EXPECT_THAT(page, Not(HasSubstr("<link rel=\"stylesheet\"")));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, HasSubstr("dygraphs"));
  EXPECT_THAT(page, Not(HasSubstr("sourceMappingURL")));
  EXPECT_THAT(page, Not(HasSubstr("\nexport ")));
  EXPECT_THAT(page, Not(HasSubstr("\nimport ")));
  EXPECT_EQ(report_page(std::vector<fs::path>{"run"}), page);  // same run, same bytes
}

TEST_F(ReportTest, SimulateLeavesAPageUnlessToldNotTo) {
  simulate("classic-block-slips", "without");
  EXPECT_FALSE(fs::exists("without/report.html"));
  const Answer answer = enfold(
      {"simulate", test::scenario_path("classic-block-slips").string(), "--no-figures", "--out", "with"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_TRUE(fs::exists("with/report.html"));
  EXPECT_THAT(answer.out, HasSubstr("with/report.html"));
}

TEST_F(ReportTest, NumbersAreThoseOfTheRun) {
  simulate("song2001-rotate", "run");
  const sim::History history = io::read_history("run");
  const Json run = report_run("run", 2'000'000);
  EXPECT_TRUE(run["missing"].empty()) << run["missing"];
  EXPECT_EQ(run["rows"]["shown"], 1001);
  EXPECT_EQ(run["rows"]["deviation"], 0.0);
  const std::vector<double> time = numbers_of<double>(run["time"]);
  const std::vector<float> error = column(run, "error.phi_rad");
  const std::vector<float> envelope = column(run, "envelope.phi_rad");
  const std::vector<float> use = column(run, "use.left.distal");
  const std::vector<float> normal = column(run, "lambda_N.left.distal_N");
  const std::vector<double> matrices = numbers_of<double>(run["matrices"]["f64"]);
  ASSERT_EQ(matrices.size(), 1001U * 32U);
  for (std::size_t k = 0; k < 1001; k += 50) {
    const sim::Sample& s = history.samples[k];
    EXPECT_EQ(time[k], s.time);
    EXPECT_FLOAT_EQ(error[k], static_cast<float>(s.x_des[2] - s.x[2]));
    // One degree at rest with a double pole at −10: (1 + 10 t) e^(−10 t). [eq:error-dynamics]
    EXPECT_NEAR(envelope[k], std::numbers::pi / 180.0 * (1.0 + 10.0 * s.time) * std::exp(-10.0 * s.time),
                1e-8);
    EXPECT_FLOAT_EQ(normal[k], static_cast<float>(s.lambda_N[1]));
    EXPECT_NEAR(use[k], 1.0, 1e-6);  // it slides
    EXPECT_EQ(matrices[32 * k + 6], s.A0(1, 2));
    EXPECT_EQ(matrices[32 * k + 16 + 13], s.A1(3, 1));
  }
  for (const float floor : column(run, "floor.right.distal_N")) EXPECT_EQ(floor, 0.5F);
}

// The contact point is on the outline's ellipse, and the link touches it: two routes to the picture.
TEST_F(ReportTest, FeetLieOnTheLinksAndOnTheObject) {
  simulate("song2001-rotate", "run");
  const Json run = report_run("run", 2'000'000);
  const auto value = [&](const std::string& name, std::size_t k) {
    return static_cast<double>(column(run, name)[k]);
  };
  for (const std::size_t k : {0U, 400U, 1000U}) {
    for (const std::string contact : {"left.proximal", "left.distal", "right.proximal", "right.distal"}) {
      const double x = value("foot." + contact + ".x", k);
      const double y = value("foot." + contact + ".y", k);
      const double phi = value("object.phi_rad", k);
      const double dx = x - value("object.x_m", k);
      const double dy = y - value("object.y_m", k);
      const double u = (std::cos(phi) * dx + std::sin(phi) * dy) / 0.15;
      const double v = (-std::sin(phi) * dx + std::cos(phi) * dy) / 0.11;
      EXPECT_NEAR(u * u + v * v, 1.0, 1e-5) << contact;
      const double angle = value("link." + contact + ".angle", k);
      const double lx = x - value("link." + contact + ".x", k);
      const double ly = y - value("link." + contact + ".y", k);
      EXPECT_NEAR(-std::sin(angle) * lx + std::cos(angle) * ly, 0.0, 1e-6) << contact;
      EXPECT_GT(std::cos(angle) * lx + std::sin(angle) * ly, 0.0) << contact;
    }
  }
}

// A curved link is a circular arc through joint, tip, and the point that stands out by the bulge.
TEST_F(ReportTest, CurvedLinksAreArcs) {
  simulate("song2001-rotate", "run");
  std::string json = io::read_file("run/run.json");
  const std::string key = "\"bulge_m\": 0";
  json.replace(json.find(key), key.size(), "\"bulge_m\": 0.03");
  io::write_file("run/run.json", json);
  const Json run = report_run("run", 2'000'000);
  ASSERT_TRUE(run.contains("scene")) << run["missing"];
  const Json& straight = run["scene"]["links"][1]["centreline"];
  EXPECT_EQ(straight.dump(), "[[0.0,0.0],[0.2,0.0]]");
  const Json& arc = run["scene"]["links"][0]["centreline"];
  const double sagitta = -0.03;  // the object is to the right of the left arm
  const double radius = (0.1 * 0.1 + 0.03 * 0.03) / (2.0 * 0.03);
  EXPECT_NEAR(arc[arc.size() / 2][1].get<double>(), sagitta, 1e-12);
  for (const Json& p : arc)
    EXPECT_NEAR(std::hypot(p[0].get<double>() - 0.1, p[1].get<double>() - sagitta - radius), radius, 1e-12);
}

TEST_F(ReportTest, LargerRunsAreThinnedAndSaySo) {
  simulate("song2001-rotate-noise", "run");
  const Json whole = report_run("run", 2'000'000);
  const Json thin = report_run("run", 300'000);
  EXPECT_EQ(thin["rows"]["recorded"], 1001);
  const auto shown = thin["rows"]["shown"].get<std::size_t>();
  EXPECT_LT(shown, 600U);
  EXPECT_GE(shown, 200U);
  EXPECT_GT(thin["rows"]["deviation"].get<double>(), 0.0);
  EXPECT_LT(thin.dump().size(), whole.dump().size() / 2);
}

TEST_F(ReportTest, ASceneWithoutAHandHasItsPlanesAndNoDesiredPose) {
  simulate("classic-rocking-block", "run");
  const Json run = report_run("run", 2'000'000);
  EXPECT_TRUE(run["missing"].empty()) << run["missing"];
  EXPECT_EQ(run["scene"]["outline"].size(), 4U);
  EXPECT_EQ(run["scene"]["planes"].size(), 1U);
  EXPECT_TRUE(run["scene"]["links"].empty());
  EXPECT_FALSE(run.contains("audit"));
  EXPECT_TRUE(column(run, "desired.x_m").empty());
  EXPECT_FALSE(column(run, "foot.left.x").empty());
}

TEST_F(ReportTest, TextOfTheScenarioStaysText) {
  // The reader of scenarios takes no such name; a run folder may come from anywhere.
  std::string scenario = io::read_file(test::scenario_path("classic-block-slips"));
  const auto shows = scenario.find("shows: ");
  scenario.replace(shows, scenario.find('\n', shows) - shows,
                   "shows: \"<img src=x onerror=alert(2)> {{data}}\"");
  io::write_file("mean.yaml", scenario);
  ASSERT_EQ(enfold({"simulate", "mean.yaml", "--no-figures", "--quiet", "--out", "<b>run"}).code, 0);
  std::string json = io::read_file("<b>run/run.json");
  const std::string name = "\"name\": \"classic-block-slips\"";
  json.replace(json.find(name), name.size(), R"("name": "</script><script>alert(1)</script><!-- &")");
  io::write_file("<b>run/run.json", json);
  const Answer answer = enfold({"report", "<b>run"});
  ASSERT_EQ(answer.code, 0) << answer.err;
  const std::string page = io::read_file("<b>run/report.html");
  for (const char* markup : {"<script>alert", "<img src=x", "<b>run", "<!-- &"})
    EXPECT_THAT(page, Not(HasSubstr(markup)));
  EXPECT_THAT(page, HasSubstr("<title>&lt;/script&gt;&lt;script&gt;alert(1)"));
  std::size_t elements = 0;
  for (auto at = page.find("</script"); at != std::string::npos; at = page.find("</script", at + 1))
    ++elements;
  EXPECT_EQ(elements, 3U);
}

TEST_F(ReportTest, DamagedFoldersGiveAPageThatSaysSoOrExitOne) {
  EXPECT_EQ(enfold({"report", "nowhere"}).code, 1);
  simulate("song2001-rotate", "run");
  fs::resize_file("run/history.csv", 300'000);
  fs::remove("run/events.csv");
  fs::resize_file("run/matrices.bin", 1000);
  Answer answer = enfold({"report", "run"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  const std::string missing = report_run("run", 2'000'000)["missing"].dump();
  for (const char* file : {"history.csv", "events.csv", "matrices.bin", "of 1001 recorded instants"})
    EXPECT_THAT(missing, HasSubstr(file));

  fs::remove("run/history.csv");
  EXPECT_EQ(enfold({"report", "run"}).code, 0);
  std::string run_json = io::read_file("run/run.json");
  io::write_file("run/run.json", run_json.substr(0, 400));
  answer = enfold({"report", "run"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("run.json: the file is damaged"));
  // A scenario that can't be read, e.g. of a later version, costs the picture only.
  run_json.replace(run_json.find("\"ellipse\""), 9, "\"potato\"");
  io::write_file("run/run.json", run_json);
  EXPECT_EQ(enfold({"report", "run"}).code, 0);
  EXPECT_THAT(report_run("run", 2'000'000)["missing"].dump(), HasSubstr("potato"));
}

TEST_F(ReportTest, APlanHasAPageAndSaysThatItIsNoRun) {
  ASSERT_EQ(
      enfold({"plan", test::scenario_path("song2001-rotate").string(), "--quiet", "--out", "plan"}).code, 0);
  EXPECT_EQ(enfold({"report", "plan"}).code, 0);
  EXPECT_THAT(report_run("plan", 2'000'000)["missing"].dump(), HasSubstr("was not simulated"));
}

TEST_F(ReportTest, SeveralRunsGoOverEachOther) {
  simulate("song2001-rotate", "one");
  simulate("song2001-rotate", "two", {"--set", "controller.Kp=25", "--set", "controller.Kv=10"});
  const Answer answer = enfold({"report", "one", "two", "--out", "both.html"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  const std::string page = io::read_file("both.html");
  EXPECT_LT(page.size(), 3'000'000U);
  EXPECT_THAT(page, HasSubstr("<title>one · two"));  // one scenario: told apart by their folders
  EXPECT_EQ(enfold({"report", "one", "nowhere"}).code, 1);
  EXPECT_EQ(enfold({"report"}).code, 2);
}

}  // namespace
}  // namespace enfold::app
