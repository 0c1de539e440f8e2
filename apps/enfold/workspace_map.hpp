// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "closed_loop.hpp"
#include "console.hpp"
#include "enfold/figure/figure.hpp"
#include "exit_code.hpp"

namespace enfold::app {

/// What a hand can do with the object at one pose.
struct PoseVerdict {
  VectorXd x;                 ///< pose of the object
  bool reachable = false;     ///< joint angles make all contacts of the links
  bool closable = false;      ///< some squeeze presses all contacts at once, within friction cones
  bool controllable = false;  ///< the audit finds no assumption of the law violated
  bool unique = false;        ///< A is a P-matrix: the rigid model has one answer for all forces
  VectorXd theta;             ///< joint angles; empty out of reach
  double edge_margin = 0.0;   ///< smallest distance of a contact from an end of its part of the link [m]
  double conditioning = 0.0;  ///< 1/cond J̃; 0 if J̃ is not square
  std::string reason;         ///< the first that fails, in words; empty if all four hold
};

/// Which two coordinates of the pose a map varies, and where; the third is the start pose's.
struct MapAxes {
  std::array<Index, 2> coordinate = {0, 1};  ///< numbers in (x, y, φ)
  std::array<double, 2> lower = {}, upper = {};
  int n = 41;  ///< poses along each axis
};

struct WorkspaceMap {
  MapAxes axes;
  std::vector<PoseVerdict> poses;  ///< n × n, the second coordinate outside

  [[nodiscard]] const PoseVerdict& at(int i, int j) const {
    return poses[static_cast<std::size_t>(j * axes.n + i)];
  }
};

/// Axes by name ("x,y", "x,phi", "y,phi"), around the poses of the task by the size of the object: lengths by
/// one and a half of it, angles by 90°. Throws InvalidArgument for other names.
[[nodiscard]] MapAxes default_axes(const Setup& setup, const std::string& names, int n);

/// One pose. Sliding contacts slip as they do when the object moves along `direction` (its velocity).
[[nodiscard]] PoseVerdict judge_pose(const Setup& setup, const VectorXd& x, const VectorXd& direction,
                                     const VectorXd* near);

/// All poses of a map, spreading from the start pose, so that each is closed next to a neighbour's joint
/// angles and the postures of redundant hands are continuous. Slip directions are those of the task's motion
/// from its first to its last pose. `progress` hears the fraction done.
[[nodiscard]] WorkspaceMap map_workspace(const Setup& setup, const MapAxes& axes,
                                         const std::function<void(double)>& progress);

/// One row per pose.
[[nodiscard]] std::string workspace_csv(const Setup& setup, const WorkspaceMap& map);

[[nodiscard]] figure::Figure workspace_figure(const Setup& setup, const WorkspaceMap& map);

/// Computes a map, writes `map.csv` and the figure into a folder, and says how many poses are what.
/// Throws IoError.
[[nodiscard]] ExitCode write_workspace_map(const Setup& setup, const MapAxes& axes,
                                           const std::filesystem::path& folder, bool figures,
                                           const Console& console);

}  // namespace enfold::app
