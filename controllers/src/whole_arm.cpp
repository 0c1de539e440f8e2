// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/controllers/whole_arm.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::controllers {
namespace {

// evaluate() can't refuse anything, so that all sizes it will meet are checked beforehand.
void require_parts(const WholeArmModel& model, const control::Trajectory* trajectory,
                   const control::Plan* plan, const Gains& gains) {
  ENFOLD_REQUIRE(model.mechanism != nullptr, "WholeArmController: the model has no mechanism");
  ENFOLD_REQUIRE(model.contacts != nullptr, "WholeArmController: the model has no contacts");
  const Index n_C = model.contacts->n_contacts();
  ENFOLD_REQUIRE(model.mu.size() == n_C, "WholeArmController: {} friction coefficients for {} contacts",
                 model.mu.size(), n_C);
  for (Index i = 0; i < n_C; ++i)
    ENFOLD_REQUIRE(model.mu[i] >= 0.0,
                   "WholeArmController: friction coefficient of contact {} is {}, expected ≥ 0", i,
                   model.mu[i]);
  ENFOLD_REQUIRE(trajectory != nullptr, "WholeArmController: there is no trajectory");
  ENFOLD_REQUIRE(plan != nullptr && !plan->empty(), "WholeArmController: the plan is empty");
  ENFOLD_REQUIRE(std::isfinite(gains.Kp) && std::isfinite(gains.Kv) && std::isfinite(gains.Kalpha),
                 "WholeArmController: the gains {}, {}, {} are not finite", gains.Kp, gains.Kv, gains.Kalpha);
}

void require_point(const WholeArmModel& model, const control::PlanPoint& point, std::size_t number) {
  const Index n_theta = model.mechanism->n_theta();
  const Index n_C = model.contacts->n_contacts();
  ENFOLD_REQUIRE(static_cast<Index>(point.modes.size()) == n_C,
                 "WholeArmController: point {} of the plan has {} modes for {} contacts", number,
                 point.modes.size(), n_C);
  Index n_S = 0;
  Index n_R = 0;
  for (const contact::ContactMode mode : point.modes) {
    n_S += is_sliding(mode) ? 1 : 0;
    n_R += mode == contact::ContactMode::kRoll ? 1 : 0;
  }
  ENFOLD_REQUIRE(n_S == n_theta && n_R == 0,
                 "WholeArmController: at point {} of the plan {} contacts slide and {} roll, for {} joints; "
                 "the law needs "
                 "J̃ square, i.e. as many sliding contacts as joints",
                 number, n_S, n_R, n_theta);
  const Index p = n_theta - model.mechanism->n_x();
  ENFOLD_REQUIRE(point.G_null.rows() == n_theta && point.G_null.cols() == p,
                 "WholeArmController: at point {} of the plan G° is {} × {}, expected {} × {}", number,
                 point.G_null.rows(), point.G_null.cols(), n_theta, p);
  ENFOLD_REQUIRE(point.alpha_des.size() == p,
                 "WholeArmController: point {} of the plan has {} internal forces, expected {}", number,
                 point.alpha_des.size(), p);
}

}  // namespace

WholeArmController::WholeArmController(WholeArmModel model,
                                       std::shared_ptr<const control::Trajectory> trajectory,
                                       std::shared_ptr<const control::Plan> plan, const Gains& gains)
    : model_{std::move(model)}, trajectory_{std::move(trajectory)}, plan_{std::move(plan)}, gains_{gains} {
  require_parts(model_, trajectory_.get(), plan_.get(), gains_);
  for (std::size_t k = 0; k < plan_->points.size(); ++k) require_point(model_, plan_->points[k], k);
  const control::PlanPoint& first = plan_->points.front();
  p_ = first.G_null.cols();
  // One evaluation gives every workspace its size, so that those of the control loop allocate nothing.
  const Index n_q = model_.mechanism->n_q();
  q_des_ = difference_ = VectorXd::Zero(n_q);
  alpha_des_ = VectorXd::Zero(p_);
  control::Measurement rest;
  rest.q.setZero(n_q);
  trajectory_->sample(0.0, reference_);
  const Index n_x = model_.mechanism->n_x();
  ENFOLD_REQUIRE(reference_.x.size() + first.theta.size() == n_q && reference_.x_dot.size() == n_x &&
                     reference_.x_ddot.size() == n_x,
                 "WholeArmController: the trajectory has {} coordinates, {} velocities and the plan {} joint "
                 "angles, for "
                 "{} coordinates in all, {} velocities of the object",
                 reference_.x.size(), reference_.x_dot.size(), first.theta.size(), n_q, n_x);
  rest.q << reference_.x, first.theta;
  rest.v.setZero(model_.mechanism->n_v());
  rest.lambda_N = rest.lambda_T = VectorXd::Zero(model_.contacts->n_contacts());
  rest.forces_valid = true;
  control::Command command;
  evaluate(0.0, rest, VectorXd::Zero(p_), command);
}

