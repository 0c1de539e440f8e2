// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/p_region.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"
#include "minor_patches.hpp"
#include "region_assembly.hpp"

namespace enfold::uniqueness {

VectorXd PlaneProblem::mu(const Vector2d& point) const {
  VectorXd out = groups.expand(point);
  for (Index j = 0; j < out.size(); ++j)
    if (groups.group_of[static_cast<std::size_t>(j)] < 0) out[j] = mu_0[j];
  return out;
}

void validate(const PlaneProblem& problem) {
  ENFOLD_REQUIRE(!problem.families.empty(), "PlaneProblem: no family");
  const Index n = problem.families.front().size();
  for (const FrictionFamily& family : problem.families) {
    validate(family);
    ENFOLD_REQUIRE(family.size() == n, "PlaneProblem: families of {} and {} rows", n, family.size());
  }
  ENFOLD_REQUIRE(problem.groups.count == 2, "PlaneProblem: {} groups, expected 2", problem.groups.count);
  ENFOLD_REQUIRE(static_cast<Index>(problem.groups.group_of.size()) == n && problem.mu_0.size() == n,
                 "PlaneProblem: {} rows in groups and {} coefficients for {} rows",
                 problem.groups.group_of.size(), problem.mu_0.size(), n);
  ENFOLD_REQUIRE(problem.mu_0.allFinite() && problem.lower.allFinite() && problem.upper.allFinite() &&
                     (problem.lower.array() < problem.upper.array()).all(),
                 "PlaneProblem: the window is [{}, {}] × [{}, {}], expected finite ends, lower < upper",
                 problem.lower.x(), problem.upper.x(), problem.lower.y(), problem.upper.y());
}

namespace {

using detail::Cell;
using detail::Patch;

constexpr int kDeepest = 40;     // of a cell that curves cross: 2^−40 of the window
constexpr double kSame = 1e-10;  // roots this close, in parts of the cell, are one

// Decides the window cell by cell, in coordinates of the unit square.
class Subdivision {
 public:
  Subdivision(const detail::MinorPatches& minors, const PRegionOptions& options, detail::Assembly& assembly)
      : minors_{minors}, options_{options}, assembly_{assembly} {
    levels_.resize(kDeepest + 1);
  }

  void run() {
    levels_[0] = minors_.patches;
    visit({}, 0);
  }
  [[nodiscard]] int cells() const { return cells_; }
  [[nodiscard]] bool gave_up() const { return gave_up_; }

 private:
  // A place on an edge or a line where P is gained or lost.
  struct Transition {
    double u = 0.0;
    Index minor = 0;
  };

  void visit(const Cell& cell, int depth) {
    std::vector<Patch>& active = levels_[static_cast<std::size_t>(depth)];
    if (++cells_ > options_.max_cells) {
      gave_up_ = true;
      assembly_.add_undecided(cell);
      return;
    }
    for (const Patch& patch : active)
      if (*std::max_element(patch.b.begin(), patch.b.end()) < 0.0) return;  // not P anywhere
    std::erase_if(active,
                  [](const Patch& patch) { return *std::min_element(patch.b.begin(), patch.b.end()) > 0.0; });
    if (active.empty()) {
      assembly_.add_inside(cell);
      return;
    }
    const int axis = common_direction(active);
    if (axis >= 0 && follow_graph(cell, active, axis)) return;
    if (depth >= options_.depth && quiet(cell, active)) return;
    if (depth == kDeepest) {
      assembly_.add_undecided(cell);
      return;
    }
    split(cell, depth);
  }

  void split(const Cell& cell, int depth) {
    const auto& parent = levels_[static_cast<std::size_t>(depth)];
    std::vector<Patch>& child = levels_[static_cast<std::size_t>(depth) + 1];
    for (const int i : {0, 1}) {
      for (const int j : {0, 1}) {
        child.resize(parent.size());
        for (std::size_t k = 0; k < parent.size(); ++k) {
          child[k] = parent[k];
          detail::halve(child[k], 0, i);
          detail::halve(child[k], 1, j);
        }
        visit(cell.quarter(i, j), depth + 1);
      }
    }
  }

  // An axis along which all patches rise or all fall; −1 if there is none.
  [[nodiscard]] static int common_direction(const std::vector<Patch>& active) {
    for (const int axis : {1, 0}) {
      const int first = detail::direction(active.front(), axis);
      if (first != 0 && std::all_of(active.begin(), active.end(), [&](const Patch& patch) {
            return detail::direction(patch, axis) == first;
          }))
        return axis;
    }
    return -1;
  }

