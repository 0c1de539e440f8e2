// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "enfold/base/counter_random.hpp"
#include "enfold/lp/lp_solver.hpp"

namespace enfold::lp {
namespace {

// Draws one number after the other from a stream.
class Draw {
 public:
  explicit Draw(std::uint64_t stream) : random_{2026, stream} {}
  double operator()() { return random_.symmetric(n_++); }
  Index below(Index count) {
    return static_cast<Index>(0.5 * ((*this)() + 1.0) * static_cast<double>(count));
  }

 private:
  CounterRandom random_;
  std::uint64_t n_ = 0;
};

// n ≤ 3 variables in a finite box, m ≤ 6 rows: one-sided, two-sided or equality. Often infeasible.
LpProblem random_lp(Draw& draw) {
  LpProblem p = unconstrained_lp(1 + draw.below(3), 1 + draw.below(6));
  for (Index j = 0; j < p.n(); ++j) {
    p.c(j) = draw();
    p.lower(j) = -1.0 - 0.5 * draw();
    p.upper(j) = 1.0 + 0.5 * draw();
    for (Index i = 0; i < p.m(); ++i) p.R(i, j) = draw();
  }
  for (Index i = 0; i < p.m(); ++i) {
    const double level = draw();
    const Index kind = draw.below(8);
    if (kind < 3) p.row_lower(i) = level;
    if (kind >= 3 && kind < 6) p.row_upper(i) = level;
    if (kind == 6) {
      p.row_lower(i) = level;
      p.row_upper(i) = level + 0.5;
    }
    if (kind == 7 && i == 0) p.row_lower(i) = p.row_upper(i) = 0.5 * level;
  }
  return p;
}

bool satisfies(const LpProblem& p, const VectorXd& z, double tol) {
  const VectorXd a = p.R * z;
  return (a.array() >= p.row_lower.array() - tol).all() && (a.array() <= p.row_upper.array() + tol).all() &&
         (z.array() >= p.lower.array() - tol).all() && (z.array() <= p.upper.array() + tol).all();
}

// The smallest cᵀz over all vertices: every choice of n hyperplanes among the finite bounds. Right for a
// finite box.
std::optional<double> enumerate_vertices(const LpProblem& p) {
  const Index n = p.n();
  std::vector<std::pair<Eigen::RowVectorXd, double>> planes;
  const auto add = [&planes](const Eigen::RowVectorXd& normal, double bound) {
    if (std::isfinite(bound)) planes.emplace_back(normal, bound);
  };
  for (Index i = 0; i < p.m(); ++i) {
    add(p.R.row(i), p.row_lower(i));
    if (p.row_upper(i) != p.row_lower(i)) add(p.R.row(i), p.row_upper(i));
  }
  for (Index j = 0; j < n; ++j) {
    add(Eigen::RowVectorXd::Unit(n, j), p.lower(j));
    add(Eigen::RowVectorXd::Unit(n, j), p.upper(j));
  }
  std::optional<double> best;
  std::vector<bool> chosen(planes.size(), false);
  std::fill(chosen.end() - n, chosen.end(), true);
  do {
    MatrixXd A(n, n);
    VectorXd b(n);
    Index k = 0;
    for (std::size_t i = 0; i < planes.size(); ++i) {
      if (!chosen[i]) continue;
      A.row(k) = planes[i].first;
      b(k++) = planes[i].second;
    }
    const Eigen::FullPivLU<MatrixXd> lu(A);
    if (lu.rcond() < 1e-12) continue;
    const VectorXd z = lu.solve(b);
    if (satisfies(p, z, 1e-9) && (!best || p.c.dot(z) < *best)) best = p.c.dot(z);
  } while (std::next_permutation(chosen.begin(), chosen.end()));
  return best;
}

TEST(LpRandomTest, AgreesWithVertexEnumeration) {
  int optimal = 0;
  int infeasible = 0;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    Draw draw(trial);
    const LpProblem p = random_lp(draw);
    const std::optional<double> best = enumerate_vertices(p);
    for (const LpMethod method : {LpMethod::kPrimal, LpMethod::kDual}) {
      const LpSolution s = solve_lp(p, {.method = method});
      if (best) {
        ASSERT_EQ(s.status, LpStatus::kOptimal) << "trial " << trial << ": " << s.message;
        EXPECT_NEAR(s.objective, *best, 1e-9) << "trial " << trial;
        EXPECT_TRUE(satisfies(p, s.z, 1e-9)) << "trial " << trial;
        EXPECT_LE(s.residual.largest(), 1e-10) << "trial " << trial;
      } else {
        ASSERT_EQ(s.status, LpStatus::kInfeasible) << "trial " << trial << ": " << s.message;
        EXPECT_EQ(verify_farkas(p, s.farkas).status, ProofStatus::kProven) << "trial " << trial;
      }
    }
    ++(best ? optimal : infeasible);
  }
  // The generator must exercise both outcomes.
  EXPECT_GE(optimal, 200);
  EXPECT_GE(infeasible, 50);
}

// A drifting program, as along a trajectory: every datum moves a little, and now and then only the bounds do.
TEST(LpRandomTest, WarmStartsGiveTheColdAnswerAlongASequence) {
  Draw draw(1'000'000);
  LpProblem p = unconstrained_lp(3, 12);
  for (Index j = 0; j < p.n(); ++j) {
    p.c(j) = draw();
    p.lower(j) = -5.0;
    p.upper(j) = 5.0;
    for (Index i = 0; i < p.m(); ++i) p.R(i, j) = draw();
  }
  for (Index i = 0; i < p.m(); ++i) p.row_upper(i) = 0.5 + 0.4 * draw();

  LpSolver warm;
  int warm_pivots = 0;
  int cold_pivots = 0;
  int infeasible = 0;
  for (int step = 0; step < 200; ++step) {
    const bool only_bounds = step % 3 == 1;
    for (Index i = 0; i < p.m(); ++i) {
      p.row_upper(i) += 0.05 * draw();
      for (Index j = 0; j < p.n() && !only_bounds; ++j) p.R(i, j) += 0.02 * draw();
    }
    for (Index j = 0; j < p.n() && !only_bounds; ++j) p.c(j) += 0.05 * draw();
    // A demand that can't be met for a while, so that the sequence passes through infeasible programs.
    p.row_lower(0) = step % 50 >= 45 ? p.row_upper(0) - 0.1 : -kInfinity;
    p.lower(0) = step % 50 >= 48 ? 4.9 : -5.0;

    const LpSolution cold = solve_lp(p);
    const LpSolution& s = warm.solve(p);
    ASSERT_EQ(s.status, cold.status) << "step " << step << ": " << s.message << " / " << cold.message;
    warm_pivots += s.iterations;
    cold_pivots += cold.iterations;
    if (cold.status == LpStatus::kInfeasible) {
      ++infeasible;
      EXPECT_EQ(verify_farkas(p, s.farkas).status, ProofStatus::kProven);
      continue;
    }
    ASSERT_TRUE(cold.ok()) << cold.message;
    EXPECT_NEAR(s.objective, cold.objective, 1e-10) << "step " << step;
    EXPECT_LE((s.z - cold.z).cwiseAbs().maxCoeff(), 1e-8) << "step " << step;
    EXPECT_LE(s.residual.largest(), 1e-10) << "step " << step;
  }
  EXPECT_GE(infeasible, 1);
  EXPECT_LT(warm_pivots, cold_pivots);
}

// Strong duality holds at every optimum, and every claim of unboundedness carries a ray: half the box is
// missing.
TEST(LpRandomTest, EveryVerdictOnUnboxedProgramsIsProven) {
  int unbounded = 0;
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    Draw draw(2'000'000 + trial);
    LpProblem p = random_lp(draw);
    for (Index j = 0; j < p.n(); ++j) (draw() > 0.0 ? p.lower(j) : p.upper(j)) *= kInfinity;
    const LpSolution s = solve_lp(p);
    switch (s.status) {
      case LpStatus::kOptimal:
        EXPECT_LE(s.residual.gap, 1e-10) << "trial " << trial;
        break;
      case LpStatus::kInfeasible:
        EXPECT_EQ(verify_farkas(p, s.farkas).status, ProofStatus::kProven) << "trial " << trial;
        break;
      case LpStatus::kUnbounded:
        ++unbounded;
        EXPECT_TRUE(satisfies(p, s.z, 1e-9)) << "trial " << trial;
        EXPECT_TRUE(satisfies(p, s.z + 100.0 * s.ray, 1e-7)) << "trial " << trial;
        EXPECT_EQ(verify_ray(p, s.ray).status, ProofStatus::kProven) << "trial " << trial;
        break;
      default:
        ADD_FAILURE() << "trial " << trial << ": " << to_string(s.status) << ", " << s.message;
    }
  }
  EXPECT_GE(unbounded, 20);
}

}  // namespace
}  // namespace enfold::lp
