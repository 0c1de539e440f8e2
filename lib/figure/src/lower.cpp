// SPDX-License-Identifier: BSD-3-Clause
#include "lower.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "text.hpp"

namespace enfold::figure {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool finite(const Point& p) {
  return std::isfinite(p.x) && std::isfinite(p.y);
}

// Smallest interval around the values it has seen.
struct Interval {
  double lower = std::numeric_limits<double>::infinity();
  double upper = -std::numeric_limits<double>::infinity();
  void add(double value) {
    if (!std::isfinite(value)) return;
    lower = std::min(lower, value);
    upper = std::max(upper, value);
  }
  [[nodiscard]] bool empty() const { return lower > upper; }
  // A range of positive width; `margin` is the share of the width added on either side.
  [[nodiscard]] Range range(double margin) const {
    if (empty()) return {0.0, 1.0};
    const double magnitude = std::max(std::abs(lower), std::abs(upper));
    // Rounding noise about a constant is not worth a zoom.
    if (upper - lower <= 1e-9 * magnitude || upper == lower) {
      const double half = magnitude > 0.0 ? 0.5 * magnitude : 1.0;
      const double middle = 0.5 * lower + 0.5 * upper;
      return {middle - half, middle + half};
    }
    const double pad = margin * (upper - lower);
    return {lower - pad, upper + pad};
  }
};

class Bounds {
 public:
  explicit Bounds(const Panel& panel) : panel_(panel) {
    if (panel.x_range) {
      window_ = {scaled(panel.x_range->lower, panel.x_scale), scaled(panel.x_range->upper, panel.x_scale)};
    }
  }
  void add(const Point& raw) {
    const Point p{scaled(raw.x, panel_.x_scale), scaled(raw.y, panel_.y_scale)};
    if (!finite(p)) return;
    x.add(p.x);
    // What a fixed x range hides must not stretch the y range.
    if (p.x >= window_.lower && p.x <= window_.upper) y.add(p.y);
  }
  void operator()(const Line& e) { add_all(e.points); }
  void operator()(const Markers& e) { add_all(e.points); }
  void operator()(const Polygon& e) { add_all(e.points); }
  void operator()(const Arrow& e) {
    if (!finite(e.from) || !finite(e.to)) return;
    add(e.from);
    add(e.to);
  }
  void operator()(const Text& e) { add(e.position); }
  void operator()(const HorizontalLine& e) { y.add(scaled(e.y, panel_.y_scale)); }
  void operator()(const VerticalLine& e) { x.add(scaled(e.x, panel_.x_scale)); }

  Interval x{};
  Interval y{};

 private:
  void add_all(const std::vector<Point>& points) {
    for (const Point& p : points) add(p);
  }
  const Panel& panel_;
  Range window_{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
};

// A history may hold a hundred points per pixel. Of each run of points in one half pixel column the first,
// the lowest, the highest and the last paint the same pixels as all of them.
std::vector<Point> thin_out(const std::vector<Point>& points, double left, double unit_x) {
  std::vector<Point> kept;
  for (std::size_t i = 0; i < points.size();) {
    if (!finite(points[i])) {
      if (!kept.empty() && finite(kept.back())) kept.push_back({kNaN, kNaN});
      ++i;
      continue;
    }
    const auto column = [&](const Point& p) { return std::floor(2.0 * (p.x - left) * unit_x); };
    std::size_t end = i + 1;
    while (end < points.size() && finite(points[end]) && column(points[end]) == column(points[i])) ++end;
    std::vector<std::size_t> picks{i, end - 1};
    std::size_t lowest = i;
    std::size_t highest = i;
    for (std::size_t k = i; k < end; ++k) {
      if (points[k].y < points[lowest].y) lowest = k;
      if (points[k].y > points[highest].y) highest = k;
    }
    picks.insert(picks.end(), {lowest, highest});
    std::sort(picks.begin(), picks.end());
    picks.erase(std::unique(picks.begin(), picks.end()), picks.end());
    for (const std::size_t k : picks) kept.push_back(points[k]);
    i = end;
  }
  return kept;
}

class Lowering {
 public:
  Lowering(const Panel& panel, double font_size, Axes& axes)
      : panel_(panel),
        font_size_(font_size),
        axes_(axes),
        unit_{axes.rect.width / (axes.x.upper - axes.x.lower),
              axes.rect.height / (axes.y.upper - axes.y.lower)} {}

