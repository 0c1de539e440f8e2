// SPDX-License-Identifier: BSD-3-Clause
// Sliding contacts: the plant's accelerations and forces against the equations of motion, a dense KKT solve
// and the definition of complementarity.
#include "enfold/sim/rigid_plant.hpp"

#include <gtest/gtest.h>

#include "closed_loop_case.hpp"
#include "enfold/base/error.hpp"
#include "enfold/lcp/enumeration.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/whole_arm_case.hpp"
#include "plant_case.hpp"

namespace enfold::sim {
namespace {

using contact::ContactMode;
using test::EigenNear;

/// φ̈ + 2ωφ̇ + ω²φ from the accelerations, contact by contact.
VectorXd separation(const PlantCase& c, const VectorXd& v_dot, double omega) {
  const contact::ContactKinematics kinematics = c.kinematics();
  return kinematics.W_N.transpose() * v_dot + kinematics.bias_N +
         2.0 * omega * kinematics.W_N.transpose() * c.v + omega * omega * kinematics.gap;
}

/// Off the constraints, so that the drift terms count: gaps of some 1e-4 m and gap rates of some mm/s.
PlantCase off_constraints(std::uint64_t seed, double weakest) {
  PlantCase c = plant_case(seed, weakest);
  const CounterRandom random(seed, 78);
  c.q += test::random_vector(random, 0, c.q.size(), 1e-4);
  c.v += test::random_vector(random, 20, c.v.size(), 1e-2);
  return c;
}

// [eq:S4.1] [eq:S4.18]
TEST(RigidPlantTest, SatisfiesTheEquationsOfMotionWithCoulombsFriction) {
  for (int seed = 0; seed < test::count(50, 500); ++seed) {
    const PlantCase c = off_constraints(static_cast<std::uint64_t>(seed), -2.0);
    RigidPlant plant(c.model());
    plant.set_modes(c.modes);
    ASSERT_EQ(plant.solve(c.q, c.v, c.tau), ContactSolveStatus::kSolved) << "seed " << seed;
    const contact::ContactKinematics kinematics = c.kinematics();
    const mechanics::Dynamics dynamics = c.dynamics();
    VectorXd force = kinematics.W_N * plant.lambda_N() + kinematics.W_T * plant.lambda_T();
    force.tail(4) += c.tau;
    const VectorXd inertial = dynamics.M * plant.v_dot() + dynamics.h;
    EXPECT_THAT(inertial, EigenNear(force, 1e-11)) << "seed " << seed;
    for (Index i = 0; i < 4; ++i) {
      const double sign = c.modes[static_cast<std::size_t>(i)] == ContactMode::kSlidePlus ? 1.0 : -1.0;
      EXPECT_NEAR(plant.lambda_T()[i], -sign * c.mu[i] * plant.lambda_N()[i], 1e-13);
    }
  }
}

// [eq:S4.18] y is formed from v̇, not from the plant's own A and b.
TEST(RigidPlantTest, ForcesAndSeparationsAreComplementary) {
  int pressed = 0;
  int parting = 0;
  for (int seed = 0; seed < test::count(100, 1000); ++seed) {
    const PlantCase c = off_constraints(static_cast<std::uint64_t>(seed), -2.0);
    for (const double omega : {0.0, 30.0}) {
      RigidPlant plant(c.model(), {.drift_frequency = omega});
      plant.set_modes(c.modes);
      ASSERT_EQ(plant.solve(c.q, c.v, c.tau), ContactSolveStatus::kSolved);
      const VectorXd y = separation(c, plant.v_dot(), omega);
      for (Index i = 0; i < 4; ++i) {
        EXPECT_GE(plant.lambda_N()[i], 0.0);
        EXPECT_GE(y[i], -1e-10);
        EXPECT_NEAR(plant.lambda_N()[i] * y[i], 0.0, 1e-9) << "seed " << seed << ", contact " << i;
        pressed += plant.lambda_N()[i] > 0.0 ? 1 : 0;
        parting += y[i] > 1e-6 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(pressed, 100);  // both branches were met
  EXPECT_GT(parting, 100);
}

// [eq:S4.18] Where all contacts press, complementarity is φ̈ = 0: a system of linear equations.
TEST(RigidPlantTest, EqualsTheLinearSystemWhereAllContactsPress) {
  for (int seed = 0; seed < test::count(50, 500); ++seed) {
    const PlantCase c = plant_case(static_cast<std::uint64_t>(seed), 2.0);
    RigidPlant plant(c.model(), {.drift_frequency = 0.0});
    plant.set_modes(c.modes);
    ASSERT_EQ(plant.solve(c.q, c.v, c.tau), ContactSolveStatus::kSolved);
    const test::RigidMotion motion = test::rigid_motion(c.hand, c.mu, c.modes, c.q, c.v, c.tau);
    ASSERT_GT(motion.lambda.minCoeff(), 0.0) << "seed " << seed;
    EXPECT_THAT(plant.lambda_N(), EigenNear(motion.lambda, 1e-9));
    EXPECT_THAT(plant.v_dot(), EigenNear(motion.v_dot, 1e-8));
  }
}

// The linear system would pull at a contact; the plant lets it go instead.
TEST(RigidPlantTest, ContactThatCannotPressPartsWithoutForce) {
  int found = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const PlantCase c = plant_case(seed, -2.0);
    const test::RigidMotion motion = test::rigid_motion(c.hand, c.mu, c.modes, c.q, c.v, c.tau);
    Index worst = 0;
    if (motion.lambda.minCoeff(&worst) > -0.5) continue;
    RigidPlant plant(c.model());
    plant.set_modes(c.modes);
    ASSERT_EQ(plant.solve(c.q, c.v, c.tau), ContactSolveStatus::kSolved);
    const VectorXd y = separation(c, plant.v_dot(), 100.0);
    for (Index i = 0; i < 4; ++i) {
      if (plant.lambda_N()[i] > 0.0) continue;
      ++found;
      EXPECT_EQ(plant.lambda_N()[i], 0.0);
      EXPECT_EQ(plant.lambda_T()[i], 0.0);
      EXPECT_GT(y[i], 1e-6) << "seed " << seed << ", contact " << i;
    }
    EXPECT_LT(plant.lambda_N().minCoeff(), 1e-12) << "seed " << seed;
  }
  EXPECT_GT(found, 20);
}

// [eq:S4.19] A and b as printed, from a dense inverse.
TEST(RigidPlantTest, MatrixAndVectorAreThoseOfThePaper) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const PlantCase c = off_constraints(seed, 1.0);
    const double omega = 40.0;
    RigidPlant plant(c.model(), {.drift_frequency = omega});
    plant.set_modes(c.modes);
    ASSERT_EQ(plant.solve(c.q, c.v, c.tau), ContactSolveStatus::kSolved);
    const contact::ContactKinematics kinematics = c.kinematics();
    const mechanics::Dynamics dynamics = c.dynamics();
    const MatrixXd M_inv = dynamics.M.inverse();
    VectorXd load = -dynamics.h;
    load.tail(4) += c.tau;
    const MatrixXd W_mu = test::loaded_gradients(kinematics, c.modes, c.mu);
    const MatrixXd A = kinematics.W_N.transpose() * M_inv * W_mu;
    EXPECT_THAT(plant.A(), EigenNear(A, 1e-10 * A.norm()));
    EXPECT_THAT(plant.b(), EigenNear(separation(c, M_inv * load, omega), 1e-8));
    // The parts stay when μ changes.
    const MatrixXd sum = plant.A_0() + plant.A_1() * c.mu.asDiagonal();
    EXPECT_THAT(plant.A(), EigenNear(sum, 1e-12 * A.norm()));
    PlantModel other = c.model();
    other.mu = 2.0 * c.mu.reverse();
    RigidPlant rougher(other, {.drift_frequency = omega});
    rougher.set_modes(c.modes);
    ASSERT_EQ(rougher.solve(c.q, c.v, c.tau), ContactSolveStatus::kSolved);
    const MatrixXd predicted = plant.A_0() + plant.A_1() * other.mu.asDiagonal();
    EXPECT_THAT(rougher.A(), EigenNear(predicted, 1e-12 * A.norm()));
  }
}

TEST(RigidPlantTest, ReportedResidualIsThatOfItsForces) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const PlantCase c = plant_case(seed, -2.0);
    RigidPlant plant(c.model());
    plant.set_modes(c.modes);
    ASSERT_EQ(plant.solve(c.q, c.v, c.tau), ContactSolveStatus::kSolved);
    const VectorXd y = plant.A() * plant.lambda_N() + plant.b();
    EXPECT_NEAR(plant.residual(), plant.lambda_N().cwiseMin(y).lpNorm<Eigen::Infinity>(), 1e-12);
    EXPECT_LT(plant.residual(), 1e-9);
  }
}