void WholeArmController::plan_at(double t) {
  const auto& points = plan_->points;
  segment_ = plan_->segment(t);
  const std::size_t next = std::min(segment_ + 1, points.size() - 1);
  const control::PlanPoint& a = points[segment_];
  const control::PlanPoint& b = points[next];
  const double width = b.time - a.time;
  const double fraction = width > 0.0 ? std::clamp((t - a.time) / width, 0.0, 1.0) : 0.0;
  alpha_des_ = (1.0 - fraction) * a.alpha_des + fraction * b.alpha_des;
}

void WholeArmController::evaluate(double t, const control::Measurement& measured, const VectorXd& integral,
                                  control::Command& out) noexcept {
  const mechanics::Mechanism& mechanism = *model_.mechanism;
  const Index n_x = mechanism.n_x();
  const Index n_theta = mechanism.n_theta();
  trajectory_->sample(t, reference_);
  plan_at(t);
  const control::PlanPoint& point = plan_->points[segment_];

  model_.contacts->kinematics(measured.q, measured.v, kinematics_);
  mechanism.dynamics(measured.q, measured.v, dynamics_);
  grasp::assemble(kinematics_, point.modes, model_.mu, n_x, grasp_);
  internal_.compute(grasp_.G);
  internal_.align(point.G_null);

  // ẍ* = ẍ_d + K_v ė_x + K_p e_x
  q_des_ = measured.q;
  q_des_.head(reference_.x.size()) = reference_.x;
  mechanism.difference(measured.q, q_des_, difference_);
  x_ddot_ = reference_.x_ddot + gains_.Kv * (reference_.x_dot - measured.v.head(n_x)) +
            gains_.Kp * difference_.head(n_x);

  // θ̈* = J̃⁻¹(G̃ᵀ ẍ* + bias)
  lu_.compute(grasp_.J_tilde);
  const auto pivots = lu_.matrixLU().diagonal().cwiseAbs();
  out.singular = !(pivots.minCoeff() > 1e-12 * pivots.maxCoeff()) || !(internal_.rank_ratio() > 1e-12);
  rhs_ = grasp_.bias;
  rhs_ += grasp_.G_tilde.transpose().lazyProduct(x_ddot_);
  rhs_ = lu_.permutationP() * rhs_;
  lu_.matrixLU().triangularView<Eigen::UnitLower>().solveInPlace(rhs_);
  lu_.matrixLU().triangularView<Eigen::Upper>().solveInPlace(rhs_);

  // λ* = G⁺(M_o ẍ* − g_o) + G°(α_d + K_α ∫e_α),  g_o = −h_o
  wrench_ = dynamics_.h.head(n_x);
  wrench_ += dynamics_.M.topLeftCorner(n_x, n_x).lazyProduct(x_ddot_);
  internal_.particular(wrench_, lambda_);
  squeeze_ = alpha_des_ + gains_.Kalpha * integral;
  lambda_ += internal_.basis().lazyProduct(squeeze_);

  // τ = M_a θ̈* + h_a + g_a + Jᵀ λ*
  out.tau = dynamics_.h.tail(n_theta);
  out.tau += dynamics_.M.bottomRightCorner(n_theta, n_theta).lazyProduct(rhs_);
  out.tau += grasp_.J.transpose().lazyProduct(lambda_);
  out.singular = out.singular || !out.tau.allFinite();

  out.alpha_des = alpha_des_;
  if (measured.forces_valid) {
    grasp::stack_forces(grasp_, measured.lambda_N, measured.lambda_T, stacked_);
    out.alpha.resize(p_);
    out.alpha = internal_.basis().transpose().lazyProduct(stacked_);
  } else {
    out.alpha = alpha_des_;  // no torque has acted yet: nothing to correct
  }
  out.integral_rate = out.alpha_des - out.alpha;
}

std::string WholeArmController::description() const {
  const auto text = [](const std::complex<double>& pole) {
    return pole.imag() == 0.0 ? fmt::format("{:.4g}", pole.real())
                              : fmt::format("{:.4g}{:+.4g}i", pole.real(), pole.imag());
  };
  const auto [s_1, s_2] = motion_poles(gains_);
  return fmt::format("whole_arm: K_p = {}, K_v = {}, K_alpha = {}; motion poles {} and {}, force pole {:.4g}",
                     gains_.Kp, gains_.Kv, gains_.Kalpha, text(s_1), text(s_2), -gains_.Kalpha);
}

}  // namespace enfold::controllers
