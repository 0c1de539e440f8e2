// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "enfold/lcp/enumeration.hpp"
#include "enfold/lcp/lcp_solution.hpp"
#include "enfold/lcp/matrix_class.hpp"
#include "enfold/lcp/solution_change.hpp"

namespace enfold::app {

/// The family A + r·B, r ≥ 0, of which the frontier is asked.
struct MatrixPair {
  MatrixXd P;  ///< n × n; A
  MatrixXd Q;  ///< n × n; B
};

enum class SecondVerdict {
  kFrontier,   ///< P for 0 ≤ r < r_frontier, and not at r_frontier
  kNever,      ///< P for every r ≥ 0
  kNotAtZero,  ///< A itself is not P
  kNotProved,  ///< n above the limit, or rounding hides the answer
};

/// The smallest r ≥ 0 at which A + r·B is not a P-matrix.
struct SecondFrontier {
  SecondVerdict verdict = SecondVerdict::kNotProved;
  double r = 0.0;              ///< of kFrontier; dimensionless
  std::vector<Index> indices;  ///< S with det (A + r·B)_SS = 0
  std::string reason;          ///< in words; indices count from 1
};

/// Everything that `enfold lcp` finds out.
struct LcpReport {
  MatrixXd A;
  std::optional<VectorXd> b;
  lcp::MatrixClassification classes;
  // Only with b:
  lcp::EnumerationResult all;
  lcp::LcpSolution lemke;
  lcp::SolutionChange change;
  bool infeasible = false;  ///< Lemke's ray proves that no x ≥ 0 has Ax + b ≥ 0
  std::string
      verdict;  ///< `no solution`, `one solution`, `3 solutions`, `infinitely many solutions` or `not proved`
  std::string verdict_reason;
  // Only with --second:
  std::optional<SecondFrontier> second;
};

[[nodiscard]] LcpReport make_lcp_report(const MatrixXd& A, const std::optional<VectorXd>& b);

/// The lines of the report, as printed.
[[nodiscard]] std::vector<std::string> lcp_report_lines(const LcpReport& report);

/// The report as a JSON document; indices count from 1, what is not known is null.
[[nodiscard]] std::string lcp_report_json(const LcpReport& report);

}  // namespace enfold::app
