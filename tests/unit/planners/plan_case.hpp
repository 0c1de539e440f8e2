// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <numbers>

#include "enfold/planners/internal_force_planner.hpp"
#include "enfold/planners/quintic.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::test {

inline Eigen::Vector3d pose_deg(double x, double y, double phi_deg) {
  return {x, y, phi_deg * std::numbers::pi / 180.0};
}

/// The first example of S4: 70° → 110° in 1 s about (0, 0.15), μ = 0.1, Λ = 0.5 N, all contacts sliding.
struct PlanCase {
  PaperHand hand;
  planners::PlanProblem problem;

  [[nodiscard]] control::Reference reference(double t) const {
    control::Reference out;
    problem.trajectory->sample(t, out);
    return out;
  }
  [[nodiscard]] VectorXd closed(double t) const { return hand.closed(reference(t).x); }
  void move(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double duration = 1.0) {
    problem.trajectory = std::make_shared<planners::Quintic>(from, to, duration);
  }
};

inline PlanCase example_1(const PaperHandOptions& options = {}) {
  PlanCase c;
  c.hand = paper_hand(options);
  const Index n = c.hand.contacts->n_contacts();
  c.problem.mechanism = c.hand.mechanism;
  c.problem.contacts = c.hand.contacts;
  c.problem.mu = VectorXd::Constant(n, 0.1);
  c.problem.modes.assign(static_cast<std::size_t>(n), ContactMode::kSlidePlus);
  c.problem.min_normal = [](double, Index) { return 0.5; };
  c.move(pose_deg(0.0, 0.15, 70.0), pose_deg(0.0, 0.15, 110.0));
  return c;
}

}  // namespace enfold::test
