// SPDX-License-Identifier: BSD-3-Clause
// Classic contact problems with answers on paper: stick and slip, indeterminacy, Painlevé's rod, impacts,
// tipping.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "shipped_run.hpp"

namespace enfold::app {
namespace {

using sim::ContactModel;
using sim::Event;
using sim::Sample;

constexpr double kGravity = 9.81;

std::vector<Event> of_kind(const sim::History& history, const std::string& kind) {
  std::vector<Event> out;
  for (const Event& event : history.events)
    if (event.kind == kind) out.push_back(event);
  return out;
}

const Sample& at(const sim::History& history, double t) {
  return history.samples.at(static_cast<std::size_t>(std::lround(t * 1000.0)));
}

/// The block on a slope of any angle: its centre is 0.05 m above the surface.
sim::History block_on_slope(double angle, const std::string& model = "integrated") {
  return run_shipped("classic-block-sticks", {fmt::format("planes.slope.angle_deg={}", angle * 180.0 / M_PI),
                                              fmt::format("task.start.x_m={}", -0.05 * std::sin(angle)),
                                              fmt::format("task.start.y_m={}", 0.05 * std::cos(angle)),
                                              fmt::format("task.start.phi_deg={}", angle * 180.0 / M_PI),
                                              "simulation.model=" + model});
}

// The friction angle parts sticking from sliding, however near to it the slope is.
TEST(ClassicTest, BlockSlidesIfAndOnlyIfTheSlopeIsSteeperThanTheFrictionAngle) {
  const double mu = 0.5;
  for (const double offset : {-0.01, -0.001, 0.001, 0.01}) {
    const double angle = std::atan(mu) + offset;
    const sim::History history = block_on_slope(angle);
    ASSERT_EQ(history.status, sim::RunStatus::kCompleted) << history.message;
    const double speed = (at(history, 0.9).x_dot - at(history, 0.4).x_dot).head<2>().norm();
    const double acceleration = kGravity * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR(speed, offset > 0.0 ? 0.5 * acceleration : 0.0, 1e-6) << offset;
  }
}

// A tanh-regularised friction would creep by μ⁻¹(tan α) of its slip speed; a tangential spring does not.
TEST(ClassicTest, StickingBlockDoesNotCreep) {
  const sim::History history = run_shipped("classic-block-sticks");
  ASSERT_EQ(history.status, sim::RunStatus::kCompleted) << history.message;
  EXPECT_LT((history.samples.back().x - at(history, 0.5).x).norm(), 1e-10);
  const double angle = 26.0 * M_PI / 180.0;
  const Sample& last = history.samples.back();
  EXPECT_NEAR(last.lambda_N.sum(), kGravity * std::cos(angle), 1e-6);
  EXPECT_NEAR(std::abs(last.lambda_T.sum()), kGravity * std::sin(angle), 1e-6);
}

TEST(ClassicTest, ShippedSlopesStickAndSlipAsTheySay) {
  const sim::History slips = run_shipped("classic-block-slips");
  ASSERT_EQ(slips.status, sim::RunStatus::kCompleted) << slips.message;
  EXPECT_EQ(slips.samples.back().model, ContactModel::kRigid);
  const double angle = 27.5 * M_PI / 180.0;
  EXPECT_NEAR((at(slips, 1.0).x_dot - at(slips, 0.5).x_dot).head<2>().norm(),
              0.5 * kGravity * (std::sin(angle) - 0.5 * std::cos(angle)), 1e-6);
}

// 4 n_C unknown forces, 3 equations: springs say what statics can't.
TEST(ClassicTest, BeamOnFourLegsIsIndeterminateAndCompliantLegsShareItEqually) {
  const sim::History rigid = run_shipped("classic-beam-four-legs", {"simulation.model=rigid"});
  EXPECT_EQ(rigid.status, sim::RunStatus::kNotUnique);
  EXPECT_THAT(rigid.message, testing::HasSubstr("leg1, leg2, leg3, leg4"));
  const sim::History history = run_shipped("classic-beam-four-legs");
  ASSERT_EQ(history.status, sim::RunStatus::kCompleted) << history.message;
  EXPECT_THAT(of_kind(history, "model").front().cause, testing::HasSubstr("(22)"));
  for (Index leg = 0; leg < 4; ++leg)
    EXPECT_NEAR(history.samples.back().lambda_N[leg], 2.0 * kGravity / 4.0, 1e-6);
}

// m A = 1 + 3 cos²φ − 3 μ sin φ cos φ at tan φ = 2.
constexpr double kPainleveA = 1.6 - 1.2 * 1.6;

TEST(ClassicTest, PainlevesRodHasNoAnswerAndJams) {
  const sim::History rigid = run_shipped("classic-painleve-none", {"simulation.model=rigid"});
  EXPECT_EQ(rigid.status, sim::RunStatus::kNotUnique);
  EXPECT_THAT(rigid.message, testing::AllOf(testing::HasSubstr("tip"), testing::HasSubstr("compliant")));
  const sim::History history = run_shipped("classic-painleve-none");
  ASSERT_EQ(history.status, sim::RunStatus::kCompleted) << history.message;
  EXPECT_EQ(history.samples.front().p_matrix, sim::Uniqueness::kNotUnique);
  EXPECT_EQ(history.samples.front().lcp_solutions, 0);
  EXPECT_NEAR(history.samples.front().min_minor, kPainleveA, 1e-12);
  // Jamming: a slip of 10 m/s ends within 20 ms, by forces far above the rod's weight; then the rod is up and
  // away.
  double largest = 0.0;
  for (const Sample& s : history.samples) largest = std::max(largest, s.lambda_N[0]);
  EXPECT_GT(largest, 20.0 * kGravity);
  EXPECT_GT(history.samples.back().gap[0], 0.01);
  const auto modes = of_kind(history, "mode");
  EXPECT_TRUE(std::any_of(modes.begin(), modes.end(),
                          [](const Event& e) { return e.to == "roll" && e.time < 0.02; }));
}

TEST(ClassicTest, PainlevesTurningRodHasTwoAnswers) {
  const sim::History rigid = run_shipped("classic-painleve-several", {"simulation.model=rigid"});
  EXPECT_EQ(rigid.status, sim::RunStatus::kNotUnique);
  EXPECT_THAT(rigid.message, testing::HasSubstr("tip"));
  const sim::History history = run_shipped("classic-painleve-several");
  ASSERT_EQ(history.status, sim::RunStatus::kCompleted) << history.message;
  const Sample& first = history.samples.front();
  EXPECT_EQ(first.p_matrix, sim::Uniqueness::kNotUnique);
  EXPECT_EQ(first.lcp_solutions, 2);
  EXPECT_NEAR(first.min_minor, kPainleveA, 1e-12);
  // Started without force the rod flies: its centre falls freely, its rate of turn stays.
  const double t = history.samples.back().time;
  EXPECT_NEAR(history.samples.back().x[1], first.x[1] + first.x_dot[1] * t - 0.5 * kGravity * t * t, 1e-9);
  EXPECT_NEAR(history.samples.back().x_dot[2], 6.0, 1e-9);
}

TEST(ClassicTest, BouncesFollowTheGeometricSeries) {
  const double H = 0.3;
  const double e = 0.5;
  const sim::History history = run_shipped("classic-bouncing-block");
  ASSERT_EQ(history.status, sim::RunStatus::kCompleted) << history.message;
  const double fall = std::sqrt(2.0 * H / kGravity);
  double expected = fall;
  int k = 0;
  for (const Event& impact : of_kind(history, "impact")) {
    if (impact.contact != "left" || k >= 8) continue;
    EXPECT_NEAR(impact.time, expected, 1e-8) << k;
    EXPECT_NEAR(impact.energy_change, -(1.0 - e * e) * kGravity * H * std::pow(e, 2 * k), 1e-8) << k;
    expected += 2.0 * fall * std::pow(e, ++k);
  }
  EXPECT_EQ(k, 8);
  const Sample& last = history.samples.back();
  EXPECT_NEAR(last.lambda_N.sum(), kGravity, 1e-4);
  EXPECT_LT(last.x_dot.norm(), 1e-6);
}

// Housner: half-diagonal R, the tilt θ falls from θ₀ to 0 about a corner. With V = m g R cos(α − θ),
// ½ J θ̇² = V(θ₀) − V(θ), and θ = θ₀(1 − u²) takes the singularity out of T = ∫ dθ/θ̇.
TEST(ClassicTest, RockingBlockLandsWhenEnergySaysAndLosesWhatHousnerSays) {
  const sim::History history = run_shipped("classic-rocking-block");
  ASSERT_EQ(history.status, sim::RunStatus::kCompleted) << history.message;
  const double R = std::hypot(0.05, 0.2);
  const double alpha = std::atan(0.05 / 0.2);
  const double J = 4.0 / 3.0 * R * R;
  const double theta_0 = 5.0 * M_PI / 180.0;
  const auto kinetic = [&](double theta) {
    return kGravity * R * (std::cos(alpha - theta_0) - std::cos(alpha - theta));
  };
  double T = 0.0;
  const int n = 20000;
  for (int i = 0; i < n; ++i) {
    const double u = (i + 0.5) / n;
    T += 2.0 * theta_0 * u / std::sqrt(2.0 * kinetic(theta_0 * (1.0 - u * u)) / J) / n;
  }
  const auto impacts = of_kind(history, "impact");
  ASSERT_GE(impacts.size(), 3u);
  EXPECT_NEAR(impacts[0].time, T, 1e-6);
  EXPECT_EQ(impacts[0].contact, "right");
  const double kept = 1.0 - 1.5 * std::pow(std::sin(alpha), 2);
  EXPECT_NEAR(impacts[0].energy_change, (kept * kept - 1.0) * kinetic(0.0), 1e-9);
  for (std::size_t i = 1; i < impacts.size(); ++i)
    EXPECT_NEAR(impacts[i].energy_change / impacts[i - 1].energy_change, kept * kept, 1e-6);
}

TEST(ClassicTest, BoxTipsWhereTheMomentOfThePushReachesThatOfItsWeight) {
  const sim::History history = run_shipped("classic-box-tips");
  ASSERT_EQ(history.status, sim::RunStatus::kCompleted) << history.message;
  // F h = m g w/2 at F = 2.4525 N, 5 N/s; the legs' springs swing by a millisecond.
  const auto modes = of_kind(history, "mode");
  const auto opened = std::find_if(modes.begin(), modes.end(),
                                   [](const Event& e) { return e.contact == "left" && e.to == "open"; });
  ASSERT_NE(opened, modes.end());
  EXPECT_NEAR(opened->time, 0.4905, 2e-3);
  const Sample& last = history.samples.back();
  EXPECT_LT(last.x[2], -0.01) << "it turns clockwise";
  // About its right corner, which stays where it was.
  EXPECT_NEAR(last.x[0] + 0.1 * std::cos(last.x[2]) + 0.2 * std::sin(last.x[2]), 0.1, 1e-4);
  EXPECT_NEAR(last.x[1] + 0.1 * std::sin(last.x[2]) - 0.2 * std::cos(last.x[2]), 0.0, 1e-4);
}

}  // namespace
}  // namespace enfold::app
