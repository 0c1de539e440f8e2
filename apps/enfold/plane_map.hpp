// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "enfold/uniqueness/p_region.hpp"
#include "grasp_path.hpp"

namespace enfold::app {

/// The smallest principal minor and the number of solutions on a grid of the window.
struct SampledMap {
  int n = 0;                      ///< points each way, at cell centres
  std::vector<double> min_minor;  ///< n × n, row by row from the lower left
  std::vector<int> solutions;     ///< −1: not counted or infinitely many; empty without b
};

/// One map of the plane of two groups.
struct PlaneMap {
  /// With both slip directions the families of an instant are those of all sign patterns, one after the
  /// other.
  uniqueness::PlaneProblem plane;
  Index families_per_instant = 1;
  uniqueness::PRegion region;
  /// The design as a point of the plane; none if contacts of a group have different μ.
  std::optional<Vector2d> design;
  uniqueness::RegionDistance distance;  ///< of the design, also to an edge beyond the window
  bool design_inside = false;
  SampledMap sampled;
};

struct MapOptions {
  std::vector<std::vector<Index>> groups;  ///< contact numbers of the two groups
  double window = 2.0;
  int samples = 0;  ///< of the sampled map, each way
  uniqueness::SlipDirections slip = uniqueness::SlipDirections::kDeclared;
};

/// Of one instant, or of several: then where all of them are unique. @pre one instant or more
[[nodiscard]] PlaneMap make_map(const std::vector<GraspInstant>& instants, const MapOptions& options);

/// Where the grasp is proved unique at every instant of its motion: the P-region of the corner families of
/// enclosures that cover the motion, fine enough to lie within a few thousandths of it. Its distance is that
/// to an edge in the window. Nothing where no enclosure is at hand, or there are too many contacts.
/// @param like an instant: its rows and μ
[[nodiscard]] std::optional<PlaneMap> make_proved_map(const GraspPath& path, const GraspInstant& like,
                                                      const MapOptions& options);

}  // namespace enfold::app
