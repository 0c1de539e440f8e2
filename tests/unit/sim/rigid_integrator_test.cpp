// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/sim/rigid_integrator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "block_scene.hpp"
#include "enfold/sim/simulation.hpp"

namespace enfold::sim {
namespace {

using contact::ContactMode;

constexpr double kGravity = 9.81;

/// The block on a floor that leans by `angle`, in the floor's own axes.
PlantModel on_slope(double angle, double mu) {
  return block(2.0, {kGravity * std::sin(angle), -kGravity * std::cos(angle)}, mu);
}

SimulationProblem free_block(PlantModel plant, const Vector2d& q, const Vector2d& v) {
  SimulationProblem problem;
  problem.plant = std::move(plant);
  problem.modes = {ContactMode::kSlidePlus};
  problem.automatic = {true};
  problem.q = q;
  problem.v = v;
  return problem;
}

SimulationOptions rigid_for(double duration) {
  SimulationOptions options;
  options.duration = duration;
  options.record_rate = 100.0;
  options.policy = ModelPolicy::kRigid;
  return options;
}

std::vector<Event> of_kind(const History& history, const std::string& kind) {
  std::vector<Event> out;
  for (const Event& event : history.events)
    if (event.kind == kind) out.push_back(event);
  return out;
}

// Thrown uphill with v: stops after v/(g(sin + μ cos)). Below atan μ it sticks there, above it slides back.
TEST(RigidIntegratorTest, BlockThrownUphillStopsInTimeAndSticksOnlyBelowTheFrictionAngle) {
  for (const double angle : {0.2, 0.5}) {
    const double mu = 0.35;  // atan μ = 0.337
    const double deceleration = kGravity * (std::sin(angle) + mu * std::cos(angle));
    const History history = simulate(free_block(on_slope(angle, mu), {0, 0}, {-1.0, 0.0}), rigid_for(1.0));
    ASSERT_EQ(history.status, RunStatus::kCompleted) << history.message;
    const std::vector<Event> modes = of_kind(history, "mode");
    ASSERT_EQ(modes.size(), 1u);
    EXPECT_NEAR(modes[0].time, 1.0 / deceleration, 1e-8);
    const bool sticks = std::tan(angle) < mu;
    EXPECT_EQ(modes[0].to, sticks ? "roll" : "slide+");
    const double down = kGravity * (std::sin(angle) - mu * std::cos(angle));
    const double rest = sticks ? 0.0 : 1.0 - modes[0].time;
    EXPECT_NEAR(history.samples.back().x[0], -0.5 / deceleration + 0.5 * down * rest * rest, 1e-8);
    EXPECT_NEAR(history.samples.back().x_dot[0], down * rest, 1e-7);
  }
}

// From height H with restitution e the k-th impact is at √(2H/g)(1 + 2e + … + 2e^k), with speed e^k √(2gH).
TEST(RigidIntegratorTest, BouncesAreWhereTheGeometricSeriesPutsThem) {
  const double H = 0.5;
  const double e = 0.7;
  PlantModel plant = block(1.0, {0.0, -kGravity}, 0.0);
  plant.restitution = VectorXd::Constant(1, e);
  const History history = simulate(free_block(plant, {0.0, H}, {0, 0}), rigid_for(2.5));
  ASSERT_EQ(history.status, RunStatus::kCompleted) << history.message;
  const std::vector<Event> impacts = of_kind(history, "impact");
  ASSERT_GT(impacts.size(), 10u);
  const double fall = std::sqrt(2.0 * H / kGravity);
  const double speed = kGravity * fall;
  double expected = fall;
  for (std::size_t k = 0; k < 10; ++k) {
    const double before = speed * std::pow(e, static_cast<double>(k));
    EXPECT_NEAR(impacts[k].time, expected, 1e-9) << k;
    EXPECT_NEAR(impacts[k].jump_v, (1.0 + e) * before, 1e-8) << k;
    EXPECT_NEAR(impacts[k].energy_change, -0.5 * (1.0 - e * e) * before * before, 1e-8) << k;
    expected += 2.0 * fall * std::pow(e, static_cast<double>(k + 1));
  }
  // It comes to rest after √(2H/g)(1 + e)/(1 − e), but for the last bounces below the rest speed.
  EXPECT_EQ(history.samples.back().modes[0] == ContactMode::kOpen, false);
  EXPECT_NEAR(history.samples.back().x[1], 0.0, 1e-9);
  EXPECT_NEAR(history.samples.back().lambda_N[0], kGravity, 1e-6);
}

/// An upward pull that grows with time, and then lets go.
class Pull final : public mechanics::Load {
 public:
  void generalised_force(double t, const VectorXd&, VectorXd& f) const override {
    f.setZero();
    f[1] = t < 0.6 ? 40.0 * t : 0.0;
  }
};

// A pull of 40 t lifts 2 kg when it reaches the weight, at mg/40; then ÿ = 40t/m − g until it lets go.
TEST(RigidIntegratorTest, ContactOpensWhereTheForceReachesZeroAndClosesWhereTheGapDoes) {
  PlantModel plant = block(2.0, {0.0, -kGravity}, 0.3);
  plant.load = std::make_shared<Pull>();
  SimulationOptions options = rigid_for(1.2);
  options.step = 1e-3;
  const History history = simulate(free_block(plant, {0, 0}, {0, 0}), options);
  ASSERT_EQ(history.status, RunStatus::kCompleted) << history.message;
  const std::vector<Event> modes = of_kind(history, "mode");
  const double lift = 2.0 * kGravity / 40.0;
  ASSERT_GE(modes.size(), 2u);
  // The start finds the resting contact rolling; then it opens, then it closes.
  const auto opened = std::find_if(modes.begin(), modes.end(), [](const Event& e) { return e.to == "open"; });
  ASSERT_NE(opened, modes.end());
  EXPECT_NEAR(opened->time, lift, 1e-5);  // the gap opens with the third power of time
  const double s = 0.6 - lift;            // ÿ = 20 s on [0, s]
  const double v = 10.0 * s * s;
  const double y = 10.0 / 3.0 * s * s * s;
  const double land = 0.6 + (v + std::sqrt(v * v + 2.0 * kGravity * y)) / kGravity;
  const std::vector<Event> impacts = of_kind(history, "impact");
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_NEAR(impacts[0].time, land, 1e-6);
}

// The contact slides rigidly until it stops; there springs take over with its forces.
TEST(RigidIntegratorTest, SpringsTakeOverWhereASlidingBlockStops) {
  SimulationOptions options = rigid_for(0.5);
  options.policy = ModelPolicy::kIntegrated;
  options.laws = {contact::kelvin_voigt_contact()};
  SimulationProblem problem = free_block(on_slope(0.2, 0.5), {0, 0}, {0.5, 0});
  const History history = simulate(problem, options);
  ASSERT_EQ(history.status, RunStatus::kCompleted) << history.message;
  // At rest 2 n_R + n_S = 2 is not below n = 2: S4's (22) asks for mobility, so springs take over there.
  const std::vector<Event> models = of_kind(history, "model");
  ASSERT_EQ(models.size(), 1u);
  EXPECT_EQ(models[0].to, "compliant");
  EXPECT_NEAR(models[0].time, 0.5 / (kGravity * (0.5 * std::cos(0.2) - std::sin(0.2))), 1e-8);
  EXPECT_THAT(models[0].cause, testing::HasSubstr("(22)"));
  EXPECT_LT(models[0].jump_lambda, 1e-9);
  // ½kδ² and ½k_Tξ² of λ_N = mg cos, λ_T = μ λ_N.
  const double N = 2.0 * kGravity * std::cos(0.2);
  EXPECT_NEAR(models[0].energy_change, (N * N + 0.25 * N * N) / 2e4, 1e-6);
  // An event is located to a slip of 1e-8 m/s, whose damper force ξ makes up for.
  EXPECT_LE(models[0].energy_change, (N * N + 0.25 * N * N) / 2e4 * (1.0 + 1e-6));
}

}  // namespace
}  // namespace enfold::sim
