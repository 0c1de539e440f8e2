// SPDX-License-Identifier: BSD-3-Clause
#include "snapshot_figure.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "enfold/base/require.hpp"
#include "enfold/figure/shapes.hpp"

namespace enfold::app {
namespace {

using figure::Panel;
using figure::Point;
using sim::Sample;

constexpr int kOutlinePoints = 120;
constexpr int kPerRow = 5;

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

Point to_point(const Vector2d& p) {
  return {p.x(), p.y()};
}

// From the object's frame at pose x = [x, y, φ] to the world.
Vector2d to_world(const VectorXd& x, const Vector2d& p) {
  const double c = std::cos(x[2]);
  const double s = std::sin(x[2]);
  return {x[0] + c * p.x() - s * p.y(), x[1] + s * p.x() + c * p.y()};
}

std::vector<Point> object_outline(const models::GraspModel& model, const VectorXd& x) {
  std::vector<Point> points;
  for (const Vector2d& p : mechanics::outline(model.mechanism->object(), kOutlinePoints))
    points.push_back(to_point(to_world(x, p)));
  return points;
}

// The smallest box that holds all points seen.
struct Box {
  double left = INFINITY, right = -INFINITY, bottom = INFINITY, top = -INFINITY;
  void add(Point p, double margin = 0.0) {
    left = std::min(left, p.x - margin);
    right = std::max(right, p.x + margin);
    bottom = std::min(bottom, p.y - margin);
    top = std::max(top, p.y + margin);
  }
};

// 1, 2 or 5 times a power of ten, at most `value`: what a scale key shows.
double round_down(double value) {
  const double decade = std::pow(10.0, std::floor(std::log10(value)));
  for (const double step : {5.0, 2.0})
    if (step * decade <= value) return step * decade;
  return decade;
}

// Draws samples of one run at one scale.
class SnapshotDrawer {
 public:
  SnapshotDrawer(const RunFigureInput& in, std::span<const Scene> scenes) : in_(in) {
    size_ = mechanics::characteristic_length(in.model.mechanism->object());
    for (const Scene& scene : scenes) {
      const Sample* s = scene.sample;
      for (Index i = 0; i < std::min(s->lambda_N.size(), s->lambda_T.size()); ++i) {
        const double force = std::hypot(s->lambda_N[i], s->lambda_T[i]);
        if (std::isfinite(force)) largest_force_ = std::max(largest_force_, force);
      }
    }
  }

  [[nodiscard]] Panel draw(const Sample& sample, figure::Label title) {
    Panel panel{.title = std::move(title), .equal_aspect = true, .show_axes = false};
    add_object(sample, panel);
    const VectorXd q = (VectorXd(sample.x.size() + sample.theta.size()) << sample.x, sample.theta).finished();
    add_cones(sample, q, panel);
    add_hand(sample, panel);
    add_planes(sample, panel);
    add_forces(sample, q, panel);
    return panel;
  }

  // An arrow of a round force below the scene; the box grows to hold it.
  void add_scale_key(Panel& panel) {
    if (largest_force_ <= 0.0) return;
    const double force = round_down(largest_force_);
    const Point from{box_.left, box_.bottom - 0.22 * size_};
    const Point to{from.x + force * metres_per_newton(), from.y};
    box_.add(from, 0.06 * size_);
    panel.elements.emplace_back(
        figure::Arrow{.from = from, .to = to, .colour = figure::kBlack, .width = 2.4});
    panel.elements.emplace_back(
        figure::Text{.position = to, .text = fmt::format("{:.3g} N", force), .offset = {8.0, 0.0}});
  }

  [[nodiscard]] const Box& box() const { return box_; }

 private:
  // The largest force of all snapshots is drawn as long as this share of the object.
  [[nodiscard]] double metres_per_newton() const { return 0.75 * size_ / largest_force_; }

  void add_object(const Sample& sample, Panel& panel) {
    const VectorXd& x = sample.x;
    const std::vector<Point> outline = object_outline(in_.model, x);
    for (const Point p : outline) box_.add(p);
    if (outline.size() > 2) {
      panel.elements.emplace_back(figure::Polygon{.points = outline, .fill = figure::kObjectFill});
    } else {  // a rod
      panel.elements.emplace_back(
          figure::Line{.points = outline, .colour = figure::kObjectOutline, .width = 5.0});
    }
    const mechanics::PlanarObject& object = in_.model.mechanism->object();
    if (object.shape != nullptr) {
      const Point front = to_point(to_world(x, object.shape->boundary_point(0.0)));
      const Point back = to_point(to_world(x, object.shape->boundary_point(std::numbers::pi)));
      panel.elements.emplace_back(figure::Line{
          .points = {back, front}, .colour = figure::kObjectOutline, .width = 1.0, .opacity = 0.6});
      // The dot tells φ from φ + 180°.
      panel.elements.emplace_back(
          figure::Markers{.points = {to_point(to_world(x, 0.86 * object.shape->boundary_point(0.0)))},
                          .colour = figure::kObjectOutline,
                          .size = 6.0});
    }
    if (sample.x_des.size() < 3 || !sample.x_des.allFinite()) return;
    const std::vector<Point> ghost = object_outline(in_.model, sample.x_des);
    for (const Point p : ghost) box_.add(p);
    panel.elements.emplace_back(figure::Polygon{.label = "desired pose",
                                                .points = ghost,
                                                .fill = figure::kWhite,
                                                .fill_opacity = 0.0,
                                                .outline = figure::kBlack,
                                                .outline_width = 1.2,
                                                .dash = figure::Dash::kDashed});
  }

