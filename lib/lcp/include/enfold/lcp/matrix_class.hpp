// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "enfold/base/types.hpp"

namespace enfold::lcp {

/// Classes of square matrices that say something about LCP(A, b). [Cottle 1992]
enum class MatrixClass : std::uint8_t {
  kP,                     ///< det A_SS > 0 for every non-empty S
  kP0,                    ///< det A_SS ≥ 0 for every S
  kNondegenerate,         ///< det A_SS ≠ 0 for every S
  kPositiveDefinite,      ///< xᵀ A x > 0 for every x ≠ 0
  kPositiveSemidefinite,  ///< xᵀ A x ≥ 0 for every x
  kStrictlyCopositive,    ///< xᵀ A x > 0 for every x ≥ 0, x ≠ 0
  kCopositive,            ///< xᵀ A x ≥ 0 for every x ≥ 0
  kS,                     ///< some z > 0 has A z > 0
  kZ,                     ///< A_ij ≤ 0 for i ≠ j
  kM,                     ///< Z and P: a (non-singular) M-matrix
  kSymmetric,             ///< A = Aᵀ
};

inline constexpr std::size_t kMatrixClasses = 11;

/// The name in words, such as "copositive".
[[nodiscard]] std::string_view to_string(MatrixClass matrix_class);

/// What membership means for LCP(A, b), as a sentence without a full stop.
[[nodiscard]] std::string_view meaning_for_lcp(MatrixClass matrix_class);

/// Whether A belongs to a class. Never a guess.
enum class ClassVerdict : std::uint8_t {
  kNotRun,
  kYes,
  kNo,
  kNotProved,  ///< rounding hides a sign, or n is above the exact limit and the cheap tests are silent
};

[[nodiscard]] constexpr std::string_view to_string(ClassVerdict verdict) {
  switch (verdict) {
    case ClassVerdict::kNotRun:
      return "not run";
    case ClassVerdict::kYes:
      return "yes";
    case ClassVerdict::kNo:
      return "no";
    case ClassVerdict::kNotProved:
      return "not proved";
  }
  return "unknown";
}

/// One verdict with its proof.
struct ClassFinding {
  MatrixClass matrix_class = MatrixClass::kP;
  ClassVerdict verdict = ClassVerdict::kNotRun;
  std::string reason;          ///< in words; indices there count from 1
  std::vector<Index> indices;  ///< of the principal submatrix or the entry that decides; may be empty
  VectorXd witness;  ///< n; the vector that decides: x with xᵀ A x ≤ 0, or z > 0 with A z > 0; may be empty
  /// det A_SS of `indices`, xᵀ A x or min (A z)_i of `witness`, or the entry itself; NaN if nothing decides.
  double value = std::numeric_limits<double>::quiet_NaN();
};

struct MatrixClassOptions {
  /// All 2ⁿ principal submatrices are examined for n ≤ exact_limit; above it only tests of polynomial cost
  /// are made. 0 … 20; the cost is O(2ⁿ n³) at worst.
  Index exact_limit = 16;
};

struct MatrixClassification {
  Index n = 0;
  std::vector<ClassFinding> findings;  ///< one per class, in the order of MatrixClass; empty: not run

  [[nodiscard]] const ClassFinding& operator[](MatrixClass matrix_class) const& {
    return findings.at(static_cast<std::size_t>(matrix_class));
  }
  const ClassFinding& operator[](MatrixClass) && = delete;  // would dangle
  [[nodiscard]] ClassVerdict verdict(MatrixClass matrix_class) const { return (*this)[matrix_class].verdict; }
};

/// The classes to which A belongs, each with the witness that proves it.
///
/// P, P0 and non-degenerate by the signs of all principal minors, definite by those of H = (A + Aᵀ)/2.
/// Copositive: a set S with the fewest indices on which copositivity fails has [Cottle 1970, Hadeler 1983]
///
///     det H_SS < 0,   H_SS⁻¹ ≤ 0        (strictly:  det H_SS ≤ 0,   adj H_SS > 0),
///
/// so that only sets with a minor < 0 matter and x_S = −H_SS⁻¹ e > 0 gives xᵀ A x = eᵀ H_SS⁻¹ e < 0. S by the
/// value of the matrix game A, whose optimal strategies are a witness either way [Ville 1938]. Signs count
/// only when they are clear of rounding or found in exact arithmetic.
/// @pre A is square and finite, 0 ≤ exact_limit ≤ 20 (throws InvalidArgument)
[[nodiscard]] MatrixClassification classify(const MatrixXd& A, const MatrixClassOptions& options = {});

}  // namespace enfold::lcp
