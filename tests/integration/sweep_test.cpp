// SPDX-License-Identifier: BSD-3-Clause
// Studies as a user meets them: the same results for any number of threads or processes, nothing lost, clear
// errors, and answers that can be checked.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "enfold/base/counter_random.hpp"
#include "enfold/io/file.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/test/scenario_path.hpp"
#include "enfold/test/source_dir.hpp"

namespace enfold::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Answer {
  int code = -1;
  std::string out, err;
};

/// A twentieth of a second of Example 1: what a study of thousands does, only cheaper.
constexpr const char* kShort =
    "set: [simulation.model=rigid, simulation.duration_s=0.05, simulation.record_hz=200, "
    "planner.sample_hz=20]\n";
constexpr const char* kParameters =
    "parameters:\n"
    "- {name: mu, keys: [contacts.left.proximal.mu, contacts.right.distal.mu], uniform: [0.02, 0.12]}\n"
    "- {name: force_noise, key: noise.force, uniform: [0, 0.2]}\n"
    "- {name: offset_deg, key: task.start.phi_deg, normal: {mean: 70, sd: 0.5}}\n";

class SweepTest : public testing::Test {
 protected:
  void SetUp() override {
    home_ = fs::current_path();
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::temp_directory_path() / fmt::format("enfold-sweep-{}-{}", getpid(), info->name());
    fs::create_directories(root_);
    fs::current_path(root_);
    fs::copy_file(test::scenario_path("song2001-rotate"), "rotate.yaml");
    fs::copy_file(test::scenario_path("song2001-translate"), "translate.yaml");
  }
  void TearDown() override {
    fs::current_path(home_);
    fs::remove_all(root_);
  }

  /// Starts `sh -c command` with enfold on its path and its output in files.
  static pid_t start(const std::string& command) {
    const pid_t child = fork();
    if (child != 0) return child;
    const fs::path program(ENFOLD_PROGRAM);
    const char* const path = std::getenv("PATH");
    setenv("PATH",
           (program.parent_path().string() + ":" + (path == nullptr ? "/usr/bin:/bin" : path)).c_str(), 1);
    // As root, and with more ranks than cores, Open MPI asks to be told that this is meant.
    for (const char* name : {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                             "OMPI_MCA_rmaps_base_oversubscribe", "OMPI_MCA_mpi_yield_when_idle"})
      setenv(name, "1", 1);
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1);  // containers forbid it, noisily
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);                    // those of the MPI library
    setpgid(0, 0);
    for (const auto& [file, fd] : {std::pair{"stdout.txt", 1}, std::pair{"stderr.txt", 2}}) {
      const int to = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
      dup2(to, fd);
      close(to);
    }
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
    _exit(127);
  }

  static Answer finish(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), io::read_file("stdout.txt"),
            io::read_file("stderr.txt")};
  }

  static Answer run(const std::string& command) { return finish(start(command)); }

  static void write_study(const std::string& file, const std::string& rest,
                          const std::string& scenario = "rotate.yaml",
                          const std::string& parameters = kParameters, const std::string& set = kShort) {
    io::write_file(
        file, fmt::format("enfold_study: 1\nname: s\nscenario: {}\n{}{}{}", scenario, set, parameters, rest));
  }

  /// Everything that must not depend on how a study was run.
  static std::map<std::string, std::string> results(const fs::path& folder) {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (entry.is_regular_file() && name != "cost.csv" && name != "report.html" && name != "results.log")
        out[name] = io::read_file(entry.path());
    }
    return out;
  }

  static std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  /// Cells of a table without quotes around commas.
  static std::vector<std::map<std::string, std::string>> table(const fs::path& file) {
    std::vector<std::map<std::string, std::string>> rows;
    std::vector<std::string> names;
    std::istringstream in(io::read_file(file));
    for (std::string line; std::getline(in, line);) {
      std::vector<std::string> cells;
      std::string cell;
      bool quoted = false;
      for (const char c : line) {
        if (c == '"') {
          quoted = !quoted;
        } else if (c == ',' && !quoted) {
          cells.push_back(std::exchange(cell, {}));
        } else {
          cell += c;
        }
      }
      cells.push_back(cell);
      if (names.empty()) {
        names = cells;
        continue;
      }
      rows.emplace_back();
      for (std::size_t i = 0; i < cells.size(); ++i) rows.back()[names.at(i)] = cells[i];
    }
    return rows;
  }

  fs::path home_, root_;
};

