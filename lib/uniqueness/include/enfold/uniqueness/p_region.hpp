// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "enfold/uniqueness/friction_family.hpp"

namespace enfold::uniqueness {

/// The plane of two groups of friction coefficients, and a window in it.
struct PlaneProblem {
  /// One family, or those of several instants: then the region is where all of them are P ("robust set").
  std::vector<FrictionFamily> families;
  FrictionGroups groups;              ///< two groups
  VectorXd mu_0;                      ///< n; the coefficients of rows without a group
  Vector2d lower = Vector2d::Zero();  ///< of the window
  Vector2d upper = Vector2d::Constant(2);

  /// The coefficients of all rows at a point of the plane.
  [[nodiscard]] VectorXd mu(const Vector2d& point) const;
};

/// @pre one family or more, of one size; two groups; lower < upper; all finite (throws InvalidArgument)
void validate(const PlaneProblem& problem);

enum class PRegionStatus : std::uint8_t {
  kNotRun,
  kTraced,
  kTooLarge,   ///< n is above the limit: nothing was computed
  kCellLimit,  ///< max_cells was reached: `undecided_area` was not looked at
};

[[nodiscard]] constexpr std::string_view to_string(PRegionStatus status) {
  switch (status) {
    case PRegionStatus::kNotRun:
      return "not run";
    case PRegionStatus::kTraced:
      return "traced";
    case PRegionStatus::kTooLarge:
      return "too large";
    case PRegionStatus::kCellLimit:
      return "cell limit reached";
  }
  return "unknown";
}

struct PRegionOptions {
  /// Families with n > limit are refused; the cost is O(4ⁿ). 0 … 12.
  Index limit = 10;
  /// Between neighbours the boundary is within chord_tol of the chord, in parts of the window. 1e-8 … 1e-2.
  double chord_tol = 1e-4;
  /// Cells in which nothing crosses the edges but a minor is near zero are halved down to 2^−depth of the
  /// window: parts and holes above that size are found. 4 … 20.
  int depth = 11;
  /// Give up after so many cells; the status becomes kCellLimit.
  int max_cells = 2'000'000;
};

/// det A_SS of one family.
struct RegionMinor {
  Index family = 0;
  std::vector<Index> indices;  ///< S, ascending
};

/// A piece of the boundary: closed, or from an edge of the window to another.
struct RegionCurve {
  std::vector<Vector2d> points;
  /// For each point the minor that vanishes there, a number in PRegion::minors: of those that vanish together
  /// the one with the fewest indices.
  std::vector<Index> minor;
  bool closed = false;
};

/// A place where minors reach zero though all edges of the cell around it are P.
struct RegionTouch {
  Vector2d mu = Vector2d::Zero();
  Index minor = 0;  ///< in PRegion::minors
};

/// A connected part of the region.
struct RegionPart {
  Vector2d inside = Vector2d::Zero();  ///< a point of it
  double area = 0.0;                   ///< [μ²]
};

struct PRegion {
  PRegionStatus status = PRegionStatus::kNotRun;
  std::vector<RegionMinor> minors;  ///< those that bound the region
  std::vector<RegionCurve> curves;
  std::vector<RegionPart> parts;  ///< largest first
  std::vector<RegionTouch> touches;
  double area = 0.0;            ///< of the region in the window [μ²]
  double undecided_area = 0.0;  ///< of the cells that were left undecided [μ²]
  int cells = 0;                ///< looked at
};

/// The P-region in the window, bounded by exact curves.                                     [eq:p-region]
///
/// With one μ for each group, a principal minor is a polynomial of bi-degree (|S ∩ G₁|, |S ∩ G₂|). Its
/// Bernstein coefficients over the window are averages of its values at vertices of the untied box,
///
///     b_ij = Σ det A_SS(μ_V) / (C(k₁, i) C(k₂, j)),   V ⊆ S,   |V ∩ G₁| = i,   |V ∩ G₂| = j,
///
/// μ_V at the upper end of the window for the rows in V and at the lower end for the others. The minor lies
/// between its smallest and its largest coefficient: cells where all minors are positive, or one is
/// negative, are decided; others are halved. A cell in which all undecided minors rise, or all fall, along an
/// axis holds at most one graph, which is followed root by root. So nothing is sampled, and no part larger
/// than 2^−depth of the window is missed.
/// @pre valid problem, options in range (throws InvalidArgument)
[[nodiscard]] PRegion trace_p_region(const PlaneProblem& problem, const PRegionOptions& options = {});

/// The nearest point of the boundary.
struct RegionDistance {
  double distance = std::numeric_limits<double>::infinity();  ///< Euclidean, infinite without a boundary
  Vector2d nearest = Vector2d::Zero();
  Index minor = -1;  ///< in PRegion::minors
};

/// The distance from a point to the curves of a traced region, polished to rounding: on the nearest smooth
/// piece (μ − μ*) ∥ ∇det A_SS(μ*), or a corner. The edge of the window is no boundary.
/// @pre `region` was traced from `problem` (throws InvalidArgument if its minors don't fit)
[[nodiscard]] RegionDistance distance_to_boundary(const PlaneProblem& problem, const PRegion& region,
                                                  const Vector2d& point);

}  // namespace enfold::uniqueness
