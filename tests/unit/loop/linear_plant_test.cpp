// SPDX-License-Identifier: BSD-3-Clause
// Plant and law next to rest, against differences of an independent model and against the theorem.
#include <gtest/gtest.h>

#include <optional>

#include "enfold/base/error.hpp"
#include "enfold/controllers/gain_design.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/numeric_derivative.hpp"
#include "enfold/test/whole_arm_case.hpp"
#include "loop_case.hpp"

namespace enfold::loop {
namespace {

using test::EigenNear;

VectorXd stacked_forces(const test::HeldCase& c, const VectorXd& lambda) {
  VectorXd out(8);
  for (Index i = 0; i < 4; ++i) {
    out[i] = lambda[i];
    out[4 + i] = -c.grasp.mu[i] * slip_sign(c.grasp.modes[static_cast<std::size_t>(i)]) * lambda[i];
  }
  return out;
}

// [eq:linear-plant] [eq:held-forces] The test's own equations of motion, at configurations that the hand is
// closed at anew: z̈ and the forces change with the pose as S and C say, with the torque as R and D say.
TEST(LinearPlantTest, StiffnessAndForcesAreTheSlopesOfTheEquationsOfMotion) {
  for (const double mu : {0.0, 0.2}) {
    const auto c = test::held_case(test::pose_deg(0.002, 0.151, 83.0), VectorXd::Constant(4, mu));
    const VectorXd tau = c.plan->points[0].tau;
    const LinearPlant plant = linear_plant(c.grasp, tau);
    ASSERT_EQ(plant.m(), 3);
    const auto at = [&](const VectorXd& x, const VectorXd& torque) {
      const test::RigidMotion motion =
          test::rigid_motion(c.hand, c.grasp.mu, c.grasp.modes, c.hand.closed(x), VectorXd::Zero(7), torque);
      VectorXd out(11);
      out << motion.v_dot.head(3), stacked_forces(c, motion.lambda);
      return out;
    };
    const VectorXd rest = c.grasp.q.head(3);
    EXPECT_THAT(at(rest, tau).head(3), EigenNear(VectorXd::Zero(3), 1e-10));
    EXPECT_THAT(plant.at.forces, EigenNear(VectorXd(at(rest, tau).tail(8)), 1e-10));
    EXPECT_LT(plant.error, 1e-7);
    for (Index i = 0; i < 3; ++i) {
      const VectorXd slope =
          test::numeric_derivative([&](double s) { return at(rest + s * VectorXd::Unit(3, i), tau); }, 2e-4);
      EXPECT_THAT(VectorXd(plant.stiffness().col(i)), EigenNear(VectorXd(slope.head(3)), 1e-6));
      EXPECT_THAT(VectorXd(plant.C.col(i)), EigenNear(VectorXd(slope.tail(8)), 1e-6));
    }
    EXPECT_GT(plant.stiffness().cwiseAbs().maxCoeff(), 10.0);  // not a double integrator
    for (Index i = 0; i < 4; ++i) {
      const VectorXd change = at(rest, tau + VectorXd::Unit(4, i)) - at(rest, tau);
      EXPECT_THAT(VectorXd(plant.B.col(i).tail(3)), EigenNear(VectorXd(change.head(3)), 1e-9));
      EXPECT_THAT(VectorXd(plant.D.col(i)), EigenNear(VectorXd(change.tail(8)), 1e-9));
    }
    EXPECT_THAT(MatrixXd(plant.L * plant.Z), EigenNear(MatrixXd(MatrixXd::Identity(3, 3)), 1e-12));
  }
}

/// A random hand that rests in random modes, and S4's law for it.
struct RestCase {
  HeldGrasp grasp;
  std::shared_ptr<control::Controller> law;
  Index p = 0;
};

std::optional<RestCase> random_rest(const test::PaperHandOptions& options, const controllers::Gains& gains,
                                    std::uint64_t seed) {
  const CounterRandom random(seed, 23);
  const test::PaperHand hand = test::paper_hand(options);
  const Index n_C = hand.contacts->n_contacts();
  RestCase c;
  c.grasp = {hand.mechanism, hand.contacts, test::random_vector(random, 0, n_C, 0.2).array() + 0.25, {}, {}};
  for (Index i = 0; i < n_C; ++i) {
    const double draw = random.uniform(20 + static_cast<std::uint64_t>(i));
    c.grasp.modes.push_back(draw < 0.3   ? contact::ContactMode::kRoll
                            : draw < 0.6 ? contact::ContactMode::kSlidePlus
                            : draw < 0.9 ? contact::ContactMode::kSlideMinus
                                         : contact::ContactMode::kOpen);
  }
  c.grasp.q = hand.random_closed(random, seed);
  const Index n = c.grasp.q.size();
  grasp::GraspMatrices matrices;
  grasp::assemble(hand.kinematics(c.grasp.q, VectorXd::Zero(n)), c.grasp.modes, c.grasp.mu, 3, matrices);
  if (matrices.k() < 3 || matrices.k() >= n) return std::nullopt;
  const grasp::ObjectFreedom freedom = grasp::object_freedom(matrices, MatrixXd::Identity(3, 3), {});
  if (freedom.rank == 0 || freedom.Z.cols() != n - matrices.k()) return std::nullopt;
  c.grasp.coordinates = grasp::best_coordinates(freedom, MatrixXd::Identity(3, 3));
  grasp::InternalForces internal;
  internal.compute(matrices.G);
  if (internal.rank_ratio() < 1e-3) return std::nullopt;
  c.p = internal.p();
  control::PlanPoint point;
  point.G_null = internal.basis();
  point.alpha_des = test::random_vector(random, 130, c.p, 2.0);
  const auto plan = std::make_shared<control::Plan>(resting_plan(c.grasp, point));
  const VectorXd x = c.grasp.q.head(3);
  c.law = std::make_shared<controllers::WholeArmController>(
      controllers::WholeArmModel{hand.mechanism, hand.contacts, c.grasp.mu, c.grasp.coordinates},
      std::make_shared<planners::Quintic>(x, x, 1.0), plan, gains);
  return c;
}

// [eq:linear-law] [eq:continuous-loop] Theorem 3.1 in motion coordinates says what the poles are: those of
// the error equations for every coordinate and self-motion, −K_α for every internal force, whatever rolls,
// slides or is open, with gravity and joints to spare. Nothing of the geometric stiffness is left.
TEST(LinearLoopTest, RandomGraspsHaveThePolesOfTheTheorem) {
  const controllers::Gains gains = controllers::continuous_gains({-7.0, -13.0, -9.0});
  int cases = 0;
  int rolling = 0;
  int redundant = 0;
  for (int n = 0; n < test::count(60, 2000); ++n) {
    const auto seed = static_cast<std::uint64_t>(n);
    const test::PaperHandOptions options =
        n % 3 == 0   ? test::PaperHandOptions{}
        : n % 3 == 1 ? test::PaperHandOptions{.radius = 0.006, .gravity = {0.5, -9.81}}
                     : test::PaperHandOptions{.gravity = {0.0, -9.81}, .lengths = {0.14, 0.16, 0.15}};
    std::optional<RestCase> c = random_rest(options, gains, seed);
    if (!c) continue;
    const LinearLoop linear = linearise(c->grasp, *c->law);
    ASSERT_TRUE(linear.ok() || linear.status == LinearLoopStatus::kForcesPull) << linear.message;
    EXPECT_LT(linear.displacement.norm(), 1e-12) << "seed " << seed;
    std::vector<std::complex<double>> claimed(static_cast<std::size_t>(c->p), -9.0);
    for (Index i = 0; i < linear.plant.m(); ++i) {
      claimed.emplace_back(-7.0);
      claimed.emplace_back(-13.0);
    }
    const std::vector<Pole> found = poles(continuous_loop(linear).closed(), 0.0);
    ASSERT_EQ(found.size(), claimed.size());
    EXPECT_LT(distance(claimed, found), 1e-6) << "seed " << seed;
    ++cases;
    for (const contact::ContactMode mode : c->grasp.modes)
      if (mode == contact::ContactMode::kRoll) {
        ++rolling;
        break;
      }
    redundant += linear.plant.m() > static_cast<Index>(linear.plant.coordinates.size()) ? 1 : 0;
  }
  EXPECT_GT(cases, 20);
  EXPECT_GT(rolling, 10);
  EXPECT_GT(redundant, 1);
}

/// τ = the plan's, whatever is read, off by a constant.
TEST(LinearLoopTest, LawThatAnswersNothingHasNoRestUnlessItHoldsTheObject) {
  const auto c = test::held_case(test::pose_deg(0.0, 0.15, 90.0), VectorXd::Zero(4));
  sim::ConstantTorque holds(c.plan->points[0].tau);
  const LinearLoop held = linearise(c.grasp, holds);
  EXPECT_TRUE(held.ok()) << held.message;
  // Without a law the poles are those of the geometric stiffness, s² = eig S.
  const std::vector<Pole> found = poles(continuous_loop(held).closed(), 0.0);
  for (const std::complex<double>& square : held.plant.stiffness().eigenvalues())
    EXPECT_LT(distance({std::sqrt(square), -std::sqrt(square)}, found), 1e-9);
  EXPECT_FALSE(stable(found));

  sim::ConstantTorque pushes(VectorXd(c.plan->points[0].tau + VectorXd::Constant(4, 1.0)));
  const LinearLoop pushed = linearise(c.grasp, pushes);
  EXPECT_EQ(pushed.status, LinearLoopStatus::kNotAtRest);
  EXPECT_FALSE(pushed.message.empty());
}

// [eq:rest-point] A law that takes the object for lighter than it is lets it rest lower, and where it rests
// nothing moves: the nonlinear equations say so.
TEST(LinearLoopTest, WrongModelRestsBesideThePose) {
  test::PaperHandOptions heavy{.gravity = {0.0, -1.0}};
  const auto c = test::held_case(test::pose_deg(0.0, 0.15, 90.0), VectorXd::Zero(4),
                                 Eigen::Vector3d(0.0, 0.0, 1.0), heavy);
  heavy.object_mass = 1.5;
  const test::PaperHand believed = test::paper_hand(heavy);
  controllers::WholeArmController law({believed.mechanism, believed.contacts, c.grasp.mu}, c.still, c.plan,
                                      {});
  const LinearLoop linear = linearise(c.grasp, law);
  ASSERT_TRUE(linear.ok()) << linear.message;
  EXPECT_LT(linear.displacement[1], -1e-4);
  EXPECT_GT(linear.displacement[1], -5e-3);
  const test::RigidMotion motion = test::rigid_motion(c.hand, c.grasp.mu, c.grasp.modes, linear.grasp.q,
                                                      VectorXd::Zero(7), linear.law.tau);
  EXPECT_LT(motion.v_dot.norm(), 1e-8);
  const VectorXd gap = c.hand.kinematics(linear.grasp.q, VectorXd::Zero(7)).gap;
  EXPECT_LT(gap.cwiseAbs().maxCoeff(), 1e-12);
}

TEST(LinearLoopTest, RefusesWhatItCannotLinearise) {
  auto c = test::held_case(test::pose_deg(0.0, 0.15, 90.0), VectorXd::Zero(4));
  c.grasp.modes.assign(4, test::kRoll);  // the forces of four rolling contacts are not determined
  EXPECT_THROW((void)held_forces(c.grasp, c.grasp.q, VectorXd::Zero(4)), InvalidArgument);
  EXPECT_THROW((void)zero_order_hold(MatrixXd::Zero(2, 2), MatrixXd::Zero(3, 1), 1.0), InvalidArgument);
}

}  // namespace
}  // namespace enfold::loop
