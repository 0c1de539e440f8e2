// SPDX-License-Identifier: BSD-3-Clause
// The plan along a trajectory against dynamics, geometry and linear programs of the test's own.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <map>
#include <set>

#include "enfold/planners/internal_force_planner.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/numeric_derivative.hpp"
#include "enfold/test/whole_arm_case.hpp"
#include "plan_case.hpp"

namespace enfold::planners {
namespace {

using control::PlanPoint;
using test::ContactMode;
using test::EigenNear;
using test::numeric_derivative;
using test::PlanCase;
using test::pose_deg;

PlanSolution planned(const PlanCase& c, const PlanOptions& options = {}) {
  PlanSolution solution = plan_internal_forces(c.problem, options);
  EXPECT_EQ(solution.status, PlanStatus::kPlanned) << solution.message;
  EXPECT_TRUE(solution.message.empty());
  EXPECT_TRUE(solution.failures.empty());
  return solution;
}

/// M v̇ + h − B τ − W_N λ_N − W_T λ_T with v and v̇ by numeric differences of closed hands, at one point.
VectorXd dynamics_residual(const PlanCase& c, const PlanPoint& point) {
  const auto q = [&](double t) { return c.closed(t); };
  const auto v_at = [&](double t) {
    return VectorXd(numeric_derivative([&](double s) { return q(t + s); }));
  };
  const VectorXd v = v_at(point.time);
  const VectorXd v_dot = numeric_derivative([&](double s) { return v_at(point.time + s); });
  mechanics::Dynamics dynamics;
  c.hand.mechanism->dynamics(q(point.time), v, dynamics);
  const contact::ContactKinematics kinematics = c.hand.kinematics(q(point.time), v);
  VectorXd residual =
      dynamics.M * v_dot + dynamics.h - kinematics.W_N * point.lambda_N - kinematics.W_T * point.lambda_T;
  residual.tail(point.tau.size()) -= point.tau;
  // Friction opposes the slip of the closed hand.
  const VectorXd slip = kinematics.W_T.transpose() * v;
  for (Index i = 0; i < slip.size(); ++i) {
    if (!is_sliding(c.problem.modes[static_cast<std::size_t>(i)]) || std::abs(slip[i]) < 1e-7) continue;
    EXPECT_NEAR(point.lambda_T[i], -c.problem.mu[i] * (slip[i] > 0.0 ? 1.0 : -1.0) * point.lambda_N[i], 1e-12)
        << "contact " << i << " at " << point.time;
  }
  return residual;
}

/// Points of a plan where the motion is smooth around them.
std::vector<PlanPoint> some_points(const PlanSolution& solution, double duration) {
  std::vector<PlanPoint> out;
  for (std::size_t i = 0; i < solution.plan.points.size(); i += 37) {
    const PlanPoint& point = solution.plan.points[i];
    if (point.time > 0.01 && point.time < duration - 0.01) out.push_back(point);
  }
  return out;
}

/// The object's and the arms' equations of motion, floors kept, angles closed.
void expect_plan_moves_the_hand(const PlanCase& c, const PlanSolution& solution) {
  const double T = c.problem.trajectory->duration();
  const std::vector<PlanPoint> points = some_points(solution, T);
  EXPECT_GE(points.size(), 10U);
  for (const PlanPoint& point : points) {
    EXPECT_THAT(dynamics_residual(c, point), EigenNear(VectorXd::Zero(c.hand.mechanism->n_v()), 1e-6))
        << point.time;
    EXPECT_THAT(point.theta, EigenNear(VectorXd(c.closed(point.time).tail(point.theta.size())), 1e-12));
  }
  for (const PlanPoint& point : solution.plan.points) {
    for (Index i = 0; i < point.lambda_N.size(); ++i) {
      const double floor = c.problem.min_normal(point.time, i);
      EXPECT_GE(point.lambda_N[i], floor - 1e-9) << point.time;
      if (i == point.critical_contact) {
        EXPECT_NEAR(point.lambda_N[i], floor, 1e-9) << point.time;
      }
    }
  }
}

// Checklist A4.3: G λ = M_o ẍ − g_o and M v̇ + h = B τ + W λ at the planned forces.             [eq:S4.17]
TEST(PlanTest, ForcesAndTorquesMoveTheHandOfExample1AlongItsPath) {
  const PlanCase c = test::example_1();
  const PlanSolution solution = planned(c);
  expect_plan_moves_the_hand(c, solution);
  for (const PlanPoint& point : solution.plan.points) {  // the object alone, in the plane: M_o ẍ = W_o λ
    const VectorXd q = c.closed(point.time);
    const contact::ContactKinematics k = c.hand.kinematics(q, VectorXd::Zero(7));
    const VectorXd wrench = k.W_N.topRows(3) * point.lambda_N + k.W_T.topRows(3) * point.lambda_T;
    const VectorXd x_ddot = c.reference(point.time).x_ddot;
    EXPECT_THAT(wrench, EigenNear(VectorXd(Eigen::Vector3d(1.69, 1.69, 1.46e-2).cwiseProduct(x_ddot)), 1e-9));
    EXPECT_GE(point.critical_contact, 0);
    EXPECT_GT(point.shadow_price, 1.0);
  }
}

TEST(PlanTest, GravityThickLinksAndUnequalFrictionAreCarried) {
  PlanCase c = test::example_1({.radius = 0.004, .gravity = {0.5, -0.8}});
  c.problem.mu << 0.1, 0.2, 0.05, 0.15;
  c.move(pose_deg(0.0, 0.156, 80.0), pose_deg(0.001, 0.155, 95.0), 0.8);
  expect_plan_moves_the_hand(c, planned(c));
}

// The smallest squeeze: with a slightly smaller α the critical contact falls below its floor.
TEST(PlanTest, ASlightlySmallerSqueezeViolatesAFloor) {
  const PlanCase c = test::example_1();
  for (const PlanPoint& point : planned(c, {.sample_rate = 200.0}).plan.points) {
    ASSERT_EQ(point.alpha_des.size(), 1);
    ASSERT_GT(point.G_null.col(0).minCoeff(), 0.0);  // a larger α presses every contact more
    const VectorXd less = point.lambda_N - 1e-4 * point.G_null.col(0);
    EXPECT_LT(less.minCoeff(), 0.5 - 1e-6) << point.time;
  }
}

// Checklist row 25, with the last hop of the plan.
TEST(PlanTest, CriticalContactHopsAsInExample1) {
  const PlanCase c = test::example_1();
  const PlanSolution solution = planned(c);
  const std::vector<CriticalStretch> stretches = critical_stretches(solution.plan);
  const std::vector<std::pair<std::string, double>> expected = {
      {"right.proximal", 0.39}, {"left.distal", 0.64}, {"left.proximal", 0.92}, {"left.distal", 1.0}};
  ASSERT_EQ(stretches.size(), expected.size());
  double from = 0.0;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_EQ(c.hand.contacts->names()[static_cast<std::size_t>(stretches[k].contact)], expected[k].first);
    EXPECT_NEAR(stretches[k].to, expected[k].second, 0.02);
    EXPECT_EQ(stretches[k].from, from);
    from = stretches[k].to;
  }
}

/// α_d just before and after a hop, and its slopes, each from points 1e-6 … 1 ms away on its own side.
TEST(PlanTest, HopsAreLocatedAndKeepTheirCorner) {
  const PlanCase c = test::example_1();
  const std::vector<PlanPoint> points = planned(c).plan.points;
  const auto slope = [&](std::size_t i, std::size_t j) {
    return (points[j].alpha_des[0] - points[i].alpha_des[0]) / (points[j].time - points[i].time);
  };
  int hops = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    if (points[i].critical_contact == points[i + 1].critical_contact ||
        points[i].modes != points[i + 1].modes)
      continue;
    ++hops;
    EXPECT_LE(points[i + 1].time - points[i].time, 1e-6);
    EXPECT_NEAR(points[i + 1].alpha_des[0], points[i].alpha_des[0], 1e-4);
    // Both contacts are at their floor there.
    EXPECT_NEAR(points[i].lambda_N[points[i + 1].critical_contact], 0.5, 1e-4);
    std::size_t before = i;
    while (points[i].time - points[before].time < 1e-3) --before;
    std::size_t after = i + 1;
    while (points[after].time - points[i + 1].time < 1e-3) ++after;
    EXPECT_EQ(points[before].critical_contact, points[i].critical_contact);
    EXPECT_EQ(points[after].critical_contact, points[i + 1].critical_contact);
    const double jump = slope(i + 1, after) - slope(before, i);
    EXPECT_GT(jump, 0.05);  // the largest of two requirements: convex corner
  }
  EXPECT_EQ(hops, 3);
}

