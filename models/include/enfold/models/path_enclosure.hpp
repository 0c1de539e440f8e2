// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "enfold/contact/contact_mode.hpp"
#include "enfold/models/grasp_model.hpp"
#include "enfold/models/pose_path.hpp"
#include "enfold/uniqueness/family_enclosure.hpp"

namespace enfold::models {

/// What holds the contact matrix on a whole stretch of a path of the object, rounding included.
/// [eq:path-enclosure]
///
///     A(s) ∈ A(m) + A′([s₀, s₁])(s − m),   x = x(s) a PosePath
///
/// The chain from the pose to A₀ and A₁ (joint angles, contact points, M, W, the Schur complements of rolling
/// contacts) is evaluated with its derivative by s in interval arithmetic. The joint angles, for which the
/// hand closes, are held by an interval Newton step that proves that there is exactly one in its interval;
/// where the path has pieces, A′ holds the derivatives of all that the stretch meets. The sign of the planned
/// slip is that of W_Tᵀ dq/ds, for a motion along s ↑; where its enclosure holds 0 the contact may turn.
///
/// For arms of straight links on an ellipse or a circle, one contact on the face of each link; contacts on
/// half-planes as well.
class PathEnclosure {
 public:
  /// @param modes declared; the direction of sliding contacts does not matter
  /// @pre one mode per contact, path not null (throws InvalidArgument)
  PathEnclosure(GraspModel model, std::vector<contact::ContactMode> modes,
                std::shared_ptr<const PosePath> path);
  /// Along a straight line.
  PathEnclosure(GraspModel model, std::vector<contact::ContactMode> modes, const VectorXd& from,
                const VectorXd& to);

  /// Whether shapes and contacts are those above: else over() gives nothing.
  [[nodiscard]] bool available() const;

  /// Rows are the contacts that are not open. Nothing where the hand can't be proved to close all along, a
  /// matrix to be regular, or where shapes or contacts are others.
  /// @pre u_0 ≤ u_1, the path's parameter (throws InvalidArgument)
  [[nodiscard]] std::optional<uniqueness::FamilyEnclosure> over(double u_0, double u_1) const;

 private:
  GraspModel model_;
  std::vector<contact::ContactMode> modes_;
  std::shared_ptr<const PosePath> path_;
};

}  // namespace enfold::models
