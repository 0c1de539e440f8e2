// SPDX-License-Identifier: BSD-3-Clause
#include "workspace_map.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <numbers>

#include "enfold/base/error.hpp"
#include "enfold/base/require.hpp"
#include "enfold/figure/renderer.hpp"
#include "enfold/grasp/audit.hpp"
#include "enfold/io/file.hpp"

namespace enfold::app {
namespace {

using contact::ContactMode;

constexpr double kPi = std::numbers::pi;
constexpr std::array<const char*, 3> kCoordinates = {"x", "y", "phi"};

/// Sliding contacts slip as the joints follow a velocity of the object with all contacts kept, in the least
/// squares sense where that is not possible; a contact that does not slip then counts as slide+.
std::vector<ContactMode> slip_modes(const Setup& setup, const VectorXd& q, const VectorXd& direction) {
  std::vector<ContactMode> modes = setup.modes;
  contact::ContactKinematics kinematics;
  VectorXd v = VectorXd::Zero(q.size());
  setup.model.contacts->kinematics(q, v, kinematics);
  const Index n_x = setup.model.mechanism->n_x();
  const Index n_theta = setup.model.mechanism->n_theta();
  v.head(n_x) = direction;
  v.tail(n_theta) = -kinematics.W_N.bottomRows(n_theta).transpose().completeOrthogonalDecomposition().solve(
      kinematics.W_N.topRows(n_x).transpose() * direction);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (!is_sliding(modes[i])) continue;
    const double slip = kinematics.W_T.col(static_cast<Index>(i)).dot(v);
    modes[i] = slip < 0.0 ? ContactMode::kSlideMinus : ContactMode::kSlidePlus;
  }
  return modes;
}

/// From zero at a name's coordinate: its value in the file's unit.
double in_unit(Index coordinate, double value) {
  return coordinate == 2 ? value * 180.0 / kPi : value;
}
std::string axis_label(Index coordinate) {
  return coordinate == 0 ? "object x [m]" : coordinate == 1 ? "object y [m]" : "object φ [°]";
}

struct Shade {
  const char* label;
  figure::Colour colour;
};
Shade shade_of(const PoseVerdict& pose) {
  if (!pose.reachable) return {"out of reach", {238, 238, 238}};
  if (!pose.closable) return {"reachable, no squeeze", {199, 199, 199}};
  if (!pose.controllable) return {"squeeze, not controllable", figure::kOrange};
  if (!pose.unique) return {"controllable, not unique", figure::kSkyBlue};
  return {"controllable and unique", figure::kBlue};
}

}  // namespace

MapAxes default_axes(const Setup& setup, const std::string& names, int n) {
  ENFOLD_REQUIRE(n >= 2, "map: {} poses along an axis, expected at least 2", n);
  MapAxes axes;
  axes.n = n;
  if (names == "x,y") {
    axes.coordinate = {0, 1};
  } else if (names == "x,phi") {
    axes.coordinate = {0, 2};
  } else if (names == "y,phi") {
    axes.coordinate = {1, 2};
  } else {
    throw InvalidArgument(fmt::format("map axes are '{}', expected x,y or x,phi or y,phi", names));
  }
  const io::TaskSpec& task = setup.scenario.task;
  const double size = mechanics::characteristic_length(setup.model.mechanism->object());
  for (std::size_t k = 0; k < 2; ++k) {
    const Index c = axes.coordinate[k];
    const std::array<double, 3> values = {pose(task.start)[c], pose(task.trajectory.from)[c],
                                          pose(task.trajectory.to)[c]};
    const double around = c == 2 ? kPi / 2 : 1.5 * size;
    axes.lower[k] = *std::min_element(values.begin(), values.end()) - around;
    axes.upper[k] = *std::max_element(values.begin(), values.end()) + around;
  }
  return axes;
}

PoseVerdict judge_pose(const Setup& setup, const VectorXd& x, const VectorXd& direction,
                       const VectorXd* near) {
  PoseVerdict out;
  out.x = x;
  const contact::PlanarContactSet& contacts = *setup.model.contacts;
  const contact::Closure closure = near != nullptr ? contacts.close_near(x, *near) : contacts.close(x);
  if (!closure.closed()) {
    out.reason = closure.message;
    return out;
  }
  out.reachable = true;
  out.theta = closure.theta;
  VectorXd q(x.size() + closure.theta.size());
  q << x, closure.theta;
  const std::vector<ContactMode> modes = slip_modes(setup, q, direction);
  contact::ContactKinematics kinematics;
  contacts.kinematics(q, VectorXd::Zero(q.size()), kinematics);
  out.edge_margin = std::numeric_limits<double>::infinity();
  for (const double edge : kinematics.edge_distance) out.edge_margin = std::min(out.edge_margin, edge);
  const grasp::GraspAudit audit = grasp::audit(*setup.model.mechanism, contacts, q, modes, setup.model.mu);
  out.closable = audit.squeeze_exists;
  out.controllable = audit.controllable();
  out.unique = audit.p_matrix.status == lcp::PMatrixStatus::kP;
  out.conditioning =
      std::isfinite(audit.cond_J_tilde) && audit.cond_J_tilde > 0.0 ? 1.0 / audit.cond_J_tilde : 0.0;
  if (!out.closable) {
    out.reason = "no squeeze presses all contacts at once";
  } else if (!out.controllable) {
    out.reason = "not " + audit.violations.front().assumption + ": " + audit.violations.front().reason;
  } else if (!out.unique) {
    out.reason = "A is not a P-matrix";
  }
  return out;
}

