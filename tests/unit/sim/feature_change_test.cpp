// SPDX-License-Identifier: BSD-3-Clause
// A contact that goes from a link's face to its tip, or over a corner of the object: located, logged, and as
// textbook mechanics has it. The links are too heavy to move.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "enfold/contact/planar_contact_set.hpp"
#include "enfold/geometry/ellipse.hpp"
#include "enfold/sim/simulation.hpp"

namespace enfold::sim {
namespace {

using contact::ContactMode;
using contact::LinkPart;
using ::testing::HasSubstr;

constexpr double kPull = 9.81;  // [m/s²]

std::vector<Event> events_of(const History& history, const std::string& kind) {
  std::vector<Event> out;
  for (const Event& event : history.events)
    if (event.kind == kind) out.push_back(event);
  return out;
}

/// One immovable link from the origin along the x axis, the object on its left, under a gravity that leans
/// by `slope` towards the link's end.
PlantModel on_a_link(double length, double radius, double slope, mechanics::PlanarObject object,
                     LinkPart part, double mu) {
  mechanics::PlanarArm arm;
  arm.name = "arm";
  arm.object_side = geometry::Side::kLeft;
  mechanics::PlanarLink link;
  link.name = "link";
  link.length = length;
  link.radius = radius;
  link.mass = 1.0;
  link.inertia = 1e12;
  link.com = Vector2d::Zero();
  arm.links = {link};
  const Vector2d gravity = kPull * Vector2d{std::sin(slope), -std::cos(slope)};
  auto mechanism = std::make_shared<mechanics::PlanarGraspMechanism>(mechanics::PlanarHand({arm}, gravity),
                                                                     std::move(object));
  const contact::PlanarContact on{"touch", 0, -1, -1, part};
  return {mechanism, std::make_shared<contact::PlanarContactSet>(mechanism, std::vector{on}),
          VectorXd::Constant(1, mu)};
}

SimulationProblem released(PlantModel plant, const VectorXd& q, const VectorXd& v) {
  SimulationProblem problem;
  problem.plant = std::move(plant);
  problem.modes = {ContactMode::kSlidePlus};
  problem.automatic = {true};
  problem.q = q;
  problem.v = v;
  return problem;
}

SimulationOptions options_for(ModelPolicy policy, double duration) {
  SimulationOptions options;
  options.duration = duration;
  options.record_rate = 1000.0;
  options.control_rate = 1000.0;
  options.policy = policy;
  return options;
}

constexpr double kLength = 0.5, kThickness = 0.02, kDisc = 0.05, kSlope = 0.2, kWay = 0.02;

/// A disc released at rest on the slope, `kWay` before the link's end.
SimulationProblem disc_on_a_slope() {
  const mechanics::PlanarObject disc{1.0, 1e-3, std::make_shared<geometry::Ellipse>(kDisc, kDisc)};
  VectorXd q = VectorXd::Zero(4);
  q.head<2>() << kLength - kWay, kDisc + kThickness;
  return released(on_a_link(kLength, kThickness, kSlope, disc, LinkPart::kAny, 0.0), q, VectorXd::Zero(4));
}

// Without friction: √(2s/(g sin α)) to the end of the face; round the tip, an arc of radius R + r about the
// link's end, the disc leaves where n·g = u²/(R + r), u² being what it fell.
TEST(FeatureChangeTest, DiscSlidesFromTheFaceRoundTheTipAndLeavesItWhereGravityNoLongerTurnsIt) {
  const History history = simulate(disc_on_a_slope(), options_for(ModelPolicy::kRigid, 0.6));
  ASSERT_EQ(history.status, RunStatus::kCompleted) << history.message;
  const std::vector<Event> moves = events_of(history, "feature");
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(moves[0].contact, "touch");
  EXPECT_EQ(moves[0].from, "face on curve");
  EXPECT_EQ(moves[0].to, "tip on curve");
  EXPECT_NEAR(moves[0].time, std::sqrt(2.0 * kWay / (kPull * std::sin(kSlope))), 1e-8);

  const std::vector<Event> modes = events_of(history, "mode");
  ASSERT_EQ(modes.size(), 1u);
  EXPECT_EQ(modes[0].to, "open");
  // By angle ψ round the tip: g cos(α + ψ)·r = u² = 2g (s sin α + r (cos α − cos(α + ψ))), r = R + thickness.
  const double r = kDisc + kThickness;
  const double leaving = std::acos(2.0 / 3.0 * (kWay * std::sin(kSlope) / r + std::cos(kSlope)));
  ASSERT_GT(leaving, kSlope);
  std::size_t i = 0;
  while (history.samples[i].time < modes[0].time) ++i;
  const Sample& after = history.samples[i];
  // Back along the flight's parabola to the instant of the event.
  const double late = after.time - modes[0].time;
  const Vector2d gravity = kPull * Vector2d{std::sin(kSlope), -std::cos(kSlope)};
  const Vector2d at = after.x.head<2>() - late * after.x_dot.head<2>() + 0.5 * late * late * gravity;
  const Vector2d arm = at - Vector2d{kLength, 0.0};
  EXPECT_NEAR(arm.norm(), r, 1e-7);
  EXPECT_NEAR(std::atan2(arm.x(), arm.y()), leaving - kSlope, 1e-6);
}

// The harder the springs, the nearer to the rigid instant, as 1/k.
TEST(FeatureChangeTest, CompliantContactsGoRoundTheTipAtTheRigidInstantAsTheyHarden) {
  const double rigid = std::sqrt(2.0 * kWay / (kPull * std::sin(kSlope)));
  double before = 0.0;
  for (const double k : {1e4, 1e5, 1e6}) {
    SimulationOptions options = options_for(ModelPolicy::kCompliant, 0.4);
    options.laws = {
        contact::ContactLaw{.normal = std::make_shared<contact::KelvinVoigt>(k, 1.4 * std::sqrt(k)),
                            .tangential = {.stiffness = k, .damping = std::sqrt(k)}}};
    const History history = simulate(disc_on_a_slope(), options);
    ASSERT_EQ(history.status, RunStatus::kCompleted) << history.message;
    const std::vector<Event> moves = events_of(history, "feature");
    ASSERT_EQ(moves.size(), 1u);
    EXPECT_EQ(moves[0].to, "tip on curve");
    const double off = std::abs(moves[0].time - rigid);
    EXPECT_LT(off, 0.1 / k + 1e-8) << k;
    if (before > 0.0) {
      EXPECT_LT(off, 0.3 * before + 1e-8) << k;
    }
    before = off;
  }
}

/// A sharp square on a level link, tilted about one of its lower corners, at rest; too rough to slip.
SimulationProblem tilted_square(double side, double tilt) {
  const double h = side / 2;
  auto square =
      std::make_shared<geometry::ConvexPolygon>(std::vector<Vector2d>{{-h, -h}, {h, -h}, {h, h}, {-h, h}});
  const double mass = 2.0;
  const mechanics::PlanarObject box{mass, mass * side * side / 6.0, nullptr, square};
  VectorXd q = VectorXd::Zero(4);
  // On corner 0, at the origin of the tilt: centre = corner + R(tilt)·(h, h).
  q.head<3>() << 0.5 + h * (std::cos(tilt) - std::sin(tilt)), h * (std::sin(tilt) + std::cos(tilt)), tilt;
  return released(on_a_link(1.0, 0.0, 0.0, box, LinkPart::kFace, 5.0), q, VectorXd::Zero(4));
}

// Housner's rocking block: the next corner takes the blow, ω⁺/ω⁻ = 1 − (3/2) sin² α with α = 45°, and before
// it energy says ω⁻.
TEST(FeatureChangeTest, RockingSquareGoesOverItsCornersAsHousnerSays) {
  const double side = 0.1;
  const double tilt = 0.3;
  SimulationOptions options = options_for(ModelPolicy::kRigid, 0.13);
  const History history = simulate(tilted_square(side, tilt), options);
  ASSERT_EQ(history.status, RunStatus::kCompleted) << history.message;
  const std::vector<Event> moves = events_of(history, "feature");
  ASSERT_GE(moves.size(), 1u);
  EXPECT_EQ(moves[0].from, "face on corner 0");
  EXPECT_EQ(moves[0].to, "face on corner 1");
  const std::vector<Event> impacts = events_of(history, "impact");
  ASSERT_GE(impacts.size(), 1u);
  EXPECT_EQ(impacts[0].time, moves[0].time);
  EXPECT_THAT(impacts[0].cause, HasSubstr("another corner"));
  const double rho = side / std::numbers::sqrt2;              // corner → centre
  const double about_corner = side * side / 6.0 + rho * rho;  // I/m
  const double omega =
      -std::sqrt(2.0 * kPull * rho *
                 (std::cos(std::numbers::pi / 4 - tilt) - std::cos(std::numbers::pi / 4)) / about_corner);
  // The last sample before and the first after, corrected for what gravity does between.
  std::size_t i = 0;
  while (history.samples[i].time < moves[0].time) ++i;
  const double swing = kPull * rho * std::sin(std::numbers::pi / 4) / about_corner;
  const Sample& before = history.samples[i - 1];
  const Sample& after = history.samples[i];
  EXPECT_NEAR(before.x_dot[2] - swing * (moves[0].time - before.time), omega, 2e-3 * std::abs(omega));
  EXPECT_NEAR(after.x_dot[2] - swing * (after.time - moves[0].time), 0.25 * omega, 5e-3 * std::abs(omega));
  // What an inelastic blow takes away: (1 − 1/16) of the energy.
  EXPECT_NEAR(impacts[0].energy_change, -(15.0 / 16.0) * 0.5 * 2.0 * about_corner * omega * omega,
              1e-6 * 0.5 * 2.0 * about_corner * omega * omega);
}

// One contact can't hold a face that lies flat: the run says so instead of hammering on.
TEST(FeatureChangeTest, SquareThatComesToLieFlatAsksForAContactAtEachCorner) {
  const History history = simulate(tilted_square(0.1, 0.3), options_for(ModelPolicy::kRigid, 2.0));
  EXPECT_NE(history.status, RunStatus::kCompleted);
  EXPECT_THAT(history.message, HasSubstr("a contact at each corner")) << history.message;
  for (const Sample& sample : history.samples) ASSERT_TRUE(sample.x.allFinite());
}

}  // namespace
}  // namespace enfold::sim
