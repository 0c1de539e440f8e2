// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <variant>
#include <vector>

#include "enfold/figure/figure.hpp"
#include "page.hpp"

namespace enfold::figure {

/// A label and the element whose look stands before it.
struct LegendEntry {
  Label label{};
  std::variant<Element, Band, StripInterval> sample{};
};

/// Appends the labelled content of a panel, leaving out labels that are there already.
void collect_legend(const Panel& panel, std::vector<LegendEntry>& entries);

/// Entries arranged on a grid of cells.
struct LegendBlock {
  std::vector<LegendEntry> entries{};
  LegendPlacement placement = LegendPlacement::kNone;
  int rows = 0;
  std::vector<double> column_widths{};  ///< [px]
  double text_size = 12.0;              ///< [px]
  [[nodiscard]] double width() const;
  [[nodiscard]] double height() const;
};

/// kAbove fills rows and never gets wider than max_width; kRight fills columns no higher than max_height,
/// each no wider than max_width.
[[nodiscard]] LegendBlock arrange_legend(std::vector<LegendEntry> entries, LegendPlacement placement,
                                         double text_size, double max_width, double max_height);

/// Draws the block with its upper left corner at `corner` [px].
void draw_legend(const LegendBlock& block, Point corner, Page& page);

}  // namespace enfold::figure