WorkspaceMap map_workspace(const Setup& setup, const MapAxes& axes,
                           const std::function<void(double)>& progress) {
  WorkspaceMap map;
  map.axes = axes;
  const auto n = static_cast<std::size_t>(axes.n);
  map.poses.resize(n * n);
  const io::TaskSpec& task = setup.scenario.task;
  VectorXd direction = pose(task.trajectory.to) - pose(task.trajectory.from);
  if (setup.scenario.task.trajectory.is_round()) {  // its ends may be one
    control::Reference first;
    setup.told->sample(0.05 * setup.told->duration(), first);
    direction = first.x - pose(task.trajectory.from);
  }
  const VectorXd start = pose(task.start);
  const auto value = [&](std::size_t k, std::size_t i) {
    return axes.lower[k] +
           (axes.upper[k] - axes.lower[k]) * static_cast<double>(i) / static_cast<double>(n - 1);
  };
  const auto nearest = [&](std::size_t k) {
    const double step = (axes.upper[k] - axes.lower[k]) / static_cast<double>(n - 1);
    const double at = std::round((start[axes.coordinate[k]] - axes.lower[k]) / step);
    return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(n - 1)));
  };
  // Breadth first from the pose next to the start; a pose that is reached hands its angles on.
  std::vector<bool> seen(n * n, false);
  const VectorXd start_theta = setup.q.tail(setup.model.mechanism->n_theta());
  std::deque<std::pair<std::size_t, std::size_t>> queue = {{n * nearest(1) + nearest(0), n * n}};
  seen[queue.front().first] = true;
  std::size_t done = 0;
  while (!queue.empty()) {
    const auto [cell, from] = queue.front();
    queue.pop_front();
    const std::size_t i = cell % n;
    const std::size_t j = cell / n;
    VectorXd x = start;
    x[axes.coordinate[0]] = value(0, i);
    x[axes.coordinate[1]] = value(1, j);
    const VectorXd* near = from == n * n               ? &start_theta
                           : map.poses[from].reachable ? &map.poses[from].theta
                                                       : nullptr;
    map.poses[cell] = judge_pose(setup, x, direction, near);
    progress(static_cast<double>(++done) / static_cast<double>(n * n));
    const auto visit = [&](std::size_t next) {
      if (seen[next]) return;
      seen[next] = true;
      queue.emplace_back(next, cell);
    };
    if (i > 0) visit(cell - 1);
    if (i + 1 < n) visit(cell + 1);
    if (j > 0) visit(cell - n);
    if (j + 1 < n) visit(cell + n);
  }
  return map;
}

std::string workspace_csv(const Setup& setup, const WorkspaceMap& map) {
  std::string out = "x_m,y_m,phi_rad,reachable,closable,controllable,unique,edge_margin_m,conditioning";
  for (const std::string& joint : setup.model.mechanism->joint_names())
    out += fmt::format(",theta.{}_rad", joint);
  out += ",reason\n";
  for (const PoseVerdict& p : map.poses) {
    out += fmt::format("{},{},{},{:d},{:d},{:d},{:d},", p.x[0], p.x[1], p.x[2], p.reachable, p.closable,
                       p.controllable, p.unique);
    out += p.reachable && std::isfinite(p.edge_margin) ? fmt::format("{},", p.edge_margin) : ",";
    out += p.reachable ? fmt::format("{}", p.conditioning) : "";
    for (Index l = 0; l < setup.model.mechanism->n_theta(); ++l)
      out += p.reachable ? fmt::format(",{}", p.theta[l]) : ",";
    std::string reason = p.reason;
    std::replace(reason.begin(), reason.end(), '"', '\'');
    out += reason.empty() ? ",\n" : fmt::format(",\"{}\"\n", reason);
  }
  return out;
}

