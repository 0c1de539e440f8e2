// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/io/scenario.hpp"
#include "table.hpp"

namespace enfold::io {

/// task.coordinates: a list of names out of x, y, phi, each once. In the order x, y, phi.
[[nodiscard]] std::vector<std::string> read_coordinates(const Field& field);

/// The end of a trajectory that tells some coordinates only: it must give those and no others, which stay as
/// in `from`.
[[nodiscard]] PoseSpec read_told_pose(const Field& field, const std::vector<std::string>& coordinates,
                                      const PoseSpec& from);

/// The scenario's stated outcome.
[[nodiscard]] ExpectSpec read_expect(const Field& field);

}  // namespace enfold::io
