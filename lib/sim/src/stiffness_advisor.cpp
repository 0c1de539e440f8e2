// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/sim/stiffness_advisor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::sim {
namespace {

void require_valid(const StiffnessQuestion& q, const StiffnessOptions& o) {
  ENFOLD_REQUIRE(q.force >= 0.0 && q.mass > 0.0 && q.stiffness > 0.0 && q.damping >= 0.0,
                 "advise_stiffness: {} has {} N, {} kg, {} N/m, {} N s/m", q.name, q.force, q.mass,
                 q.stiffness, q.damping);
  ENFOLD_REQUIRE(o.step > 0.0 && o.length > 0.0 && o.max_penetration > 0.0 && o.control_bandwidth > 0.0 &&
                     o.min_separation > 0.0 && o.explicit_limit > 0.0,
                 "advise_stiffness: an option is not > 0");
}

std::string sentence(const StiffnessQuestion& q, const StiffnessOptions& o, const StiffnessAdvice& a) {
  const std::string what =
      fmt::format("{}: k = {:.3g} N/m, c = {:.3g} N s/m", q.name, q.stiffness, q.damping);
  const std::string soft = fmt::format(
      "gives way by {:.3g} mm under {:.3g} N and swings at {:.3g} rad/s against a loop of {:.3g} rad/s",
      1e3 * a.penetration, q.force, a.frequency, o.control_bandwidth);
  const std::string stiff = fmt::format("has a rate of {:.3g} 1/s, too fast for explicit steps of {:.3g} ms",
                                        a.fastest_rate, 1e3 * o.step);
  switch (a.verdict) {
    case StiffnessVerdict::kFine:
      return fmt::format("{} is fine: {:.3g} … {:.3g} N/m would be", what, a.softest, a.stiffest);
    case StiffnessVerdict::kTooSoft:
      return fmt::format("{} is too soft: it {}; use at least {:.3g} N/m", what, soft, a.softest);
    case StiffnessVerdict::kTooStiff:
      return fmt::format(
          "{} is too stiff: it {}; use at most {:.3g} N/m, steps of at most {:.3g} ms, or an "
          "implicit method",
          what, stiff, a.stiffest, 1e3 * a.longest_step);
    case StiffnessVerdict::kNoCommonRange:
      break;
  }
  return fmt::format(
      "{}: no stiffness suits this step: below {:.3g} N/m is too soft, above {:.3g} N/m too stiff; use "
      "shorter steps or an implicit method",
      what, a.softest, a.stiffest);
}

}  // namespace

StiffnessAdvice advise_stiffness(const StiffnessQuestion& q, const StiffnessOptions& o) {
  require_valid(q, o);
  StiffnessAdvice a;
  a.penetration = q.force / q.stiffness;
  a.frequency = std::sqrt(q.stiffness / q.mass);
  a.damping_ratio = q.damping / (2.0 * std::sqrt(q.stiffness * q.mass));
  const double zeta = a.damping_ratio;
  const double r = zeta <= 1.0 ? 1.0 : zeta + std::sqrt(zeta * zeta - 1.0);
  a.fastest_rate = r * a.frequency;
  a.longest_step = o.explicit_limit / a.fastest_rate;
  a.softest = std::max(q.force / (o.max_penetration * o.length),
                       q.mass * std::pow(o.min_separation * o.control_bandwidth, 2));
  a.stiffest = q.mass * std::pow(o.explicit_limit / (r * o.step), 2);
  const bool soft = q.stiffness < a.softest;
  const bool stiff = a.fastest_rate * o.step > o.explicit_limit;
  if (a.softest > a.stiffest && (soft || stiff))
    a.verdict = StiffnessVerdict::kNoCommonRange;
  else if (soft)
    a.verdict = StiffnessVerdict::kTooSoft;
  else if (stiff)
    a.verdict = StiffnessVerdict::kTooStiff;
  a.message = sentence(q, o, a);
  return a;
}

VectorXd effective_masses(const CompliantPlant& plant) {
  const MatrixXd& W_N = plant.kinematics().W_N;
  const MatrixXd moved = plant.dynamics().M.llt().solve(W_N);
  return W_N.cwiseProduct(moved).colwise().sum().cwiseInverse().transpose();
}

std::vector<StiffnessQuestion> stiffness_questions(const CompliantPlant& plant, const VectorXd& forces) {
  const std::vector<std::string>& names = plant.model().contacts->names();
  ENFOLD_REQUIRE(forces.size() == static_cast<Index>(names.size()),
                 "stiffness_questions: {} forces for {} contacts", forces.size(), names.size());
  const VectorXd masses = effective_masses(plant);
  std::vector<StiffnessQuestion> out;
  for (Index i = 0; i < forces.size(); ++i) {
    const contact::NormalLaw& law = *plant.law(i).normal;
    const contact::NormalForce at_load = law.evaluate(law.deformation(forces[i], 0.0), 0.0);
    out.push_back(
        {names[static_cast<std::size_t>(i)], forces[i], masses[i], at_load.d_delta, at_load.d_rate});
  }
  return out;
}

}  // namespace enfold::sim
