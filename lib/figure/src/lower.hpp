// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "enfold/figure/figure.hpp"
#include "page.hpp"

// From elements to shapes.
namespace enfold::figure {

/// x and y ranges of a panel's data in axis coordinates (log10 where the scale says so), or the panel's own.
struct DataRange {
  Range x{};
  Range y{};
};
[[nodiscard]] DataRange data_range(const Panel& panel);

/// The panel's x in axis coordinates: log10 where the scale says so, NaN for x ≤ 0 there.
[[nodiscard]] double scaled(double value, AxisScale scale);

/// Fills shapes and words of axes whose rectangle and ranges are set.
void lower_panel(const Panel& panel, double font_size, Axes& axes);

/// Markers as outlines of constant size; `unit` is the length of one axis unit [px].
void append_markers(const Markers& markers, Point unit, std::vector<Shape>& shapes);

/// An arrow as a shaft and heads of constant size; `unit` is the length of one axis unit [px].
void append_arrow(const Arrow& arrow, Point unit, std::vector<Shape>& shapes);

}  // namespace enfold::figure
