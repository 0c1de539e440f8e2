// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "enfold/planners/slip_cones.hpp"

namespace enfold::planners::detail {

/// Some directions of one cone.
struct DirectionCone {
  SlipPattern pattern = 0;
  std::vector<VectorXd> directions;  ///< unit vectors inside: the middle first, then towards the edges
};

/// The cones into which the planes rows(i)·u = 0 part the space of directions u. An edge is where n − 1
/// planes meet; the middle of a cone is the sum of its edges.
[[nodiscard]] std::vector<DirectionCone> direction_cones(const MatrixXd& rows);

}  // namespace enfold::planners::detail
