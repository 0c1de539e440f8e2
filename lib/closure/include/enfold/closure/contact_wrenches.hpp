// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/contact/contact_set.hpp"

namespace enfold::closure {

/// The wrenches that frictional point contacts can exert on the object: one column for each edge of a
/// friction cone, at a normal force of 1 N.                                            [eq:contact-wrenches]
///
///     w_O = W λ,   λ ≥ 0,   W_j = [ n + μ t_j ; p × (n + μ t_j) ]
///
/// In the plane a cone has two edges (one if μ = 0) and is exact; in space it is a pyramid inside the round
/// cone. Forces first, then moments about the reference point, [N] and [N·m] per newton of normal force.
struct ContactWrenches {
  MatrixXd W;                     ///< n_w × n_g
  std::vector<Index> contact_of;  ///< n_g, ascending
  Index n_contacts = 0;
  Index n_force = 2;  ///< entries of a wrench that are forces
  /// Moments are divided by this length wherever wrenches of different kinds are compared [m].
  double length = 1.0;

  [[nodiscard]] Index n_w() const { return W.rows(); }
  [[nodiscard]] Index n_g() const { return W.cols(); }
  /// W with its moments divided by `length`, all in [N].
  [[nodiscard]] MatrixXd scaled() const;
  /// The scale of each entry of a wrench: 1 of a force, 1/length of a moment.
  [[nodiscard]] VectorXd scales() const;
};

/// Points and unit normals (into the object) in d = 2 or 3 dimensions, one column each, moments about
/// `about`. The length is the largest distance of a point from there, as is usual; at least 1e-9 m.
/// @param edges of each friction cone in space, 3 or more; in the plane there are two
/// @pre sizes agree, normals have unit length, μ ≥ 0 (throws InvalidArgument)
[[nodiscard]] ContactWrenches contact_wrenches(const MatrixXd& points, const MatrixXd& normals,
                                               const VectorXd& mu, const VectorXd& about, Index edges = 8);

/// The contacts of a grasp, from the first n_x rows of W_N and W_T: about the object's centre of mass.
/// @param n_force of the n_x coordinates that are translations
/// @pre one tangent per contact, sizes agree, length > 0 (throws InvalidArgument)
[[nodiscard]] ContactWrenches contact_wrenches(const contact::ContactKinematics& kinematics,
                                               const VectorXd& mu, Index n_x, Index n_force, double length);

}  // namespace enfold::closure
