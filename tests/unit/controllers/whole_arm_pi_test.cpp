// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/controllers/whole_arm_pi.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "enfold/base/error.hpp"
#include "enfold/control/force_feedback.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/whole_arm_case.hpp"

namespace enfold::controllers {
namespace {

using test::EigenNear;

/// Force errors at the instants of a sampled loop, state held, on a plant that may be heavier than the model.
std::vector<double> sampled_force_errors(double KP, double Kalpha, double period, double object_mass, int n) {
  test::WholeArmCase c = test::whole_arm_case({}, 3);
  const test::PaperHand plant = test::paper_hand({.object_mass = object_mass});
  c.gains.Kalpha = Kalpha;
  c.measured.v.setZero();
  WholeArmPiController law(c.model(), c.trajectory, c.plan, c.gains, KP);
  control::SampledLoop loop(law, period);
  std::vector<double> errors;
  for (int k = 0; k <= n; ++k) {
    const control::Command& command = loop.command(c.t, c.measured);
    errors.push_back(command.integral_rate[0]);
    c.measured.lambda_N =
        test::rigid_motion(plant, c.mu, c.point().modes, c.measured.q, c.measured.v, command.tau).lambda;
  }
  return errors;
}

// e_{k+1} = −K_P e_k − K_α I_k − d on rigid bodies, with the constant d of a model error.      [eq:force-pi]
TEST(WholeArmPiTest, ForceErrorsObeyTheDifferenceEquationOfTheHeader) {
  for (const double KP : {-0.5, 0.0, 0.4, 0.9}) {
    for (const double mass : {1.69, 1.9}) {
      const std::vector<double> e = sampled_force_errors(KP, 30.0, 1e-3, mass, 20);
      double integral = 0.0;
      double d = 0.0;
      for (std::size_t k = 0; k + 1 < e.size(); ++k) {
        const double rest = e[k + 1] + KP * e[k] + 30.0 * integral;
        if (k == 0) d = rest;
        EXPECT_NEAR(rest, d, 1e-9) << "K_P = " << KP << ", k = " << k;
        integral += 1e-3 * e[k];
      }
      EXPECT_EQ(std::abs(d) > 1e-3, mass > 1.8) << d;
    }
  }
}

/// The larger |z| of e_{k+2} + a e_{k+1} + b e_k = 0, with a and b fitted to a sequence.
double fitted_ratio(const std::vector<double>& e) {
  MatrixXd known(60, 2);
  VectorXd next(60);
  for (Index i = 0; i < 60; ++i) {
    const auto k = static_cast<std::size_t>(i) + 1;
    known.row(i) << -e[k + 1], -e[k];
    next[i] = e[k + 2];
  }
  const VectorXd fit = known.colPivHouseholderQr().solve(next);
  return MatrixXd{{-fit[0], -fit[1]}, {1.0, 0.0}}.eigenvalues().cwiseAbs().maxCoeff();
}

// Both sides of both limits, for weak and strong integrals: errors grow or decay, with the predicted poles.
// [eq:force-range]
TEST(WholeArmPiTest, RangeOfStableGainsIsThatOfTheSampledForce) {
  for (const double per_sample : {0.01, 0.4, 1.5}) {
    const double Kalpha = per_sample / 1e-3;
    const control::OpenRange range = control::stable_force_gains(Kalpha, 1e-3);
    for (const double KP : {range.above - 0.02, range.above + 0.02, range.below - 0.02, range.below + 0.02}) {
      const std::vector<double> e = sampled_force_errors(KP, Kalpha, 1e-3, 1.69, 600);
      EXPECT_NEAR(fitted_ratio(e), control::force_error_ratio(KP, Kalpha, 1e-3), 1e-6)
          << per_sample << ' ' << KP;
      const auto largest = [&](std::size_t from) {
        double out = 0.0;
        for (std::size_t k = from; k < from + 40; ++k) out = std::max(out, std::abs(e[k]));
        return out;
      };
      EXPECT_EQ(largest(550) < largest(200), range.contains(KP)) << per_sample << ' ' << KP;
    }
  }
}

TEST(ForceFeedbackTest, RangeIsWhereTheRootsAreInsideTheUnitCircle) {
  for (double per_sample = -0.35; per_sample < 5.0; per_sample += 0.1) {
    const control::OpenRange range = control::stable_force_gains(per_sample / 2e-3, 2e-3);
    for (double KP = -2.015; KP < 4.0; KP += 0.05) {
      const bool inside = control::force_error_ratio(KP, per_sample / 2e-3, 2e-3) < 1.0;
      EXPECT_EQ(range.contains(KP), inside) << per_sample << ' ' << KP;
    }
  }
  EXPECT_THROW((void)control::stable_force_gains(10.0, 0.0), InvalidArgument);
  EXPECT_THROW((void)control::force_error_ratio(std::nan(""), 1.0, 1e-3), InvalidArgument);
}

// Proportional feedback touches the squeeze alone: at any state the motion obeys (14), and the forces are
// α_d + K_P e_α + K_α ∫e_α.                                                     [eq:force-pi] [eq:S4.14]
TEST(WholeArmPiTest, MotionErrorsObeyTheEquationOfTheWholeArmLaw) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const test::WholeArmCase c = test::whole_arm_case(
        seed % 2 == 0
            ? test::PaperHandOptions{}
            : test::PaperHandOptions{.radius = 0.003, .gravity = {1.0, -9.81}, .lengths = {0.14, 0.16, 0.15}},
        seed);
    WholeArmPiController law(c.model(), c.trajectory, c.plan, c.gains, 0.7);
    control::Command command;
    law.evaluate(c.t, c.measured, c.integral, command);
    ASSERT_FALSE(command.singular);
    const test::RigidMotion motion =
        test::rigid_motion(c.hand, c.mu, c.point().modes, c.measured.q, c.measured.v, command.tau);
    control::Reference reference;
    c.trajectory->sample(c.t, reference);
    const VectorXd error = reference.x_ddot - motion.v_dot.head(3) +
                           c.gains.Kv * (reference.x_dot - c.measured.v.head(3)) +
                           c.gains.Kp * (reference.x - c.measured.q.head(3));
    EXPECT_THAT(error, EigenNear(VectorXd::Zero(3), 1e-9)) << "seed " << seed;
    const MatrixXd basis = test::nearest_null_basis(motion.W_mu.topRows(3), c.point().G_null);
    const VectorXd squeeze = c.alpha_des() + 0.7 * (c.alpha_des() - basis.transpose() * c.measured.lambda_N) +
                             c.gains.Kalpha * c.integral;
    EXPECT_THAT(VectorXd(basis.transpose() * motion.lambda), EigenNear(squeeze, 1e-9)) << "seed " << seed;
  }
}

TEST(WholeArmPiTest, IsTheWholeArmLawWithoutProportionalGainAndBeforeTheFirstReading) {
  test::WholeArmCase c = test::whole_arm_case({}, 4);
  WholeArmController base = c.controller();
  WholeArmPiController off(c.model(), c.trajectory, c.plan, c.gains, 0.0);
  WholeArmPiController on(c.model(), c.trajectory, c.plan, c.gains, 0.5);
  control::Command plain, with;
  base.evaluate(c.t, c.measured, c.integral, plain);
  off.evaluate(c.t, c.measured, c.integral, with);
  EXPECT_EQ(plain.tau, with.tau);
  on.evaluate(c.t, c.measured, c.integral, with);
  EXPECT_NE(plain.tau, with.tau);
  c.measured.forces_valid = false;
  base.evaluate(c.t, c.measured, c.integral, plain);
  on.evaluate(c.t, c.measured, c.integral, with);
  EXPECT_EQ(plain.tau, with.tau);
  EXPECT_THROW(
      WholeArmPiController(c.model(), c.trajectory, c.plan, c.gains, std::numeric_limits<double>::infinity()),
      InvalidArgument);
}

}  // namespace
}  // namespace enfold::controllers
