// SPDX-License-Identifier: BSD-3-Clause
#include "grasp_path.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/interval/interval.hpp"
#include "enfold/sim/rigid_plant.hpp"
#include "told_trajectory.hpp"

namespace enfold::app {
namespace {

using contact::ContactMode;

// A gap or a speed below this is zero.
constexpr double kZero = 1e-9;

}  // namespace

GraspPath::GraspPath(const Setup& setup) : setup_{setup} {
  if (setup.told)
    motion_.emplace(setup.model.mechanism, setup.model.contacts, setup.model.mu, setup.modes, setup.told,
                    setup.coordinates);
}

// The state that the scenario states; contacts that part, or are apart, are open.
void GraspPath::set_start(planners::MotionPoint& out) const {
  const Index n_v = setup_.model.mechanism->n_v();
  out.q = setup_.q;
  out.v = VectorXd::Zero(n_v);
  for (Index i = 0; i < 3; ++i) out.v[i] = setup_.scenario.task.start_velocity[static_cast<std::size_t>(i)];
  setup_.model.contacts->kinematics(out.q, out.v, out.kinematics);
  setup_.model.mechanism->dynamics(out.q, out.v, out.dynamics);
  out.modes = setup_.modes;
  for (std::size_t i = 0; i < out.modes.size(); ++i) {
    const auto column = static_cast<Index>(i);
    const double slip = out.kinematics.W_T.col(column).dot(out.v);
    const double parting = out.kinematics.W_N.col(column).dot(out.v);
    const bool declared_slide = setup_.scenario.contacts[i].mode == io::ContactKind::kSlide;
    out.modes[i] = out.kinematics.gap[column] > kZero || parting > kZero ? ContactMode::kOpen
                   : slip > kZero                                        ? ContactMode::kSlidePlus
                   : slip < -kZero                                       ? ContactMode::kSlideMinus
                   : declared_slide                                      ? ContactMode::kSlidePlus
                                                                         : ContactMode::kRoll;
  }
}

GraspInstant GraspPath::at(double t, const control::Plan& plan) const {
  GraspInstant out;
  out.time = t;
  if (moves()) {
    motion_->sample(t, {}, out.motion);
  } else {
    set_start(out.motion);
  }
  if (!out.motion.ok()) return out;
  const planners::MotionPoint& motion = out.motion;
  for (std::size_t i = 0; i < motion.modes.size(); ++i) {
    const auto column = motion.kinematics.W_T.col(static_cast<Index>(i));
    const bool rests = std::abs(column.dot(motion.v)) <= kZero;
    const bool moves_next = moves() && (std::abs(column.dot(motion.v_dot)) > kZero ||
                                        motion.reference.x_dddot.cwiseAbs().maxCoeff() > kZero);
    if (is_sliding(motion.modes[i]) && rests && !moves_next) out.undirected.push_back(static_cast<Index>(i));
    const bool may_roll = setup_.scenario.contacts[i].mode == io::ContactKind::kAuto && rests;
    if (motion.modes[i] == ContactMode::kRoll || (is_sliding(motion.modes[i]) && may_roll))
      out.may_stick.push_back(static_cast<Index>(i));
  }
  out.rows = uniqueness::friction_family(motion.dynamics.M, motion.kinematics, motion.modes);
  out.mu = out.rows.rows_of(setup_.model.mu);

  VectorXd tau = VectorXd::Zero(setup_.model.mechanism->n_theta());
  if (moves()) {
    if (plan.empty()) return out;
    const control::PlanPoint& point = plan.points[plan.segment(t)];
    if (std::abs(point.time - t) > 1e-2 * std::max(1.0, duration())) return out;  // not planned there
    tau = point.tau;
  }
  out.force.setZero(setup_.model.mechanism->n_v());
  if (setup_.model.load) setup_.model.load->generalised_force(t, motion.q, out.force);
  out.force -= motion.dynamics.h;
  out.force.tail(tau.size()) += tau;
  if (!out.rows.ok()) return out;
  sim::RigidPlant plant(
      {setup_.model.mechanism, setup_.model.contacts, setup_.model.mu, {}, setup_.model.load},
      {.drift_frequency = 0.0});
  plant.set_time(t);
  plant.set_modes(motion.modes);
  (void)plant.solve(motion.q, motion.v, tau);
  out.b = plant.b();
  return out;
}

uniqueness::FamilyAt GraspPath::family_at() const {
  return [this](double t) -> std::optional<uniqueness::FrictionFamily> {
    const GraspInstant instant = at(t);
    if (!instant.motion.ok() || !instant.rows.ok()) return std::nullopt;
    return instant.rows.family;
  };
}

uniqueness::FamilyOver GraspPath::family_over() const {
  // What closing the hand follows: the path alone tells A, and the slip has the sign that it has along it.
  if (!moves() || motion_->path() != setup_.told) return {};
  // Between rests a path has a direction everywhere, at a rest it has two.
  if (setup_.told->rests().size() > 2) return {};
  const io::TrajectorySpec& spec = setup_.scenario.task.trajectory;
  auto path = std::make_shared<const models::PathEnclosure>(setup_.model, setup_.modes,
                                                            told_path(spec, *setup_.told));
  if (!path->available()) return {};
  return [path, spec, told = setup_.told](double from, double to) {
    const double end = path_parameter(spec, *told, told->duration()).hi();
    return path->over(std::max(0.0, path_parameter(spec, *told, from).lo()),
                      std::min(std::round(end), path_parameter(spec, *told, to).hi()));
  };
}

}  // namespace enfold::app
