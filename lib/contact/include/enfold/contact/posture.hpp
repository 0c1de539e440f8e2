// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "enfold/contact/planar_contact_set.hpp"

namespace enfold::contact {

/// Joint angles that make every contact of a hand, and how good they are.
struct Posture {
  VectorXd theta;  ///< n_θ [rad]
  /// Smallest distance of a contact from an end of its part of the link, over the link's length; 0.5 is
  /// mid-link.
  double edge_margin = 0.0;
  /// Smallest over largest singular value of ∂φ/∂θ of an arm: 0 where a contact's gap can't be moved.
  double conditioning = 0.0;
  /// Smallest distance from the object of a link that has no contact [m]; infinite if there is none.
  double clearance = 0.0;
  double largest_turn = 0.0;  ///< largest |θ| of a joint that is not an arm's first [rad]
  /// Product over the arms of 2·edge_margin, conditioning, 1 − largest_turn/π, and clearance/(clearance + 2 %
  /// of the object's size): 0 … 1, larger is better.
  double score = 0.0;
};

struct PostureOptions {
  int starts = 64;           ///< of each arm, from which a solution is looked for
  int max_postures = 8;      ///< of the whole hand, and of each arm
  double gap_tol = 1e-11;    ///< a contact is made if |φ| is below this [m]
  double same_angle = 1e-3;  ///< two postures closer than this are one [rad]
  std::uint64_t seed = 1;    ///< of the starts
};

/// What a search found.
struct PostureSearch {
  std::vector<Posture> postures;  ///< best first; empty if some arm has none
  Closure failure;  ///< if there is none: which contact or link fails, by how much, and why, in words

  [[nodiscard]] bool found() const { return !postures.empty(); }
};

/// Whole-arm inverse kinematics: θ with φ_i(x, θ) = 0 for all contacts of the links, at an object pose x.
/// [eq:posture]
///
///     θ ← θ − Jᵀ(J Jᵀ + λI)⁻¹ φ,   J = ∂φ/∂θ exactly (the joint rows of W_N)
///
/// Each arm on its own, since arms meet at the object only: Newton's method with damping from many starts
/// (the tangents, then seeded random angles that curl around the object). A solution counts if every contact
/// lies on the part of the link that it may be on, and no link is inside the object. Arms with more joints
/// than contacts have families of postures: some of them are returned. Arms may cross each other.
/// @pre x has three finite entries, options > 0 (throws InvalidArgument)
[[nodiscard]] PostureSearch find_postures(const PlanarContactSet& contacts, const VectorXd& x,
                                          const PostureOptions& options = {});

}  // namespace enfold::contact
