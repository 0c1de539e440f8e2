// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "enfold/loop/held_grasp.hpp"

namespace enfold::loop {

/// Small motions and forces of a grasp around a configuration where it rests under a torque.
/// [eq:linear-plant]
///
///     ẋ = A x + B δτ,   δλ = C x + D δτ,   x = [z ; ż],   δq = Z z
///     A = [0 I ; S 0],  B = [0 ; R],   S = L ∂v̇/∂q Z,   R = L ∂v̇/∂τ,   L Z = I
///
/// z = [ξ ; η]: coordinates of the object and self-motions of the arms. At constant torque the forces turn
/// with the pose, so that S is not zero although nothing is elastic: a stiffness of the size of a squeeze
/// over the object's mass and radius, of either sign. ż is absent in the acceleration: Coulomb's friction in
/// a declared direction does not depend on speed, and h is quadratic in it.
struct LinearPlant {
  MatrixXd A, B, C, D;             ///< forces are [λ_N ; λ_T], 2 n_C
  MatrixXd Z;                      ///< n_v × m
  MatrixXd L;                      ///< m × n_v
  std::vector<Index> coordinates;  ///< numbers of the object's velocities that are ξ
  HeldForces at;                   ///< at the configuration itself
  double error = 0.0;              ///< of the entries of S, estimated
  [[nodiscard]] Index m() const { return Z.cols(); }
  [[nodiscard]] MatrixXd stiffness() const { return A.bottomLeftCorner(m(), m()); }  ///< S [1/s²]
};

/// Z of a held grasp, its left inverse and its coordinates.
struct HeldMotion {
  MatrixXd Z, L;
  std::vector<Index> coordinates;
};
/// @pre the coordinates tell the object's motion (throws InvalidArgument)
[[nodiscard]] HeldMotion held_motion(const HeldGrasp& grasp);

/// @pre those of held_forces() and held_motion() (throws InvalidArgument)
[[nodiscard]] LinearPlant linear_plant(const HeldGrasp& grasp, const VectorXd& tau);

/// The configuration that a small motion z leads to, with its gaps closed again.
[[nodiscard]] VectorXd moved(const HeldGrasp& grasp, const HeldMotion& motion, const VectorXd& z);

}  // namespace enfold::loop
