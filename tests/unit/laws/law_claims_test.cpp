// SPDX-License-Identifier: BSD-3-Clause
// What each law claims of its closed loop, in simulation: frictionless rigid contacts around a held pose.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <unsupported/Eigen/MatrixFunctions>

#include "../sim/closed_loop_case.hpp"
#include "../sim/logging_law.hpp"
#include "enfold/control/force_feedback.hpp"
#include "enfold/controllers/computed_torque.hpp"
#include "enfold/controllers/joint_pd.hpp"
#include "enfold/controllers/object_impedance.hpp"
#include "enfold/controllers/whole_arm_pi.hpp"
#include "enfold/mechanics/load.hpp"
#include "enfold/test/matchers.hpp"

namespace enfold::sim {
namespace {

using test::EigenNear;

/// S4's hand without friction that holds the ellipse where the first example turns it; all modes irrelevant.
const ClosedLoopCase& held() {
  static const ClosedLoopCase c = closed_loop_case({.from = pose(0.0, 0.15, 80.0),
                                                    .to = pose(0.0, 0.15, 80.0),
                                                    .mu = VectorXd::Zero(4),
                                                    .min_normal = 2.0});
  return c;
}

/// The joint motion per motion of the object, θ̇ = H̃ẋ, and the matrices of its linear world.
struct Linear {
  MatrixXd H, M_o, M_a;

