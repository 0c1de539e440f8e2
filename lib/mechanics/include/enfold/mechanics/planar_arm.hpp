// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/geometry/convex_curve.hpp"

namespace enfold::mechanics {

/// A link of a planar serial arm, straight or a circular arc. Its frame sits at its joint, x along the link.
struct PlanarLink {
  std::string name;
  double length = 0.0;              ///< joint to tip [m]
  double mass = 0.0;                ///< [kg]
  double inertia = 0.0;             ///< about the centre of mass [kg·m²]
  Vector2d com = Vector2d::Zero();  ///< centre of mass in the link frame [m]
  double radius = 0.0;              ///< half thickness: 0 for a line, otherwise a capsule [m]
  /// Of a curved link: how far the middle of the arc from joint to tip stands out towards the object; < 0:
  /// hollow [m].
  double bulge = 0.0;
};

/// A serial arm with revolute joints on the palm.
struct PlanarArm {
  std::string name;
  Vector2d base = Vector2d::Zero();                    ///< first joint [m]
  geometry::Side object_side = geometry::Side::kLeft;  ///< looking from joint to tip
  std::vector<PlanarLink> links;
};

/// Position, velocity and velocity-product acceleration of a link's joint, and its direction.
struct LinkMotion {
  Vector2d p;       ///< joint position [m]
  Vector2d p_dot;   ///< joint velocity [m/s]
  Vector2d p_bias;  ///< joint acceleration at θ̈ = 0 [m/s²]
  Vector2d d;       ///< unit vector joint → tip
  double psi;       ///< absolute angle [rad]
  double psi_dot;   ///< absolute angular velocity [rad/s]
};

}  // namespace enfold::mechanics
