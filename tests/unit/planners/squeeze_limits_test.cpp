// SPDX-License-Identifier: BSD-3-Clause
// Upper limits and rows of the user's: respected, active when they should be, and named when they contradict.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "enfold/planners/squeeze_program.hpp"
#include "enfold/test/matchers.hpp"
#include "squeeze_case.hpp"

namespace enfold::planners {
namespace {

using lp::LpStatus;
using test::EigenNear;
using test::SqueezeCase;

SqueezeCase rolling_case(std::uint64_t seed) {
  return test::squeeze_case({.modes = test::rolling_mask(0b1010), .mu_from = 0.3, .mu_to = 0.7}, seed);
}

/// The best corner with `extra` requirements against the program with limits; how often an extra one is
/// active.
void compare(const SqueezeCase& c, const SqueezeLimits& limits, const test::Halfspaces& extra, int& active) {
  test::Halfspaces all = test::requirements(c, limits);
  all.insert(all.end(), extra.begin(), extra.end());
  const auto best =
      test::best_corner(all, c.p(), [&](const VectorXd& a) { return test::sum_of_normals(c, a); });
  const Squeeze squeeze = c.solve(Objective::kNormals, limits);
  ASSERT_EQ(squeeze.status, best ? LpStatus::kOptimal : LpStatus::kInfeasible) << squeeze.reason;
  if (!best) return;
  EXPECT_NEAR(test::sum_of_normals(c, squeeze.alpha), best->cost, 1e-8);
  const std::size_t plain = test::requirements(c).size();
  bool touches = false;
  for (std::size_t row = 0; row < all.size(); ++row) {
    const double left = all[row].at(squeeze.alpha);
    EXPECT_GE(left, -1e-8) << "requirement " << row;
    touches = touches || (row >= plain && left < 1e-8);
  }
  active += touches ? 1 : 0;
}

TEST(SqueezeLimitsTest, TorqueAndNormalLimitsAreRespectedAndActiveWhereTheyBind) {
  int by_torque = 0;
  int by_normal = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const SqueezeCase c = rolling_case(seed);
    const Squeeze free = c.solve();
    if (!free.ok()) continue;
    SqueezeLimits limits;
    limits.max_torque = 0.98 * free.tau.cwiseAbs().maxCoeff();
    compare(c, limits, {}, by_torque);
    limits.max_torque = lp::kInfinity;
    limits.max_normal = 0.98 * free.lambda.head(4).maxCoeff();
    compare(c, limits, {}, by_normal);
  }
  EXPECT_GE(by_torque, 5);
  EXPECT_GE(by_normal, 5);
}

// A row on λ_N, on λ_T (of sliding and rolling contacts) and on τ, asked for a little more or less than the
// optimum has.
TEST(SqueezeLimitsTest, RowsOfTheUserWeighNormalsTangentialsAndTorques) {
  int active = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const SqueezeCase c = rolling_case(seed);
    const Squeeze free = c.solve();
    if (!free.ok()) continue;
    const CounterRandom random(seed, 3);
    for (int kind = 0; kind < 4; ++kind) {
      SCOPED_TRACE(kind);
      ForceRow row{.name = "mine", .lambda_N = {}, .lambda_T = {}, .tau = {}};
      test::Affine f{VectorXd::Zero(c.p()), 0.0};
      const VectorXd w = test::random_vector(random, 4 * static_cast<std::uint64_t>(kind), 4);
      if (kind == 0 || kind == 3) row.lambda_N = w;
      if (kind == 1 || kind == 3) row.lambda_T = w;
      if (kind == 2 || kind == 3) row.tau = w;
      for (Index i = 0; i < 4; ++i) {
        if (row.lambda_N.size() > 0) f = test::combine(1.0, f, w[i], test::normal_force(c, i));
        if (row.lambda_T.size() > 0) f = test::combine(1.0, f, w[i], test::tangential_force(c, i));
        if (row.tau.size() > 0) f = test::combine(1.0, f, w[i], test::torque(c, i));
      }
      for (const double shift : {0.02, -0.02}) {
        SqueezeLimits limits;
        row.lower = shift > 0.0 ? f.at(free.alpha) + shift : -lp::kInfinity;
        row.upper = shift < 0.0 ? f.at(free.alpha) + shift : lp::kInfinity;
        limits.rows = {row};
        compare(c, limits, {shift > 0.0 ? test::above(f, row.lower) : test::below(f, row.upper)}, active);
      }
    }
  }
  EXPECT_GE(active, 60);
}

TEST(SqueezeLimitsTest, NoContactIsCriticalWhereARowOfTheUserDecides) {
  const SqueezeCase c = test::squeeze_case({}, 1);
  const Squeeze free = c.solve();
  ASSERT_TRUE(free.ok());
  SqueezeLimits limits;
  limits.rows = {{.name = "grip", .lambda_N = VectorXd::Ones(4), .lambda_T = {}, .tau = {}}};
  limits.rows[0].lower = free.lambda.sum() + 1.0;
  const Squeeze squeeze = c.solve(Objective::kNormals, limits);
  ASSERT_TRUE(squeeze.ok()) << squeeze.reason;
  EXPECT_NEAR(squeeze.lambda.sum(), free.lambda.sum() + 1.0, 1e-9);
  EXPECT_EQ(squeeze.critical_contact, -1);
  EXPECT_EQ(squeeze.shadow_price, 0.0);
}

/// Some squeeze makes every slack grow and no normal force fall: the largest slack of all α in a box, of the
/// program without offsets.
bool margin_can_grow(const SqueezeCase& c) {
  const Index p = c.p();
  test::Halfspaces all;
  for (test::Affine f : test::requirements(c)) {
    f.a.conservativeResize(p + 1);
    f.a[p] = all.size() >= 4 ? -1.0 : 0.0;
    f.c = 0.0;
    all.push_back(f);
  }
  for (Index j = 0; j < p; ++j)
    for (const double sign : {1.0, -1.0}) all.push_back({sign * VectorXd::Unit(p + 1, j), 1.0});
  const auto best = test::best_corner(all, p + 1, [p](const VectorXd& z) { return -z[p]; });
  return best && best->cost < -1e-9;
}

// Inside the cones the margin grows with the squeeze, so that only an upper limit ends it.
TEST(SqueezeLimitsTest, MarginWithoutAnUpperLimitIsUnboundedAndSaysWhichToGive) {
  int unbounded = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const SqueezeCase c = rolling_case(seed);
    if (!c.solve().ok()) continue;
    const Squeeze squeeze = c.solve(Objective::kMargin);
    if (!margin_can_grow(c)) {
      EXPECT_EQ(squeeze.status, LpStatus::kOptimal);
      continue;
    }
    ++unbounded;
    EXPECT_EQ(squeeze.status, LpStatus::kUnbounded);
    EXPECT_FALSE(squeeze.ok());
    EXPECT_THAT(squeeze.reason, testing::HasSubstr("planner.max_normal_N"));
    SqueezeLimits limits;
    limits.max_normal = 100.0;
    EXPECT_TRUE(c.solve(Objective::kMargin, limits).ok());
  }
  EXPECT_GE(unbounded, 5);
}

}  // namespace
}  // namespace enfold::planners
