// SPDX-License-Identifier: BSD-3-Clause
// A torque that works for every friction and disturbance of a box: against the equations of motion, solved as
// they stand, and against the rigid plant.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "enfold/base/error.hpp"
#include "enfold/controllers/whole_arm.hpp"
#include "enfold/planners/internal_force_planner.hpp"
#include "enfold/planners/planned_motion.hpp"
#include "enfold/sim/rigid_plant.hpp"
#include "enfold/sim/simulation.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/test/matchers.hpp"
#include "plan_case.hpp"

namespace enfold::planners {
namespace {

using control::PlanPoint;
using test::ContactMode;
using test::PlanCase;
using test::pose_deg;
using testing::HasSubstr;

PlannedMotion motion_of(const PlanProblem& problem) {
  return {problem.mechanism, problem.contacts,   problem.mu,
          problem.modes,     problem.trajectory, problem.coordinates};
}

MotionPoint motion_at(const PlannedMotion& motion, const PlanPoint& point) {
  MotionPoint out;
  motion.sample(point.time, point.modes, out);
  return out;
}

/// M v̇ − W(μ)λ = Bτ − h + [d; 0], W̃ᵀv̇ = −bias as one linear system in (v̇, λ_N, λ_T); returns [λ_N; λ_T].
VectorXd forces_of_motion(const MotionPoint& at, const VectorXd& mu, const VectorXd& d, const VectorXd& tau) {
  const Index n = at.dynamics.M.rows();
  const auto n_C = static_cast<Index>(at.modes.size());
  MatrixXd K = MatrixXd::Zero(n + 2 * n_C, n + 2 * n_C);
  VectorXd b = VectorXd::Zero(n + 2 * n_C);
  K.topLeftCorner(n, n) = at.dynamics.M;
  K.block(0, n, n, n_C) = -at.kinematics.W_N;
  K.block(0, n + n_C, n, n_C) = -at.kinematics.W_T;
  b.head(n) = -at.dynamics.h;
  b.head(d.size()) += d;
  b.segment(n - tau.size(), tau.size()) += tau;
  for (Index i = 0; i < n_C; ++i) {
    K.row(n + i).head(n) = at.kinematics.W_N.col(i).transpose();
    b[n + i] = -at.kinematics.bias_N[i];
    const ContactMode mode = at.modes[static_cast<std::size_t>(i)];
    const Index row = n + n_C + i;
    if (mode == ContactMode::kRoll) {
      K.row(row).head(n) = at.kinematics.W_T.col(i).transpose();
      b[row] = -at.kinematics.bias_T[i];
    } else {  // λ_T = ∓ μ λ_N
      K(row, n + n_C + i) = 1.0;
      K(row, n + i) = mode == ContactMode::kSlidePlus ? mu[i] : -mu[i];
    }
  }
  return K.fullPivLu().solve(b).tail(2 * n_C);
}

struct RobustCase {
  PlanCase c;
  PlanSolution solution;
};

/// Example 1 with unequal friction and friction and a disturbance that are not known.
RobustCase robust_example(double sample_rate = 200.0, const PlanCase& from = test::example_1()) {
  RobustCase out{from, {}};
  out.c.problem.mu << 0.1, 0.15, 0.12, 0.1;
  out.c.problem.uncertainty.mu_fraction = VectorXd::Constant(4, 0.2);
  out.c.problem.uncertainty.mu_fraction[1] = 0.4;
  out.c.problem.uncertainty.wrench = Eigen::Vector3d(0.3, 0.2, 0.01);
  out.solution = plan_internal_forces(out.c.problem, {.sample_rate = sample_rate});
  return out;
}

VectorXd random_mu(const CounterRandom& random, std::uint64_t n, const PlanProblem& problem) {
  VectorXd mu = problem.mu;
  for (Index i = 0; i < mu.size(); ++i)
    mu[i] *=
        1.0 + problem.uncertainty.mu_fraction[i] * random.symmetric(8 * n + static_cast<std::uint64_t>(i));
  return mu;
}

VectorXd random_wrench(const CounterRandom& random, std::uint64_t n, const PlanProblem& problem) {
  VectorXd d = problem.uncertainty.wrench;
  for (Index i = 0; i < d.size(); ++i) d[i] *= random.symmetric(8 * n + 4 + static_cast<std::uint64_t>(i));
  return d;
}

TEST(RobustPlanTest, NoFrictionOrDisturbanceOfTheBoxesTakesAForceBelowItsFloor) {  // [eq:robust-squeeze]
  const RobustCase robust = robust_example();
  ASSERT_TRUE(robust.solution.ok()) << robust.solution.message;
  const std::vector<PlanPoint>& points = robust.solution.plan.points;
  std::vector<MotionPoint> motions;
  const PlannedMotion motion = motion_of(robust.c.problem);
  for (const PlanPoint& point : points) motions.push_back(motion_at(motion, point));
  const CounterRandom random(11, 1);
  const int n = test::count(4000, 100'000);
  double smallest = 1e9;
  for (int s = 0; s < n; ++s) {
    const auto draw = static_cast<std::uint64_t>(s);
    const std::size_t k = draw % points.size();
    const VectorXd mu = random_mu(random, draw, robust.c.problem);
    const VectorXd forces =
        forces_of_motion(motions[k], mu, random_wrench(random, draw, robust.c.problem), points[k].tau);
    smallest = std::min(smallest, forces.head(4).minCoeff());
  }
  EXPECT_GE(smallest, 0.5 - 1e-8);
  EXPECT_LT(smallest, 0.7);  // the samples come near to what binds
  RecordProperty("samples", n);
}

TEST(RobustPlanTest, BindingVertexIsTightAndASmallerSqueezeFailsThere) {
  const RobustCase robust = robust_example();
  ASSERT_TRUE(robust.solution.ok()) << robust.solution.message;
  const PlanSolution& solution = robust.solution;
  ASSERT_EQ(solution.binding.size(), solution.plan.points.size());
  std::set<Index> contacts;
  const PlannedMotion motion = motion_of(robust.c.problem);
  for (std::size_t k = 0; k < solution.plan.points.size(); ++k) {
    const PlanPoint& point = solution.plan.points[k];
    const RobustVertex& worst = solution.binding[k];
    ASSERT_GE(worst.contact, 0);
    EXPECT_EQ(point.critical_contact, worst.contact);
    contacts.insert(worst.contact);
    const MotionPoint at = motion_at(motion, point);
    for (Index i = 0; i < 4; ++i)
      EXPECT_NEAR(std::abs(worst.mu[i] / robust.c.problem.mu[i] - 1.0),
                  robust.c.problem.uncertainty.mu_fraction[i], 1e-12);
    EXPECT_THAT(worst.wrench.cwiseAbs(), test::EigenNear(robust.c.problem.uncertainty.wrench, 1e-15));
    EXPECT_NEAR(forces_of_motion(at, worst.mu, worst.wrench, point.tau)[worst.contact], 0.5, 1e-7);
    ASSERT_GT(point.alpha_des[0], 0.0);
    const VectorXd less = point.tau - 0.05 * at.grasp.J.transpose() * point.G_null * point.alpha_des;
    EXPECT_LT(forces_of_motion(at, worst.mu, worst.wrench, less)[worst.contact], 0.5 - 1e-3);
  }
  EXPECT_GE(contacts.size(), 2U);
}

// With one internal force every vertex asks for α ≥ something: the largest of all 2⁴ · 2³ is the answer.
TEST(RobustPlanTest, SqueezeIsTheLargestThatAnyVertexAsksFor) {
  const RobustCase robust = robust_example(50.0);
  ASSERT_TRUE(robust.solution.ok()) << robust.solution.message;
  const PlanProblem& problem = robust.c.problem;
  const PlannedMotion motion = motion_of(problem);
  for (const PlanPoint& point : robust.solution.plan.points) {
    const MotionPoint at = motion_at(motion, point);
    const VectorXd by_alpha = at.grasp.J.transpose() * point.G_null;
    const VectorXd tau_0 = point.tau - by_alpha * point.alpha_des[0];
    double asked = -1e9;
    for (unsigned vertex = 0; vertex < 128; ++vertex) {
      VectorXd mu = problem.mu;
      VectorXd d = problem.uncertainty.wrench;
      for (Index i = 0; i < 4; ++i)
        mu[i] *= 1.0 + ((vertex >> i) & 1U ? 1.0 : -1.0) * problem.uncertainty.mu_fraction[i];
      for (Index i = 0; i < 3; ++i) d[i] *= (vertex >> (4 + i)) & 1U ? 1.0 : -1.0;
      const VectorXd at_0 = forces_of_motion(at, mu, d, tau_0);
      const VectorXd slope = forces_of_motion(at, mu, d, tau_0 + by_alpha) - at_0;
      for (Index i = 0; i < 4; ++i) {
        ASSERT_GT(slope[i], 0.0);
        asked = std::max(asked, (0.5 - at_0[i]) / slope[i]);
      }
    }
    EXPECT_NEAR(point.alpha_des[0], asked, 1e-7);
  }
}

// The rigid plant solves a complementarity problem and knows nothing of vertices.
TEST(RobustPlanTest, RigidPlantWithTheWorstFrictionAndLoadHasTheForcesOfTheVertex) {
  const RobustCase robust = robust_example(50.0);
  ASSERT_TRUE(robust.solution.ok()) << robust.solution.message;
  const PlannedMotion motion = motion_of(robust.c.problem);
  for (std::size_t k = 0; k < robust.solution.plan.points.size(); ++k) {
    const PlanPoint& point = robust.solution.plan.points[k];
    const RobustVertex& worst = robust.solution.binding[k];
    const MotionPoint at = motion_at(motion, point);
    const auto load = std::make_shared<mechanics::PlanarObjectLoad>(std::vector<mechanics::PlanarPointLoad>{
        {Vector2d::Zero(), {{0.0, worst.wrench.head(2), worst.wrench[2]}}}});
    sim::RigidPlant plant({robust.c.problem.mechanism, robust.c.problem.contacts, worst.mu, {}, load},
                          {.drift_frequency = 0.0});
    plant.set_modes(at.modes);
    (void)plant.solve(at.q, at.v, point.tau);
    EXPECT_NEAR(plant.lambda_N().minCoeff(), 0.5, 1e-7);
    EXPECT_NEAR(plant.lambda_N()[worst.contact], 0.5, 1e-7);
  }
}

// Case (a) of S4 with friction of sliding contacts, of rolling ones, and a wrench that are not known.
TEST(RobustPlanTest, RollingContactsStayInTheirConesAtEverySample) {
  PlanCase c = test::example_1({.lengths = {0.2, 0.26}});
  c.problem.modes = {test::kRoll, test::kPlus, test::kRoll, test::kMinus};
  c.problem.mu << 1.0, 0.1, 1.0, 0.1;
  c.problem.coordinates = {2};
  c.move(pose_deg(0.0, 0.15, 85.0), pose_deg(0.0, 0.15, 89.0));
  c.problem.limits.friction_margin = VectorXd::Constant(4, 0.1);
  c.problem.uncertainty.mu_fraction = VectorXd::Constant(4, 0.2);
  c.problem.uncertainty.wrench = Eigen::Vector3d(0.2, 0.2, 0.01);
  const PlanSolution solution = plan_internal_forces(c.problem, {.sample_rate = 10.0});
  ASSERT_TRUE(solution.ok()) << solution.message;
  const CounterRandom random(12, 1);
  int near = 0;
  const PlannedMotion motion = motion_of(c.problem);
  for (std::size_t k = 0; k < solution.plan.points.size(); ++k) {
    const PlanPoint& point = solution.plan.points[k];
    const MotionPoint at = motion_at(motion, point);
    for (std::uint64_t s = 0; s < 40; ++s) {
      const VectorXd mu = random_mu(random, 100 * k + s, c.problem);
      const VectorXd forces =
          forces_of_motion(at, mu, random_wrench(random, 100 * k + s, c.problem), point.tau);
      EXPECT_GE(forces.head(4).minCoeff(), 0.5 - 1e-8);
      for (const Index i : {0, 2}) EXPECT_LE(std::abs(forces[4 + i]), 0.9 * mu[i] * forces[i] + 1e-8);
    }
    const RobustVertex& worst = solution.binding[k];
    if (worst.none()) continue;
    const VectorXd forces = forces_of_motion(at, worst.mu, worst.wrench, point.tau);
    const double slack =
        worst.kind == RobustFailure::kFloor
            ? forces[worst.contact] - 0.5
            : 0.9 * worst.mu[worst.contact] * forces[worst.contact] + worst.side * forces[4 + worst.contact];
    EXPECT_NEAR(slack, 0.0, 1e-6);
    ++near;
  }
  EXPECT_GT(near, 0);
}

// The law holds the object still against each corner of the box: after the push is balanced no force is below
// its floor, and at the worst corner one is at it. Two routes: the program, and a simulation of the law.
TEST(RobustPlanTest, HeldWrenchLeavesTheFloorsInTheClosedLoop) {  // [eq:held-wrench]
  PlanCase c = test::example_1();
  c.move(pose_deg(0.0, 0.15, 85.0), pose_deg(0.0, 0.15, 85.0));
  c.problem.uncertainty.wrench = Eigen::Vector3d(0.3, 0.2, 0.01);
  const auto smallest_of = [&](const PlanSolution& planned) {
    const auto plan = std::make_shared<control::Plan>(planned.plan);
    double smallest = 1e9;
    for (unsigned corner = 0; corner < 8; ++corner) {
      VectorXd d = c.problem.uncertainty.wrench;
      for (Index i = 0; i < 3; ++i) d[i] *= (corner >> i) & 1U ? 1.0 : -1.0;
      sim::SimulationProblem problem;
      problem.plant = {c.problem.mechanism,
                       c.problem.contacts,
                       c.problem.mu,
                       {},
                       std::make_shared<mechanics::PlanarObjectLoad>(std::vector<mechanics::PlanarPointLoad>{
                           {Vector2d::Zero(), {{0.0, d.head(2), d[2]}}}})};
      problem.controller = std::make_shared<controllers::WholeArmController>(
          controllers::WholeArmModel{c.problem.mechanism, c.problem.contacts, c.problem.mu},
          c.problem.trajectory, plan, controllers::Gains{1e4, 200.0, 10.0});  // pushed off by 1e-5 m only
      problem.trajectory = c.problem.trajectory;
      problem.plan = plan;
      problem.modes = planned.plan.points.front().modes;
      problem.q = c.closed(0.0);
      problem.v = VectorXd::Zero(7);
      const sim::History run = sim::simulate(std::move(problem), {.duration = 1.0});
      EXPECT_EQ(run.status, sim::RunStatus::kCompleted) << run.message;
      smallest = std::min(smallest, run.samples.back().lambda_N.minCoeff());
    }
    return smallest;
  };
  const PlanSolution given_way = plan_internal_forces(c.problem, {.sample_rate = 10.0});
  c.problem.uncertainty.held = true;
  const PlanSolution held = plan_internal_forces(c.problem, {.sample_rate = 10.0});
  ASSERT_TRUE(given_way.ok() && held.ok());
  // λ = −G⁺d + G°α by a pseudo-inverse.
  const auto formula = [&](const PlanSolution& planned) {
    const PlanPoint& point = planned.plan.points.back();
    const MatrixXd G = motion_at(motion_of(c.problem), point).grasp.G;
    const VectorXd by_d =
        MatrixXd(G.transpose() * (G * G.transpose()).inverse()).cwiseAbs() * c.problem.uncertainty.wrench;
    return (point.G_null * point.alpha_des - by_d).minCoeff();
  };
  EXPECT_LT(formula(given_way), 0.45);
  EXPECT_NEAR(smallest_of(given_way), formula(given_way), 2e-3);
  EXPECT_GE(formula(held), 0.5 - 1e-9);
  EXPECT_NEAR(smallest_of(held), formula(held), 2e-3);
}

// Lifted to y = 0.148 m with the friction of Example 2 the box holds values of which A is no P-matrix.
TEST(RobustPlanTest, BoxWithoutAUniqueAnswerIsRefusedWithAWitness) {
  PlanCase c = test::example_1();
  c.problem.mu << 0.8, 0.6, 0.8, 0.6;
  c.move(pose_deg(0.0, 0.12, 0.0), pose_deg(0.0, 0.14, 0.0));
  c.problem.uncertainty.mu_fraction = VectorXd::Constant(4, 0.3);
  ASSERT_TRUE([&] {
    PlanProblem nominal = c.problem;
    nominal.uncertainty = {};
    return plan_internal_forces(nominal, {.sample_rate = 100.0}).ok();
  }());
  const PlanSolution solution = plan_internal_forces(c.problem, {.sample_rate = 100.0});
  EXPECT_EQ(solution.status, PlanStatus::kNotUnique);
  EXPECT_THAT(solution.message, HasSubstr("A is no P-matrix"));
  EXPECT_THAT(solution.message, HasSubstr("left.proximal"));
  EXPECT_EQ(to_string(solution.status), "not unique");
}

TEST(RobustPlanTest, WithoutABoxItIsThePlanOfTheNominalFriction) {
  PlanCase c = test::example_1();
  const PlanSolution plain = plan_internal_forces(c.problem, {.sample_rate = 50.0});
  EXPECT_TRUE(plain.binding.empty());
  c.problem.uncertainty.wrench = Eigen::Vector3d(1e-9, 0.0, 0.0);
  const PlanSolution robust = plan_internal_forces(c.problem, {.sample_rate = 50.0});
  ASSERT_TRUE(plain.ok() && robust.ok());
  for (const PlanPoint& point : robust.plan.points) {
    const PlanPoint& same = plain.plan.points[plain.plan.segment(point.time)];
    if (same.time != point.time) continue;
    EXPECT_NEAR(point.alpha_des[0], same.alpha_des[0], 1e-7);
  }
}

TEST(RobustPlanTest, BoxesThatMakeNoSenseAreRefused) {
  const auto refused = [](Uncertainty uncertainty) {
    PlanCase c = test::example_1();
    c.problem.uncertainty = std::move(uncertainty);
    EXPECT_THROW((void)plan_internal_forces(c.problem, {}), InvalidArgument);
  };
  refused({VectorXd::Constant(3, 0.1), {}});
  refused({VectorXd::Constant(4, 1.1), {}});
  refused({VectorXd::Constant(4, -0.1), {}});
  refused({{}, Eigen::Vector2d(1.0, 1.0)});
  refused({{}, Eigen::Vector3d(-1.0, 1.0, 0.0)});
}

}  // namespace
}  // namespace enfold::planners
