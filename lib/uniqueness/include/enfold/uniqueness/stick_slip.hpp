// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "enfold/contact/contact_mode.hpp"
#include "enfold/contact/contact_set.hpp"
#include "enfold/lcp/lcp_problem.hpp"

namespace enfold::uniqueness {

/// The full problem of contacts that may stick or begin to slip.                          [eq:stick-slip]
///
/// Contacts in mode kRoll are at zero slip; Coulomb's law for them is, with λ_T = λ⁺ − λ⁻ and the slip
/// acceleration's size σ,
///
///     0 ≤ φ̈_N              ⊥ λ_N ≥ 0,
///     0 ≤ σ + φ̈_T          ⊥ λ⁺  ≥ 0,
///     0 ≤ σ − φ̈_T          ⊥ λ⁻  ≥ 0,
///     0 ≤ μ λ_N − λ⁺ − λ⁻  ⊥ σ   ≥ 0.
///
/// The rows of σ have a zero diagonal: the matrix is never P, whatever the friction. It is copositive if μ ≥
/// 0 and the sliding contacts leave the normal block so; then Lemke's path ends in a solution whenever b
/// allows one for all larger b.
struct StickSlipProblem {
  lcp::LcpProblem lcp;          ///< x = [λ_N (n); λ⁺ (r); λ⁻ (r); σ (r)]
  std::vector<Index> contacts;  ///< n; those that are not open
  std::vector<Index> sticking;  ///< r; those in mode kRoll
};

/// @param force  Bτ − h, n_v: what acts beside the contacts
/// @pre one tangent per contact, M positive definite, sizes agree, μ ≥ 0 (throws InvalidArgument)
[[nodiscard]] StickSlipProblem stick_slip_problem(const MatrixXd& M, const VectorXd& force,
                                                  const contact::ContactKinematics& kinematics,
                                                  std::span<const contact::ContactMode> modes,
                                                  const VectorXd& mu);

/// The n × n matrix that is copositive if and only if the whole matrix of the stick/slip problem is.
///
/// With λ_T = λ⁺ − λ⁻ the terms of σ with λ^± cancel in xᵀ A x, and μ λ_N σ ≥ 0 stays: σ = 0 is the worst.
/// λ_T is free, so that the smallest value over it is a Schur complement of the symmetric part,
///
///     S = N_s − C_s R⁺ C_sᵀ,   N = W_NᵀM⁻¹W_μ,   C_s = ½(W_NᵀM⁻¹W_R + (W_RᵀM⁻¹W_μ)ᵀ),   R = W_RᵀM⁻¹W_R.
///
/// Dependent rows W_R make R singular; C_sᵀ is in its range all the same, being W_Rᵀ times something. Nothing
/// if rounding hides the rank of R.
[[nodiscard]] std::optional<MatrixXd> copositivity_core(const StickSlipProblem& problem);

}  // namespace enfold::uniqueness
