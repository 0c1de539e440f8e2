// SPDX-License-Identifier: BSD-3-Clause
#include "uniqueness_study.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/error.hpp"
#include "enfold/lcp/enumeration.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/sim/rigid_plant.hpp"
#include "enfold/uniqueness/stick_slip.hpp"

namespace enfold::app {
namespace {

using contact::ContactMode;
using lcp::PMatrixStatus;

Index contact_number(const Setup& setup, const std::string& name) {
  const std::vector<std::string>& names = setup.model.contacts->names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    std::string known;
    for (const std::string& other : names) known += (known.empty() ? "" : ", ") + other;
    throw ScenarioError(fmt::format("there is no contact '{}'; the contacts are {}", name, known));
  }
  return found - names.begin();
}

// By equal μ if the scenario has two values, else the links next to the palm and the others.
std::vector<std::vector<Index>> choose_groups(const Setup& setup) {
  const VectorXd& mu = setup.model.mu;
  std::vector<double> values(mu.begin(), mu.end());
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<std::vector<Index>> groups(2);
  for (Index i = 0; i < mu.size(); ++i) {
    bool first = false;
    if (values.size() == 2) {
      first = mu[i] == mu[0];
    } else {
      const std::string& link = setup.scenario.contacts[static_cast<std::size_t>(i)].link;
      for (const io::ArmSpec& arm : setup.scenario.hand.arms)
        first = first || (!arm.links.empty() && link == arm.name + "." + arm.links.front().name);
    }
    groups[first ? 0 : 1].push_back(i);
  }
  if (groups[0].empty() || groups[1].empty()) return {};
  return groups;
}

std::vector<std::vector<Index>> asked_groups(const Setup& setup, const UniquenessQuestion& question) {
  if (question.groups.empty()) return choose_groups(setup);
  if (question.groups.size() != 2)
    throw ScenarioError(fmt::format("--groups names {} groups, expected two", question.groups.size()));
  std::vector<std::vector<Index>> out(2);
  std::vector<bool> used(static_cast<std::size_t>(setup.model.mu.size()), false);
  for (std::size_t g = 0; g < 2; ++g) {
    for (const std::string& name : question.groups[g]) {
      const Index i = contact_number(setup, name);
      if (used[static_cast<std::size_t>(i)])
        throw ScenarioError(fmt::format("--groups names contact '{}' twice", name));
      used[static_cast<std::size_t>(i)] = true;
      out[g].push_back(i);
    }
  }
  return out;
}

double choose_window(const Setup& setup) {
  return std::max(1.0, 2.0 * std::ceil(setup.model.mu.maxCoeff() * 10.0) / 10.0);
}

// A margin costs O(4ⁿ).
int choose_samples(Index contacts) {
  return contacts <= 6 ? 201 : contacts <= 8 ? 41 : 11;
}

SampledMap sample_map(const PlaneMap& map, const std::vector<GraspInstant>& instants, int n) {
  SampledMap out;
  out.n = n;
  if (n <= 0) return out;
  const uniqueness::PlaneProblem& plane = map.plane;
  const Vector2d step = (plane.upper - plane.lower) / n;
  const Index size = plane.families.front().size();
  if (size > 8) return out;  // 2ⁿ minors at every point: the curves are exact anyway
  lcp::PMatrixTester tester(size);
  const bool count = instants.size() == 1 && instants.front().b && size <= 6;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const VectorXd mu = plane.mu(plane.lower + step.cwiseProduct(Vector2d{i + 0.5, j + 0.5}));
      double least = std::numeric_limits<double>::infinity();
      bool P = true;
      for (const uniqueness::FrictionFamily& family : plane.families) {
        const lcp::PMatrixResult& result = tester.test(family.A(mu));
        least = std::min(least, result.smallest.value);
        P = P && result.status == PMatrixStatus::kP;
      }
      out.min_minor.push_back(least);
      if (!count) continue;
      if (P) {
        out.solutions.push_back(1);
        continue;
      }
      const auto all = lcp::enumerate_solutions({plane.families.front().A(mu), *instants.front().b});
      out.solutions.push_back(all.count() ? static_cast<int>(*all.count()) : -1);
    }
  }
  return out;
}

// The window is grown until it holds the circle around the design that touches the edge.
uniqueness::RegionDistance distance_of(uniqueness::PlaneProblem plane, const Vector2d& design) {
  uniqueness::RegionDistance out;
  for (double gap = 1.0; gap <= 16.0; gap *= 2.0) {
    plane.lower.setZero();
    plane.upper = design + Vector2d::Constant(gap);
    const uniqueness::PRegion region = uniqueness::trace_p_region(plane);
    if (region.status != uniqueness::PRegionStatus::kTraced) return out;
    out = uniqueness::distance_to_boundary(plane, region, design);
    if (out.distance <= gap) break;
  }
  return out;
}

