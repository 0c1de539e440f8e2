// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "enfold/uniqueness/certify.hpp"
#include "enfold/uniqueness/frontier.hpp"

namespace enfold::uniqueness {

enum class MarginStatus : std::uint8_t {
  kNotRun,
  kFinite,     ///< P is lost at a vertex of the cube of half-width `half_width`
  kUnbounded,  ///< no cube is too large
  kNotP,       ///< A(μ) is not P, or A at a combination of slip directions if both are asked for
  kUndecided,  ///< a minor is zero to rounding at the start, or rounding hides it on the way
  kTooLarge,   ///< n is above the limit: `half_width` is what cheap certificates prove
};

[[nodiscard]] constexpr std::string_view to_string(MarginStatus status) {
  switch (status) {
    case MarginStatus::kNotRun:
      return "not run";
    case MarginStatus::kFinite:
      return "finite";
    case MarginStatus::kUnbounded:
      return "unbounded";
    case MarginStatus::kNotP:
      return "not P";
    case MarginStatus::kUndecided:
      return "undecided";
    case MarginStatus::kTooLarge:
      return "too large";
  }
  return "unknown";
}

struct MarginOptions {
  SlipDirections slip = SlipDirections::kDeclared;
  /// Above it cheap certificates give a lower bound; the exact cost is O(4ⁿ) and a few frontiers. 0 … 12.
  Index limit = 10;
};

/// How far a design is from the loss of uniqueness.
struct FrictionMargin {
  MarginStatus status = MarginStatus::kNotRun;
  double half_width = 0.0;     ///< ρ; if kUndecided or kTooLarge what is proved, perhaps 0
  VectorXd critical_mu;        ///< per row: the vertex at which P is lost; empty unless kFinite
  std::vector<Index> indices;  ///< the minor that fails there
  Frontier scale;  ///< along r·μ from μ = 0: uniqueness is lost at scale.r times the design's μ
  /// Per row: the direction of `scale`, μ itself; with both slip directions the signs at which it is lost
  /// first.
  VectorXd scale_direction;
};

/// The friction margin ρ: half the width of the largest certified cube around μ.       [eq:friction-margin]
///
///     ρ = sup { r : A is P on { μ' ≥ 0 : ‖μ' − μ‖_∞ ≤ r } } = min_s r_s,   s ∈ {−1, 1}ⁿ,
///
/// r_s the first r at which A loses P on the vertex's path μ_s(r) = max(0, μ + r s). For the cube of
/// half-width r is certified if and only if its vertices μ_s(r) are P (eq:box-certificate), and the cubes
/// are nested: if all vertices are P at r they are at every r' < r, hence r ≤ r_s for all s; and below
/// min_s r_s all vertices are P. So not all 2ⁿ frontiers are needed: starting from one r_s, a vertex that is
/// not P at the present ρ lowers ρ to its own r_s, until a pass over all vertices finds none. Each path is
/// straight between the places where a coefficient reaches 0.
///
/// With SlipDirections::kBoth the cube is [−(μ + r), μ + r] and the paths s∘(μ + r) have no kinks.
/// @pre μ has n finite entries ≥ 0 (throws InvalidArgument)
[[nodiscard]] FrictionMargin friction_margin(const FrictionFamily& family, const VectorXd& mu,
                                             const MarginOptions& options = {});

}  // namespace enfold::uniqueness