TEST(PlanTest, PointsAreInOrderOfTimeAndTheBasisIsContinuous) {
  for (const double direction : {1.0, -1.0}) {
    PlanCase c = test::example_1();
    c.move(pose_deg(0.0, 0.15, 90.0 - 20.0 * direction), pose_deg(0.0, 0.15, 90.0 + 20.0 * direction));
    const std::vector<PlanPoint> points = planned(c).plan.points;
    EXPECT_EQ(points.front().time, 0.0);
    EXPECT_EQ(points.back().time, 1.0);
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      EXPECT_LT(points[i].time, points[i + 1].time);
      if (points[i].modes != points[i + 1].modes) continue;
      EXPECT_THAT(points[i + 1].G_null,
                  EigenNear(points[i].G_null, 2.0 * (points[i + 1].time - points[i].time) + 1e-9));
    }
    EXPECT_GT(points.front().alpha_des[0], 0.0);  // positive squeezes
  }
}

TEST(PlanTest, SampleRatesAgreeAtCommonTimes) {
  const PlanCase c = test::example_1();
  std::map<double, PlanPoint> fine;
  for (const PlanPoint& point : planned(c, {.sample_rate = 2000.0}).plan.points) fine[point.time] = point;
  int common = 0;
  for (const PlanPoint& point : planned(c, {.sample_rate = 125.0}).plan.points) {
    const auto found = fine.find(point.time);
    if (found == fine.end()) continue;
    ++common;
    EXPECT_THAT(point.alpha_des, EigenNear(found->second.alpha_des, 1e-9));
    EXPECT_THAT(point.lambda_N, EigenNear(found->second.lambda_N, 1e-9));
    EXPECT_THAT(point.tau, EigenNear(found->second.tau, 1e-9));
    EXPECT_EQ(point.critical_contact, found->second.critical_contact);
  }
  EXPECT_GE(common, 126);
}

