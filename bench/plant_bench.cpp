// SPDX-License-Identifier: BSD-3-Clause
// One 1 ms step of the settled grasp of S4, Example 1, in this library and in its peers, in one run.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>

#include "song_hand.hpp"
#ifdef ENFOLD_BENCH_MUJOCO
#include "mujoco_grasp.hpp"
#endif

namespace enfold::bench {
namespace {

/// A held grasp drifts in a peer with soft contacts: it is put back every so many steps, at next to no cost.
constexpr int kStepsPerRun = 100;

#ifdef ENFOLD_BENCH_MUJOCO
void BM_MujocoStep(benchmark::State& state) {
  MujocoGrasp grasp(settled_grasp());
  double deepest = 0.0;
  int fewest = 1000;
  int i = 0;
  for ([[maybe_unused]] auto _ : state) {
    if (i++ % kStepsPerRun == 0) grasp.restore();
    grasp.step();
    deepest = std::max(deepest, grasp.penetration());
    fewest = std::min(fewest, grasp.n_contacts());
  }
  state.counters["penetration_um"] = deepest * 1e6;
  state.counters["contacts"] = fewest;
  state.counters["displacement_um"] = grasp.displacement() * 1e6;
}
BENCHMARK(BM_MujocoStep)->Unit(benchmark::kMicrosecond);
#endif

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
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
