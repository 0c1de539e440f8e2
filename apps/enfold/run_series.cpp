// SPDX-License-Identifier: BSD-3-Clause
#include "run_series.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace enfold::app {
namespace {

using figure::Line;
using figure::Panel;
using figure::Point;
using sim::Sample;

// More points than this can't be told apart on a page and make files heavy.
constexpr std::size_t kMaxPoints = 3000;

// The smallest and largest value of each bucket survive, so that no spike is lost.
std::vector<Point> thinned(std::vector<Point> points) {
  if (points.size() <= kMaxPoints) return points;
  const std::size_t bucket = (2 * points.size() + kMaxPoints - 1) / kMaxPoints;
  std::vector<Point> kept{points.front()};
  for (std::size_t i = 0; i < points.size(); i += bucket) {
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(i);
    const auto last = points.begin() + static_cast<std::ptrdiff_t>(std::min(i + bucket, points.size()));
    auto [low, high] = std::minmax_element(first, last, [](Point a, Point b) { return a.y < b.y; });
    if (high < low) std::swap(low, high);
    kept.push_back(*low);
    if (high != low) kept.push_back(*high);
  }
  kept.push_back(points.back());
  return kept;
}

}  // namespace

std::vector<Point> series(const sim::History& history, const Value& value) {
  std::vector<Point> points;
  points.reserve(history.samples.size());
  for (const Sample& s : history.samples) points.push_back({s.time, value(s)});
  return thinned(std::move(points));
}

double entry(const VectorXd& v, Index i) {
  return i < v.size() ? v[i] : std::nan("");
}

void add_line(Panel& panel, Line line) {
  if (line.points.size() == 1) {
    panel.elements.emplace_back(
        figure::Markers{.label = line.label, .points = line.points, .colour = line.colour});
  } else {
    panel.elements.emplace_back(std::move(line));
  }
}

figure::Dash dash_of(Index i) {
  constexpr std::array kDashes{figure::Dash::kSolid, figure::Dash::kDashed, figure::Dash::kDotted,
                               figure::Dash::kDashDot};
  return kDashes[static_cast<std::size_t>(i) / figure::kContactColours.size() % kDashes.size()];
}

figure::Range time_range(const sim::History& history) {
  const double from = history.samples.front().time;
  const double to = history.samples.back().time;
  return {from, to > from ? to : from + 1e-3};
}

std::optional<figure::Range> range_if_flat(const std::vector<Point>& a, const std::vector<Point>& b,
                                           double floor) {
  double lower = INFINITY;
  double upper = -INFINITY;
  for (const auto* points : {&a, &b}) {
    for (const Point p : *points) {
      if (!std::isfinite(p.y)) continue;
      lower = std::min(lower, p.y);
      upper = std::max(upper, p.y);
    }
  }
  if (!(lower <= upper) || upper - lower >= floor) return std::nullopt;
  const double middle = 0.5 * (lower + upper);
  return figure::Range{middle - floor, middle + floor};
}

void mark_models(const sim::History& history, Panel& panel) {
  for_each_stretch(
      history, [](const Sample& s) { return s.model; },
      [&](double from, double to, sim::ContactModel model) {
        if (model == sim::ContactModel::kCompliant)
          panel.bands.push_back({.label = "compliant model", .x0 = from, .x1 = to});
      });
  for (const sim::Event& event : history.events) {
    if (event.kind != "model" || event.time <= history.samples.front().time) continue;
    panel.elements.emplace_back(figure::VerticalLine{.label = "switch of model",
                                                     .x = event.time,
                                                     .colour = figure::kBlack,
                                                     .dash = figure::Dash::kDashed});
  }
}

figure::Size page_size(double height, Index legend_entries) {
  return {.width = 820.0, .height = std::max(height, 90.0 + 22.0 * static_cast<double>(legend_entries))};
}

}  // namespace enfold::app
