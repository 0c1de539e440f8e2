// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/io/run_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "enfold/base/error.hpp"
#include "enfold/io/file.hpp"
#include "enfold/io/scenario_file.hpp"
#include "enfold/test/source_dir.hpp"

namespace enfold::io {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

sim::History demo_history() {
  sim::History h;
  h.names = {{"a.one"}, {"a.one", "a.two"}, {"x_m", "y_m", "phi_rad"}, {"vx_mps", "vy_mps", "omega_radps"}};
  for (int i = 0; i < 3; ++i) {
    sim::Sample s;
    s.time = 0.1 * i;
    for (VectorXd* v : {&s.x, &s.x_dot, &s.x_des, &s.x_dot_des})
      *v = VectorXd::Constant(3, std::sqrt(2.0 + i));
    for (VectorXd* v : {&s.theta, &s.omega, &s.tau}) *v = VectorXd::Constant(1, 1e-17 * i);
    for (VectorXd* v : {&s.lambda_N, &s.lambda_T, &s.gap, &s.slip, &s.offset})
      *v = VectorXd::Constant(2, -1.0 / 3.0);
    s.modes = {contact::ContactMode::kSlideMinus, contact::ContactMode::kRoll};
    s.p_matrix = i == 0 ? sim::Uniqueness::kUndecided : sim::Uniqueness::kUnique;
    s.min_minor = i == 0 ? std::nan("") : 0.25;
    s.lcp_solutions = i == 0 ? -1 : 1;
    s.alpha = s.alpha_des = VectorXd::Constant(i == 2 ? 1 : 2, 4.5);
    s.critical_contact = i - 1;
    s.saturated = i == 0;
    if (i > 0) s.A0 = (MatrixXd(2, 2) << 1, 2, 3, 4).finished();
    if (i > 0) s.A1 = -s.A0;
    h.samples.push_back(s);
  }
  h.events.push_back({0.1, "mode", "a.two", "roll", "slide-", "slip of 2 mm/s, \"fast\"", 0.0, 1e-3, 2.0});
  h.status = sim::RunStatus::kContactLost;
  h.message = "contact a.two opened";
  h.summary.max_lcp_residual = 1e-12;
  h.summary.contact_solves = 42;
  return h;
}

class RunFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(testing::TempDir()) /
            fmt::format("enfold-run-{}-{}", testing::UnitTest::GetInstance()->current_test_info()->name(),
                        testing::UnitTest::GetInstance()->random_seed());
    fs::remove_all(root_);
    yaml_ = scenario_to_yaml(read_scenario(test::source_dir() + "/scenarios/song2001-rotate.yaml"));
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const fs::path& folder) {
    write_run(folder, demo_history(), yaml_,
              {"0.1.0",
               "simulate",
               7,
               {{"row 7", "K_α = +10"}},
               {{"final_error_m", 0.1}},
               {{"c", "Fig. 4", "row 7", "1", "1.01", VerdictStatus::kUnderReading}}});
  }
  std::string damage(const std::string& file, const std::string& from, const std::string& to) {
    write(root_);
    std::string text = read_file(root_ / file);
    text.replace(text.find(from), from.size(), to);
    write_file(root_ / file, text);
    try {
      (void)read_history(root_);
    } catch (const IoError& error) {
      return error.what();
    }
    return "no error";
  }

  fs::path root_;
  std::string yaml_;
};

TEST_F(RunFolderTest, ColumnsStandInTheOrderOfTheDesign) {
  write(root_);
  const std::string text = read_file(root_ / "history.csv");
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "time_s,object.x_m,object.y_m,object.phi_rad,object.vx_mps,object.vy_mps,object.omega_radps,"
            "desired.x_m,desired.y_m,desired.phi_rad,desired.vx_mps,desired.vy_mps,desired.omega_radps,"
            "theta.a.one_rad,omega.a.one_radps,tau.a.one_Nm,"
            "lambda_N.a.one_N,lambda_T.a.one_N,gap.a.one_m,offset.a.one_m,slip.a.one_mps,mode.a.one,"
            "lambda_N.a.two_N,lambda_T.a.two_N,gap.a.two_m,offset.a.two_m,slip.a.two_mps,mode.a.two,"
            "model,p_matrix,min_minor,lcp_solutions,alpha.1_N,alpha.2_N,alpha_des.1_N,alpha_des.2_N,"
            "critical_contact,energy_J,contact_growth_1ps,saturated");
  EXPECT_THAT(text, HasSubstr(",slide-,"));
  EXPECT_THAT(text, HasSubstr(",rigid,,,,4.5,4.5,4.5,4.5,,0,,1\n"));
  EXPECT_THAT(text, HasSubstr(",rigid,1,0.25,1,4.5,,4.5,,a.two,0,,0\n"));
}

