// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/solutions.hpp"

#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "enfold/grasp/grasp_matrices.hpp"
#include "uniqueness_cases.hpp"

namespace enfold::uniqueness {
namespace {

using test::EigenNear;
using test::Example2;

/// b for which the planned forces keep all contacts: those of the squeeze with a smallest normal force of 1
/// N. G λ = M_o ẍ, min λ = 1 N; A λ + b = 0.
VectorXd planned_b(const Example2& at, const VectorXd& mu) {
  grasp::GraspMatrices grasp;
  grasp::assemble(at.hand.kinematics(at.q, VectorXd::Zero(7)), at.modes, mu, 3, grasp);
  const Eigen::Vector3d wrench(1.69 * at.x_ddot.x(), 1.69 * at.x_ddot.y(), 0.0);
  const Eigen::FullPivLU<MatrixXd> G(grasp.G);
  const VectorXd particular = grasp.G.completeOrthogonalDecomposition().solve(wrench);
  VectorXd squeeze = G.kernel().col(0);
  if (squeeze.sum() < 0.0) squeeze = -squeeze;
  const double scale = ((1.0 - particular.array()) / squeeze.array()).maxCoeff();
  return -at.family.A(mu) * (particular + scale * squeeze);
}

// Checklist A4.7: three answers at 0.8 s, one at 0.5 s. [eq:S4.18]
TEST(AllAnswersTest, ExampleTwoHasThreeAnswersAfterUniquenessIsLost) {
  const Example2 late(0.8);
  const VectorXd mu = late.mu(0.8, 0.6);
  const ContactAnswers found = all_answers(late.family, mu, planned_b(late, mu));
  ASSERT_EQ(found.status, lcp::EnumerationStatus::kExact);
  ASSERT_EQ(found.answers.size(), 3u);
  const std::vector<std::pair<std::string, Eigen::Vector4d>> expected{{"pppp", {2.62, 1.00, 2.62, 1.00}},
                                                                      {"popp", {4.13, 0.0, 0.83, 2.41}},
                                                                      {"pppo", {0.83, 2.41, 4.13, 0.0}}};
  for (const auto& [word, forces] : expected) {
    const auto at = std::find_if(found.answers.begin(), found.answers.end(),
                                 [&w = word](const ContactAnswer& answer) { return answer.word == w; });
    ASSERT_NE(at, found.answers.end()) << word;
    EXPECT_THAT(at->lambda_N, EigenNear(forces, 0.006));
    EXPECT_THAT(at->friction, EigenNear(VectorXd(mu.cwiseProduct(at->lambda_N)), 1e-15));
    EXPECT_LT(at->residual, 1e-9);
  }
  const Example2 early(0.5);
  const ContactAnswers one = all_answers(early.family, mu, planned_b(early, mu));
  ASSERT_EQ(one.answers.size(), 1u);
  EXPECT_EQ(one.answers[0].word, "pppp");
}

// Each answer satisfies y = A x + b, x, y ≥ 0, xᵀ y = 0 by its own numbers; P-matrices have one. [eq:S4.18]
TEST(AllAnswersTest, AnswersAreComplementaryAndUniqueForPMatrices) {
  const CounterRandom random(82, 0);
  for (int k = 0; k < test::count(100, 1000); ++k) {
    const auto n = static_cast<std::uint64_t>(k);
    const FrictionFamily family = test::random_grasp_family(random, n);
    const VectorXd mu = test::random_vector(random, 900000 + 10 * n, 4).cwiseAbs();
    const VectorXd b = test::random_vector(random, 950000 + 10 * n, 4);
    const ContactAnswers found = all_answers(family, mu, b);
    SCOPED_TRACE(fmt::format("seed 82, draw {}", k));
    for (const ContactAnswer& answer : found.answers) {
      EXPECT_THAT(answer.separation, EigenNear(VectorXd(family.A(mu) * answer.lambda_N + b), 1e-9));
      EXPECT_GE(answer.lambda_N.minCoeff(), -1e-9);
      EXPECT_GE(answer.separation.minCoeff(), -1e-9);
      for (Index i = 0; i < 4; ++i) {
        const char letter = answer.word[static_cast<std::size_t>(i)];
        EXPECT_EQ(letter == 'p', answer.lambda_N[i] > 1e-8) << letter;
        EXPECT_EQ(letter == 'o', answer.separation[i] > 1e-8) << letter;
      }
    }
    if (test::p_status(family.A(mu)) == lcp::PMatrixStatus::kP) {
      EXPECT_EQ(found.answers.size(), 1u);
    }
  }
}

TEST(AllAnswersTest, RefusesBadInputAndReportsSizesAboveTheLimit) {
  const FrictionFamily family{MatrixXd::Identity(2, 2), MatrixXd::Zero(2, 2)};
  EXPECT_THROW((void)all_answers(family, VectorXd::Zero(3), VectorXd::Zero(2)), InvalidArgument);
  EXPECT_THROW((void)all_answers(family, VectorXd::Zero(2), VectorXd::Zero(3)), InvalidArgument);
  EXPECT_THROW((void)all_answers(family, VectorXd::Zero(2), VectorXd::Constant(2, std::nan(""))),
               InvalidArgument);
  EXPECT_EQ(all_answers(family, VectorXd::Zero(2), VectorXd::Ones(2), {.enumeration = {.limit = 1}}).status,
            lcp::EnumerationStatus::kTooLarge);
  const ContactAnswers both_zero = all_answers(family, VectorXd::Zero(2), Eigen::Vector2d(0.0, 1.0));
  ASSERT_EQ(both_zero.answers.size(), 1u);
  EXPECT_EQ(both_zero.answers[0].word, "-o");
}

}  // namespace
}  // namespace enfold::uniqueness
