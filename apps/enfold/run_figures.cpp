// SPDX-License-Identifier: BSD-3-Clause
#include "run_figures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "enfold/base/require.hpp"
#include "run_series.hpp"
#include "snapshot_figure.hpp"

namespace enfold::app {
namespace {

using figure::Figure;
using figure::Label;
using figure::Line;
using figure::Panel;
using figure::Point;
using sim::Sample;

void require_samples(const RunFigureInput& in, const char* who) {
  ENFOLD_REQUIRE(!in.history.samples.empty(), "{}: the run has no samples", who);
}

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

std::string name_or(const std::vector<std::string>& names, Index i, const char* kind) {
  return at(i) < names.size() ? names[at(i)] : fmt::format("{} {}", kind, i + 1);
}

// ---- Tracking
// -----------------------------------------------------------------------------------------------

// How one object coordinate is shown.
struct Coordinate {
  Index index = 0;
  double scale = 1.0;        // shown value per unit of the coordinate
  double error_scale = 1.0;  // likewise of its error: millimetres, degrees
  bool is_angle = false;
  std::string name{};
  const char* unit = "m";
  const char* error_unit = "mm";
};

Coordinate coordinate(const RunFigureInput& in, Index i) {
  std::string name = name_or(in.history.names.object_position, i, "coordinate");
  if (const auto dot = name.rfind('.'); dot != std::string::npos) name.erase(0, dot + 1);
  Coordinate c{.index = i};
  const auto cut = name.rfind('_');
  const std::string unit = cut == std::string::npos ? "" : name.substr(cut + 1);
  c.is_angle = unit == "rad" || name == "phi";
  if (unit == "rad" || unit == "m") name.erase(cut);
  c.name = name == "phi" ? "φ" : name;
  c.scale = c.is_angle ? 180.0 / std::numbers::pi : 1.0;
  c.error_scale = c.is_angle ? c.scale : 1000.0;
  if (c.is_angle) c.unit = c.error_unit = "°";
  return c;
}

// Coordinates whose desired motion is at least 2 % of the largest one's; an angle counts by the path of the
// object's rim.
std::vector<Coordinate> moved_coordinates(const RunFigureInput& in) {
  const auto& samples = in.history.samples;
  const double rim = mechanics::characteristic_length(in.model.mechanism->object());
  std::vector<Coordinate> all;
  std::vector<double> motion;
  std::vector<double> error;
  for (Index i = 0; i < samples.front().x.size(); ++i) {
    all.push_back(coordinate(in, i));
    const double weight = all.back().is_angle ? rim : 1.0;
    double lower = INFINITY;
    double upper = -INFINITY;
    double largest = 0.0;
    for (const Sample& s : samples) {
      lower = std::fmin(lower, entry(s.x_des, i));
      upper = std::fmax(upper, entry(s.x_des, i));
      largest = std::fmax(largest, std::abs(entry(s.x_des, i) - entry(s.x, i)));
    }
    motion.push_back(weight * std::max(0.0, upper - lower));
    error.push_back(weight * largest);
  }
  if (all.empty()) return all;
  const auto largest = std::max_element(motion.begin(), motion.end());
  if (*largest <= 1e-9 * rim) return {all[at(std::max_element(error.begin(), error.end()) - error.begin())]};
  std::vector<Coordinate> moved;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (motion[i] >= 0.02 * *largest) moved.push_back(all[i]);
  return moved;
}

Label prediction_label(const RunFigureInput& in, double e_0, double e_dot_0) {
  const double pole = in.Kv / 2.0;
  const bool is_double = std::abs(in.Kv * in.Kv / 4.0 - in.Kp) <= 1e-9 * in.Kp;
  const bool at_rest = std::abs(e_dot_0) <= 1e-9 * std::max(pole, 1.0) * std::abs(e_0);
  if (is_double && at_rest)
    return figure::math(fmt::format("predicted ±(1 + {0:.3g}t) e^{{−{0:.3g}t}} |e_0|", pole));
  return figure::math("predicted from K_p, K_v");
}

Panel error_panel(const RunFigureInput& in, const Coordinate& c) {
  const Sample& first = in.history.samples.front();
  const double e_0 = entry(first.x_des, c.index) - entry(first.x, c.index);
  const double rate = entry(first.x_dot_des, c.index) - entry(first.x_dot, c.index);
  const double e_dot_0 = std::isfinite(rate) ? rate : 0.0;
  Panel panel{.row = 1, .x_label = "time [s]"};
  panel.y_label = fmt::format("error of {} [{}]", c.name, c.error_unit);
  const auto error = series(in.history, [&](const Sample& s) {
    return c.error_scale * (entry(s.x_des, c.index) - entry(s.x, c.index));
  });
  add_line(panel, {.label = "error, desired − actual", .points = error, .colour = figure::kBlack});
  // The prediction goes on top: a run that follows it would hide it.
  std::vector<Point> envelope;
  if (in.Kp > 0.0) {
    for (const double sign : {1.0, -1.0}) {
      envelope = series(in.history, [&](const Sample& s) {
        return sign * c.error_scale * predicted_envelope(e_0, e_dot_0, in.Kp, in.Kv, s.time - first.time);
      });
      add_line(panel, {.label = prediction_label(in, e_0, e_dot_0),
                       .points = envelope,
                       .colour = figure::kVermilion,
                       .width = 1.4,
                       .dash = figure::Dash::kDashed});
    }
  }
  // Below a billionth of the scale there is rounding only.
  panel.y_range = range_if_flat(error, envelope, 1e-9 * c.error_scale);
  return panel;
}

Panel pose_panel(const RunFigureInput& in, const Coordinate& c) {
  Panel panel{.row = 0};
  panel.y_label =
      c.is_angle && c.name == "φ" ? std::string("orientation φ [°]") : fmt::format("{} [{}]", c.name, c.unit);
  const auto actual = series(in.history, [&](const Sample& s) { return c.scale * entry(s.x, c.index); });
  const auto desired = series(in.history, [&](const Sample& s) { return c.scale * entry(s.x_des, c.index); });
  panel.y_range = range_if_flat(actual, desired, 1e-6 * c.scale);
  add_line(panel, {.label = "actual", .points = actual, .colour = figure::kBlue, .width = 2.2});
  add_line(panel, {.label = "desired",
                   .points = desired,
                   .colour = figure::kDesired,
                   .width = 1.8,
                   .dash = figure::Dash::kDashed});
  return panel;
}

// ---- Forces
// -------------------------------------------------------------------------------------------------

void add_minimum(const RunFigureInput& in, Index n_c, Panel& panel) {
  const VectorXd& Lambda = in.min_normal;
  if (Lambda.size() == 0 || !Lambda.allFinite()) return;
  if (Lambda.maxCoeff() - Lambda.minCoeff() <= 1e-12 * std::abs(Lambda.maxCoeff())) {
    panel.elements.emplace_back(
        figure::HorizontalLine{.label = fmt::format("minimum Λ = {:.3g} N", Lambda[0]), .y = Lambda[0]});
    return;
  }
  // One entry in the legend for all of them, in the neutral colour; each line in its contact's.
  panel.elements.emplace_back(Line{
      .label = "minimum Λ of each", .colour = figure::kDesired, .width = 1.4, .dash = figure::Dash::kDashed});
  for (Index i = 0; i < std::min(n_c, Lambda.size()); ++i) {
    panel.elements.emplace_back(
        figure::HorizontalLine{.y = Lambda[i], .colour = figure::contact_colour(at(i))});
  }
}

// In a symmetric grasp lines coincide: a dashed one lets the one below it be seen.
bool hides_another(const sim::History& history, Index contact) {
  double largest = 0.0;
  for (const Sample& s : history.samples) largest = std::max(largest, entry(s.lambda_N, contact));
  for (Index i = 0; i < contact; ++i) {
    const bool same = std::all_of(history.samples.begin(), history.samples.end(), [&](const Sample& s) {
      return std::abs(entry(s.lambda_N, i) - entry(s.lambda_N, contact)) <= 0.01 * largest;
    });
    if (same) return true;
  }
  return false;
}

figure::Strip critical_strip(const RunFigureInput& in) {
  figure::Strip strip{.label = "critical contact"};
  for_each_stretch(
      in.history, [](const Sample& s) { return s.critical_contact; },
      [&](double from, double to, int contact) {
        figure::StripInterval interval{.label = "none critical", .x0 = from, .x1 = to};
        if (contact >= 0) {
          interval.label = contact_label(in, contact);
          interval.colour = figure::contact_colour(static_cast<std::size_t>(contact));
        }
        strip.intervals.push_back(std::move(interval));
      });
  return strip;
}

figure::Strip p_matrix_strip(const RunFigureInput& in) {
  figure::Strip strip{.label = "A a P-matrix?"};
  for_each_stretch(
      in.history, [](const Sample& s) { return s.p_matrix; },
      [&](double from, double to, sim::Uniqueness answer) {
        figure::StripInterval interval{.label = "P undecided", .x0 = from, .x1 = to};
        if (answer == sim::Uniqueness::kUnique) {
          interval.label = "P-matrix";
          interval.colour = figure::kYes;
        } else if (answer == sim::Uniqueness::kNotUnique) {
          interval.label = "not a P-matrix";
          interval.colour = figure::kNo;
        }
        strip.intervals.push_back(std::move(interval));
      });
  return strip;
}

}  // namespace

double predicted_error(double e_0, double e_dot_0, double Kp, double Kv, double t) {
  const double s = -Kv / 2.0;
  const double D = Kv * Kv / 4.0 - Kp;
  const double r = e_dot_0 - s * e_0;
  const double root = std::sqrt(std::abs(D));
  // Near a double pole sinh(√D t)/√D → t to rounding, whatever the sign of D.
  if (root * t < 1e-6) return std::exp(s * t) * (e_0 + r * t);
  if (D < 0.0) return std::exp(s * t) * (e_0 * std::cos(root * t) + r / root * std::sin(root * t));
  // As two exponentials: cosh alone would overflow where the product with eˢᵗ is small.
  return 0.5 * ((e_0 + r / root) * std::exp((s + root) * t) + (e_0 - r / root) * std::exp((s - root) * t));
}

double predicted_envelope(double e_0, double e_dot_0, double Kp, double Kv, double t) {
  const double s = -Kv / 2.0;
  const double D = Kv * Kv / 4.0 - Kp;
  // Poles given as numbers rarely give D = 0 exactly; a turn longer than 10⁴ time constants is none.
  if (D >= -1e-8 * std::abs(Kp)) return std::abs(predicted_error(e_0, e_dot_0, Kp, Kv, t));
  return std::exp(s * t) * std::hypot(e_0, (e_dot_0 - s * e_0) / std::sqrt(-D));
}

std::string contact_label(const RunFigureInput& in, Index i) {
  return name_or(in.history.names.contacts.empty() ? in.model.contacts->names() : in.history.names.contacts,
                 i, "contact");
}

Figure torques_figure(const RunFigureInput& in) {
  require_samples(in, "torques_figure");
  const Index n = in.history.samples.front().tau.size();
  Panel panel{.x_label = "time [s]", .y_label = "joint torque τ [N·m]", .x_range = time_range(in.history)};
  mark_models(in.history, panel);
  for (Index i = 0; i < n; ++i) {
    add_line(panel, {.label = name_or(in.history.names.joints, i, "joint"),
                     .points = series(in.history, [i](const Sample& s) { return entry(s.tau, i); }),
                     .colour = figure::contact_colour(at(i)),
                     .dash = dash_of(i)});
  }
  Figure out{.title = in.title, .size = page_size(420.0, n + 1), .legend = figure::LegendPlacement::kRight};
  out.panels.push_back(std::move(panel));
  return out;
}

Figure tracking_figure(const RunFigureInput& in) {
  require_samples(in, "tracking_figure");
  const std::vector<Coordinate> moved = moved_coordinates(in);
  ENFOLD_REQUIRE(!moved.empty(), "tracking_figure: samples hold no object coordinates");
  const int columns = static_cast<int>(moved.size());
  Figure out{.title = in.title,
             .size = {.width = 320.0 + 400.0 * columns, .height = 600.0},
             .rows = 2,
             .columns = columns,
             .share_x = true,
             .legend = figure::LegendPlacement::kAbove};
  for (int k = 0; k < columns; ++k) {
    for (Panel panel : {pose_panel(in, moved[at(k)]), error_panel(in, moved[at(k)])}) {
      panel.column = k;
      panel.x_range = time_range(in.history);
      mark_models(in.history, panel);
      out.panels.push_back(std::move(panel));
    }
  }
  return out;
}

Figure control_figure(const RunFigureInput& in, std::string title) {
  Figure out{
      .title = std::move(title), .size = {.width = 880.0, .height = 820.0}, .rows = 3, .share_x = true};
  out.panels.push_back(torques_figure(in).panels.front());
  out.panels.back().x_label = {};
  for (Panel panel : tracking_figure(in).panels) {
    if (panel.column > 0) continue;  // one coordinate has room
    panel.row += 1;
    out.panels.push_back(std::move(panel));
  }
  for (Panel& panel : out.panels) panel.legend = figure::LegendPlacement::kRight;
  return out;
}

/// Pose against time, for an object that is left alone.
Figure motion_figure(const RunFigureInput& in) {
  require_samples(in, "motion_figure");
  const Index n = in.history.samples.front().x.size();
  Figure out{.title = in.title,
             .size = {.width = 900.0, .height = 220.0 * static_cast<double>(n)},
             .rows = static_cast<int>(n),
             .share_x = true};
  for (Index i = 0; i < n; ++i) {
    const Coordinate c = coordinate(in, i);
    Panel panel{.row = static_cast<int>(i),
                .y_label = figure::math(fmt::format("{} [{}]", c.name, c.unit)),
                .x_range = time_range(in.history)};
    if (i + 1 == n) panel.x_label = "time [s]";
    mark_models(in.history, panel);
    add_line(panel, {.points = series(in.history, [&](const Sample& s) { return c.scale * entry(s.x, i); }),
                     .colour = figure::contact_colour(0)});
    out.panels.push_back(std::move(panel));
  }
  return out;
}

Figure forces_figure(const RunFigureInput& in) {
  require_samples(in, "forces_figure");
  const Index n_c = in.history.samples.front().lambda_N.size();
  Panel forces{.y_label = figure::math("normal force λ_N [N]"), .x_range = time_range(in.history)};
  mark_models(in.history, forces);
  if (in.history.samples.front().x_des.size() > 0) add_minimum(in, n_c, forces);
  for (Index i = 0; i < n_c; ++i) {
    add_line(forces, {.label = contact_label(in, i),
                      .points = series(in.history, [i](const Sample& s) { return entry(s.lambda_N, i); }),
                      .colour = figure::contact_colour(at(i)),
                      .dash = hides_another(in.history, i) ? figure::Dash::kDashed : dash_of(i)});
  }
  Panel strips{.row = 1, .x_label = "time [s]", .x_range = time_range(in.history)};
  if (in.history.samples.front().x_des.size() > 0) strips.strips.push_back(critical_strip(in));
  strips.strips.push_back(p_matrix_strip(in));
  Figure out{.title = in.title,
             .size = page_size(520.0, n_c + 6),
             .rows = 2,
             .share_x = true,
             .legend = figure::LegendPlacement::kRight};
  out.panels = {std::move(forces), std::move(strips)};
  return out;
}

std::vector<std::pair<std::string, Figure>> run_figures(const RunFigureInput& in) {
  std::vector<std::pair<std::string, Figure>> out;
  if (in.history.samples.empty()) return out;
  if (in.history.samples.front().tau.size() > 0) {
    out.emplace_back("torques", torques_figure(in));
    out.emplace_back("tracking", tracking_figure(in));
  } else {
    out.emplace_back("motion", motion_figure(in));
  }
  out.emplace_back("forces", forces_figure(in));
  out.emplace_back("snapshots", snapshots_figure(in, snapshot_times(in.history)));
  return out;
}

}  // namespace enfold::app
