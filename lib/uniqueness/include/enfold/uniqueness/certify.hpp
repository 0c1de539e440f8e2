// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

#include "enfold/base/types.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/uniqueness/friction_family.hpp"

namespace enfold::uniqueness {

/// Which slip directions a statement is about.
enum class SlipDirections : std::uint8_t {
  kDeclared,  ///< those of the family: μ ≥ 0
  kBoth,      ///< every combination: −μ ≤ μ' ≤ μ
};

/// lower ≤ μ ≤ upper, entry by entry; one entry per row, or per group.
struct FrictionBox {
  VectorXd lower;
  VectorXd upper;
};

enum class CertificateStatus : std::uint8_t {
  kNotRun,
  kCertified,  ///< A(μ) is a P-matrix for every μ of the box
  kRefuted,    ///< `witness` is a μ of the box whose A(μ) is not P
  kNotProved,  ///< neither; `proved_size` says what was proved
};

/// What the verdict rests on.
enum class CertificateMethod : std::uint8_t {
  kNone,
  kVertices,         ///< the vertices of the box: exact
  kUntiedCorners,    ///< groups: the vertices of the box with the groups untied, which holds the tied one
  kRoots,            ///< one group: the roots of the minors along its μ, exact
  kSubdivision,      ///< several groups: untied corners of smaller and smaller boxes that cover the box
  kColumnDominance,  ///< n above the limit: strictly dominant columns at both ends of every μ_j
  kSmallMinors,      ///< n above the limit: minors of one and two indices only
};

[[nodiscard]] std::string_view to_string(CertificateStatus status);
[[nodiscard]] std::string_view to_string(CertificateMethod method);

/// What `Certificate::smallest` is.
enum class MinorBound : std::uint8_t {
  kUnknown,     ///< not computed
  kAttained,    ///< the smallest minor over the box, at `smallest_at`
  kLowerBound,  ///< no minor over the box is smaller
};

struct CertifyOptions {
  SlipDirections slip = SlipDirections::kDeclared;

  /// Families with n > limit get cheap tests only; the cost is O(4ⁿ). 0 … 14.
  Index limit = 10;

  /// Subdivision gives up after this many boxes; the status becomes kNotProved. 1 or more.
  int max_boxes = 4096;
};

struct Certificate {
  CertificateStatus status = CertificateStatus::kNotRun;
  CertificateMethod method = CertificateMethod::kNone;
  FrictionBox box;  ///< per row, as judged: clipped at 0, or [−μ, μ]

  /// If certified: the smallest principal minor over the box, in the sense of `bound`.
  MinorBound bound = MinorBound::kUnknown;
  lcp::PrincipalMinor smallest;
  VectorXd smallest_at;  ///< per row; where the bound is attained, if it is

  /// If refuted: a μ of the box (per row) and a minor ≤ 0 there. If not proved because rounding hides the
  /// sign of a minor: where, and which.
  VectorXd witness;
  lcp::PrincipalMinor witness_minor;

  /// All minors of at most this many indices are proved positive over the whole box; n if certified.
  Index proved_size = 0;
};

/// Whether A(μ) is a P-matrix for all μ of a box of independent coefficients.            [eq:box-certificate]
///
///     A(μ) is P for all μ ∈ [l, u]   ⇔   A(μ) is P at the 2ⁿ vertices,
///
/// because column j is affine in μ_j alone: every principal minor is affine in each μ_j and has its minimum
/// over the box at a vertex. Coefficients that do not enter have no vertices. The box is clipped at μ = 0;
/// with SlipDirections::kBoth it is [−u, u], which holds every combination of slip directions.
/// @pre sizes agree; lower ≤ upper, upper ≥ 0, all finite (throws InvalidArgument)
[[nodiscard]] Certificate certify(const FrictionFamily& family, const FrictionBox& box,
                                  const CertifyOptions& options = {});

/// The same with one coefficient per group; rows without a group keep their `mu_0` (per row). The vertices of
/// the untied box are sufficient. Where they fail, one group is decided by the roots along it, several by
/// subdivision. With SlipDirections::kBoth the signs untie the group and the vertices are exact again.
[[nodiscard]] Certificate certify(const FrictionFamily& family, const FrictionGroups& groups,
                                  const VectorXd& mu_0, const FrictionBox& box,
                                  const CertifyOptions& options = {});

}  // namespace enfold::uniqueness
