// SPDX-License-Identifier: BSD-3-Clause
// Squeezes that do not exist, with the reason, and arguments that make no sense.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "enfold/planners/squeeze_program.hpp"
#include "squeeze_case.hpp"

namespace enfold::planners {
namespace {

using lp::LpStatus;
using test::SqueezeCase;
using testing::HasSubstr;

/// The contacts whose floor a reason names as part of the contradiction.
std::vector<Index> floors_named(const SqueezeCase& c, const std::string& reason) {
  std::vector<Index> out;
  const std::string list = reason.substr(0, reason.find("cannot hold together"));
  for (Index i = 0; i < 4; ++i) {
    const std::string text =
        "the normal force of " + c.hand.contacts->names()[static_cast<std::size_t>(i)] + " ≥";
    if (list.find(text) != std::string::npos) out.push_back(i);
  }
  return out;
}

std::size_t requirements_named(const std::string& reason) {
  std::size_t n = 1;
  for (std::size_t at = reason.find(" and "); at != std::string::npos; at = reason.find(" and ", at + 1)) ++n;
  return n;
}

// Checklist row 14: with the centre further out the null vector has a negative entry, and its contact opens.
TEST(SqueezeRefusalTest, ReasonNamesAContradictingPairOfFloorsAndTheContactThatOpens) {
  int cases = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    // Example 1 at its end: the left arm's contacts slide down, the right arm's up.
    constexpr auto kUp = test::ContactMode::kSlidePlus;
    constexpr auto kDown = test::ContactMode::kSlideMinus;
    const double y = 0.159 + 0.001 * static_cast<double>(seed % 10);
    const SqueezeCase c =
        test::squeeze_case({.modes = {kDown, kDown, kUp, kUp}, .pose = {0.0, y, 1.92}, .wrench = 0.2}, seed);
    VectorXd n = c.G_null.col(0);
    if (n.sum() < 0.0) n = -n;
    const Squeeze squeeze = c.solve();
    // By intervals: α ≥ l_i where n_i > 0, α ≤ u_j where n_j < 0.
    const VectorXd bound = (c.floors - c.lambda_0).cwiseQuotient(n);
    double lower = -lp::kInfinity;
    double upper = lp::kInfinity;
    for (Index i = 0; i < 4; ++i)
      (n[i] > 0.0 ? lower : upper) = n[i] > 0.0 ? std::max(lower, bound[i]) : std::min(upper, bound[i]);
    ASSERT_EQ(squeeze.ok(), lower <= upper);
    if (squeeze.ok()) continue;
    ++cases;
    EXPECT_EQ(squeeze.status, LpStatus::kInfeasible);
    const std::vector<Index> named = floors_named(c, squeeze.reason);
    ASSERT_EQ(named.size(), 2U) << squeeze.reason;
    EXPECT_EQ(requirements_named(squeeze.reason), 2U) << squeeze.reason;
    const Index press = n[named[0]] > 0.0 ? named[0] : named[1];
    const Index open = n[named[0]] > 0.0 ? named[1] : named[0];
    EXPECT_GT(n[press], 0.0);
    EXPECT_LT(n[open], 0.0);
    EXPECT_GT(bound[press], bound[open]);
    for (Index i = 0; i < 4; ++i) {
      const std::string text = "squeezing opens " + c.hand.contacts->names()[static_cast<std::size_t>(i)];
      EXPECT_EQ(squeeze.reason.find(text) != std::string::npos, n[i] < 0.0) << squeeze.reason;
    }
  }
  EXPECT_GE(cases, 15);
}

// Two requirements of any sort that contradict each other, and nothing else, are named.
TEST(SqueezeRefusalTest, ReasonNamesLimitsThatContradictAFloor) {
  SqueezeCase c = test::squeeze_case({.modes = test::rolling_mask(0)}, 2);
  c.floors[2] = 9.0;
  SqueezeLimits limits;
  limits.max_normal = 8.0;
  Squeeze squeeze = c.solve(Objective::kNormals, limits);
  EXPECT_THAT(
      squeeze.reason,
      HasSubstr("the normal force of right.proximal ≥ 9 N and the normal force of right.proximal ≤ 8 N"
                " cannot hold together"));
  EXPECT_EQ(requirements_named(squeeze.reason), 2U);
  EXPECT_THAT(squeeze.reason, testing::Not(HasSubstr("opens")));

  c.floors[2] = 0.5;
  limits = {};
  limits.max_torque = 1e-3;
  c.tau_0 << 0.5, 0.0, 0.0, 0.0;
  squeeze = c.solve(Objective::kNormals, limits);
  EXPECT_THAT(squeeze.reason, HasSubstr("|torque of "));
  EXPECT_EQ(requirements_named(squeeze.reason), 2U) << squeeze.reason;

  limits = {};
  limits.rows = {{.name = "gentle", .lambda_N = VectorXd::Ones(4), .lambda_T = {}, .tau = {}, .upper = 0.1}};
  squeeze = c.solve(Objective::kNormals, limits);
  EXPECT_THAT(squeeze.reason, HasSubstr("row 'gentle'"));
  EXPECT_EQ(floors_named(c, squeeze.reason).size(), 1U) << squeeze.reason;
}

// Each named requirement is needed: an infeasible set that becomes feasible when any one of them is dropped,
// and that is infeasible on its own.
TEST(SqueezeRefusalTest, RollingReasonIsAnIrreducibleContradiction) {
  int cases = 0;
  for (const Objective objective : {Objective::kNormals, Objective::kLiteral, Objective::kMargin}) {
    for (const unsigned mask : test::kRollingMasks) {
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const SqueezeCase c = test::squeeze_case(
            {.modes = test::rolling_mask(mask), .mu_from = 0.01, .mu_to = 0.03, .wrench = 6.0}, seed);
        const SqueezeLimits limits{.max_normal = 6.0, .max_torque = lp::kInfinity, .rows = {}};
        const Squeeze squeeze = c.solve(objective, limits);
        const test::Halfspaces all = test::requirements(c, limits);
        const auto cost = [](const VectorXd&) { return 0.0; };
        const bool exists = test::best_corner(all, c.p(), cost).has_value();
        ASSERT_EQ(squeeze.ok(), exists) << squeeze.reason;
        if (exists) continue;
        ++cases;
        // Which half spaces the reason names. A far box keeps corners where few requirements are left.
        std::vector<std::pair<std::string, std::vector<std::size_t>>> named;
        const std::string list = squeeze.reason.substr(0, squeeze.reason.find("cannot hold together"));
        const auto& names = c.hand.contacts->names();
        const auto add = [&](const std::string& text, std::vector<std::size_t> rows) {
          if (list.find(text) != std::string::npos) named.emplace_back(text, std::move(rows));
        };
        const std::vector<Index> rolling = test::rolling(c);
        for (std::size_t i = 0; i < 4; ++i) {
          add("the normal force of " + names[i] + " ≥", {i});
          add("the normal force of " + names[i] + " ≤", {4 + 2 * rolling.size() + i});
        }
        for (std::size_t r = 0; r < rolling.size(); ++r)
          add("the friction cone of " + names[static_cast<std::size_t>(rolling[r])], {4 + 2 * r, 5 + 2 * r});
        EXPECT_EQ(named.size(), requirements_named(squeeze.reason)) << squeeze.reason;
        for (std::size_t without = 0; without <= named.size(); ++without) {
          test::Halfspaces some;
          for (std::size_t k = 0; k < named.size(); ++k) {
            if (k == without) continue;
            for (const std::size_t row : named[k].second) some.push_back(all[row]);
          }
          for (Index j = 0; j < c.p(); ++j) {
            some.push_back({VectorXd::Unit(c.p(), j), 1e4});
            some.push_back({-VectorXd::Unit(c.p(), j), 1e4});
          }
          EXPECT_EQ(test::best_corner(some, c.p(), cost).has_value(), without < named.size())
              << squeeze.reason << "\nwithout "
              << (without < named.size() ? named[without].first : "nothing");
        }
      }
    }
  }
  EXPECT_GE(cases, 10);
}