const std::string kRest =
    "vary_noise: true\nsampler: {type: sobol, samples: 64}\nsuccess: smallest_normal_N > 0.3\n"
    "objective: {maximize: smallest_normal_N}\noutputs: [largest_torque_Nm]\nmaps: [[mu, offset_deg]]\n";

TEST_F(SweepTest, ResultsDoNotDependOnTheNumberOfThreads) {
  write_study("s.yaml", kRest);
  const int samples = test::count(48, 10'000);
  const auto sweep = [&](int threads) {
    const Answer answer = run(fmt::format(
        "enfold sweep s.yaml --samples {} --no-figures --threads {} --out t{}", samples, threads, threads));
    EXPECT_EQ(answer.code, 0) << answer.err;
    return results(fmt::format("t{}", threads));
  };
  const auto one = sweep(1);
  EXPECT_EQ(lines(one.at("samples.csv")), static_cast<std::size_t>(samples) + 1);
  EXPECT_GE(one.size(), 6U);
  EXPECT_EQ(sweep(2), one);
  EXPECT_EQ(sweep(7), one);
}

TEST_F(SweepTest, ProcessesUnderMpirunGiveTheSameResults) {
  if (std::string(ENFOLD_MPIRUN).empty()) GTEST_SKIP() << "built without MPI";
  write_study("s.yaml", kRest);
  const int samples = test::count(48, 10'000);
  const std::string command = fmt::format("enfold sweep s.yaml --samples {} --no-figures", samples);
  ASSERT_EQ(run(command + " --out threads").code, 0);
  for (const int ranks : {2, 3}) {
    const Answer answer = run(fmt::format("{} -n {} {} --out ranks{}", ENFOLD_MPIRUN, ranks, command, ranks));
    ASSERT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(results(fmt::format("ranks{}", ranks)), results("threads")) << ranks;
    EXPECT_EQ(lines(answer.out), lines(io::read_file("stdout.txt")));
    EXPECT_THAT(answer.out, HasSubstr(fmt::format("s: {} samples", samples)));
  }
}

TEST_F(SweepTest, ErrorsUnderMpirunAreSaidOnce) {
  if (std::string(ENFOLD_MPIRUN).empty()) GTEST_SKIP() << "built without MPI";
  const Answer answer = run(fmt::format("{} -n 3 enfold sweep missing.yaml", ENFOLD_MPIRUN));
  EXPECT_EQ(answer.code, 1) << answer.err;
  const std::size_t first = answer.err.find("can't read 'missing.yaml'");
  ASSERT_NE(first, std::string::npos) << answer.err;
  EXPECT_EQ(answer.err.find("can't read 'missing.yaml'", first + 1), std::string::npos);
}

// The process is killed ten times at random moments; each time the same command goes on.
TEST_F(SweepTest, AKilledStudyGoesOnAndEndsWithTheSameTable) {
  write_study("s.yaml", kRest);
  const int samples = test::count(400, 4000);
  const std::string command = fmt::format("enfold sweep s.yaml --samples {} --no-figures", samples);
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(run(command + " --out whole").code, 0);
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - begin;
  const CounterRandom random(20261118, 0);
  int killed = 0;
  for (std::uint64_t k = 0; k < 10; ++k) {
    const pid_t child = start(command + " --out killed");
    std::this_thread::sleep_for(whole * (0.15 * random.uniform(k)));
    kill(child, SIGKILL);
    killed += finish(child).code == 128 + SIGKILL ? 1 : 0;
  }
  EXPECT_GT(killed, 5);
  const Answer last = run(command + " --out killed");
  EXPECT_EQ(last.code, 0) << last.err;
  EXPECT_THAT(last.out, HasSubstr("samples are there already"));
  EXPECT_EQ(results("killed"), results("whole"));
}

/// The process that mpirun started as a rank, or 0.
pid_t rank_process(pid_t mpirun, int rank) {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    try {
      const std::string stat = io::read_file(entry.path() / "stat");
      const std::string after = stat.substr(stat.rfind(')') + 4);
      if (std::stol(after) != mpirun) continue;
      const std::string environment = io::read_file(entry.path() / "environ");
      if (environment.find(fmt::format("OMPI_COMM_WORLD_RANK={}", rank) + '\0') != std::string::npos)
        return static_cast<pid_t>(std::stol(name));
    } catch (const std::exception&) {
      continue;  // it has just ended
    }
  }
  return 0;
}

TEST_F(SweepTest, ARankThatDiesTakesNoFinishedRunWithIt) {
  if (std::string(ENFOLD_MPIRUN).empty()) GTEST_SKIP() << "built without MPI";
  write_study("s.yaml", kRest);
  const std::string command =
      fmt::format("enfold sweep s.yaml --samples {} --no-figures", test::count(300, 4000));
  const pid_t mpirun = start(fmt::format("{} -n 2 {} --out ranks", ENFOLD_MPIRUN, command));
  const fs::path log = "ranks/results.log";
  std::error_code none;
  for (int i = 0; i < 6000 && (!fs::exists(log) || fs::file_size(log, none) < 4000); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const pid_t victim = rank_process(mpirun, 1);
  ASSERT_GT(victim, 0) << io::read_file("stderr.txt");
  kill(victim, SIGKILL);
  const Answer answer = finish(mpirun);
  EXPECT_NE(answer.code, 0);
  EXPECT_GE(fs::file_size(log), 4000U);
  const Answer resumed = run(command + " --out ranks");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("samples are there already"));
  ASSERT_EQ(run(command + " --out whole").code, 0);
  EXPECT_EQ(results("ranks"), results("whole"));
}

TEST_F(SweepTest, InterruptEndsCleanlyAndTheSameCommandGoesOn) {
  write_study("s.yaml", kRest);
  const std::string command = "enfold sweep s.yaml --samples 3000 --no-figures --out o";
  const pid_t child = start(command);
  for (int i = 0; i < 3000 && !(fs::exists("o/results.log") && fs::file_size("o/results.log") > 3000); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(child, SIGINT);
  const Answer answer = finish(child);
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("the same command goes on"));
  EXPECT_GT(lines(io::read_file("o/samples.csv")), 1U);
}

/// What a program writes to standard error if that is a terminal; it is interrupted once `enough` has come.
std::string on_terminal(const std::string& command, const std::string& enough) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  EXPECT_EQ(grantpt(master), 0);
  EXPECT_EQ(unlockpt(master), 0);
  const std::string slave = ptsname(master);
  const pid_t child = fork();
  if (child == 0) {
    const int terminal = open(slave.c_str(), O_RDWR);
    const int nothing = open("/dev/null", O_RDWR);
    dup2(terminal, 2);
    dup2(nothing, 1);
    execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
    _exit(127);
  }
  std::string seen;
  char buffer[4096];
  for (ssize_t got = 1; got > 0 && seen.find(enough) == std::string::npos;) {
    got = read(master, buffer, sizeof buffer);
    if (got > 0) seen.append(buffer, static_cast<std::size_t>(got));
  }
  kill(child, SIGINT);
  waitpid(child, nullptr, 0);
  close(master);
  return seen;
}

