// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/sim/compliant_integrator.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "block_scene.hpp"
#include "enfold/base/error.hpp"
#include "enfold/ode/fixed_step.hpp"
#include "enfold/test/matchers.hpp"
#include "plant_case.hpp"

namespace enfold::sim {
namespace {

using contact::ContactLaw;
using contact::ContactMode;
using test::EigenNear;

const VectorXd kNoTorque;

ContactLaw undamped(double stiffness) {
  return contact::kelvin_voigt_contact({.stiffness = stiffness, .damping_ratio = 0.0});
}

CompliantState block_at(double y, double vx, double vy) {
  return {Vector2d(0.0, y), Vector2d(vx, vy), VectorXd::Zero(1)};
}

double energy(CompliantPlant& plant, const CompliantState& s, const VectorXd& tau) {
  (void)plant.solve(s.q, s.v, s.xi, tau);
  const mechanics::Mechanism& mechanism = *plant.model().mechanism;
  return mechanism.kinetic_energy(s.q, s.v) + mechanism.potential_energy(s.q) + plant.stored_energy() -
         tau.dot(s.q.tail(tau.size()));
}

// A ball on a spring floor: free fall of 2 v/g, then half a swing about the load's own deflection.
TEST(CompliantIntegratorTest, BouncePeriodIsThatOfTheClosedForm) {
  const double m = 0.8, g = 9.81, k = 2e4, v = 0.5;
  CompliantPlant plant(block(m, {0.0, -g}, 0.0), {undamped(k)});
  CompliantIntegrator integrator(plant);
  CompliantState s = block_at(0.0, 0.0, v);
  const double omega = std::sqrt(k / m);
  const double sink = g / (omega * omega);
  const double contact_time = (2.0 * std::numbers::pi - 2.0 * std::atan2(v, sink * omega)) / omega;
  const double period = 2.0 * v / g + contact_time;
  for (int bounce = 1; bounce <= 3; ++bounce) {
    const CompliantAdvance a = integrator.advance(s, kNoTorque, (bounce - 1) * period, period);
    ASSERT_TRUE(a.ok());
    EXPECT_NEAR(s.q[1], 0.0, 1e-7) << "bounce " << bounce;
    EXPECT_NEAR(s.v[1], v, 1e-6) << "bounce " << bounce;
  }
}

TEST(CompliantIntegratorTest, TouchAndLossAreLocatedInTime) {
  const double g = 9.81;
  CompliantPlant plant(block(1.0, {0.0, -g}, 0.0), {contact::kelvin_voigt_contact({})});
  CompliantIntegrator integrator(plant);
  CompliantState s = block_at(0.1, 0.0, 0.0);
  (void)integrator.advance(s, kNoTorque, 0.0, 0.2);
  ASSERT_GE(integrator.mode_changes().size(), 1u);
  const ModeChange& touch = integrator.mode_changes().front();
  EXPECT_NEAR(touch.time, std::sqrt(2.0 * 0.1 / g), 2e-9);
  EXPECT_EQ(touch.from, ContactMode::kOpen);
  EXPECT_NE(touch.to, ContactMode::kOpen);
}

// The bound, on a ball that bounces …
TEST(CompliantIntegratorTest, UndampedBounceConservesEnergyForTenSeconds) {
  for (const CompliantMethod method : {CompliantMethod::kDormandPrince5, CompliantMethod::kRosenbrock4}) {
    CompliantPlant plant(block(1.0, {0.0, -9.81}, 0.0), {undamped(1e4)});
    CompliantIntegrator integrator(plant, {.method = method, .position_tol = 1e-11, .velocity_tol = 1e-9});
    CompliantState s = block_at(0.02, 0.1, 0.0);
    const double before = energy(plant, s, kNoTorque);
    double largest = 0.0;
    double drift = 0.0;
    int events = 0;
    for (int i = 0; i < 1000; ++i) {
      const CompliantAdvance a = integrator.advance(s, kNoTorque, 0.01 * i, 0.01);
      ASSERT_TRUE(a.ok());
      events += a.events;
      largest = std::max(largest, plant.model().mechanism->kinetic_energy(s.q, s.v));
      drift = std::max(drift, std::abs(energy(plant, s, kNoTorque) - before));
    }
    EXPECT_LT(drift, 1e-6 * largest);
    EXPECT_GT(events, 40);
    RecordProperty("drift", fmt::format("{:.2e}", drift / largest));
  }
}

// … and on the hand of S4, whose links rattle around the ellipse under constant torques.
TEST(CompliantIntegratorTest, UndampedHandConservesEnergyForTenSeconds) {
  const test::PaperHand hand = test::paper_hand();
  CompliantPlant plant({hand.mechanism, hand.contacts, VectorXd::Zero(4)}, {undamped(1e4)});
  CompliantIntegrator integrator(plant, {.position_tol = 1e-11, .velocity_tol = 1e-9});
  CompliantState s{hand.closed(0.0, 0.15, 80.0), VectorXd::Zero(7), VectorXd::Zero(4)};
  s.v = test::closed_velocity(hand, s.q, Eigen::Vector3d(0.02, -0.01, 0.1));
  const VectorXd tau = -hand.kinematics(s.q, s.v).W_N.bottomRows(4) * Eigen::Vector4d(2.0, 1.0, 2.0, 1.0);
  const double before = energy(plant, s, tau);
  double largest = 0.0;
  double drift = 0.0;
  int events = 0;
  for (int i = 0; i < 2000; ++i) {
    const CompliantAdvance a = integrator.advance(s, tau, 5e-3 * i, 5e-3);
    ASSERT_TRUE(a.ok()) << "t = " << a.t;
    events += a.events;
    largest = std::max(largest, hand.mechanism->kinetic_energy(s.q, s.v));
    drift = std::max(drift, std::abs(energy(plant, s, tau) - before));
  }
  EXPECT_LT(drift, 1e-6 * largest);
  EXPECT_GT(events, 10);
  RecordProperty("drift", fmt::format("{:.2e}", drift / largest));
}

TEST(CompliantIntegratorTest, ContactNeverCreatesEnergy) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    PlantCase c = plant_case(seed);
    CompliantPlant plant(
        c.model(),
        {seed % 2 == 0 ? contact::kelvin_voigt_contact({})
                       : ContactLaw{std::make_shared<contact::HuntCrossley>(1e6, 0.5), {1e4, 100.0}}});
    CompliantIntegrator integrator(plant);
    CompliantState s{c.q, c.v, VectorXd::Zero(4)};
    double last = energy(plant, s, c.tau);
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE(integrator.advance(s, c.tau, 1e-3 * i, 1e-3).ok());
      for (Index j = 0; j < 4; ++j) {
        EXPECT_GE(plant.lambda_N()[j], 0.0);
        EXPECT_LE(std::abs(plant.lambda_T()[j]), c.mu[j] * plant.lambda_N()[j]);
      }
      const double now = energy(plant, s, c.tau);
      EXPECT_LE(now, last + 1e-8) << "seed " << seed << ", step " << i;
      last = now;
    }
  }
}

