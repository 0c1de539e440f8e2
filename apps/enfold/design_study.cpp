// SPDX-License-Identifier: BSD-3-Clause
#include "design_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "enfold/grasp/motion_coordinates.hpp"
#include "enfold/planners/quintic.hpp"
#include "enfold/sim/contact_stability.hpp"

namespace enfold::app {
namespace {

using controllers::Gains;
using controllers::WantedPoles;

constexpr int kResponsePoints = 400;

/// The scenario with its object told to stay where it is at one instant of the plan.
struct HeldSetup {
  Setup setup;
  loop::HeldGrasp grasp;
  std::shared_ptr<const control::Plan> plan;
  double time = 0.0;
};

HeldSetup hold(const Setup& setup, const control::Plan& plan, double time) {
  const control::PlanPoint& point = plan.points[plan.segment(time)];
  HeldSetup out{setup, {}, nullptr, point.time};
  control::Reference reference;
  setup.trajectory->sample(point.time, reference);
  VectorXd q(setup.model.mechanism->n_q());
  q << reference.x, point.theta;
  out.setup.q = q;
  out.setup.told = out.setup.trajectory = std::make_shared<planners::Quintic>(reference.x, reference.x, 1.0);
  out.grasp = {setup.model.mechanism, setup.model.contacts, setup.model.mu, point.modes, q,
               setup.coordinates,     setup.model.load,     point.time};
  out.plan = std::make_shared<control::Plan>(loop::resting_plan(out.grasp, point));
  return out;
}

WantedPoles poles_of(const Gains& gains) {
  const auto [right, left] = controllers::motion_poles(gains);
  return {right, left, -gains.Kalpha};
}

DesignCase look_at(HeldSetup& held, const std::string& name, const Gains& gains, const WantedPoles& wanted,
                   const DesignQuestion& question) {
  io::ControllerSpec& spec = held.setup.scenario.controller;
  spec.Kp = gains.Kp;
  spec.Kv = gains.Kv;
  spec.Kalpha = gains.Kalpha;
  DesignCase out;
  out.name = name;
  out.gains = gains;
  const std::shared_ptr<control::Controller> law = make_controller(held.setup, held.plan);
  out.linear = loop::linearise(held.grasp, *law);
  if (!out.linear.ok()) return out;
  const std::vector<std::complex<double>> claimed = claimed_poles(held.setup, wanted, out.linear);
  out.claims_poles = !claimed.empty();
  out.continuous = loop::poles(loop::continuous_loop(out.linear).closed(), 0.0);
  out.continuous_stable = loop::stable(out.continuous);
  out.continuous_distance = loop::distance(claimed, out.continuous);
  if (question.rate <= 0.0) return out;
  const double period = 1.0 / question.rate;
  out.sampled = loop::poles(loop::sampled_loop(out.linear, period, question.delay).closed(), period);
  out.sampled_stable = loop::stable(out.sampled);
  out.sampled_distance = loop::distance(claimed, out.sampled);
  return out;
}

void add_margins(DesignStudy& study, const std::vector<std::string>& joints, const DesignQuestion& question) {
  const loop::LinearLoop& linear = study.chosen().linear;
  const loop::OpenLoop continuous = loop::continuous_loop(linear);
  const bool sampled = question.rate > 0.0;
  const double period = sampled ? 1.0 / question.rate : 0.0;
  const loop::OpenLoop held = sampled ? loop::sampled_loop(linear, period, question.delay) : continuous;
  const auto add = [&](const std::string& name, const auto& cut) {
    CutMargins& margins = study.margins.emplace_back();
    margins.name = name;
    margins.continuous = loop::margins(cut(continuous));
    if (sampled) margins.sampled = loop::margins(cut(held));
  };
  add("all torques", [](const loop::OpenLoop& open) { return open.at(loop::Cut::kCommand); });
  for (std::size_t i = 0; i < joints.size(); ++i)
    add("torque " + joints[i],
        [i](const loop::OpenLoop& open) { return open.at_joint(static_cast<Index>(i)); });
  add("pose and velocity", [](const loop::OpenLoop& open) { return open.at(loop::Cut::kMotion); });
  add("contact forces", [](const loop::OpenLoop& open) { return open.at(loop::Cut::kForces); });
  study.continuous_delay = loop::critical_delay(linear, 0.0);
  if (sampled) study.sampled_delay = loop::critical_delay(linear, period);
}

void add_steps(DesignStudy& study, const DesignQuestion& question) {
  const DesignCase& chosen = study.chosen();
  double slowest = 0.0;
  for (const loop::Pole& pole : chosen.continuous)
    if (std::isfinite(pole.settling_time())) slowest = std::max(slowest, pole.settling_time());
  const double duration = std::clamp(2.5 * slowest, 1e-3, 100.0);
  for (std::size_t i = 0; i < study.coordinates.size(); ++i) {
    const auto coordinate = static_cast<Index>(i);
    study.continuous_steps.push_back(
        loop::step_response(chosen.linear, coordinate, 0.0, 0.0, duration, kResponsePoints));
    if (question.rate > 0.0)
      study.sampled_steps.push_back(loop::step_response(chosen.linear, coordinate, 1.0 / question.rate,
                                                        question.delay, duration, kResponsePoints));
  }
}

/// What compliant contacts would do at this pose, if the scenario lets them.
void warn_of_contacts(DesignStudy& study, const HeldSetup& held) {
  const ClosedLoop loop = make_closed_loop(held.setup, nullptr);
  if (loop.options.laws.empty() || !loop.options.stability) return;
  const control::PlanPoint& point = held.plan->points.front();
  sim::CompliantPlant plant(loop.problem.plant, loop.options.laws);
  VectorXd xi = VectorXd::Zero(point.lambda_N.size());
  const VectorXd rest = VectorXd::Zero(held.setup.model.mechanism->n_v());
  plant.adopt_forces(held.grasp.q, rest, point.lambda_N, point.lambda_T, xi);
  (void)plant.solve(held.grasp.q, rest, xi, point.tau, point.modes);
  sim::ContactStabilityOptions options = *loop.options.stability;
  options.control_bandwidth = std::max(1e-3, study.chosen().gains.Kalpha);
  const sim::ContactStability contacts = sim::contact_stability(plant, options);
  if (!contacts.warning.empty()) study.warnings.push_back("compliant contacts: " + contacts.warning);
}

void warn(DesignStudy& study, const DesignQuestion& question) {
  const DesignCase& chosen = study.chosen();
  if (chosen.in_continuous_time && !chosen.continuous_stable)
    study.warnings.push_back(fmt::format("unstable in continuous time: a pole at {} 1/s",
                                         loop::to_text(chosen.continuous.front().s)));
  const double echo = loop::force_echo(chosen.linear);
  if (echo >= 1.0 && question.rate > 0.0)
    study.warnings.push_back(fmt::format(
        "the proportional force gain is {:.3g}: contact forces answer within the sample, so that 1 and more "
        "is unstable at every rate (rigid contacts)",
        echo));
  if (question.rate <= 0.0) return;
  if (!chosen.sampled_stable)
    study.warnings.push_back(fmt::format(
        "unstable at {:.6g} Hz{}: a pole at {} 1/s", question.rate,
        question.delay > 0.0 ? fmt::format(" with {:.3g} s of delay", question.delay) : std::string(),
        loop::to_text(chosen.sampled.front().s)));
  else if (chosen.claims_poles && chosen.sampled_distance > 0.1)
    study.warnings.push_back(fmt::format(
        "at {:.6g} Hz{} the poles are up to {:.0f} % from where they are wanted", question.rate,
        question.delay > 0.0 ? fmt::format(" with {:.3g} s of delay", question.delay) : std::string(),
        100.0 * chosen.sampled_distance));
}

}  // namespace

std::vector<std::complex<double>> claimed_poles(const Setup& setup, const WantedPoles& poles,
                                                const loop::LinearLoop& linear) {
  std::vector<std::complex<double>> out;
  const std::string& type = setup.scenario.controller.type;
  if (type != "whole_arm" && type != "force_loop") return out;
  for (Index i = 0; i < linear.plant.m(); ++i) {
    out.push_back(poles.motion_1);
    out.push_back(poles.motion_2);
  }
  for (Index i = 0; i < linear.integral.size(); ++i) out.emplace_back(poles.force);
  return out;
}

DesignStudy study_design(const Setup& setup, const control::Plan& plan, const DesignQuestion& question) {
  HeldSetup held = hold(setup, plan, question.time);
  DesignStudy out;
  out.time = held.time;
  out.pose = held.grasp.q.head(setup.model.mechanism->n_q() - setup.model.mechanism->n_theta());
  const io::ControllerSpec& spec = setup.scenario.controller;
  const Gains given{spec.Kp, spec.Kv, spec.Kalpha};
  const auto add = [&](const std::string& name, const Gains& gains, const WantedPoles& wanted) {
    out.cases.push_back(look_at(held, name, gains, wanted, question));
    const loop::LinearLoop& linear = out.cases.back().linear;
    if (!linear.ok()) out.failure = fmt::format("{}: {}", loop::to_string(linear.status), linear.message);
    return linear.ok();
  };
  if (!question.wanted) {
    if (!add("the scenario's gains", given, poles_of(given))) return out;
  } else {
    if (!add("placed in continuous time", controllers::continuous_gains(*question.wanted), *question.wanted))
      return out;
    if (question.rate > 0.0 &&
        !add(fmt::format("placed for {:.6g} Hz", question.rate),
             controllers::sampled_gains(*question.wanted, 1.0 / question.rate), *question.wanted))
      return out;
    if (question.rate > 0.0) out.cases.back().in_continuous_time = false;
  }
  const loop::LinearPlant& plant = out.chosen().linear.plant;
  const std::vector<std::string> names = grasp::plain_names(setup.model.mechanism->object_position_names());
  for (const Index c : plant.coordinates) out.coordinates.push_back(names[static_cast<std::size_t>(c)]);
  add_margins(out, setup.model.mechanism->joint_names(), question);
  add_steps(out, question);
  warn(out, question);
  warn_of_contacts(out, held);
  return out;
}

std::string controller_snippet(const Setup& setup, const DesignStudy& study, double rate) {
  const Gains& gains = study.chosen().gains;
  return fmt::format("controller: {{type: {}, rate_hz: {:.6g}, Kp: {:.8g}, Kv: {:.8g}, Kalpha: {:.8g}}}",
                     setup.scenario.controller.type, rate, gains.Kp, gains.Kv, gains.Kalpha);
}

}  // namespace enfold::app