  void operator()(const Line& e) {
    std::vector<Point> points = thin_out(map(e.points), axes_.x.lower, unit_.x);
    add(Stroke{std::move(points), e.colour, e.width, e.dash, e.opacity});
  }
  void operator()(const Markers& e) {
    Markers markers = e;
    markers.points.clear();
    for (const Point& p : map(e.points)) {
      if (finite(p) && inside(p)) markers.points.push_back(p);
    }
    append_markers(markers, unit_, axes_.shapes);
  }
  void operator()(const Arrow& e) {
    Arrow arrow = e;
    arrow.from = map(e.from);
    arrow.to = map(e.to);
    append_arrow(arrow, unit_, axes_.shapes);
  }
  void operator()(const Polygon& e) {
    std::vector<Point> points = map(e.points);
    if (points.size() < 2 || !std::all_of(points.begin(), points.end(), finite)) return;
    if (e.fill_opacity > 0.0) axes_.shapes.push_back(Fill{points, e.fill, e.fill_opacity});
    if (e.outline_width <= 0.0) return;
    points.push_back(points.front());
    add(Stroke{std::move(points), e.outline, e.outline_width, e.dash, 1.0});
  }
  void operator()(const Text& e) {
    const Point at = map(e.position);
    if (!finite(at) || !inside(at)) return;
    const double size = e.scale * font_size_;
    const std::vector<Label> lines = wrap_text(e.text, size, axes_.rect.width);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const double down =
          (static_cast<double>(i) - 0.5 * static_cast<double>(lines.size() - 1)) * 1.25 * size;
      const Point shifted{at.x + e.offset.x / unit_.x, at.y + (e.offset.y - down) / unit_.y};
      axes_.words.push_back({shifted, lines[i], size, e.colour, e.align, false, false});
    }
  }
  void operator()(const HorizontalLine& e) {
    const double y = scaled(e.y, panel_.y_scale);
    add(Stroke{{{axes_.x.lower, y}, {axes_.x.upper, y}}, e.colour, e.width, e.dash, 1.0});
  }
  void operator()(const VerticalLine& e) {
    const double x = scaled(e.x, panel_.x_scale);
    add(Stroke{{{x, axes_.y.lower}, {x, axes_.y.upper}}, e.colour, e.width, e.dash, 1.0});
  }
  // [x0, x1] × [bottom, top] in axis coordinates, cut to the x range.
  void block(double x0, double x1, double bottom, double top, Colour colour, double opacity) {
    double left = scaled(x0, panel_.x_scale);
    if (std::isnan(left)) left = axes_.x.lower;
    left = std::max(left, axes_.x.lower);
    const double right = std::min(scaled(x1, panel_.x_scale), axes_.x.upper);
    if (!(left < right)) return;
    axes_.shapes.push_back(
        Fill{{{left, bottom}, {right, bottom}, {right, top}, {left, top}}, colour, opacity});
  }

 private:
  [[nodiscard]] Point map(const Point& p) const {
    return {scaled(p.x, panel_.x_scale), scaled(p.y, panel_.y_scale)};
  }
  [[nodiscard]] std::vector<Point> map(const std::vector<Point>& points) const {
    std::vector<Point> out;
    out.reserve(points.size());
    for (const Point& p : points) out.push_back(map(p));
    return out;
  }
  [[nodiscard]] bool inside(const Point& p) const {
    return p.x >= axes_.x.lower && p.x <= axes_.x.upper && p.y >= axes_.y.lower && p.y <= axes_.y.upper;
  }
  void add(Stroke stroke) {
    if (std::any_of(stroke.points.begin(), stroke.points.end(), finite))
      axes_.shapes.push_back(std::move(stroke));
  }

  const Panel& panel_;
  double font_size_;
  Axes& axes_;
  Point unit_;
};

}  // namespace

double scaled(double value, AxisScale scale) {
  if (scale == AxisScale::kLinear) return value;
  return value > 0.0 ? std::log10(value) : kNaN;
}

DataRange data_range(const Panel& panel) {
  Bounds bounds(panel);
  for (const Element& element : panel.elements) std::visit(bounds, element);
  for (const Strip& strip : panel.strips) {
    for (const StripInterval& interval : strip.intervals) {
      bounds.x.add(scaled(interval.x0, panel.x_scale));
      bounds.x.add(scaled(interval.x1, panel.x_scale));
    }
  }
  if (bounds.x.empty()) {
    for (const Band& band : panel.bands) {
      bounds.x.add(scaled(band.x0, panel.x_scale));
      bounds.x.add(scaled(band.x1, panel.x_scale));
    }
  }
  // Histories run from edge to edge; clouds of points and shapes need air.
  const double x_margin = panel.equal_aspect || panel.x_scale == AxisScale::kLog10 ? 0.05 : 0.0;
  DataRange range{bounds.x.range(x_margin), bounds.y.range(0.05)};
  if (panel.x_range) {
    range.x = {scaled(panel.x_range->lower, panel.x_scale), scaled(panel.x_range->upper, panel.x_scale)};
  }
  if (panel.y_range) {
    range.y = {scaled(panel.y_range->lower, panel.y_scale), scaled(panel.y_range->upper, panel.y_scale)};
  }
  if (!panel.strips.empty()) range.y = {0.0, static_cast<double>(panel.strips.size())};
  return range;
}

