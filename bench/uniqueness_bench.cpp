// SPDX-License-Identifier: BSD-3-Clause
// Uniqueness of Example 2 of S4 at t = 0.5 s: exact boundary, sampled map, frontier, margin.
#include <benchmark/benchmark.h>

#include "enfold/io/scenario_file.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/uniqueness/friction_margin.hpp"
#include "enfold/uniqueness/frontier.hpp"
#include "plane_map.hpp"

namespace enfold::app {
namespace {

struct Example2 {
  Setup setup = make_setup(io::read_scenario(ENFOLD_SOURCE_DIR "/scenarios/song2001-translate.yaml"));
  planners::PlanSolution planned = make_plan(setup);
  GraspInstant at = GraspPath(setup).at(0.5, planned.plan);
  std::vector<std::vector<Index>> groups{{0, 2}, {1, 3}};
};

const Example2& example() {
  static const Example2 one;
  return one;
}

uniqueness::PlaneProblem plane() {
  uniqueness::PlaneProblem out{{example().at.rows.family}, {{0, 1, 0, 1}, 2}, VectorXd::Zero(4)};
  out.upper = Vector2d::Constant(2.0);
  return out;
}

void BM_ExactBoundary(benchmark::State& state) {
  const uniqueness::PlaneProblem problem = plane();
  std::size_t points = 0;
  for ([[maybe_unused]] auto _ : state) {
    const uniqueness::PRegion region = uniqueness::trace_p_region(problem);
    for (const uniqueness::RegionCurve& curve : region.curves) points += curve.points.size();
  }
  state.counters["points"] = static_cast<double>(points) / static_cast<double>(state.iterations());
}
BENCHMARK(BM_ExactBoundary)->Unit(benchmark::kMicrosecond);

// Smallest minor and verdict at every point.
void BM_SampledMap200(benchmark::State& state) {
  const uniqueness::PlaneProblem problem = plane();
  lcp::PMatrixTester tester(4);
  MatrixXd A(4, 4);
  for ([[maybe_unused]] auto _ : state) {
    double least = 0.0;
    for (int i = 0; i < 200; ++i) {
      for (int j = 0; j < 200; ++j) {
        const Eigen::Vector4d mu{0.01 * i, 0.01 * j, 0.01 * i, 0.01 * j};
        A.noalias() = problem.families[0].A_0 + problem.families[0].A_1 * mu.asDiagonal();
        least += tester.test(A).smallest.value;
      }
    }
    benchmark::DoNotOptimize(least);
  }
}
BENCHMARK(BM_SampledMap200)->Unit(benchmark::kMillisecond);

// The map as the program draws it: with the number of solutions where A is not P, and the exact boundary.
void BM_DrawnMap200(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(make_map({example().at}, {example().groups, 2.0, 200}));
}
BENCHMARK(BM_DrawnMap200)->Unit(benchmark::kMillisecond);

void BM_Frontier(benchmark::State& state) {
  const VectorXd zero = VectorXd::Zero(4);
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(uniqueness::frontier(example().at.rows.family, zero, example().at.mu));
}
BENCHMARK(BM_Frontier)->Unit(benchmark::kMicrosecond);

void BM_FrictionMargin(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state)
    benchmark::DoNotOptimize(uniqueness::friction_margin(example().at.rows.family, example().at.mu));
}
BENCHMARK(BM_FrictionMargin)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace enfold::app

BENCHMARK_MAIN();
