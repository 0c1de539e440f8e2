// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "closed_loop.hpp"
#include "enfold/control/plan.hpp"

namespace enfold::app {

/// The plan as CSV: time, squeeze, forces, torques, joint angles, critical contact and its shadow price.
[[nodiscard]] std::string plan_csv(const Setup& setup, const control::Plan& plan);

}  // namespace enfold::app
