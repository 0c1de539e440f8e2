// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "enfold/uniqueness/certify.hpp"

namespace enfold::uniqueness {

/// A grasp along a motion: its family at a time, or nothing where the motion can't be followed. Rows must be
/// the same contacts at all times; slip directions may change.
using FamilyAt = std::function<std::optional<FrictionFamily>(double t)>;

/// What holds every family of a stretch of time: for each t in it, entry by entry,
///
///     |A₀(t) − Ā₀| ≤ R₀,   |σ_j A₁(t)_j − Ā₁_j| ≤ R₁_j   with σ_j = 1, or −1 as well for the rows in
///     `turns`,
///
/// the contacts whose slip may turn round in the stretch. Rounding is included in R.
struct FamilyEnclosure {
  FrictionFamily centre;    ///< Ā₀, Ā₁
  MatrixXd radius_0;        ///< R₀, n × n, ≥ 0
  MatrixXd radius_1;        ///< R₁, n × n, ≥ 0
  std::vector<bool> turns;  ///< n
};

/// An enclosure of all families from one time to another, or nothing where none can be given.
using FamilyOver = std::function<std::optional<FamilyEnclosure>(double from, double to)>;

/// The families at the corners of an enclosure, 2ⁿ⁻¹ for each combination of directions. [eq:interval-matrix]
///
///     Ā₀ − diag(z) R₀ diag(z) + (Ā₁ diag(σ) − diag(z) R₁ diag(z)) diag(μ),   z ∈ {−1, 1}ⁿ
///
/// If they are all P at some μ ≥ 0, so is A(μ) all along the stretch [Rohn & Rex 1996]: what is proved of
/// these finitely many families (a box, a region of a plane) is proved of every instant. σ runs over the
/// signs of the rows in `turns`, or of all rows that enter if both slip directions are asked for.
/// @pre sizes agree, radii ≥ 0, n ≤ 12 (throws InvalidArgument)
[[nodiscard]] std::vector<FrictionFamily> corner_families(const FamilyEnclosure& enclosure,
                                                          SlipDirections slip = SlipDirections::kDeclared);

/// The families for all combinations of slip directions: A₁'s columns with both signs, 2^(entering rows).
/// The first is the family itself. @pre at most 16 rows enter (throws InvalidArgument)
[[nodiscard]] std::vector<FrictionFamily> signed_families(const FrictionFamily& family);

}  // namespace enfold::uniqueness
