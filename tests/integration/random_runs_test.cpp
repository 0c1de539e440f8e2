// SPDX-License-Identifier: BSD-3-Clause
// Any hand, pose, friction, offset and noise ends in success or in a failure that says why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/ranges.h>

#include <map>

#include "enfold/test/counts.hpp"
#include "enfold/test/random_hand.hpp"
#include "shipped_run.hpp"

namespace enfold::app {
namespace {

/// S4's hand and object, everything drawn anew.
std::vector<std::string> random_overrides(test::Draw& draw) {
  std::vector<std::string> out;
  // Lifted over the palm, or turned high above it: the two places where S4's hand finds a squeeze.
  const bool lifted = draw.whole(0, 1) == 0;
  const double largest_mu = lifted ? 0.9 : 0.2;
  const auto set = [&](const std::string& key, auto value) {
    out.push_back(fmt::format("{}={}", key, value));
  };
  for (const std::string arm : {"left", "right"}) {
    set("hand.arms." + arm + ".base_m",
        fmt::format("[{}, {}]", (arm == "left" ? -1 : 1) * draw.between(0.045, 0.055),
                    draw.between(-0.002, 0.002)));
    for (const std::string link : {"proximal", "distal"}) {
      const std::string key = "hand.arms." + arm + ".links." + link;
      set(key + ".length_m", draw.between(0.19, 0.23));
      set(key + ".mass_kg", draw.between(0.1, 1.0));
      set("contacts." + arm + "." + link + ".mu", largest_mu * draw.between(0.0, 1.0));
      if (draw.whole(0, 5) == 0) set("contacts." + arm + "." + link + ".mode", "slide");
    }
  }
  set("object.shape.semi_axes_m",
      fmt::format("[{}, {}]", draw.between(0.145, 0.155), draw.between(0.105, 0.115)));
  set("object.mass_kg", draw.between(0.5, 3.0));
  const double y = lifted ? draw.between(0.118, 0.14) : draw.between(0.149, 0.157);
  const double phi = lifted ? draw.between(-5.0, 5.0) : draw.between(65.0, 90.0);
  set("task.trajectory.from.x_m", draw.between(-0.002, 0.002));
  set("task.trajectory.from.y_m", y);
  set("task.trajectory.from.phi_deg", phi);
  set("task.trajectory.to.x_m", draw.between(-0.002, 0.002));
  set("task.trajectory.to.y_m", lifted ? y + draw.between(0.0, 0.025) : y);
  set("task.trajectory.to.phi_deg", lifted ? phi : phi + draw.between(5.0, 30.0));
  set("task.start.x_m", draw.between(-0.002, 0.002));
  set("task.start.y_m", y + draw.between(-0.002, 0.002));
  set("task.start.phi_deg", phi + draw.between(-2.0, 2.0));
  set("planner.min_normal_N", draw.between(0.2, 1.5));
  set("contact_law.stiffness_Npm", std::pow(10.0, draw.between(3.5, 6.0)));
  set("contact_law.damping_ratio", draw.between(0.0, 1.0));
  if (draw.whole(0, 3) == 0) set("contact_law.type", "hunt_crossley");
  set("noise.force", draw.between(0.0, 0.1));
  set("noise.pose", draw.between(0.0, 0.1));
  set("controller.rate_hz", draw.whole(0, 1) == 0 ? 1000 : 500);
  const char* models[] = {"integrated", "integrated", "compliant", "rigid"};
  set("simulation.model", models[draw.whole(0, 3)]);
  set("seed", draw.whole(1, 1000));
  return out;
}

TEST(RandomRunsTest, EveryScenarioEndsInSuccessOrInAnExplainedFailure) {
  std::map<sim::RunStatus, int> ends;
  int refused = 0;
  const int n = test::count(40, 1000);
  for (int i = 0; i < n; ++i) {
    test::Draw draw(2001, i);
    const std::vector<std::string> overrides = random_overrides(draw);
    try {
      const sim::History history = run_shipped("song2001-translate", overrides);
      ++ends[history.status];
      EXPECT_EQ(history.status == sim::RunStatus::kCompleted, history.message.empty()) << i;
      for (const sim::Sample& s : history.samples) {
        ASSERT_TRUE(s.x.allFinite() && s.theta.allFinite() && s.omega.allFinite() && s.tau.allFinite() &&
                    s.lambda_N.allFinite() && s.lambda_T.allFinite() && std::isfinite(s.energy))
            << "run " << i << ", t = " << s.time << ": " << history.message;
        ASSERT_GE(s.lambda_N.minCoeff(), 0.0) << "run " << i << ": no tension ever";
      }
    } catch (const ScenarioError& error) {
      ++refused;
      EXPECT_FALSE(std::string(error.what()).empty());
    } catch (const std::exception& error) {
      ADD_FAILURE() << "run " << i << ": " << error.what() << "\n"
                    << fmt::format("{}", fmt::join(overrides, " --set "));
    }
  }
  RecordProperty("completed", ends[sim::RunStatus::kCompleted]);
  RecordProperty("refused", refused);
  EXPECT_GT(ends[sim::RunStatus::kCompleted], n / 20) << "the test must see runs that go through";
  EXPECT_LT(refused, n * 9 / 10);
}

}  // namespace
}  // namespace enfold::app
