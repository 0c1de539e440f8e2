// SPDX-License-Identifier: BSD-3-Clause
#include "design_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "enfold/figure/shapes.hpp"

namespace enfold::app {
namespace {

using figure::Panel;
using figure::Point;

// Poles further out than this times the continuous ones' reach are counted, not drawn.
constexpr double kReach = 3.0;

double reach(const DesignStudy& study) {
  double largest = 0.0;
  for (const loop::Pole& pole : study.chosen().continuous) largest = std::max(largest, std::abs(pole.s));
  return kReach * std::max(largest, 1e-3);
}

/// Points of the poles within reach; `beyond` counts the others.
std::vector<Point> drawn(const std::vector<loop::Pole>& poles, double within, int& beyond) {
  std::vector<Point> out;
  for (const loop::Pole& pole : poles) {
    if (pole.dead_beat || std::abs(pole.s) > within)
      ++beyond;
    else
      out.push_back({pole.s.real(), pole.s.imag()});
  }
  return out;
}

Panel s_plane(const DesignStudy& study, const DesignQuestion& question) {
  const DesignCase& chosen = study.chosen();
  Panel panel{
      .title = "s-plane", .x_label = figure::math("Re s [1/s]"), .y_label = figure::math("Im s [1/s]")};
  panel.legend = figure::LegendPlacement::kAbove;
  const double within = reach(study);
  int beyond = 0;
  int none = 0;
  const std::vector<Point> continuous = drawn(chosen.continuous, within, none);
  const std::vector<Point> sampled = drawn(chosen.sampled, within, beyond);
  std::vector<Point> wanted;
  if (question.wanted) {
    for (const std::complex<double>& s :
         {question.wanted->motion_1, question.wanted->motion_2, std::complex<double>(question.wanted->force)})
      wanted.push_back({s.real(), s.imag()});
    panel.elements.emplace_back(
        figure::Markers{"wanted", wanted, figure::kYes, figure::MarkerShape::kDiamond, 15.0});
  }
  panel.elements.emplace_back(figure::VerticalLine{{}, 0.0, figure::kMinimumLine});
  if (question.rate > 0.0)
    panel.elements.emplace_back(figure::Markers{fmt::format("at {:.6g} Hz, ln(z)/T", question.rate), sampled,
                                                figure::kVermilion, figure::MarkerShape::kCircle, 11.0});
  panel.elements.emplace_back(
      figure::Markers{chosen.in_continuous_time ? "continuous" : "the same gains, continuous", continuous,
                      figure::kBlue, figure::MarkerShape::kCross, 9.0});
  double left = 0.0;
  double right = 0.0;
  double high = 0.0;
  for (const std::vector<Point>& points : {continuous, sampled, wanted})
    for (const Point& point : points) {
      left = std::min(left, point.x);
      right = std::max(right, point.x);
      high = std::max(high, std::abs(point.y));
    }
  const double width = std::max(right - left, 1e-6);
  panel.x_range = figure::Range{left - 0.12 * width, right + 0.12 * width};
  high = std::max(1.2 * high, 0.25 * width);
  panel.y_range = figure::Range{-high, high};
  if (beyond > 0)
    panel.elements.emplace_back(figure::Text{{left - 0.12 * width, -high},
                                             fmt::format("{} faster, not shown", beyond),
                                             figure::kDesired,
                                             figure::Align::kLeft,
                                             {8.0, 10.0},
                                             0.85});
  return panel;
}

Panel z_plane(const DesignStudy& study) {
  Panel panel{.column = 1,
              .title = "z-plane",
              .x_label = figure::math("Re z"),
              .y_label = figure::math("Im z"),
              .x_range = figure::Range{-1.2, 1.2},
              .y_range = figure::Range{-1.2, 1.2},
              .equal_aspect = true};
  figure::Polygon circle;
  circle.points = figure::ellipse_outline({0.0, 0.0}, 1.0, 1.0);
  circle.fill = figure::kYes;
  circle.fill_opacity = 0.35;
  circle.outline = figure::kMinimumLine;
  panel.elements.emplace_back(circle);
  std::vector<Point> points;
  for (const loop::Pole& pole : study.chosen().sampled) points.push_back({pole.z.real(), pole.z.imag()});
  panel.elements.emplace_back(
      figure::Markers{{}, points, figure::kVermilion, figure::MarkerShape::kCircle, 11.0});
  return panel;
}

/// A step that a person can imagine: 1° or 1 mm.
struct Unit {
  double size;
  const char* name;
};
Unit unit_of(const std::string& coordinate) {
  return coordinate == "phi" ? Unit{std::numbers::pi / 180.0, "1°"} : Unit{1e-3, "1 mm"};
}

std::vector<Point> course(const loop::StepResponse& response, const MatrixXd& values, Index column,
                          double factor) {
  std::vector<Point> out;
  for (std::size_t k = 0; k < response.time.size(); ++k)
    out.push_back({response.time[k], factor * values(static_cast<Index>(k), column)});
  return out;
}

}  // namespace

figure::Figure pole_map(const DesignStudy& study, const DesignQuestion& question, const std::string& title) {
  figure::Figure out{.title = title, .size = {760.0, 420.0}};
  out.panels.push_back(s_plane(study, question));
  if (question.rate <= 0.0) return out;
  out.columns = 2;
  out.size.width = 960.0;
  out.column_weights = {1.25, 1.0};
  out.panels.push_back(z_plane(study));
  return out;
}

figure::Figure step_figure(const DesignStudy& study, const DesignQuestion& question,
                           const std::vector<std::string>& contacts, const std::string& title) {
  figure::Figure out{.title = title, .size = {760.0, 640.0}, .rows = 2, .share_x = true};
  const bool sampled = question.rate > 0.0;
  Panel motion{.y_label = "share of the step", .legend = figure::LegendPlacement::kRight};
  motion.title = sampled ? fmt::format("each coordinate after its own step, at {:.6g} Hz", question.rate)
                         : std::string("each coordinate after its own step, continuous control");
  motion.elements.emplace_back(figure::HorizontalLine{"± 2 %", 1.02, figure::kDesired, 1.0});
  motion.elements.emplace_back(figure::HorizontalLine{{}, 0.98, figure::kDesired, 1.0});
  const auto& steps = sampled ? study.sampled_steps : study.continuous_steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto column = static_cast<Index>(i);
    const figure::Colour colour = figure::contact_colour(i);
    if (sampled)
      motion.elements.emplace_back(
          figure::Line{i == 0 ? "continuous" : "",
                       course(study.continuous_steps[i], study.continuous_steps[i].motion, column, 1.0),
                       figure::kDesired, 1.4, figure::Dash::kDashed});
    motion.elements.emplace_back(figure::Line{study.coordinates[i],
                                              course(steps[i], steps[i].motion, column, 1.0), colour,
                                              1.6 + 1.7 * static_cast<double>(steps.size() - 1 - i)});
  }
  out.panels.push_back(motion);
  const Unit unit = unit_of(study.coordinates.back());
  Panel forces{
      .row = 1,
      .title = fmt::format("normal forces after a step of {} by {}", study.coordinates.back(), unit.name),
      .x_label = "time [s]",
      .y_label = "change [N]",
      .legend = figure::LegendPlacement::kRight};
  for (std::size_t c = 0; c < contacts.size(); ++c)
    forces.elements.emplace_back(
        figure::Line{contacts[c], course(steps.back(), steps.back().forces, static_cast<Index>(c), unit.size),
                     figure::contact_colour(c)});
  out.panels.push_back(forces);
  return out;
}

}  // namespace enfold::app
