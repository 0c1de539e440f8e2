// SPDX-License-Identifier: BSD-3-Clause
#include "uniqueness_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace enfold::app {
namespace {

using figure::Panel;
using figure::Point;

constexpr figure::Colour kOneSolution{232, 240, 250};
constexpr figure::Colour kNoSolution{96, 96, 96};
constexpr figure::Colour kTwoSolutions{253, 231, 200};
constexpr figure::Colour kThreeSolutions{247, 200, 140};
constexpr figure::Colour kMoreSolutions{232, 150, 90};
constexpr figure::Colour kNotPShade{214, 214, 214};
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string group_name(const Setup& setup, const std::vector<Index>& group) {
  std::string out;
  for (const Index i : group)
    out += (out.empty() ? "" : ", ") + setup.model.contacts->names()[static_cast<std::size_t>(i)];
  return out;
}

struct Shade {
  std::string label;
  figure::Colour colour;
};

Shade shade_of(const SampledMap& map, std::size_t k) {
  if (map.min_minor[k] > 0.0) return {"unique for every b", kOneSolution};
  if (map.solutions.empty()) return {"not unique", kNotPShade};
  switch (map.solutions[k]) {
    case -1:
      return {"infinitely many", kNotPShade};
    case 0:
      return {"no solution", kNoSolution};
    case 1:
      return {"1 solution for this b", figure::kYes};
    case 2:
      return {"2 solutions", kTwoSolutions};
    case 3:
      return {"3 solutions", kThreeSolutions};
    default:
      return {"4 or more solutions", kMoreSolutions};
  }
}

// The sampled map as rectangles, equal neighbours of a row joined.
void add_shading(const PlaneMap& map, Panel& panel) {
  const SampledMap& sampled = map.sampled;
  if (sampled.min_minor.empty()) return;
  const auto n = static_cast<std::size_t>(sampled.n);
  const Vector2d step = (map.plane.upper - map.plane.lower) / sampled.n;
  for (std::size_t j = 0; j < n; ++j) {
    const double y = map.plane.lower.y() + step.y() * static_cast<double>(j);
    for (std::size_t i = 0; i < n;) {
      const Shade shade = shade_of(sampled, n * j + i);
      std::size_t end = i + 1;
      while (end < n && shade_of(sampled, n * j + end).label == shade.label) ++end;
      const double x_0 = map.plane.lower.x() + step.x() * static_cast<double>(i);
      const double x_1 = map.plane.lower.x() + step.x() * static_cast<double>(end);
      const double y_1 = std::min(map.plane.upper.y(), y + 1.04 * step.y());  // no seams between rows
      panel.elements.push_back(figure::Polygon{.label = shade.label,
                                               .points = {{x_0, y}, {x_1, y}, {x_1, y_1}, {x_0, y_1}},
                                               .fill = shade.colour,
                                               .outline_width = 0.0});
      i = end;
    }
  }
}

// Lines of equal smallest minor by marching squares between the grid's points.
std::vector<Point> contour(const PlaneMap& map, double level) {
  const SampledMap& sampled = map.sampled;
  const auto n = static_cast<std::size_t>(sampled.n);
  const Vector2d step = (map.plane.upper - map.plane.lower) / sampled.n;
  std::vector<Point> out;
  const auto value = [&](std::size_t i, std::size_t j) { return sampled.min_minor[n * j + i] - level; };
  const auto place = [&](double i, double j) {
    return Point{map.plane.lower.x() + step.x() * (i + 0.5), map.plane.lower.y() + step.y() * (j + 0.5)};
  };
  for (std::size_t j = 0; j + 1 < n; ++j) {
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const std::array<double, 4> v{value(i, j), value(i + 1, j), value(i + 1, j + 1), value(i, j + 1)};
      const auto x = static_cast<double>(i);
      const auto y = static_cast<double>(j);
      const std::array<std::array<double, 2>, 4> corner{{{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}}};
      std::vector<Point> cuts;
      for (std::size_t e = 0; e < 4; ++e) {
        const std::size_t f = (e + 1) % 4;
        if ((v[e] > 0.0) == (v[f] > 0.0)) continue;
        const double u = v[e] / (v[e] - v[f]);
        cuts.push_back(place(corner[e][0] + u * (corner[f][0] - corner[e][0]),
                             corner[e][1] + u * (corner[f][1] - corner[e][1])));
      }
      for (std::size_t k = 0; k + 1 < cuts.size(); k += 2) {
        out.push_back(cuts[k]);
        out.push_back(cuts[k + 1]);
        out.push_back({kNaN, kNaN});
      }
    }
  }
  return out;
}

