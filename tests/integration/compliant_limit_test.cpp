// SPDX-License-Identifier: BSD-3-Clause
// Rigid contact is the limit of stiff contact: the difference of the two models falls as 1/k.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "shipped_run.hpp"

namespace enfold::app {
namespace {

using sim::Sample;

sim::History run_with_stiffness(const std::string& scenario, const std::string& model, double stiffness) {
  return run_shipped(scenario,
                     {"simulation.model=" + model, fmt::format("contact_law.stiffness_Npm={}", stiffness)});
}

/// Largest difference of a pose coordinate or joint angle up to a time.
double difference(const sim::History& a, const sim::History& b, double until) {
  double worst = 0.0;
  for (std::size_t k = 0; k < std::min(a.samples.size(), b.samples.size()); ++k) {
    const Sample& s = a.samples[k];
    const Sample& t = b.samples[k];
    if (s.time > until) break;
    worst = std::max(
        {worst, (s.x - t.x).lpNorm<Eigen::Infinity>(), (s.theta - t.theta).lpNorm<Eigen::Infinity>()});
  }
  return worst;
}

void expect_one_over_k(const std::string& scenario, const std::string& rigid, double until) {
  double last = 0.0;
  for (const double k : {1e4, 1e5, 1e6}) {
    const sim::History compliant = run_with_stiffness(scenario, "compliant", k);
    ASSERT_EQ(compliant.status, sim::RunStatus::kCompleted) << compliant.message;
    const double now = difference(run_with_stiffness(scenario, rigid, k), compliant, until);
    ::testing::Test::RecordProperty(fmt::format("{}_{:.0e}", scenario, k), fmt::format("{:.4g}", now));
    if (last > 0.0) {
      EXPECT_NEAR(last / now, 10.0, 1.5) << scenario << ", k = " << k << " N/m";
    }
    last = now;
  }
}

// Up to where the contacts come to rest at the end, which a rigid run does not let them do.
TEST(CompliantLimitTest, DifferenceOnExampleOneFallsAsOneOverK) {
  expect_one_over_k("song2001-rotate", "rigid", 0.9);
}

// Example 2 starts off its plan: its contacts slide backwards, stick, and slide forwards. The rigid policy
// takes the planned direction at rest, so that the reference is the integrated run: rigid as soon as rigid
// contact has an answer.
TEST(CompliantLimitTest, DifferenceOnExampleTwoFallsAsOneOverK) {
  expect_one_over_k("song2001-translate", "integrated", 0.6);
}

}  // namespace
}  // namespace enfold::app