figure::Figure workspace_figure(const Setup& setup, const WorkspaceMap& map) {
  const MapAxes& axes = map.axes;
  std::array<double, 2> step;
  for (std::size_t k = 0; k < 2; ++k)
    step[k] = in_unit(axes.coordinate[k], (axes.upper[k] - axes.lower[k]) / (axes.n - 1));
  const auto low = [&](std::size_t k, int i) {
    return in_unit(axes.coordinate[k], axes.lower[k]) + step[k] * (i - 0.5);
  };
  figure::Panel panel;
  panel.x_label = axis_label(axes.coordinate[0]);
  panel.y_label = axis_label(axes.coordinate[1]);
  panel.x_range = figure::Range{low(0, 0), low(0, axes.n)};
  panel.y_range = figure::Range{low(1, 0), low(1, axes.n)};
  panel.equal_aspect = axes.coordinate[1] != 2;
  panel.legend = figure::LegendPlacement::kRight;
  // Cells of a row with one verdict as one rectangle, a little over the next row so that no seams show.
  for (int j = 0; j < axes.n; ++j) {
    for (int i = 0; i < axes.n;) {
      const Shade shade = shade_of(map.at(i, j));
      int end = i + 1;
      while (end < axes.n && shade_of(map.at(end, j)).label == shade.label) ++end;
      const double top = std::min(panel.y_range->upper, low(1, j) + 1.04 * step[1]);
      panel.elements.push_back(figure::Polygon{
          .label = shade.label,
          .points = {{low(0, i), low(1, j)}, {low(0, end), low(1, j)}, {low(0, end), top}, {low(0, i), top}},
          .fill = shade.colour,
          .outline_width = 0.0});
      i = end;
    }
  }
  const auto point = [&](const VectorXd& x) -> figure::Point {
    return {in_unit(axes.coordinate[0], x[axes.coordinate[0]]),
            in_unit(axes.coordinate[1], x[axes.coordinate[1]])};
  };
  const io::TaskSpec& task = setup.scenario.task;
  figure::Line path{.label = "task", .colour = figure::kBlack, .width = 2.2};
  const int steps = task.trajectory.type == "quintic" ? 1 : 200;
  control::Reference on_path;
  for (int i = 0; i <= steps; ++i) {
    setup.told->sample(setup.told->duration() * i / steps, on_path);
    path.points.push_back(point(on_path.x));
  }
  panel.elements.push_back(std::move(path));
  panel.elements.push_back(figure::Markers{.label = "start",
                                           .points = {point(pose(task.start))},
                                           .colour = figure::kBlack,
                                           .shape = figure::MarkerShape::kDisc,
                                           .size = 9.0});
  const Index fixed = 3 - axes.coordinate[0] - axes.coordinate[1];
  const double value = in_unit(fixed, pose(task.start)[fixed]);
  figure::Figure out;
  out.title = fmt::format("{}: poses of the object at {} = {:.4g}{}", setup.scenario.name,
                          fixed == 2 ? "φ" : kCoordinates[static_cast<std::size_t>(fixed)], value,
                          fixed == 2 ? "°" : " m");
  out.size = {820.0, 560.0};
  out.panels.push_back(std::move(panel));
  return out;
}

ExitCode write_workspace_map(const Setup& setup, const MapAxes& axes, const std::filesystem::path& folder,
                             bool figures, const Console& console) {
  WorkspaceMap map;
  {
    ProgressBar bar(console, "poses");
    map = map_workspace(setup, axes, [&](double fraction) { bar.update(fraction); });
  }
  std::map<std::string, int> counts;
  for (const PoseVerdict& p : map.poses) ++counts[shade_of(p).label];
  console.say("{}: {} poses, {} {:.4g} … {:.4g}, {} {:.4g} … {:.4g}", setup.scenario.name, map.poses.size(),
              axis_label(axes.coordinate[0]), in_unit(axes.coordinate[0], axes.lower[0]),
              in_unit(axes.coordinate[0], axes.upper[0]), axis_label(axes.coordinate[1]),
              in_unit(axes.coordinate[1], axes.lower[1]), in_unit(axes.coordinate[1], axes.upper[1]));
  for (const auto& [label, n] : counts)
    console.say("  {:<28} {:6} ({:.1f} %)", label, n, 100.0 * n / static_cast<double>(map.poses.size()));
  std::filesystem::create_directories(folder);
  io::write_file(folder / "map.csv", workspace_csv(setup, map));
  console.say("written to {}", (folder / "map.csv").string());
  if (!figures) return ExitCode::kDone;
  const std::filesystem::path drawn = folder / "figures";
  std::filesystem::create_directories(drawn);
  const std::vector<figure::Job> jobs = {
      {workspace_figure(setup, map), {drawn / "map.svg", drawn / "map.png"}}};
  figure::default_renderer()->render_all(jobs);
  console.say("figure     {}", (drawn / "map.svg").string());
  return ExitCode::kDone;
}

}  // namespace enfold::app
