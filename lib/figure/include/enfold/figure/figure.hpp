// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "enfold/figure/elements.hpp"

namespace enfold::figure {

/// lower < upper, both finite.
struct Range {
  double lower = 0.0;
  double upper = 1.0;
  friend constexpr bool operator==(const Range&, const Range&) = default;
};

/// Legends stand outside the axes, so they never cover data.
enum class LegendPlacement { kNone, kRight, kAbove };

enum class AxisScale {
  kLinear,
  kLog10,  ///< points ≤ 0 are treated as missing
};

/// One pair of axes. Elements are drawn in order, later over earlier; bands behind them all, texts on top.
struct Panel {
  int row = 0;     ///< 0 is the top row
  int column = 0;  ///< 0 is the left column
  Label title{};
  Label x_label{};                 ///< with its unit: "time [s]"
  Label y_label{};                 ///< with its unit
  std::optional<Range> x_range{};  ///< absent: the data's
  std::optional<Range> y_range{};  ///< absent: the data's, 5 % wider on either side
  AxisScale x_scale = AxisScale::kLinear;
  AxisScale y_scale = AxisScale::kLinear;
  bool equal_aspect = false;  ///< one unit is as long in x as in y; linear scales only
  bool show_axes = true;      ///< false for snapshots: no frame, ticks, grid or axis labels
  LegendPlacement legend = LegendPlacement::kNone;
  std::vector<Band> bands{};
  std::vector<Element> elements{};
  std::vector<Strip> strips{};  ///< if any: the panel holds these only, stacked top to bottom
};

/// Width and height of the page [px], 96 px to the inch.
struct Size {
  double width = 720.0;
  double height = 480.0;
};

/// What to draw: panels on a rows × columns grid. Cells may stay empty.
struct Figure {
  Label title{};
  Size size{};
  int rows = 1;
  int columns = 1;
  /// Share of the height per row and of the width per column, > 0; empty: all equal. A row that holds only
  /// strip panels takes the height its strips need instead.
  std::vector<double> row_weights{};
  std::vector<double> column_weights{};
  /// Panels of a column have one x range; only the lowest writes tick labels and the x label.
  bool share_x = false;
  /// One legend for all panels (kAbove: below the title), besides the panels' own.
  LegendPlacement legend = LegendPlacement::kNone;
  /// Of axis labels and panel titles [px]; ticks and legends are 0.9 of it. 15 px are 11 pt on paper. 6 … 72.
  double font_size = 15.0;
  std::vector<Panel> panels{};
};

/// Checks what the comments above ask for: indices in the grid, each cell used once, finite ranges, positive
/// sizes. Renderers call it. Throws InvalidArgument naming the panel and the value.
void validate(const Figure& figure);

}  // namespace enfold::figure
