// SPDX-License-Identifier: BSD-3-Clause
// S4's Example 1 end to end: every number that the paper, or its right reading, gives for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "enfold/io/scenario_file.hpp"
#include "enfold/test/counts.hpp"
#include "enfold/test/scenario_path.hpp"
#include "run_job.hpp"
#include "song2001.hpp"

namespace enfold::app {
namespace {

using sim::Sample;

constexpr double kDegree = std::numbers::pi / 180.0;

ScenarioRun run(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return run_scenario(io::read_scenario(test::scenario_path(name), overrides), Console(true));
}

double error_deg(const Sample& sample) {
  return (sample.x_des[2] - sample.x[2]) / kDegree;
}

/// The lines that hold with and without noise.
void expect_example_1(const ScenarioRun& run) {
  ASSERT_TRUE(run.planned.ok()) << run.planned.message;
  ASSERT_EQ(run.history.status, sim::RunStatus::kCompleted) << run.history.message;
  ASSERT_EQ(run.history.samples.size(), 1001U);
  for (const Sample& sample : run.history.samples) {
    SCOPED_TRACE(sample.time);
    ASSERT_EQ(sample.p_matrix, sim::Uniqueness::kUnique);
    ASSERT_EQ(sample.lcp_solutions, 1);
    ASSERT_GT(sample.lambda_N.minCoeff(), 0.0);
    ASSERT_LT(sample.gap.cwiseAbs().maxCoeff(), 1e-6);
    if (sample.time <= 0.5) {
      const double envelope = (1.0 + 10.0 * sample.time) * std::exp(-10.0 * sample.time);  // of 1°
      ASSERT_NEAR(error_deg(sample), envelope, 0.02);
    }
    if (sample.time >= 0.4 && sample.time <= 0.9) {
      ASSERT_NEAR(sample.lambda_N.minCoeff(), 0.5, 0.02);
    }
  }
}

// Fig. 3(b), Fig. 4, Sec. 5.2; readings 7, 23, 24. [eq:S4.14] [eq:S4.17] [eq:S4.18]
TEST(Song2001Test, ExampleOneFollowsTheErrorEquationAndHoldsTheSqueeze) {
  expect_example_1(run("song2001-rotate"));
}

// Fig. 4: CP1 → CP4 → CP2; reading 25. [eq:S4.17]
TEST(Song2001Test, CriticalContactHopsAsInFigure4) {
  const ScenarioRun example = run("song2001-rotate");
  std::vector<std::pair<std::string, double>> hops;
  for (const planners::CriticalStretch& stretch : planners::critical_stretches(example.planned.plan, 0.02)) {
    ASSERT_GE(stretch.contact, 0);
    hops.emplace_back(example.setup.model.contacts->names()[static_cast<std::size_t>(stretch.contact)],
                      stretch.from);
  }
  ASSERT_EQ(hops.size(), 4U);
  EXPECT_EQ(hops[0].first, "right.proximal");
  EXPECT_EQ(hops[1].first, "left.distal");
  EXPECT_NEAR(hops[1].second, 0.39, 0.02);
  EXPECT_EQ(hops[2].first, "left.proximal");
  EXPECT_NEAR(hops[2].second, 0.64, 0.02);
  EXPECT_EQ(hops[3].first, "left.distal");
  EXPECT_NEAR(hops[3].second, 0.92, 0.02);
}

// In the simulated forces, not only in the plan: the contact with the smallest force is the plan's critical
// one.
TEST(Song2001Test, SimulatedForcesHopWithThePlan) {
  const ScenarioRun example = run("song2001-rotate");
  for (const Sample& sample : example.history.samples) {
    // 0.02 s around a hop two contacts are equally close to the threshold.
    const bool near_hop = std::abs(sample.time - 0.39) < 0.02 || std::abs(sample.time - 0.64) < 0.02 ||
                          std::abs(sample.time - 0.92) < 0.02;
    if (sample.time < 0.1 || near_hop) continue;
    Index smallest = 0;
    sample.lambda_N.minCoeff(&smallest);
    ASSERT_EQ(smallest, sample.critical_contact) << "t = " << sample.time;
  }
}

// What the window above leaves out: the LP sees ẍ_d, not the correction of the initial error; and near the
// end the null vector's smallest entry shrinks, so that all other forces grow.
TEST(Song2001Test, ForcesDipAtTheStartAndRiseAtTheEnd) {
  const ScenarioRun example = run("song2001-rotate");
  EXPECT_NEAR(example.history.samples.front().lambda_N.minCoeff(), 0.1, 0.03);
  EXPECT_NEAR(example.history.samples.back().lambda_N.maxCoeff(), 6.0, 0.2);
}

// Sec. 5.2, checklist row 22: noise of 10 % on forces and on the pose error.
TEST(Song2001Test, ExampleOneHoldsWithSensorNoiseForTwentySeeds) {
  for (int seed = 1; seed <= test::count(20, 200); ++seed) {
    SCOPED_TRACE(seed);
    expect_example_1(run("song2001-rotate-noise", {"seed=" + std::to_string(seed)}));
    if (HasFatalFailure()) return;
  }
}

TEST(Song2001Test, NoiseIsSeenByTheControllerAndOnlyIfAsked) {
  const ScenarioRun exact = run("song2001-rotate");
  const ScenarioRun noisy = run("song2001-rotate-noise");
  double largest = 0.0;
  for (std::size_t i = 0; i < exact.history.samples.size(); ++i) {
    largest = std::max(largest,
                       (exact.history.samples[i].tau - noisy.history.samples[i].tau).cwiseAbs().maxCoeff());
  }
  EXPECT_GT(largest, 1e-4);
  const ScenarioRun again = run("song2001-rotate-noise", {"noise.force=0", "noise.pose=0"});
  EXPECT_EQ((exact.history.samples.back().x - again.history.samples.back().x).norm(), 0.0);
}

// Checklist row 7: e_α + K_α ∫e_α = 0 has its pole at −K_α. [eq:S4.15]
TEST(Song2001Test, NegativeForceGainOpensAContactBeforeOneSecond) {
  const ScenarioRun lost =
      run("song2001-rotate", {"controller.Kalpha=-10", "controller.allow_unstable=true"});
  EXPECT_EQ(lost.history.status, sim::RunStatus::kContactLost);
  EXPECT_LT(lost.history.samples.back().time, 1.0);
  EXPECT_GT(lost.history.samples.back().gap.maxCoeff(), 1e-6);
  EXPECT_NE(lost.history.message.find("force pole at +10"), std::string::npos) << lost.history.message;
}

// Started on the path, with torques that change continuously, both errors stay zero. [eq:S4.14] [eq:S4.15]
TEST(Song2001Test, ContinuousLawStartedOnThePathStaysOnIt) {
  const ScenarioRun continuous = run("song2001-rotate", {"controller.rate_hz=0", "task.start.phi_deg=70"});
  for (const Sample& sample : continuous.history.samples) {
    // Not to rounding: the correction of the gap drift, ω²φ, takes part in the forces.
    ASSERT_NEAR(sample.alpha[0], sample.alpha_des[0], 1e-5) << "t = " << sample.time;
    ASSERT_NEAR(error_deg(sample), 0.0, 1e-6) << "t = " << sample.time;
  }
}

TEST(Song2001Test, PolesGiveTheSameRunAsGains) {
  const ScenarioRun gains = run("song2001-rotate");
  const ScenarioRun poles =
      run("song2001-rotate", {"controller.Kp=null", "controller.Kv=null", "controller.Kalpha=null",
                              "controller.poles={motion: [-10, -10], force: -10}"});
  for (std::size_t i = 0; i < gains.history.samples.size(); ++i) {
    ASSERT_LT((gains.history.samples[i].x - poles.history.samples[i].x).norm(), 1e-12);
  }
}

// Checklist A4.7: with μ = 0.8 on the right and 0.6 on the left finger P is lost at t = 0.595 s, through det
// A.
TEST(Song2001Test, ExampleTwoLosesUniquenessWhereTheChecklistSays) {
  const ScenarioRun lost = run(
      "song2001-rotate",
      {"task.start={x_m: 0, y_m: 0.12, phi_deg: 0}", "task.trajectory.from={x_m: 0, y_m: 0.12, phi_deg: 0}",
       "task.trajectory.to={x_m: 0, y_m: 0.15, phi_deg: 0}", "contacts.left.proximal.mu=0.6",
       "contacts.left.distal.mu=0.6", "contacts.right.proximal.mu=0.8", "contacts.right.distal.mu=0.8",
       "planner.min_normal_N=1"});
  EXPECT_EQ(lost.history.status, sim::RunStatus::kNotUnique);
  EXPECT_NEAR(lost.history.samples.back().time, 0.595, 0.005);
  EXPECT_EQ(lost.history.samples.back().p_matrix, sim::Uniqueness::kNotUnique);
}

TEST(Song2001Test, EveryVerdictOfTheReproductionHolds) {
  const Song2001Runs runs = run_song2001(Console(true));
  const std::vector<io::Verdict> verdicts = judge_song2001(runs);
  EXPECT_EQ(verdicts.size(), 15U);
  for (const io::Verdict& verdict : verdicts) {
    EXPECT_NE(verdict.status, io::VerdictStatus::kNotReproduced) << verdict.claim << ": " << verdict.measured;
    EXPECT_FALSE(verdict.source.empty());
    if (verdict.status == io::VerdictStatus::kUnderReading) {
      EXPECT_FALSE(verdict.reading.empty());
    }
  }
}

// A verdict that can't fail proves nothing: a run with other gains must be refused.
TEST(Song2001Test, VerdictsRefuseARunThatDoesNotFollowThePaper) {
  Song2001Runs runs = run_song2001(Console(true));
  runs.exact =
      run("song2001-rotate", {"controller.Kp=50", "planner.min_normal_N=0.6", "task.start.phi_deg=70"});
  runs.negative_gain = runs.exact;
  int failed = 0;
  for (const io::Verdict& verdict : judge_song2001(runs)) {
    if (verdict.status == io::VerdictStatus::kNotReproduced) ++failed;
  }
  EXPECT_GE(failed, 2);
}

}  // namespace
}  // namespace enfold::app
