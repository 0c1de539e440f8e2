// SPDX-License-Identifier: BSD-3-Clause
// Trajectories that scenarios name: where they lead, and what holds them for proofs between samples.
#include "told_trajectory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "enfold/io/scenario_file.hpp"
#include "enfold/test/scenario_path.hpp"
#include "grasp_path.hpp"

namespace enfold::app {
namespace {

Setup told_setup(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return make_setup(io::read_scenario(test::scenario_path(name), overrides));
}

const std::string kSpiral =
    "task.trajectory={type: spiral, duration_s: 2, from: {x_m: 0, y_m: 0.145, phi_deg: 90}, centre_m: [0, "
    "0.141], turns: -1.25, radius_to_m: 0.002, to: {phi_deg: 94}}";

TEST(ToldTrajectoryTest, CircleAndSpiralEndWhereTheScenarioSays) {
  for (const bool spiral : {false, true}) {
    const auto setup = told_setup("circle", spiral ? std::vector{kSpiral} : std::vector<std::string>{});
    const io::TrajectorySpec& spec = setup.scenario.task.trajectory;
    control::Reference at;
    setup.told->sample(0.0, at);
    EXPECT_LT((at.x - pose(spec.from)).norm(), 1e-15);
    setup.told->sample(2.0, at);
    EXPECT_LT((at.x - pose(spec.to)).norm(), 1e-12);
    EXPECT_NEAR(std::hypot(spec.to.x, spec.to.y - 0.141), spiral ? 0.002 : 0.004, 1e-12);
    // A quarter of a turn clockwise from the top is to the right; a whole one is back.
    EXPECT_NEAR(spec.to.x, spiral ? 0.002 : 0.0, 1e-12);
    EXPECT_NEAR(spec.to.phi, (spiral ? 94.0 : 90.0) * std::numbers::pi / 180.0, 1e-12);
    const VectorXd range = told_range(spec, *setup.told);
    if (spiral) continue;
    EXPECT_LT((range - Eigen::Vector3d(0.008, 0.008, 0.0)).cwiseAbs().maxCoeff(), 1e-7);
  }
}

TEST(ToldTrajectoryTest, ViaPosesAreMetAtTheirTimes) {
  const auto best = told_setup("via-poses");
  const io::TrajectorySpec& spec = best.scenario.task.trajectory;
  ASSERT_EQ(spec.via.size(), 2U);
  const auto timed =
      told_setup("via-poses", {"task.trajectory.via.0.time_s=0.4", "task.trajectory.via.1.time_s=1.1"});
  control::Reference at;
  for (std::size_t i = 0; i < 2; ++i) {
    timed.told->sample(i == 0 ? 0.4 : 1.1, at);
    EXPECT_LT((at.x - pose(spec.via[i].pose)).norm(), 1e-12);
    double nearest = 1.0;
    for (int k = 0; k <= 15000; ++k) {
      best.told->sample(1e-4 * k, at);
      nearest = std::min(nearest, (at.x - pose(spec.via[i].pose)).norm());
    }
    EXPECT_LT(nearest, 1e-5);
  }
}

// The enclosure of a stretch holds A₀ and A₁ of every instant within: two routes, intervals and samples.
TEST(ToldTrajectoryTest, EnclosuresHoldTheContactMatrixAtTheSameTimes) {
  int turns = 0;
  for (const auto& [name, overrides] : {std::pair<std::string, std::vector<std::string>>{"circle", {}},
                                        {"circle", {kSpiral}},
                                        {"via-poses", {}}}) {
    SCOPED_TRACE(name);
    const auto setup = told_setup(name, overrides);
    const GraspPath path(setup);
    const uniqueness::FamilyOver over = path.family_over();
    ASSERT_TRUE(over);
    const double T = path.duration();
    for (int k = 0; k < 40; ++k) {
      const double from = T * k / 40.0;
      const double to = from + 0.002;
      const auto held = over(from, std::min(T, to));
      if (!held) continue;
      for (const double part : {0.01, 0.3, 0.97}) {
        const GraspInstant at = path.at(from + part * (to - from));
        ASSERT_TRUE(at.rows.ok());
        EXPECT_LE(((at.rows.family.A_0 - held->centre.A_0).cwiseAbs() - held->radius_0).maxCoeff(), 0.0)
            << from;
        for (Index j = 0; j < 4; ++j) {
          const auto outside = [&](double sign) {
            return ((sign * at.rows.family.A_1.col(j) - held->centre.A_1.col(j)).cwiseAbs() -
                    held->radius_1.col(j))
                .maxCoeff();
          };
          const bool turn = held->turns[static_cast<std::size_t>(j)];
          EXPECT_TRUE(outside(1.0) <= 0.0 || (turn && outside(-1.0) <= 0.0)) << from << ", row " << j;
          turns += turn ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(turns, 0);
}

}  // namespace
}  // namespace enfold::app
