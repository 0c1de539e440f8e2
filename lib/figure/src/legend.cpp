// SPDX-License-Identifier: BSD-3-Clause
#include "legend.hpp"

#include <algorithm>
#include <numeric>

#include "lower.hpp"
#include "text.hpp"

namespace enfold::figure {
namespace {

constexpr double kSampleWidth = 26.0;  // [px]
constexpr double kSampleGap = 7.0;     // [px] between sample and words
constexpr double kColumnGap = 18.0;    // [px]
constexpr double kRowPitch = 1.45;     // of the text size

template <class T>
void add_once(const T& item, std::vector<LegendEntry>& entries) {
  if (item.label.empty()) return;
  const bool known = std::any_of(entries.begin(), entries.end(),
                                 [&](const LegendEntry& e) { return e.label == item.label; });
  if (!known) entries.push_back({item.label, item});
}

std::vector<double> widths_by_row(const std::vector<LegendEntry>& entries, std::size_t columns, double size) {
  std::vector<double> widths(columns, 0.0);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double width = kSampleWidth + kSampleGap + text_width(entries[i].label, size);
    widths[i % columns] = std::max(widths[i % columns], width);
  }
  return widths;
}

double total(const std::vector<double>& widths) {
  if (widths.empty()) return 0.0;
  return std::accumulate(widths.begin(), widths.end(), kColumnGap * static_cast<double>(widths.size() - 1));
}

std::vector<Point> box(double left, double right, double bottom, double top) {
  return {{left, bottom}, {right, bottom}, {right, top}, {left, top}};
}

// Draws a sample of each kind of element between (x, y) and (x + kSampleWidth, y).
struct SampleDrawer {
  double x, y, half;
  Page& page;
  void line(Colour colour, double width, Dash dash, double opacity) const {
    page.shapes.push_back(
        Stroke{{{x, y}, {x + kSampleWidth, y}}, colour, std::min(width, 6.0), dash, opacity});
  }
  void patch(Colour fill, double opacity, Colour outline, double width, Dash dash) const {
    std::vector<Point> corners = box(x + 2.0, x + kSampleWidth - 2.0, y - half, y + half);
    page.shapes.push_back(Fill{corners, fill, opacity});
    if (width <= 0.0) return;
    corners.push_back(corners.front());
    page.shapes.push_back(Stroke{std::move(corners), outline, std::min(width, 2.0), dash, 1.0});
  }
  void operator()(const Line& e) const { line(e.colour, e.width, e.dash, e.opacity); }
  void operator()(const HorizontalLine& e) const { line(e.colour, e.width, e.dash, 1.0); }
  void operator()(const VerticalLine& e) const { line(e.colour, e.width, e.dash, 1.0); }
  void operator()(const Markers& e) const {
    Markers sample = e;
    sample.points = {{x + kSampleWidth / 2.0, y}};
    sample.size = std::min(e.size, 12.0);
    append_markers(sample, {1.0, 1.0}, page.shapes);
  }
  void operator()(const Arrow& e) const {
    Arrow sample = e;
    sample.from = {x, y};
    sample.to = {x + kSampleWidth, y};
    sample.head_size = std::min(e.head_size, 10.0);
    sample.width = std::min(e.width, 3.0);
    append_arrow(sample, {1.0, 1.0}, page.shapes);
  }
  void operator()(const Polygon& e) const {
    patch(e.fill, e.fill_opacity, e.outline, e.outline_width, e.dash);
  }
  void operator()(const Text&) const {}
  void operator()(const Band& e) const { patch(e.colour, e.opacity, e.colour, 0.0, Dash::kSolid); }
  void operator()(const StripInterval& e) const { patch(e.colour, 1.0, e.colour, 0.0, Dash::kSolid); }
  void operator()(const Element& e) const { std::visit(*this, e); }
};

}  // namespace

void collect_legend(const Panel& panel, std::vector<LegendEntry>& entries) {
  for (const Element& element : panel.elements) {
    std::visit(
        [&](const auto& e) {
          if constexpr (requires { e.label; }) add_once(e, entries);
        },
        element);
  }
  for (const Band& band : panel.bands) add_once(band, entries);
  for (const Strip& strip : panel.strips) {
    for (const StripInterval& interval : strip.intervals) add_once(interval, entries);
  }
}

double LegendBlock::width() const {
  return total(column_widths);
}
double LegendBlock::height() const {
  return rows * kRowPitch * text_size;
}

LegendBlock arrange_legend(std::vector<LegendEntry> entries, LegendPlacement placement, double text_size,
                           double max_width, double max_height) {
  LegendBlock block;
  block.placement = placement;
  block.text_size = text_size;
  if (placement == LegendPlacement::kNone || entries.empty()) return block;
  const double room = std::max(max_width - kSampleWidth - kSampleGap, 2.0 * text_size);
  for (LegendEntry& entry : entries) entry.label = elide_text(entry.label, text_size, room);
  const std::size_t n = entries.size();
  if (placement == LegendPlacement::kAbove) {
    std::size_t columns = n;
    while (columns > 1 && total(widths_by_row(entries, columns, text_size)) > max_width) --columns;
    const std::size_t rows = (n + columns - 1) / columns;
    columns = (n + rows - 1) / rows;  // even rows: 3 + 3 rather than 5 + 1
    block.rows = static_cast<int>(rows);
    block.column_widths = widths_by_row(entries, columns, text_size);
  } else {
    const auto fitting = static_cast<std::size_t>(std::max(1.0, max_height / (kRowPitch * text_size)));
    const std::size_t columns = (n + fitting - 1) / fitting;
    const std::size_t rows = (n + columns - 1) / columns;
    block.rows = static_cast<int>(rows);
    for (std::size_t i = 0; i < n; i += rows) {
      const std::vector<LegendEntry> column(
          entries.begin() + static_cast<std::ptrdiff_t>(i),
          entries.begin() + static_cast<std::ptrdiff_t>(std::min(i + rows, n)));
      block.column_widths.push_back(widths_by_row(column, 1, text_size)[0]);
    }
  }
  block.entries = std::move(entries);
  return block;
}

void draw_legend(const LegendBlock& block, Point corner, Page& page) {
  const double pitch = kRowPitch * block.text_size;
  const std::size_t columns = block.column_widths.size();
  for (std::size_t i = 0; i < block.entries.size(); ++i) {
    const auto rows = static_cast<std::size_t>(block.rows);
    const bool by_row = block.placement == LegendPlacement::kAbove;
    const std::size_t column = by_row ? i % columns : i / rows;
    const std::size_t row = by_row ? i / columns : i % rows;
    double x = corner.x;
    for (std::size_t c = 0; c < column; ++c) x += block.column_widths[c] + kColumnGap;
    const double y = corner.y - (static_cast<double>(row) + 0.5) * pitch;
    std::visit(SampleDrawer{x, y, 0.36 * block.text_size, page}, block.entries[i].sample);
    Words words;
    words.at = {x + kSampleWidth + kSampleGap, y};
    words.text = block.entries[i].label;
    words.size = block.text_size;
    words.colour = kTextColour;
    page.words.push_back(std::move(words));
  }
}

}  // namespace enfold::figure
