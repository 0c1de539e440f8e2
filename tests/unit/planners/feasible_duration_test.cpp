// SPDX-License-Identifier: BSD-3-Clause
// The durations that a path allows: against planning at each of them.
#include "enfold/planners/feasible_duration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "enfold/planners/round_path.hpp"
#include "plan_case.hpp"

namespace enfold::planners {
namespace {

using test::PlanCase;
using test::pose_deg;
using testing::HasSubstr;

constexpr double kRate = 200.0;

/// At the same parts of the path, whatever the duration.
bool plans_in(const PlanCase& c, double duration) {
  PlanProblem problem = c.problem;
  problem.trajectory = std::make_shared<Retimed>(c.problem.trajectory, duration);
  const double T = c.problem.trajectory->duration();
  problem.min_normal = [&c, T, duration](double t, Index i) {
    return c.problem.min_normal(t * T / duration, i);
  };
  return plan_internal_forces(problem, {.sample_rate = kRate * T / duration}).ok();
}

TEST(FeasibleDurationTest, ShortestWithLimitedTorqueIsWherePlanningStartsToFail) {  // [eq:feasible-duration]
  for (const double limit : {1.5, 2.5, 5.0}) {
    PlanCase c = test::example_1();
    c.problem.limits.max_torque = limit;
    const DurationRange range = feasible_durations(c.problem, {.sample_rate = kRate});
    ASSERT_TRUE(range.exists()) << range.reason;
    EXPECT_FALSE(std::isfinite(range.longest));
    EXPECT_TRUE(plans_in(c, range.shortest * 1.0001)) << limit;
    EXPECT_TRUE(plans_in(c, range.shortest * 1.5));
    EXPECT_FALSE(plans_in(c, range.shortest * 0.9999)) << limit;
    EXPECT_THAT(range.shortest_by, HasSubstr("|torque of"));
    EXPECT_GT(range.shortest_at, 0.0);
  }
}

// On a circle slips turn around between samples, and the torques are largest at a turn: plans look there too.
TEST(FeasibleDurationTest, TurnsOfASlipBetweenSamplesCount) {
  PlanCase c = test::example_1();
  const RoundPath::Shape shape{
      .centre = {0.0, 0.141}, .turns = 1.5, .radius_to = 0.001, .others_to = VectorXd::Constant(1, 1.5708)};
  c.problem.trajectory = std::make_shared<RoundPath>(pose_deg(0.0, 0.145, 90.0), shape, 2.0);
  for (const double limit : {1.0, 2.0}) {
    c.problem.limits.max_torque = limit;
    const DurationRange range = feasible_durations(c.problem, {.sample_rate = 50.0});
    ASSERT_TRUE(range.exists()) << range.reason;
    const auto plans = [&](double duration) {
      PlanProblem problem = c.problem;
      problem.trajectory = std::make_shared<Retimed>(c.problem.trajectory, duration);
      return plan_internal_forces(problem, {.sample_rate = 100.0 / duration}).ok();
    };
    EXPECT_TRUE(plans(range.shortest * 1.0005)) << limit;
    EXPECT_FALSE(plans(range.shortest * 0.9995)) << limit;
  }
}

// One contact must press hard while the object speeds up, and no contact may press harder than a little less
// than that takes at rest: only inertia can help, and only if the motion is fast enough.
TEST(FeasibleDurationTest, LongestIsFoundWhereHasteHelps) {
  int bounded = 0;
  for (Index pressed = 0; pressed < 4; ++pressed) {
    PlanCase c = test::example_1();
    const PlanSolution plain = plan_internal_forces(c.problem, {.sample_rate = kRate});
    ASSERT_TRUE(plain.ok());
    const VectorXd squeeze = plain.plan.points[plain.plan.segment(0.3)].G_null.col(0);
    ASSERT_GT(squeeze.minCoeff(), 0.0);
    c.problem.min_normal = [pressed](double t, Index i) {
      return i == pressed ? std::max(0.01, 2.0 - 40.0 * std::abs(t - 0.3)) : 0.01;
    };
    c.problem.limits.max_normal = std::max(2.2, 0.97 * 2.0 * squeeze.maxCoeff() / squeeze[pressed]);
    const DurationRange range = feasible_durations(c.problem, {.sample_rate = kRate});
    if (!range.exists() || !std::isfinite(range.longest)) continue;
    ++bounded;
    EXPECT_NEAR(range.longest_at, 0.3, 0.02);
    EXPECT_FALSE(range.longest_by.empty());
    EXPECT_TRUE(plans_in(c, range.longest * 0.999)) << pressed;
    EXPECT_FALSE(plans_in(c, range.longest * 1.001)) << pressed;
    EXPECT_TRUE(plans_in(c, range.shortest * 1.001)) << pressed;
    EXPECT_FALSE(plans_in(c, range.shortest * 0.999)) << pressed;
  }
  EXPECT_GT(bounded, 0);
}

TEST(FeasibleDurationTest, GravityThatMotorsCannotHoldHasNoDuration) {
  int none = 0;
  for (const double g : {1.0, 4.0}) {
    PlanCase c = test::example_1({.gravity = {0.0, -g}});
    for (const double limit : {1.0, 3.0}) {
      c.problem.limits.max_torque = limit;
      const DurationRange range = feasible_durations(c.problem, {.sample_rate = kRate});
      if (range.exists()) {
        EXPECT_TRUE(plans_in(c, range.shortest * 1.001));
        EXPECT_FALSE(plans_in(c, range.shortest * 0.999));
        continue;
      }
      for (const double T : {0.3, 1.0, 3.0}) EXPECT_FALSE(plans_in(c, T)) << g << " " << limit << " " << T;
      EXPECT_FALSE(range.reason.empty());
      ++none;
    }
  }
  EXPECT_GT(none, 0);
}

TEST(FeasibleDurationTest, LimitedRatesAreMetByTheShortestDuration) {
  PlanCase c = test::example_1();
  c.problem.limits.max_torque_rate = 4.0;
  const DurationRange range = feasible_durations(c.problem, {.sample_rate = 100.0});
  ASSERT_TRUE(range.exists()) << range.reason;
  const auto plans = [&](double duration) {
    PlanProblem problem = c.problem;
    problem.trajectory = std::make_shared<Retimed>(c.problem.trajectory, duration);
    return plan_internal_forces(problem, {.sample_rate = std::clamp(100.0 / duration, 10.0, 1e4)}).ok();
  };
  EXPECT_TRUE(plans(range.shortest));
  EXPECT_FALSE(plans(range.shortest * 0.997));
}

TEST(FeasibleDurationTest, FloorsAreLoweredAsFarAsNeeded) {
  PlanCase c = test::example_1();
  EXPECT_EQ(feasible_floors(c.problem, {.sample_rate = kRate}), 1.0);
  c.problem.limits.max_normal = 3.0;
  const double part = feasible_floors(c.problem, {.sample_rate = kRate});
  ASSERT_GT(part, 0.0);
  ASSERT_LT(part, 1.0);
  const auto plans = [&](double scale) {
    PlanProblem problem = c.problem;
    problem.min_normal = [scale](double, Index) { return 0.5 * scale; };
    return plan_internal_forces(problem, {.sample_rate = kRate}).ok();
  };
  EXPECT_TRUE(plans(part * 0.9999));
  EXPECT_FALSE(plans(part * 1.0001));
  c.problem.limits.max_torque = 1e-4;
  EXPECT_LT(feasible_floors(c.problem, {.sample_rate = kRate}), 0.0);
  c.problem.limits.max_torque_rate = 1.0;
  EXPECT_THROW((void)feasible_floors(c.problem), InvalidArgument);
}

TEST(FeasibleDurationTest, PathWithoutASqueezeHasNoDuration) {
  PlanCase c = test::example_1();
  c.move(pose_deg(0.0, 0.165, 70.0), pose_deg(0.0, 0.165, 110.0));
  const DurationRange range = feasible_durations(c.problem, {.sample_rate = kRate});
  EXPECT_EQ(range.status, PlanStatus::kInfeasible);
  EXPECT_THAT(range.reason, HasSubstr("no speed helps"));
  EXPECT_THAT(range.reason, HasSubstr("squeezing opens"));
  c.move(pose_deg(0.0, 0.4, 70.0), pose_deg(0.0, 0.4, 110.0));
  EXPECT_EQ(feasible_durations(c.problem).status, PlanStatus::kOutOfReach);
}

}  // namespace
}  // namespace enfold::planners
