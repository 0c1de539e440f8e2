// SPDX-License-Identifier: BSD-3-Clause
// The squeeze program against closed forms and against every corner of its set, enumerated here.
#include "enfold/planners/squeeze_program.hpp"

#include <gtest/gtest.h>

#include "enfold/test/matchers.hpp"
#include "squeeze_case.hpp"

namespace enfold::planners {
namespace {

using lp::LpStatus;
using test::ContactMode;
using test::EigenNear;
using test::SqueezeCase;

constexpr Objective kObjectives[] = {Objective::kNormals, Objective::kLiteral, Objective::kMargin};

// One internal force that presses every contact: α = max_i (Λ_i − λ_0i)/n_i, whatever the objective
// (checklist row 12).                                                                        [eq:S4.17]
TEST(SqueezeProgramTest, SingleSqueezeIsTheLargestThatAnyContactAsksFor) {
  std::set<int> critical;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto modes = test::rolling_mask(0);
    SqueezeCase c = test::squeeze_case({.modes = modes, .mu_from = 0.0, .mu_to = 0.15}, seed);
    VectorXd n = c.G_null.col(0);
    if (n.sum() < 0.0) n = c.G_null.col(0) = -n;
    ASSERT_GT(n.minCoeff(), 0.0);
    Index expected = -1;
    const double alpha = ((c.floors - c.lambda_0).array() / n.array()).maxCoeff(&expected);
    for (const Objective objective : kObjectives) {
      const Squeeze squeeze = c.solve(objective);
      ASSERT_EQ(squeeze.status, LpStatus::kOptimal) << squeeze.reason;
      EXPECT_NEAR(squeeze.alpha[0], alpha, 1e-9);
      EXPECT_EQ(squeeze.critical_contact, expected);
      EXPECT_NEAR(squeeze.shadow_price, n.sum() / n[expected], 1e-9);  // Σλ_N grows by Σn/n_i for each newton
      EXPECT_THAT(squeeze.lambda, EigenNear(VectorXd(c.lambda_0 + n * alpha), 1e-9));
      EXPECT_THAT(squeeze.tau, EigenNear(VectorXd(c.tau_0 + c.grasp.J.transpose() * n * alpha), 1e-9));
      EXPECT_TRUE(squeeze.reason.empty());
    }
    critical.insert(static_cast<int>(expected));
  }
  EXPECT_GE(critical.size(), 3U);  // the cases are different ones
}

/// Calls `check` with cases of one and two rolling contacts and unequal friction.
template <typename Check>
void for_rolling_cases(std::uint64_t seeds, const Check& check) {
  for (const unsigned mask : test::kRollingMasks) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      SCOPED_TRACE(fmt::format("mask {:04b}, seed {}", mask, seed));
      check(test::squeeze_case({.modes = test::rolling_mask(mask), .mu_from = 0.1, .mu_to = 0.6}, seed));
    }
  }
}

/// Every requirement holds, the torques and forces belong to α, and the critical contact's floor or cone is
/// active.
void expect_consistent(const SqueezeCase& c, const Squeeze& squeeze, const SqueezeLimits& limits = {}) {
  for (const test::Affine& f : test::requirements(c, limits)) EXPECT_GE(f.at(squeeze.alpha), -1e-8);
  EXPECT_THAT(squeeze.lambda, EigenNear(VectorXd(c.lambda_0 + c.G_null * squeeze.alpha), 1e-9));
  for (Index j = 0; j < 4; ++j) EXPECT_NEAR(squeeze.tau[j], test::torque(c, j).at(squeeze.alpha), 1e-9);
  if (squeeze.critical_contact < 0) return;
  const Index i = squeeze.critical_contact;
  const double floor = test::normal_force(c, i).at(squeeze.alpha) - c.floors[i];
  const bool rolls = c.modes[static_cast<std::size_t>(i)] == ContactMode::kRoll;
  EXPECT_NEAR(rolls ? std::min(floor, test::slack(c, i, squeeze.alpha)) : floor, 0.0, 1e-8);
}

