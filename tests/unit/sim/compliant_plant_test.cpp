// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/sim/compliant_plant.hpp"

#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/numeric_derivative.hpp"
#include "plant_case.hpp"

namespace enfold::sim {
namespace {

using contact::ContactLaw;
using contact::ContactMode;
using test::EigenNear;

/// A random state of the hand with contacts that press, slip and are open.
struct CompliantCase {
  PlantCase c;
  CompliantState state;
  CompliantPlant plant;
};

CompliantCase compliant_case(std::uint64_t seed, const ContactLaw& law) {
  const CounterRandom random(seed, 5);
  PlantCase c = plant_case(seed);
  c.q.tail(4) += test::random_vector(random, 0, 4, 1e-3);
  c.v += test::random_vector(random, 10, 7, 0.02);
  CompliantState state{c.q, c.v, test::random_vector(random, 20, 4, 1e-4)};
  CompliantPlant plant(c.model(), {law});
  return {c, state, std::move(plant)};
}

std::vector<ContactLaw> laws() {
  return {contact::kelvin_voigt_contact({.stiffness = 1e4}),
          {std::make_shared<contact::HuntCrossley>(1e6, 0.5), {2e4, 50.0}}};
}

// The law of motion by a route that shares nothing but the interfaces.
TEST(CompliantPlantTest, AccelerationIsThatOfTheForces) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    CompliantCase k = compliant_case(seed, laws()[seed % 2]);
    ASSERT_EQ(k.plant.solve(k.state.q, k.state.v, k.state.xi, k.c.tau), ContactSolveStatus::kSolved);
    const mechanics::Dynamics dynamics = k.c.dynamics();
    const contact::ContactKinematics kinematics = k.c.kinematics();
    VectorXd force = kinematics.W_N * k.plant.lambda_N() + kinematics.W_T * k.plant.lambda_T() - dynamics.h;
    force.tail(4) += k.c.tau;
    EXPECT_THAT(dynamics.M * k.plant.v_dot(), EigenNear(force, 1e-9));
    for (Index i = 0; i < 4; ++i) {
      const auto [k_T, c_T] = k.plant.law(i).tangential;
      const double lambda_N = contact::normal_force(*k.plant.law(i).normal, -kinematics.gap[i],
                                                    -kinematics.W_N.col(i).dot(k.state.v))
                                  .force;
      const double F = std::clamp(k_T * k.state.xi[i] + c_T * kinematics.W_T.col(i).dot(k.state.v),
                                  -k.c.mu[i] * lambda_N, k.c.mu[i] * lambda_N);
      EXPECT_NEAR(k.plant.lambda_N()[i], lambda_N, 1e-12 * (1.0 + lambda_N));
      EXPECT_NEAR(k.plant.lambda_T()[i], -F, 1e-12 * (1.0 + lambda_N));
      EXPECT_NEAR(k.plant.xi_dot()[i], (F - k_T * k.state.xi[i]) / c_T, 1e-12);
    }
  }
}

TEST(CompliantPlantTest, ForcesNeitherPullNorLeaveTheConeInAnyState) {
  int open = 0;
  int sliding = 0;
  int rolling = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CompliantCase k = compliant_case(seed, laws()[seed % 2]);
    if (seed % 3 == 0) k.state.v *= 0.01;
    ASSERT_EQ(k.plant.solve(k.state.q, k.state.v, k.state.xi, k.c.tau), ContactSolveStatus::kSolved);
    for (Index i = 0; i < 4; ++i) {
      EXPECT_GE(k.plant.lambda_N()[i], 0.0);
      EXPECT_LE(std::abs(k.plant.lambda_T()[i]), k.c.mu[i] * k.plant.lambda_N()[i]);
      // The slider takes energy: −λ_T (φ̇_T − ξ̇) ≥ 0.
      EXPECT_GE(-k.plant.lambda_T()[i] * (k.plant.slip()[i] - k.plant.xi_dot()[i]), -1e-15);
      const ContactMode mode = k.plant.modes()[static_cast<std::size_t>(i)];
      (mode == ContactMode::kOpen ? open : mode == ContactMode::kRoll ? rolling : sliding) += 1;
    }
  }
  EXPECT_GT(open, 50);
  EXPECT_GT(sliding, 50);
  EXPECT_GT(rolling, 20);
}

