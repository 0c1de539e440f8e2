// SPDX-License-Identifier: BSD-3-Clause
// The enclosure against the program's own chain (closing the hand, kinematics, dynamics, friction family) at
// points of the path: two implementations that share nothing but the paper.
#include "enfold/models/path_enclosure.hpp"

#include <gtest/gtest.h>

#include "enfold/base/counter_random.hpp"
#include "enfold/base/error.hpp"
#include "enfold/io/scenario_file.hpp"
#include "enfold/planners/minimum_jerk.hpp"
#include "enfold/test/source_dir.hpp"

namespace enfold::models {
namespace {

using contact::ContactMode;

struct Case {
  GraspModel model;
  std::vector<ContactMode> modes;
  Eigen::Vector3d from, to;
};

// Variations of the paper's hand: lengths, masses, thickness, centres of mass off the line, axes, poses.
Case random_case(const CounterRandom& random, std::uint64_t n) {
  io::Scenario s = io::read_scenario(test::source_dir() + "/scenarios/song2001-translate.yaml");
  std::uint64_t k = 1000 * n;
  const auto vary = [&](double& x, double part) { x *= 1.0 + part * random.symmetric(k++); };
  for (io::ArmSpec& arm : s.hand.arms) {
    for (io::LinkSpec& link : arm.links) {
      vary(link.mass, 0.5);
      vary(link.inertia, 0.5);
      vary(link.length, 0.05);
      link.com = {0.1 + 0.03 * random.symmetric(k++), 0.02 * random.symmetric(k++)};
      if (n % 2 == 1) link.radius = 0.004 * (1.0 + random.symmetric(k++));
    }
  }
  vary(s.object.shape.semi_axes[0], 0.05);
  vary(s.object.shape.semi_axes[1], 0.05);
  Case out{make_grasp_model(s), std::vector<ContactMode>(4, ContactMode::kSlidePlus), {}, {}};
  if (n % 3 == 2) out.modes[n % 4] = ContactMode::kRoll;
  const auto pose = [&] {
    return Eigen::Vector3d{0.01 * random.symmetric(k), 0.14 + 0.01 * random.symmetric(k + 1),
                           0.1 * random.symmetric(k + 2)};
  };
  out.from = pose();
  k += 3;
  out.to = pose();
  return out;
}

uniqueness::GraspFamily family_at(const Case& c, double s, const std::vector<ContactMode>& modes) {
  const VectorXd x = c.from + s * (c.to - c.from);
  const contact::Closure closure = c.model.contacts->close(x);
  if (!closure.closed()) return {};
  VectorXd q(7);
  q << x, closure.theta;
  return uniqueness::friction_family(*c.model.mechanism, *c.model.contacts, q, modes);
}

// dφ_T/ds by differences of the joint angles.
VectorXd slip_at(const Case& c, double s) {
  const double h = 1e-6;
  const auto q_at = [&](double at) {
    const VectorXd x = c.from + at * (c.to - c.from);
    VectorXd q(7);
    q << x, c.model.contacts->close(x).theta;
    return q;
  };
  const VectorXd q = q_at(s);
  contact::ContactKinematics kinematics;
  c.model.contacts->kinematics(q, VectorXd::Zero(7), kinematics);
  return kinematics.W_T.transpose() * (q_at(s + h) - q_at(s - h)) / (2.0 * h);
}

// [eq:path-enclosure]
TEST(PathEnclosureTest, HoldsTheContactMatrixAtEveryPointOfTheStretch) {
  const CounterRandom random(31, 0);
  int checked = 0;
  for (std::uint64_t n = 0; n < 40; ++n) {
    const Case c = random_case(random, n);
    const PathEnclosure path(c.model, c.modes, c.from, c.to);
    const double s_0 = 0.45 * (1.0 + random.symmetric(900000 + n));
    const double width = n % 4 == 0 ? 0.05 : 0.004;
    const auto enclosure = path.over(s_0, s_0 + width);
    if (!family_at(c, s_0, c.modes).ok() || !family_at(c, s_0 + width, c.modes).ok()) continue;
    if (!enclosure) continue;
    ++checked;
    const Index size = enclosure->centre.size();
    double spread = 0.0;
    double radius = enclosure->radius_0.maxCoeff();
    for (int k = 0; k <= 20; ++k) {
      const double s = s_0 + width * k / 20;
      const VectorXd slip = slip_at(c, s);
      std::vector<ContactMode> modes = c.modes;
      for (std::size_t i = 0; i < 4; ++i)
        if (modes[i] != ContactMode::kRoll)
          modes[i] = slip[static_cast<Index>(i)] > 0.0 ? ContactMode::kSlidePlus : ContactMode::kSlideMinus;
      const auto at = family_at(c, s, modes);
      ASSERT_TRUE(at.ok());
      const double rounding = 1e-12 * at.family.A_0.cwiseAbs().maxCoeff();
      spread = std::max(spread, (at.family.A_0 - enclosure->centre.A_0).cwiseAbs().maxCoeff());
      EXPECT_LE(((at.family.A_0 - enclosure->centre.A_0).cwiseAbs() - enclosure->radius_0).maxCoeff(),
                rounding)
          << "seed 31, draw " << n;
      for (Index j = 0; j < size; ++j) {
        const auto off = [&](double sign) {
          return ((sign * at.family.A_1.col(j) - enclosure->centre.A_1.col(j)).cwiseAbs() -
                  enclosure->radius_1.col(j))
              .maxCoeff();
        };
        const double best =
            enclosure->turns[static_cast<std::size_t>(j)] ? std::min(off(1.0), off(-1.0)) : off(1.0);
        EXPECT_LE(best, rounding) << "seed 31, draw " << n << ", row " << j;
      }
    }
    // Of use, not only right: a short stretch is held to a few times what A really changes.
    if (width < 0.01) {
      EXPECT_LT(radius, 4.0 * spread + 1e-9) << "seed 31, draw " << n;
    }
  }
  EXPECT_GE(checked, 25);
}

// A curve that rests at both ends: A at the poses of the trajectory, with the directions of its velocity.
TEST(PathEnclosureTest, HoldsTheContactMatrixAlongACurve) {
  const CounterRandom random(33, 0);
  int checked = 0;
  for (std::uint64_t n = 0; n < 12; ++n) {
    const Case c = random_case(random, n);
    const VectorXd via = 0.5 * (c.from + c.to) + 0.1 * Eigen::Vector3d{0.01, 0.01, 0.1};
    const planners::MinimumJerk curve({c.from, via, c.to}, {0.0, 0.5, 1.0});
    const PathEnclosure path(c.model, c.modes, std::make_shared<PolynomialPath>(curve.coefficients()));
    for (const auto& [u_0, u_1] :
         {std::pair{0.0, 0.05}, std::pair{0.7, 0.71}, std::pair{0.995, 1.005}, std::pair{1.98, 2.0}}) {
      const auto enclosure = path.over(u_0, u_1);
      if (!enclosure) continue;
      ++checked;
      control::Reference at;
      for (int k = 0; k <= 10; ++k) {
        curve.sample(0.5 * (u_0 + (u_1 - u_0) * k / 10), at);
        const contact::Closure closure = c.model.contacts->close(at.x);
        ASSERT_TRUE(closure.closed());
        VectorXd q(7);
        q << at.x, closure.theta;
        // Either direction of each contact: A₀ does not change, A₁'s columns change their signs.
        const auto here = uniqueness::friction_family(*c.model.mechanism, *c.model.contacts, q, c.modes);
        ASSERT_TRUE(here.ok());
        const double rounding = 1e-12 * here.family.A_0.cwiseAbs().maxCoeff();
        EXPECT_LE(((here.family.A_0 - enclosure->centre.A_0).cwiseAbs() - enclosure->radius_0).maxCoeff(),
                  rounding)
            << "seed 33, draw " << n << ", u = " << u_0;
        contact::ContactKinematics kinematics;
        VectorXd v = VectorXd::Zero(7);
        c.model.contacts->kinematics(q, v, kinematics);
        // θ̇ keeps the gaps closed: as many as joints.
        v.head<3>() = k == 0 && u_0 == 0.0 ? at.x_dddot : k == 10 && u_1 == 2.0 ? at.x_dddot : at.x_dot;
        const MatrixXd rows = kinematics.W_N.transpose();
        v.tail<4>() = -rows.rightCols<4>().partialPivLu().solve(rows.leftCols<3>() * v.head<3>());
        const VectorXd slip = kinematics.W_T.transpose() * v;
        for (Index j = 0; j < 4; ++j) {
          const auto J = static_cast<std::size_t>(j);
          const double sign = c.modes[J] == ContactMode::kRoll || slip[j] > 0.0 ? 1.0 : -1.0;
          const auto off = [&](double turn) {
            return ((turn * here.family.A_1.col(j) - enclosure->centre.A_1.col(j)).cwiseAbs() -
                    enclosure->radius_1.col(j))
                .maxCoeff();
          };
          EXPECT_LE(enclosure->turns[J] ? std::min(off(1.0), off(-1.0)) : off(sign), rounding)
              << "seed 33, draw " << n << ", u = " << u_0 << ", contact " << j;
        }
      }
    }
  }
  EXPECT_GE(checked, 24);
}

TEST(PathEnclosureTest, PointIsHeldToRoundingAndRestHasNoDirection) {
  Case c = random_case(CounterRandom(31, 0), 0);
  const PathEnclosure path(c.model, c.modes, c.from, c.to);
  const auto at = path.over(0.5, 0.5);
  ASSERT_TRUE(at);
  EXPECT_LT(at->radius_0.maxCoeff(), 1e-11);
  const PathEnclosure rest(c.model, c.modes, c.from, c.from);
  const auto still = rest.over(0.0, 1.0);
  ASSERT_TRUE(still);
  EXPECT_LT(still->radius_0.maxCoeff(), 1e-11);
  EXPECT_EQ(still->turns, std::vector<bool>(4, true));
}

TEST(PathEnclosureTest, OutOfReachIsNothingAndBadInputIsRefused) {
  const Case c = random_case(CounterRandom(31, 0), 0);
  const Eigen::Vector3d far{0.0, 0.9, 0.0};
  EXPECT_FALSE(PathEnclosure(c.model, c.modes, c.from, far).over(0.0, 1.0));
  EXPECT_FALSE(PathEnclosure(c.model, c.modes, far, far).over(0.5, 0.5));
  EXPECT_THROW(PathEnclosure(c.model, {}, c.from, c.to), InvalidArgument);
  EXPECT_THROW(PathEnclosure(c.model, c.modes, VectorXd::Zero(2), c.to), InvalidArgument);
  EXPECT_THROW((void)PathEnclosure(c.model, c.modes, c.from, c.to).over(0.5, 0.4), InvalidArgument);
}

}  // namespace
}  // namespace enfold::models
