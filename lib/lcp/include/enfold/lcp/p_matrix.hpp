// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "enfold/base/types.hpp"

namespace enfold::lcp {

/// Whether A is a P-matrix: det A_SS > 0 for every non-empty S, that is, LCP(A, b) has exactly one solution
/// for every b. [Cottle 1992]
enum class PMatrixStatus : std::uint8_t {
  kNotRun,
  kP,          ///< every principal minor is positive
  kNotP,       ///< `witness` is a principal minor ≤ 0
  kUndecided,  ///< a minor is zero to rounding, or n is above the exact limit and the cheap tests are silent
};

[[nodiscard]] constexpr std::string_view to_string(PMatrixStatus status) {
  switch (status) {
    case PMatrixStatus::kNotRun:
      return "not run";
    case PMatrixStatus::kP:
      return "P-matrix";
    case PMatrixStatus::kNotP:
      return "not a P-matrix";
    case PMatrixStatus::kUndecided:
      return "undecided";
  }
  return "unknown";
}

/// How the status was found.
enum class PMatrixMethod : std::uint8_t {
  kNone,                ///< no test decided
  kMinors,              ///< all 2ⁿ − 1 principal minors
  kPositiveDefinite,    ///< (A + Aᵀ)/2 is positive definite
  kDiagonallyDominant,  ///< positive diagonal, strictly dominant by rows or by columns
  kDiagonal,            ///< a diagonal entry ≤ 0
  kMinorsOfSizeTwo,     ///< a 2 × 2 principal minor ≤ 0
};

/// A principal minor det A_SS and its index set S, ascending.
struct PrincipalMinor {
  double value = std::numeric_limits<double>::quiet_NaN();
  std::vector<Index> indices;
};

struct PMatrixOptions {
  /// All minors are computed for n ≤ exact_limit; above it only tests of cost O(n³) are made. 0 … 20.
  Index exact_limit = 16;

  /// A minor is trusted as it comes out of the recursion if |det A_SS| > sign_tol · H, with Hadamard's bound
  /// H = min(∏‖rows‖, ∏‖columns‖); others get a determinant of their own with an error bound. 1e-13 … 1e-8.
  double sign_tol = 1e-12;
};

struct PMatrixResult {
  PMatrixStatus status = PMatrixStatus::kNotRun;
  PMatrixMethod method = PMatrixMethod::kNone;

  /// The smallest of all principal minors; NaN and empty unless method is kMinors or n is within the exact
  /// limit.
  PrincipalMinor smallest;

  /// If kNotP, the first minor ≤ 0: fewest indices first, then the set that comes first in the order of the
  /// binary number Σ 2^i. If kUndecided within the limit, the first minor whose sign rounding hides.
  PrincipalMinor witness;
};

/// Tests matrices of size ≤ n_max; allocates nothing after construction.
///
/// Within the limit by the recursion on Schur complements: with pivot a = A_11,
///
///     det A_S = det B_S (1 ∉ S),    det A_S = a · det C_{S∖1} (1 ∈ S),    B = A_22,    C = A_22 − A_21 A_12
///     / a,
///
/// O(2ⁿ) in all, down to leaves of three indices. Branches with a pivot that is zero or small are computed by
/// determinants.   [Tsatsomeros & Li 2000]
class PMatrixTester {
 public:
  /// @pre n_max ≥ 0, 0 ≤ exact_limit ≤ 20 (throws InvalidArgument)
  explicit PMatrixTester(Index n_max, const PMatrixOptions& options = {});

  /// The result stays valid until the next call. @pre A is square, finite, n ≤ n_max (throws InvalidArgument)
  const PMatrixResult& test(const MatrixXd& A);

  /// As test, for the status alone: the cheap tests come first at every n, and the recursion stops at the
  /// first minor that is certainly ≤ 0. `smallest` stays NaN, minors() stays empty and `witness` is any minor
  /// that refutes. Never less decided than test: a sufficient test can prove what rounding hides from minors.
  const PMatrixResult& decide(const MatrixXd& A);

  /// All principal minors of the last matrix given to test within the limit: entry Σ_{i∈S} 2^i holds det
  /// A_SS; entry 0 is 1.
  [[nodiscard]] const std::vector<double>& minors() const { return minors_; }

 private:
  void start(const MatrixXd& A);
  void copy_padded(const MatrixXd& A);
  void compute_minors();
  void judge_minors();
  void search_refutation();
  [[nodiscard]] bool decide_cheaply(const MatrixXd& A);
  [[nodiscard]] bool refuted_cheaply(const MatrixXd& A);
  [[nodiscard]] bool positive_definite(const MatrixXd& A);
  void set_minor(PrincipalMinor& minor, double value, std::uint32_t mask) const;

  PMatrixOptions options_;
  Index n_max_;
  Index n_ = 0;
  PMatrixResult result_;
  std::vector<double> minors_;
  std::vector<double> bounds_;    // tables of Hadamard's bounds
  std::vector<double> matrices_;  // A by rows, then one Schur complement per level
  std::vector<double> cholesky_;
};

/// Tests one matrix with a tester of its own. @pre A is square and finite (throws InvalidArgument)
[[nodiscard]] PMatrixResult test_p_matrix(const MatrixXd& A, const PMatrixOptions& options = {});

/// The 2ⁿ − 1 principal minors of A: entry Σ_{i∈S} 2^i − 1 is det A_SS. @pre square, finite, n ≤ 20 (throws
/// InvalidArgument)
[[nodiscard]] VectorXd principal_minors(const MatrixXd& A);

/// The indices i with bit i set in `mask`, ascending: the set S behind an entry of the minors.
[[nodiscard]] std::vector<Index> index_set(std::uint32_t mask);

}  // namespace enfold::lcp
