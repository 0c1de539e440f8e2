// SPDX-License-Identifier: BSD-3-Clause
// What integration makes of the plant: energy and the drift of the gaps.
#include <gtest/gtest.h>

#include <cmath>

#include "closed_loop_case.hpp"
#include "enfold/ode/fixed_step.hpp"
#include "enfold/test/matchers.hpp"
#include "plant_case.hpp"

namespace enfold::sim {
namespace {

using test::EigenNear;

/// A plant under a constant torque, integrated step by step.
class FreeRun {
 public:
  FreeRun(const PlantCase& c, double omega) : c_{c}, plant_{c.model(), {.drift_frequency = omega}} {
    plant_.set_modes(c.modes);
    state_.assign(c.q.begin(), c.q.end());
    state_.insert(state_.end(), c.v.begin(), c.v.end());
  }

  void step(double dt) {
    const auto f = [this, dt](const ode::State& x, ode::State& rate, double) {
      const VectorXd q = Eigen::Map<const VectorXd>(x.data(), 7);
      const VectorXd v = Eigen::Map<const VectorXd>(x.data() + 7, 7);
      EXPECT_EQ(plant_.solve(q, v, c_.tau), ContactSolveStatus::kSolved);
      std::copy(v.begin(), v.end(), rate.begin());
      std::copy(plant_.v_dot().begin(), plant_.v_dot().end(), rate.begin() + 7);
      least_force = std::min(least_force, plant_.lambda_N().minCoeff());
      pressure += plant_.lambda_N().sum() * dt / 4;
    };
    stepper_.step(f, state_, 0.0, dt);
  }
  [[nodiscard]] VectorXd q() const { return Eigen::Map<const VectorXd>(state_.data(), 7); }
  [[nodiscard]] VectorXd v() const { return Eigen::Map<const VectorXd>(state_.data() + 7, 7); }
  [[nodiscard]] double energy() const {
    return c_.hand.mechanism->kinetic_energy(q(), v()) + c_.hand.mechanism->potential_energy(q());
  }
  [[nodiscard]] VectorXd gap() const { return c_.hand.kinematics(q(), v()).gap; }

  double least_force = 1e9;
  double pressure = 0.0;  ///< ∫ Σ λ_N dt [N·s]

 private:
  const PlantCase& c_;
  RigidPlant plant_;
  ode::FixedStepper stepper_;
  ode::State state_;
};

// Without friction and torques the contact forces do no work: what one body loses the other gains.
TEST(PlantEnergyTest, FrictionlessMotionWithoutTorqueConservesEnergy) {
  double pressure = 0.0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    PlantCase c = plant_case(seed, 1.0, {.radius = 0.003});
    c.mu.setZero();
    c.tau.setZero();
    FreeRun run(c, 100.0);
    const double before = run.energy();
    ASSERT_GT(before, 1e-5);
    for (int k = 0; k < 50; ++k) run.step(5e-4);
    EXPECT_NEAR(run.energy(), before, 1e-9 * before) << "seed " << seed;
    pressure += run.pressure;
  }
  EXPECT_GT(pressure, 1e-3);  // contacts did press
}

// The same with all four contacts pressed by torques, whose work is τ·Δθ for a constant τ.
TEST(PlantEnergyTest, FrictionlessMotionGainsTheWorkOfTheTorques) {
  double largest = 0.0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    PlantCase c = plant_case(seed, 2.0);
    c.mu.setZero();
    FreeRun run(c, 100.0);
    const double before = run.energy();
    for (int k = 0; k < 100; ++k) run.step(5e-4);
    ASSERT_GT(run.least_force, 0.0) << "seed " << seed;
    const double work = c.tau.dot((run.q() - c.q).tail(4));
    EXPECT_NEAR(run.energy() - before, work, 1e-9) << "seed " << seed;
    largest = std::max(largest, std::abs(work));
  }
  EXPECT_GT(largest, 5e-3);
}

