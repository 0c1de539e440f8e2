// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "enfold/figure/figure.hpp"
#include "run_figures.hpp"

namespace enfold::app {

/// Hand and object at the samples nearest to the given times [s], all at one scale, five to a row: links,
/// joints, the object with its x axis, its desired pose dashed, friction cones of half-angle atan μ, and the
/// contact forces on the object with a key to their scale. A sample that two times share is drawn once.
/// @pre the run has a sample, `times` holds at least one, all finite (throws InvalidArgument)
[[nodiscard]] figure::Figure snapshots_figure(const RunFigureInput& in, std::span<const double> times);

/// A state of hand and object with its forces, and what stands above it. Holds a reference.
struct Scene {
  const sim::Sample* sample = nullptr;  ///< its pose, joint angles, forces; the desired pose if there is one
  figure::Label title;
};

/// The same for any states: of several runs, or several answers of one instant.
/// @pre at least one scene (throws InvalidArgument)
[[nodiscard]] figure::Figure scenes_figure(const RunFigureInput& in, std::span<const Scene> scenes);

/// One figure for each state, all of one size and scale: the frames of a film.
/// @pre at least one scene (throws InvalidArgument)
[[nodiscard]] std::vector<figure::Figure> film_figures(const RunFigureInput& in,
                                                       std::span<const Scene> scenes);

/// Start, quarters and end of a run [s]. Empty without samples.
[[nodiscard]] std::vector<double> snapshot_times(const sim::History& history);

}  // namespace enfold::app