  Linear() {
    const VectorXd q = held().hand.closed(held().start);
    const MatrixXd W_N = held().hand.kinematics(q, VectorXd::Zero(7)).W_N;
    H = -W_N.bottomRows(4).transpose().fullPivLu().solve(W_N.topRows(3).transpose());
    mechanics::Dynamics dynamics;
    held().hand.mechanism->dynamics(q, VectorXd::Zero(7), dynamics);
    M_o = dynamics.M.topLeftCorner(3, 3);
    M_a = dynamics.M.bottomRightCorner(4, 4);
  }
  [[nodiscard]] MatrixXd inertia() const { return M_o + H.transpose() * M_a * H; }
};

/// −∂F/∂x by differences over closed hands, of the force F(x) on the object's coordinates.
MatrixXd stiffness_of(const std::function<VectorXd(const VectorXd& q, const MatrixXd& H)>& force) {
  MatrixXd out(3, 3);
  const auto at = [&](Index i, double step) {
    VectorXd x = held().start;
    x[i] += step;
    const VectorXd q = held().hand.closed(x);
    const MatrixXd W_N = held().hand.kinematics(q, VectorXd::Zero(7)).W_N;
    return force(q, -W_N.bottomRows(4).transpose().fullPivLu().solve(W_N.topRows(3).transpose()));
  };
  for (Index i = 0; i < 3; ++i) {
    const double h = 1e-4;
    out.col(i) = -(8.0 * (at(i, h) - at(i, -h)) - (at(i, 2 * h) - at(i, -2 * h))) / (12.0 * h);
  }
  return out;
}

/// x − x_d at time t after a start at rest off by e_0, if Λë + Dė + Ke = 0.
VectorXd linear_motion(const MatrixXd& inertia, const MatrixXd& damping, const MatrixXd& stiffness,
                       const VectorXd& e_0, double t) {
  MatrixXd A = MatrixXd::Zero(6, 6);
  A.topRightCorner(3, 3).setIdentity();
  A.bottomLeftCorner(3, 3) = -inertia.fullPivLu().solve(stiffness);
  A.bottomRightCorner(3, 3) = -inertia.fullPivLu().solve(damping);
  VectorXd state = VectorXd::Zero(6);
  state.head(3) = e_0;
  return (MatrixXd(t * A).exp() * state).head(3);
}

const Eigen::Vector3d kOffset(2e-5, -1e-5, 1e-4);  // small: the claim is linear

History run(std::shared_ptr<control::Controller> law, double rate, double duration) {
  ClosedLoopCase c = held();
  c.start = held().start + kOffset;
  SimulationProblem problem = c.problem();
  problem.controller = std::move(law);
  return simulate(problem, {.duration = duration, .step = 5e-4, .record_rate = 100.0, .control_rate = rate});
}

/// Largest distance of a run from the linear motion, each coordinate in units of its offset.
double distance(const History& history, const MatrixXd& inertia, const MatrixXd& damping,
                const MatrixXd& stiffness) {
  EXPECT_EQ(history.status, RunStatus::kCompleted) << history.message;
  double worst = 0.0;
  for (const Sample& sample : history.samples) {
    const VectorXd expected = linear_motion(inertia, damping, stiffness, kOffset, sample.time);
    const VectorXd found = sample.x - held().start;
    worst = std::max(worst, (found - expected).cwiseQuotient(kOffset).cwiseAbs().maxCoeff());
  }
  return worst;
}

controllers::WholeArmModel model() {
  return {held().hand.mechanism, held().hand.contacts, held().mu};
}

// Springs H̃ᵀK_pH̃, dampers H̃ᵀK_vH̃, and the stiffness of the squeeze by differences of H̃(x)ᵀτ(x).
// [eq:joint-pd]
TEST(LawClaimTest, JointPdHoldsTheObjectOnTheSpringsOfItsJoints) {
  const Linear at;
  const control::PlanPoint& point = held().plan->points.front();
  const auto law = std::make_shared<controllers::JointPdController>(
      held().plan, controllers::JointGains{VectorXd::Constant(1, 12.0), VectorXd::Constant(1, 1.5)});
  const MatrixXd stiffness = stiffness_of([&](const VectorXd& q, const MatrixXd& H) -> VectorXd {
    return H.transpose() * (point.tau + 12.0 * (point.theta - q.tail(4)));
  });
  const MatrixXd damping = 1.5 * at.H.transpose() * at.H;
  EXPECT_LT(distance(run(law, 0.0, 1.0), at.inertia(), damping, stiffness), 0.01);
  // The squeeze is part of it.
  const MatrixXd springs = 12.0 * at.H.transpose() * at.H;
  EXPECT_GT((stiffness - springs).norm(), 0.01 * springs.norm());
}

// Λë + H̃ᵀM_aH̃(K_vė + K_pe) − ∂(Gλ_d)/∂x e = 0.                                       [eq:computed-torque]
TEST(LawClaimTest, ComputedTorqueWithPlannedForcesFeelsTheObject) {
  const Linear at;
  const control::PlanPoint& point = held().plan->points.front();
  const auto law = std::make_shared<controllers::ComputedTorqueController>(model(), held().trajectory,
                                                                           held().plan, controllers::Gains{});
  const MatrixXd arms = at.H.transpose() * at.M_a * at.H;
  const MatrixXd squeeze = stiffness_of([&](const VectorXd& q, const MatrixXd& /*H*/) -> VectorXd {
    return held().hand.kinematics(q, VectorXd::Zero(7)).W_N.topRows(3) * point.lambda_N;
  });
  EXPECT_LT(distance(run(law, 0.0, 1.0), at.inertia(), 20.0 * arms, 100.0 * arms + squeeze), 0.01);
}

// With the measured wrench the joints, and to first order the object, obey ë + K_vė + K_pe = 0.
// [eq:computed-torque]
TEST(LawClaimTest, ComputedTorqueWithMeasuredForcesHasTheDesignedPoles) {
  const auto law = std::make_shared<controllers::ComputedTorqueController>(
      model(), held().trajectory, held().plan, controllers::Gains{}, controllers::ContactForces::kMeasured);
  const MatrixXd one = MatrixXd::Identity(3, 3);
  EXPECT_LT(distance(run(law, 5000.0, 1.0), one, 20.0 * one, 100.0 * one), 0.02);
}

// Λë + Dė + Ke = 0, and a push f displaces by f/K.                                             [eq:impedance]
TEST(LawClaimTest, ObjectImpedanceShowsItsStiffnessAndDamping) {
  const Linear at;
  const Eigen::Vector3d K(2000.0, 3000.0, 50.0);
  const Eigen::Vector3d D = 1.6 * at.inertia().diagonal().cwiseProduct(K).cwiseSqrt();
  const auto law = std::make_shared<controllers::ObjectImpedanceController>(
      model(), held().trajectory, held().plan, controllers::Impedance{K, D}, controllers::Gains{});
  EXPECT_LT(distance(run(law, 0.0, 1.0), at.inertia(), D.asDiagonal(), K.asDiagonal()), 0.01);

  SimulationProblem problem = held().problem();
  problem.controller = law;
  const Eigen::Vector3d push(0.2, -0.3, 0.005);
  problem.plant.load = std::make_shared<mechanics::PlanarObjectLoad>(
      std::vector<mechanics::PlanarPointLoad>{{Vector2d::Zero(), {{0.0, push.head<2>(), push[2]}}}});
  const History pushed = simulate(problem, {.duration = 2.0, .record_rate = 10.0});
  ASSERT_EQ(pushed.status, RunStatus::kCompleted) << pushed.message;
  const VectorXd moved = pushed.samples.back().x - held().start;
  EXPECT_THAT(VectorXd(moved.cwiseProduct(K)), EigenNear(VectorXd(push), 0.002 * push.norm()));
}

/// Growth of the internal force's error per period, from a start that is off by a ten-thousandth of a newton.
double force_growth(double KP, double Kalpha, int periods) {
  SimulationProblem problem = held().problem();
  controllers::Gains gains;
  gains.Kalpha = Kalpha;
  problem.controller = std::make_shared<ShiftedLaw>(
      std::make_shared<controllers::WholeArmPiController>(model(), held().trajectory, held().plan, gains, KP),
      1e-4 / Kalpha);
  const History history =
      simulate(problem, {.duration = periods * 1e-3, .record_rate = 1000.0, .control_rate = 1000.0});
  EXPECT_EQ(history.status, RunStatus::kCompleted) << history.message;
  const auto largest = [&](std::size_t from) {
    double out = 0.0;
    for (std::size_t i = from; i < from + 20; ++i)
      out = std::max(out, (history.samples[i].alpha - history.samples[i].alpha_des).norm());
    return out;
  };
  const std::size_t last = history.samples.size() - 21;
  return std::pow(largest(last) / largest(60), 1.0 / static_cast<double>(last - 60));
}

// The sampled hand on both sides of both limits.                                          [eq:force-range]
TEST(LawClaimTest, ProportionalForceGainsAreStableInTheirRangeOnly) {
  const double Kalpha = 200.0;  // 0.2 per period: from −0.8 to 1.1
  const control::OpenRange range = control::stable_force_gains(Kalpha, 1e-3);
  EXPECT_NEAR(range.above, -0.8, 1e-12);
  EXPECT_NEAR(range.below, 1.1, 1e-12);
  for (const double KP : {range.above - 0.03, range.above + 0.03, range.below - 0.03, range.below + 0.03}) {
    const double growth = force_growth(KP, Kalpha, 260);
    EXPECT_EQ(growth < 1.0, range.contains(KP)) << KP;
    EXPECT_NEAR(growth, control::force_error_ratio(KP, Kalpha, 1e-3), 2e-3) << KP;
  }
  // K_P = 1 with an integral of 10 per second: what is left is hardly any decay.
  EXPECT_GT(force_growth(1.0, 10.0, 260), 0.99);
}

}  // namespace
}  // namespace enfold::sim
