// SPDX-License-Identifier: BSD-3-Clause
#include "stiffness_check.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/mechanics/planar_grasp_mechanism.hpp"
#include "enfold/sim/stiffness_advisor.hpp"

namespace enfold::app {

std::vector<std::string> stiffness_lines(const Setup& setup, const VectorXd& forces) {
  std::vector<std::string> lines;
  const ClosedLoop loop = make_closed_loop(setup, nullptr);
  if (loop.options.laws.empty()) return lines;
  sim::CompliantPlant plant(loop.problem.plant, loop.options.laws);
  const VectorXd xi = VectorXd::Zero(forces.size());
  const VectorXd tau = VectorXd::Zero(setup.model.mechanism->n_theta());
  (void)plant.solve(setup.q, loop.problem.v, xi, tau);
  sim::StiffnessOptions options;
  options.step = setup.scenario.simulation.step;
  options.length = 2.0 * mechanics::characteristic_length(setup.model.mechanism->object());
  if (loop.options.stability) options.control_bandwidth = loop.options.stability->control_bandwidth;
  double softest = 0.0;
  double stiffest = INFINITY;
  std::vector<std::string> troubles;
  for (const sim::StiffnessQuestion& contact : sim::stiffness_questions(plant, forces)) {
    const sim::StiffnessAdvice advice = sim::advise_stiffness(contact, options);
    softest = std::max(softest, advice.softest);
    stiffest = std::min(stiffest, advice.stiffest);
    if (advice.verdict != sim::StiffnessVerdict::kFine) troubles.push_back(advice.message);
  }
  lines.push_back(
      fmt::format("k = {:.3g} N/m for forces up to {:.3g} N; {:.2g} to {:.2g} N/m would do for explicit "
                  "steps of {:.3g} s",
                  setup.scenario.contact_law.stiffness, forces.size() > 0 ? forces.maxCoeff() : 0.0, softest,
                  stiffest, options.step));
  lines.insert(lines.end(), troubles.begin(), troubles.end());
  return lines;
}

}  // namespace enfold::app
