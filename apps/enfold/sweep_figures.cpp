// SPDX-License-Identifier: BSD-3-Clause
#include "sweep_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace enfold::app {
namespace {

using figure::Colour;
using figure::Figure;
using figure::Panel;
using figure::Point;
using figure::Polygon;

constexpr Colour kBar = figure::kBlue;
constexpr Colour kFell{200, 206, 212};
constexpr Colour kEmptyCell{236, 236, 236};

std::vector<Point> box(double x0, double x1, double y0, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

Polygon bar(double x0, double x1, double y0, double y1, Colour colour, figure::Label label = {}) {
  Polygon out{.label = std::move(label), .points = box(x0, x1, y0, y1)};
  out.fill = out.outline = colour;
  out.outline_width = 0.4;  // hides the seams between neighbours
  return out;
}

/// From white to dark blue: more is darker, in print and to every eye.
Colour shade(double rate) {
  const double s = std::clamp(rate, 0.0, 1.0);
  const auto mix = [s](double from, double to) {
    return static_cast<std::uint8_t>(std::lround(from + s * (to - from)));
  };
  return {mix(247, 8), mix(251, 64), mix(255, 129)};
}

Figure levels_figure(const SweepStudy& study, const SweepAnswers& answers) {
  Figure out{.title = "Samples that reached each level"};
  const auto n = static_cast<double>(study.levels.size());
  out.size = {720, 130.0 + 44.0 * n};
  Panel panel{.x_label = "samples"};
  const auto total = static_cast<double>(std::max<std::size_t>(answers.records.size(), 1));
  panel.x_range = figure::Range{0.0, 1.32 * total};
  panel.y_range = figure::Range{-0.1, n + 0.1};
  panel.show_axes = false;
  for (std::size_t k = 0; k < study.levels.size(); ++k) {
    const study::LevelCount& level = answers.levels[k];
    const double y = n - static_cast<double>(k);
    const auto reached = static_cast<double>(level.reached);
    const double passed = reached - static_cast<double>(level.fell);
    const double left = 0.18 * total;
    if (reached > 0) panel.elements.push_back(bar(left, left + reached * 0.8, y - 0.85, y - 0.15, kFell));
    if (passed > 0) panel.elements.push_back(bar(left, left + passed * 0.8, y - 0.85, y - 0.15, kBar));
    panel.elements.push_back(figure::Text{.position = {left, y - 0.5},
                                          .text = std::string(to_string(study.levels[k])),
                                          .align = figure::Align::kRight,
                                          .offset = {-8, 0}});
    panel.elements.push_back(
        figure::Text{.position = {left + 0.8 * total, y - 0.5},
                     .text = fmt::format("{} passed, {} fell", level.reached - level.fell, level.fell),
                     .offset = {8, 0}});
  }
  out.panels.push_back(std::move(panel));
  return out;
}

Figure map_figure(const study::SuccessMap& map) {
  Figure out{.title = fmt::format("Success over {} and {}", map.x.name, map.y.name)};
  out.size = {680, 560};
  out.columns = 2;
  out.column_weights = {1.0, 0.12};
  Panel panel{.x_label = map.x.name, .y_label = map.y.name};
  panel.x_range = figure::Range{map.x.edges.front(), map.x.edges.back()};
  panel.y_range = figure::Range{map.y.edges.front(), map.y.edges.back()};
  for (std::size_t row = 0; row < map.y.values.size(); ++row) {
    for (std::size_t column = 0; column < map.x.values.size(); ++column) {
      const std::size_t k = map.at(column, row);
      const auto trials = static_cast<double>(map.trials[k]);
      const Colour colour = trials > 0 ? shade(static_cast<double>(map.successes[k]) / trials) : kEmptyCell;
      panel.elements.push_back(
          bar(map.x.edges[column], map.x.edges[column + 1], map.y.edges[row], map.y.edges[row + 1], colour));
    }
  }
  out.panels.push_back(std::move(panel));
  Panel scale{.column = 1, .y_label = "success rate"};
  scale.x_range = figure::Range{0.0, 1.0};
  scale.y_range = figure::Range{0.0, 1.0};
  scale.show_axes = false;
  constexpr int kSteps = 50;
  for (int k = 0; k < kSteps; ++k)
    scale.elements.push_back(
        bar(0.0, 0.3, k / double{kSteps}, (k + 1) / double{kSteps}, shade((k + 0.5) / kSteps)));
  for (const int percent : {0, 25, 50, 75, 100}) {
    scale.elements.push_back(figure::Text{.position = {0.3, percent / 100.0},
                                          .text = fmt::format("{} %", percent),
                                          .offset = {5, percent == 0     ? 4.0
                                                        : percent == 100 ? -4.0
                                                                         : 0.0}});
  }
  out.panels.push_back(std::move(scale));
  return out;
}

/// Places panel number k on a grid of `columns`.
void place(Panel& panel, std::size_t k, std::size_t columns) {
  panel.row = static_cast<int>(k / columns);
  panel.column = static_cast<int>(k % columns);
}

Figure grid_of(std::string title, std::size_t panels, std::size_t columns, double height) {
  Figure out{.title = std::move(title)};
  columns = std::min(columns, panels);
  const std::size_t rows = (panels + columns - 1) / columns;
  out.columns = static_cast<int>(columns);
  out.rows = static_cast<int>(rows);
  out.size = {std::max(480.0, 330.0 * static_cast<double>(columns)),
              60.0 + height * static_cast<double>(rows)};
  out.font_size = 13.0;
  return out;
}

/// Both ends of a range that is drawn, never of no width.
figure::Range widened(double lower, double upper, double share) {
  const double width = upper - lower;
  const double extra = width > 0.0 ? share * width : std::max(1e-9, 0.05 * std::abs(lower));
  return {lower - extra, upper + extra};
}

Figure histograms_figure(const std::vector<std::pair<std::string, study::Histogram>>& histograms) {
  Figure out = grid_of("How often", histograms.size(), 3, 260.0);
  for (std::size_t k = 0; k < histograms.size(); ++k) {
    const auto& [name, histogram] = histograms[k];
    Panel panel{.x_label = name, .y_label = k % 3 == 0 ? "samples" : ""};
    place(panel, k, static_cast<std::size_t>(out.columns));
    double most = 1.0;
    const bool single = !(histogram.edges.front() < histogram.edges.back());
    panel.x_range = widened(histogram.edges.front(), histogram.edges.back(), 0.02);
    for (std::size_t b = 0; b < histogram.counts.size(); ++b) {
      const auto count = static_cast<double>(histogram.counts[b]);
      most = std::max(most, count);
      if (histogram.counts[b] == 0) continue;
      const double x0 = single ? panel.x_range->lower : histogram.edges[b];
      const double x1 = single ? panel.x_range->upper : histogram.edges[b + 1];
      Polygon column = bar(x0, x1, 0.0, count, kBar);
      column.outline = figure::kWhite;
      column.outline_width = 0.8;
      panel.elements.push_back(std::move(column));
    }
    panel.y_range = figure::Range{0.0, 1.08 * most};
    out.panels.push_back(std::move(panel));
  }
  return out;
}

Figure shares_figure(const SweepAnswers& answers) {
  const std::size_t parameters = answers.parameters.size();
  Figure out = grid_of("Share of the variance that each parameter explains alone", answers.drawn.size(), 2,
                       90.0 + 26.0 * static_cast<double>(parameters));
  out.size.width = answers.drawn.size() > 1 ? 960 : 560;
  for (std::size_t d = 0; d < answers.drawn.size(); ++d) {
    Panel panel{.title = answers.drawn[d].name};
    place(panel, d, static_cast<std::size_t>(out.columns));
    panel.show_axes = false;
    panel.x_range = figure::Range{-0.6, 1.25};
    panel.y_range = figure::Range{-0.1, static_cast<double>(parameters) + 0.1};
    for (std::size_t p = 0; p < parameters; ++p) {
      const double share = answers.effects[d * parameters + p].main.share;
      const double y = static_cast<double>(parameters - p);
      panel.elements.push_back(bar(0.0, 1.0, y - 0.8, y - 0.2, {240, 242, 244}));
      if (share > 0.0) panel.elements.push_back(bar(0.0, share, y - 0.8, y - 0.2, kBar));
      panel.elements.push_back(figure::Text{.position = {0.0, y - 0.5},
                                            .text = answers.parameters[p].name,
                                            .align = figure::Align::kRight,
                                            .offset = {-8, 0}});
      panel.elements.push_back(
          figure::Text{.position = {1.0, y - 0.5},
                       .text = std::isnan(share) ? std::string("–") : fmt::format("{:.0f} %", 100.0 * share),
                       .offset = {8, 0}});
    }
    out.panels.push_back(std::move(panel));
  }
  return out;
}

/// The mean of one output in slices of each parameter, with its 95 % interval.
Figure effects_figure(const SweepAnswers& answers, std::size_t drawn) {
  const std::size_t parameters = answers.parameters.size();
  const std::string& name = answers.drawn[drawn].name;
  Figure out = grid_of(fmt::format("Main effects on {}", name), parameters, 3, 250.0);
  double lower = INFINITY;
  double upper = -INFINITY;
  for (std::size_t p = 0; p < parameters; ++p) {
    for (const study::EffectBin& bin : answers.effects[drawn * parameters + p].main.bins) {
      const double half = std::isfinite(bin.half_width) ? bin.half_width : 0.0;
      lower = std::min(lower, bin.mean - half);
      upper = std::max(upper, bin.mean + half);
    }
  }
  for (std::size_t p = 0; p < parameters; ++p) {
    Panel panel{.x_label = answers.parameters[p].name, .y_label = p % 3 == 0 ? "mean" : ""};
    place(panel, p, static_cast<std::size_t>(out.columns));
    panel.y_range = widened(lower, upper, 0.08);
    figure::Line line{.points = {}, .colour = kBar};
    figure::Markers marks{.points = {}, .colour = kBar};
    double first = INFINITY;
    double last = -INFINITY;
    for (const study::EffectBin& bin : answers.effects[drawn * parameters + p].main.bins) {
      const double x = 0.5 * (bin.lower + bin.upper);
      first = std::min(first, x);
      last = std::max(last, x);
      line.points.push_back({x, bin.mean});
      marks.points.push_back({x, bin.mean});
      if (!std::isfinite(bin.half_width)) continue;
      panel.elements.push_back(
          figure::Line{.points = {{x, bin.mean - bin.half_width}, {x, bin.mean + bin.half_width}},
                       .colour = figure::kDesired,
                       .width = 1.2});
    }
    panel.x_range = widened(first, last, 0.06);
    panel.elements.push_back(std::move(line));
    panel.elements.push_back(std::move(marks));
    out.panels.push_back(std::move(panel));
  }
  return out;
}

}  // namespace

std::vector<SweepFigure> sweep_figures(const SweepStudy& study, const SweepAnswers& answers) {
  std::vector<SweepFigure> out;
  if (answers.records.empty()) return out;
  if (study.levels.size() > 1) {
    out.push_back({"levels", "How many samples passed each test, and how many fell there.",
                   levels_figure(study, answers)});
  }
  for (std::size_t k = 0; k < answers.maps.size(); ++k) {
    out.push_back({fmt::format("map_{}", k + 1),
                   "The share of samples that succeeded in each cell; grey: none tried.",
                   map_figure(answers.maps[k])});
  }
  std::vector<std::pair<std::string, study::Histogram>> histograms;
  for (std::size_t d = 1; d < answers.drawn.size(); ++d) {
    study::Histogram histogram = study::histogram(answers.drawn[d].values);
    if (!histogram.counts.empty()) histograms.emplace_back(answers.drawn[d].name, std::move(histogram));
  }
  if (!histograms.empty())
    out.push_back({"histograms", "Over all samples that got far enough to have the number.",
                   histograms_figure(histograms)});
  out.push_back(
      {"shares",
       "Main effects by size. What is missing to 100 % is due to several parameters at once, or to noise.",
       shares_figure(answers)});
  for (std::size_t d = 0; d < answers.drawn.size(); ++d) {
    const bool varies =
        std::any_of(answers.effects.begin(), answers.effects.end(), [&](const SweepEffect& effect) {
          return effect.output == answers.drawn[d].name && !effect.main.bins.empty() &&
                 !std::isnan(effect.main.share);
        });
    if (!varies) continue;
    out.push_back({fmt::format("effects_{}", d + 1),
                   "The mean over all samples in a slice of one parameter, with its 95 % interval.",
                   effects_figure(answers, d)});
  }
  return out;
}

}  // namespace enfold::app