void lower_panel(const Panel& panel, double font_size, Axes& axes) {
  Lowering lowering(panel, font_size, axes);
  if (!panel.strips.empty()) {
    double top = static_cast<double>(panel.strips.size());
    for (const Strip& strip : panel.strips) {
      for (const StripInterval& i : strip.intervals)
        lowering.block(i.x0, i.x1, top - 0.9, top - 0.1, i.colour, 1.0);
      top -= 1.0;
    }
    return;
  }
  for (const Band& b : panel.bands)
    lowering.block(b.x0, b.x1, axes.y.lower, axes.y.upper, b.colour, b.opacity);
  for (const Element& element : panel.elements) std::visit(lowering, element);
}

void append_markers(const Markers& markers, Point unit, std::vector<Shape>& shapes) {
  if (markers.points.empty()) return;
  // Outlines on the unit circle, made equal in area by eye.
  const auto ring = [](int n, double start, double radius) {
    std::vector<Point> points;
    for (int k = 0; k < n; ++k) {
      const double s = start + 2.0 * std::numbers::pi * k / n;
      points.push_back({radius * std::cos(s), radius * std::sin(s)});
    }
    return points;
  };
  std::vector<Point> outline;
  bool filled = true;
  switch (markers.shape) {
    case MarkerShape::kDisc:
      outline = ring(20, 0.0, 1.0);
      break;
    case MarkerShape::kSquare:
      outline = ring(4, std::numbers::pi / 4.0, 1.25);
      break;
    case MarkerShape::kTriangle:
      outline = ring(3, std::numbers::pi / 2.0, 1.3);
      break;
    case MarkerShape::kDiamond:
      outline = ring(4, 0.0, 1.25);
      break;
    case MarkerShape::kCircle:
      outline = ring(20, 0.0, 1.0);
      outline.push_back(outline.front());
      filled = false;
      break;
    case MarkerShape::kCross:
      outline = {{-0.9, -0.9}, {0.9, 0.9}, {kNaN, kNaN}, {-0.9, 0.9}, {0.9, -0.9}};
      filled = false;
      break;
  }
  const double radius = 0.5 * markers.size;
  std::vector<Point> points;
  for (const Point& centre : markers.points) {
    if (!points.empty()) points.push_back({kNaN, kNaN});
    for (const Point& p : outline) {
      points.push_back({centre.x + radius * p.x / unit.x, centre.y + radius * p.y / unit.y});
    }
  }
  if (filled) {
    shapes.push_back(Fill{std::move(points), markers.colour, 1.0});
  } else {
    shapes.push_back(Stroke{std::move(points), markers.colour, 1.5, Dash::kSolid, 1.0});
  }
}

void append_arrow(const Arrow& arrow, Point unit, std::vector<Shape>& shapes) {
  if (!finite(arrow.from) || !finite(arrow.to)) return;
  // Everything in px, so that the head keeps its shape whatever the scales of the axes.
  const Point d{(arrow.to.x - arrow.from.x) * unit.x, (arrow.to.y - arrow.from.y) * unit.y};
  const double length = std::hypot(d.x, d.y);
  if (!(length > 0.0)) return;
  const Point e{d.x / length, d.y / length};
  const int heads = arrow.head == ArrowHead::kBoth ? 2 : (arrow.head == ArrowHead::kEnd ? 1 : 0);
  const double head = heads > 0 ? std::min(arrow.head_size, length / heads) : 0.0;
  const double half = std::max(0.36 * head, head > 0.0 ? 0.5 * arrow.width : 0.0);
  // Point at `along` px from the tail and `across` px to the left, back in axis units.
  const auto at = [&](double along, double across) {
    return Point{arrow.from.x + (along * e.x - across * e.y) / unit.x,
                 arrow.from.y + (along * e.y + across * e.x) / unit.y};
  };
  const double overlap = 0.2 * head;  // no gap between shaft and head
  const double start = heads == 2 ? head - overlap : 0.0;
  const double stop = heads > 0 ? length - head + overlap : length;
  if (start < stop)
    shapes.push_back(Stroke{{at(start, 0), at(stop, 0)}, arrow.colour, arrow.width, Dash::kSolid, 1.0});
  if (heads > 0)
    shapes.push_back(
        Fill{{at(length, 0), at(length - head, half), at(length - head, -half)}, arrow.colour, 1.0});
  if (heads > 1) shapes.push_back(Fill{{at(0, 0), at(head, -half), at(head, half)}, arrow.colour, 1.0});
}

}  // namespace enfold::figure
