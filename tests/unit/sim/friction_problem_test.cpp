// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/sim/friction_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

#include "enfold/base/error.hpp"
#include "enfold/lcp/enumeration.hpp"
#include "enfold/sim/impact.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/uniqueness/stick_slip.hpp"

namespace enfold::sim {
namespace {

using contact::ContactMode;
using test::EigenNear;

/// A random body of n_v freedoms with n contacts, as M, W and the force that acts beside the contacts.
struct RandomContacts {
  RandomContacts(std::mt19937& random, Index n_v, Index n) {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const auto draw = [&](Index rows, Index columns) {
      return MatrixXd(MatrixXd::NullaryExpr(rows, columns, [&] { return uniform(random); }));
    };
    const MatrixXd B = draw(n_v, n_v);
    M = B * B.transpose() + 0.3 * MatrixXd::Identity(n_v, n_v);
    force = 3.0 * draw(n_v, 1);
    kinematics.W_N = draw(n_v, n);
    kinematics.W_T = draw(n_v, n);
    kinematics.bias_N = draw(n, 1);
    kinematics.bias_T = draw(n, 1);
    kinematics.gap = VectorXd::Zero(n);
    mu = 0.5 * (VectorXd(draw(n, 1)).array() + 1.0);
  }

  [[nodiscard]] FrictionProblem problem(const std::vector<ContactMode>& modes) const {
    const Index n = mu.size();
    const Eigen::LLT<MatrixXd> llt(M);
    MatrixXd W(M.rows(), 2 * n);
    W << kinematics.W_N, kinematics.W_T;
    FrictionProblem p;
    p.D = W.transpose() * llt.solve(W);
    const VectorXd a = llt.solve(force);
    p.c_N = kinematics.W_N.transpose() * a + kinematics.bias_N;
    p.c_T = kinematics.W_T.transpose() * a + kinematics.bias_T;
    p.mu = mu;
    for (const ContactMode mode : modes)
      p.freedom.push_back(mode == ContactMode::kRoll        ? ContactFreedom::kStickOrSlip
                          : mode == ContactMode::kSlidePlus ? ContactFreedom::kSlidePlus
                                                            : ContactFreedom::kSlideMinus);
    return p;
  }

  MatrixXd M;
  VectorXd force, mu;
  contact::ContactKinematics kinematics;
};

// Two routes: all modes tried one by one, and all solutions of the stick/slip complementarity problem.
TEST(FrictionProblemTest, AnswersAreTheSolutionsOfTheComplementarityProblem) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> kind(0, 2);
  int several = 0;
  int none = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const RandomContacts contacts(random, 5, 2);
    std::vector<ContactMode> modes;
    for (int i = 0; i < 2; ++i)
      modes.push_back(std::array{ContactMode::kRoll, ContactMode::kSlidePlus,
                                 ContactMode::kSlideMinus}[static_cast<std::size_t>(kind(random))]);
    const FrictionSolution found = solve_friction(contacts.problem(modes));
    const uniqueness::StickSlipProblem lcp =
        uniqueness::stick_slip_problem(contacts.M, contacts.force, contacts.kinematics, modes, contacts.mu);
    const lcp::EnumerationResult all = lcp::enumerate_solutions(lcp.lcp);
    // Distinct forces: σ and the sum λ⁺ + λ⁻ may differ where the forces do not.
    std::vector<VectorXd> forces;
    for (const lcp::EnumeratedSolution& s : all.solutions) {
      VectorXd f = VectorXd::Zero(4);
      f.head(2) = s.x.head(2);
      const auto r = static_cast<Index>(lcp.sticking.size());
      for (Index i = 0; i < 2; ++i)
        f[2 + i] = -slip_sign(modes[static_cast<std::size_t>(i)]) * contacts.mu[i] * f[i];
      for (Index k = 0; k < r; ++k)
        f[2 + lcp.sticking[static_cast<std::size_t>(k)]] = s.x[2 + k] - s.x[2 + r + k];
      const bool known =
          std::any_of(forces.begin(), forces.end(), [&](const VectorXd& g) { return (f - g).norm() < 1e-6; });
      if (!known) forces.push_back(f);
    }
    ASSERT_EQ(found.answers.size(), forces.size()) << "trial " << trial;
    for (const FrictionAnswer& answer : found.answers) {
      VectorXd f(4);
      f << answer.lambda_N, answer.lambda_T;
      EXPECT_TRUE(
          std::any_of(forces.begin(), forces.end(), [&](const VectorXd& g) { return (f - g).norm() < 1e-6; }))
          << "trial " << trial;
    }
    several += found.status == FrictionStatus::kSeveral;
    none += found.status == FrictionStatus::kNone;
  }
  EXPECT_GT(several, 0);
  EXPECT_GT(none, 0);
}

