// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/contact/contact_mode.hpp"
#include "enfold/contact/contact_set.hpp"
#include "enfold/mechanics/mechanism.hpp"

namespace enfold::uniqueness {

/// The contact matrix of S4 (19) as a function of the friction coefficients; column j is affine in μ_j and
/// depends on no other.                                                                [eq:friction-family]
///
///     A(μ) = A₀ + A₁ diag(μ)
///
/// A negative μ_j is friction of the other slip direction. A column of zeros in A₁ means that μ_j does not
/// enter: so it is for a rolling contact, whose friction force is a reaction.
struct FrictionFamily {
  MatrixXd A_0;  ///< n × n [1/kg]
  MatrixXd A_1;  ///< n × n [1/kg]

  [[nodiscard]] Index size() const { return A_0.rows(); }
  /// A(μ). @pre μ has n entries (throws InvalidArgument)
  [[nodiscard]] MatrixXd A(const VectorXd& mu) const;
  /// Whether μ_j enters at all.
  [[nodiscard]] bool enters(Index j) const { return !A_1.col(j).isZero(0.0); }
};

/// @pre A₀ and A₁ are square, of one size and finite (throws InvalidArgument)
void validate(const FrictionFamily& family);

/// Contacts that share a friction coefficient: row j of the family belongs to group `group_of[j]`, or to none
/// if that is negative.
struct FrictionGroups {
  std::vector<Index> group_of;  ///< n
  Index count = 0;              ///< number of groups

  /// One value for each row from one for each group; rows without a group get `other`.
  /// @pre `values` has `count` entries, groups are below `count` (throws InvalidArgument)
  [[nodiscard]] VectorXd expand(const VectorXd& values, double other = 0.0) const;
};

/// Every row is a group of its own.
[[nodiscard]] FrictionGroups independent_groups(Index n);

enum class GraspFamilyStatus : std::uint8_t {
  kNotRun,
  kBuilt,
  kSingularMass,      ///< M is not positive definite
  kDependentRolling,  ///< the rolling rows W_TR are linearly dependent: φ̈_TR = 0 does not fix λ_TR
};

[[nodiscard]] constexpr std::string_view to_string(GraspFamilyStatus status) {
  switch (status) {
    case GraspFamilyStatus::kNotRun:
      return "not run";
    case GraspFamilyStatus::kBuilt:
      return "built";
    case GraspFamilyStatus::kSingularMass:
      return "singular mass matrix";
    case GraspFamilyStatus::kDependentRolling:
      return "dependent rolling rows";
  }
  return "unknown";
}

/// The family of a grasp, and which contact each of its rows is.
struct GraspFamily {
  GraspFamilyStatus status = GraspFamilyStatus::kNotRun;
  FrictionFamily family;        ///< empty unless built
  std::vector<Index> contacts;  ///< n; numbers of the contacts that are not open, ascending

  [[nodiscard]] bool ok() const { return status == GraspFamilyStatus::kBuilt; }
  /// The entries of a vector over all contacts that belong to the rows. @pre long enough (throws
  /// InvalidArgument)
  [[nodiscard]] VectorXd rows_of(const VectorXd& per_contact) const;
};

/// The family at one configuration, contacts in declared modes.             [eq:friction-family] [eq:S4.19]
///
///     A₀ = W_Nᵀ M⁻¹ W_N,   A₁ = −W_Nᵀ M⁻¹ W_T diag(sign φ̇_T),
///
/// and with rolling contacts, C₀ = W_TRᵀ M⁻¹ W_N, C₁ = −W_TRᵀ M⁻¹ W_T diag(sign φ̇_T), D = W_TRᵀ M⁻¹ W_TR,
/// the Schur complements A₀ − C₀ᵀ D⁻¹ C₀ and A₁ − C₀ᵀ D⁻¹ C₁ that eliminate φ̈_TR = 0. Open contacts have no
/// row.
/// @pre one tangent per contact, M is n_v × n_v, one mode per contact (throws InvalidArgument)
[[nodiscard]] GraspFamily friction_family(const MatrixXd& M, const contact::ContactKinematics& kinematics,
                                          std::span<const contact::ContactMode> modes);

[[nodiscard]] GraspFamily friction_family(const mechanics::Mechanism& mechanism,
                                          const contact::ContactSet& contacts, const VectorXd& q,
                                          std::span<const contact::ContactMode> modes);

}  // namespace enfold::uniqueness
