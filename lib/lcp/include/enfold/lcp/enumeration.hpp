// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/lcp/lcp_problem.hpp"

namespace enfold::lcp {

/// What is known of the whole solution set.
enum class EnumerationStatus : std::uint8_t {
  kNotRun,
  kExact,      ///< `solutions` are all solutions
  kContinuum,  ///< there are infinitely many; `solutions` are the vertices of the polyhedra they fill
  kTooLarge,   ///< n is above the limit: nothing was enumerated
  kUndecided,  ///< a basis is singular or consistent only to rounding; `solutions` are solutions, perhaps not
               ///< all
};

[[nodiscard]] constexpr std::string_view to_string(EnumerationStatus status) {
  switch (status) {
    case EnumerationStatus::kNotRun:
      return "not run";
    case EnumerationStatus::kExact:
      return "exact";
    case EnumerationStatus::kContinuum:
      return "continuum";
    case EnumerationStatus::kTooLarge:
      return "too large";
    case EnumerationStatus::kUndecided:
      return "undecided";
  }
  return "unknown";
}

struct EnumerationOptions {
  /// Problems with n > limit are not enumerated. 0 … 20; the cost is O(2ⁿ n³).
  Index limit = 10;

  /// x is a solution if ‖min(x, A x + b)‖_∞ ≤ residual_tol · max(1, ‖b‖_∞). In units of b; 1e-12 … 1e-6.
  double residual_tol = 1e-9;

  /// x and x' are one solution if ‖x − x'‖_∞ ≤ same_tol · max(1, ‖x‖_∞). In units of x; above residual_tol.
  double same_tol = 1e-7;

  /// A_SS is singular if a pivot of its complete elimination is ≤ rank_tol · ‖A‖_max; pivots up to
  /// 1000 · rank_tol · ‖A‖_max make the result kUndecided. Dimensionless; 1e-14 … 1e-10.
  double rank_tol = 1e-13;
};

/// One solution and the first complementary basis that gives it.
struct EnumeratedSolution {
  std::vector<Index> active;  ///< S, ascending: x_i = 0 for i ∉ S, y_i = 0 for i ∈ S
  VectorXd x;                 ///< n
  VectorXd y;                 ///< n; A x + b
  double residual = std::numeric_limits<double>::infinity();
};

struct EnumerationResult {
  EnumerationStatus status = EnumerationStatus::kNotRun;
  std::vector<EnumeratedSolution> solutions;  ///< in the order of the binary numbers Σ_{i∈S} 2^i
  /// Some singular basis has more than one solution, and thus a whole polyhedron of them.
  bool continuum = false;

  /// The number of solutions, if it is finite and known.
  [[nodiscard]] std::optional<Index> count() const {
    if (status != EnumerationStatus::kExact) return std::nullopt;
    return static_cast<Index>(solutions.size());
  }
};

/// All solutions of a small LCP, by trying the 2ⁿ complementary bases S:
///
///     A_SS x_S = −b_S,    x_i = 0 (i ∉ S),    x_S ≥ 0,    A x + b ≥ 0.
///
/// A singular A_SS that is consistent leaves a polyhedron without lines; its vertices and extreme rays say
/// whether it is empty, a point or a continuum. Solutions that several bases share are reported once.
/// @pre valid problem, 0 ≤ limit ≤ 20 (throws InvalidArgument)
[[nodiscard]] EnumerationResult enumerate_solutions(const LcpProblem& problem,
                                                    const EnumerationOptions& options = {});

}  // namespace enfold::lcp
