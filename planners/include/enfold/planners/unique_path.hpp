// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "enfold/planners/slip_cones.hpp"
#include "enfold/planners/spline_path.hpp"

namespace enfold::planners {

struct UniquePathProblem {
  SlipConesProblem grasp;  ///< with the friction margin that is wanted
  VectorXd from, to;       ///< poses of the object
};

/// Lengths are those of metric_scales: of the centre of mass, and of points at the radius of gyration.
struct UniquePathOptions {
  double detour = 0.05;  ///< no pose is farther than this from the straight line [m]
  bool stops = true;     ///< where no path goes on without a rest, paths with rests on the way are looked for
  double step = 0.006;   ///< of the search; its cells are smaller; halved if need be [m]
  int halvings = 1;      ///< of the step, while the path that was found does not stand up to the proof
  long max_poses = 20000;  ///< looked at in a search, both trees together
  int points = 1000;       ///< at which the rounded path is looked at
};

enum class UniquePathStatus : std::uint8_t {
  kNotRun,
  kFound,
  kStartNotAllowed,  ///< no direction leaves the start
  kGoalNotAllowed,   ///< no direction arrives at the goal
  kNoneFound,  ///< every cell that the start leads to was looked at, or every cell that leads to the goal
  kGivenUp,    ///< max_poses were looked at, or no path could be rounded
};

[[nodiscard]] std::string_view to_string(UniquePathStatus status);

struct UniquePathSolution {
  UniquePathStatus status = UniquePathStatus::kNotRun;
  std::string message;                     ///< one sentence, unless found
  std::vector<VectorXd> corners;           ///< from the start to `reached`; empty if there is no path at all
  std::vector<double> lengths;             ///< of the edges
  std::vector<bool> stops;                 ///< at which corners the object rests, both ends included
  std::shared_ptr<const StagedPath> path;  ///< the rounded path, in 1 s; null if there is none
  VectorXd reached;                        ///< the goal, or the nearest one that has a path
  double missing = 0.0;                    ///< from there to the goal [m]
  double margin = 0.0;                     ///< smallest friction margin at the points of the path
  bool straight = false;                   ///< the straight path does it
  long poses = 0;                          ///< looked at

  [[nodiscard]] bool ok() const { return status == UniquePathStatus::kFound; }
  /// Rests on the way.
  [[nodiscard]] int rests() const;
};

/// √(M_o,ii / M_o,11): in coordinates multiplied by these, a length is that of the centre of mass, or of a
/// point at the radius of gyration.
[[nodiscard]] VectorXd metric_scales(const mechanics::Mechanism& mechanism, const VectorXd& x);

/// A path of the object along which rigid contact forces are unique, with a friction margin, and a squeeze
/// exists.                                                                   [eq:slip-cones] [eq:spline-path]
///
/// Where the object may go from a pose depends on the cones of SlipCones: a pose has a direction of travel,
/// and a path may turn from one cone into the next. If no path does it that way, rests are allowed, which the
/// object leaves in any allowed direction. Two trees of poses with
/// directions, one from the start and one backwards from the goal, grow over cells of pose and cone, nearest
/// first, along the middle and the edges of the allowed cones; where an edge between them is allowed, they
/// are a polygon. It is shortened by chords, rounded by a SplinePath, and looked at again.
/// @pre as SlipCones; poses of the mechanism's size (throws InvalidArgument)
[[nodiscard]] UniquePathSolution plan_unique_path(const UniquePathProblem& problem,
                                                  const UniquePathOptions& options = {});

/// What verify_unique_path found.
struct UniquePathCheck {
  bool ok = false;
  std::string reason;   ///< unless ok: where, and what fails
  double margin = 0.0;  ///< smallest friction margin of all points; 0 unless ok
  int turns = 0;        ///< contacts that turn round on the way
};

/// Looks at a motion at equal steps of time: allowed cones everywhere, allowed changes where contacts turn.
/// @pre points ≥ 2 (throws InvalidArgument)
[[nodiscard]] UniquePathCheck verify_unique_path(const SlipConesProblem& grasp,
                                                 const control::Trajectory& motion, int points);

}  // namespace enfold::planners
