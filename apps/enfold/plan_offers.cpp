// SPDX-License-Identifier: BSD-3-Clause
#include "plan_offers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "enfold/base/error.hpp"
#include "enfold/planners/feasible_duration.hpp"

namespace enfold::app {
namespace {

std::string pose_text(const VectorXd& x) {
  return fmt::format("{{x_m: {:.5g}, y_m: {:.5g}, phi_deg: {:.5g}}}", x[0], x[1],
                     x[2] * 180.0 / std::numbers::pi);
}

bool has_plan(const io::Scenario& scenario) {
  try {
    return make_plan(make_setup(scenario)).ok();
  } catch (const ScenarioError&) {  // out of reach
    return false;
  }
}

/// Rounded to four digits, to the safe side.
double rounded(double value, bool up) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 3.0);
  return (up ? std::ceil(value / unit) : std::floor(value / unit)) * unit;
}

void offer_durations(const Setup& setup, std::vector<std::string>& out) {
  const planners::DurationRange range =
      planners::feasible_durations(plan_problem(setup), plan_options(setup));
  if (!range.exists()) {
    out.push_back("another duration does not help: " + range.reason);
    return;
  }
  const double shortest = rounded(range.shortest, true);
  if (!has_plan(with_duration(setup.scenario, shortest))) return;
  out.push_back(fmt::format(
      "task.trajectory.duration_s: {:.4g} works{}; shorter ones fail at {:.4g} % of the path: {}", shortest,
      std::isfinite(range.longest) ? fmt::format(", and any up to {:.4g}", rounded(range.longest, false))
                                   : ", and any longer one",
      100.0 * range.shortest_at, range.shortest_by));
}

void offer_floors(const Setup& setup, std::vector<std::string>& out) {
  const io::PlannerSpec& spec = setup.scenario.planner;
  if (spec.robust || spec.max_torque_rate) return;
  const double part = planners::feasible_floors(plan_problem(setup), plan_options(setup));
  if (part < 0.0) {
    out.push_back("lower floors do not help: even planner.min_normal_N: 0 has no plan");
    return;
  }
  if (part >= 1.0 || part < 1e-3) return;
  io::Scenario lower = setup.scenario;
  const double safe = rounded(part, false);
  for (io::NormalFloor::Knot& knot : lower.planner.min_normal.knots)
    for (double& N : knot.N) N *= safe;
  if (!has_plan(lower)) return;
  const std::vector<double>& first = lower.planner.min_normal.knots.front().N;
  const bool one = lower.planner.min_normal.knots.size() == 1 &&
                   std::all_of(first.begin(), first.end(), [&](double N) { return N == first.front(); });
  out.push_back(one ? fmt::format("planner.min_normal_N: {:.4g} works", first.front())
                    : fmt::format("{:.4g} of all planner.min_normal_N works", safe));
}

/// On the straight line to the goal, how far there is a plan in the same time; by bisection.
void offer_goal(const Setup& setup, std::vector<std::string>& out) {
  const io::TrajectorySpec& path = setup.scenario.task.trajectory;
  if (path.type != "quintic") return;
  const auto nearer = [&](double part) {
    io::Scenario other = setup.scenario;
    io::PoseSpec& to = other.task.trajectory.to;
    to.x = path.from.x + part * (path.to.x - path.from.x);
    to.y = path.from.y + part * (path.to.y - path.from.y);
    to.phi = path.from.phi + part * (path.to.phi - path.from.phi);
    other.planner.sample_rate = std::min(other.planner.sample_rate, 200.0);
    return other;
  };
  double near = 0.0;
  double far = 1.0;
  for (int i = 0; i < 10; ++i) {
    const double middle = 0.5 * (near + far);
    (has_plan(nearer(middle)) ? near : far) = middle;
  }
  if (near == 0.0) return;
  io::Scenario offer = nearer(near);
  offer.planner.sample_rate = setup.scenario.planner.sample_rate;
  if (!has_plan(offer)) return;
  out.push_back(fmt::format("task.trajectory.to: {} works, {:.4g} % of the way",
                            pose_text(pose(offer.task.trajectory.to)), 100.0 * near));
}

}  // namespace

io::Scenario with_duration(io::Scenario scenario, double duration) {
  io::TrajectorySpec& path = scenario.task.trajectory;
  const double slower = duration / path.duration;
  if (scenario.simulation.duration == path.duration) scenario.simulation.duration = duration;
  path.duration = duration;
  for (io::ViaSpec& via : path.via)
    if (via.time) *via.time *= slower;
  for (io::NormalFloor::Knot& knot : scenario.planner.min_normal.knots) knot.time *= slower;
  return scenario;
}

std::vector<std::string> plan_offers(const Setup& setup, const planners::PlanSolution& planned) {
  std::vector<std::string> out;
  if (!planned.failures.empty() && planned.failures.front().from > 0.0) {
    control::Reference reached;
    setup.trajectory->sample(planned.failures.front().from, reached);
    out.push_back(fmt::format("there is a plan up to t = {:.4g} s, at {}", planned.failures.front().from,
                              pose_text(reached.x)));
  }
  if (planned.status == planners::PlanStatus::kInfeasible) {
    offer_durations(setup, out);
    offer_floors(setup, out);
  }
  offer_goal(setup, out);
  return out;
}

}  // namespace enfold::app
