// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "enfold/grasp/grasp_matrices.hpp"
#include "enfold/grasp/internal_forces.hpp"

namespace enfold::grasp {

/// How a grasp moves while its contacts hold, told by some coordinates of the object. [eq:motion-coordinates]
///
///     W̃ᵀ v = 0,  S v = ξ̇      ⇒   v = T⁺ [0 ; ξ̇] + Z_η η̇,         T = [W̃ᵀ ; S],   T Z_η = 0
///     W̃ᵀ v̇ = −bias,  S v̇ = ξ̈   ⇒   v̇ = T⁺ [−bias ; ξ̈] + Z_η Z_ηᵀ a
///
/// S picks n_ξ of the object's n_x velocities. Z_η, with orthonormal columns, are the motions that leave
/// contacts and ξ alone: self-motions of arms with more joints than the grasp needs, n_η = n_v − k − n_ξ.
/// They follow a as closely as they can, in the sense of least squares over v̇. If all contacts slide, k = n_θ
/// and ξ = x, this is (8): θ̇ = J̃⁻¹ G̃ᵀ ẋ.
///
/// Allocates nothing while sizes stay the same.
class MotionCoordinates {
 public:
  /// @param coordinates numbers of the object's velocities that ξ holds
  /// @pre k + n_ξ ≤ n_v, numbers below n_x (throws InvalidArgument)
  void compute(const GraspMatrices& grasp, std::span<const Index> coordinates);

  /// The least v with W̃ᵀ v = rows and S v = xi. @pre sizes k and n_ξ (throws InvalidArgument)
  void solve(const VectorXd& rows, const VectorXd& xi, VectorXd& v) const;

  /// Adds Z_η Z_ηᵀ a to v. @pre a and v have n_v entries (throws InvalidArgument)
  void add_self_motion(const VectorXd& a, VectorXd& v) const;

  [[nodiscard]] const MatrixXd& self_motion() const { return split_.basis(); }  ///< Z_η, n_v × n_η
  [[nodiscard]] Index n_eta() const { return split_.p(); }
  /// Smallest over largest entry on the diagonal of R in Tᵀ = Q R: near 0 where T loses rank.
  [[nodiscard]] double rank_ratio() const { return split_.rank_ratio(); }

 private:
  InternalForces split_;  // the same split: of velocities instead of forces
  MatrixXd T_;
  mutable VectorXd right_, along_;
};

/// The object's part of the motions that the contacts allow.
struct ObjectFreedom {
  MatrixXd Z;       ///< orthonormal basis of null(W̃ᵀ), n_v × m
  Index rank = 0;   ///< r_x: independent motions of the object, at most min(n_x, m)
  MatrixXd free;    ///< basis of its possible velocities, n_x × r_x
  MatrixXd locked;  ///< basis of those that no motion of the hand allows, n_x × (n_x − r_x)
  /// Smallest over largest singular value of S Z_x, columns scaled by √M_o: 0 where the named coordinates
  /// depend on one another or stand still while the object moves. 1 if none is named.
  double independence = 1.0;
  VectorXd dependent;  ///< if independence is 0: Σ dependent_i ξ̇_i = 0 in every motion, n_ξ
  VectorXd unseen;     ///< the object's motion that ξ shows least, n_x
};

/// @param M_o the object's inertia, n_x × n_x: it makes lengths and angles comparable
[[nodiscard]] ObjectFreedom object_freedom(const GraspMatrices& grasp, const MatrixXd& M_o,
                                           std::span<const Index> coordinates);

/// The n coordinates that tell the object's motion best: greedily by the largest remaining velocity.
[[nodiscard]] std::vector<Index> best_coordinates(const ObjectFreedom& freedom, const MatrixXd& M_o);

/// A combination of the object's velocities in words, e.g. "0.98 x − 0.2 phi"; names may carry units ("x_m").
[[nodiscard]] std::string direction_text(const VectorXd& direction, std::span<const std::string> names);

/// Names of coordinates without their unit: x_m → x, phi_rad → phi.
[[nodiscard]] std::vector<std::string> plain_names(std::span<const std::string> names);

}  // namespace enfold::grasp
