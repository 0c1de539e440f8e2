// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "minor_patches.hpp"

namespace enfold::uniqueness::detail {

/// A square of the quadtree over the unit square.
struct Cell {
  double x = 0.0;
  double y = 0.0;
  int depth = 0;

  [[nodiscard]] double size() const { return 1.0 / static_cast<double>(std::uint64_t{1} << depth); }
  [[nodiscard]] Cell quarter(int i, int j) const {
    const double half = 0.5 * size();
    return {x + i * half, y + j * half, depth + 1};
  }
};

/// A point of a graph in a cell: u along the axis, w along the other one, both in 0 … 1.
struct GraphPoint {
  double w = 0.0;
  double u = 0.0;
  Index minor = 0;
};

/// Joins what is known of single cells to curves, parts and areas.
class Assembly {
 public:
  Assembly(const Vector2d& lower, const Vector2d& upper) : lower_{lower}, size_{upper - lower} {}

  void add_inside(const Cell& cell);
  /// The boundary is `graph`, u(w) with u along `axis`; P below it if `below`, else above.
  void add_graph(const Cell& cell, int axis, bool below, const std::vector<GraphPoint>& graph);
  void add_touch(const Cell& cell, Index minor) { touches_.push_back({cell, minor}); }
  void add_undecided(const Cell& cell) { undecided_ += cell.size() * cell.size(); }

  void finish(const MinorPatches& minors, PRegion& out);

 private:
  // The P-part of one side of a cell: x or y = at, from … to, the cell to the lower or the upper side of it.
  struct Side {
    double at, from, to;
    std::size_t cell;
    bool vertical, upper;
  };
  struct Piece {
    double area = 0.0;
    Vector2d inside = Vector2d::Zero();  // unit square
  };
  struct Touch {
    Cell cell;
    Index minor;
  };

  [[nodiscard]] Vector2d to_mu(const Vector2d& unit) const { return lower_ + size_.cwiseProduct(unit); }
  void add_sides(const Cell& cell, std::size_t piece);
  void join_curves(PRegion& out) const;
  void join_parts(PRegion& out);

  Vector2d lower_, size_;
  std::vector<Piece> pieces_;
  std::vector<Side> sides_;
  std::vector<RegionCurve> segments_;  // in the unit square, one for each graph
  std::vector<Touch> touches_;
  double undecided_ = 0.0;
};

}  // namespace enfold::uniqueness::detail
