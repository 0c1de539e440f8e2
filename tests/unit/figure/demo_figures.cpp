// SPDX-License-Identifier: BSD-3-Clause
#include "demo_figures.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "enfold/figure/shapes.hpp"

namespace enfold::figure::test {
namespace {

constexpr double kPi = std::numbers::pi;
const std::vector<std::string> kContacts{"left.proximal", "left.distal", "right.proximal", "right.distal"};

template <class F>
std::vector<Point> sample(double t0, double t1, int n, F f) {
  std::vector<Point> points;
  for (int k = 0; k <= n; ++k) {
    const double t = t0 + (t1 - t0) * k / n;
    points.push_back({t, f(t)});
  }
  return points;
}

Panel force_panel() {
  Panel panel{.row = 0, .y_label = math("normal force λ_N [N]"), .legend = LegendPlacement::kRight};
  for (std::size_t i = 0; i < kContacts.size(); ++i) {
    const auto phase = static_cast<double>(i);
    Line line{.label = kContacts[i], .colour = contact_colour(i)};
    line.points = sample(0.0, 2.0, 4000, [&](double t) {
      if (i == 1 && t > 0.9 && t < 1.05) return std::numeric_limits<double>::quiet_NaN();
      return 6.0 + phase + 3.0 * std::sin(kPi * t + phase) * std::exp(-0.4 * t);
    });
    panel.elements.emplace_back(std::move(line));
  }
  panel.elements.emplace_back(HorizontalLine{.label = "least allowed", .y = 2.0});
  panel.bands.push_back({.label = "compliant model", .x0 = 0.85, .x1 = 1.15});
  return panel;
}

Panel slip_panel() {
  Panel panel{.row = 1, .y_label = "slip speed [mm/s]", .legend = LegendPlacement::kRight};
  for (std::size_t i = 0; i < 2; ++i) {
    Line line{.label = kContacts[i], .colour = contact_colour(i)};
    line.points =
        sample(0.0, 2.0, 400, [&](double t) { return (i == 0 ? 180.0 : -120.0) * std::sin(2.0 * kPi * t); });
    panel.elements.emplace_back(std::move(line));
  }
  panel.elements.emplace_back(VerticalLine{.label = "switch of mode", .x = 0.5});
  panel.elements.emplace_back(Markers{.label = "event", .points = {{0.5, 0.0}, {1.0, 0.0}, {1.5, 0.0}}});
  panel.bands.push_back({.x0 = 0.85, .x1 = 1.15});
  return panel;
}

Panel pose_panel() {
  Panel panel{.row = 2, .y_label = "object angle [°]", .legend = LegendPlacement::kRight};
  Line desired{.label = "desired", .colour = kDesired, .dash = Dash::kDashed};
  desired.points = sample(0.0, 2.0, 200, [](double t) { return 10.0 * (1.0 - std::cos(kPi * t)); });
  Line actual{.label = math("φ, after J^T_{hand} λ"), .colour = kBlue};
  actual.points = sample(0.0, 2.0, 200,
                         [](double t) { return 10.0 * (1.0 - std::cos(kPi * t)) - 1.5 * std::sin(3.0 * t); });
  panel.elements = {
      std::move(desired), std::move(actual),
      Text{.position = {1.0, 20.0}, .text = "turning point", .align = Align::kCentre, .offset = {0, -44}}};
  panel.bands.push_back({.x0 = 0.85, .x1 = 1.15});
  return panel;
}

Panel strip_panel() {
  Panel panel{.row = 3, .x_label = "time [s]", .legend = LegendPlacement::kRight};
  panel.strips.push_back({.label = "P-matrix",
                          .intervals = {{.label = "yes", .x0 = 0.0, .x1 = 0.85, .colour = kYes},
                                        {.label = "no", .x0 = 0.85, .x1 = 1.15, .colour = kNo},
                                        {.label = "yes", .x0 = 1.15, .x1 = 1.7, .colour = kYes},
                                        {.label = "undecided", .x0 = 1.7, .x1 = 2.0, .colour = kUndecided}}});
  return panel;
}

Panel snapshot(int row, int column, double t) {
  Panel panel{.row = row, .column = column, .equal_aspect = true, .show_axes = false};
  panel.title = "t = " + std::to_string(t).substr(0, 4) + " s";
  panel.x_range = Range{-0.26, 0.26};
  panel.y_range = Range{-0.06, 0.34};
  const double tilt = 0.3 * std::sin(2.0 * t);
  const Point centre{0.03 * std::sin(3.0 * t), 0.14};
  for (const double side : {-1.0, 1.0}) {
    const Point base{side * 0.08, 0.0};
    const Point knee{side * 0.19, 0.12};
    const Point tip{side * 0.10, 0.27};
    const Label name = "link";
    panel.elements.emplace_back(Polygon{
        .label = name, .points = capsule_outline(base, knee, 0.014), .fill = kLink, .outline = kLinkOutline});
    panel.elements.emplace_back(
        Polygon{.points = capsule_outline(knee, tip, 0.014), .fill = kLink, .outline = kLinkOutline});
    panel.elements.emplace_back(
        Markers{.points = {base, knee}, .colour = kLinkOutline, .shape = MarkerShape::kDisc, .size = 6});
  }
  panel.elements.emplace_back(
      Polygon{.label = "object", .points = ellipse_outline(centre, 0.115, 0.08, tilt)});
  panel.elements.emplace_back(Polygon{.label = "desired pose",
                                      .points = ellipse_outline({0.0, 0.15}, 0.115, 0.08, 0.0),
                                      .fill_opacity = 0.0,
                                      .outline = kDesired,
                                      .dash = Dash::kDashed});
  for (std::size_t i = 0; i < 4; ++i) {
    const double s = kPi * (0.2 + 0.53 * static_cast<double>(i)) + tilt;
    const Point p{centre.x + 0.115 * std::cos(s), centre.y + 0.08 * std::sin(s)};
    const double inward = std::atan2(centre.y - p.y, centre.x - p.x);
    panel.elements.emplace_back(Polygon{.label = i == 0 ? Label("friction cone") : Label(),
                                        .points = cone_outline(p, inward, std::atan(0.4), 0.07),
                                        .fill = contact_colour(i),
                                        .fill_opacity = 0.3,
                                        .outline_width = 0.0});
    panel.elements.emplace_back(
        Arrow{.label = kContacts[i],
              .from = p,
              .to = {p.x + 0.055 * std::cos(inward + 0.2), p.y + 0.055 * std::sin(inward + 0.2)},
              .colour = contact_colour(i)});
  }
  panel.elements.emplace_back(
      Text{.position = {0.0, 0.32}, .text = math("α_1 = 4.2 N"), .align = Align::kCentre});
  return panel;
}

}  // namespace

Figure history_figure() {
  Figure figure{
      .title = "Two fingers turn an ellipse: forces, slip and uniqueness", .size = {800, 680}, .rows = 4};
  figure.row_weights = {1.4, 1.0, 1.0, 1.0};
  figure.share_x = true;
  figure.panels = {force_panel(), slip_panel(), pose_panel(), strip_panel()};
  return figure;
}

Figure snapshot_figure() {
  Figure figure{.title = "Snapshots of the grasp", .size = {840, 560}, .rows = 2, .columns = 3};
  figure.legend = LegendPlacement::kAbove;
  for (int k = 0; k < 6; ++k) figure.panels.push_back(snapshot(k / 3, k % 3, 0.4 * k));
  return figure;
}

Figure mixed_figure() {
  Figure figure{.title = "A \"title\" with `quotes`, $HOME, a_b^c {braces} @ & \\ <tags> and\na second line",
                .size = {800, 420},
                .columns = 2};
  Panel order{.title = "Error over step size",
              .x_label = "step [s]",
              .y_label = "error of the pose at t = 2 s [m]",
              .x_scale = AxisScale::kLog10,
              .y_scale = AxisScale::kLog10,
              .legend = LegendPlacement::kAbove};
  Line rk4{.label = "order 4", .colour = kBlue, .dash = Dash::kDashDot};
  Markers dots{.label = "measured", .colour = kVermilion, .shape = MarkerShape::kDiamond};
  for (int k = 0; k < 6; ++k) {
    const double h = 0.1 * std::pow(0.5, k);
    rk4.points.push_back({h, std::pow(h, 4)});
    dots.points.push_back({h, 1.1 * std::pow(h, 4)});
  }
  order.elements = {rk4, dots};
  Panel shapes{.column = 1,
               .title = "Markers and arrows",
               .x_label = "x [m]",
               .y_label = "y [m]",
               .equal_aspect = true,
               .legend = LegendPlacement::kAbove};
  const std::vector<std::pair<const char*, MarkerShape>> kinds{
      {"disc", MarkerShape::kDisc},       {"circle", MarkerShape::kCircle},
      {"square", MarkerShape::kSquare},   {"triangle", MarkerShape::kTriangle},
      {"diamond", MarkerShape::kDiamond}, {"cross", MarkerShape::kCross}};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    shapes.elements.emplace_back(Markers{.label = kinds[i].first,
                                         .points = {{1.0 * static_cast<double>(i), 0.0}},
                                         .colour = contact_colour(i),
                                         .shape = kinds[i].second,
                                         .size = 10});
  }
  shapes.elements.emplace_back(Arrow{.from = {0, 1}, .to = {5, 3}, .head = ArrowHead::kBoth});
  shapes.elements.emplace_back(Arrow{.from = {0, 2}, .to = {0.1, 2}, .colour = kVermilion});
  shapes.elements.emplace_back(
      Line{.points = {{0, 3}, {1, 4}, {2, 3}}, .colour = kLink, .width = 14, .opacity = 0.5});
  figure.panels = {std::move(order), std::move(shapes)};
  return figure;
}

}  // namespace enfold::figure::test