  // Where P changes along `axis`, at the place u of the other axis; `start` says whether it holds at the
  // beginning.
  void find_transitions(const std::vector<Patch>& active, int axis, double u, std::vector<Transition>& out,
                        bool& start) {
    struct Root {
      double u;
      std::size_t patch;
    };
    std::vector<Root> roots;
    lines_.resize(active.size());
    start = true;
    for (std::size_t k = 0; k < active.size(); ++k) {
      detail::restrict_to_line(active[k], axis, u, lines_[k]);
      start = start && lines_[k].front() > 0.0;
      found_.clear();
      detail::append_sign_changes(lines_[k], found_);
      for (const double root : found_) roots.push_back({root, k});
    }
    out.clear();
    if (roots.empty()) return;
    std::sort(roots.begin(), roots.end(), [](const Root& a, const Root& b) { return a.u < b.u; });
    const auto is_P = [&](double at) {
      return std::all_of(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(active.size()),
                         [&](const auto& b) { return detail::bernstein_value(b, at) > 0.0; });
    };
    bool before = start;
    for (std::size_t k = 0; k < roots.size();) {
      std::size_t end = k + 1;
      while (end < roots.size() && roots[end].u - roots[k].u <= kSame) ++end;
      const double next = end < roots.size() ? roots[end].u : 1.0;
      const bool after = is_P(0.5 * (roots[end - 1].u + next));
      if (after != before) {
        Index minor = active[roots[k].patch].minor;
        for (std::size_t i = k + 1; i < end; ++i) minor = smaller(minor, active[roots[i].patch].minor);
        out.push_back({before ? roots[k].u : roots[end - 1].u, minor});
      }
      before = after;
      k = end;
    }
  }

  [[nodiscard]] Index smaller(Index a, Index b) const {
    const auto& A = minors_.minors[static_cast<std::size_t>(a)].indices;
    const auto& B = minors_.minors[static_cast<std::size_t>(b)].indices;
    if (A.size() != B.size()) return A.size() < B.size() ? a : b;
    return std::min(a, b);
  }

