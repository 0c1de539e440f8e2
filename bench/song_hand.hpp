// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "enfold/base/types.hpp"
#include "enfold/contact/planar_contact_set.hpp"

namespace enfold::bench {

/// Friction coefficient at all contacts of Example 1.
inline constexpr double kMu = 0.1;

/// The hand and ellipse of S4, Example 1, closed on the object, with torques that hold it at rest, and a
/// velocity that turns it with every contact sliding.
struct SettledGrasp {
  std::shared_ptr<const mechanics::PlanarGraspMechanism> mechanism;
  std::shared_ptr<const contact::PlanarContactSet> contacts;
  VectorXd q;         ///< [x, y, φ, θ_1 … θ_4]
  VectorXd v;         ///< object turning counter-clockwise at 0.5 rad/s, contacts closed
  VectorXd lambda_N;  ///< squeeze, smallest entry 0.5 N
  VectorXd slip;      ///< sign of the slip of each contact when the object turns counter-clockwise
  VectorXd tau;       ///< [N·m]
};

/// Links are lines, as in S4.
[[nodiscard]] SettledGrasp settled_grasp();

}  // namespace enfold::bench