  // As much of every half-plane as lies near the object in any of the snapshots.
  void add_planes(const Sample& sample, Panel& panel) {
    for (const contact::PlanarHalfPlane& plane : in_.model.contacts->planes()) {
      const Vector2d t{std::cos(plane.angle), std::sin(plane.angle)};
      const double s = t.dot(sample.x.head<2>() - plane.point);
      const Point from = to_point(plane.point + (s - 2.0 * size_) * t);
      const Point to = to_point(plane.point + (s + 2.0 * size_) * t);
      box_.add(from);
      box_.add(to);
      panel.elements.emplace_back(
          figure::Line{.points = {from, to}, .colour = figure::kLinkOutline, .width = 2.5});
    }
  }

  void add_hand(const Sample& sample, Panel& panel) {
    const mechanics::PlanarHand& hand = in_.model.mechanism->hand();
    if (hand.n_joints() == 0) return;
    std::vector<mechanics::LinkMotion> links(at(hand.n_joints()));
    hand.kinematics(sample.theta, VectorXd::Zero(hand.n_joints()), links);
    figure::Markers joints{.colour = figure::kLinkOutline, .size = 8.0};
    figure::Markers bases{
        .colour = figure::kLinkOutline, .shape = figure::MarkerShape::kSquare, .size = 11.0};
    for (Index i = 0; i < hand.n_joints(); ++i) {
      const mechanics::PlanarLink& link = hand.link(i);
      const Point joint = to_point(links[at(i)].p);
      const Point tip = to_point(links[at(i)].p + link.length * links[at(i)].d);
      if (link.radius > 0.0) {
        panel.elements.emplace_back(
            figure::Polygon{.points = figure::capsule_outline(joint, tip, link.radius),
                            .fill = figure::kLink,
                            .outline = figure::kLinkOutline,
                            .outline_width = 1.0});
      } else {
        panel.elements.emplace_back(
            figure::Line{.points = {joint, tip}, .colour = figure::kLink, .width = 5.0});
      }
      box_.add(joint, std::max(link.radius, 0.06 * size_));
      box_.add(tip, std::max(link.radius, 0.06 * size_));
      (hand.first_joint(i) == i ? bases : joints).points.push_back(joint);
    }
    panel.elements.emplace_back(std::move(bases));
    panel.elements.emplace_back(std::move(joints));
  }

  void add_cones(const Sample& sample, const VectorXd& q, Panel& panel) const {
    for (Index i = 0; i < std::min(sample.lambda_N.size(), in_.model.mu.size()); ++i) {
      if (in_.model.mu[i] <= 0.0) continue;
      const contact::ContactFrame frame = in_.model.contacts->frame(q, i);
      const double axis = std::atan2(frame.normal[1], frame.normal[0]);
      panel.elements.emplace_back(
          figure::Polygon{.label = i == 0 ? "friction cone" : "",
                          .points = figure::cone_outline({frame.object_point[0], frame.object_point[1]}, axis,
                                                         std::atan(in_.model.mu[i]), 0.85 * size_),
                          .fill = figure::contact_colour(at(i)),
                          .fill_opacity = 0.25,
                          .outline_width = 0.0});
    }
  }

  void add_forces(const Sample& sample, const VectorXd& q, Panel& panel) {
    for (Index i = 0; i < std::min(sample.lambda_N.size(), sample.lambda_T.size()); ++i) {
      const contact::ContactFrame frame = in_.model.contacts->frame(q, i);
      const Vector2d foot = frame.object_point;
      const Vector2d force = sample.lambda_N[i] * frame.normal + sample.lambda_T[i] * frame.tangents.col(0);
      const figure::Colour colour = figure::contact_colour(at(i));
      if (largest_force_ > 0.0 && force.allFinite() && force.norm() > 1e-6 * largest_force_) {
        const Vector2d tip = foot + metres_per_newton() * force;
        box_.add(to_point(tip));
        panel.elements.emplace_back(
            figure::Arrow{.from = to_point(foot), .to = to_point(tip), .colour = colour, .width = 2.4});
      }
      // The dot carries the legend, so that a contact without force is named as well.
      panel.elements.emplace_back(figure::Markers{
          .label = contact_label(in_, i), .points = {to_point(foot)}, .colour = colour, .size = 7.0});
    }
  }

