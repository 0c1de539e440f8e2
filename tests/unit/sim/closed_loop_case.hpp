// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "enfold/controllers/whole_arm.hpp"
#include "enfold/planners/internal_force_planner.hpp"
#include "enfold/planners/quintic.hpp"
#include "enfold/sim/simulation.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::sim {

/// The hand of S4 with its law and a plan, ready to run.
struct ClosedLoopCase {
  test::PaperHand hand;
  VectorXd mu;
  std::shared_ptr<const control::Trajectory> trajectory;
  std::shared_ptr<const control::Plan> plan;
  controllers::Gains gains;
  VectorXd start;  ///< the object's pose at t = 0

  [[nodiscard]] PlantModel plant() const { return {hand.mechanism, hand.contacts, mu}; }
  [[nodiscard]] SimulationProblem problem() const {
    SimulationProblem out;
    out.plant = plant();
    out.controller = std::make_shared<controllers::WholeArmController>(
        controllers::WholeArmModel{hand.mechanism, hand.contacts, mu}, trajectory, plan, gains);
    out.trajectory = trajectory;
    out.plan = plan;
    out.modes.assign(static_cast<std::size_t>(mu.size()), contact::ContactMode::kSlidePlus);
    out.q = hand.closed(start);
    out.v = VectorXd::Zero(out.q.size());
    return out;
  }
};

struct Motion {
  VectorXd from, to;
  VectorXd mu;
  double min_normal = 0.5;   ///< [N]
  double duration = 1.0;     ///< [s]
  double plan_rate = 100.0;  ///< [Hz]
};

inline ClosedLoopCase closed_loop_case(const Motion& motion) {
  ClosedLoopCase c;
  c.hand = test::paper_hand();
  c.mu = motion.mu;
  c.start = motion.from;
  c.trajectory = std::make_shared<planners::Quintic>(motion.from, motion.to, motion.duration);
  planners::PlanProblem problem;
  problem.mechanism = c.hand.mechanism;
  problem.contacts = c.hand.contacts;
  problem.mu = c.mu;
  problem.modes.assign(4, contact::ContactMode::kSlidePlus);
  problem.trajectory = c.trajectory;
  problem.min_normal = [floor = motion.min_normal](double, Index) { return floor; };
  planners::PlanSolution solution =
      planners::plan_internal_forces(problem, {.sample_rate = motion.plan_rate});
  if (!solution.ok()) throw std::runtime_error(solution.message);
  c.plan = std::make_shared<const control::Plan>(std::move(solution.plan));
  return c;
}

inline VectorXd pose(double x, double y, double phi_deg) {
  return Eigen::Vector3d(x, y, phi_deg * std::numbers::pi / 180.0);
}

/// Friction of the proximal and of the distal contacts.
inline VectorXd friction(double proximal, double distal) {
  return Eigen::Vector4d(proximal, distal, proximal, distal);
}

/// S4's first example: rotation by 40° at μ = 0.1, at least 0.5 N.
inline ClosedLoopCase rotation() {
  static const ClosedLoopCase c = closed_loop_case(
      {.from = pose(0.0, 0.15, 70.0), .to = pose(0.0, 0.15, 110.0), .mu = friction(0.1, 0.1)});
  return c;
}

/// S4's second example: 3 cm upwards at μ = 0.8 and 0.6, at least 1 N.
inline ClosedLoopCase lift() {
  static const ClosedLoopCase c = closed_loop_case({.from = pose(0.0, 0.12, 0.0),
                                                    .to = pose(0.0, 0.15, 0.0),
                                                    .mu = friction(0.8, 0.6),
                                                    .min_normal = 1.0});
  return c;
}

/// Configuration and velocity of a recorded instant.
inline VectorXd stacked(const VectorXd& head, const VectorXd& tail) {
  VectorXd out(head.size() + tail.size());
  out << head, tail;
  return out;
}

inline VectorXd q_of(const Sample& sample) {
  return stacked(sample.x, sample.theta);
}
inline VectorXd v_of(const Sample& sample) {
  return stacked(sample.x_dot, sample.omega);
}

}  // namespace enfold::sim
