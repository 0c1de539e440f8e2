// SPDX-License-Identifier: BSD-3-Clause
// Why there is no squeeze: certificates in words.
#include <algorithm>
#include <cmath>

#include "enfold/planners/squeeze_program.hpp"

namespace enfold::planners {

using lp::kInfinity;

std::string SqueezeProgram::row_text(std::size_t row, const SqueezeInstant& at) const {
  const Index i = rows_[row].who;
  const auto at_i = static_cast<std::size_t>(i);
  switch (rows_[row].kind) {
    case Row::Kind::kNormal:
      return fmt::format("the normal force of {} ≥ {:.4g} N", contact_names_[at_i], at.min_normal[i]);
    case Row::Kind::kCone:
      if (limits_.friction_margin.size() > 0 && limits_.friction_margin[i] > 0.0)
        return fmt::format("the friction cone of {} (mu = {:.4g}, of which {:.3g} % are kept back)",
                           contact_names_[at_i], at.mu[i], 100.0 * limits_.friction_margin[i]);
      return fmt::format("the friction cone of {} (mu = {:.4g})", contact_names_[at_i], at.mu[i]);
    case Row::Kind::kTorque:
      return fmt::format("|torque of {}| ≤ {:.4g} N·m", joint_names_[at_i], limits_.max_torque);
    case Row::Kind::kUser:
      return fmt::format("row '{}'", limits_.rows[at_i].name);
    case Row::Kind::kAdded:
      return at.added[at_i].name;
    case Row::Kind::kSign:
      return fmt::format("the sign of the tangential force of {}", contact_names_[at_i]);
    case Row::Kind::kEffort:
      return fmt::format("the torque of {}", joint_names_[at_i]);
  }
  return {};
}

/// The requirements, in words, behind a certificate. One by one those are dropped without which the rest is
/// still infeasible: what is left contradicts itself and has no smaller contradiction inside.
std::vector<std::string> SqueezeProgram::contradiction(const lp::FarkasCertificate& farkas,
                                                       const SqueezeInstant& at) const {
  struct Clause {
    std::string text;
    std::vector<double*> lower, upper;  // a cone has two rows, a torque two sides
    double weight = 0.0;
  };
  lp::LpProblem rest = problem_;
  rest.c.setZero();
  std::vector<Clause> all;
  const auto find = [&all](const std::string& text) -> Clause& {
    const auto same = [&text](const Clause& r) { return r.text == text; };
    const auto found = std::find_if(all.begin(), all.end(), same);
    return found != all.end() ? *found : all.emplace_back(Clause{text, {}, {}, 0.0});
  };
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const auto r = static_cast<Index>(row);
    Clause& floor = find(row_text(row, at));
    floor.lower.push_back(&rest.row_lower[r]);
    floor.weight = std::max(floor.weight, farkas.row_lower[r]);
    Clause& ceiling =
        rows_[row].kind != Row::Kind::kNormal
            ? floor
            : find(fmt::format("the normal force of {} ≤ {:.4g} N",
                               contact_names_[static_cast<std::size_t>(rows_[row].who)], limits_.max_normal));
    ceiling.upper.push_back(&rest.row_upper[r]);
    ceiling.weight = std::max(ceiling.weight, farkas.row_upper[r]);
  }
  const auto drop = [](const Clause& requirement) {
    for (double* bound : requirement.lower) *bound = -kInfinity;
    for (double* bound : requirement.upper) *bound = kInfinity;
  };
  std::erase_if(all, [&](const Clause& requirement) {
    if (requirement.weight > 0.0) return false;
    drop(requirement);
    return true;
  });
  std::vector<std::string> texts;
  for (const Clause& requirement : all) {
    const VectorXd lower = rest.row_lower;
    const VectorXd upper = rest.row_upper;
    drop(requirement);
    if (lp::solve_lp(rest).status == lp::LpStatus::kInfeasible) continue;
    std::copy(lower.begin(), lower.end(), rest.row_lower.begin());
    std::copy(upper.begin(), upper.end(), rest.row_upper.begin());
    texts.push_back(requirement.text);
  }
  return texts;
}

/// Puts the Farkas multipliers into words: the rows with a weight are those that contradict each other.
void SqueezeProgram::explain(const lp::LpSolution& solution, const SqueezeInstant& at) {
  if (solution.status == lp::LpStatus::kUnbounded) {
    squeeze_.reason =
        "more squeeze is always better for this objective; give planner.max_normal_N or max_torque_Nm";
    return;
  }
  if (solution.farkas.empty()) {
    squeeze_.reason = fmt::format("the linear program was not solved: {}", solution.message);
    return;
  }
  const std::vector<std::string> texts = contradiction(solution.farkas, at);
  squeeze_.reason = fmt::format("no squeeze exists: {} cannot hold{}", fmt::join(texts, " and "),
                                texts.size() > 1 ? " together" : "");
  // With one internal force the reason is visible: the contacts that it parts while it presses the others.
  if (at.G_null.cols() == 1) {
    const auto normals = at.G_null.col(0).head(at.grasp.n_C());
    const double sign = normals.sum() < 0.0 ? -1.0 : 1.0;
    for (Index column = 0; column < normals.size(); ++column) {
      if (sign * normals[column] > 1e-12) continue;
      const Index i = column < at.grasp.n_S()
                          ? at.grasp.sliding[static_cast<std::size_t>(column)]
                          : at.grasp.rolling[static_cast<std::size_t>(column - at.grasp.n_S())];
      squeeze_.reason += fmt::format("; squeezing opens {}", contact_names_[static_cast<std::size_t>(i)]);
    }
  }
}

}  // namespace enfold::planners
