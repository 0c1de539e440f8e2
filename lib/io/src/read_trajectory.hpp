// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "enfold/io/scenario.hpp"
#include "table.hpp"

namespace enfold::io {

/// A whole pose: x_m, y_m and an angle.
[[nodiscard]] PoseSpec read_pose(const Field& field, std::string_view section = "pose");

/// task.trajectory. @param coordinates that the task names; empty: all
[[nodiscard]] TrajectorySpec read_trajectory(const Field& field, const std::vector<std::string>& coordinates);

}  // namespace enfold::io
