// SPDX-License-Identifier: BSD-3-Clause
// LCP solvers and the P-matrix test on the first family of the LCP tests: A = B Bᵀ + C − Cᵀ + 0.1 I, a
// P-matrix.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "enfold/lcp/lemke.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/lcp/warm_lcp_solver.hpp"

namespace enfold::lcp {
namespace {

constexpr std::size_t kProblems = 64;
constexpr double kChange = 1e-3;  // of b from one problem of a sequence to the next, relative to its entries

MatrixXd random_matrix(Index rows, Index columns, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  MatrixXd A(rows, columns);
  for (double& entry : A.reshaped()) entry = normal(random);
  return A;
}

LcpProblem random_p_problem(Index n, std::mt19937_64& random) {
  const MatrixXd B = random_matrix(n, n, random);
  const MatrixXd C = random_matrix(n, n, random);
  LcpProblem problem;
  problem.A = B * B.transpose() + C - C.transpose() + 0.1 * MatrixXd::Identity(n, n);
  problem.b = random_matrix(n, 1, random);
  return problem;
}

std::vector<LcpProblem> unrelated_problems(Index n) {
  std::mt19937_64 random(static_cast<std::uint64_t>(n));
  std::vector<LcpProblem> problems;
  for (std::size_t i = 0; i < kProblems; ++i) problems.push_back(random_p_problem(n, random));
  return problems;
}

/// One problem whose b wanders a little at each step, as it does from one simulation step to the next.
std::vector<LcpProblem> slowly_changing_problems(Index n) {
  std::mt19937_64 random(static_cast<std::uint64_t>(n));
  std::vector<LcpProblem> problems{random_p_problem(n, random)};
  while (problems.size() < kProblems) {
    problems.push_back(problems.back());
    problems.back().b += kChange * random_matrix(n, 1, random);
  }
  return problems;
}

void report(benchmark::State& state, long pivots, long failures) {
  state.counters["pivots"] = static_cast<double>(pivots) / static_cast<double>(state.iterations());
  if (failures > 0) state.SkipWithError("a problem was not solved");
}

void BM_LemkeCold(benchmark::State& state) {
  const Index n = state.range(0);
  const std::vector<LcpProblem> problems = unrelated_problems(n);
  LemkeSolver solver(n);
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
  const std::vector<LcpProblem> problems = slowly_changing_problems(n);
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
  const std::vector<LcpProblem> problems = unrelated_problems(n);
  PMatrixTester tester(n);
  long failures = 0;
  std::size_t i = 0;
  for ([[maybe_unused]] auto _ : state)
    failures += tester.test(problems[i++ % kProblems].A).status == PMatrixStatus::kP ? 0 : 1;
  report(state, 0, failures);
}

BENCHMARK(BM_LemkeCold)->Arg(4)->Arg(8)->Arg(12)->Arg(16);
BENCHMARK(BM_WarmStart)->Arg(4)->Arg(8)->Arg(12)->Arg(16);
BENCHMARK(BM_PMatrixTest)->Arg(4)->Arg(8)->Arg(12)->Arg(16);

}  // namespace
}  // namespace enfold::lcp

BENCHMARK_MAIN();
