// SPDX-License-Identifier: BSD-3-Clause
#include "grasp_analysis.hpp"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "enfold/grasp/motion_coordinates.hpp"
#include "snapshot_figure.hpp"

namespace enfold::app {
namespace {

using contact::ContactMode;
using figure::Panel;
using figure::Point;

constexpr int kDirections = 72;

contact::ContactKinematics closed_contacts(const contact::ContactKinematics& all,
                                           const std::vector<Index>& contacts) {
  contact::ContactKinematics out;
  out.W_N = all.W_N(Eigen::all, contacts);
  out.W_T = all.W_T(Eigen::all, contacts);
  return out;
}

double farthest_contact(const Setup& setup, const std::vector<Index>& contacts) {
  double farthest = 1e-9;
  for (const Index i : contacts)
    farthest =
        std::max(farthest, (setup.model.contacts->frame(setup.q, i).object_point - setup.q.head(2)).norm());
  return farthest;
}

/// Torques of a unit of each edge: a force w of a contact on the object needs τ = −(its joint rows of W).
MatrixXd torques_of_edges(const contact::ContactKinematics& kinematics,
                          const closure::ContactWrenches& wrenches, const VectorXd& mu, Index n_x) {
  const Index n_theta = kinematics.W_N.rows() - n_x;
  MatrixXd T(n_theta, wrenches.n_g());
  Index column = 0;
  for (Index i = 0; i < wrenches.n_contacts; ++i) {
    const VectorXd normal = kinematics.W_N.col(i).tail(n_theta);
    const VectorXd tangent = kinematics.W_T.col(i).tail(n_theta);
    if (mu[i] == 0.0) {
      T.col(column++) = -normal;
      continue;
    }
    T.col(column++) = -(normal + mu[i] * tangent);
    T.col(column++) = -(normal - mu[i] * tangent);
  }
  return T;
}

std::string direction(const VectorXd& d, const Setup& setup) {
  return grasp::direction_text(d, setup.model.mechanism->object_position_names());
}

/// Unit vector with the scaling of its rotation taken back.
VectorXd unscaled(const VectorXd& d, double length, bool motion) {
  VectorXd out = d;
  out[2] *= motion ? 1.0 / length : length;
  return out;
}

}  // namespace

GraspAnalysis analyse_grasp(const Setup& setup, const std::vector<ContactMode>& modes) {
  constexpr Index n_x = 3;
  constexpr Index n_force = 2;
  GraspAnalysis out;
  for (std::size_t i = 0; i < modes.size(); ++i)
    if (modes[i] != ContactMode::kOpen) out.contacts.push_back(static_cast<Index>(i));
  contact::ContactKinematics kinematics;
  setup.model.contacts->kinematics(setup.q, VectorXd::Zero(setup.model.mechanism->n_v()), kinematics);
  grasp::GraspMatrices matrices;
  grasp::assemble(kinematics, modes, setup.model.mu, n_x, matrices);
  const contact::ContactKinematics closed = closed_contacts(kinematics, out.contacts);
  const VectorXd mu = setup.model.mu(out.contacts);
  const double length = farthest_contact(setup, out.contacts);
  out.wrenches = closure::contact_wrenches(closed, mu, n_x, n_force, length);
  out.force = closure::force_closure(out.wrenches);
  out.form = closure::form_closure(out.wrenches);
  out.sum = closure::grasp_quality(out.wrenches);
  out.each = closure::grasp_quality(out.wrenches, {.budget = closure::ForceBudget::kEach});
  out.ellipsoids = closure::grasp_ellipsoids(matrices, n_force, length);
  out.effort = closure::squeeze_effort(matrices, setup.model.mu);
  if (out.effort.ok())
    grasp::spread_forces(matrices, modes, setup.model.mu, out.effort.lambda, out.effort_N, out.effort_T);

  closure::ResistanceLimits motors;
  out.limited = setup.scenario.planner.max_torque.has_value();
  if (out.limited) {
    mechanics::Dynamics dynamics;
    setup.model.mechanism->dynamics(setup.q, VectorXd::Zero(setup.model.mechanism->n_v()), dynamics);
    motors.max_normal = std::numeric_limits<double>::infinity();
    motors.T = torques_of_edges(closed, out.wrenches, mu, n_x);
    motors.tau_0 = dynamics.h.tail(motors.T.rows());
    motors.max_torque = *setup.scenario.planner.max_torque;
  }
  for (int k = 0; k < kDirections; ++k) {
    ResistedForce force{.angle = 2.0 * std::numbers::pi * k / kDirections};
    const VectorXd d = Eigen::Vector3d(std::cos(force.angle), std::sin(force.angle), 0.0);
    const auto size = [](const closure::Resistance& r) {
      return r.status == lp::LpStatus::kUnbounded ? lp::kInfinity : r.ok() ? r.size : 0.0;
    };
    force.size = size(closure::resisted_disturbance(out.wrenches, d));
    if (out.limited) force.by_motors = size(closure::resisted_disturbance(out.wrenches, d, motors));
    out.forces.push_back(force);
  }
  return out;
}

namespace {

std::string closure_line(const closure::Closure& verdict, const Setup& setup, double length) {
  switch (verdict.status) {
    case closure::ClosureStatus::kClosed:
      return fmt::format("yes; a squeeze that uses every edge of the cones balances to {:.1e} N",
                         verdict.balance);
    case closure::ClosureStatus::kNotClosed:
      return fmt::format("no; nothing stops the object from moving along ({})",
                         direction(unscaled(verdict.escape, length, true), setup));
    default:
      return std::string(closure::to_string(verdict.status));
  }
}

std::string range_line(const std::vector<ResistedForce>& forces, double ResistedForce::*size) {
  const auto less = [size](const ResistedForce& a, const ResistedForce& b) { return a.*size < b.*size; };
  const auto [least, most] = std::minmax_element(forces.begin(), forces.end(), less);
  const auto degrees = [](double angle) { return angle * 180.0 / std::numbers::pi; };
  return fmt::format("{:.4g} N towards {:.0f}° to {:.4g} N towards {:.0f}°", (*least).*size,
                     degrees(least->angle), (*most).*size, degrees(most->angle));
}

void describe_ellipsoid(const closure::Ellipsoid& e, const char* what, const char* unit, bool motion,
                        double length, const Setup& setup, std::vector<std::string>& out) {
  if (e.freedoms() == 0) {
    out.push_back(fmt::format("{}: the joints do not move the object", what));
    return;
  }
  const Index last = e.freedoms() - 1;
  out.push_back(fmt::format("{}: most {:.4g} {} along ({}), least {:.4g} along ({})", what, e.radii[0], unit,
                            direction(unscaled(e.axes.col(0), length, motion), setup), e.radii[last],
                            direction(unscaled(e.axes.col(last), length, motion), setup)));
}

}  // namespace

std::vector<std::string> describe(const GraspAnalysis& a, const Setup& setup) {
  const double length = a.wrenches.length;
  std::vector<std::string> out;
  out.push_back("force closure: " + closure_line(a.force, setup, length));
  out.push_back("form closure (no friction, links locked): " + closure_line(a.form, setup, length));
  if (a.sum.status == closure::QualityStatus::kMeasured) {
    out.push_back(
        fmt::format("epsilon {:.4g} N per newton of normal force in all, volume {:.4g}; moments over "
                    "{:.4g} m, the farthest contact",
                    a.sum.epsilon, a.sum.volume, length));
    if (a.sum.epsilon > 0.0)
      out.push_back(fmt::format("  the weakest wrench is along ({})",
                                direction(unscaled(a.sum.weakest, length, false), setup)));
  } else {
    out.push_back("epsilon 0: the contacts' wrenches do not span all directions");
  }
  if (a.each.status == closure::QualityStatus::kMeasured)
    out.push_back(fmt::format("with 1 N at each contact: epsilon {:.4g} N, volume {:.4g}", a.each.epsilon,
                              a.each.volume));
  out.push_back("largest force resisted, per newton in all: " + range_line(a.forces, &ResistedForce::size));
  if (a.limited)
    out.push_back(fmt::format("with motors of {:.4g} N·m: {}", *setup.scenario.planner.max_torque,
                              range_line(a.forces, &ResistedForce::by_motors)));
  describe_ellipsoid(a.ellipsoids.velocity, "velocity for unit joint rates", "m/s", true, length, setup, out);
  describe_ellipsoid(a.ellipsoids.force, "force for unit torques", "N", false, length, setup, out);
  if (a.ellipsoids.free_motions > 0)
    out.push_back(
        fmt::format("with locked joints the object can still move in {} way(s)", a.ellipsoids.free_motions));
  out.push_back(
      a.effort.ok()
          ? fmt::format("1 N at every contact costs {:.4g} N·m at the joint that has most", a.effort.largest)
          : std::string("no squeeze presses every contact"));
  return out;
}

namespace {

/// What an ellipsoid shows of the plane of the first two coordinates: its shadow.
std::vector<Point> shadow(const closure::Ellipsoid& e) {
  std::vector<Point> out;
  if (e.freedoms() == 0) return out;
  const MatrixXd half = e.axes.topRows(2) * e.radii.asDiagonal();
  const Eigen::JacobiSVD<MatrixXd> svd(half, Eigen::ComputeThinU);
  constexpr int kPoints = 120;
  for (int k = 0; k <= kPoints; ++k) {
    const double s = 2.0 * std::numbers::pi * k / kPoints;
    Vector2d p = svd.singularValues()[0] * std::cos(s) * svd.matrixU().col(0);
    if (svd.singularValues().size() > 1) p += svd.singularValues()[1] * std::sin(s) * svd.matrixU().col(1);
    out.push_back({p[0], p[1]});
  }
  return out;
}

Panel plane_panel(int row, int column, const char* title, const char* x_label, const char* y_label) {
  Panel panel;
  panel.row = row;
  panel.column = column;
  panel.title = title;
  panel.x_label = figure::math(x_label);
  panel.y_label = figure::math(y_label);
  panel.equal_aspect = true;
  return panel;
}

void add_outline(Panel& panel, const std::vector<Point>& points, figure::Colour colour) {
  double reach = 1e-12;
  for (const Point& p : points) reach = std::max({reach, std::abs(p.x), std::abs(p.y)});
  const figure::Range range{-1.12 * reach, 1.12 * reach};
  panel.x_range = panel.y_range = range;
  panel.elements.emplace_back(figure::Polygon{
      .points = points, .fill = colour, .fill_opacity = 0.25, .outline = colour, .outline_width = 1.8});
  panel.elements.emplace_back(figure::Markers{
      .points = {{0.0, 0.0}}, .colour = figure::kBlack, .shape = figure::MarkerShape::kCross});
}

}  // namespace

figure::Figure analysis_figure(const GraspAnalysis& a, const Setup& setup) {
  sim::History history;
  history.names.contacts = setup.model.contacts->names();
  sim::Sample& sample = history.samples.emplace_back();
  sample.x = setup.q.head(3);
  sample.theta = setup.q.tail(setup.model.mechanism->n_theta());
  const Index n_C = setup.model.contacts->n_contacts();
  sample.lambda_N = a.effort.ok() ? a.effort_N : VectorXd::Zero(n_C);
  sample.lambda_T = a.effort.ok() ? a.effort_T : VectorXd::Zero(n_C);
  const Scene scene{&sample, a.effort.ok() ? "cheapest squeeze with 1 N or more" : "no squeeze"};
  const RunFigureInput in{.history = history, .model = setup.model, .title = setup.scenario.name};
  figure::Figure out = scenes_figure(in, std::span(&scene, 1));
  out.title = fmt::format("{}: what the grasp can hold", setup.scenario.name);
  out.rows = out.columns = 2;
  out.size = {.width = 820.0, .height = 860.0};

  const bool by_motors =
      a.limited && std::all_of(a.forces.begin(), a.forces.end(),
                               [](const ResistedForce& f) { return std::isfinite(f.by_motors); });
  Panel forces = plane_panel(
      0, 1, by_motors ? "largest force resisted by the motors" : "largest force resisted",
      by_motors ? "F_x [N]" : "F_x [N per N in all]", by_motors ? "F_y [N]" : "F_y [N per N in all]");
  std::vector<Point> outline;
  for (const ResistedForce& f : a.forces) {
    const double size = by_motors ? f.by_motors : f.size;
    outline.push_back({size * std::cos(f.angle), size * std::sin(f.angle)});
  }
  add_outline(forces, outline, figure::kBluishGreen);
  out.panels.push_back(std::move(forces));
  Panel velocity = plane_panel(1, 0, "velocity for unit joint rates", "v_x [m/s]", "v_y [m/s]");
  if (a.ellipsoids.velocity.freedoms() > 0)
    add_outline(velocity, shadow(a.ellipsoids.velocity), figure::kBlue);
  out.panels.push_back(std::move(velocity));
  Panel force = plane_panel(1, 1, "force for unit torques", "F_x [N]", "F_y [N]");
  if (a.ellipsoids.force.freedoms() > 0) add_outline(force, shadow(a.ellipsoids.force), figure::kVermilion);
  out.panels.push_back(std::move(force));
  return out;
}

}  // namespace enfold::app