// dE/dt = τᵀθ̇ + Σ λ_T φ̇_T along a run of the closed loop; Simpson's rule on the recorded powers.
TEST(PlantEnergyTest, ClosedLoopGainsTheWorkOfTheTorquesAndLosesThatOfFriction) {
  ClosedLoopCase c = rotation();
  c.start = pose(0.0, 0.15, 69.0);
  const double dt = 5e-4;
  const History history =
      simulate(c.problem(), {.duration = 1.0, .step = dt, .record_rate = 1.0 / dt, .control_rate = 0.0});
  ASSERT_EQ(history.status, RunStatus::kCompleted) << history.message;
  const auto& samples = history.samples;
  double torques = 0.0;
  double friction_work = 0.0;
  double worst = 0.0;
  const auto simpson = [&](std::size_t k, auto power) {
    return dt / 3.0 * (power(samples[k]) + 4.0 * power(samples[k + 1]) + power(samples[k + 2]));
  };
  for (std::size_t k = 0; k + 2 < samples.size(); k += 2) {
    torques += simpson(k, [](const Sample& s) { return s.tau.dot(s.omega); });
    const double lost = simpson(k, [](const Sample& s) { return s.lambda_T.dot(s.slip); });
    EXPECT_LE(lost, 0.0) << "t = " << samples[k].time;
    friction_work += lost;
    worst = std::max(worst, std::abs(samples[k + 2].energy - samples[0].energy - torques - friction_work));
  }
  EXPECT_LT(worst, 1e-8);
  EXPECT_GT(torques, 1e-2);  // the balance is one of large terms
  EXPECT_LT(friction_work, -1e-2);
}

/// A gap of `gap` at every contact, at rest relative to it: φ = gap, φ̇ = 0.
PlantCase with_gap(double gap) {
  PlantCase c = plant_case(11, 2.5);
  const VectorXd x_dot = c.v.head(3);
  for (int k = 0; k < 5; ++k) {
    const contact::ContactKinematics kinematics = c.kinematics();
    const VectorXd missing = VectorXd::Constant(4, gap) - kinematics.gap;
    c.q.tail(4) += kinematics.W_N.bottomRows(4).transpose().fullPivLu().solve(missing);
  }
  c.v = test::closed_velocity(c.hand, c.q, 0.3 * x_dot);
  c.tau = -c.kinematics().W_N.bottomRows(4) * VectorXd::Constant(4, 4.0);
  return c;
}

// Checklist row 19: φ(t) = φ₀(1 + ωt)e^(−ωt), a double pole at −ω.
TEST(PlantDriftTest, GapErrorDecaysWithADoublePole) {
  for (const double gap : {1e-6, -1e-6}) {
    for (const double omega : {100.0, 200.0}) {
      const PlantCase c = with_gap(gap);
      ASSERT_THAT(c.kinematics().gap, EigenNear(VectorXd::Constant(4, gap), 1e-15));
      FreeRun run(c, omega);
      const double dt = 2.5e-4;
      for (int k = 1; k <= 120; ++k) {
        run.step(dt);
        const double t = k * dt;
        const VectorXd expected = VectorXd::Constant(4, gap * (1.0 + omega * t) * std::exp(-omega * t));
        ASSERT_THAT(run.gap(), EigenNear(expected, 1e-10)) << "t = " << t << ", omega = " << omega;
      }
      EXPECT_GT(run.least_force, 0.0);
    }
  }
}

TEST(PlantDriftTest, GapErrorStaysWithoutCorrection) {
  const PlantCase c = with_gap(1e-6);
  FreeRun run(c, 0.0);
  for (int k = 0; k < 120; ++k) run.step(2.5e-4);
  EXPECT_THAT(run.gap(), EigenNear(VectorXd::Constant(4, 1e-6), 1e-10));
  EXPECT_GT(run.least_force, 0.0);
}

}  // namespace
}  // namespace enfold::sim