// Painlevé: one sliding contact with A = D_NN − μ D_NT < 0 has no answer if b < 0, and two if b > 0.
TEST(FrictionProblemTest, SlidingContactShowsBothParadoxes) {
  FrictionProblem p;
  p.D = (Eigen::Matrix2d() << 1.0, 2.0, 2.0, 5.0).finished();
  p.mu = VectorXd::Constant(1, 0.9);
  p.c_T = VectorXd::Zero(1);
  p.freedom = {ContactFreedom::kSlidePlus};
  p.c_N = VectorXd::Constant(1, -1.0);
  EXPECT_EQ(solve_friction(p).status, FrictionStatus::kNone);
  p.c_N = VectorXd::Constant(1, 1.0);
  const FrictionSolution two = solve_friction(p);
  ASSERT_EQ(two.status, FrictionStatus::kSeveral);
  EXPECT_NEAR(two.answers[0].lambda_N[0], 1.0 / 0.8, 1e-12);
  EXPECT_EQ(two.answers[1].modes[0], ContactMode::kOpen);
}

// Four legs of a rigid beam: forces are not determined. Two corners that stick: neither along the floor.
TEST(FrictionProblemTest, RedundantContactsGiveAContinuum) {
  MatrixXd W(3, 4);  // a body on two corners at ±1, height 1 below: [N N T T]
  W << 0, 0, 1, 1, 1, 1, 0, 0, -1, 1, 1, 1;
  FrictionProblem p;
  p.D = W.transpose() * W;
  p.mu = VectorXd::Constant(2, 0.5);
  p.c_N = VectorXd::Constant(2, -9.81);
  p.c_T = VectorXd::Zero(2);
  p.freedom.assign(2, ContactFreedom::kStickOrSlip);
  EXPECT_EQ(solve_friction(p).status, FrictionStatus::kContinuum);
}

