// SPDX-License-Identifier: BSD-3-Clause
// What the whole-arm law accepts, refuses, flags and says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "enfold/base/error.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/whole_arm_case.hpp"

namespace enfold::controllers {
namespace {

using contact::ContactMode;
using test::EigenNear;
using test::WholeArmCase;
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Text of the InvalidArgument of a constructor call; empty if it accepts.
std::string refusal(const std::function<WholeArmController()>& make) {
  try {
    (void)make();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return {};
}

/// Text of the refusal of a case whose plan was changed.
std::string refusal_of_plan(const std::function<void(control::Plan&)>& change) {
  const WholeArmCase c = test::whole_arm_case({}, 1);
  change(*c.plan);
  return refusal([&] { return c.controller(); });
}

TEST(WholeArmContractTest, RefusesMissingParts) {
  const WholeArmCase c = test::whole_arm_case({}, 1);
  EXPECT_EQ(refusal([&] { return c.controller(); }), "");
  EXPECT_THAT(refusal([&] {
                return WholeArmController({nullptr, c.hand.contacts, c.mu}, c.trajectory, c.plan, {});
              }),
              HasSubstr("no mechanism"));
  EXPECT_THAT(refusal([&] {
                return WholeArmController({c.hand.mechanism, nullptr, c.mu}, c.trajectory, c.plan, {});
              }),
              HasSubstr("no contacts"));
  EXPECT_THAT(refusal([&] { return WholeArmController(c.model(), nullptr, c.plan, {}); }),
              HasSubstr("no trajectory"));
  EXPECT_THAT(refusal([&] { return WholeArmController(c.model(), c.trajectory, nullptr, {}); }),
              HasSubstr("plan is empty"));
  EXPECT_THAT(refusal_of_plan([](control::Plan& plan) { plan.points.clear(); }), HasSubstr("plan is empty"));
}

TEST(WholeArmContractTest, RefusesFrictionThatDoesNotFitTheContacts) {
  WholeArmCase c = test::whole_arm_case({}, 1);
  c.mu = VectorXd::Constant(3, 0.1);
  EXPECT_THAT(refusal([&] { return c.controller(); }), HasSubstr("3 friction coefficients for 4 contacts"));
  c.mu = VectorXd::Constant(4, -0.1);
  EXPECT_THAT(refusal([&] { return c.controller(); }), HasSubstr("-0.1"));
}

TEST(WholeArmContractTest, RefusesGainsThatAreNotFinite) {
  for (const Gains& bad : {Gains{.Kp = kNaN}, Gains{.Kv = kNaN}, Gains{.Kalpha = kNaN}}) {
    WholeArmCase c = test::whole_arm_case({}, 1);
    c.gains = bad;
    EXPECT_THAT(refusal([&] { return c.controller(); }), HasSubstr("gains"));
  }
}

// Checklist row 6: each point of the plan must leave the motions that the task tells, because evaluate()
// can't refuse.
TEST(WholeArmContractTest, RefusesPlansThatLeaveOtherMotionsThanTheTaskTells) {
  for (const std::size_t k : {0U, 1U}) {
    EXPECT_THAT(
        refusal_of_plan([k](control::Plan& plan) { plan.points[k].modes[2] = ContactMode::kRoll; }),
        HasSubstr("5 constraint rows leave 2 motions of the 4 joints and the object, for 3 coordinates"));
    EXPECT_THAT(refusal_of_plan([k](control::Plan& plan) { plan.points[k].modes[1] = ContactMode::kOpen; }),
                HasSubstr("G° is 4 × 1, expected 3 × 0"));
    EXPECT_THAT(refusal_of_plan([k](control::Plan& plan) {
                  plan.points[k].modes[0] = plan.points[k].modes[1] = ContactMode::kOpen;
                }),
                HasSubstr("2 contact forces act on the object's 3 coordinates"));
    EXPECT_THAT(refusal_of_plan([k](control::Plan& plan) { plan.points[k].modes.pop_back(); }),
                HasSubstr(fmt::format("point {} of the plan has 3 modes for 4 contacts", k)));
  }
}

TEST(WholeArmContractTest, RefusesCoordinatesThatTheObjectDoesNotHave) {
  const WholeArmCase c = test::whole_arm_case({}, 1);
  WholeArmModel model = c.model();
  model.coordinates = {0, 3};
  EXPECT_THAT(refusal([&] { return WholeArmController(model, c.trajectory, c.plan, {}); }),
              HasSubstr("coordinate 3 of 3"));
}

TEST(WholeArmContractTest, RefusesPlanPointsOfOtherSizes) {
  for (const std::size_t k : {0U, 1U}) {
    EXPECT_THAT(refusal_of_plan([k](control::Plan& plan) { plan.points[k].G_null = MatrixXd::Ones(5, 1); }),
                HasSubstr("G° is 5 × 1, expected 4 × 1"));
    EXPECT_THAT(refusal_of_plan([k](control::Plan& plan) { plan.points[k].G_null = MatrixXd::Ones(4, 2); }),
                HasSubstr("G° is 4 × 2, expected 4 × 1"));
    EXPECT_THAT(refusal_of_plan([k](control::Plan& plan) { plan.points[k].alpha_des = VectorXd::Ones(2); }),
                HasSubstr("2 internal forces, expected 1"));
  }
  EXPECT_THAT(refusal_of_plan([](control::Plan& plan) { plan.points[0].theta = VectorXd::Ones(3); }),
              HasSubstr("3 joint angles"));
}

TEST(WholeArmContractTest, RefusesATrajectoryOfAnotherSize) {
  const WholeArmCase c = test::whole_arm_case({}, 1);
  c.trajectory->x = c.trajectory->x_dot = c.trajectory->x_ddot = VectorXd::Zero(2);
  EXPECT_THAT(refusal([&] { return c.controller(); }), HasSubstr("trajectory"));
}

TEST(WholeArmContractTest, AtTheFirstInstantThereIsNothingToIntegrate) {
  WholeArmCase c = test::whole_arm_case({}, 2);
  c.measured.forces_valid = false;
  WholeArmController controller = c.controller();
  control::Command command;
  controller.evaluate(c.t, c.measured, c.integral, command);
  EXPECT_THAT(command.alpha, EigenNear(c.alpha_des(), 1e-14));
  EXPECT_THAT(command.integral_rate, EigenNear(VectorXd::Zero(1), 0.0));
  EXPECT_FALSE(command.singular);
}

TEST(WholeArmContractTest, PlanIsInterpolatedInsideAndHeldOutside) {
  const WholeArmCase c = test::whole_arm_case({}, 4);
  const double a = c.plan->points[0].alpha_des[0];
  const double b = c.plan->points[1].alpha_des[0];
  ASSERT_GT(std::abs(a - b), 1e-3);
  WholeArmController controller = c.controller();
  control::Command command;
  const auto alpha_at = [&](double t) {
    controller.evaluate(t, c.measured, c.integral, command);
    return command.alpha_des[0];
  };
  EXPECT_DOUBLE_EQ(alpha_at(-0.5), a);
  EXPECT_DOUBLE_EQ(alpha_at(0.0), a);
  EXPECT_NEAR(alpha_at(0.25), 0.75 * a + 0.25 * b, 1e-15);
  EXPECT_DOUBLE_EQ(alpha_at(1.0), b);
  EXPECT_DOUBLE_EQ(alpha_at(7.0), b);
}

// A contact at its link's joint: J̃ is singular, and the torque is marked as not to be used. [eq:S4.8]
TEST(WholeArmContractTest, FlagsASingularJacobian) {
  const WholeArmCase c = test::whole_arm_case({}, 5);
  WholeArmController controller = c.controller();
  control::Command command;
  for (const Index contact : {1, 3}) {
    control::Measurement measured = c.measured;
    measured.q = test::with_contact_at_joint(c.hand, c.measured.q, contact);
    controller.evaluate(c.t, measured, c.integral, command);
    EXPECT_TRUE(command.singular);
    controller.evaluate(c.t, c.measured, c.integral, command);
    EXPECT_FALSE(command.singular);
  }
}

TEST(WholeArmContractTest, FlagsMeasurementsThatAreNotNumbers) {
  const WholeArmCase c = test::whole_arm_case({}, 5);
  WholeArmController controller = c.controller();
  control::Command command;
  for (Index i = 0; i < 7; ++i) {
    control::Measurement measured = c.measured;
    measured.q[i] = kNaN;
    controller.evaluate(c.t, measured, c.integral, command);
    EXPECT_TRUE(command.singular) << "q[" << i << "]";
    measured = c.measured;
    measured.v[i] = kNaN;
    controller.evaluate(c.t, measured, c.integral, command);
    EXPECT_TRUE(command.singular) << "v[" << i << "]";
  }
}

// Same inputs, same torque: nothing is remembered between evaluations.
TEST(WholeArmContractTest, EvaluationHasNoMemory) {
  const WholeArmCase c = test::whole_arm_case({}, 6);
  WholeArmController controller = c.controller();
  control::Command first;
  controller.evaluate(c.t, c.measured, c.integral, first);
  control::Measurement elsewhere = c.measured;
  elsewhere.q[2] += 0.1;
  control::Command command;
  controller.evaluate(0.9, elsewhere, VectorXd::Ones(1), command);
  EXPECT_GT((command.tau - first.tau).norm(), 1e-3);
  controller.evaluate(c.t, c.measured, c.integral, command);
  EXPECT_THAT(command.tau, EigenNear(first.tau, 0.0));
}

TEST(WholeArmContractTest, DescriptionNamesTheLawItsGainsAndItsPoles) {
  WholeArmCase c = test::whole_arm_case({}, 1);
  c.gains = {};
  EXPECT_EQ(c.controller().description(),
            "whole_arm: K_p = 100, K_v = 20, K_alpha = 10; motion poles -10 and -10, force pole -10");
  c.gains = {.Kp = 25.0, .Kv = 6.0, .Kalpha = 2.5};
  EXPECT_EQ(c.controller().description(),
            "whole_arm: K_p = 25, K_v = 6, K_alpha = 2.5; motion poles -3+4i and -3-4i, force pole -2.5");
}

}  // namespace
}  // namespace enfold::controllers
