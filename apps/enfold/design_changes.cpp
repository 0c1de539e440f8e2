// SPDX-License-Identifier: BSD-3-Clause
#include "design_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "enfold/base/error.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/uniqueness/margin_sensitivity.hpp"
#include "grasp_path.hpp"

namespace enfold::app {
namespace {

// A number of the scenario that a designer can turn.
struct Parameter {
  std::string name, unit;
  double value = 0.0;
  bool absolute = false;    // a pose: steps are 1 mm and 1°, not parts of its value
  std::optional<Index> mu;  // contact whose friction it is
  std::function<void(io::Scenario&, double)> set;
};

std::vector<Parameter> parameters(const io::Scenario& scenario) {
  std::vector<Parameter> out;
  for (std::size_t i = 0; i < scenario.contacts.size(); ++i) {
    const io::ContactSpec& contact = scenario.contacts[i];
    out.push_back({"contacts." + contact.name + ".mu", "", contact.mu, false, static_cast<Index>(i),
                   [i](io::Scenario& s, double value) { s.contacts[i].mu = value; }});
  }
  // Without a hand nothing closes on the object again: another pose or shape would open the contacts.
  if (!scenario.has_hand()) return out;
  for (std::size_t a = 0; a < scenario.hand.arms.size(); ++a) {
    for (std::size_t l = 0; l < scenario.hand.arms[a].links.size(); ++l) {
      const io::LinkSpec& link = scenario.hand.arms[a].links[l];
      out.push_back({"hand." + scenario.hand.arms[a].name + "." + link.name + ".length_m", "m", link.length,
                     false, std::nullopt,
                     [a, l, com = link.com, length = link.length](io::Scenario& s, double value) {
                       s.hand.arms[a].links[l].length = value;
                       // The centre of mass keeps its place in parts of the length.
                       s.hand.arms[a].links[l].com = {com[0] * value / length, com[1]};
                     }});
    }
  }
  double left = std::numeric_limits<double>::infinity();
  double right = -left;
  for (const io::ArmSpec& arm : scenario.hand.arms) {
    left = std::min(left, arm.base[0]);
    right = std::max(right, arm.base[0]);
  }
  if (right > left) {
    const double middle = 0.5 * (left + right);
    out.push_back({"hand.palm_width_m", "m", right - left, false, std::nullopt,
                   [middle, width = right - left, original = scenario.hand](io::Scenario& s, double value) {
                     for (std::size_t a = 0; a < s.hand.arms.size(); ++a)
                       s.hand.arms[a].base[0] = middle + (original.arms[a].base[0] - middle) * value / width;
                   }});
  }
  if (scenario.object.shape.type == "circle") {
    out.push_back({"object.shape.radius_m", "m", scenario.object.shape.semi_axes[0], false, std::nullopt,
                   [](io::Scenario& s, double value) {
                     s.object.shape.semi_axes = {value, value};
                   }});
  } else if (scenario.object.shape.type == "ellipse" || scenario.object.shape.type == "superellipse") {
    for (const std::size_t k : {0UL, 1UL})
      out.push_back({fmt::format("object.shape.semi_axes_m[{}]", k), "m", scenario.object.shape.semi_axes[k],
                     false, std::nullopt,
                     [k](io::Scenario& s, double value) { s.object.shape.semi_axes[k] = value; }});
  }
  const auto pose = [&](const char* name, const char* unit, double io::PoseSpec::*entry) {
    out.push_back(
        {std::string("pose.") + name, unit, 0.0, true, std::nullopt, [entry](io::Scenario& s, double value) {
           for (io::PoseSpec* spec : {&s.task.trajectory.from, &s.task.trajectory.to, &s.task.start})
             spec->*entry += value;
           for (io::ViaSpec& via : s.task.trajectory.via) via.pose.*entry += value;
           if (entry == &io::PoseSpec::x) s.task.trajectory.centre[0] += value;
           if (entry == &io::PoseSpec::y) s.task.trajectory.centre[1] += value;
         }});
  };
  pose("x_m", "m", &io::PoseSpec::x);
  pose("y_m", "m", &io::PoseSpec::y);
  pose("phi_rad", "rad", &io::PoseSpec::phi);
  return out;
}

std::optional<GraspInstant> instant_with(const io::Scenario& scenario, const Parameter& parameter,
                                         double value, double t) {
  io::Scenario changed = scenario;
  parameter.set(changed, value);
  try {
    const Setup setup = make_setup(changed);
    GraspInstant at = GraspPath(setup).at(t);
    if (at.motion.ok() && at.rows.ok()) return at;
  } catch (const ScenarioError&) {  // out of reach, or not a shape any more: no such design
  } catch (const InvalidArgument&) {
  }
  return std::nullopt;
}

bool is_unique(const std::optional<GraspInstant>& at, uniqueness::SlipDirections slip) {
  if (!at) return false;
  const VectorXd lower = slip == uniqueness::SlipDirections::kBoth ? VectorXd(-at->mu) : at->mu;
  return uniqueness::certify(at->rows.family, {lower, at->mu}, {.slip = slip}).status ==
         uniqueness::CertificateStatus::kCertified;
}

// The nearest value at which the design is unique: steps of 1 % of the range, then bisection.
std::optional<double> restoring_value(const io::Scenario& scenario, const Parameter& parameter, double t,
                                      uniqueness::SlipDirections slip) {
  const double reach = parameter.absolute ? (parameter.unit == "rad" ? std::numbers::pi / 4 : 0.1)
                                          : std::max(std::abs(parameter.value), 1e-3);
  constexpr int kSteps = 50;
  for (int k = 1; k <= kSteps; ++k) {
    for (const double sign : {-1.0, 1.0}) {
      const double part = static_cast<double>(k) / kSteps;
      // Down to half of a size, up to twice of it; a friction coefficient may go to 0.
      const double down = parameter.absolute || parameter.mu ? 1.0 : 0.5;
      const auto value_at = [&](double p) { return parameter.value + (sign < 0 ? -down : 1.0) * p * reach; };
      if (!is_unique(instant_with(scenario, parameter, value_at(part), t), slip)) continue;
      double outside = part - 1.0 / kSteps;
      double inside = part;
      for (int i = 0; i < 30; ++i) {
        const double middle = 0.5 * (outside + inside);
        (is_unique(instant_with(scenario, parameter, value_at(middle), t), slip) ? inside : outside) = middle;
      }
      return value_at(inside);
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<DesignChange> rank_design_changes(const io::Scenario& scenario, double t,
                                              uniqueness::SlipDirections slip) {
  const Setup setup = make_setup(scenario);
  const GraspInstant at = GraspPath(setup).at(t);
  if (!at.motion.ok() || !at.rows.ok() || at.rows.family.size() == 0) return {};
  const uniqueness::FrictionMargin margin =
      uniqueness::friction_margin(at.rows.family, at.mu, {.slip = slip});
  if (margin.status == uniqueness::MarginStatus::kTooLarge) return {};
  const bool unique = margin.status == uniqueness::MarginStatus::kFinite ||
                      margin.status == uniqueness::MarginStatus::kUnbounded;
  const uniqueness::MarginGradient by_mu = uniqueness::margin_gradient(at.rows.family, at.mu, margin);

  std::vector<DesignChange> out;
  for (const Parameter& parameter : parameters(scenario)) {
    DesignChange change;
    change.parameter = parameter.name;
    change.unit = parameter.unit;
    change.value = parameter.value;
    if (parameter.mu) {
      const auto row = std::find(at.rows.contacts.begin(), at.rows.contacts.end(), *parameter.mu);
      if (row == at.rows.contacts.end()) continue;
      const Index j = row - at.rows.contacts.begin();
      if (!at.rows.family.enters(j)) continue;  // a rolling contact: its μ does not enter
      if (by_mu.half_width_by_mu.size() > 0) change.margin_derivative = by_mu.half_width_by_mu[j];
      if (by_mu.scale_by_mu.size() > 0) change.scale_derivative = by_mu.scale_by_mu[j];
    } else {
      const double h = parameter.absolute ? 1e-5 : 1e-4 * parameter.value;
      const auto up = instant_with(scenario, parameter, parameter.value + h, t);
      const auto down = instant_with(scenario, parameter, parameter.value - h, t);
      if (up && down) {
        const uniqueness::FamilyDerivative by_p{(up->rows.family.A_0 - down->rows.family.A_0) / (2.0 * h),
                                                (up->rows.family.A_1 - down->rows.family.A_1) / (2.0 * h)};
        const double half_width = uniqueness::half_width_derivative(at.rows.family, at.mu, margin, by_p);
        const double scale = uniqueness::scale_derivative(at.rows.family, at.mu, margin, by_p);
        if (std::isfinite(half_width)) change.margin_derivative = half_width;
        if (std::isfinite(scale)) change.scale_derivative = scale;
      }
    }
    const double step = parameter.absolute ? (parameter.unit == "rad" ? std::numbers::pi / 180 : 1e-3)
                                           : 0.01 * std::abs(parameter.value);
    const std::optional<double> slope = unique ? change.margin_derivative : change.scale_derivative;
    if (slope) change.effect = *slope * step;
    if (!unique) change.restores_at = restoring_value(scenario, parameter, t, slip);
    out.push_back(std::move(change));
  }
  const auto relative = [](const DesignChange& change) {
    const double scale = change.value != 0.0 ? std::abs(change.value) : change.unit == "rad" ? 1.0 : 0.1;
    return std::abs(*change.restores_at - change.value) / scale;
  };
  std::stable_sort(out.begin(), out.end(), [&](const DesignChange& a, const DesignChange& b) {
    if (a.restores_at.has_value() != b.restores_at.has_value()) return a.restores_at.has_value();
    if (a.restores_at && b.restores_at) return relative(a) < relative(b);
    return std::abs(a.effect) > std::abs(b.effect);
  });
  // A pose was varied by a shift of the whole path: tell where the object is, and where it would be.
  for (DesignChange& change : out) {
    for (const auto& [name, k] :
         {std::pair{"pose.x_m", 0}, std::pair{"pose.y_m", 1}, std::pair{"pose.phi_rad", 2}}) {
      if (change.parameter != name) continue;
      change.value = at.motion.reference.x[k];
      if (change.restores_at) *change.restores_at += change.value;
    }
  }
  return out;
}

}  // namespace enfold::app