// [eq:S4.18] A repeated call reuses all but b. It must not show.
TEST(RigidPlantTest, AnotherTorqueAtTheSameStateGivesWhatAFreshPlantGives) {
  const PlantCase c = plant_case(3, -2.0);
  RigidPlant plant(c.model());
  plant.set_modes(c.modes);
  ASSERT_EQ(plant.solve(c.q, c.v, c.tau), ContactSolveStatus::kSolved);
  const VectorXd first = plant.v_dot();
  const CounterRandom random(5, 0);
  for (std::uint64_t k = 0; k < 20; ++k) {
    const VectorXd tau = c.tau + test::random_vector(random, 4 * k, 4, 0.5);
    RigidPlant fresh(c.model());
    fresh.set_modes(c.modes);
    ASSERT_EQ(plant.solve(c.q, c.v, tau), ContactSolveStatus::kSolved);
    ASSERT_EQ(fresh.solve(c.q, c.v, tau), ContactSolveStatus::kSolved);
    EXPECT_THAT(plant.v_dot(), EigenNear(fresh.v_dot(), 1e-9));
    EXPECT_THAT(plant.lambda_N(), EigenNear(fresh.lambda_N(), 1e-11));
    EXPECT_THAT(plant.lambda_T(), EigenNear(fresh.lambda_T(), 1e-11));
    EXPECT_GT((plant.v_dot() - first).norm(), 1e-3);
  }
}

