// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/uniqueness/certify.hpp"
#include "enfold/uniqueness/frontier.hpp"

namespace enfold::uniqueness {

/// A frontier, and the slip directions at which it is met.
struct DirectedFrontier {
  Frontier frontier;
  VectorXd signs;  ///< per row: 1 the declared direction, −1 the other one; of `frontier.indices`
};

/// The frontier along μ = μ₀ + r d for the declared slip directions or for every combination of them.
/// [eq:frontier]
///
///     r = min_σ r_σ,   r_σ the first loss of P of A₀ + A₁ diag(σ) diag(μ₀ + r d),   σ ∈ {−1, 1}ⁿ
///
/// The rays σ∘(μ₀ + r d) are those of the vertices of the boxes [−μ, μ]: with d ≥ 0 and μ₀ ≥ 0 every
/// combination of directions is unique up to r. Ties are over all combinations, each set once. Above the
/// exact limit (of n, or of 12 rows that enter) only `refuted_at` is known for all combinations.
/// @pre as frontier()
[[nodiscard]] DirectedFrontier directed_frontier(const FrictionFamily& family, const VectorXd& mu_0,
                                                 const VectorXd& d, SlipDirections slip,
                                                 const FrontierOptions& options = {});

}  // namespace enfold::uniqueness
