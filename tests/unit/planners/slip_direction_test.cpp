// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/slip_direction.hpp"

#include <gtest/gtest.h>

#include "enfold/planners/internal_force_planner.hpp"
#include "enfold/planners/quintic.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::planners {
namespace {

using contact::ContactMode;
constexpr ContactMode kPlus = ContactMode::kSlidePlus;
constexpr ContactMode kMinus = ContactMode::kSlideMinus;

// φ̇_T(t + s) = v + a s + j s²/2 a little later (s > 0) or earlier (s < 0) has the sign that is returned.
// Checklist row 16.
TEST(SlipDirectionTest, IsTheSignOfTheSlipNextToTheInstant) {
  for (const double v : {-0.3, 0.0, 0.3}) {
    for (const double a : {-2.0, 0.0, 2.0}) {
      for (const double j : {-5.0, 0.0, 5.0}) {
        for (const Looking looking : {Looking::kForward, Looking::kBackward}) {
          const double s = looking == Looking::kForward ? 1e-3 : -1e-3;
          const double next = v + a * s + j * s * s / 2;
          for (const ContactMode previous : {kPlus, kMinus}) {
            const ContactMode expected = next > 0.0 ? kPlus : next < 0.0 ? kMinus : previous;
            EXPECT_EQ(slip_direction({v, a, j}, looking, previous), expected)
                << v << " " << a << " " << j << (s > 0 ? " forward" : " backward");
          }
        }
      }
    }
  }
}

TEST(SlipDirectionTest, RoundingIsNotAMotion) {
  EXPECT_EQ(slip_direction({1e-16, -2.0, 0.0}, Looking::kForward, kPlus), kMinus);
  EXPECT_EQ(slip_direction({1e-16, -1e-15, -3.0}, Looking::kForward, kPlus), kMinus);
  EXPECT_EQ(slip_direction({-1e-16, -1e-15, -1e-14}, Looking::kForward, kPlus), kPlus);
  EXPECT_EQ(slip_direction({1e-8, -2.0, -3.0}, Looking::kForward, kMinus), kPlus);
}

/// Slip of every contact between two instants of the plan, by the way the contact points travel: that of the
/// object's material relative to the link, ∫ φ̇_T dt by the trapezoid rule on a fine grid of closed hands.
VectorXd travelled(const test::PaperHand& hand, const Quintic& path, double from, double to) {
  constexpr int kSteps = 8;
  const double h = (to - from) / kSteps;
  VectorXd sum = VectorXd::Zero(hand.contacts->n_contacts());
  control::Reference reference;
  for (int k = 0; k < kSteps; ++k) {
    path.sample(from + k * h, reference);
    const VectorXd q0 = hand.closed(reference.x);
    path.sample(from + (k + 1) * h, reference);
    const VectorXd q1 = hand.closed(reference.x);
    const VectorXd middle = 0.5 * (q0 + q1);
    sum += hand.kinematics(middle, VectorXd::Zero(middle.size())).W_T.transpose() * (q1 - q0);
  }
  return sum;
}

struct Motion {
  Eigen::Vector3d from, to;
  double duration;
};

// The planned directions against the way that the contacts of closed hands travel a little later and earlier,
// for fast and slow motions; also at the first and last points, where the motion rests.
TEST(SlipDirectionTest, PlannedModesAreTheWayTheContactsTravel) {
  const test::PaperHand hand = test::paper_hand();
  const double degree = std::numbers::pi / 180.0;
  const std::vector<Motion> motions = {{{0.0, 0.15, 70 * degree}, {0.0, 0.15, 110 * degree}, 1.0},
                                       {{0.0, 0.15, 110 * degree}, {0.0, 0.15, 70 * degree}, 0.2},
                                       {{0.0, 0.152, 80 * degree}, {0.002, 0.150, 81 * degree}, 0.5},
                                       {{0.0, 0.15, 80 * degree}, {0.001, 0.15, 80.1 * degree}, 400.0}};
  for (const Motion& motion : motions) {
    const auto path = std::make_shared<Quintic>(motion.from, motion.to, motion.duration);
    PlanProblem problem{hand.mechanism,
                        hand.contacts,
                        VectorXd::Constant(4, 0.1),
                        std::vector<ContactMode>(4, kPlus),
                        path,
                        [](double, Index) { return 0.5; },
                        {}};
    const PlanSolution solution =
        plan_internal_forces(problem, {.sample_rate = std::max(10.0, 200.0 / motion.duration)});
    ASSERT_TRUE(solution.ok()) << solution.message;
    const auto& points = solution.plan.points;
    int reversals = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const VectorXd slip = travelled(hand, *path, points[i].time, points[i + 1].time);
      for (Index c = 0; c < 4; ++c) {
        const auto at = static_cast<std::size_t>(c);
        if (points[i].modes[at] != points[i + 1].modes[at]) {
          ++reversals;
          EXPECT_LE(points[i + 1].time - points[i].time, 1e-6);  // a reversal is located
        } else if (std::abs(slip[c]) > 1e-14) {
          EXPECT_EQ(points[i].modes[at], slip[c] > 0.0 ? kPlus : kMinus)
              << "contact " << c << " at " << points[i].time << " of " << motion.duration << " s";
        }
      }
    }
    EXPECT_LE(reversals, 4);
  }
}

// Just before the end of a motion its slip is hardly more than rounding, and its deceleration points the
// other way. A motion of a tenth of a micrometre must keep its directions from the first point to the last.
TEST(SlipDirectionTest, TinyMotionKeepsItsDirectionsToTheEnd) {
  const test::PaperHand hand = test::paper_hand();
  const Eigen::Vector3d from(0.0, 0.15, 1.4);
  const auto path = std::make_shared<Quintic>(from, from + Eigen::Vector3d(1e-7, 0.0, 0.0), 0.2);
  const VectorXd slip = travelled(hand, *path, 0.0, 0.2);
  PlanProblem problem{hand.mechanism,
                      hand.contacts,
                      VectorXd::Constant(4, 0.1),
                      std::vector<ContactMode>(4, kPlus),
                      path,
                      [](double, Index) { return 0.5; },
                      {}};
  const PlanSolution solution = plan_internal_forces(problem, {.sample_rate = 10000.0});
  ASSERT_TRUE(solution.ok()) << solution.message;
  for (const control::PlanPoint& point : solution.plan.points)
    for (Index c = 0; c < 4; ++c)
      EXPECT_EQ(point.modes[static_cast<std::size_t>(c)], slip[c] > 0.0 ? kPlus : kMinus) << point.time;
}

}  // namespace
}  // namespace enfold::planners
