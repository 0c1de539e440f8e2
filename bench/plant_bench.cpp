// SPDX-License-Identifier: BSD-3-Clause
// One 1 ms step of the grasp of S4, Example 1, in this library and in its peers, in one run.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>

#include "closed_loop.hpp"
#include "enfold/io/scenario_file.hpp"
#include "enfold_grasp.hpp"
#include "song_hand.hpp"
#ifdef ENFOLD_BENCH_MUJOCO
#include "mujoco_grasp.hpp"
#endif

namespace enfold::bench {
namespace {

/// The object turns by 3° in this many steps; then it is put back, at next to no cost.
constexpr int kStepsPerRun = 100;

void BM_EnfoldPlantStep(benchmark::State& state) {
  EnfoldGrasp grasp(settled_grasp());
  double widest = 0.0;
  int i = 0;
  for ([[maybe_unused]] auto _ : state) {
    if (i++ % kStepsPerRun == 0) grasp.restore();
    grasp.step();
    widest = std::max(widest, grasp.gap());
  }
  state.counters["gap_error_um"] = widest * 1e6;
}
BENCHMARK(BM_EnfoldPlantStep)->Unit(benchmark::kMicrosecond);

void BM_EnfoldPlantStepWithPTest(benchmark::State& state) {
  EnfoldGrasp grasp(settled_grasp());
  int i = 0;
  for ([[maybe_unused]] auto _ : state) {
    if (i++ % kStepsPerRun == 0) grasp.restore();
    grasp.step();
    grasp.test_uniqueness();
  }
}
BENCHMARK(BM_EnfoldPlantStepWithPTest)->Unit(benchmark::kMicrosecond);

/// Sensors, law (11), plant, P-matrix test and recording; the 1000 steps of Example 1 over and over.
void BM_EnfoldClosedLoopStep(benchmark::State& state) {
  const std::string file = std::string(ENFOLD_SOURCE_DIR) + "/scenarios/song2001-rotate.yaml";
  const app::Setup setup = app::make_setup(io::read_scenario(file));
  const auto plan = std::make_shared<control::Plan>(app::make_plan(setup).plan);
  std::optional<sim::Simulation> simulation;
  for ([[maybe_unused]] auto _ : state) {
    if (!simulation || simulation->time() > 0.9995) {
      state.PauseTiming();
      simulation.emplace(app::make_simulation(setup, plan));
      state.ResumeTiming();
    }
    simulation->advance();
  }
}
BENCHMARK(BM_EnfoldClosedLoopStep)->Unit(benchmark::kMicrosecond);

#ifdef ENFOLD_BENCH_MUJOCO
void run_mujoco(benchmark::State& state, const SettledGrasp& settled) {
  MujocoGrasp grasp(settled);
  double deepest = 0.0;
  double contacts = 0.0;
  int i = 0;
  for ([[maybe_unused]] auto _ : state) {
    if (i++ % kStepsPerRun == 0) grasp.restore();
    grasp.step();
    deepest = std::max(deepest, grasp.penetration());
    contacts += grasp.n_contacts();
  }
  state.counters["gap_error_um"] = deepest * 1e6;
  state.counters["mean_contacts"] = contacts / static_cast<double>(state.iterations());
}

void BM_MujocoStep(benchmark::State& state) {
  run_mujoco(state, settled_grasp());
}
BENCHMARK(BM_MujocoStep)->Unit(benchmark::kMicrosecond);

/// The same held still: all four of its soft contacts stay closed.
void BM_MujocoStepAtRest(benchmark::State& state) {
  SettledGrasp grasp = settled_grasp();
  grasp.v.setZero();
  run_mujoco(state, grasp);
}
BENCHMARK(BM_MujocoStepAtRest)->Unit(benchmark::kMicrosecond);
#endif

/// Keeps the times, so that ratios can be told at the end.
class RatioReporter final : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.aggregate_name.empty() || run.aggregate_name == "median")
        times_[run.run_name.function_name] = run.GetAdjustedCPUTime();
    }
    ConsoleReporter::ReportRuns(runs);
  }
  void print_ratios() const {
    const auto peer = times_.find("BM_MujocoStep");
    if (peer == times_.end()) return;
    for (const auto& [name, time] : times_) {
      if (name.rfind("BM_Enfold", 0) == 0)
        std::printf("%-32s %6.2f times as fast as MuJoCo's step\n", name.c_str(), peer->second / time);
    }
  }

 private:
  std::map<std::string, double> times_;
};

}  // namespace
}  // namespace enfold::bench

int main(int argc, char** argv) {
#ifdef ENFOLD_BENCH_MUJOCO
  std::printf("peers: MuJoCo %s\n", enfold::bench::MujocoGrasp::version().c_str());
#else
  std::printf("peers: none. Absent: MuJoCo (Debian package libmujoco-dev)\n");
#endif
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  enfold::bench::RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.print_ratios();
  benchmark::Shutdown();
  return 0;
}
