// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "enfold/base/require.hpp"
#include "enfold/figure/figure.hpp"

namespace enfold::figure {
namespace {

// Messages start with the panel they are about.
struct ElementCheck {
  std::string where;

  void positive(double value, const char* what) const {
    ENFOLD_REQUIRE(std::isfinite(value) && value > 0.0, "{}: {} is {}, expected > 0", where, what, value);
  }
  void share(double value, const char* what) const {
    ENFOLD_REQUIRE(value >= 0.0 && value <= 1.0, "{}: {} is {}, expected 0 … 1", where, what, value);
  }
  void finite(double value, const char* what) const {
    ENFOLD_REQUIRE(std::isfinite(value), "{}: {} is {}, expected a finite value", where, what, value);
  }
  void interval(double x0, double x1, const char* what) const {
    ENFOLD_REQUIRE(std::isfinite(x0) && std::isfinite(x1) && x0 <= x1,
                   "{}: {} from {} to {}, expected finite ends in order", where, what, x0, x1);
  }
  void range(const std::optional<Range>& r, AxisScale scale, const char* what) const {
    if (!r) return;
    ENFOLD_REQUIRE(std::isfinite(r->lower) && std::isfinite(r->upper) && r->lower < r->upper,
                   "{}: {} [{}, {}], expected finite ends with lower < upper", where, what, r->lower,
                   r->upper);
    ENFOLD_REQUIRE(scale == AxisScale::kLinear || r->lower > 0.0,
                   "{}: {} starts at {}, expected > 0 on a logarithmic axis", where, what, r->lower);
  }

  void operator()(const Line& e) const {
    positive(e.width, "line width");
    share(e.opacity, "line opacity");
  }
  void operator()(const Markers& e) const { positive(e.size, "marker size"); }
  void operator()(const Arrow& e) const {
    positive(e.width, "arrow width");
    positive(e.head_size, "arrow head size");
  }
  void operator()(const Polygon& e) const {
    share(e.fill_opacity, "fill opacity");
    ENFOLD_REQUIRE(std::isfinite(e.outline_width) && e.outline_width >= 0.0,
                   "{}: outline width is {}, expected ≥ 0", where, e.outline_width);
    for (const Point& p : e.points) {
      finite(p.x, "polygon corner x");
      finite(p.y, "polygon corner y");
    }
  }
  void operator()(const Text& e) const {
    positive(e.scale, "text scale");
    finite(e.offset.x, "text offset x");
    finite(e.offset.y, "text offset y");
  }
  void operator()(const HorizontalLine& e) const {
    finite(e.y, "horizontal line y");
    positive(e.width, "line width");
  }
  void operator()(const VerticalLine& e) const {
    finite(e.x, "vertical line x");
    positive(e.width, "line width");
  }
};

void check_weights(const std::vector<double>& weights, int expected, const char* what) {
  ENFOLD_REQUIRE(weights.empty() || weights.size() == static_cast<std::size_t>(expected),
                 "figure: {} {}, expected none or {}", weights.size(), what, expected);
  for (const double w : weights) {
    ENFOLD_REQUIRE(std::isfinite(w) && w > 0.0, "figure: {} hold {}, expected > 0", what, w);
  }
}

}  // namespace

void validate(const Figure& figure) {
  const auto side_ok = [](double side) { return side >= 64.0 && side <= 16384.0; };
  ENFOLD_REQUIRE(side_ok(figure.size.width) && side_ok(figure.size.height),
                 "figure: size {} × {} px, expected 64 … 16384 each", figure.size.width, figure.size.height);
  ENFOLD_REQUIRE(figure.font_size >= 6.0 && figure.font_size <= 72.0,
                 "figure: font size {} px, expected 6 … 72", figure.font_size);
  ENFOLD_REQUIRE(figure.rows >= 1 && figure.columns >= 1, "figure: grid of {} × {}, expected at least 1 × 1",
                 figure.rows, figure.columns);
  check_weights(figure.row_weights, figure.rows, "row weights");
  check_weights(figure.column_weights, figure.columns, "column weights");
  std::set<std::pair<int, int>> used;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const Panel& panel = figure.panels[i];
    const ElementCheck check{fmt::format("figure panel {}", i)};
    ENFOLD_REQUIRE(
        panel.row >= 0 && panel.row < figure.rows && panel.column >= 0 && panel.column < figure.columns,
        "{}: cell ({}, {}) is outside the grid of {} × {}", check.where, panel.row, panel.column, figure.rows,
        figure.columns);
    ENFOLD_REQUIRE(used.emplace(panel.row, panel.column).second, "{}: cell ({}, {}) is taken already",
                   check.where, panel.row, panel.column);
    check.range(panel.x_range, panel.x_scale, "x range");
    check.range(panel.y_range, panel.y_scale, "y range");
    const bool linear = panel.x_scale == AxisScale::kLinear && panel.y_scale == AxisScale::kLinear;
    ENFOLD_REQUIRE(linear || !panel.equal_aspect, "{}: equal aspect asked for on a logarithmic axis",
                   check.where);
    ENFOLD_REQUIRE(panel.strips.empty() || (panel.elements.empty() && panel.bands.empty()),
                   "{}: {} strips beside {} elements and {} bands, expected strips in a panel of their own",
                   check.where, panel.strips.size(), panel.elements.size(), panel.bands.size());
    for (const Element& element : panel.elements) std::visit(check, element);
    for (const Band& band : panel.bands) {
      check.interval(band.x0, band.x1, "band");
      check.share(band.opacity, "band opacity");
    }
    for (const Strip& strip : panel.strips) {
      for (const StripInterval& s : strip.intervals) check.interval(s.x0, s.x1, "strip interval");
    }
  }
}

}  // namespace enfold::figure