TEST_F(SweepTest, ATerminalSeesRateAndTimeLeft) {
  write_study("s.yaml", kRest);
  const std::string seen = on_terminal(
      fmt::format("{} sweep s.yaml --samples 200000 --no-figures --out o", ENFOLD_PROGRAM), " left");
  EXPECT_THAT(seen, testing::ContainsRegex(
                        "sampling \\[[#.]*\\] +[0-9]+ % [0-9]+ of 200000, [0-9]+/s, [0-9a-z ]+ left"));
}

TEST_F(SweepTest, AFullDiskLosesNothing) {
  write_study("s.yaml", kRest);
  const std::string command = "enfold sweep s.yaml --no-figures";
  // 8 blocks of 1024 or 512 bytes, by shell.
  const Answer full = run("sh -c 'ulimit -f 8; exec " + command + " --out full'");
  EXPECT_EQ(full.code, 1);
  EXPECT_THAT(full.err,
              AllOf(HasSubstr("File too large"), HasSubstr("results are safe"), HasSubstr("to go on")));
  const Answer resumed = run(command + " --out full");
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("of 64 samples are there already"));
  ASSERT_EQ(run(command + " --out whole").code, 0);
  EXPECT_EQ(results("full"), results("whole"));
}

TEST_F(SweepTest, ADamagedLogIsMended) {
  write_study("s.yaml", kRest);
  const std::string command = "enfold sweep s.yaml --no-figures --out o";
  ASSERT_EQ(run(command).code, 0);
  const auto before = results("o");
  std::string bytes = io::read_file("o/results.log");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  io::write_file("o/results.log", bytes);
  const Answer answer = run(command);
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("damaged bytes are left out"));
  EXPECT_THAT(answer.out, HasSubstr("63 of 64 samples are there already"));
  EXPECT_EQ(results("o"), before);
}