// Gravity leans within the cone: once settled, the block stays where it is, for as long as one likes.
TEST(CompliantIntegratorTest, StickingBlockDoesNotCreep) {
  const double mu = 0.5, g = 9.81;
  for (const double slope : {0.3, 0.45, -0.45}) {
    CompliantPlant plant(block(1.0, {g * slope, -g}, mu), {contact::kelvin_voigt_contact({})});
    CompliantIntegrator integrator(plant, {.position_tol = 1e-13, .velocity_tol = 1e-12});
    CompliantState s = block_at(-g / 1e4, 0.0, 0.0);
    double settled = 0.0;
    double creep = 0.0;
    for (int i = 0; i < 1000; ++i) {
      ASSERT_TRUE(integrator.advance(s, kNoTorque, 0.01 * i, 0.01).ok());
      if (i == 99) settled = s.q[0];
      if (i >= 99) creep = std::max(creep, std::abs(s.q[0] - settled));
    }
    EXPECT_EQ(plant.modes()[0], ContactMode::kRoll);
    EXPECT_LT(creep, 1e-12) << "slope " << slope;
    EXPECT_NEAR(s.xi[0], g * slope / 1e4, 1e-10);
    EXPECT_NEAR(plant.lambda_T()[0], -g * slope, 1e-6);
    RecordProperty("creep", fmt::format("{:.2e}", creep));
  }
}

