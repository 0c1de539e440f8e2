// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/solutions.hpp"

#include <algorithm>

#include "enfold/base/require.hpp"

namespace enfold::uniqueness {

ContactAnswers all_answers(const FrictionFamily& family, const VectorXd& mu, const VectorXd& b,
                           const AnswerOptions& options) {
  validate(family);
  ENFOLD_REQUIRE(mu.allFinite(), "all_answers: a friction coefficient is not finite");
  const lcp::EnumerationResult found = lcp::enumerate_solutions({family.A(mu), b}, options.enumeration);
  ContactAnswers out;
  out.status = found.status;
  const double y_tol = options.zero_tol * std::max(1.0, b.size() == 0 ? 0.0 : b.cwiseAbs().maxCoeff());
  for (const lcp::EnumeratedSolution& solution : found.solutions) {
    const VectorXd& x = solution.x;
    const double x_tol = options.zero_tol * std::max(1.0, x.size() == 0 ? 0.0 : x.cwiseAbs().maxCoeff());
    ContactAnswer answer;
    for (Index i = 0; i < x.size(); ++i)
      answer.word += x[i] > x_tol ? 'p' : solution.y[i] > y_tol ? 'o' : '-';
    answer.lambda_N = x;
    answer.friction = mu.cwiseProduct(x);
    for (Index i = 0; i < x.size(); ++i)
      if (!family.enters(i)) answer.friction[i] = 0.0;
    answer.separation = solution.y;
    answer.residual = solution.residual;
    out.answers.push_back(std::move(answer));
  }
  return out;
}

}  // namespace enfold::uniqueness