  // Follows the boundary if it is one graph over the other axis; false if it leaves and comes back.
  bool follow_graph(const Cell& cell, const std::vector<Patch>& active, int axis) {
    bool starts_P = false;
    std::array<std::vector<Transition>, 2> across;  // on the two edges along `axis`
    std::array<bool, 2> at_start{};
    for (const std::size_t side : {0UL, 1UL})
      find_transitions(active, axis, static_cast<double>(side), across[side], at_start[side]);
    std::array<std::vector<Transition>, 2> along;  // on the two edges along the other axis
    std::array<bool, 2> along_start{};
    for (const std::size_t side : {0UL, 1UL})
      find_transitions(active, 1 - axis, static_cast<double>(side), along[side], along_start[side]);
    const std::size_t count = across[0].size() + across[1].size() + along[0].size() + along[1].size();
    if (count == 0) {  // all or nothing: a graph that meets no edge is not in the cell
      if (at_start[0]) assembly_.add_inside(cell);
      return true;
    }
    if (count != 2) return false;

    // The graph's two ends: place w on the other axis, place u on `axis`.
    std::vector<std::pair<double, Transition>> ends;
    for (const std::size_t side : {0UL, 1UL}) {
      for (const Transition& t : across[side]) ends.push_back({static_cast<double>(side), t});
      for (const Transition& t : along[side]) ends.push_back({t.u, {static_cast<double>(side), t.minor}});
    }
    std::sort(ends.begin(), ends.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    starts_P = detail::direction(active.front(), axis) < 0;  // P below the graph, not above
    std::vector<detail::GraphPoint> graph;
    graph.push_back({ends[0].first, ends[0].second.u, ends[0].second.minor});
    const detail::GraphPoint last{ends[1].first, ends[1].second.u, ends[1].second.minor};
    refine(cell, active, axis, starts_P, graph.front(), last, 0, graph);
    graph.push_back(last);
    thin(cell, graph);
    assembly_.add_graph(cell, axis, starts_P, graph);
    return true;
  }

  // Points between a and b until the chord is near the curve and the minor is the same.
  void refine(const Cell& cell, const std::vector<Patch>& active, int axis, bool falls,
              const detail::GraphPoint& a, const detail::GraphPoint& b, int depth,
              std::vector<detail::GraphPoint>& out) {
    const double width = b.w - a.w;
    if (width <= kSame || depth > 40) return;
    const detail::GraphPoint middle = graph_point(active, axis, falls, 0.5 * (a.w + b.w));
    const bool one_minor = a.minor == b.minor && middle.minor == a.minor;
    const double off = std::abs(middle.u - 0.5 * (a.u + b.u)) * cell.size();
    const bool smooth = one_minor ? off <= options_.chord_tol : false;
    if (!smooth) refine(cell, active, axis, falls, a, middle, depth + 1, out);
    if (!smooth || off > 1e-3 * options_.chord_tol) out.push_back(middle);
    if (!smooth) refine(cell, active, axis, falls, middle, b, depth + 1, out);
  }

  // The search for a corner leaves a crowd of points around it: those on either side of it are enough.
  void thin(const Cell& cell, std::vector<detail::GraphPoint>& graph) const {
    const double near = 1e-2 * options_.chord_tol / cell.size();
    std::vector<detail::GraphPoint> kept{graph.front()};
    for (std::size_t k = 1; k + 1 < graph.size(); ++k) {
      const bool corner = graph[k].minor != graph[k - 1].minor || graph[k].minor != graph[k + 1].minor;
      if (corner || graph[k].w - kept.back().w > near) kept.push_back(graph[k]);
    }
    kept.push_back(graph.back());
    graph = std::move(kept);
  }

  // The first root, if P is lost along the axis, else the last.
  detail::GraphPoint graph_point(const std::vector<Patch>& active, int axis, bool falls, double w) {
    detail::GraphPoint out{w, falls ? 1.0 : 0.0, -1};
    for (const Patch& patch : active) {
      detail::restrict_to_line(patch, axis, w, line_);
      found_.clear();
      detail::append_sign_changes(line_, found_);
      double root = 0.0;
      if (found_.empty()) {  // at the edge, to rounding, or beyond it
        if ((line_.front() > 0.0) == (line_.back() > 0.0) && line_.back() > 0.0) continue;
        root = falls ? 0.0 : 1.0;
      } else {
        root = found_.front();
      }
      const bool same = out.minor >= 0 && std::abs(root - out.u) <= kSame;
      const bool better = falls ? root < out.u : root > out.u;
      if (out.minor < 0 || (better && !same))
        out = {w, root, patch.minor};
      else if (same)
        out.minor = smaller(out.minor, patch.minor);
    }
    if (out.minor < 0) out.minor = active.front().minor;
    return out;
  }

  // A small cell whose edges nothing crosses: a touch if they are P, nothing to see if they are not.
  bool quiet(const Cell& cell, const std::vector<Patch>& active) {
    bool start = false;
    bool P = true;
    std::vector<Transition> found;
    for (const int axis : {0, 1}) {
      for (const double side : {0.0, 1.0}) {
        find_transitions(active, axis, side, found, start);
        if (!found.empty()) return false;
        P = P && start;
      }
    }
    if (P) assembly_.add_touch(cell, active.front().minor);
    assembly_.add_undecided(cell);
    return true;
  }

  const detail::MinorPatches& minors_;
  const PRegionOptions& options_;
  detail::Assembly& assembly_;
  std::vector<std::vector<Patch>> levels_;  // the undecided patches on the present cell of each depth
  std::vector<std::vector<double>> lines_;
  std::vector<double> line_, found_;
  int cells_ = 0;
  bool gave_up_ = false;
};

}  // namespace

PRegion trace_p_region(const PlaneProblem& problem, const PRegionOptions& options) {
  validate(problem);
  ENFOLD_REQUIRE(options.limit >= 0 && options.limit <= 12, "trace_p_region: limit is {}, expected 0 … 12",
                 options.limit);
  ENFOLD_REQUIRE(
      options.chord_tol > 0.0 && options.depth >= 1 && options.depth <= 20 && options.max_cells >= 1,
      "trace_p_region: chord_tol {}, depth {}, max_cells {}", options.chord_tol, options.depth,
      options.max_cells);
  PRegion out;
  if (problem.families.front().size() > options.limit) {
    out.status = PRegionStatus::kTooLarge;
    return out;
  }
  const detail::MinorPatches minors = detail::make_patches(problem);
  detail::Assembly assembly(problem.lower, problem.upper);
  Subdivision subdivision(minors, options, assembly);
  subdivision.run();
  out.status = subdivision.gave_up() ? PRegionStatus::kCellLimit : PRegionStatus::kTraced;
  out.cells = subdivision.cells();
  assembly.finish(minors, out);
  return out;
}

}  // namespace enfold::uniqueness