// Beyond the cone it slides down with a = g(tan β − μ).
TEST(CompliantIntegratorTest, SteepBlockSlidesWithTheAccelerationOfCoulomb) {
  const double mu = 0.5, g = 9.81, slope = 0.6;
  CompliantPlant plant(block(1.0, {g * slope, -g}, mu), {contact::kelvin_voigt_contact({})});
  CompliantIntegrator integrator(plant);
  CompliantState s = block_at(-g / 1e4, 0.0, 0.0);
  ASSERT_TRUE(integrator.advance(s, kNoTorque, 0.0, 0.5).ok());
  const double v = s.v[0];
  ASSERT_TRUE(integrator.advance(s, kNoTorque, 0.5, 0.5).ok());
  EXPECT_EQ(plant.modes()[0], ContactMode::kSlidePlus);
  EXPECT_NEAR(s.v[0] - v, 0.5 * g * (slope - mu), 1e-6);
  EXPECT_NEAR(s.xi[0], mu * g / 1e4, 1e-9);
}

TEST(CompliantIntegratorTest, ExplicitAndRosenbrockAgree) {
  for (const double k : {1e4, 1e6}) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const PlantCase c = plant_case(seed);
      CompliantState states[2];
      CompliantAdvance last[2];
      for (const int which : {0, 1}) {
        CompliantPlant plant(c.model(), {contact::kelvin_voigt_contact({.stiffness = k})});
        CompliantIntegrator integrator(
            plant, {.method = which == 0 ? CompliantMethod::kDormandPrince5 : CompliantMethod::kRosenbrock4});
        states[which] = {c.q, c.v, VectorXd::Zero(4)};
        for (int i = 0; i < 50; ++i) {
          last[which] = integrator.advance(states[which], c.tau, 1e-3 * i, 1e-3);
          ASSERT_TRUE(last[which].ok());
        }
      }
      EXPECT_EQ(last[0].jacobians, 0);
      EXPECT_GT(last[1].jacobians, 0);
      EXPECT_THAT(states[0].q, EigenNear(states[1].q, 2e-6)) << "k = " << k << ", seed " << seed;
      EXPECT_THAT(states[0].v, EigenNear(states[1].v, 2e-4)) << "k = " << k << ", seed " << seed;
    }
  }
}

TEST(CompliantIntegratorTest, ChoiceFollowsTheRateAndIsStated) {
  const PlantCase c = plant_case(2);
  for (const auto& [k, method] :
       {std::pair{1e4, ode::DenseMethod::kDormandPrince5}, std::pair{1e11, ode::DenseMethod::kRosenbrock4}}) {
    CompliantPlant plant(c.model(), {contact::kelvin_voigt_contact({.stiffness = k})});
    CompliantIntegrator integrator(plant);
    CompliantState s{c.q, c.v, {}};
    RigidPlant rigid(c.model());
    rigid.set_modes(c.modes);
    ASSERT_EQ(rigid.solve(c.q, c.v, c.tau), ContactSolveStatus::kSolved);
    (void)plant.adopt_forces(c.q, c.v, rigid.lambda_N(), rigid.lambda_T(), s.xi);
    const CompliantAdvance a = integrator.advance(s, c.tau, 0.0, 1e-3);
    ASSERT_TRUE(a.ok());
    EXPECT_EQ(a.method, method);
    const std::string reason = describe(a, integrator.options());
    EXPECT_EQ(reason.find("rosenbrock4") == 0, method == ode::DenseMethod::kRosenbrock4) << reason;
    EXPECT_NE(reason.find("fastest contact rate"), std::string::npos) << reason;
  }
}

/// The rigid run of a case for 0.04 s, in its declared modes.
struct RigidRun {
  std::vector<VectorXd> q, lambda_N;  ///< every millisecond
  VectorXd lambda_T_start;
  bool keeps_modes = true;  ///< every contact pressed and slid on as declared
};