TEST_F(RunFolderTest, WritingTwiceGivesTheSameBytes) {
  write(root_ / "one");
  write(root_ / "two");
  write(root_ / "two");
  for (const char* file : {"run.json", "history.csv", "events.csv", "matrices.bin"}) {
    EXPECT_EQ(read_file(root_ / "one" / file), read_file(root_ / "two" / file)) << file;
  }
}

TEST_F(RunFolderTest, ReadsBackEveryNumberExactly) {
  write(root_);
  const sim::History want = demo_history();
  const sim::History got = read_history(root_);
  ASSERT_EQ(got.samples.size(), want.samples.size());
  for (std::size_t i = 0; i < want.samples.size(); ++i) {
    const sim::Sample& a = got.samples[i];
    const sim::Sample& b = want.samples[i];
    EXPECT_EQ(a.time, b.time);
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.x_dot_des, b.x_dot_des);
    EXPECT_EQ(a.tau, b.tau);
    EXPECT_EQ(a.slip, b.slip);
    EXPECT_EQ(a.modes, b.modes);
    EXPECT_EQ(a.p_matrix, b.p_matrix);
    EXPECT_EQ(a.lcp_solutions, b.lcp_solutions);
    EXPECT_EQ(a.alpha, b.alpha);
    EXPECT_EQ(a.critical_contact, b.critical_contact);
    EXPECT_EQ(a.saturated, b.saturated);
    ASSERT_EQ(a.A0.size(), b.A0.size());
    EXPECT_TRUE(a.A0 == b.A0 && a.A1 == b.A1);
  }
  ASSERT_EQ(got.events.size(), 1u);
  EXPECT_EQ(got.events[0].cause, want.events[0].cause);
  EXPECT_EQ(got.events[0].jump_lambda, 2.0);
  EXPECT_EQ(got.status, want.status);
  EXPECT_EQ(got.message, want.message);
  EXPECT_EQ(got.summary.contact_solves, 42);
}

TEST_F(RunFolderTest, RunJsonHoldsTheScenarioAndDescribesTheMatrices) {
  write(root_);
  const auto run = nlohmann::json::parse(read_file(root_ / "run.json"));
  EXPECT_EQ(parse_scenario(run.at("scenario").dump(), "run.json"), parse_scenario(yaml_, "yaml"));
  EXPECT_EQ(run.at("matrices").at("shape"), nlohmann::json({3, 2, 2, 2}));
  EXPECT_EQ(run.at("seed"), 7);
  EXPECT_EQ(run.at("status"), "contact_lost");
  EXPECT_EQ(run.at("summary").at("final_error_m"), 0.1);
  EXPECT_EQ(run.at("verdicts").at(0).at("verdict"), "reproduced_under_reading");
  EXPECT_EQ(fs::file_size(root_ / "matrices.bin"), 3u * 2u * 4u * sizeof(double));
}

TEST_F(RunFolderTest, ReplacesARunButNothingElse) {
  write(root_);
  fs::create_directories(root_ / "figures");
  write_file(root_ / "figures" / "old.svg", "old");
  write_file(root_ / "notes.txt", "mine");
  write(root_);
  EXPECT_FALSE(fs::exists(root_ / "figures"));
  EXPECT_EQ(read_file(root_ / "notes.txt"), "mine");
  fs::remove(root_ / "run.json");
  EXPECT_THROW(write(root_), IoError);
  EXPECT_TRUE(fs::exists(root_ / "history.csv"));
}

TEST_F(RunFolderTest, SystemErrorsAreIoErrors) {
  write_file(fs::path(testing::TempDir()) / "enfold-plain-file", "x");
  EXPECT_THROW(write(fs::path(testing::TempDir()) / "enfold-plain-file" / "run"), IoError);
  if (fs::exists("/dev/full")) {
    EXPECT_THROW(write_file("/dev/full", "x"), IoError);
  }
  EXPECT_THROW((void)read_history(root_), IoError);
}