// One instant, planned alone: a motion of one step that starts there has no earlier program to start from.
TEST(PlanTest, WarmStartedPlanIsWhatEachInstantAloneGives) {
  const PlanCase c = test::example_1();
  for (const PlanPoint& point : some_points(planned(c), 1.0)) {
    struct Frozen final : control::Trajectory {  // the motion as it is at one instant, at t = 0
      control::Reference at;
      [[nodiscard]] double duration() const override { return 1.0; }
      void sample(double, control::Reference& out) const override { out = at; }
    };
    PlanCase alone = c;
    auto frozen = std::make_shared<Frozen>();
    frozen->at = c.reference(point.time);
    alone.problem.trajectory = frozen;
    const PlanPoint cold = planned(alone, {.sample_rate = 10.0}).plan.points.front();
    EXPECT_THAT(cold.alpha_des, EigenNear(point.alpha_des, 1e-9));
    EXPECT_THAT(cold.tau, EigenNear(point.tau, 1e-9));
    EXPECT_EQ(cold.critical_contact, point.critical_contact);
    EXPECT_NEAR(cold.shadow_price, point.shadow_price, 1e-9);
  }
}

TEST(PlanTest, FloorsMayDifferByContactAndVaryInTime) {
  PlanCase c = test::example_1();
  c.problem.min_normal = [](double t, Index i) {
    return 0.3 + 0.1 * static_cast<double>(i) + 0.4 * std::sin(3.0 * t);
  };
  const PlanSolution solution = planned(c);
  expect_plan_moves_the_hand(c, solution);
  std::set<int> critical;
  for (const PlanPoint& point : solution.plan.points) critical.insert(point.critical_contact);
  EXPECT_GE(critical.size(), 2U);
}