TEST_F(SweepTest, ALongerStudyKeepsWhatIsThere) {
  write_study("s.yaml", kRest);
  ASSERT_EQ(run("enfold sweep s.yaml --samples 20 --no-figures --out a").code, 0);
  const Answer longer = run("enfold sweep s.yaml --samples 40 --no-figures --out a");
  EXPECT_THAT(longer.out, HasSubstr("20 of 40 samples are there already"));
  ASSERT_EQ(run("enfold sweep s.yaml --samples 40 --no-figures --out b").code, 0);
  EXPECT_EQ(results("a"), results("b"));
  const Answer shorter = run("enfold sweep s.yaml --samples 10 --no-figures --out a");
  EXPECT_EQ(shorter.code, 0);
  EXPECT_EQ(lines(io::read_file("a/samples.csv")), 11U);
}

TEST_F(SweepTest, TheWorstSampleIsReplayedExactlyByItsCommand) {
  write_study("s.yaml", kRest);
  ASSERT_EQ(run("enfold sweep s.yaml --samples 24 --no-figures --out o").code, 0);
  const auto ranking = table("o/ranking.csv");
  const auto samples = table("o/samples.csv");
  ASSERT_GE(ranking.size(), 20U);
  std::set<std::string> checked;
  for (const std::size_t row : {std::size_t{0}, ranking.size() - 2}) {
    const auto& sample = samples.at(std::stoul(ranking[row].at("sample")));
    ASSERT_EQ(run(ranking[row].at("command") + " --no-figures --out again").code, 0)
        << ranking[row].at("command");
    const json summary = json::parse(io::read_file("again/run.json")).at("summary");
    for (const char* name : {"smallest_normal_N", "largest_torque_Nm", "final_error.phi_rad"}) {
      EXPECT_EQ(summary.at(name).get<double>(), std::stod(sample.at(name))) << name;  // bit for bit
      checked.insert(sample.at(name));
    }
  }
  EXPECT_EQ(checked.size(), 6U);
}

const std::string kHand =
    "parameters:\n"
    "- {name: palm_m, uniform: [0.05, 0.2]}\n"
    "- {name: distal_m, keys: [arms.left.links.distal.length_m, arms.right.links.distal.length_m], uniform: "
    "[0.1, 0.3]}\n"
    "derived: {arms.left.base_m.0: -palm_m/2, arms.right.base_m.0: palm_m/2}\n";

// The naive study runs every level of every sample: the same survivors, at the full price.
TEST_F(SweepTest, TheHierarchyHasTheSameSurvivorsAndRunsFewerTests) {
  write_study(
      "s.yaml",
      "sampler: {type: sobol, samples: 1}\nhierarchy: [geometry, audit, lp, p_test, rigid, compliant]\n"
      "success: smallest_normal_N > 0\nobjective: {maximize: friction_margin}\n",
      "translate.yaml", kHand,
      "set: [simulation.duration_s=0.1, simulation.record_hz=100, planner.sample_hz=50]\n");
  const int samples = test::count(64, 2000);
  ASSERT_EQ(run(fmt::format("enfold sweep s.yaml --samples {} --no-figures --out h", samples)).code, 0);
  ASSERT_EQ(run(fmt::format("enfold sweep s.yaml --samples {} --no-figures --naive --out n", samples)).code,
            0);
  const auto quick = table("h/samples.csv");
  const auto naive = table("n/samples.csv");
  ASSERT_EQ(quick.size(), static_cast<std::size_t>(samples));
  int survivors = 0;
  std::set<std::string> levels;
  for (std::size_t i = 0; i < quick.size(); ++i) {
    EXPECT_EQ(quick[i].at("success"), naive[i].at("success")) << i;
    EXPECT_EQ(quick[i].at("fell_at"), naive[i].at("fell_at")) << i;
    EXPECT_EQ(quick[i].at("reason"), naive[i].at("reason")) << i;
    survivors += quick[i].at("success") == "1" ? 1 : 0;
    levels.insert(quick[i].at("fell_at"));
    if (quick[i].at("fell_at") != "") {
      EXPECT_NE(quick[i].at("reason"), "");
    }
  }
  EXPECT_GT(survivors, 0);
  EXPECT_TRUE(levels.contains("geometry"));
  EXPECT_TRUE(levels.contains("p_test"));
  const json answers = json::parse(io::read_file("h/study.json"));
  std::uint64_t reached = static_cast<std::uint64_t>(samples);
  for (const json& level : answers.at("levels")) {
    EXPECT_EQ(level.at("reached").get<std::uint64_t>(), reached);
    reached -= level.at("fell").get<std::uint64_t>();
  }
  EXPECT_EQ(reached, static_cast<std::uint64_t>(survivors));
  // At least half of the dear runs are not made.
  EXPECT_LE(answers.at("levels").at(4).at("reached").get<int>(), samples / 2);
  const json all = json::parse(io::read_file("n/study.json"));
  for (const json& level : all.at("levels")) EXPECT_EQ(level.at("reached").get<int>(), samples);
}

