// SPDX-License-Identifier: BSD-3-Clause
// Trajectories without a plan: when, why, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "enfold/base/error.hpp"
#include "enfold/planners/internal_force_planner.hpp"
#include "enfold/test/matchers.hpp"
#include "plan_case.hpp"

namespace enfold::planners {
namespace {

using test::ContactMode;
using test::PlanCase;
using test::pose_deg;
using testing::HasSubstr;

/// The instant in (from, to) where `holds` ends, by bisection. @pre holds(from), not holds(to)
template <typename Predicate>
double end_of(const Predicate& holds, double from, double to) {
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (from + to);
    (holds(middle) ? from : to) = middle;
  }
  return 0.5 * (from + to);
}

/// A squeeze exists at t for sliding contacts with p = 1: the bounds on α leave an interval.
bool squeeze_exists(const PlanCase& c, double t) {
  const control::Reference reference = c.reference(t);
  const VectorXd q = c.closed(t);
  const VectorXd v = test::closed_velocity(c.hand, q, reference.x_dot);
  const contact::ContactKinematics k = c.hand.kinematics(q, v);
  MatrixXd G(3, 4);
  for (Index i = 0; i < 4; ++i) {
    const double slip = k.W_T.col(i).dot(v);
    G.col(i) = k.W_N.col(i).head(3) - c.problem.mu[i] * (slip > 0.0 ? 1.0 : -1.0) * k.W_T.col(i).head(3);
  }
  const VectorXd wrench =
      Eigen::Vector3d(1.69, 1.69, 1.46e-2).cwiseProduct(Eigen::Vector3d(reference.x_ddot));
  const VectorXd lambda_0 = G.completeOrthogonalDecomposition().solve(wrench);
  const VectorXd n = G.fullPivLu().kernel().col(0);
  double lower = -lp::kInfinity;
  double upper = lp::kInfinity;
  for (Index i = 0; i < 4; ++i) {
    const double bound = (c.problem.min_normal(t, i) - lambda_0[i]) / n[i];
    if (n[i] > 0.0) lower = std::max(lower, bound);
    if (n[i] < 0.0) upper = std::min(upper, bound);
  }
  return lower <= upper;
}

// Checklist row 14: beyond y = 0.158 m no squeeze exists for the way out. On the way back the contacts slide
// the other way, and there is one again as soon as the motion turns.
struct OutAndBack final : control::Trajectory {
  Quintic out{Eigen::Vector3d(0.0, 0.15, 1.7), Eigen::Vector3d(0.0, 0.165, 1.95), 1.0};
  [[nodiscard]] double duration() const override { return 2.0; }
  void sample(double t, control::Reference& at) const override {
    if (t <= 1.0) {
      out.sample(t, at);
      return;
    }
    out.sample(2.0 - t, at);
    at.x_dot *= -1.0;
    at.x_dddot *= -1.0;
  }
};

TEST(PlanFailureTest, IntervalWithoutASqueezeIsLocatedAndExplained) {
  PlanCase c = test::example_1();
  c.problem.trajectory = std::make_shared<OutAndBack>();
  const PlanSolution solution = plan_internal_forces(c.problem, {.sample_rate = 500.0});
  ASSERT_EQ(solution.status, PlanStatus::kInfeasible);
  ASSERT_EQ(solution.failures.size(), 1U);
  const PlanFailure& failure = solution.failures[0];
  const auto exists = [&](double t) { return squeeze_exists(c, t); };
  ASSERT_TRUE(exists(0.2));
  ASSERT_FALSE(exists(0.999));
  EXPECT_NEAR(failure.from, end_of(exists, 0.2, 0.999), 1e-6);
  EXPECT_NEAR(failure.to, end_of([&](double s) { return exists(-s); }, -1.8, -0.95) * -1.0, 1e-6);
  EXPECT_THAT(solution.message,
              HasSubstr(fmt::format("from t = {:.4g} s to {:.4g} s", failure.from, failure.to)));
  EXPECT_THAT(solution.message, HasSubstr(failure.reason));
  EXPECT_THAT(failure.reason, HasSubstr("no squeeze exists"));
  EXPECT_THAT(failure.reason, HasSubstr("squeezing opens"));
  for (const control::PlanPoint& point : solution.plan.points)
    EXPECT_TRUE(point.time < failure.from || point.time > failure.to);
  EXPECT_EQ(solution.plan.points.back().time, 2.0);
}

TEST(PlanFailureTest, SqueezeIsLostAtTheHeightOfTheChecklist) {
  PlanCase c = test::example_1();
  for (const double y : {0.150, 0.157}) {
    c.move(pose_deg(0.0, y, 70.0), pose_deg(0.0, y, 110.0));
    EXPECT_TRUE(plan_internal_forces(c.problem, {.sample_rate = 200.0}).ok()) << y;
  }
  c.move(pose_deg(0.0, 0.158, 70.0), pose_deg(0.0, 0.158, 110.0));
  const PlanSolution lost = plan_internal_forces(c.problem, {.sample_rate = 200.0});
  EXPECT_EQ(lost.status, PlanStatus::kInfeasible) << lost.message;
}

TEST(PlanFailureTest, PartOfThePathOutOfReachIsLocated) {
  PlanCase c = test::example_1();
  c.move(pose_deg(0.0, 0.15, 90.0), pose_deg(0.0, 0.30, 90.0));
  c.problem.min_normal = [](double, Index) { return -1e6; };  // any squeeze will do
  const PlanSolution solution = plan_internal_forces(c.problem, {.sample_rate = 200.0});
  ASSERT_EQ(solution.status, PlanStatus::kOutOfReach) << solution.message;
  ASSERT_EQ(solution.failures.size(), 1U);
  const double from =
      end_of([&](double t) { return c.hand.contacts->close(c.reference(t).x).closed(); }, 0.0, 1.0);
  EXPECT_GT(from, 0.1);
  EXPECT_NEAR(solution.failures[0].from, from, 1e-6);
  EXPECT_EQ(solution.failures[0].to, 1.0);
  EXPECT_THAT(solution.failures[0].reason, HasSubstr("contact left.proximal does not reach"));
  EXPECT_LT(solution.plan.points.back().time, from + 1e-9);
}

// A straight line of coordinates makes every contact slip, which a rolling one must not.
TEST(PlanFailureTest, MotionThatNeedsARollingContactToSlipIsRefused) {
  for (std::size_t i = 0; i < 4; ++i) {
    PlanCase c = test::example_1();
    c.problem.modes[i] = ContactMode::kRoll;
    const PlanSolution solution = plan_internal_forces(c.problem, {.sample_rate = 100.0});
    EXPECT_EQ(solution.status, PlanStatus::kUncontrollable);
    ASSERT_FALSE(solution.failures.empty());
    EXPECT_LT(solution.failures[0].from, 1e-3);
    EXPECT_THAT(solution.message, HasSubstr("rolling contact to slip"));
  }
}

TEST(PlanFailureTest, FirstFailureGivesTheStatusAndEachHasItsOwnStretch) {
  PlanCase c = test::example_1();
  c.move(pose_deg(0.0, 0.152, 90.0), pose_deg(0.0, 0.30, 90.0));
  const PlanSolution solution = plan_internal_forces(c.problem, {.sample_rate = 200.0});
  ASSERT_EQ(solution.failures.size(), 2U);
  EXPECT_EQ(solution.status, PlanStatus::kInfeasible);
  EXPECT_EQ(solution.failures[0].status, PlanStatus::kInfeasible);
  EXPECT_EQ(solution.failures[1].status, PlanStatus::kOutOfReach);
  EXPECT_LE(solution.failures[1].from - solution.failures[0].to, 1e-6);
  EXPECT_LT(solution.failures[0].to, solution.failures[1].from);
}

TEST(PlanFailureTest, MarginWithoutLimitsIsRefusedWithTheKeyToSet) {
  PlanCase c = test::example_1();
  c.problem.modes = {ContactMode::kRoll, ContactMode::kSlidePlus, ContactMode::kSlideMinus,
                     ContactMode::kRoll};
  c.problem.mu << 0.3, 0.1, 0.2, 0.5;
  c.move(pose_deg(0.0, 0.15, 80.0), pose_deg(0.0, 0.15, 80.0), 0.1);
  const PlanSolution solution = plan_internal_forces(c.problem, {.objective = Objective::kMargin});
  EXPECT_FALSE(solution.ok());
  EXPECT_THAT(solution.message, HasSubstr("planner.max_normal_N"));
}

TEST(PlanFailureTest, ArgumentsThatMakeNoSenseAreRefused) {
  const auto refused = [](const std::function<void(PlanProblem&, PlanOptions&)>& spoil) {
    PlanCase c = test::example_1();
    PlanOptions options;
    spoil(c.problem, options);
    EXPECT_THROW((void)plan_internal_forces(c.problem, options), InvalidArgument);
  };
  refused([](PlanProblem& p, PlanOptions&) { p.mechanism = nullptr; });
  refused([](PlanProblem& p, PlanOptions&) { p.contacts = nullptr; });
  refused([](PlanProblem& p, PlanOptions&) { p.trajectory = nullptr; });
  refused([](PlanProblem& p, PlanOptions&) { p.min_normal = nullptr; });
  refused([](PlanProblem& p, PlanOptions&) { p.mu = VectorXd::Constant(3, 0.1); });
  refused([](PlanProblem& p, PlanOptions&) { p.modes.pop_back(); });
  refused([](PlanProblem&, PlanOptions& o) { o.sample_rate = 9.0; });
  refused([](PlanProblem&, PlanOptions& o) { o.sample_rate = 1e5; });
  refused([](PlanProblem&, PlanOptions& o) { o.hop_tol = 0.0; });
}

// Three sliding contacts on an object of three coordinates leave no internal force: the motion alone says
// what the forces are, and at rest without gravity they are zero, below any floor.
TEST(PlanFailureTest, GraspWithoutAnInternalForceMustBePressedByItsMotion) {
  PlanCase c = test::example_1();
  c.problem.contacts = std::make_shared<contact::PlanarContactSet>(
      c.hand.mechanism, std::vector<contact::PlanarContact>{{"a", 0}, {"b", 1}, {"c", 2}});
  c.problem.mu = VectorXd::Constant(3, 0.1);
  c.problem.modes.resize(3);
  c.problem.coordinates = {0, 1, 2};
  const PlanSolution solution = plan_internal_forces(c.problem, {.sample_rate = 100.0});
  EXPECT_EQ(solution.status, PlanStatus::kInfeasible) << solution.message;
  c.problem.min_normal = [](double, Index) { return -1e6; };
  const PlanSolution free = plan_internal_forces(c.problem, {.sample_rate = 100.0});
  ASSERT_TRUE(free.ok()) << free.message;
  EXPECT_EQ(free.plan.points.front().alpha_des.size(), 0);
  // The object's accelerations are those of the planned forces.
  const control::PlanPoint& point = free.plan.points[30];
  const control::Reference reference = c.reference(point.time);
  VectorXd q(7);
  q << reference.x, point.theta;
  contact::ContactKinematics kinematics;
  c.problem.contacts->kinematics(q, VectorXd::Zero(7), kinematics);
  const VectorXd wrench =
      kinematics.W_N.topRows(3) * point.lambda_N + kinematics.W_T.topRows(3) * point.lambda_T;
  EXPECT_THAT(
      wrench,
      test::EigenNear(
          VectorXd(Eigen::Vector3d(1.69, 1.69, 1.46e-2).cwiseProduct(Eigen::Vector3d(reference.x_ddot))),
          1e-9));
}

TEST(PlanFailureTest, StatusesHaveNames) {
  EXPECT_EQ(to_string(PlanStatus::kPlanned), "planned");
  EXPECT_EQ(to_string(PlanStatus::kInfeasible), "infeasible");
  EXPECT_EQ(to_string(PlanStatus::kOutOfReach), "out of reach");
  EXPECT_EQ(to_string(PlanStatus::kUncontrollable), "uncontrollable");
}

}  // namespace
}  // namespace enfold::planners