  const RunFigureInput& in_;
  double size_ = 1.0;           // of the object [m]
  double largest_force_ = 0.0;  // [N]
  Box box_;
};

std::vector<const Sample*> nearest_samples(const sim::History& history, std::span<const double> times) {
  std::vector<const Sample*> out;
  for (const double time : times) {
    ENFOLD_REQUIRE(std::isfinite(time), "snapshots_figure: time {} s, expected a finite one", time);
    const auto nearest = std::min_element(history.samples.begin(), history.samples.end(),
                                          [time](const Sample& a, const Sample& b) {
                                            return std::abs(a.time - time) < std::abs(b.time - time);
                                          });
    if (std::find(out.begin(), out.end(), &*nearest) == out.end()) out.push_back(&*nearest);
  }
  return out;
}

}  // namespace

std::vector<double> snapshot_times(const sim::History& history) {
  if (history.samples.empty()) return {};
  const double from = history.samples.front().time;
  const double to = history.samples.back().time;
  std::vector<double> times;
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) times.push_back(from + share * (to - from));
  return times;
}

figure::Figure snapshots_figure(const RunFigureInput& in, std::span<const double> times) {
  ENFOLD_REQUIRE(!in.history.samples.empty(), "snapshots_figure: the run has no samples");
  ENFOLD_REQUIRE(!times.empty(), "snapshots_figure: no times given");
  std::vector<Scene> scenes;
  for (const Sample* sample : nearest_samples(in.history, times))
    scenes.push_back({sample, fmt::format("t = {:.3g} s", sample->time)});
  return scenes_figure(in, scenes);
}

figure::Figure scenes_figure(const RunFigureInput& in, std::span<const Scene> scenes) {
  ENFOLD_REQUIRE(!scenes.empty(), "scenes_figure: nothing to draw");
  SnapshotDrawer drawer(in, scenes);
  figure::Figure out{.title = in.title, .legend = figure::LegendPlacement::kAbove};
  for (const Scene& scene : scenes) out.panels.push_back(drawer.draw(*scene.sample, scene.title));
  drawer.add_scale_key(out.panels.front());

  const int n = static_cast<int>(scenes.size());
  out.rows = (n + kPerRow - 1) / kPerRow;
  out.columns = (n + out.rows - 1) / out.rows;
  const Box& box = drawer.box();
  for (int k = 0; k < n; ++k) {
    Panel& panel = out.panels[at(k)];
    panel.row = k / out.columns;
    panel.column = k % out.columns;
    panel.x_range = figure::Range{box.left, box.right};
    panel.y_range = figure::Range{box.bottom, box.top};
  }
  // The page follows the scene's proportions: 250 px a snapshot, room for title and legend above.
  constexpr double kWidth = 250.0;
  const double tall = std::clamp((box.top - box.bottom) / (box.right - box.left), 0.4, 2.5);
  const double legend_rows =
      std::ceil(static_cast<double>(in.model.contacts->n_contacts() + 1) / (1.6 * out.columns));
  out.size = {.width = std::max(500.0, kWidth * out.columns + 40.0),
              .height = (kWidth * tall + 40.0) * out.rows + 60.0 + 22.0 * legend_rows};
  return out;
}

std::vector<figure::Figure> film_figures(const RunFigureInput& in, std::span<const Scene> scenes) {
  ENFOLD_REQUIRE(!scenes.empty(), "film_figures: nothing to draw");
  SnapshotDrawer drawer(in, scenes);
  std::vector<Panel> panels;
  for (const Scene& scene : scenes) panels.push_back(drawer.draw(*scene.sample, scene.title));
  Panel& first = panels.front();
  const auto scene_elements = static_cast<std::ptrdiff_t>(first.elements.size());
  drawer.add_scale_key(first);
  const std::vector<figure::Element> key(first.elements.begin() + scene_elements, first.elements.end());
  const Box& box = drawer.box();
  const double tall = std::clamp((box.top - box.bottom) / (box.right - box.left), 0.4, 1.6);
  std::vector<figure::Figure> out;
  for (Panel& panel : panels) {
    if (&panel != &first) panel.elements.insert(panel.elements.end(), key.begin(), key.end());
    panel.x_range = figure::Range{box.left, box.right};
    panel.y_range = figure::Range{box.bottom, box.top};
    out.push_back({.title = in.title,
                   .size = {.width = 640.0, .height = 2.0 * std::round(0.5 * (600.0 * tall + 130.0))},
                   .legend = figure::LegendPlacement::kAbove});
    out.back().panels.push_back(std::move(panel));
  }
  return out;
}

}  // namespace enfold::app