// One entry of q or v that changes is a new state; so is going back.
TEST(RigidPlantTest, EveryEntryOfTheStateCounts) {
  const PlantCase c = plant_case(4);
  RigidPlant plant(c.model());
  plant.set_modes(c.modes);
  for (Index i = 0; i < 14; ++i) {
    PlantCase moved = c;
    (i < 7 ? moved.q[i] : moved.v[i - 7]) += i < 7 ? 1e-4 : 1e-2;
    RigidPlant fresh(c.model());
    fresh.set_modes(c.modes);
    ASSERT_EQ(plant.solve(c.q, c.v, c.tau), ContactSolveStatus::kSolved);
    ASSERT_EQ(plant.solve(moved.q, moved.v, c.tau), ContactSolveStatus::kSolved);
    ASSERT_EQ(fresh.solve(moved.q, moved.v, c.tau), ContactSolveStatus::kSolved);
    EXPECT_THAT(plant.v_dot(), EigenNear(fresh.v_dot(), 1e-8)) << "entry " << i;
    EXPECT_THAT(plant.b(), EigenNear(fresh.b(), 1e-9)) << "entry " << i;
  }
}

// The verdict against the sign of all principal minors, for friction from none to a lot.
TEST(RigidPlantTest, UniquenessIsPositivityOfAllPrincipalMinors) {
  int unique = 0;
  int ambiguous = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    PlantCase c = plant_case(seed);
    c.mu *= 0.3 * static_cast<double>(seed);
    RigidPlant plant(c.model());
    plant.set_modes(closed_modes(static_cast<int>(seed) % 16, 4));
    (void)plant.solve(c.q, c.v, c.tau);
    const VectorXd minors = lcp::principal_minors(plant.A());
    const lcp::PMatrixResult& result = plant.test_uniqueness();
    if (std::abs(minors.minCoeff()) < 1e-9 * minors.maxCoeff()) continue;
    EXPECT_EQ(result.status, minors.minCoeff() > 0.0 ? lcp::PMatrixStatus::kP : lcp::PMatrixStatus::kNotP)
        << "seed " << seed;
    EXPECT_NEAR(result.smallest.value, minors.minCoeff(), 1e-9 * minors.cwiseAbs().maxCoeff());
    (minors.minCoeff() > 0.0 ? unique : ambiguous) += 1;
  }
  EXPECT_GT(unique, 5);
  EXPECT_GT(ambiguous, 5);
}