TEST(FrictionProblemTest, LemkeFindsTheAnswerWhereTooManyModesWouldHaveToBeTried) {
  std::mt19937 random(3);
  int compared = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const RandomContacts contacts(random, 6, 3);
    const FrictionProblem p =
        contacts.problem({ContactMode::kRoll, ContactMode::kRoll, ContactMode::kSlidePlus});
    const FrictionSolution all = solve_friction(p);
    const FrictionSolution one = solve_friction(p, {.max_combinations = 1});
    EXPECT_EQ(one.status, FrictionStatus::kUndecided);
    if (!all.unique() || one.answers.empty()) continue;
    EXPECT_THAT(one.answers[0].lambda_N, EigenNear(all.answers[0].lambda_N, 1e-7));
    EXPECT_THAT(one.answers[0].lambda_T, EigenNear(all.answers[0].lambda_T, 1e-7));
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

TEST(FrictionProblemTest, RefusesWrongSizesAndNegativeFriction) {
  FrictionProblem p;
  p.D = MatrixXd::Identity(2, 2);
  p.c_N = p.c_T = VectorXd::Zero(1);
  p.mu = VectorXd::Constant(1, -0.1);
  p.freedom = {ContactFreedom::kStickOrSlip};
  EXPECT_THROW((void)solve_friction(p), InvalidArgument);
  p.mu = VectorXd::Zero(2);
  EXPECT_THROW((void)solve_friction(p), InvalidArgument);
}

// Impacts of a random body: kinetic energy never grows, nothing pulls, friction stays in its cone, and every
// contact parts with at least what restitution asks of it.
TEST(ImpactTest, RandomImpactsObeyTheirLaws) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  int lowered = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const RandomContacts c(random, 5, 2);
    ImpactProblem p{c.M, c.kinematics.W_N, c.kinematics.W_T, c.force, c.mu, VectorXd::Zero(2)};
    p.restitution << unit(random), unit(random);
    const Impact impact = solve_impact(p);
    ASSERT_TRUE(impact.ok()) << "trial " << trial;
    const double before = 0.5 * p.v.dot(p.M * p.v);
    const double after = 0.5 * impact.v.dot(p.M * impact.v);
    EXPECT_LE(after, before * (1.0 + 1e-9)) << "trial " << trial;
    EXPECT_NEAR(after - before, impact.energy_change, 1e-9 * before);
    EXPECT_THAT(VectorXd(p.M * (impact.v - p.v)),
                EigenNear(VectorXd(p.W_N * impact.impulse_N + p.W_T * impact.impulse_T), 1e-9));
    for (Index i = 0; i < 2; ++i) {
      const double closing = p.W_N.col(i).dot(p.v);
      const double parting = p.W_N.col(i).dot(impact.v);
      const double target = impact.restitution_scale * p.restitution[i] * std::max(0.0, -closing);
      EXPECT_GE(impact.impulse_N[i], -1e-9);
      EXPECT_GE(parting, target - 1e-8) << "trial " << trial;
      if (impact.impulse_N[i] > 1e-9) {
        EXPECT_NEAR(parting, target, 1e-8) << "trial " << trial;
      }
      EXPECT_LE(std::abs(impact.impulse_T[i]), p.mu[i] * impact.impulse_N[i] + 1e-8);
    }
    lowered += impact.restitution_scale < 1.0;
  }
  EXPECT_LT(lowered, 200);
}

// S3 (18)–(21): without friction one contact reverses its normal velocity by −e, and what is free of the
// contact stays: the change of v is M⁻¹-orthogonal to the null space of W_Nᵀ.
TEST(ImpactTest, FrictionlessImpactLeavesTheNullSpaceOfTheContactAlone) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 50; ++trial) {
    const RandomContacts c(random, 4, 1);
    ImpactProblem p{c.M,     c.kinematics.W_N,  c.kinematics.W_T,
                    c.force, VectorXd::Zero(1), VectorXd::Constant(1, 0.6)};
    if (p.W_N.col(0).dot(p.v) > 0.0) p.v = -p.v;
    if (p.W_N.col(0).dot(p.v) > -0.01) continue;
    const Impact impact = solve_impact(p);
    EXPECT_NEAR(p.W_N.col(0).dot(impact.v), -0.6 * p.W_N.col(0).dot(p.v), 1e-10);
    const MatrixXd null = p.W_N.transpose().fullPivLu().kernel();
    EXPECT_THAT(VectorXd(null.transpose() * p.M * (impact.v - p.v)), EigenNear(VectorXd::Zero(3), 1e-10));
  }
}

TEST(ImpactTest, SlowContactsDoNotBounce) {
  const ImpactProblem p{MatrixXd::Identity(2, 2), Vector2d(0, 1),    Vector2d(1, 0),
                        Vector2d(0.0, -5e-4),     VectorXd::Zero(1), VectorXd::Ones(1)};
  EXPECT_NEAR(solve_impact(p).v[1], 0.0, 1e-15);
  EXPECT_NEAR(solve_impact(p, {.rest_speed = 1e-5}).v[1], 5e-4, 1e-15);
}

}  // namespace
}  // namespace enfold::sim
