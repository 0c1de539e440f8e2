// SPDX-License-Identifier: BSD-3-Clause
// Poles measured from the decay of small errors in the simulator, against those of the linearised loops.
#include <gtest/gtest.h>

#include "enfold/contact/contact_law.hpp"
#include "enfold/test/counts.hpp"
#include "laws_under_test.hpp"
#include "simulated_decay.hpp"

namespace enfold::test {
namespace {

constexpr double kTwoPercent = 0.02;

struct Comparison {
  double exact = 0.0;   ///< of the measured poles from those of the linearised loop
  double wanted = 0.0;  ///< of the linearised loop's from those asked for
  double mean = 0.0;    ///< the same of their mean: a double pole splits like a root, its mean does not
  std::string text;     ///< which loop, and its poles
};

std::complex<double> mean_of(const std::vector<std::complex<double>>& values) {
  std::complex<double> sum = 0.0;
  for (const std::complex<double>& value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

Comparison compare(const HeldCase& c, const LawUnderTest& law, const controllers::WantedPoles& wanted,
                   const controllers::Gains& gains, double rate) {
  const std::shared_ptr<control::Controller> made = law.make(c, gains);
  const loop::LinearLoop linear = c.linear(made);
  EXPECT_TRUE(linear.ok()) << linear.message;
  const std::vector<loop::Pole> exact =
      rate == 0.0 ? loop::poles(loop::continuous_loop(linear).closed(), 0.0)
                  : loop::poles(loop::sampled_loop(linear, 1.0 / rate).closed(), 1.0 / rate);
  const RunAs as{.rate = rate, .step = rate <= 100.0 ? 2e-3 : 1e-3};
  const std::vector<std::complex<double>> seen = visible(exact, as.spacing);
  Comparison out;
  const std::vector<loop::Pole> measured = measured_poles(c, made, static_cast<Index>(seen.size()), as);
  out.exact = loop::distance(seen, measured);
  out.text =
      fmt::format("{} at {} Hz, wanted {}; linearised", law.name, rate, loop::to_text(wanted.motion_1));
  for (const loop::Pole& pole : exact) out.text += " " + loop::to_text(pole.s);
  out.text += "; measured";
  for (const loop::Pole& pole : measured) out.text += " " + loop::to_text(pole.s);
  out.wanted = loop::distance(all_poles(wanted), exact);
  std::vector<std::complex<double>> slow(seen.begin(),
                                         seen.begin() + std::min<std::ptrdiff_t>(7, std::ssize(seen)));
  const std::complex<double> middle = mean_of(all_poles(wanted));
  out.mean = std::abs(mean_of(slow) - middle) / std::abs(middle);
  return out;
}

std::vector<double> poses_under_test() {
  return count(1, 2) == 1 ? std::vector<double>{80.0} : std::vector<double>{70.0, 80.0, 90.0, 105.0};
}

// [eq:continuous-loop] Continuous control of frictionless contacts: measured, linearised and wanted poles are
// the same.
TEST(DecayTest, ContinuousPolesAreTheWantedOnes) {
  for (const double phi : poses_under_test()) {
    const auto c = held_case(pose_deg(0.0, 0.15, phi), VectorXd::Zero(4));
    for (const LawUnderTest& law : laws_under_test()) {
      if (!law.continuous) continue;
      for (const controllers::WantedPoles& wanted : pole_sets()) {
        const Comparison found = compare(c, law, wanted, controllers::continuous_gains(wanted), 0.0);
        EXPECT_LT(found.exact, 0.001) << phi << "°: " << found.text;
        if (law.claims_poles) {
          EXPECT_LT(found.wanted, 0.001) << phi << "°: " << found.text;
        }
      }
    }
  }
}

// [eq:sampled-loop] [eq:sampled-placement] Gains for the rate, frictionless contacts: the measured poles are
// the exact ones of the linearised loop. Those are the wanted ones where they are distinct; the double pole
// is split by the geometric stiffness, its mean is where it was wanted.
TEST(DecayTest, SampledPolesArePlacedForTheirRate) {
  for (const double phi : poses_under_test()) {
    const auto c = held_case(pose_deg(0.0, 0.15, phi), VectorXd::Zero(4));
    for (const LawUnderTest& law : laws_under_test()) {
      for (const controllers::WantedPoles& wanted : pole_sets()) {
        for (const double rate : {100.0, 1000.0, 10000.0}) {
          if (rate > 2000.0 && count(0, 1) == 0) continue;
          const Comparison found =
              compare(c, law, wanted, controllers::sampled_gains(wanted, 1.0 / rate), rate);
          const std::string where = fmt::format("{}°: {}", phi, found.text);
          EXPECT_LT(found.exact, kTwoPercent) << where;
          if (!law.claims_poles) continue;
          EXPECT_LT(found.mean, kTwoPercent) << where;
          if (wanted.motion_1 != wanted.motion_2) {
            EXPECT_LT(found.wanted, kTwoPercent) << where;
          }
        }
      }
    }
  }
}

// One law at 10 kHz, so that the default run has it.
TEST(DecayTest, PolesAtTenKilohertzAreTheWantedOnes) {
  const auto c = held_case(pose_deg(0.0, 0.15, 90.0), VectorXd::Zero(4));
  const controllers::WantedPoles wanted = pole_sets()[1];
  const Comparison found =
      compare(c, laws_under_test()[0], wanted, controllers::sampled_gains(wanted, 1e-4), 1e4);
  EXPECT_LT(found.exact, 0.001);
  EXPECT_LT(found.wanted, 0.001);
}

// S4's own 100, 20 and 10 run sampled: the measured poles are the exact ones of the sampled loop, up to a
// third away from −10 at 100 Hz, a tenth at 1 kHz and a thirtieth at 10 kHz.
TEST(DecayTest, GainsOfThePaperRunSampledHaveTheirExactPoles) {
  const auto c = held_case(pose_deg(0.0, 0.15, 80.0), VectorXd::Zero(4));
  const auto shift = [&](double rate) {
    const Comparison found = compare(c, laws_under_test()[0], {}, {}, rate);
    EXPECT_LT(found.exact, kTwoPercent) << rate << " Hz";
    return found.wanted;
  };
  EXPECT_NEAR(shift(100.0), 0.38, 0.03);
  EXPECT_NEAR(shift(1000.0), 0.09, 0.01);
  EXPECT_NEAR(shift(10000.0), 0.026, 0.003);
}

// With friction that acts in its declared directions the linearised loop has it too: nothing is lost but what
// the larger geometric stiffness moves.
TEST(DecayTest, DeclaredFrictionIsPartOfTheLinearisedLoop) {
  const auto c = held_case(pose_deg(0.0, 0.15, 90.0), VectorXd::Constant(4, 0.1));
  for (const controllers::WantedPoles& wanted : pole_sets()) {
    const LawUnderTest law = laws_under_test()[0];
    EXPECT_LT(compare(c, law, wanted, controllers::continuous_gains(wanted), 0.0).wanted, 0.001);
    for (const double rate : {100.0, 1000.0})
      EXPECT_LT(compare(c, law, wanted, controllers::sampled_gains(wanted, 1.0 / rate), rate).exact,
                kTwoPercent);
  }
}

/// What is left of an error of the angle after half a second at 1 kHz, with springs for contacts, which find
/// out themselves whether they stick or slide.
double error_left(double mu, double error) {
  const auto c = held_case(pose_deg(0.0, 0.15, 90.0), VectorXd::Constant(4, mu));
  sim::SimulationProblem problem;
  problem.plant = {c.hand.mechanism, c.hand.contacts, c.grasp.mu};
  problem.controller = c.whole_arm({});
  problem.trajectory = c.still;
  problem.plan = c.plan;
  problem.modes = c.grasp.modes;
  problem.q = c.hand.closed(VectorXd(c.grasp.q.head(3) - error * VectorXd::Unit(3, 2)));
  problem.v = VectorXd::Zero(7);
  sim::SimulationOptions options{.duration = 0.5, .record_rate = 10.0};
  options.policy = sim::ModelPolicy::kCompliant;
  options.laws = {contact::kelvin_voigt_contact({.stiffness = 1e5, .damping_ratio = 0.7})};
  const sim::History history = sim::simulate(problem, options);
  EXPECT_EQ(history.status, sim::RunStatus::kCompleted) << history.message;
  return (c.grasp.q[2] - history.samples.back().x[2]) / error;
}

// Real friction, as the designer will meet it. Towards the planned direction the contacts slide as the law
// expects, and (1 + 5)e^{−5} = 4 % of an error is left after half a second; the other way they stick, and a
// small error stays where it is.
TEST(DecayTest, FrictionThatSticksKeepsASmallErrorOnOneSide) {
  const double designed = 6.0 * std::exp(-5.0);
  EXPECT_NEAR(error_left(0.0, 1e-3), designed, 0.01);
  EXPECT_NEAR(error_left(0.0, -1e-3), designed, 0.01);
  EXPECT_NEAR(error_left(0.1, 1e-3), designed, 0.01);
  EXPECT_GT(error_left(0.1, -1e-3), 0.5);
}

}  // namespace
}  // namespace enfold::test