TEST(SqueezeRefusalTest, SizesThatDoNotAgreeAreRefused) {
  const auto refused = [](const std::function<void(SqueezeCase&)>& spoil) {
    SqueezeCase c = test::squeeze_case({}, 1);
    SqueezeProgram program = c.program();
    spoil(c);
    EXPECT_THROW((void)program.solve(c.instant()), InvalidArgument);
  };
  refused([](SqueezeCase& c) { c.G_null = MatrixXd::Ones(3, 1); });
  refused([](SqueezeCase& c) { c.lambda_0 = VectorXd::Ones(5); });
  refused([](SqueezeCase& c) { c.tau_0 = VectorXd::Ones(3); });
  refused([](SqueezeCase& c) { c.floors = VectorXd::Ones(3); });
  refused([](SqueezeCase& c) { c.mu = VectorXd::Ones(5); });
  refused([](SqueezeCase& c) { c.modes.pop_back(); });
  refused([](SqueezeCase& c) {
    c.mu = VectorXd::Ones(5);
    c.floors = VectorXd::Ones(5);
  });
}

TEST(SqueezeRefusalTest, RowsWithAWrongNumberOfWeightsAreRefusedByName) {
  const SqueezeCase c = test::squeeze_case({}, 1);
  for (int kind = 0; kind < 3; ++kind) {
    SqueezeLimits limits;
    limits.rows = {{.name = "odd", .lambda_N = {}, .lambda_T = {}, .tau = {}}};
    (kind == 0   ? limits.rows[0].lambda_N
     : kind == 1 ? limits.rows[0].lambda_T
                 : limits.rows[0].tau) = VectorXd::Ones(3);
    try {
      (void)c.program(Objective::kNormals, limits);
      ADD_FAILURE() << "accepted 3 weights for 4 entries";
    } catch (const InvalidArgument& error) {
      EXPECT_THAT(error.what(), HasSubstr("'odd'"));
    }
  }
}

}  // namespace
}  // namespace enfold::planners
