// SPDX-License-Identifier: BSD-3-Clause
// The law promises to run in a control loop without allocating. Counting malloc itself covers both operator
// new and Eigen; it replaces the C function, hence an executable of its own.
#include <gtest/gtest.h>

#include "enfold/controllers/computed_torque.hpp"
#include "enfold/controllers/force_loop.hpp"
#include "enfold/controllers/joint_pd.hpp"
#include "enfold/controllers/object_impedance.hpp"
#include "enfold/controllers/whole_arm_pi.hpp"
#include "enfold/test/malloc_counter.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/whole_arm_case.hpp"

namespace enfold::controllers {
namespace {

TEST(AllocationCounterTest, SeesAnEigenVector) {
  const long before = test::mallocs();
  const VectorXd x = VectorXd::Zero(100);
  EXPECT_EQ(test::mallocs() - before, 1);
  EXPECT_EQ(x.size(), 100);
}

/// A reference that holds still and allocates nothing.
struct Hold final : control::Trajectory {
  VectorXd x, zero;
  [[nodiscard]] double duration() const override { return 1.0; }
  void sample(double /*t*/, control::Reference& out) const override {
    out.x = x;
    out.x_dot = out.x_ddot = out.x_dddot = zero;
  }
};

// The first evaluation, without forces as at a loop's first instant, gives `out` its sizes; the others, with
// forces, allocate nothing, for one internal force and for three.
TEST(WholeArmAllocationTest, EvaluationsAfterTheFirstAllocateNothing) {
  for (const test::PaperHandOptions& options :
       {test::PaperHandOptions{}, test::PaperHandOptions{.radius = 0.003, .lengths = {0.14, 0.16, 0.15}}}) {
    const test::WholeArmCase c = test::whole_arm_case(options, 1);
    const auto hold = std::make_shared<Hold>();
    hold->x = c.trajectory->x;
    hold->zero = VectorXd::Zero(3);
    WholeArmController controller(c.model(), hold, c.plan, c.gains);
    control::Command command;
    control::Measurement measured = c.measured;
    measured.forces_valid = false;
    controller.evaluate(0.0, measured, c.integral, command);
    measured.forces_valid = true;
    const long before = test::mallocs();
    for (int k = 1; k < 100; ++k) {
      measured.q[2] += 1e-4;
      controller.evaluate(0.011 * k, measured, c.integral, command);
    }
    EXPECT_EQ(test::mallocs(), before) << "p = " << controller.n_integrals();
    EXPECT_FALSE(command.singular);
  }
}

// Every other law as well.
TEST(LawAllocationTest, EvaluationsAfterTheFirstAllocateNothing) {
  test::WholeArmCase c = test::whole_arm_case({.radius = 0.003, .lengths = {0.14, 0.16, 0.15}}, 1);
  for (control::PlanPoint& point : c.plan->points) {
    point.tau = point.theta_dot = point.theta_ddot = VectorXd::Constant(6, 0.1);
    point.lambda_N = point.lambda_T = VectorXd::Constant(6, 0.1);
  }
  const auto hold = std::make_shared<Hold>();
  hold->x = c.trajectory->x;
  hold->zero = VectorXd::Zero(3);
  const std::vector<std::shared_ptr<control::Controller>> laws{
      std::make_shared<WholeArmPiController>(c.model(), hold, c.plan, c.gains, 0.3),
      std::make_shared<ForceLoopController>(c.model(), hold, c.plan, c.gains, 0.3),
      std::make_shared<JointPdController>(c.plan, JointGains{VectorXd::Ones(1), VectorXd::Ones(6)}),
      std::make_shared<ComputedTorqueController>(c.model(), hold, c.plan, c.gains, ContactForces::kMeasured),
      std::make_shared<ObjectImpedanceController>(c.model(), hold, c.plan,
                                                  Impedance{VectorXd::Ones(3), VectorXd::Ones(3)}, c.gains)};
  for (const auto& law : laws) {
    control::Command command;
    control::Measurement measured = c.measured;
    const VectorXd integral = VectorXd::Zero(law->n_integrals());
    measured.forces_valid = false;
    law->evaluate(0.0, measured, integral, command);
    measured.forces_valid = true;
    const long before = test::mallocs();
    for (int k = 1; k < 100; ++k) {
      measured.q[2] += 1e-4;
      law->evaluate(0.011 * k, measured, integral, command);
    }
    EXPECT_EQ(test::mallocs(), before) << law->description();
    EXPECT_FALSE(command.singular) << law->description();
  }
}

TEST(WholeArmAllocationTest, SampledLoopAllocatesNothingAfterItsFirstInstant) {
  const test::WholeArmCase c = test::whole_arm_case({}, 1);
  const auto hold = std::make_shared<Hold>();
  hold->x = c.trajectory->x;
  hold->zero = VectorXd::Zero(3);
  WholeArmController controller(c.model(), hold, c.plan, c.gains);
  control::SampledLoop loop(controller, 1e-3);
  control::Measurement measured = c.measured;
  measured.forces_valid = false;
  (void)loop.command(0.0, measured);
  measured.forces_valid = true;
  const long before = test::mallocs();
  for (int k = 1; k < 100; ++k) (void)loop.command(1e-3 * k, measured);
  EXPECT_EQ(test::mallocs(), before);
  EXPECT_GT(loop.integral().norm(), 0.0);
}

}  // namespace
}  // namespace enfold::controllers