TEST(CompliantPlantTest, JacobianIsTheSlopeOfTheDerivativeInEverySetOfModes) {
  double largest = 0.0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    CompliantCase k = compliant_case(seed, laws()[seed % 2]);
    // Every contact pressed a little, so that any mode can be asked for.
    k.plant.set_offset(VectorXd::Constant(4, 4e-3));
    const auto modes = test::mode_combination(static_cast<int>(seed * 11), 4);
    ASSERT_EQ(k.plant.solve(k.state.q, k.state.v, k.state.xi, k.c.tau, modes), ContactSolveStatus::kSolved);
    MatrixXd J;
    k.plant.jacobian(J);
    for (Index j = 0; j < 18; ++j) {
      const auto rate = [&](double d) -> VectorXd {
        VectorXd x(18);
        x << k.state.q, k.state.v, k.state.xi;
        x[j] += d;
        (void)k.plant.solve(x.head(7), x.segment(7, 7), x.tail(4), k.c.tau, modes);
        VectorXd out(18);
        out << x.segment(7, 7), k.plant.v_dot(), k.plant.xi_dot();
        return out;
      };
      const VectorXd slope = test::numeric_derivative(rate, j < 7 ? 5e-5 : 1e-3);
      const double scale = 1.0 + slope.cwiseAbs().maxCoeff();
      EXPECT_THAT(J.col(j), EigenNear(slope, 2e-7 * scale)) << "seed " << seed << ", column " << j;
      largest = std::max(largest, scale);
    }
  }
  EXPECT_GT(largest, 1e4);  // stiff columns were among them
}

TEST(CompliantPlantTest, FastestRateBoundsTheEigenvaluesOfTheJacobian) {
  for (const double k : {1e4, 1e6}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      CompliantCase c = compliant_case(seed, contact::kelvin_voigt_contact({.stiffness = k}));
      c.plant.set_offset(VectorXd::Constant(4, 4e-3));
      (void)c.plant.solve(c.state.q, c.state.v, c.state.xi, c.c.tau);
      const double rate = c.plant.fastest_rate();
      MatrixXd J;
      c.plant.jacobian(J);
      const double largest = J.eigenvalues().cwiseAbs().maxCoeff();
      EXPECT_GT(1.3 * rate, largest) << "k = " << k << ", seed " << seed;
      EXPECT_LT(rate, 4.0 * largest) << "k = " << k << ", seed " << seed;
    }
  }
}

// Checklist row 20: the state of the rigid run becomes one of the compliant model with the same forces.
TEST(CompliantPlantTest, AdoptsTheForcesOfARigidSolution) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    PlantCase c = plant_case(seed, 0.5);
    std::vector<ContactMode> modes = c.modes;
    if (seed % 2 == 1) {
      modes[1] = ContactMode::kRoll;
      c.v.setZero();
    }
    RigidPlant rigid(c.model());
    rigid.set_modes(modes);
    ASSERT_EQ(rigid.solve(c.q, c.v, c.tau), ContactSolveStatus::kSolved);
    VectorXd lambda_T = rigid.lambda_T();
    for (Index i = 0; i < 4; ++i)  // declared to roll it may leave its cone
      lambda_T[i] = std::clamp(lambda_T[i], -c.mu[i] * rigid.lambda_N()[i], c.mu[i] * rigid.lambda_N()[i]);
    CompliantPlant plant(c.model(), {laws()[seed % 2]});
    VectorXd xi;
    EXPECT_LT(plant.adopt_forces(c.q, c.v, rigid.lambda_N(), lambda_T, xi), 1e-9);
    ASSERT_EQ(plant.solve(c.q, c.v, xi, c.tau), ContactSolveStatus::kSolved);
    EXPECT_THAT(plant.lambda_N(), EigenNear(rigid.lambda_N(), 1e-9));
    EXPECT_THAT(plant.lambda_T(), EigenNear(lambda_T, 1e-9));
  }
}

TEST(CompliantPlantTest, RefusesAWorldThatDoesNotFit) {
  const PlantCase c = plant_case(1);
  EXPECT_THROW(CompliantPlant(c.model(), {}), InvalidArgument);
  EXPECT_THROW(CompliantPlant(c.model(), std::vector<ContactLaw>(3, laws()[0])), InvalidArgument);
  EXPECT_THROW(CompliantPlant(c.model(), {ContactLaw{}}), InvalidArgument);
  CompliantPlant plant(c.model(), {laws()[0]});
  EXPECT_THROW(plant.set_offset(VectorXd::Zero(3)), InvalidArgument);
}

}  // namespace
}  // namespace enfold::sim
