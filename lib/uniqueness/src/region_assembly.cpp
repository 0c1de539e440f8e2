// SPDX-License-Identifier: BSD-3-Clause
#include "region_assembly.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace enfold::uniqueness::detail {

void Assembly::add_sides(const Cell& cell, std::size_t piece) {
  const double s = cell.size();
  sides_.push_back({cell.x, cell.y, cell.y + s, piece, true, false});
  sides_.push_back({cell.x + s, cell.y, cell.y + s, piece, true, true});
  sides_.push_back({cell.y, cell.x, cell.x + s, piece, false, false});
  sides_.push_back({cell.y + s, cell.x, cell.x + s, piece, false, true});
}

void Assembly::add_inside(const Cell& cell) {
  const double s = cell.size();
  add_sides(cell, pieces_.size());
  pieces_.push_back({s * s, {cell.x + 0.5 * s, cell.y + 0.5 * s}});
}

void Assembly::add_graph(const Cell& cell, int axis, bool below, const std::vector<GraphPoint>& graph) {
  const double s = cell.size();
  const auto to_unit = [&](double w, double u) {
    return axis == 1 ? Vector2d{cell.x + s * w, cell.y + s * u} : Vector2d{cell.x + s * u, cell.y + s * w};
  };
  RegionCurve segment;
  double under = 0.0;  // area below the graph between its ends, cell units
  for (std::size_t k = 0; k < graph.size(); ++k) {
    segment.points.push_back(to_unit(graph[k].w, graph[k].u));
    segment.minor.push_back(graph[k].minor);
    if (k > 0) under += 0.5 * (graph[k].u + graph[k - 1].u) * (graph[k].w - graph[k - 1].w);
  }
  // Where the graph ends inside the range of w it left through an edge: beyond, the column is full or empty.
  const GraphPoint& first = graph.front();
  const GraphPoint& last = graph.back();
  under += first.w * std::round(first.u) * (first.w > 0.0 ? 1.0 : 0.0);
  under += (1.0 - last.w) * std::round(last.u) * (last.w < 1.0 ? 1.0 : 0.0);
  const double area = below ? under : 1.0 - under;

  // A point on the P side, half way between the graph's middle and the edge.
  const double w_in = 0.5 * (first.w + last.w);
  const auto after =
      std::find_if(graph.begin(), graph.end(), [&](const GraphPoint& p) { return p.w >= w_in; });
  const GraphPoint& b = after == graph.end() ? last : *after;
  const GraphPoint& a = after == graph.begin() ? first : *(after - 1);
  const double u_in = b.w > a.w ? a.u + (b.u - a.u) * (w_in - a.w) / (b.w - a.w) : a.u;
  const std::size_t piece = pieces_.size();
  pieces_.push_back({area * s * s, to_unit(w_in, below ? 0.5 * u_in : 0.5 * (1.0 + u_in))});

  // The P-part of each side.
  const auto height = [&](double w) {  // of the graph at w = 0 or 1, beyond its ends the edge it left by
    const GraphPoint& end = w < 0.5 ? first : last;
    return end.w == w ? end.u : std::round(end.u);
  };
  const auto add = [&](bool along_axis, double at, double from, double to) {
    if (to <= from) return;
    const bool vertical = (axis == 1) == along_axis;
    const double at_0 = vertical ? cell.x : cell.y;
    const double from_0 = vertical ? cell.y : cell.x;
    sides_.push_back({at_0 + s * at, from_0 + s * from, from_0 + s * to, piece, vertical, at > 0.5});
  };
  for (const double w : {0.0, 1.0}) add(true, w, below ? 0.0 : height(w), below ? height(w) : 1.0);
  for (const double u : {0.0, 1.0}) {
    // Along u = 0 or 1 the side is P where the graph is beyond it.
    const bool inside = below ? u == 0.0 : u == 1.0;
    double from = 0.0;
    double to = 1.0;
    const bool first_here = first.w > 0.0 && std::round(first.u) == u && std::abs(first.u - u) < 1e-12;
    const bool last_here = last.w < 1.0 && std::round(last.u) == u && std::abs(last.u - u) < 1e-12;
    if (inside) {
      if (first_here) from = first.w;
      if (last_here) to = last.w;
      add(false, u, from, to);
    } else {
      if (first_here) add(false, u, 0.0, first.w);
      if (last_here) add(false, u, last.w, 1.0);
    }
  }
  segments_.push_back(std::move(segment));
}