void study_stick_slip(const Setup& setup, const control::Plan& plan, InstantStudy& out) {
  const planners::MotionPoint& motion = out.at.motion;
  const bool rolls =
      std::find(motion.modes.begin(), motion.modes.end(), ContactMode::kRoll) != motion.modes.end();
  if (!rolls || !out.at.b || plan.empty()) return;
  VectorXd force = -motion.dynamics.h;
  force.tail(setup.model.mechanism->n_theta()) += plan.points[plan.segment(out.at.time)].tau;
  const uniqueness::StickSlipProblem problem = uniqueness::stick_slip_problem(
      motion.dynamics.M, force, motion.kinematics, motion.modes, setup.model.mu);
  out.stick_slip = lcp::enumerate_solutions(problem.lcp);
  const std::optional<MatrixXd> core = uniqueness::copositivity_core(problem);
  const lcp::MatrixClassification classes = lcp::classify(core ? *core : problem.lcp.A);
  out.copositive = classes[lcp::MatrixClass::kCopositive];
}

// The asked intervals; contacts that are not named keep their μ.
uniqueness::Certificate certify_box(const Setup& setup, const GraspInstant& at,
                                    const UniquenessQuestion& question) {
  VectorXd lower = setup.model.mu;
  VectorXd upper = setup.model.mu;
  for (const auto& [name, interval] : question.box) {
    const Index i = contact_number(setup, name);
    lower[i] = interval.first;
    upper[i] = interval.second;
  }
  return uniqueness::certify(at.rows.family, {at.rows.rows_of(lower), at.rows.rows_of(upper)},
                             {.slip = question.both_directions ? uniqueness::SlipDirections::kBoth
                                                               : uniqueness::SlipDirections::kDeclared});
}

}  // namespace

bool known(const uniqueness::FrictionMargin& margin) {
  return margin.status == uniqueness::MarginStatus::kFinite ||
         margin.status == uniqueness::MarginStatus::kNotP;
}

const MarginSample* smallest_margin(const UniquenessStudy& study) {
  const MarginSample* least = nullptr;
  for (const MarginSample& sample : study.margins)
    if (sample.followed && known(sample.margin) &&
        (least == nullptr || sample.margin.half_width < least->margin.half_width))
      least = &sample;
  return least;
}

GraspPath::GraspPath(const Setup& setup)
    : setup_{setup}, motion_{setup.model.mechanism, setup.model.contacts, setup.model.mu,
                             setup.modes,           setup.told,           setup.coordinates} {}

GraspInstant GraspPath::at(double t, const control::Plan& plan) const {
  GraspInstant out;
  out.time = t;
  motion_.sample(t, {}, out.motion);
  if (!out.motion.ok()) return out;
  out.rows = uniqueness::friction_family(out.motion.dynamics.M, out.motion.kinematics, out.motion.modes);
  if (!out.rows.ok()) return out;
  out.mu = out.rows.rows_of(setup_.model.mu);
  if (plan.empty()) return out;
  const control::PlanPoint& point = plan.points[plan.segment(t)];
  if (std::abs(point.time - t) > 1e-2 * std::max(1.0, duration())) return out;  // not planned there
  sim::RigidPlant plant({setup_.model.mechanism, setup_.model.contacts, setup_.model.mu},
                        {.drift_frequency = 0.0});
  plant.set_modes(out.motion.modes);
  (void)plant.solve(out.motion.q, out.motion.v, point.tau);
  out.b = plant.b();
  return out;
}

PlaneMap make_map(const std::vector<GraspInstant>& instants, const std::vector<std::vector<Index>>& groups,
                  double window, int samples) {
  PlaneMap out;
  const GraspInstant& first = instants.front();
  out.plane.upper = Vector2d::Constant(window);
  out.plane.mu_0 = first.mu;
  out.plane.groups.count = 2;
  Vector2d design = Vector2d::Constant(-1.0);
  bool one_value = true;
  for (std::size_t row = 0; row < first.rows.contacts.size(); ++row) {
    Index group = -1;
    for (const std::size_t g : {0UL, 1UL}) {
      if (std::find(groups[g].begin(), groups[g].end(), first.rows.contacts[row]) == groups[g].end())
        continue;
      group = static_cast<Index>(g);
      const double mu = first.mu[static_cast<Index>(row)];
      if (!first.rows.family.enters(static_cast<Index>(row))) continue;
      one_value = one_value && (design[group] < 0.0 || design[group] == mu);
      design[group] = mu;
    }
    out.plane.groups.group_of.push_back(group);
  }
  for (const GraspInstant& instant : instants) out.plane.families.push_back(instant.rows.family);
  out.region = uniqueness::trace_p_region(out.plane);
  out.sampled = sample_map(out, instants, samples);
  if (!one_value) return out;
  design = design.cwiseMax(0.0);
  out.design = design;
  out.distance = distance_of(out.plane, design);
  out.design_inside = std::all_of(instants.begin(), instants.end(), [&](const GraspInstant& instant) {
    return lcp::test_p_matrix(instant.rows.family.A(out.plane.mu(design))).status == PMatrixStatus::kP;
  });
  return out;
}

