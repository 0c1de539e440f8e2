// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "enfold/control/plan.hpp"
#include "enfold/io/scenario.hpp"
#include "enfold/models/pose_path.hpp"

namespace enfold::app {

/// The desired motion that the scenario's task tells; of a unique_path the straight line between its ends.
[[nodiscard]] std::shared_ptr<const control::Trajectory> told_trajectory(const io::TrajectorySpec& spec);

/// Its path, for proofs about stretches of it; u = path_parameter(t). Of a path with rests the first leg.
[[nodiscard]] std::shared_ptr<const models::PosePath> told_path(const io::TrajectorySpec& spec,
                                                                const control::Trajectory& told);

/// What holds the path's parameter at a time from the start to the end.
[[nodiscard]] interval::Interval path_parameter(const io::TrajectorySpec& spec,
                                                const control::Trajectory& told, double t);

/// How far each coordinate moves on the way: largest minus smallest.
[[nodiscard]] VectorXd told_range(const io::TrajectorySpec& spec, const control::Trajectory& told);

}  // namespace enfold::app