namespace {

constexpr double kJoin = 1e-9;  // ends this close, in parts of the window, are one

// The end of a segment: 2 k for its first point, 2 k + 1 for its last.
using End = std::size_t;

std::vector<End> partners(const std::vector<RegionCurve>& segments) {
  constexpr End kNone = static_cast<End>(-1);
  std::vector<End> ends(2 * segments.size());
  std::iota(ends.begin(), ends.end(), End{0});
  const auto at = [&](End end) -> const Vector2d& {
    const RegionCurve& segment = segments[end / 2];
    return end % 2 == 0 ? segment.points.front() : segment.points.back();
  };
  std::sort(ends.begin(), ends.end(), [&](End a, End b) {
    return at(a).x() != at(b).x() ? at(a).x() < at(b).x() : at(a).y() < at(b).y();
  });
  std::vector<End> out(2 * segments.size(), kNone);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (out[ends[i]] != kNone) continue;
    for (std::size_t j = i + 1; j < ends.size() && at(ends[j]).x() - at(ends[i]).x() <= kJoin; ++j) {
      if (out[ends[j]] != kNone || ends[j] / 2 == ends[i] / 2) continue;
      if (std::abs(at(ends[j]).y() - at(ends[i]).y()) > kJoin) continue;
      out[ends[i]] = ends[j];
      out[ends[j]] = ends[i];
      break;
    }
  }
  return out;
}

void append(const RegionCurve& segment, bool backwards, RegionCurve& out) {
  const std::size_t n = segment.points.size();
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = backwards ? n - 1 - k : k;
    if (k == 0 && !out.points.empty()) continue;  // the joint
    out.points.push_back(segment.points[i]);
    out.minor.push_back(segment.minor[i]);
  }
}

}  // namespace

void Assembly::join_curves(PRegion& out) const {
  constexpr End kNone = static_cast<End>(-1);
  const std::vector<End> partner = partners(segments_);
  std::vector<bool> used(segments_.size(), false);
  const auto follow = [&](End start) {  // from this end of its segment to the other, and on
    RegionCurve curve;
    End end = start;
    while (end != kNone && !used[end / 2]) {
      used[end / 2] = true;
      append(segments_[end / 2], end % 2 == 1, curve);
      end = partner[end ^ 1U];
    }
    curve.closed = end != kNone && end == start;
    out.curves.push_back(std::move(curve));
  };
  for (End end = 0; end < partner.size(); ++end)
    if (partner[end] == kNone && !used[end / 2]) follow(end);
  for (std::size_t k = 0; k < segments_.size(); ++k)
    if (!used[k]) follow(2 * k);
}

void Assembly::join_parts(PRegion& out) {
  std::vector<std::size_t> parent(pieces_.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t k) {
    while (parent[k] != k) k = parent[k] = parent[parent[k]];
    return k;
  };
  std::sort(sides_.begin(), sides_.end(), [](const Side& a, const Side& b) {
    if (a.vertical != b.vertical) return a.vertical;
    if (a.at != b.at) return a.at < b.at;
    return a.from < b.from;
  });
  // On one line, sides that overlap: the sorted starts keep a short list of open intervals of either kind.
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    const Side& side = sides_[k];
    std::erase_if(open, [&](std::size_t i) {
      const Side& other = sides_[i];
      return other.vertical != side.vertical || other.at != side.at || other.to <= side.from;
    });
    for (const std::size_t i : open)
      if (sides_[i].upper != side.upper) parent[root(sides_[i].cell)] = root(side.cell);
    open.push_back(k);
  }
  std::map<std::size_t, std::size_t> number;
  std::vector<double> largest;
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    const auto [it, fresh] = number.try_emplace(root(k), out.parts.size());
    if (fresh) {
      out.parts.emplace_back();
      largest.push_back(-1.0);
    }
    RegionPart& part = out.parts[it->second];
    part.area += pieces_[k].area * size_.prod();
    if (pieces_[k].area > largest[it->second]) {
      largest[it->second] = pieces_[k].area;
      part.inside = to_mu(pieces_[k].inside);
    }
  }
  std::stable_sort(out.parts.begin(), out.parts.end(),
                   [](const RegionPart& a, const RegionPart& b) { return a.area > b.area; });
}

void Assembly::finish(const MinorPatches& minors, PRegion& out) {
  join_curves(out);
  join_parts(out);
  out.undecided_area = undecided_ * size_.prod();
  for (const RegionPart& part : out.parts) out.area += part.area;
  for (const Touch& touch : touches_) {
    const double half = 0.5 * touch.cell.size();
    out.touches.push_back({to_mu({touch.cell.x + half, touch.cell.y + half}), touch.minor});
  }
  // Only the minors that are named, in their order.
  std::map<Index, Index> number;
  for (const RegionCurve& curve : out.curves)
    for (const Index minor : curve.minor) number.try_emplace(minor, 0);
  for (const RegionTouch& touch : out.touches) number.try_emplace(touch.minor, 0);
  for (auto& [minor, position] : number) {
    position = static_cast<Index>(out.minors.size());
    out.minors.push_back(minors.minors[static_cast<std::size_t>(minor)]);
  }
  for (RegionCurve& curve : out.curves) {
    for (Vector2d& point : curve.points) point = to_mu(point);
    for (Index& minor : curve.minor) minor = number[minor];
  }
  for (RegionTouch& touch : out.touches) touch.minor = number[touch.minor];
}

}  // namespace enfold::uniqueness::detail
