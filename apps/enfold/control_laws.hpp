// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "enfold/control/controller.hpp"
#include "enfold/control/plan.hpp"
#include "enfold/controllers/grasp_law.hpp"
#include "enfold/io/scenario.hpp"

namespace enfold::app {

/// What a law is made of: what it knows of the world, what it shall do, and its gains.
struct LawParts {
  controllers::WholeArmModel model;
  std::shared_ptr<const control::Trajectory> trajectory;
  std::shared_ptr<const control::Plan> plan;
  io::ControllerSpec spec;
};

/// A law that controller.type may name. Its keys are in io::controller_types().
struct ControlLaw {
  std::string_view type;
  std::shared_ptr<control::Controller> (*make)(const LawParts& parts);
};

/// All of them: a row for each.
[[nodiscard]] const std::vector<ControlLaw>& control_laws();

/// The law that parts.spec.type names. Throws InvalidArgument if there is none, or as its constructor does.
[[nodiscard]] std::shared_ptr<control::Controller> make_law(const LawParts& parts);

}  // namespace enfold::app