TEST(PlanTest, AMotionThatStaysIsPlanned) {
  PlanCase c = test::example_1();
  c.move(pose_deg(0.0, 0.15, 80.0), pose_deg(0.0, 0.15, 80.0), 0.1);
  const PlanSolution solution = planned(c);
  ASSERT_EQ(solution.plan.points.size(), 101U);
  for (const PlanPoint& point : solution.plan.points) {
    EXPECT_EQ(point.modes, c.problem.modes);  // nothing moves: as declared
    EXPECT_THAT(point.alpha_des, EigenNear(solution.plan.points[0].alpha_des, 1e-12));
    EXPECT_NEAR(point.lambda_N.minCoeff(), 0.5, 1e-9);
  }
}

// Two rolling contacts on an object that stays: the internal forces have p = 3, and rolling friction is free.
TEST(PlanTest, RollingContactsStayInsideTheirCones) {
  PlanCase c = test::example_1({.gravity = {0.0, -1.0}});
  c.problem.modes = {ContactMode::kRoll, ContactMode::kSlidePlus, ContactMode::kSlideMinus,
                     ContactMode::kRoll};
  c.problem.mu << 0.3, 0.1, 0.2, 0.5;
  c.move(pose_deg(0.0, 0.15, 80.0), pose_deg(0.0, 0.15, 80.0), 0.1);
  for (const Objective objective : {Objective::kNormals, Objective::kLiteral, Objective::kMargin}) {
    c.problem.limits.max_normal = 20.0;
    const PlanSolution solution = planned(c, {.objective = objective});
    const PlanPoint& point = solution.plan.points.back();
    EXPECT_EQ(point.alpha_des.size(), 3);
    EXPECT_EQ(point.modes, c.problem.modes);
    const contact::ContactKinematics k = c.hand.kinematics(c.closed(0.0), VectorXd::Zero(7));
    mechanics::Dynamics dynamics;
    c.hand.mechanism->dynamics(c.closed(0.0), VectorXd::Zero(7), dynamics);
    VectorXd balance = dynamics.h - k.W_N * point.lambda_N - k.W_T * point.lambda_T;
    balance.tail(4) -= point.tau;
    EXPECT_THAT(balance, EigenNear(VectorXd::Zero(7), 1e-9));
    for (const Index i : {0, 3})
      EXPECT_LE(std::abs(point.lambda_T[i]), c.problem.mu[i] * point.lambda_N[i] + 1e-9);
  }
}