UniquenessStudy study_uniqueness(const Setup& setup, const UniquenessQuestion& question) {
  UniquenessStudy out;
  const GraspPath path(setup);
  try {
    out.planned = make_plan(setup);
  } catch (const InvalidArgument& error) {  // too few contacts for an internal force: nothing to plan
    out.notes.emplace_back(error.what());
  }
  const planners::PlanSolution& planned = out.planned;
  if (!planned.ok())
    out.notes.push_back("no plan of the squeeze, hence no b, at some instants: " + planned.message);
  out.groups = asked_groups(setup, question);
  if (out.groups.empty()) out.notes.emplace_back("no map: the contacts do not fall into two groups");
  out.window = question.window > 0.0 ? question.window : choose_window(setup);
  const uniqueness::MarginOptions margin_options{.slip = question.both_directions
                                                             ? uniqueness::SlipDirections::kBoth
                                                             : uniqueness::SlipDirections::kDeclared};

  VectorXd direction = setup.model.mu;
  if (!question.direction.empty()) {
    direction.setZero();
    for (const auto& [name, value] : question.direction) direction[contact_number(setup, name)] = value;
  }
  for (const double t : question.times) {
    if (!(t >= 0.0 && t <= path.duration()))
      throw ScenarioError(
          fmt::format("--at {} s is outside the motion, which lasts from 0 to {} s", t, path.duration()));
    InstantStudy instant;
    instant.at = path.at(t, planned.plan);
    if (!instant.at.motion.ok())
      throw MotionError(fmt::format("at t = {} s {}", t, instant.at.motion.reason));
    if (!instant.at.rows.ok())
      throw MotionError(fmt::format("at t = {} s there is no contact matrix: {}", t,
                                    uniqueness::to_string(instant.at.rows.status)));
    const uniqueness::FrictionFamily& family = instant.at.rows.family;
    instant.direction = instant.at.rows.rows_of(direction);
    const VectorXd start = question.from_scenario ? instant.at.mu : VectorXd(VectorXd::Zero(family.size()));
    instant.p_test = lcp::test_p_matrix(family.A(instant.at.mu));
    instant.frontier = uniqueness::frontier(family, start, instant.direction);
    instant.margin = uniqueness::friction_margin(family, instant.at.mu, margin_options);
    if (!question.box.empty()) instant.certificate = certify_box(setup, instant.at, question);
    if (!out.groups.empty())
      instant.map = make_map({instant.at}, out.groups, out.window, question.map_samples);
    if (instant.at.b) {
      instant.answers = uniqueness::all_answers(family, instant.at.mu, *instant.at.b);
      instant.change = lcp::nearest_solution_change({family.A(instant.at.mu), *instant.at.b});
    }
    study_stick_slip(setup, planned.plan, instant);
    out.instants.push_back(std::move(instant));
  }

  std::vector<GraspInstant> along;
  const int samples =
      std::max(2, question.samples > 0 ? question.samples : choose_samples(setup.model.mu.size()));
  for (int k = 0; k < samples; ++k) {
    const double t = path.duration() * k / (samples - 1);
    GraspInstant instant = path.at(t);
    MarginSample sample;
    sample.time = t;
    sample.followed = instant.motion.ok() && instant.rows.ok();
    if (sample.followed) {
      const lcp::PMatrixResult P = lcp::test_p_matrix(instant.rows.family.A(instant.mu));
      sample.p_matrix = P.status == PMatrixStatus::kP;
      sample.min_minor = P.smallest.value;
      sample.margin = uniqueness::friction_margin(instant.rows.family, instant.mu, margin_options);
      const std::vector<Index>& rows = sample.p_matrix ? sample.margin.indices : P.witness.indices;
      for (const Index row : rows)
        sample.contacts.push_back(instant.rows.contacts[static_cast<std::size_t>(row)]);
      along.push_back(std::move(instant));
    }
    out.margins.push_back(std::move(sample));
  }
  if (along.empty()) return out;
  if (!out.groups.empty()) out.robust = make_map(along, out.groups, out.window, question.map_samples / 2);
  if (along.front().rows.family.size() <= 10) {
    const uniqueness::FamilyAt family_at = [&](double t) -> std::optional<uniqueness::FrictionFamily> {
      const GraspInstant instant = path.at(t);
      if (!instant.motion.ok() || !instant.rows.ok()) return std::nullopt;
      return instant.rows.family;
    };
    out.over_time =
        uniqueness::uniqueness_over_time(family_at, path.duration(), along.front().mu,
                                         {.slip = margin_options.slip, .intervals = 100, .halvings = 12});
  } else {
    out.notes.push_back(
        fmt::format("{} contacts are above the limit of 10: between the samples nothing was proved",
                    along.front().rows.family.size()));
  }
  return out;
}

}  // namespace enfold::app
