// SPDX-License-Identifier: BSD-3-Clause
// Paths as intervals against the trajectories of the planners, which know nothing of intervals.
#include "enfold/models/pose_path.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "enfold/base/counter_random.hpp"
#include "enfold/base/error.hpp"
#include "enfold/planners/minimum_jerk.hpp"
#include "enfold/planners/round_path.hpp"

namespace enfold::models {
namespace {

using interval::Interval;

struct TimedPath {
  std::unique_ptr<PosePath> path;
  std::unique_ptr<control::Trajectory> motion;
  std::vector<double> knots;  // times at which u is 0, 1, …

  [[nodiscard]] double time(double u) const {
    const auto j = std::min(static_cast<std::size_t>(u), knots.size() - 2);
    return knots[j] + (u - static_cast<double>(j)) * (knots[j + 1] - knots[j]);
  }
};

TimedPath random_path(const CounterRandom& random, std::uint64_t n) {
  std::uint64_t k = 100 * n;
  const auto pose = [&] {
    k += 3;
    return VectorXd(Eigen::Vector3d{random.symmetric(k), random.symmetric(k + 1), random.symmetric(k + 2)});
  };
  std::vector<VectorXd> points;
  for (std::uint64_t i = 0; i < 2 + n % 4; ++i) points.push_back(pose());
  auto motion = std::make_unique<planners::MinimumJerk>(
      planners::MinimumJerk::with_best_times(points, 1.0 + random.symmetric(k + 3) * 0.5));
  TimedPath out;
  out.knots = motion->times();
  out.path = std::make_unique<PolynomialPath>(motion->coefficients());
  out.motion = std::move(motion);
  return out;
}

void expect_held(const TimedPath& c, double u_0, double u_1, std::uint64_t n) {
  const HeldPose held = c.path->over({u_0, u_1});
  control::Reference at;
  for (int i = 0; i <= 20; ++i) {
    const double u = u_0 + (u_1 - u_0) * i / 20;
    c.motion->sample(c.time(u), at);
    const HeldPose point = c.path->over({u, u});
    for (Index r = 0; r < 3; ++r) {
      const Interval& x = held.x[static_cast<std::size_t>(r)].v;
      EXPECT_GE(at.x[r], x.lo() - 1e-12) << "draw " << n;
      EXPECT_LE(at.x[r], x.hi() + 1e-12) << "draw " << n;
    }
    EXPECT_TRUE(held.s.lo() <= point.s.middle() && point.s.middle() <= held.s.hi());
    // dx/ds by differences of x over differences of s.
    const double h = 1e-4;
    if (u - h < u_0 || u + h > u_1) continue;
    const double ds = c.path->over({u + h, u + h}).s.middle() - c.path->over({u - h, u - h}).s.middle();
    ASSERT_GT(ds, 0.0);
    control::Reference up, down;
    c.motion->sample(c.time(u + h), up);
    c.motion->sample(c.time(u - h), down);
    for (Index r = 0; r < 3; ++r) {
      const double slope = (up.x[r] - down.x[r]) / ds;
      const Interval& d = held.x[static_cast<std::size_t>(r)].d;
      const double rounding = 1e-13 / ds;
      EXPECT_GE(slope, d.lo() - 1e-6 - rounding) << "draw " << n << ", u = " << u;
      EXPECT_LE(slope, d.hi() + 1e-6 + rounding) << "draw " << n << ", u = " << u;
    }
  }
}

TEST(PosePathTest, PolynomialPathHoldsMinimumJerkAndItsSlopes) {
  const CounterRandom random(57, 0);
  for (std::uint64_t n = 0; n < 24; ++n) {
    const TimedPath c = random_path(random, n);
    const auto last = static_cast<double>(c.knots.size() - 1);
    const double u_0 = 0.5 * (1.0 + random.symmetric(7000 + n)) * last;
    // Short stretches, long ones over the joints, and both ends.
    expect_held(c, u_0, std::min(last, u_0 + (n % 2 == 0 ? 0.02 : 1.2)), n);
    expect_held(c, 0.0, 0.05, n);
    expect_held(c, last - 0.05, last, n);
  }
}

// Where velocity vanishes the direction of motion does not: it is that of the jerk.
TEST(PosePathTest, MotionHasADirectionWhereItRests) {
  const CounterRandom random(57, 0);
  for (std::uint64_t n = 0; n < 20; ++n) {
    const TimedPath c = random_path(random, n);
    const auto last = static_cast<double>(c.knots.size() - 1);
    control::Reference at;
    for (const double u : {0.0, last}) {
      c.motion->sample(c.time(u), at);
      const HeldPose held = c.path->over({u, u});
      const Eigen::Vector3d d{held.x[0].d.middle(), held.x[1].d.middle(), held.x[2].d.middle()};
      // x = x₀ + x⃛ t³/6 and s = (t/h)³ at the start; the same backwards at the end.
      const Eigen::Vector3d jerk = at.x_dddot;
      EXPECT_NEAR(d.normalized().dot(jerk.normalized()), 1.0, 1e-9) << "draw " << n << ", u = " << u;
    }
  }
}

TEST(PosePathTest, SpiralPathHoldsRoundPathAndItsSlopes) {
  const VectorXd from = Eigen::Vector3d{0.3, 0.1, 0.2};
  const planners::RoundPath::Shape shape{
      .centre = {0.1, -0.1}, .turns = 0.8, .radius_to = 0.5, .others_to = VectorXd::Constant(1, -0.4)};
  const planners::RoundPath motion(from, shape, 2.0);
  const SpiralPath path(from, shape.centre, shape.turns, shape.radius_to, -0.4);
  control::Reference at;
  for (int i = 1; i < 40; ++i) {
    const double t = 2.0 * i / 40;
    motion.sample(t, at);
    const double part = t / 2.0;
    const double u = part * part * part * (10.0 + part * (-15.0 + 6.0 * part));
    const double rate = part * part * (30.0 + part * (-60.0 + 30.0 * part)) / 2.0;
    const HeldPose held = path.over({u, u});
    for (Index r = 0; r < 3; ++r) {
      EXPECT_NEAR(held.x[static_cast<std::size_t>(r)].v.middle(), at.x[r], 1e-13);
      EXPECT_NEAR(held.x[static_cast<std::size_t>(r)].d.middle() * rate, at.x_dot[r], 1e-12);
    }
    const HeldPose stretch = path.over({std::max(0.0, u - 0.1), std::min(1.0, u + 0.1)});
    for (Index r = 0; r < 3; ++r) {
      const auto holds = [](const Interval& a, double x) {  // x has rounding of its own
        return a.lo() - 1e-12 <= x && x <= a.hi() + 1e-12;
      };
      EXPECT_TRUE(holds(stretch.x[static_cast<std::size_t>(r)].v, at.x[r]));
      EXPECT_TRUE(holds(stretch.x[static_cast<std::size_t>(r)].d, at.x_dot[r] / rate));
    }
  }
}

TEST(PosePathTest, RefusesWhatIsNoPath) {
  MatrixXd piece = MatrixXd::Zero(3, 6);
  EXPECT_THROW(PolynomialPath({}), InvalidArgument);
  EXPECT_THROW(PolynomialPath({MatrixXd::Zero(2, 6)}), InvalidArgument);
  piece(0, 1) = 1.0;  // it starts with a velocity
  EXPECT_THROW(PolynomialPath({piece}), InvalidArgument);
  EXPECT_THROW(StraightPath(VectorXd::Zero(2), VectorXd::Zero(3)), InvalidArgument);
  EXPECT_THROW(SpiralPath(VectorXd::Zero(3), {0.0, 0.0}, 1.0, 0.1, 0.0), InvalidArgument);
  piece.setZero();
  EXPECT_THROW((void)PolynomialPath({piece}).over({0.0, 1.5}), InvalidArgument);
}

}  // namespace
}  // namespace enfold::models
