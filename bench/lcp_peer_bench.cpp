// SPDX-License-Identifier: BSD-3-Clause
// Our LCP solvers and P-matrix test against their peers, in one run: medians and 95th percentiles over random
// problems, each timed on its own, ours and the peers' in turn. Arguments: [problems per size].
#include <fmt/format.h>

#include <Eigen/LU>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "enfold/lcp/lcp_residual.hpp"
#include "enfold/lcp/lcp_solver.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/lcp/warm_lcp_solver.hpp"
#include "lcp_peer.hpp"
#include "lcp_problems.hpp"

namespace enfold::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Index kSizes[] = {4, 8, 16, 32, 64};  // NOLINT
constexpr double kLeastMeasured = 4.0;  // [µs]: calls are repeated until one reading of the clock spans this

class OurCold final : public LcpPeer {
 public:
  [[nodiscard]] std::string name() const override { return "enfold LcpSolver"; }
  void load(const lcp::LcpProblem& problem) override {
    problem_ = &problem;
    solution_.resize(problem.size());
  }
  void solve() override { solver_.solve(problem_->A, problem_->b, solution_); }
  [[nodiscard]] VectorXd x() const override { return solution_.x; }

 private:
  lcp::LcpSolver solver_{64};
  lcp::LcpSolution solution_;
  const lcp::LcpProblem* problem_ = nullptr;
};

class OurLemke final : public LcpPeer {
 public:
  [[nodiscard]] std::string name() const override { return "enfold LemkeSolver"; }
  void load(const lcp::LcpProblem& problem) override {
    problem_ = &problem;
    solution_.resize(problem.size());
  }
  void solve() override { solver_.solve(problem_->A, problem_->b, solution_); }
  [[nodiscard]] VectorXd x() const override { return solution_.x; }

 private:
  lcp::LemkeSolver solver_{64};
  lcp::LcpSolution solution_;
  const lcp::LcpProblem* problem_ = nullptr;
};

struct Row {
  std::string name;
  std::vector<double> times;  // [µs], one for each problem
  std::size_t solved = 0;

  [[nodiscard]] double percentile(double p) {
    std::sort(times.begin(), times.end());
    return times[static_cast<std::size_t>(p * static_cast<double>(times.size() - 1))];
  }
};

template <typename Call>
double microseconds(int repeats, Call call) {
  const auto start = Clock::now();
  for (int r = 0; r < repeats; ++r) call();
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count() / repeats;
}

template <typename Call>
int repeats_for(Call call) {
  call();
  int repeats = 1;
  while (repeats < 4096 && microseconds(repeats, call) * repeats < kLeastMeasured) repeats *= 2;
  return repeats;
}

bool solved(const lcp::LcpProblem& problem, const VectorXd& x, double tol) {
  const double bound = tol * std::max(1.0, problem.b.cwiseAbs().maxCoeff());
  return x.size() == problem.size() && lcp::lcp_residual(problem, x) <= bound;
}

std::vector<Row> measure(const LcpPeers& solvers, const std::vector<lcp::LcpProblem>& problems, double tol) {
  const Index n = problems.front().size();
  std::vector<Row> rows(solvers.size());
  std::vector<int> repeats(solvers.size(), 1);
  for (std::size_t s = 0; s < solvers.size(); ++s) {
    rows[s].name = solvers[s]->name();
    if (n > solvers[s]->n_max()) continue;
    solvers[s]->load(problems.front());
    repeats[s] = repeats_for([&] { solvers[s]->solve(); });
  }
  for (const auto& problem : problems) {
    for (std::size_t s = 0; s < solvers.size(); ++s) {
      if (n > solvers[s]->n_max()) continue;
      solvers[s]->load(problem);
      rows[s].times.push_back(microseconds(repeats[s], [&] { solvers[s]->solve(); }));
      rows[s].solved += solved(problem, solvers[s]->x(), tol) ? 1 : 0;
    }
  }
  return rows;
}

