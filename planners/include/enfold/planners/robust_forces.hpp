// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/planners/planned_motion.hpp"

namespace enfold::planners {

/// What a robust plan does not know: a box of friction coefficients and a box of disturbances.
struct Uncertainty {
  VectorXd mu_fraction;  ///< n_C, 0 … 1: μ_i may be anything in μ_i (1 ∓ fraction); empty: zeros
  VectorXd wrench;       ///< n_x, ≥ 0: a wrench on the object within ∓ this [N], [N·m]; empty: zeros

  /// Also for wrenches that last until the law has balanced them, with the nominal friction.
  bool held = false;

  [[nodiscard]] bool empty() const {
    return (mu_fraction.size() == 0 || mu_fraction.isZero(0.0)) && (wrench.size() == 0 || wrench.isZero(0.0));
  }
};

/// The contact forces that given torques and a wrench on the object cause, all contacts kept, affine in both.
///
///     λ = offset + by_tau τ + by_wrench d
struct CausedForces {
  MatrixXd by_tau;     ///< k × n_θ
  MatrixXd by_wrench;  ///< k × n_x
  VectorXd offset;     ///< k [N]
};

/// Forces caused at a state when the friction is not what the plan thinks.                [eq:caused-forces]
///
///     M v̇ + h = Bτ + W(μ) λ + [d ; 0],   W̃ᵀ v̇ + bias = 0
///     λ = −K⁻¹ (W̃ᵀ M⁻¹ (Bτ − h + [d ; 0]) + bias),   K(μ) = W̃ᵀ M⁻¹ W(μ)
///
/// det K(μ) = det(W_TRᵀ M⁻¹ W_TR) · det A(μ), so that K is regular on every box on which A is certified P.
/// Each λ is then a ratio of two functions affine in every μ_i, and so is μ λ_N ± λ_T of a rolling contact:
/// over the box it is smallest at a vertex. It is affine in the wrench.
class ForceCauses {
 public:
  /// @pre the motion is followed, sizes agree (throws InvalidArgument)
  void set(const MotionPoint& at, Index n_x);
  /// @param mu of all contacts; that of rolling ones does not enter
  [[nodiscard]] CausedForces at(const VectorXd& mu) const;

 private:
  const MotionPoint* motion_ = nullptr;
  Index n_x_ = 0;
  MatrixXd W_tilde_, M_inverse_;
  VectorXd bias_, free_;  // free: W̃ᵀM⁻¹h − bias
  mutable grasp::GraspMatrices grasp_;
};

}  // namespace enfold::planners