TEST_F(SweepTest, AnswersAgreeWithTheTable) {
  write_study("s.yaml", kRest);
  ASSERT_EQ(run("enfold sweep s.yaml --out o").code, 0);
  const auto samples = table("o/samples.csv");
  const json answers = json::parse(io::read_file("o/study.json"));
  int successes = 0;
  double sum = 0.0;
  double worst = 1e9;
  for (const auto& sample : samples) {
    const bool good = std::stod(sample.at("smallest_normal_N")) > 0.3;
    EXPECT_EQ(sample.at("success"), good ? "1" : "0");
    if (!good) {
      EXPECT_THAT(sample.at("reason"), HasSubstr("not smallest_normal_N > 0.3"));
    }
    successes += good ? 1 : 0;
    sum += std::stod(sample.at("largest_torque_Nm"));
    worst = std::min(worst, std::stod(sample.at("smallest_normal_N")));
  }
  EXPECT_EQ(answers.at("successes").get<int>(), successes);
  EXPECT_NEAR(answers.at("outputs").at("largest_torque_Nm").at("mean").get<double>(), sum / 64.0, 1e-12);
  EXPECT_EQ(answers.at("worst").at(0).at("objective").get<double>(), worst);
  int tried = 0;
  int succeeded = 0;
  for (const auto& cell : table("o/map_1.csv")) {
    tried += std::stoi(cell.at("trials"));
    succeeded += std::stoi(cell.at("successes"));
  }
  EXPECT_EQ(tried, 64);
  EXPECT_EQ(succeeded, successes);
  for (const char* name : {"map_1", "histograms", "shares", "effects_2"}) {
    EXPECT_TRUE(fs::exists(fmt::format("o/figures/{}.svg", name))) << name;
    EXPECT_TRUE(fs::exists(fmt::format("o/figures/{}.png", name))) << name;
  }
  const std::string page = io::read_file("o/report.html");
  EXPECT_THAT(page, AllOf(HasSubstr("data:image/svg+xml;base64,"), HasSubstr("again, exactly"),
                          HasSubstr("</html>")));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<script")), Not(HasSubstr("http://")), Not(HasSubstr("https://"))));
}

struct Trouble {
  const char* what;
  std::string study;
  int code;
  const char* says;
};

