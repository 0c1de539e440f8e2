// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/uniqueness/friction_family.hpp"

namespace enfold::uniqueness {

/// How the P property fares along a ray.
enum class FrontierStatus : std::uint8_t {
  kNotRun,
  kCrossing,     ///< P up to `r`, where a minor changes sign; touches apart
  kTouchOnly,    ///< P on the whole ray, but for the points where a minor touches zero
  kNone,         ///< P on the whole ray, up to `proved_to`
  kNotPAtStart,  ///< a minor is ≤ 0 at r = 0
  kUndecided,    ///< a minor at r = 0 is zero to rounding
  kTooLarge,     ///< n is above the limit: only `proved_to` and `refuted_at` were computed
};

[[nodiscard]] constexpr std::string_view to_string(FrontierStatus status) {
  switch (status) {
    case FrontierStatus::kNotRun:
      return "not run";
    case FrontierStatus::kCrossing:
      return "crossing";
    case FrontierStatus::kTouchOnly:
      return "touch only";
    case FrontierStatus::kNone:
      return "none";
    case FrontierStatus::kNotPAtStart:
      return "not P at start";
    case FrontierStatus::kUndecided:
      return "undecided";
    case FrontierStatus::kTooLarge:
      return "too large";
  }
  return "unknown";
}

struct FrontierOptions {
  /// Rays of matrices with n > exact_limit get tests of cost O(n³) only; the exact cost is O(2ⁿ n³). 0 … 16.
  Index exact_limit = 12;

  /// Only 0 ≤ r ≤ r_max is looked at. In units of r; above 0.
  double r_max = std::numeric_limits<double>::infinity();

  /// Sets S and T fail together if |r_S − r_T| ≤ tie_tol · max(u, r), u = max|P|/max|Q|. Dimensionless; 1e-12
  /// … 1e-6.
  double tie_tol = 1e-9;

  /// A minimum of a minor is a touch if |det| ≤ touch_tol · H, with Hadamard's bound H = ∏‖columns‖.
  /// Dimensionless; 1e-15 … 1e-9.
  double touch_tol = 1e-13;
};

/// A minor that reaches zero without changing its sign.
struct Touch {
  double r = std::numeric_limits<double>::quiet_NaN();
  std::vector<Index> indices;  ///< S, ascending
};

struct Frontier {
  FrontierStatus status = FrontierStatus::kNotRun;

  /// Where P is lost: the root for kCrossing, 0 for kNotPAtStart and kUndecided, else infinite.
  double r = std::numeric_limits<double>::infinity();

  /// The set whose minor fails at r: fewest indices first, then the smallest binary number Σ 2^i. For
  /// kNotPAtStart and kUndecided the set of the P-test.
  std::vector<Index> indices;

  /// The other sets that fail at the same r, in the same order.
  std::vector<std::vector<Index>> ties;

  /// Touches at r' < r, in order of r'. There A is not P though it is on both sides.
  std::vector<Touch> touches;

  /// No sign change below this r: r itself, or less if rounding hides the sign of a minor from there on.
  /// If kTooLarge: the symmetric part of P + r Q is positive definite up to here.
  double proved_to = 0.0;

  /// If kTooLarge: not P from here on, since a minor of one or two indices vanishes; infinite if none does.
  /// Else r.
  double refuted_at = std::numeric_limits<double>::infinity();
};

/// The smallest r ≥ 0 at which P + r Q stops being a P-matrix.                              [eq:frontier]
///
///     det(P_SS + r Q_SS) = det P_SS · det(I + r P_SS⁻¹ Q_SS) = 0   ⇔   r = −1/eig(P_SS⁻¹ Q_SS)
///
/// for every index set S; P_SS is regular because P is a P-matrix. Eigenvalues that are zero to rounding, up
/// to 1e-14 of the matrix's norm, are roots at infinity, so that a singular Q or zero columns need no care.
/// The eigenvalues are only where to look: each root is bracketed and polished by bisection on the
/// determinant in extended precision, to 1e-12 relative or better, and a root without a change of sign is
/// told apart by the minimum of the minor.
/// @pre P and Q are square, of one size and finite; options in range (throws InvalidArgument)
[[nodiscard]] Frontier frontier(const MatrixXd& P, const MatrixXd& Q, const FrontierOptions& options = {});

/// Along μ = μ₀ + r d, any signs of d: P = A(μ₀), Q = A₁ diag(d). Negative coefficients are met if d leads
/// there; r_max stops before.                                                               [eq:frontier]
/// @pre sizes agree, entries are finite (throws InvalidArgument)
[[nodiscard]] Frontier frontier(const FrictionFamily& family, const VectorXd& mu_0, const VectorXd& d,
                                const FrontierOptions& options = {});

/// Along a direction given per group; rows without a group keep their μ₀. `mu_0` is per row.
[[nodiscard]] Frontier frontier(const FrictionFamily& family, const FrictionGroups& groups,
                                const VectorXd& mu_0, const VectorXd& d_group,
                                const FrontierOptions& options = {});

}  // namespace enfold::uniqueness