// The ratios are to the first row, which is ours. Returns the fastest median among the peers that solved all.
double print(Index n, std::vector<Row>& rows, std::size_t ours) {
  double fastest = std::numeric_limits<double>::infinity();
  const double median = rows.front().percentile(0.5);
  const double p95 = rows.front().percentile(0.95);
  for (std::size_t s = 0; s < rows.size(); ++s) {
    Row& row = rows[s];
    if (row.times.empty()) continue;
    const auto count = static_cast<double>(row.times.size());
    fmt::print("| {:>2} | {:<26} | {:>9.3f} | {:>9.3f} | {:>6.2f} | {:>6.2f} | {:>6.1f} |\n", n, row.name,
               row.percentile(0.5), row.percentile(0.95), row.percentile(0.5) / median,
               row.percentile(0.95) / p95, 100.0 * static_cast<double>(row.solved) / count);
    if (s >= ours && row.solved == row.times.size()) fastest = std::min(fastest, row.percentile(0.5));
  }
  return fastest;
}

void print_head(const char* title) {
  fmt::print(
      "\n{}\n\n|  n | solver                     | median µs |   95 % µs | ratio of medians | ratio at 95 % "
      "| solved % |\n"
      "|---|---|---|---|---|---|---|\n",
      title);
}

// A problem of a trajectory can't be repeated on its own, as the second solve would be warmer than the first:
// trajectories are timed as a whole, from the second problem on.
void measure_warm(Index n, std::size_t count, double fastest_cold) {
  constexpr std::size_t kSteps = 20;
  lcp::WarmLcpSolver solver(n);
  Row row;
  std::size_t problems = 0;
  for (std::size_t t = 0; t < count / kSteps + 1; ++t) {
    const auto steps = trajectory(n, kSteps, 1000 * static_cast<std::uint64_t>(n) + t);
    std::vector<double> times;
    for (int run = 0; run < 5; ++run) {
      solver.reset();
      (void)solver.solve(steps.front().A, steps.front().b);
      times.push_back(microseconds(1, [&] {
        for (std::size_t i = 1; i < kSteps; ++i) (void)solver.solve(steps[i].A, steps[i].b);
      }));
    }
    std::sort(times.begin(), times.end());
    row.times.push_back(times[times.size() / 2] / static_cast<double>(kSteps - 1));
    for (const auto& problem : steps) {
      row.solved += solved(problem, solver.solve(problem.A, problem.b).x, 1e-9) ? 1 : 0;
      ++problems;
    }
  }
  fmt::print("| {:>2} | {:>9.3f} | {:>9.3f} | {:>9.3f} | {:>6.2f} | {:>6.1f} |\n", n, row.percentile(0.5),
             row.percentile(0.95), fastest_cold, fastest_cold / row.percentile(0.5),
             100.0 * static_cast<double>(row.solved) / static_cast<double>(problems));
}

// All principal minors, each by Eigen's LU of a copy of the submatrix.
bool naive_minors(const MatrixXd& A) {
  const Index n = A.rows();
  bool positive = true;
  for (std::uint32_t mask = 1; mask < 1U << n; ++mask) {
    const std::vector<Index> S = lcp::index_set(mask);
    positive = MatrixXd(A(S, S)).partialPivLu().determinant() > 0.0 && positive;
  }
  return positive;
}

struct PTimes {
  double verdict = 0.0;
  double minors = 0.0;
  double naive = 0.0;
};

// The best of five readings: one of the longer calls spans several of the scheduler's time slices.
template <typename Call>
double best_reading(Call call) {
  const int repeats = repeats_for(call);
  double best = std::numeric_limits<double>::infinity();
  for (int reading = 0; reading < 5; ++reading) best = std::min(best, microseconds(repeats, call));
  return best;
}

PTimes measure_p_test(Index n, bool definite) {
  std::mt19937_64 random(static_cast<std::uint64_t>(n));
  lcp::PMatrixTester tester(n, {.exact_limit = 20});
  Row verdict;
  Row minors;
  Row naive;
  const auto expect = [](bool positive) {
    if (!positive) std::abort();
  };
  for (std::size_t i = 0; i < 11; ++i) {
    const MatrixXd A = definite ? random_p_problem(n, random).A : indefinite_p_matrix(n, random);
    verdict.times.push_back(best_reading([&] { expect(tester.decide(A).status == lcp::PMatrixStatus::kP); }));
    minors.times.push_back(best_reading([&] { expect(tester.test(A).status == lcp::PMatrixStatus::kP); }));
    if (n <= 12) naive.times.push_back(best_reading([&] { expect(naive_minors(A)); }));
  }
  return {verdict.percentile(0.5), minors.percentile(0.5), naive.times.empty() ? 0.0 : naive.percentile(0.5)};
}