RigidRun rigid_run(const PlantCase& c) {
  RigidRun out;
  RigidPlant rigid(c.model(), {.drift_frequency = 0.0});
  rigid.set_modes(c.modes);
  ode::State x(c.q.begin(), c.q.end());
  x.insert(x.end(), c.v.begin(), c.v.end());
  const auto f = [&](const ode::State& at, ode::State& rate, double) {
    const VectorXd v = Eigen::Map<const VectorXd>(at.data() + 7, 7);
    (void)rigid.solve(Eigen::Map<const VectorXd>(at.data(), 7), v, c.tau);
    const VectorXd slip = rigid.kinematics().W_T.transpose() * v;
    for (Index i = 0; i < 4; ++i)
      out.keeps_modes = out.keeps_modes && slip_sign(c.modes[static_cast<std::size_t>(i)]) * slip[i] > 5e-3 &&
                        rigid.lambda_N()[i] > 0.1;
    std::copy(v.begin(), v.end(), rate.begin());
    std::copy(rigid.v_dot().begin(), rigid.v_dot().end(), rate.begin() + 7);
  };
  ode::FixedStepper stepper;
  for (int i = 0; i <= 40; ++i) {
    out.q.emplace_back(Eigen::Map<const VectorXd>(x.data(), 7));
    (void)rigid.solve(out.q.back(), Eigen::Map<const VectorXd>(x.data() + 7, 7), c.tau);
    out.lambda_N.push_back(rigid.lambda_N());
    if (i == 0) out.lambda_T_start = rigid.lambda_T();
    for (int k = 0; k < 2; ++k) stepper.step(f, x, 0.0, 5e-4);
  }
  return out;
}

// Two models of one world: the compliant one tends to the rigid one like 1/k.
TEST(CompliantIntegratorTest, DifferenceFromRigidContactFallsAsOneOverK) {
  int cases = 0;
  for (std::uint64_t seed = 0; seed < 100 && cases < 4; ++seed) {
    const PlantCase c = plant_case(seed, 2.0);
    const RigidRun rigid = rigid_run(c);
    if (!rigid.keeps_modes) continue;
    ++cases;
    std::vector<double> q_error, force_error;
    for (const double k : {1e4, 1e5, 1e6}) {
      CompliantPlant plant(c.model(), {contact::kelvin_voigt_contact({.stiffness = k})});
      CompliantIntegrator integrator(plant, {.position_tol = 1e-12, .velocity_tol = 1e-9});
      CompliantState s{c.q, c.v, {}};
      (void)plant.adopt_forces(c.q, c.v, rigid.lambda_N[0], rigid.lambda_T_start, s.xi);
      q_error.push_back(0.0);
      force_error.push_back(0.0);
      for (std::size_t i = 1; i <= 40; ++i) {
        ASSERT_TRUE(integrator.advance(s, c.tau, 1e-3 * static_cast<double>(i - 1), 1e-3).ok());
        q_error.back() = std::max(q_error.back(), (s.q - rigid.q[i]).cwiseAbs().maxCoeff());
        if (i < 20) continue;  // the forces' first swing is none of the rigid model's
        force_error.back() =
            std::max(force_error.back(), (plant.lambda_N() - rigid.lambda_N[i]).cwiseAbs().maxCoeff());
      }
      RecordProperty(fmt::format("seed_{}_k_{:.0f}", seed, k),
                     fmt::format("{:.3e} {:.3e}", q_error.back(), force_error.back()));
    }
    for (const std::size_t i : {0u, 1u}) {
      // At 1e4 N/m the next term, 1/k², still shows.
      EXPECT_NEAR(q_error[i] / q_error[i + 1], i == 0 ? 8.0 : 10.0, i == 0 ? 3.0 : 1.5) << "seed " << seed;
      EXPECT_GT(force_error[i] / force_error[i + 1], 5.0) << "seed " << seed << ", step " << i;
    }
  }
  EXPECT_EQ(cases, 4);
}

TEST(CompliantIntegratorTest, RefusesWhatDoesNotFit) {
  CompliantPlant plant(block(1.0, {0.0, -9.81}, 0.0), {undamped(1e4)});
  EXPECT_THROW(CompliantIntegrator(plant, {.position_tol = 0.0}), InvalidArgument);
  CompliantIntegrator integrator(plant);
  CompliantState s = block_at(0.0, 0.0, 0.0);
  EXPECT_THROW((void)integrator.advance(s, kNoTorque, 0.0, 0.0), InvalidArgument);
  s.xi.resize(0);
  EXPECT_THROW((void)integrator.advance(s, kNoTorque, 0.0, 1e-3), InvalidArgument);
}

TEST(CompliantIntegratorTest, NotFiniteStateIsReported) {
  CompliantPlant plant(block(1.0, {0.0, std::numeric_limits<double>::quiet_NaN()}, 0.0), {undamped(1e4)});
  CompliantIntegrator integrator(plant);
  CompliantState s = block_at(0.1, 0.0, 0.0);
  EXPECT_EQ(integrator.advance(s, kNoTorque, 0.0, 1e-3).status, CompliantStatus::kNotFinite);
}

}  // namespace
}  // namespace enfold::sim