void add_contours(const PlaneMap& map, Panel& panel) {
  if (map.sampled.min_minor.empty()) return;
  const double most = *std::max_element(map.sampled.min_minor.begin(), map.sampled.min_minor.end());
  if (!(most > 0.0)) return;
  for (const double part : {0.25, 0.5, 0.75}) {
    std::vector<Point> points = contour(map, part * most);
    if (points.empty()) continue;
    panel.elements.push_back(figure::Line{.label = "smallest minor: 25, 50, 75 % of its largest",
                                          .points = std::move(points),
                                          .colour = figure::kDesired,
                                          .width = 0.9,
                                          .opacity = 0.7});
  }
}

Panel map_panel(const Setup& setup, const UniquenessStudy& study, const NamedMap& named, int column) {
  const PlaneMap& map = named.map;
  Panel panel{.column = column,
              .title = named.title,
              .x_label = "μ of " + group_name(setup, study.groups[0]),
              .y_label = "μ of " + group_name(setup, study.groups[1]),
              .x_range = figure::Range{map.plane.lower.x(), map.plane.upper.x()},
              .y_range = figure::Range{map.plane.lower.y(), map.plane.upper.y()},
              .equal_aspect = true};
  add_shading(map, panel);
  add_contours(map, panel);
  const auto add_boundary = [&panel](const PlaneMap& of, const figure::Line& style) {
    for (const uniqueness::RegionCurve& curve : of.region.curves) {
      figure::Line line = style;
      for (const Vector2d& point : curve.points) line.points.push_back({point.x(), point.y()});
      if (curve.closed && !line.points.empty()) line.points.push_back(line.points.front());
      panel.elements.push_back(std::move(line));
    }
  };
  if (named.proved == nullptr) {
    add_boundary(map, {.label = "exact boundary", .colour = figure::kBlack, .width = 2.2});
  } else {
    add_boundary(map,
                 {.label = "exact boundary at the sampled instants", .colour = figure::kBlack, .width = 1.2});
    add_boundary(*named.proved,
                 {.label = "proved for every instant", .colour = figure::kBluishGreen, .width = 2.2});
  }
  if (!map.design) {
    panel.title.text += ": a group has several μ";
    return panel;
  }
  const Vector2d design = *map.design;
  if (std::isfinite(map.distance.distance)) {
    panel.elements.push_back(figure::Line{
        .label = "distance to the edge",
        .points = {{design.x(), design.y()}, {map.distance.nearest.x(), map.distance.nearest.y()}},
        .colour = figure::kVermilion,
        .width = 2.0});
  }
  panel.elements.push_back(figure::Markers{
      .label = "design", .points = {{design.x(), design.y()}}, .colour = figure::kVermilion, .size = 9.0});
  const std::string verdict =
      std::isfinite(map.distance.distance)
          ? fmt::format("{}, {:.3f} from the edge", map.design_inside ? "inside" : "outside",
                        map.distance.distance)
          : std::string(map.design_inside ? "inside, no edge in the window"
                                          : "outside, no edge in the window");
  panel.title.text += ": design " + verdict;
  return panel;
}

}  // namespace

figure::Figure maps_figure(const Setup& setup, const UniquenessStudy& study,
                           const std::vector<NamedMap>& maps, const std::string& title) {
  figure::Figure out{
      .title = title,
      .size = {maps.size() > 1 ? 80.0 + 480.0 * static_cast<double>(maps.size()) : 760.0, 660.0},
      .columns = static_cast<int>(maps.size()),
      .legend = figure::LegendPlacement::kAbove,
      .font_size = 14.0};
  for (std::size_t k = 0; k < maps.size(); ++k)
    out.panels.push_back(map_panel(setup, study, maps[k], static_cast<int>(k)));
  return out;
}

