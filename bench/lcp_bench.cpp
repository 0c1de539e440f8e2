// SPDX-License-Identifier: BSD-3-Clause
// LCP solvers and the P-matrix test on the first family of the LCP tests: A = B Bᵀ + C − Cᵀ + 0.1 I, a
// P-matrix.
#include <benchmark/benchmark.h>

#include <vector>

#include "enfold/lcp/lcp_solver.hpp"
#include "enfold/lcp/lemke.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/lcp/warm_lcp_solver.hpp"
#include "lcp_problems.hpp"

namespace enfold::lcp {
namespace {

constexpr std::size_t kProblems = 64;

void report(benchmark::State& state, long pivots, long failures) {
  state.counters["pivots"] = static_cast<double>(pivots) / static_cast<double>(state.iterations());
  if (failures > 0) state.SkipWithError("a problem was not solved");
}

template <typename Solver>
void BM_Cold(benchmark::State& state) {
  const Index n = state.range(0);
  const std::vector<LcpProblem> problems = bench::p_problems(n, kProblems);
  Solver solver(n);
  LcpSolution solution;
  solution.resize(n);
  long pivots = 0;
  long failures = 0;
  std::size_t i = 0;
  for ([[maybe_unused]] auto _ : state) {
    const LcpProblem& problem = problems[i++ % kProblems];
    solver.solve(problem.A, problem.b, solution);
    pivots += solution.pivots;
    failures += solution.ok() ? 0 : 1;
  }
  report(state, pivots, failures);
}

void BM_WarmStart(benchmark::State& state) {
  const Index n = state.range(0);
  const std::vector<LcpProblem> problems = bench::trajectory(n, kProblems, static_cast<std::uint64_t>(n));
  WarmLcpSolver solver(n);
  long pivots = 0;
  long failures = 0;
  std::size_t i = 0;
  for ([[maybe_unused]] auto _ : state) {
    const LcpProblem& problem = problems[i++ % kProblems];
    const LcpSolution& solution = solver.solve(problem.A, problem.b);
    pivots += solution.pivots;
    failures += solution.ok() ? 0 : 1;
  }
  report(state, pivots, failures);
}

void BM_PMatrixTest(benchmark::State& state) {
  const Index n = state.range(0);
  const std::vector<LcpProblem> problems = bench::p_problems(n, kProblems);
  PMatrixTester tester(n);
  long failures = 0;
  std::size_t i = 0;
  for ([[maybe_unused]] auto _ : state)
    failures += tester.test(problems[i++ % kProblems].A).status == PMatrixStatus::kP ? 0 : 1;
  report(state, 0, failures);
}

void BM_PMatrixVerdict(benchmark::State& state) {
  const Index n = state.range(0);
  const std::vector<LcpProblem> problems = bench::p_problems(n, kProblems);
  PMatrixTester tester(n);
  long failures = 0;
  std::size_t i = 0;
  for ([[maybe_unused]] auto _ : state)
    failures += tester.decide(problems[i++ % kProblems].A).status == PMatrixStatus::kP ? 0 : 1;
  report(state, 0, failures);
}

BENCHMARK(BM_Cold<LcpSolver>)->Arg(4)->Arg(8)->Arg(12)->Arg(16);
BENCHMARK(BM_Cold<LemkeSolver>)->Arg(4)->Arg(8)->Arg(12)->Arg(16);
BENCHMARK(BM_WarmStart)->Arg(4)->Arg(8)->Arg(12)->Arg(16);
BENCHMARK(BM_PMatrixVerdict)->Arg(4)->Arg(8)->Arg(12)->Arg(16);
BENCHMARK(BM_PMatrixTest)->Arg(4)->Arg(8)->Arg(12)->Arg(16);

}  // namespace
}  // namespace enfold::lcp

BENCHMARK_MAIN();
