// SPDX-License-Identifier: BSD-3-Clause
// The delay at which the simulated loop begins to grow, against the critical delay of the linearised one.
#include <gtest/gtest.h>

#include "enfold/loop/margins.hpp"
#include "enfold/test/counts.hpp"
#include "laws_under_test.hpp"
#include "simulated_decay.hpp"

namespace enfold::test {
namespace {

/// Whether the errors of a run are larger in its last third than in the one before.
bool grows(const HeldCase& c, const std::shared_ptr<control::Controller>& law, double rate, double delay) {
  // Next to the limit errors change slowly; a slow loop can be watched for longer at the same price.
  const bool slow = rate <= 100.0;
  const RunAs as{.rate = rate,
                 .delay = delay,
                 .spacing = 0.01,
                 .duration = slow ? 4.5 : 1.8,
                 .step = slow ? 5e-3 : 1e-3};
  const double integral = law->n_integrals() > 0 ? 1e-5 : 0.0;
  const sim::History history = simulated_run(c, law, 1e-8 * Eigen::Vector3d(1.0, -1.0, 5.0), integral, as);
  if (history.status != sim::RunStatus::kCompleted) return true;  // so far that contacts are lost
  const MatrixXd course = course_of(c, history);
  const VectorXd scale =
      course.rowwise().norm().cwiseMax(1e-300).cwiseInverse();  // metres, radians and newtons alike
  const MatrixXd even = scale.asDiagonal() * course;
  const Index third = even.cols() / 3;
  return even.rightCols(third).norm() > even.middleCols(even.cols() - 2 * third, third).norm();
}

/// By bisection between two delays of which the first decays and the second grows.
double simulated_critical_delay(const HeldCase& c, const std::shared_ptr<control::Controller>& law,
                                double rate, double decays, double grows_at, int steps) {
  EXPECT_FALSE(grows(c, law, rate, decays));
  EXPECT_TRUE(grows(c, law, rate, grows_at));
  for (int i = 0; i < steps; ++i) {
    const double middle = 0.5 * (decays + grows_at);
    (grows(c, law, rate, middle) ? grows_at : decays) = middle;
  }
  return 0.5 * (decays + grows_at);
}

void expect_predicted_delay(const HeldCase& c, const LawUnderTest& law, const controllers::Gains& gains,
                            double rate, int steps) {
  const std::shared_ptr<control::Controller> made = law.make(c, gains);
  const loop::LinearLoop linear = c.linear(made);
  ASSERT_TRUE(linear.ok()) << linear.message;
  const double predicted = loop::critical_delay(linear, 1.0 / rate).delay;
  ASSERT_TRUE(std::isfinite(predicted) && predicted > 0.0);
  const double found =
      simulated_critical_delay(c, law.make(c, gains), rate, 0.9 * predicted, 1.1 * predicted, steps);
  EXPECT_NEAR(found / predicted, 1.0, 0.1) << law.name << " at " << rate << " Hz";
  if (steps >= 4 && rate <= 100.0) {  // the faster loops are not watched for long enough
    EXPECT_NEAR(found / predicted, 1.0, 0.02) << law.name << " at " << rate << " Hz";
  }
}

// [eq:critical-delay] Frictionless contacts: decays at 0.9 of the predicted delay, grows at 1.1 of it, and
// bisection finds it within 2 %.
TEST(DelayMarginTest, SimulatedLoopGoesUnstableAtThePredictedDelay) {
  const auto c = held_case(pose_deg(0.0, 0.15, 80.0), VectorXd::Zero(4));
  std::size_t number = 0;
  for (const LawUnderTest& law : laws_under_test()) {
    ++number;
    for (std::size_t i = 0; i < 3; ++i)  // by default each law has another of the sets
      if (count(0, 1) == 1 || i == number % 3)
        expect_predicted_delay(c, law, controllers::sampled_gains(pole_sets()[i], 0.01), 100.0, 4);
  }
}

TEST(DelayMarginTest, AtOneKilohertz) {
  const auto c = held_case(pose_deg(0.0, 0.15, 90.0), VectorXd::Zero(4));
  for (const LawUnderTest& law : laws_under_test())
    for (std::size_t i = 0; i < static_cast<std::size_t>(count(1, 3)); ++i)
      expect_predicted_delay(c, law, controllers::sampled_gains(pole_sets()[i], 1e-3), 1000.0, count(0, 4));
}

TEST(DelayMarginTest, AtTenKilohertz) {
  const auto c = held_case(pose_deg(0.0, 0.15, 90.0), VectorXd::Zero(4));
  const auto laws = laws_under_test();
  for (std::size_t i = 0; i < (count(0, 1) == 0 ? 1 : laws.size()); ++i)
    expect_predicted_delay(c, laws[i], {}, 1e4, count(0, 4));
}

// With friction in its declared directions.
TEST(DelayMarginTest, WithFriction) {
  const auto c = held_case(pose_deg(0.0, 0.15, 80.0), VectorXd::Constant(4, 0.1));
  expect_predicted_delay(c, laws_under_test()[0], {}, 100.0, 4);
}

}  // namespace
}  // namespace enfold::test
