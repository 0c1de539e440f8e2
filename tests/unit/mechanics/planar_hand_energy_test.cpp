// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>

#include "enfold/mechanics/planar_hand.hpp"
#include "enfold/ode/fixed_step.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/numeric_derivative.hpp"
#include "enfold/test/random_hand.hpp"

namespace enfold::mechanics {
namespace {

using test::Draw;
using test::EigenNear;

constexpr std::uint64_t kEnergySeed = 40;

struct EnergyTerms {
  MatrixXd M;
  VectorXd h;
};

EnergyTerms dynamics_of(const PlanarHand& hand, const VectorXd& theta, const VectorXd& theta_dot) {
  std::array<LinkMotion, PlanarHand::kMaxJoints> links;
  hand.kinematics(theta, theta_dot, links);
  EnergyTerms terms{MatrixXd::Zero(theta.size(), theta.size()), VectorXd::Zero(theta.size())};
  hand.dynamics(links, terms.M, terms.h);
  return terms;
}

TEST(PlanarHandEnergyTest, KineticEnergyIsTheQuadraticFormOfTheMassMatrix) {
  for (int k = 0; k < 100; ++k) {
    Draw draw(kEnergySeed, k);
    const PlanarHand hand = test::random_hand(draw);
    const VectorXd theta = draw.vector(hand.n_joints(), 3.0);
    const VectorXd theta_dot = draw.vector(hand.n_joints(), 4.0);
    const double expected = 0.5 * theta_dot.dot(dynamics_of(hand, theta, theta_dot).M * theta_dot);
    EXPECT_NEAR(hand.kinetic_energy(theta, theta_dot), expected, 1e-12 * std::max(1.0, expected));
  }
}

TEST(PlanarHandEnergyTest, GravityTermsAreTheSlopeOfThePotentialEnergy) {
  for (int k = 0; k < 100; ++k) {
    Draw draw(kEnergySeed, k);
    const PlanarHand hand = test::random_hand(draw);
    const VectorXd theta = draw.vector(hand.n_joints(), 3.0);
    const VectorXd direction = draw.vector(hand.n_joints(), 1.0);
    const double slope = test::numeric_derivative(
        [&](double t) { return hand.potential_energy(theta + t * direction); }, 2e-3);
    EXPECT_NEAR(dynamics_of(hand, theta, VectorXd::Zero(theta.size())).h.dot(direction), slope, 1e-9);
  }
}

// Lagrange: h = Ṁ θ̇ − ∂T/∂θ + ∂V/∂θ, every term by differences of the energies and of M.
TEST(PlanarHandEnergyTest, VelocityTermsSatisfyTheEquationOfLagrange) {
  for (int k = 0; k < 30; ++k) {
    Draw draw(kEnergySeed, k);
    const PlanarHand hand(test::random_arms(draw, {draw.whole(1, 4)}), draw.vector(2, 10.0));
    const Index n = hand.n_joints();
    const VectorXd theta = draw.vector(n, 3.0);
    const VectorXd theta_dot = draw.vector(n, 4.0);
    VectorXd expected = test::numeric_derivative([&](double t) -> VectorXd {
      return dynamics_of(hand, theta + t * theta_dot, theta_dot).M * theta_dot;
    });
    for (Index i = 0; i < n; ++i)
      expected[i] -= test::numeric_derivative([&](double t) {
        const VectorXd at = theta + t * VectorXd::Unit(n, i);
        return hand.kinetic_energy(at, theta_dot) - hand.potential_energy(at);
      });
    EXPECT_THAT(dynamics_of(hand, theta, theta_dot).h, EigenNear(expected, 1e-9)) << "case " << k;
  }
}

/// Largest change of T + V of a free three-link arm that swings for one second, and how much of T changes.
struct Swing {
  double drift = 0.0;
  double exchanged = 0.0;
};
Swing swing(ode::Method method, double dt) {
  Draw draw(kEnergySeed, 1000);
  const PlanarHand hand(test::random_arms(draw, {3}), {0.0, -9.81});
  const auto rate = [&](const ode::State& x, ode::State& x_dot, double) {
    const Eigen::Map<const VectorXd> state(x.data(), 6);
    const EnergyTerms terms = dynamics_of(hand, state.head(3), state.tail(3));
    Eigen::Map<VectorXd> state_dot(x_dot.data(), 6);
    state_dot.head(3) = state.tail(3);
    state_dot.tail(3) = terms.M.llt().solve(-terms.h);
  };
  const auto kinetic = [&](const ode::State& x) {
    const Eigen::Map<const VectorXd> state(x.data(), 6);
    return hand.kinetic_energy(state.head(3), state.tail(3));
  };
  const auto total = [&](const ode::State& x) {
    return kinetic(x) + hand.potential_energy(Eigen::Map<const VectorXd>(x.data(), 3));
  };
  ode::State x{0.3, 0.8, -0.5, 0.0, 1.0, -2.0};
  const double start = total(x);
  const double kinetic_start = kinetic(x);
  ode::FixedStepper stepper(method);
  Swing result;
  for (int k = 0; k < static_cast<int>(std::lround(1.0 / dt)); ++k) {
    stepper.step(rate, x, k * dt, dt);
    result.drift = std::max(result.drift, std::abs(total(x) - start));
    result.exchanged = std::max(result.exchanged, std::abs(kinetic(x) - kinetic_start));
  }
  return result;
}

TEST(PlanarHandEnergyTest, FreeSwingUnderGravityConservesEnergy) {
  const Swing s = swing(ode::Method::kDormandPrince5, 2e-4);
  EXPECT_LT(s.drift, 1e-10);
  EXPECT_GT(s.exchanged, 1.0);  // it did swing
}

TEST(PlanarHandEnergyTest, EnergyErrorOfAFreeSwingFallsWithTheOrderOfTheMethod) {
  const double coarse = swing(ode::Method::kRungeKutta4, 2e-3).drift;
  const double fine = swing(ode::Method::kRungeKutta4, 1e-3).drift;
  EXPECT_GT(std::log2(coarse / fine), 3.7);
}

}  // namespace
}  // namespace enfold::mechanics
