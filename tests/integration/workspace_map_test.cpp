// SPDX-License-Identifier: BSD-3-Clause
#include "workspace_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "enfold/base/error.hpp"
#include "enfold/figure/figure.hpp"
#include "enfold/grasp/internal_forces.hpp"
#include "enfold/io/scenario_file.hpp"
#include "enfold/test/source_dir.hpp"

namespace enfold::app {
namespace {

using ::testing::HasSubstr;

Setup setup_of(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return make_setup(io::read_scenario(test::source_dir() + "/scenarios/" + name + ".yaml", overrides));
}
VectorXd at(double x, double y, double phi_deg) {
  return VectorXd{{x, y, phi_deg * std::numbers::pi / 180.0}};
}

// Guide values of S4's first example: the whole turn has a squeeze for centres y of about 0.149 … 0.157 m.
// Its end at 110° loses the squeeze first; reach goes further.
TEST(WorkspaceMapTest, FirstExampleLosesItsSqueezeBeforeItsReach) {
  const auto setup = setup_of("song2001-rotate");
  const VectorXd turning{{0.0, 0.0, 1.0}};
  for (const double phi : {70.0, 90.0, 110.0}) {
    const PoseVerdict held = judge_pose(setup, at(0.0, 0.15, phi), turning, nullptr);
    EXPECT_TRUE(held.reachable && held.closable && held.controllable && held.unique) << held.reason;
    EXPECT_EQ(held.reason, "");
    EXPECT_GT(held.conditioning, 0.0);
  }
  const PoseVerdict high = judge_pose(setup, at(0.0, 0.1575, 110.0), turning, nullptr);
  EXPECT_TRUE(high.reachable);
  EXPECT_FALSE(high.closable);
  EXPECT_THAT(high.reason, HasSubstr("no squeeze"));
  const PoseVerdict away = judge_pose(setup, at(0.0, 0.35, 90.0), turning, nullptr);
  EXPECT_FALSE(away.reachable);
  EXPECT_THAT(away.reason, HasSubstr("does not reach"));
  EXPECT_EQ(away.theta.size(), 0);
}

// Second example: A stops being a P-matrix at y = 0.1429 m, where the object still moves up.
TEST(WorkspaceMapTest, SecondExampleLosesUniquenessAtTheHeightOfTheGuideValue) {
  const auto setup = setup_of("song2001-translate");
  const VectorXd up{{0.0, 1.0, 0.0}};
  double low = 0.13;
  double high = 0.149;
  ASSERT_TRUE(judge_pose(setup, at(0.0, low, 0.0), up, nullptr).unique);
  ASSERT_FALSE(judge_pose(setup, at(0.0, high, 0.0), up, nullptr).unique);
  while (high - low > 1e-7) {
    const double middle = 0.5 * (low + high);
    (judge_pose(setup, at(0.0, middle, 0.0), up, nullptr).unique ? low : high) = middle;
  }
  // Lost at t = 0.647 s of the quintic from 0.12 m to 0.15 m, to the half millisecond.
  constexpr double t = 0.647;
  EXPECT_NEAR(low, 0.12 + 0.03 * t * t * t * (10.0 - 15.0 * t + 6.0 * t * t), 5e-5);
}

// The symmetric hand has a symmetric map; every pose closes its contacts, by the kinematics.
TEST(WorkspaceMapTest, MapOfASymmetricHandIsSymmetricAndItsPosesClose) {
  const auto setup = setup_of("song2001-translate");
  MapAxes axes = default_axes(setup, "x,y", 15);
  const WorkspaceMap map = map_workspace(setup, axes, [](double) {});
  int reachable = 0;
  int unique = 0;
  for (int j = 0; j < axes.n; ++j)
    for (int i = 0; i < axes.n; ++i) {
      const PoseVerdict& pose = map.at(i, j);
      const PoseVerdict& mirrored = map.at(axes.n - 1 - i, j);
      EXPECT_EQ(pose.reachable, mirrored.reachable) << pose.x.transpose();
      EXPECT_EQ(pose.closable, mirrored.closable) << pose.x.transpose();
      unique += pose.unique ? 1 : 0;
      if (!pose.reachable) {
        EXPECT_NE(pose.reason, "");
        continue;
      }
      ++reachable;
      VectorXd q(7);
      q << pose.x, pose.theta;
      contact::ContactKinematics kinematics;
      setup.model.contacts->kinematics(q, VectorXd::Zero(7), kinematics);
      EXPECT_LT(kinematics.gap.cwiseAbs().maxCoeff(), 1e-10);
      EXPECT_GE(kinematics.edge_distance.minCoeff(), 0.0);
    }
  EXPECT_GT(reachable, 3);
  EXPECT_LT(reachable, axes.n * axes.n);
  EXPECT_GT(unique, 0);
  const std::string csv = workspace_csv(setup, map);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + axes.n * axes.n);
  EXPECT_THAT(csv, HasSubstr("x_m,y_m,phi_rad,reachable,closable,controllable,unique"));
  EXPECT_NO_THROW(figure::validate(workspace_figure(setup, map)));
}

TEST(WorkspaceMapTest, AxesAreAroundThePosesOfTheTask) {
  const auto setup = setup_of("song2001-rotate");
  const MapAxes axes = default_axes(setup, "y,phi", 11);
  EXPECT_EQ(axes.coordinate, (std::array<Index, 2>{1, 2}));
  EXPECT_NEAR(axes.lower[0], 0.15 - 1.5 * 0.15, 1e-12);
  EXPECT_NEAR(axes.upper[1], (110.0 + 90.0) * std::numbers::pi / 180.0, 1e-12);
  EXPECT_THROW((void)default_axes(setup, "y,x", 11), InvalidArgument);
  EXPECT_THROW((void)default_axes(setup, "x,y", 1), InvalidArgument);
}

}  // namespace
}  // namespace enfold::app
