// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "enfold/lcp/enumeration.hpp"
#include "enfold/uniqueness/friction_family.hpp"

namespace enfold::uniqueness {

/// One answer of rigid contact.
struct ContactAnswer {
  /// A letter for each row: 'p' presses (λ_N > 0), 'o' opens (φ̈ > 0), '-' neither: force and acceleration are
  /// zero to `zero_tol`.
  std::string word;
  VectorXd lambda_N;    ///< n; x [N]
  VectorXd friction;    ///< n; μ λ_N, against the declared slip [N]; of a rolling contact not known here: 0
  VectorXd separation;  ///< n; y = φ̈ [m/s²]
  double residual = std::numeric_limits<double>::infinity();  ///< ‖min(x, A x + b)‖_∞ [m/s²]
};

struct ContactAnswers {
  lcp::EnumerationStatus status = lcp::EnumerationStatus::kNotRun;
  std::vector<ContactAnswer> answers;  ///< all of them if the status is kExact
};

struct AnswerOptions {
  lcp::EnumerationOptions enumeration;
  /// 'p' if x_i > zero_tol · max(1, ‖x‖_∞), 'o' if y_i > zero_tol · max(1, ‖b‖_∞). In units of x and y; 1e-12
  /// … 1e-6.
  double zero_tol = 1e-9;
};

/// All solutions of LCP(A(μ), b), that is, all that rigid-body physics allows here.              [eq:S4.18]
/// @pre μ and b have n finite entries (throws InvalidArgument)
[[nodiscard]] ContactAnswers all_answers(const FrictionFamily& family, const VectorXd& mu, const VectorXd& b,
                                         const AnswerOptions& options = {});

}  // namespace enfold::uniqueness