// S4, Example 2: the planned torque has three answers where A is no P-matrix, and one before. The forces are
// those of an independent computation (two digits behind the point). [eq:S4.18]
TEST(RigidPlantTest, SecondExampleHasThreeSolutionsAfterUniquenessIsLost) {
  const ClosedLoopCase c = lift();
  const auto solved_at = [&](double t) {
    const control::PlanPoint& point = c.plan->points[c.plan->segment(t)];
    EXPECT_NEAR(point.time, t, 1e-9);
    control::Reference reference;
    c.trajectory->sample(t, reference);
    const VectorXd q = c.hand.closed(reference.x);
    RigidPlant plant(c.plant());
    plant.set_modes(point.modes);
    EXPECT_EQ(plant.solve(q, test::closed_velocity(c.hand, q, reference.x_dot), point.tau),
              ContactSolveStatus::kSolved);
    return plant;
  };
  RigidPlant late = solved_at(0.8);
  EXPECT_EQ(late.test_uniqueness().status, lcp::PMatrixStatus::kNotP);
  EXPECT_EQ(late.count_solutions(), 3);
  const lcp::EnumerationResult all = lcp::enumerate_solutions({late.A(), late.b()});
  // left.proximal, left.distal, right.proximal, right.distal
  for (const Eigen::Vector4d& expected :
       {Eigen::Vector4d(2.62, 1.00, 2.62, 1.00), Eigen::Vector4d(4.13, 0.0, 0.83, 2.41),
        Eigen::Vector4d(0.83, 2.41, 4.13, 0.0)}) {
    double nearest = 1e9;
    for (const lcp::EnumeratedSolution& solution : all.solutions)
      nearest = std::min(nearest, (solution.x - expected).lpNorm<Eigen::Infinity>());
    EXPECT_LT(nearest, 0.006) << expected.transpose();
  }
  RigidPlant early = solved_at(0.5);
  EXPECT_EQ(early.test_uniqueness().status, lcp::PMatrixStatus::kP);
  EXPECT_EQ(early.count_solutions(), 1);
}

TEST(RigidPlantTest, CountIsRefusedAboveTheLimit) {
  const PlantCase c = plant_case(1);
  RigidPlant plant(c.model(), {.enumeration_limit = 3});
  plant.set_modes(c.modes);
  ASSERT_EQ(plant.solve(c.q, c.v, c.tau), ContactSolveStatus::kSolved);
  EXPECT_EQ(plant.count_solutions(), -1);
}

// With enough friction a contact jams: A x + b ≥ 0 has no solution with x ≥ 0 at all.
TEST(RigidPlantTest, SaysSoWhenNoForcesSolveTheProblem) {
  int none = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    PlantCase c = plant_case(seed, -2.0);
    c.mu.setConstant(3.0);
    RigidPlant plant(c.model());
    plant.set_modes(c.modes);
    const ContactSolveStatus status = plant.solve(c.q, c.v, c.tau);
    const lcp::EnumerationResult all = lcp::enumerate_solutions({plant.A(), plant.b()});
    if (all.status != lcp::EnumerationStatus::kExact || !all.solutions.empty()) continue;
    ++none;
    EXPECT_EQ(status, ContactSolveStatus::kNoSolution) << "seed " << seed;
  }
  EXPECT_GT(none, 0);
}

TEST(RigidPlantTest, RefusesWrongSizesAndNegativeFriction) {
  const PlantCase c = plant_case(1);
  PlantModel model = c.model();
  model.mu = VectorXd::Constant(3, 0.1);
  EXPECT_THROW(RigidPlant{model}, InvalidArgument);
  model.mu = Eigen::Vector4d(0.1, -0.1, 0.1, 0.1);
  EXPECT_THROW(RigidPlant{model}, InvalidArgument);
  RigidPlant plant(c.model());
  EXPECT_THROW(plant.set_modes(std::vector<ContactMode>(3, ContactMode::kRoll)), InvalidArgument);
}

}  // namespace
}  // namespace enfold::sim
