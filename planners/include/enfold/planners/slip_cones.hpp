// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "enfold/contact/contact_set.hpp"
#include "enfold/mechanics/mechanism.hpp"
#include "enfold/planners/squeeze_program.hpp"
#include "enfold/uniqueness/friction_family.hpp"

namespace enfold::planners {

/// Which way every contact slips: bit i is set if contact i has slip > 0.
using SlipPattern = std::uint32_t;

/// What is asked of a direction of travel.
struct SlipConesProblem {
  std::shared_ptr<const mechanics::Mechanism> mechanism;
  std::shared_ptr<const contact::ContactSet> contacts;  ///< all slide; as many as joints
  VectorXd mu;                                          ///< n_C
  VectorXd min_normal;                                  ///< Λ, n_C [N]
  SqueezeLimits limits;                                 ///< max_normal and max_torque; rows are not looked at
  double margin = 0.0;  ///< of friction: A is P on the cube of this half-width around μ; ≥ 0
};

/// The directions in which the object may leave a pose.                                      [eq:slip-cones]
///
///     φ̇_T = S ẋ,   S = W_Txᵀ − W_Tθᵀ W_Nθ⁻ᵀ W_Nxᵀ
///
/// The planes S_i ẋ = 0 part the directions into cones, in each of which every contact slips one way. A, and
/// the forces that a slow motion asks for, depend on pose and cone alone. A cone is *allowed* if A is a
/// P-matrix on the cube [μ − m, μ + m], and a squeeze λ ≥ Λ exists that the object does not feel. A contact
/// may turn round, from one cone into the next, if both are allowed, and if A with this contact sticking,
/// λ_T = −(D_TT)⁻¹(A_TN λ_N + b_T), is P as well: then stick, slip either way and contact forces are unique.
class SlipCones {
 public:
  /// @pre the pointers are set, sizes agree, margin ≥ 0, as many contacts as joints, at most 10 (throws
  /// InvalidArgument)
  explicit SlipCones(std::shared_ptr<const SlipConesProblem> problem);

  /// To another pose. False, and nothing else may be asked, if the hand does not close there or S does not
  /// exist.
  bool move_to(const VectorXd& x);

  [[nodiscard]] const MatrixXd& S() const { return S_; }  ///< n_C × n_x
  [[nodiscard]] SlipPattern pattern(const VectorXd& x_dot) const;
  [[nodiscard]] bool allows(SlipPattern pattern);
  /// Whether the contacts that differ may turn round, at one instant.
  [[nodiscard]] bool allows_change(SlipPattern from, SlipPattern to);
  /// Whether the direction of travel may turn from one to the other in their plane, the short way.
  [[nodiscard]] bool allows_turn(const VectorXd& from, const VectorXd& to);
  /// A(μ) of a cone, allowed or not; with `sticking` ≥ 0 that contact sticks, whatever its bit.
  [[nodiscard]] uniqueness::FrictionFamily family(SlipPattern pattern, Index sticking = -1) const;
  [[nodiscard]] bool has_squeeze(SlipPattern pattern) const;

 private:
  enum class Verdict : std::uint8_t { kUnknown, kNo, kYes };

  std::shared_ptr<const SlipConesProblem> problem_;
  MatrixXd S_;
  MatrixXd K_N_, K_T_, D_T_;    // W_Nᵀ M⁻¹ W_N, W_Nᵀ M⁻¹ W_T, W_Tᵀ M⁻¹ W_T
  MatrixXd W_N_, W_T_;          // n_v × n_C
  VectorXd h_;                  // n_v, at rest
  std::vector<Verdict> cones_;  // by pattern
};

}  // namespace enfold::planners