TEST_F(RunFolderTest, DamagedFilesAreReportedWithColumnOrLine) {
  EXPECT_THAT(damage("history.csv", "gap.a.two_m", "gop.a.two_m"),
              HasSubstr("column 'gap.a.two_m' is missing"));
  EXPECT_THAT(damage("history.csv", "\n0.1,", "\nx.1,"),
              HasSubstr("history.csv:3: column 'time_s' holds 'x.1'"));
  EXPECT_THAT(damage("history.csv", "\n0.1,", "\n0.1,7,"),
              HasSubstr("history.csv:3: 41 values for 40 columns"));
  EXPECT_THAT(damage("history.csv", "slide-", "slide?"), HasSubstr("no contact mode"));
  EXPECT_THAT(damage("run.json", "{", ""), HasSubstr("run.json: the file is damaged"));
  write(root_);
  write_file(root_ / "matrices.bin", "short");
  EXPECT_THROW((void)read_history(root_), IoError);
}

TEST_F(RunFolderTest, SalvagingAWholeRunReadsTheSameAndFindsNoTrouble) {
  write(root_);
  const SalvagedRun run = salvage_run(root_);
  EXPECT_THAT(run.troubles, testing::IsEmpty());
  EXPECT_EQ(run.expected_samples, 3U);
  write_run(root_ / "again", run.history, yaml_, {});
  for (const char* file : {"history.csv", "events.csv", "matrices.bin"})
    EXPECT_EQ(read_file(root_ / "again" / file), read_file(root_ / file)) << file;
}

TEST_F(RunFolderTest, SalvageKeepsWhatStandsBeforeTheDamageAndSaysWhatIsMissing) {
  (void)damage("history.csv", "\n0.2,", "\n0.2,7,");
  SalvagedRun run = salvage_run(root_);
  EXPECT_EQ(run.history.samples.size(), 2U);
  EXPECT_EQ(run.history.samples[1].A0(1, 0), 3.0);  // matrices and events are whole
  EXPECT_EQ(run.history.events.size(), 1U);
  EXPECT_THAT(run.troubles, testing::ElementsAre(HasSubstr("history.csv:4: 41 values for 40 columns"),
                                                 HasSubstr("2 of 3 recorded instants")));

  (void)damage("history.csv", "gap.a.two_m", "gop.a.two_m");
  run = salvage_run(root_);
  EXPECT_EQ(run.history.samples.size(), 3U);
  EXPECT_TRUE(std::isnan(run.history.samples[0].gap[1]));
  EXPECT_EQ(run.history.samples[0].gap[0], -1.0 / 3.0);
  EXPECT_THAT(run.troubles, testing::ElementsAre(HasSubstr("column 'gap.a.two_m' is missing")));

  write(root_);
  fs::resize_file(root_ / "matrices.bin", 2 * 64 + 10);  // two samples of two 2 × 2 matrices, and a bit
  fs::remove(root_ / "events.csv");
  run = salvage_run(root_);
  EXPECT_EQ(run.history.samples[1].A0(0, 1), 2.0);
  EXPECT_EQ(run.history.samples[2].A0.size(), 0);
  EXPECT_THAT(run.troubles, testing::ElementsAre(HasSubstr("events.csv"),
                                                 HasSubstr("matrices.bin: 138 bytes, expected 192")));

  fs::remove(root_ / "history.csv");
  run = salvage_run(root_);
  EXPECT_TRUE(run.history.samples.empty());
  EXPECT_EQ(run.history.message, "contact a.two opened");

  (void)damage("run.json", "\"names\"", "\"nomes\"");
  EXPECT_THROW((void)salvage_run(root_), IoError);
  fs::remove(root_ / "run.json");
  EXPECT_THROW((void)salvage_run(root_), IoError);
}

TEST_F(RunFolderTest, SamplesOfTheWrongSizeAreRefused) {
  sim::History h = demo_history();
  h.samples[1].tau.resize(5);
  EXPECT_THROW(write_run(root_, h, yaml_, {}), InvalidArgument);
  EXPECT_FALSE(fs::exists(root_));
}

}  // namespace
}  // namespace enfold::io
