// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/contact/contact_mode.hpp"
#include "enfold/contact/contact_set.hpp"
#include "enfold/mechanics/mechanism.hpp"

namespace enfold::grasp {

/// The matrices of S4 for contacts in given modes; columns stacked [λ_NS ; λ_NR ; λ_TR] as in (4).
///
///     W = [W_μ W_NR W_TR],  W_μ = W_NS + W_TS μ_s,  μ_s = −diag(μ sign φ̇_TS)                  [eq:S4.3]
///     Wᵀ = [Gᵀ −J],  W̃ᵀ = [G̃ᵀ −J̃] without friction                                          [eq:S4.5]
///
/// k = n_S + 2 n_R. Open contacts have no column.
struct GraspMatrices {
  std::vector<Index> sliding;  ///< contact numbers of the first n_S columns
  std::vector<Index> rolling;  ///< contact numbers of the next n_R columns, and of the last n_R
  MatrixXd G;                  ///< n_x × k, with friction
  MatrixXd J;                  ///< k × n_θ, with friction
  MatrixXd G_tilde;            ///< n_x × k, frictionless
  MatrixXd J_tilde;            ///< k × n_θ, frictionless
  VectorXd bias;               ///< d(W̃ᵀ)/dt·v, k [m/s²]

  [[nodiscard]] Index n_S() const { return static_cast<Index>(sliding.size()); }
  [[nodiscard]] Index n_R() const { return static_cast<Index>(rolling.size()); }
  [[nodiscard]] Index n_C() const { return n_S() + n_R(); }
  [[nodiscard]] Index k() const { return n_S() + 2 * n_R(); }
  /// W = [G ; −Jᵀ], n_v × k.
  [[nodiscard]] MatrixXd W() const;
  /// W̃ = [G̃ ; −J̃ᵀ], n_v × k.
  [[nodiscard]] MatrixXd W_tilde() const;
};

/// Route 1: from the gradients of gap and slip. Allocates nothing if `out` holds the same modes already.
/// @pre one tangent per contact; modes and mu have n_C entries; mu ≥ 0; n_x ≤ n_v (throws InvalidArgument)
void assemble(const contact::ContactKinematics& kinematics, std::span<const contact::ContactMode> modes,
              const VectorXd& mu, Index n_x, GraspMatrices& out);

/// Route 2: from unit wrenches and arm Jacobians at the contact points, as S4 introduces G_N,i and J_N.
/// [eq:S4.6] The bias is left empty.
[[nodiscard]] GraspMatrices assemble_from_frames(const mechanics::Mechanism& mechanism,
                                                 const contact::ContactSet& contacts, const VectorXd& q,
                                                 std::span<const contact::ContactMode> modes,
                                                 const VectorXd& mu);

/// Fills `sliding` and `rolling` alone: enough to stack and spread forces.
void list_contacts(std::span<const contact::ContactMode> modes, GraspMatrices& out);

/// Spreads stacked forces [λ_NS ; λ_NR ; λ_TR] over the contacts: λ_T = −μ sign λ_N where sliding, 0 where
/// open.
/// @pre λ has k entries; modes and mu are those of the assembly (throws InvalidArgument)
void spread_forces(const GraspMatrices& grasp, std::span<const contact::ContactMode> modes,
                   const VectorXd& mu, const VectorXd& lambda, VectorXd& lambda_N, VectorXd& lambda_T);

/// The stacked forces from those of the contacts; the inverse of spread_forces on sliding and rolling
/// contacts.
/// @pre λ_N and λ_T have n_C entries, open contacts included (throws InvalidArgument)
void stack_forces(const GraspMatrices& grasp, const VectorXd& lambda_N, const VectorXd& lambda_T,
                  VectorXd& lambda);

}  // namespace enfold::grasp
