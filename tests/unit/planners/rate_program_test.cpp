// SPDX-License-Identifier: BSD-3-Clause
// Plans whose torques change no faster than the motors can: against closed forms, the dense solver, and the
// plan without the limit.
#include "enfold/planners/rate_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "enfold/base/error.hpp"
#include "enfold/lp/lp_solver.hpp"
#include "enfold/planners/internal_force_planner.hpp"
#include "enfold/test/matchers.hpp"
#include "plan_case.hpp"

namespace enfold::planners {
namespace {

using test::PlanCase;
using test::pose_deg;
using testing::HasSubstr;

/// α ≥ floor(t), cost α, one torque τ = α.
RateInstant floor_instant(double time, double floor) {
  RateInstant out{time, lp::unconstrained_lp(1, 1), MatrixXd::Ones(1, 1), VectorXd::Zero(1),
                  VectorXd::Constant(1, floor)};
  out.lp.c[0] = 1.0;
  out.lp.R(0, 0) = 1.0;
  out.lp.row_lower[0] = floor;
  return out;
}

// A floor that jumps from 0 to 1 at t = 1/2: with |α̇| ≤ 4 the least α is the ramp 1 − 4 (1/2 − t) before it.
TEST(RateProgramTest, StepBecomesARampThatStartsInTime) {  // [eq:rate-limit]
  std::vector<RateInstant> instants;
  for (int k = 0; k <= 100; ++k) instants.push_back(floor_instant(0.01 * k, k >= 50 ? 1.0 : 0.0));
  const RateSolution solution = solve_rate_program(instants, 4.0);
  ASSERT_TRUE(solution.ok()) << solution.message;
  for (int k = 0; k <= 100; ++k) {
    const double ramp = std::clamp(1.0 - 4.0 * (0.5 - 0.01 * k), 0.0, 1.0);
    EXPECT_NEAR(solution.alpha[static_cast<std::size_t>(k)][0], ramp, 1e-9) << k;
    if (k == 100) break;
    EXPECT_EQ(solution.at_limit[static_cast<std::size_t>(k)], k >= 25 && k < 50) << k;
  }
  EXPECT_NEAR(solution.largest_rate, 4.0, 1e-9);
  // Its integral: 1/2 after the step and a triangle of 1/4 × 1 before it, by trapezoids of the same points.
  EXPECT_NEAR(solution.objective, 0.5 + 0.125, 1e-9);
  // For a height a it is a/2 + a²/8: the prices of the high floors add up to its slope, 3/4, to one step.
  double price = 0.0;
  for (std::size_t k = 50; k <= 100; ++k) price += (k == 100 ? 0.005 : 0.01) * solution.row_dual[k][0];
  EXPECT_NEAR(price, 0.75, 0.011);
}

// The floor jumps by 1 within 0.01 s, under a ceiling of 1.2 and above 1 until then: at least 30 per second.
TEST(RateProgramTest, LeastRateIsFoundWhereThereIsNone) {
  std::vector<RateInstant> instants;
  for (int k = 0; k <= 10; ++k) {
    instants.push_back(floor_instant(0.01 * k, k >= 5 ? 1.0 : 0.0));
    if (k < 5) instants.back().lp.row_upper[0] = 0.7;
  }
  EXPECT_TRUE(solve_rate_program(instants, 30.1).ok());
  const RateSolution none = solve_rate_program(instants, 29.9);
  EXPECT_EQ(none.status, lp::LpStatus::kInfeasible);
  EXPECT_NEAR(none.largest_rate, 30.0, 1e-7);
  EXPECT_EQ(none.steepest, 4);
}

/// The same program with dense rows, written down from its definition.
double dense_optimum(const std::vector<RateInstant>& instants, double rate) {
  Index n = 0;
  Index m = 0;
  for (const RateInstant& at : instants) {
    n += at.lp.n();
    m += at.lp.m();
  }
  const Index n_theta = instants.front().tau_0.size();
  const auto steps = static_cast<Index>(instants.size()) - 1;
  lp::LpProblem all = lp::unconstrained_lp(n, m + steps * n_theta);
  Index column = 0;
  Index row = 0;
  for (std::size_t k = 0; k < instants.size(); ++k) {
    const lp::LpProblem& lp = instants[k].lp;
    double weight = 0.0;
    if (k > 0) weight += 0.5 * (instants[k].time - instants[k - 1].time);
    if (k + 1 < instants.size()) weight += 0.5 * (instants[k + 1].time - instants[k].time);
    all.c.segment(column, lp.n()) = weight * lp.c;
    all.R.block(row, column, lp.m(), lp.n()) = lp.R;
    all.row_lower.segment(row, lp.m()) = lp.row_lower;
    all.row_upper.segment(row, lp.m()) = lp.row_upper;
    if (k + 1 < instants.size()) {
      const Index first = m + static_cast<Index>(k) * n_theta;
      all.R.block(first, column, n_theta, instants[k].tau_by_alpha.cols()) = -instants[k].tau_by_alpha;
      all.R.block(first, column + lp.n(), n_theta, instants[k + 1].tau_by_alpha.cols()) =
          instants[k + 1].tau_by_alpha;
      const VectorXd most = VectorXd::Constant(n_theta, rate * (instants[k + 1].time - instants[k].time));
      const VectorXd step = instants[k + 1].tau_0 - instants[k].tau_0;
      all.row_lower.segment(first, n_theta) = -most - step;
      all.row_upper.segment(first, n_theta) = most - step;
    }
    column += lp.n();
    row += lp.m();
  }
  const lp::LpSolution solution = lp::solve_lp(all);
  return solution.ok() ? solution.objective : lp::kInfinity;
}

TEST(RateProgramTest, SparseProgramFromAWarmBasisEqualsTheDenseOneFromNone) {
  int limited = 0;
  int none = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const CounterRandom random(seed, 5);
    const Index p = 1 + static_cast<Index>(seed % 3);
    std::vector<RateInstant> instants;
    for (std::uint64_t k = 0; k < 12; ++k) {
      RateInstant at;
      at.time = 0.1 * static_cast<double>(k);
      at.lp = lp::unconstrained_lp(p, 4 + p);
      for (Index j = 0; j < p; ++j) {
        at.lp.c[j] = 1.5 + random.symmetric(100 * k + static_cast<std::uint64_t>(j));
        at.lp.R(4 + j, j) = 1.0;
        at.lp.row_lower[4 + j] = -2.0;
        at.lp.row_upper[4 + j] = 20.0;
      }
      for (Index i = 0; i < 4; ++i) {
        for (Index j = 0; j < p; ++j)
          at.lp.R(i, j) = 1.2 + random.symmetric(100 * k + 10 + static_cast<std::uint64_t>(4 * i + j));
        at.lp.row_lower[i] = random.symmetric(100 * k + 30 + static_cast<std::uint64_t>(i));
      }
      at.tau_by_alpha = MatrixXd::Zero(2, p);
      for (Index j = 0; j < p; ++j)
        at.tau_by_alpha.col(j) << random.symmetric(100 * k + 40 + static_cast<std::uint64_t>(j)),
            random.symmetric(100 * k + 50 + static_cast<std::uint64_t>(j));
      at.tau_0 = Vector2d(random.symmetric(100 * k + 60), random.symmetric(100 * k + 61));
      const lp::LpSolution alone = lp::solve_lp(at.lp);
      ASSERT_TRUE(alone.ok());
      at.alpha = alone.z;
      instants.push_back(std::move(at));
    }
    for (const double rate : {3.0, 8.0, 1000.0}) {
      const RateSolution sparse = solve_rate_program(instants, rate);
      const double dense = dense_optimum(instants, rate);
      ASSERT_EQ(sparse.ok(), std::isfinite(dense)) << sparse.message;
      if (!sparse.ok()) {
        ++none;
        EXPECT_GT(sparse.largest_rate, rate * (1.0 - 1e-9));
        EXPECT_TRUE(std::isfinite(dense_optimum(instants, sparse.largest_rate * (1.0 + 1e-6))));
        EXPECT_FALSE(std::isfinite(dense_optimum(instants, sparse.largest_rate * (1.0 - 1e-3))));
        continue;
      }
      EXPECT_NEAR(sparse.objective, dense, 1e-7 * (1.0 + std::abs(dense)));
      EXPECT_LE(sparse.largest_rate, rate * (1.0 + 1e-7));
      limited += rate < 1000.0 ? 1 : 0;
    }
  }
  EXPECT_GT(limited, 5);
  EXPECT_GT(none, 5);
}

double largest_rate(const control::Plan& plan) {
  double out = 0.0;
  for (std::size_t k = 0; k + 1 < plan.points.size(); ++k) {
    const double step = plan.points[k + 1].time - plan.points[k].time;
    out = std::max(out, (plan.points[k + 1].tau - plan.points[k].tau).cwiseAbs().maxCoeff() / step);
  }
  return out;
}

// Example 1 at 1 kHz, 1001 instants and four contacts in one program.
TEST(RateProgramTest, PlanKeepsItsRatesAndItsFloors) {
  PlanCase c = test::example_1();
  const PlanSolution free = plan_internal_forces(c.problem);
  ASSERT_TRUE(free.ok());
  const double steepest = largest_rate(free.plan);
  c.problem.limits.max_torque_rate = 1.1 * steepest;
  const PlanSolution same = plan_internal_forces(c.problem);
  ASSERT_TRUE(same.ok()) << same.message;
  ASSERT_EQ(same.plan.points.size(), 1001U);
  for (std::size_t k = 0; k < same.plan.points.size(); k += 10) {
    const control::PlanPoint& point = same.plan.points[k];
    const control::PlanPoint& before = free.plan.points[free.plan.segment(point.time)];
    if (std::abs(before.time - point.time) > 1e-12) continue;
    EXPECT_NEAR(point.alpha_des[0], before.alpha_des[0], 1e-6);
    EXPECT_EQ(point.critical_contact, before.critical_contact);
  }
  c.problem.limits.max_torque_rate = 0.95 * steepest;
  const PlanSolution limited = plan_internal_forces(c.problem);
  ASSERT_TRUE(limited.ok()) << limited.message;
  EXPECT_LE(largest_rate(limited.plan), 0.95 * steepest * (1.0 + 1e-6));
  for (const control::PlanPoint& point : limited.plan.points)
    EXPECT_GE(point.lambda_N.minCoeff(), 0.5 - 1e-7);
}

TEST(RateProgramTest, TooLittleIsRefusedWithTheLeastRateAndItsTime) {
  PlanCase c = test::example_1();
  c.problem.limits.max_torque_rate = 0.05;
  const PlanSolution solution = plan_internal_forces(c.problem, {.sample_rate = 100.0});
  ASSERT_EQ(solution.status, PlanStatus::kInfeasible);
  EXPECT_THAT(solution.message, HasSubstr("no squeeze keeps the torques' rates within 0.05 N·m/s"));
  ASSERT_EQ(solution.failures.size(), 1U);
  EXPECT_NEAR(solution.failures[0].to - solution.failures[0].from, 0.01, 1e-9);
  c.problem.limits.max_torque_rate = lp::kInfinity;
  c.problem.uncertainty.wrench = Eigen::Vector3d(1.0, 0.0, 0.0);
  c.problem.limits.max_torque_rate = 1.0;
  EXPECT_THROW((void)plan_internal_forces(c.problem), InvalidArgument);
}

TEST(RateProgramTest, ArgumentsThatMakeNoSenseAreRefused) {
  const std::vector<RateInstant> two = {floor_instant(0.0, 1.0), floor_instant(1.0, 1.0)};
  EXPECT_THROW((void)solve_rate_program({two[0]}, 1.0), InvalidArgument);
  EXPECT_THROW((void)solve_rate_program({two[1], two[0]}, 1.0), InvalidArgument);
  EXPECT_THROW((void)solve_rate_program(two, 0.0), InvalidArgument);
  EXPECT_THROW((void)solve_rate_program(two, INFINITY), InvalidArgument);
}

}  // namespace
}  // namespace enfold::planners