// The cones use the μ of their own contact (checklist rows 11, 13).                 [eq:S4.16] [eq:S4.17]
TEST(SqueezeProgramTest, RollingOptimumIsTheBestCorner) {
  int feasible = 0;
  int on_a_cone = 0;
  for_rolling_cases(8, [&](const SqueezeCase& c) {
    const auto best = test::best_corner(test::requirements(c), c.p(),
                                        [&](const VectorXd& a) { return test::sum_of_normals(c, a); });
    const Squeeze squeeze = c.solve();
    ASSERT_EQ(squeeze.status, best ? LpStatus::kOptimal : LpStatus::kInfeasible) << squeeze.reason;
    if (!best) return;
    ++feasible;
    EXPECT_NEAR(test::sum_of_normals(c, squeeze.alpha), best->cost, 1e-8);
    EXPECT_GE(squeeze.critical_contact, 0);
    expect_consistent(c, squeeze);
    for (const Index i : test::rolling(c)) on_a_cone += test::slack(c, i, squeeze.alpha) < 1e-8 ? 1 : 0;
  });
  EXPECT_GE(feasible, 40);
  EXPECT_GE(on_a_cone, 20);  // friction decides in many of the cases
}

// −|λ_T| is concave, so that the least of the printed cost is at a corner of the set without any split by
// signs (checklist row 12).
TEST(SqueezeProgramTest, LiteralOptimumIsTheBestCornerOfTheConcaveCost) {
  int feasible = 0;
  int differs = 0;
  for_rolling_cases(8, [&](const SqueezeCase& c) {
    const auto cost = [&](const VectorXd& alpha) {
      double sum = test::sum_of_normals(c, alpha);
      for (const Index i : test::rolling(c)) sum += test::slack(c, i, alpha);
      return sum;
    };
    const auto best = test::best_corner(test::requirements(c), c.p(), cost);
    const Squeeze squeeze = c.solve(Objective::kLiteral);
    ASSERT_EQ(squeeze.status, best ? LpStatus::kOptimal : LpStatus::kInfeasible) << squeeze.reason;
    if (!best) {
      EXPECT_EQ(squeeze.reason.find("sign"), std::string::npos) << squeeze.reason;
      return;
    }
    ++feasible;
    EXPECT_NEAR(cost(squeeze.alpha), best->cost, 1e-8);
    EXPECT_TRUE(squeeze.reason.empty()) << squeeze.reason;
    expect_consistent(c, squeeze);
    differs += cost(c.solve().alpha) > best->cost + 1e-6 ? 1 : 0;
  });
  EXPECT_GE(feasible, 40);
  EXPECT_GE(differs, 1);  // from the optimum of Σ λ_N
}

// The smallest slack s as one more coordinate: corners of {(α, s)}, s ≥ 0.
TEST(SqueezeProgramTest, MarginOptimumHasTheLargestSmallestSlack) {
  const SqueezeLimits limits{.max_normal = 6.0, .max_torque = lp::kInfinity, .rows = {}};
  int feasible = 0;
  for_rolling_cases(4, [&](const SqueezeCase& c) {
    const Index p = c.p();
    test::Halfspaces all;
    std::size_t row = 0;
    const std::size_t n_cones = 2 * test::rolling(c).size();
    for (test::Affine f : test::requirements(c, limits)) {
      f.a.conservativeResize(p + 1);
      f.a[p] = row >= 4 && row < 4 + n_cones ? -1.0 : 0.0;
      all.push_back(f);
      ++row;
    }
    all.push_back({VectorXd::Unit(p + 1, p), 0.0});
    const auto best = test::best_corner(all, p + 1, [&](const VectorXd& z) { return -z[p]; });
    const Squeeze squeeze = c.solve(Objective::kMargin, limits);
    ASSERT_EQ(squeeze.status, best ? LpStatus::kOptimal : LpStatus::kInfeasible) << squeeze.reason;
    if (!best) return;
    ++feasible;
    double smallest = lp::kInfinity;
    for (const Index i : test::rolling(c)) smallest = std::min(smallest, test::slack(c, i, squeeze.alpha));
    EXPECT_NEAR(smallest, -best->cost, 1e-8);
    for (const test::Affine& f : test::requirements(c, limits)) EXPECT_GE(f.at(squeeze.alpha), -1e-8);
    EXPECT_EQ(squeeze.alpha.size(), p);
  });
  EXPECT_GE(feasible, 20);
}

