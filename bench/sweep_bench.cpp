// SPDX-License-Identifier: BSD-3-Clause
// Studies: the rate on two threads against one, and the CPU time that the hierarchy saves. Each in one run,
// in turns, so that other work on the machine hits both sides alike. usage: sweep_bench [runs] [designs]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "sweep_study.hpp"
#include "sweep_workers.hpp"

namespace enfold::bench {
namespace {

using Clock = std::chrono::steady_clock;

std::filesystem::path shipped(const std::string& name) {
  return std::filesystem::path(ENFOLD_SOURCE_DIR) / "scenarios/studies" / (name + ".yaml");
}

double seconds_on(int threads, const app::SweepStudy& study, std::uint64_t from, std::uint64_t to) {
  const auto start = Clock::now();
  std::uint64_t cursor = from;
  std::uint64_t done = 0;
  app::run_on_threads(threads, {[&]() -> std::optional<std::uint64_t> {
                                  if (cursor == to) return std::nullopt;
                                  return cursor++;
                                },
                                [&](std::uint64_t index) { return app::run_sample(study, index); },
                                [&](const study::Record&) { ++done; }});
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Blocks of runs, each done on one thread and on two, in alternating order.
void compare_threads(std::uint64_t runs) {
  const app::SweepStudy study =
      app::load_study(shipped("song2001-rotate-robustness"), {.sets = {}, .samples = runs});
  constexpr std::uint64_t kBlock = 50;
  double one = 0.0;
  double two = 0.0;
  bool one_first = true;
  for (std::uint64_t from = 0; from < runs; from += kBlock, one_first = !one_first) {
    const std::uint64_t to = std::min(runs, from + kBlock);
    if (one_first) one += seconds_on(1, study, from, to);
    two += seconds_on(2, study, from, to);
    if (!one_first) one += seconds_on(1, study, from, to);
  }
  const auto n = static_cast<double>(runs);
  fmt::print("{} closed-loop runs of Example 1: {:.1f}/s on one thread, {:.1f}/s on two, ratio {:.3f}\n",
             runs, n / one, n / two, one / two);
}

double total(const study::Record& record) {
  double sum = 0.0;
  for (const double seconds : record.seconds) sum += seconds;
  return sum;
}

/// Each design with and without the hierarchy, one after the other; CPU time of this thread.
void compare_hierarchy(std::uint64_t designs) {
  const auto load = [&](bool naive) {
    return app::load_study(shipped("song2001-translate-hand"),
                           {.sets = {}, .samples = designs, .naive = naive});
  };
  const app::SweepStudy quick = load(false);
  const app::SweepStudy naive = load(true);
  double quick_s = 0.0;
  double naive_s = 0.0;
  std::uint64_t survivors = 0;
  std::uint64_t differ = 0;
  std::vector<std::uint64_t> fell(quick.levels.size() + 1);
  for (std::uint64_t i = 0; i < designs; ++i) {
    const study::Record a = app::run_sample(quick, i);
    const study::Record b = app::run_sample(naive, i);
    quick_s += total(a);
    naive_s += total(b);
    ++fell[a.passed];
    survivors += a.passed == quick.levels.size() ? 1 : 0;
    differ += a.passed != b.passed ? 1 : 0;
  }
  fmt::print(
      "{} designs of Example 2's hand: {:.2f} s CPU with the hierarchy, {:.2f} s without, saved {:.1f} %; {} "
      "survivors, "
      "{} differ\n",
      designs, quick_s, naive_s, 100.0 * (1.0 - quick_s / naive_s), survivors, differ);
  for (std::size_t k = 0; k < quick.levels.size(); ++k)
    fmt::print("  fell at {:<10} {}\n", app::to_string(quick.levels[k]), fell[k]);
}

}  // namespace
}  // namespace enfold::bench

int main(int argc, char** argv) {
  // Arguments for Google Benchmark, which scripts/bench hands to every program, are not for this one.
  std::vector<std::uint64_t> counts;
  for (int i = 1; i < argc; ++i)
    if (argv[i][0] != '-') counts.push_back(std::strtoull(argv[i], nullptr, 10));
  enfold::bench::compare_threads(counts.empty() ? 10'000 : counts[0]);
  enfold::bench::compare_hierarchy(counts.size() < 2 ? 2'000 : counts[1]);
}