/// Σ λ_N of the best corner of {α : λ_N ≥ Λ} for sliding contacts, by trying every p of the n_C floors.
double best_sum(const MatrixXd& basis, const VectorXd& lambda_0, double floor) {
  const Index n = basis.rows();
  const Index p = basis.cols();
  double best = std::numeric_limits<double>::infinity();
  std::vector<bool> chosen(static_cast<std::size_t>(n), false);
  std::fill(chosen.begin(), chosen.begin() + p, true);
  do {
    MatrixXd A(p, p);
    VectorXd b(p);
    Index row = 0;
    for (Index i = 0; i < n; ++i) {
      if (!chosen[static_cast<std::size_t>(i)]) continue;
      A.row(row) = basis.row(i);
      b[row++] = floor - lambda_0[i];
    }
    const VectorXd lambda = lambda_0 + basis * A.fullPivLu().solve(b);
    if (lambda.minCoeff() >= floor - 1e-9) best = std::min(best, lambda.sum());
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return best;
}

// Six sliding contacts of three-link arms: p = 3.
TEST(PlanTest, ThreeInternalForcesOfThreeLinkArmsAreTheBestCornerAtEveryInstant) {
  PlanCase c = test::example_1({.lengths = {0.14, 0.16, 0.15}});
  c.move({0.0, 0.153, 1.45}, {0.0, 0.153, 1.55});
  const PlanSolution solution = planned(c, {.sample_rate = 400.0});
  expect_plan_moves_the_hand(c, solution);
  const std::vector<PlanPoint>& points = solution.plan.points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PlanPoint& point = points[i];
    ASSERT_EQ(point.alpha_des.size(), 3);
    const VectorXd q = c.closed(point.time);
    const MatrixXd G =
        test::loaded_gradients(c.hand.kinematics(q, VectorXd::Zero(9)), point.modes, c.problem.mu).topRows(3);
    const VectorXd x_ddot = c.reference(point.time).x_ddot;
    const VectorXd wrench = Eigen::Vector3d(1.69, 1.69, 1.46e-2).cwiseProduct(x_ddot);
    const VectorXd lambda_0 = G.completeOrthogonalDecomposition().solve(wrench);
    EXPECT_THAT(MatrixXd(G * point.G_null), EigenNear(MatrixXd::Zero(3, 3), 1e-12));
    EXPECT_THAT(VectorXd(lambda_0 + point.G_null * point.alpha_des), EigenNear(point.lambda_N, 1e-9));
    EXPECT_NEAR(point.lambda_N.sum(), best_sum(point.G_null, lambda_0, 0.5), 1e-8) << point.time;
    if (i == 0 || points[i - 1].modes != point.modes) continue;
    EXPECT_THAT(point.G_null, EigenNear(test::nearest_null_basis(G, points[i - 1].G_null), 1e-9))
        << point.time;
  }
}

// Mirror symmetry makes left and right critical at once; the tie must not be cut into hops.
TEST(PlanTest, TiesOfASymmetricMotionAreNotHops) {
  PlanCase c = test::example_1();
  c.problem.mu << 0.8, 0.6, 0.8, 0.6;
  c.problem.min_normal = [](double, Index) { return 1.0; };
  c.move(pose_deg(0.0, 0.12, 0.0), pose_deg(0.0, 0.15, 0.0));
  const PlanSolution solution = planned(c);
  EXPECT_LE(solution.plan.points.size(), 1100U);
  const PlanPoint& end = solution.plan.points.back();
  EXPECT_NEAR(end.lambda_N[0], end.lambda_N[2], 1e-8);
  EXPECT_NEAR(end.lambda_N[1], end.lambda_N[3], 1e-8);
  // Checklist A4.7: the null vector's distal entry at y = 0.15, and the normals at 0.8 s.
  EXPECT_NEAR(end.G_null(1, 0), 0.093, 5e-4);
  EXPECT_NEAR(solution.plan.points[solution.plan.segment(0.8)].lambda_N[0], 2.62, 5e-3);
}

TEST(CriticalStretchesTest, JoinShortStretchesToTheirPredecessor) {
  control::Plan plan;
  const std::vector<std::pair<double, int>> points = {{0.0, 1},  {0.1, 1},  {0.2, 2},
                                                      {0.21, 1}, {0.4, -1}, {0.5, -1}};
  for (const auto& [time, contact] : points) {
    PlanPoint point;
    point.time = time;
    point.critical_contact = contact;
    plan.points.push_back(point);
  }
  const auto listed = [&](double shortest) {
    std::vector<std::tuple<double, double, int>> out;
    for (const CriticalStretch& s : critical_stretches(plan, shortest))
      out.emplace_back(s.from, s.to, s.contact);
    return out;
  };
  using List = std::vector<std::tuple<double, double, int>>;
  EXPECT_EQ(listed(0.0), (List{{0.0, 0.2, 1}, {0.2, 0.21, 2}, {0.21, 0.4, 1}, {0.4, 0.5, -1}}));
  EXPECT_EQ(listed(0.05), (List{{0.0, 0.4, 1}, {0.4, 0.5, -1}}));
  EXPECT_TRUE(critical_stretches({}).empty());
}

}  // namespace
}  // namespace enfold::planners
