// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Dense>
#include <memory>
#include <vector>

#include "../sim/logging_law.hpp"
#include "enfold/controllers/force_loop.hpp"
#include "enfold/controllers/whole_arm.hpp"
#include "enfold/grasp/internal_forces.hpp"
#include "enfold/loop/linear_loop.hpp"
#include "enfold/loop/poles.hpp"
#include "enfold/planners/quintic.hpp"
#include "enfold/sim/simulation.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::test {

/// S4's hand that holds the ellipse still at a pose, no normal force below 1 N.
struct HeldCase {
  PaperHand hand;
  loop::HeldGrasp grasp;
  std::shared_ptr<const control::Trajectory> still;
  std::shared_ptr<const control::Plan> plan;

  [[nodiscard]] controllers::WholeArmModel model() const { return {hand.mechanism, hand.contacts, grasp.mu}; }
  [[nodiscard]] std::shared_ptr<control::Controller> whole_arm(const controllers::Gains& gains) const {
    return std::make_shared<controllers::WholeArmController>(model(), still, plan, gains);
  }
  [[nodiscard]] std::shared_ptr<control::Controller> force_loop(const controllers::Gains& gains,
                                                                double K_lambda) const {
    return std::make_shared<controllers::ForceLoopController>(model(), still, plan, gains, K_lambda);
  }
  [[nodiscard]] loop::LinearLoop linear(const std::shared_ptr<control::Controller>& law) const {
    return loop::linearise(grasp, *law);
  }
};

/// @param forward  the slip directions are those of this velocity of the object
inline HeldCase held_case(const VectorXd& pose, const VectorXd& mu,
                          const VectorXd& forward = Eigen::Vector3d(0.0, 0.0, 1.0),
                          const PaperHandOptions& options = {}) {
  HeldCase c;
  c.hand = paper_hand(options);
  const VectorXd q = c.hand.closed(pose);
  c.grasp = {c.hand.mechanism, c.hand.contacts, mu, sliding_modes(c.hand, q, forward), q};
  const grasp::GraspMatrices matrices = [&] {
    grasp::GraspMatrices out;
    grasp::assemble(c.hand.kinematics(q, VectorXd::Zero(7)), c.grasp.modes, mu, 3, out);
    return out;
  }();
  grasp::InternalForces internal;
  internal.compute(matrices.G);
  internal.align_to_squeeze(4);
  control::PlanPoint point;
  point.G_null = internal.basis();
  point.alpha_des = VectorXd::Constant(1, 1.0 / internal.basis().minCoeff());
  c.plan = std::make_shared<control::Plan>(loop::resting_plan(c.grasp, point));
  c.still = std::make_shared<planners::Quintic>(pose, pose, 1.0);
  return c;
}

inline VectorXd pose_deg(double x, double y, double phi) {
  return Eigen::Vector3d(x, y, phi * std::numbers::pi / 180.0);
}

}  // namespace enfold::test
