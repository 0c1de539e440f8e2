// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "enfold/io/scenario.hpp"
#include "enfold/uniqueness/certify.hpp"

namespace enfold::app {

/// What one design parameter does to uniqueness at one instant of the planned motion.
struct DesignChange {
  std::string parameter;  ///< as in the scenario: contacts.left.distal.mu, hand.palm_width_m, …
  std::string unit;       ///< empty for μ
  double value = 0.0;     ///< present; of a pose, the planned one at this instant
  /// ∂ρ/∂p of the friction margin; absent if the design is not unique, or the margin unbounded.
  std::optional<double> margin_derivative;
  /// ∂r/∂p of the factor r at which r·μ loses uniqueness; absent if there is none.
  std::optional<double> scale_derivative;
  /// Where the design is not unique: the nearest value of this parameter alone, within half to twice of it
  /// (or ±0.1 m and ±45° of the pose), at which it is; absent if there is none.
  std::optional<double> restores_at;
  double effect = 0.0;  ///< what the list is ranked by: change of ρ (or of r) per 1 % (1 mm, 1° of the pose)
};

/// Every μ, link length, the palm width, every axis of the object and the pose, the most effective first:
/// those that restore uniqueness with the smallest relative change, then by `effect`. Without a hand every μ.
/// Throws ScenarioError as make_setup does.
[[nodiscard]] std::vector<DesignChange> rank_design_changes(
    const io::Scenario& scenario, double t,
    uniqueness::SlipDirections slip = uniqueness::SlipDirections::kDeclared);

}  // namespace enfold::app
