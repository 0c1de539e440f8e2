// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>
#include <vector>

#include "enfold/figure/figure.hpp"
#include "uniqueness_study.hpp"

namespace enfold::app {

/// One map of the plane of two groups, with its title.
struct NamedMap {
  std::string title;
  const PlaneMap& map;
  const PlaneMap* proved = nullptr;  ///< of the robust set: the part that is proved for all times
};

/// P-regions side by side: exact boundary, contours of the smallest minor, number of solutions, the design
/// and its distance to the edge.
[[nodiscard]] figure::Figure maps_figure(const Setup& setup, const UniquenessStudy& study,
                                         const std::vector<NamedMap>& maps, const std::string& title);

/// Friction margin and scale factor against time; below, what is proved.
[[nodiscard]] figure::Figure margin_figure(const Setup& setup, const UniquenessStudy& study);

/// All figures of a study with their file names.
[[nodiscard]] std::vector<std::pair<std::string, figure::Figure>> uniqueness_figures(
    const Setup& setup, const UniquenessStudy& study);

}  // namespace enfold::app