figure::Figure margin_figure(const Setup& setup, const UniquenessStudy& study) {
  figure::Figure out{.title = setup.scenario.name + ": how far from the loss of uniqueness",
                     .size = {820.0, 640.0},
                     .rows = 3,
                     .row_weights = {1.0, 1.0, 0.2},
                     .share_x = true};
  figure::Line margin{.label = "friction margin ρ", .colour = figure::kBlue};
  figure::Line scale{.label = "factor r of all μ", .colour = figure::kVermilion};
  double r_top = 2.0;
  for (const MarginSample& sample : study.margins) {
    const bool finite = sample.followed && known(sample.margin);
    margin.points.push_back({sample.time, finite ? sample.margin.half_width : kNaN});
    const bool crossing =
        sample.followed && sample.margin.scale.status == uniqueness::FrontierStatus::kCrossing;
    scale.points.push_back(
        {sample.time, crossing && sample.margin.scale.r < 10.0 ? sample.margin.scale.r : kNaN});
    if (crossing && sample.margin.scale.r < 10.0) r_top = std::max(r_top, 1.05 * sample.margin.scale.r);
  }
  Panel upper{.row = 0, .y_label = "friction margin ρ [−]", .legend = figure::LegendPlacement::kRight};
  upper.elements.push_back(std::move(margin));
  upper.elements.push_back(figure::HorizontalLine{.label = "uniqueness lost", .y = 0.0});
  Panel middle{.row = 1,
               .y_label = "critical factor r [−]",
               .y_range = figure::Range{0.0, r_top},
               .legend = figure::LegendPlacement::kRight};
  middle.elements.push_back(std::move(scale));
  middle.elements.push_back(figure::HorizontalLine{.label = "the design, r = 1", .y = 1.0});
  figure::Strip strip{.label = "verdict"};
  for (const uniqueness::TimeStretch& stretch : study.over_time.stretches) {
    figure::StripInterval interval{
        .label = std::string(uniqueness::to_string(stretch.verdict)), .x0 = stretch.from, .x1 = stretch.to};
    if (stretch.verdict == uniqueness::TimeVerdict::kUnique) {
      interval.label = "unique, proved";
      interval.colour = figure::kYes;
    } else if (stretch.verdict == uniqueness::TimeVerdict::kNotUnique) {
      interval.label = "not unique, proved";
      interval.colour = figure::kNo;
    }
    strip.intervals.push_back(std::move(interval));
  }
  Panel verdict{.row = 2,
                .x_label = "time [s]",
                .x_range = figure::Range{0.0, setup.trajectory->duration()},
                .legend = figure::LegendPlacement::kRight};
  verdict.strips = {std::move(strip)};
  out.panels = {std::move(upper), std::move(middle), std::move(verdict)};
  return out;
}

std::vector<std::pair<std::string, figure::Figure>> uniqueness_figures(const Setup& setup,
                                                                       const UniquenessStudy& study) {
  std::vector<std::pair<std::string, figure::Figure>> out;
  if (study.moves) out.emplace_back("margin", margin_figure(setup, study));
  std::vector<NamedMap> maps;
  for (const InstantStudy& instant : study.instants)
    if (instant.map && maps.size() < 3)
      maps.push_back({fmt::format("t = {:.4g} s", instant.at.time), *instant.map});
  if (!maps.empty())
    out.emplace_back("maps",
                     maps_figure(setup, study, maps, setup.scenario.name + ": where the physics is unique"));
  const PlaneMap* proved = study.robust_proved ? &*study.robust_proved : nullptr;
  if (study.robust)
    out.emplace_back("robust", maps_figure(setup, study, {{"all instants", *study.robust, proved}},
                                           setup.scenario.name + ": unique all along"));
  return out;
}

}  // namespace enfold::app