TEST_F(SweepTest, EveryMistakeHasItsMessageAndExitCode) {
  const std::string head = "enfold_study: 1\nname: s\nscenario: rotate.yaml\n";
  const std::string sampler = "sampler: {type: random, samples: 4}\n";
  const std::string good = "parameters: [{key: noise.force, uniform: [0, 0.1]}]\n";
  const std::vector<Trouble> troubles{
      {"YAML", "enfold_study: [1\n", 2, "not valid YAML"},
      {"key", head + "parameters: [{key: noise.frce, uniform: [0, 1]}]\n" + sampler, 2,
       "did you mean 'force'?"},
      {"place", head + "parameters: [{key: noise.frce, uniform: [0, 1]}]\n" + sampler, 2,
       "t.yaml:4:14: parameter 'noise.frce'"},
      {"item", head + "parameters: [{key: contacts.left.foo.mu, uniform: [0, 1]}]\n" + sampler, 2,
       "names no item of contacts"},
      {"value", head + "parameters: [{key: object.mass_kg, uniform: [-1, 1]}]\n" + sampler, 2,
       "object.mass_kg must be positive"},
      {"bounds", head + "parameters: [{key: noise.force, uniform: [1, 0]}]\n" + sampler, 2,
       "uniform needs lower < upper"},
      {"derived", head + good + sampler + "derived: {noise.pse: 1}\n", 2, "unknown key 'pse'"},
      {"set", head + good + sampler + "set: [controller.Kq=1]\n", 2, "unknown key 'Kq'"},
      {"level", head + good + sampler + "hierarchy: [geometry, lpp]\n", 2, "there is no level 'lpp'"},
      {"order", head + good + sampler + "hierarchy: [lp, geometry]\n", 2, "from cheap to dear"},
      {"name", head + good + sampler + "success: smallest_normal > 1\n", 2,
       "'smallest_normal' in 'smallest_normal > 1' is unknown"},
      {"formula", head + good + sampler + "success: smallest_normal_N >\n", 2,
       "ends where a value is expected"},
      {"not told", head + good + sampler + "hierarchy: [geometry]\nsuccess: end_time_s > 0\n", 2,
       "'end_time_s'"},
      {"output", head + good + sampler + "outputs: [torque]\n", 2, "there is no output 'torque'"},
      {"map", head + good + sampler + "maps: [[noise.force, mu]]\n", 2, "'mu' is none of noise.force"},
      {"scenario", "enfold_study: 1\nname: s\nscenario: none.yaml\n" + good + sampler, 1, "can't read"}};
  for (const Trouble& trouble : troubles) {
    io::write_file("t.yaml", trouble.study);
    const Answer answer = run("enfold sweep t.yaml --no-figures --out o");
    EXPECT_EQ(answer.code, trouble.code) << trouble.what << ": " << answer.err;
    EXPECT_THAT(answer.err, HasSubstr(trouble.says)) << trouble.what;
    EXPECT_EQ(answer.out, "") << trouble.what;
  }
  EXPECT_FALSE(fs::exists("o"));
}

TEST_F(SweepTest, FoldersOfOthersAreLeftAlone) {
  write_study("s.yaml", kRest);
  io::write_file("plain", "a file");
  Answer answer = run("enfold sweep s.yaml --out plain/inside");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("can't make the folder 'plain/inside'"));
  fs::create_directory("mine");
  io::write_file("mine/thesis.tex", "years");
  answer = run("enfold sweep s.yaml --out mine");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("holds files but no study"));
  ASSERT_EQ(run("enfold sweep s.yaml --samples 4 --no-figures --out o").code, 0);
  write_study("s.yaml", "seed: 2\n" + kRest);
  answer = run("enfold sweep s.yaml --samples 4 --no-figures --out o");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, AllOf(HasSubstr("another study"), HasSubstr("--restart")));
  EXPECT_EQ(run("enfold sweep s.yaml --samples 4 --no-figures --out o --restart").code, 0);
}

// What can't even be simulated is a result: its reason is in the table, and the study goes on.
TEST_F(SweepTest, AFailedSampleIsAResultWithItsReason) {
  write_study("s.yaml", "sampler: {type: grid}\n", "rotate.yaml",
              "parameters: [{key: task.start.y_m, values: [0.15, 0.9]}, {key: planner.max_normal_N, values: "
              "[0.6, 50]}]\n");
  const Answer answer = run("enfold sweep s.yaml --no-figures --out o");
  EXPECT_EQ(answer.code, 0) << answer.err;
  const auto samples = table("o/samples.csv");
  ASSERT_EQ(samples.size(), 4U);
  EXPECT_EQ(samples[1].at("success"), "1");
  EXPECT_THAT(samples[0].at("reason"), HasSubstr("infeasible"));
  EXPECT_THAT(samples[2].at("reason"), HasSubstr("can't close on the object"));
  EXPECT_THAT(answer.out, Not(HasSubstr("95 %")));  // nothing was drawn at random
}

}  // namespace
}  // namespace enfold::app
