// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/contact/planar_contact_set.hpp"
#include "enfold/io/scenario.hpp"
#include "enfold/mechanics/load.hpp"
#include "enfold/mechanics/planar_grasp_mechanism.hpp"

namespace enfold::models {

/// A scenario's hand, object and contacts as objects that compute. Const, and shared by the planner, the
/// controller and the simulator, which run on the same mechanism.
struct GraspModel {
  std::shared_ptr<const mechanics::PlanarGraspMechanism> mechanism;
  std::shared_ptr<const contact::PlanarContactSet> contacts;
  VectorXd mu;           ///< friction coefficients, n_C, in the scenario's order of contacts
  VectorXd restitution;  ///< of impacts, n_C
  std::shared_ptr<const mechanics::Load> load;  ///< on the object, from outside; null if there is none
};

/// Throws ScenarioError that names what can't be built.
[[nodiscard]] GraspModel make_grasp_model(const io::Scenario& scenario);

/// The smooth shape that a scenario names. Throws ScenarioError with the known names if there is none.
[[nodiscard]] std::shared_ptr<const geometry::ConvexCurve> make_shape(const io::ShapeSpec& shape);

/// Names that make_shape() knows.
[[nodiscard]] std::vector<std::string> shape_names();

}  // namespace enfold::models