// d(optimal cost)/d(bound) by moving the bound of the critical contact's floor, or of its cone, and looking
// for the best corner again.
TEST(SqueezeProgramTest, ShadowPriceIsTheSlopeOfTheOptimalCost) {
  int floors = 0;
  int cones = 0;
  for_rolling_cases(4, [&](const SqueezeCase& c) {
    const Squeeze squeeze = c.solve();
    if (!squeeze.ok()) return;
    const Index i = squeeze.critical_contact;
    ASSERT_GE(i, 0);
    const test::Halfspaces all = test::requirements(c);
    // The bounds of this contact that are active; the price is the largest of their slopes.
    double steepest = 0.0;
    bool steepest_is_floor = false;
    for (std::size_t row = 0; row < all.size(); ++row) {
      const bool floor = row < 4;
      const bool own = floor ? static_cast<Index>(row) == i : test::rolling(c)[(row - 4) / 2] == i;
      if (!own || all[row].at(squeeze.alpha) > 1e-8) continue;
      double cost[2] = {};
      for (int k = 0; k < 2; ++k) {
        test::Halfspaces moved = all;
        moved[row].c += k == 0 ? 1e-4 : -1e-4;
        const auto best =
            test::best_corner(moved, c.p(), [&](const VectorXd& a) { return test::sum_of_normals(c, a); });
        ASSERT_TRUE(best);
        cost[k] = best->cost;
      }
      const double slope = (cost[1] - cost[0]) / 2e-4;
      if (slope > steepest) {
        steepest = slope;
        steepest_is_floor = floor;
      }
    }
    EXPECT_NEAR(squeeze.shadow_price, steepest, 1e-6);
    ++(steepest_is_floor ? floors : cones);
  });
  EXPECT_GE(floors, 5);
  EXPECT_GE(cones, 5);
}

// The solver goes on from the last basis; one that starts anew for each instant finds the same cost, and the
// same squeeze where the optimum is unique.
TEST(SqueezeProgramTest, WarmStartFindsWhatAColdOneFinds) {
  for (const Objective objective : {Objective::kNormals, Objective::kLiteral}) {
    std::optional<SqueezeProgram> warm;
    int feasible = 0;
    const SqueezeLimits limits{.max_normal = 3.0, .max_torque = lp::kInfinity, .rows = {}};
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const SqueezeCase c = test::squeeze_case(
          {.modes = test::rolling_mask(0b1010), .mu_from = 0.1, .mu_to = 0.6, .wrench = 4.0}, seed);
      if (!warm) warm.emplace(c.program(objective, limits));
      const Squeeze& squeeze = warm->solve(c.instant());
      const Squeeze cold = c.solve(objective, limits);
      ASSERT_EQ(squeeze.status, cold.status);
      EXPECT_EQ(squeeze.reason, cold.reason);
      if (!cold.ok()) continue;
      ++feasible;
      EXPECT_THAT(squeeze.alpha, EigenNear(cold.alpha, 1e-8)) << seed;
      EXPECT_NEAR(squeeze.shadow_price, cold.shadow_price, 1e-8);
    }
    EXPECT_GE(feasible, 5);
    EXPECT_LE(feasible, 25);
  }
}

}  // namespace
}  // namespace enfold::planners
