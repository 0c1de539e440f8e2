// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/base/types.hpp"
#include "enfold/grasp/grasp_matrices.hpp"

namespace enfold::closure {

/// Principal axes: the image of the unit ball of joint rates (or torques) in the space of the object.
struct Ellipsoid {
  MatrixXd axes;  ///< n_x × freedoms, unit columns with rotations multiplied (moments divided) by the length
  VectorXd radii;  ///< decreasing
  [[nodiscard]] Index freedoms() const { return radii.size(); }
  /// Product of the radii: Yoshikawa's measure.
  [[nodiscard]] double measure() const { return radii.size() == 0 ? 0.0 : radii.prod(); }
  /// Smallest over largest radius, 0 … 1.
  [[nodiscard]] double isotropy() const {
    return radii.size() == 0 || radii[0] == 0.0 ? 0.0 : radii[radii.size() - 1] / radii[0];
  }
};

/// Manipulability and force ellipsoids of a grasp with its contacts kept.                  [eq:ellipsoids]
///
///     {ẋ : G̃ᵀẋ = J̃θ̇, ‖θ̇‖ ≤ 1},   {w : wᵀẋ = τᵀθ̇ for all such motions, ‖τ‖ ≤ 1}
///
/// For J̃ square the second is w = H̃ᵀτ, H̃ = J̃⁻¹G̃ᵀ. Both have the same axes and reciprocal radii: where the
/// hand moves the object fast, it is weak. Without friction: sliding costs force that depends on the squeeze.
struct GraspEllipsoids {
  Ellipsoid velocity;  ///< radii [m/s per rad/s], rotations times the length
  Ellipsoid force;     ///< radii [N per N·m], moments divided by the length
  /// Object motions that the joints do not move: with locked joints the object is free there.
  Index free_motions = 0;
};

/// @param n_force translations among the n_x coordinates; the others are rotations
/// @pre length > 0 (throws InvalidArgument)
[[nodiscard]] GraspEllipsoids grasp_ellipsoids(const grasp::GraspMatrices& grasp, Index n_force,
                                               double length);

}  // namespace enfold::closure
