// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/unique_path.hpp"

#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "enfold/contact/contact_law.hpp"
#include "enfold/controllers/whole_arm.hpp"
#include "enfold/planners/internal_force_planner.hpp"
#include "enfold/planners/planned_motion.hpp"
#include "enfold/planners/quintic.hpp"
#include "enfold/sim/simulation.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/uniqueness/friction_margin.hpp"
#include "unique_case.hpp"

namespace enfold::planners {
namespace {

using test::UniqueCase;

const std::vector<contact::ContactMode> kAllSlide(4, contact::ContactMode::kSlidePlus);

/// The squeeze along a motion, inertia and all, at 1,000 points at least; the path's search left half of the
/// largest force to the inertia.
PlanSolution squeeze_along(const UniqueCase& c, std::shared_ptr<const control::Trajectory> motion) {
  const double rate = std::clamp(1000.0 / motion->duration(), 10.0, 10000.0);
  SqueezeLimits limits = c.grasp.limits;
  limits.max_normal *= 2.0;
  return plan_internal_forces({c.hand.mechanism, c.hand.contacts, c.grasp.mu, kAllSlide, std::move(motion),
                               [](double, Index) { return 1.0; }, limits},
                              {.sample_rate = rate});
}

/// The path in twice the shortest of ½, 1, 2 … 64 s in which the squeeze exists with the inertia: torques are
/// held for a millisecond, in which a fast motion leaves its plan.
struct TimedPath {
  std::shared_ptr<const StagedPath> motion;
  PlanSolution planned;
};

TimedPath timed(const UniqueCase& c, const UniquePathSolution& found) {
  TimedPath out;
  double T = 0.5;
  while (T <= 64.0 && !squeeze_along(c, std::make_shared<const StagedPath>(found.path->in(T))).ok()) T *= 2.0;
  out.motion = std::make_shared<const StagedPath>(found.path->in(2.0 * T));
  out.planned = squeeze_along(c, out.motion);
  return out;
}

/// The smallest friction margin at 1,000 points, from the planned motion's own modes; negative if A is not P.
double smallest_margin(const UniqueCase& c, const std::shared_ptr<const control::Trajectory>& motion) {
  const PlannedMotion hand(c.hand.mechanism, c.hand.contacts, c.grasp.mu, kAllSlide, motion);
  MotionPoint at;
  std::vector<contact::ContactMode> before;
  double out = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 1000; ++k) {
    hand.sample(motion->duration() * k / 999.0, before, at);
    if (!at.ok()) return -1.0;
    before = at.modes;
    const uniqueness::FrictionMargin margin = uniqueness::friction_margin(
        uniqueness::friction_family(at.dynamics.M, at.kinematics, at.modes).family, c.grasp.mu);
    if (margin.status == uniqueness::MarginStatus::kUnbounded) continue;
    if (margin.status != uniqueness::MarginStatus::kFinite) return -1.0;
    out = std::min(out, margin.half_width);
  }
  return out;
}

sim::History run(const UniqueCase& c, const TimedPath& path) {
  const auto plan = std::make_shared<const control::Plan>(path.planned.plan);
  const auto law = std::make_shared<controllers::WholeArmController>(
      controllers::WholeArmModel{c.hand.mechanism, c.hand.contacts, c.grasp.mu}, path.motion, plan,
      controllers::Gains{});
  control::Reference start;
  path.motion->sample(0.0, start);
  const VectorXd q = c.hand.closed(start.x);
  sim::SimulationOptions options;
  options.duration = path.motion->duration();
  options.policy = sim::ModelPolicy::kIntegrated;
  options.laws = {contact::kelvin_voigt_contact({})};
  options.record_rate = 1000.0 / options.duration;
  return sim::simulate({{c.hand.mechanism, c.hand.contacts, c.grasp.mu},
                        law,
                        path.motion,
                        plan,
                        kAllSlide,
                        q,
                        VectorXd::Zero(q.size())},
                       options);
}

// Random pairs: what is returned holds at 1,000 points by routes of their own (margin of the grasp in the
// modes of the planned motion; the squeeze's linear program with the inertia), and the closed loop stays
// rigid from the first slip to the last.
TEST(UniquePathTest, FoundPathsHoldAtAThousandPointsAndRunRigid) {
  const double margin = 0.01;
  const UniqueCase c = test::unique_case(margin);
  const CounterRandom random(7, 3);
  std::uint64_t drawn = 0;
  const int pairs = test::count(3, 200);
  UniquePathOptions options;
  options.max_poses = test::count(6000, 8000);
  int solved = 0;
  int with_rests = 0;
  int straight = 0;
  for (int k = 0; k < pairs; ++k) {
    const VectorXd from = c.pose(random, drawn);
    const UniquePathProblem problem{c.grasp, from, c.pose(random, drawn)};
    const UniquePathSolution found = plan_unique_path(problem, options);
    const bool line = verify_unique_path(c.grasp, Quintic(problem.from, problem.to, 1.0), 1000).ok;
    straight += line ? 1 : 0;
    EXPECT_TRUE(!line || found.ok()) << "pair " << k << ": the straight path would do";
    if (!found.ok()) {
      EXPECT_FALSE(found.message.empty());
      continue;
    }
    ++solved;
    with_rests += found.rests() > 0 ? 1 : 0;
    EXPECT_EQ(found.corners.front(), problem.from);
    EXPECT_EQ(found.corners.back(), problem.to);
    const TimedPath path = timed(c, found);
    ASSERT_TRUE(path.planned.ok()) << "pair " << k << ": " << path.planned.message;
    EXPECT_GE(smallest_margin(c, path.motion), margin) << "pair " << k;
    const sim::History history = run(c, path);
    EXPECT_EQ(history.status, sim::RunStatus::kCompleted) << "pair " << k << ": " << history.message;
    EXPECT_EQ(history.summary.model_switches, 0) << "pair " << k;
    EXPECT_EQ(history.summary.compliant_time, 0.0) << "pair " << k;
    for (const sim::Sample& sample : history.samples) {
      ASSERT_EQ(sample.p_matrix, sim::Uniqueness::kUnique) << "pair " << k << " at " << sample.time << " s";
      ASSERT_GT(sample.lambda_N.minCoeff(), 0.1) << "pair " << k << " at " << sample.time << " s";
    }
  }
  std::printf("of %d pairs %d solved, %d of them with rests on the way; the straight path solves %d\n", pairs,
              solved, with_rests, straight);
  EXPECT_GT(solved, 0);
}

TEST(UniquePathTest, RefusesWhatIsNoProblem) {
  const UniqueCase c = test::unique_case();
  const VectorXd x = Eigen::Vector3d(0.0, 0.12, 0.0);
  EXPECT_THROW((void)plan_unique_path({c.grasp, x, x}), InvalidArgument);
  EXPECT_THROW((void)plan_unique_path({c.grasp, x, VectorXd::Zero(2)}), InvalidArgument);
  EXPECT_THROW((void)plan_unique_path({c.grasp, x, 1.1 * x}, {.step = 0.0}), InvalidArgument);
  SlipConesProblem negative = c.grasp;
  negative.margin = -1.0;
  EXPECT_THROW((void)plan_unique_path({negative, x, 1.1 * x}), InvalidArgument);
}

}  // namespace
}  // namespace enfold::planners