void compare_p_tests(bool definite) {
  fmt::print(
      "\nP-matrix test, {}\n\n|  n | verdict µs | growth per row | all minors µs | growth per row | naive "
      "minors µs | "
      "naive / verdict | naive / all minors |\n|---|---|---|---|---|---|---|---|\n",
      definite ? "A = B Bᵀ + C − Cᵀ + 0.1 I" : "permuted triangular (no sufficient test applies)");
  PTimes last;
  for (const Index n : {4, 8, 12, 16, 20}) {
    const PTimes t = measure_p_test(n, definite);
    const auto growth = [&](double now, double before) {
      return before > 0.0 ? fmt::format("{:.2f}", std::pow(now / before, 0.25)) : std::string("–");
    };
    const auto ratio = [&](double ours) {
      return t.naive > 0.0 ? fmt::format("{:.1f}", t.naive / ours) : std::string("–");
    };
    fmt::print("| {:>2} | {:>9.3f} | {:>5} | {:>9.3f} | {:>5} | {} | {} | {} |\n", n, t.verdict,
               growth(t.verdict, last.verdict), t.minors, growth(t.minors, last.minors),
               t.naive > 0.0 ? fmt::format("{:.1f}", t.naive) : std::string("–"), ratio(t.verdict),
               ratio(t.minors));
    last = t;
  }
}

void say_who_is_absent() {
#ifndef ENFOLD_BENCH_SICONOS
  fmt::print("Siconos is absent: install libsiconos-numerics-dev.\n");
#endif
#ifndef ENFOLD_BENCH_DART
  fmt::print("DART is absent: install libdart-dev.\n");
#endif
#ifndef ENFOLD_BENCH_BULLET
  fmt::print("Bullet is absent: install libbullet-dev.\n");
#endif
}

void run(std::size_t count) {
  say_who_is_absent();
  LcpPeers solvers;
  solvers.push_back(std::make_unique<OurCold>());
  solvers.push_back(std::make_unique<OurLemke>());
  const std::size_t ours = solvers.size();
#ifdef ENFOLD_BENCH_SICONOS
  add_siconos_peers(solvers);
#endif
#ifdef ENFOLD_BENCH_DART
  add_dart_peers(solvers);
#endif
#ifdef ENFOLD_BENCH_BULLET
  add_bullet_peers(solvers);
#endif
  print_head("Cold solves, A = B Bᵀ + C − Cᵀ + 0.1 I, to 1e-9");
  std::vector<double> fastest;
  for (const Index n : kSizes) {
    auto rows = measure(solvers, p_problems(n, n > 32 ? count / 4 + 1 : count), 1e-9);
    fastest.push_back(print(n, rows, ours));
  }
  print_head("Redundant contacts, A = J Jᵀ, b = J v, to 1e-8");
  for (const Index n : kSizes) {
    auto rows = measure(solvers, redundant_problems(n, n > 32 ? count / 4 + 1 : count), 1e-8);
    (void)print(n, rows, ours);
  }
  fmt::print(
      "\nWarm starts along a trajectory\n\n|  n | warm median µs | 95 % µs | fastest peer's cold median µs | "
      "ratio of medians | solved % |\n|---|---|---|---|---|---|\n");
  for (std::size_t i = 0; i < fastest.size(); ++i) measure_warm(kSizes[i], count, fastest[i]);
  compare_p_tests(true);
  compare_p_tests(false);
}

}  // namespace
}  // namespace enfold::bench

int main(int argc, char** argv) {
  const long count = argc > 1 && argv[1][0] != '-' ? std::strtol(argv[1], nullptr, 10) : 1000;
  enfold::bench::run(static_cast<std::size_t>(std::max(2L, count)));
}
