// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/controllers/computed_torque.hpp"

#include "enfold/base/require.hpp"

namespace enfold::controllers {

using control::PlanPoint;

ComputedTorqueController::ComputedTorqueController(WholeArmModel model,
                                                   std::shared_ptr<const control::Trajectory> trajectory,
                                                   std::shared_ptr<const control::Plan> plan,
                                                   const Gains& gains, ContactForces forces)
    : law_{"ComputedTorqueController", std::move(model), std::move(trajectory), plan, gains},
      gains_{gains},
      forces_{forces} {
  for (std::size_t k = 0; k < plan->points.size(); ++k) {
    const PlanPoint& point = plan->points[k];
    const auto n_C = static_cast<Index>(point.modes.size());
    ENFOLD_REQUIRE(point.theta.size() == law_.n_theta(),
                   "ComputedTorqueController: point {} of the plan has {} joint angles, expected {}", k,
                   point.theta.size(), law_.n_theta());
    ENFOLD_REQUIRE(point.lambda_N.size() == n_C && point.lambda_T.size() == n_C,
                   "ComputedTorqueController: point {} of the plan has {} and {} contact forces, expected {}",
                   k, point.lambda_N.size(), point.lambda_T.size(), n_C);
  }
  control::Command command;  // gives every workspace its size
  evaluate(0.0, law_.planned_start(), VectorXd(0), command);
}

void ComputedTorqueController::evaluate(double t, const control::Measurement& measured,
                                        const VectorXd& /*integral*/, control::Command& out) noexcept {
  law_.observe(t, measured);
  const control::PlanCursor& plan = law_.plan();
  plan.value(&PlanPoint::theta, theta_);
  plan.rate(&PlanPoint::theta_dot, theta_dot_);
  plan.rate(&PlanPoint::theta_ddot, theta_ddot_);
  plan.value(&PlanPoint::lambda_N, lambda_N_);
  plan.value(&PlanPoint::lambda_T, lambda_T_);
  const Index n_theta = law_.n_theta();
  theta_ddot_ += gains_.Kv * (theta_dot_ - measured.v.tail(n_theta));
  theta_ddot_ += gains_.Kp * (theta_ - measured.q.tail(n_theta));

  const grasp::GraspMatrices& grasp = law_.grasp();
  grasp::stack_forces(grasp, lambda_N_, lambda_T_, lambda_);
  if (forces_ == ContactForces::kMeasured && measured.forces_valid) {
    correction_ = law_.measured_forces() - lambda_;
    wrench_.resize(law_.n_x());
    wrench_ = grasp.G.lazyProduct(correction_);
    law_.internal().particular(wrench_, correction_);
    lambda_ += correction_;
  }
  out.tau = law_.dynamics().h.tail(n_theta);
  out.tau += law_.dynamics().M.bottomRightCorner(n_theta, n_theta).lazyProduct(theta_ddot_);
  out.tau += grasp.J.transpose().lazyProduct(lambda_);
  law_.report(out);
  out.integral_rate.resize(0);
}

std::string ComputedTorqueController::description() const {
  return fmt::format("computed_torque with {} contact forces: K_p = {}, K_v = {}; {} of the joints",
                     forces_ == ContactForces::kMeasured ? "measured" : "planned", gains_.Kp, gains_.Kv,
                     motion_poles_text(gains_));
}

}  // namespace enfold::controllers
