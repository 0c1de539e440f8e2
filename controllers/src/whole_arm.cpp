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
  const Index n_x = model.mechanism->n_x();
  const Index n_C = model.contacts->n_contacts();
  ENFOLD_REQUIRE(static_cast<Index>(point.modes.size()) == n_C,
                 "WholeArmController: point {} of the plan has {} modes for {} contacts", number,
                 point.modes.size(), n_C);
  Index k = 0;
  for (const contact::ContactMode mode : point.modes)
    k += is_sliding(mode) ? 1 : mode == contact::ContactMode::kRoll ? 2 : 0;
  const auto n_xi = static_cast<Index>(model.coordinates.size());
  ENFOLD_REQUIRE(k >= n_x,
                 "WholeArmController: at point {} of the plan {} contact forces act on the object's {} "
                 "coordinates; the law needs as many at least",
                 number, k, n_x);
  ENFOLD_REQUIRE(k + n_xi <= n_x + n_theta,
                 "WholeArmController: at point {} of the plan {} constraint rows leave {} motions of the {} "
                 "joints and the object, for {} coordinates of the task; name fewer, or let a contact slide",
                 number, k, n_x + n_theta - k, n_theta, n_xi);
  const Index p = k - n_x;
  ENFOLD_REQUIRE(point.G_null.rows() == k && point.G_null.cols() == p,
                 "WholeArmController: at point {} of the plan G° is {} × {}, expected {} × {}", number,
                 point.G_null.rows(), point.G_null.cols(), k, p);
  ENFOLD_REQUIRE(point.alpha_des.size() == p,
                 "WholeArmController: point {} of the plan has {} internal forces, expected {}", number,
                 point.alpha_des.size(), p);
  for (const VectorXd* rate : {&point.theta_dot, &point.theta_ddot})
    ENFOLD_REQUIRE(rate->size() == 0 || rate->size() == n_theta,
                   "WholeArmController: point {} of the plan has {} joint rates, expected {} or none", number,
                   rate->size(), n_theta);
}

// All of the object's, unless the model names some.
WholeArmModel with_coordinates(WholeArmModel model) {
  ENFOLD_REQUIRE(model.mechanism != nullptr, "WholeArmController: the model has no mechanism");
  const Index n_x = model.mechanism->n_x();
  if (model.coordinates.empty())
    for (Index i = 0; i < n_x; ++i) model.coordinates.push_back(i);
  for (const Index c : model.coordinates)
    ENFOLD_REQUIRE(c >= 0 && c < n_x, "WholeArmController: coordinate {} of {}", c, n_x);
  return model;
}

}  // namespace

WholeArmController::WholeArmController(WholeArmModel model,
                                       std::shared_ptr<const control::Trajectory> trajectory,
                                       std::shared_ptr<const control::Plan> plan, const Gains& gains)
    : model_{with_coordinates(std::move(model))},
      trajectory_{std::move(trajectory)},
      plan_{std::move(plan)},
      gains_{gains} {
  require_parts(model_, trajectory_.get(), plan_.get(), gains_);
  const control::PlanPoint& first = plan_->points.front();
  p_ = first.G_null.cols();
  for (std::size_t k = 0; k < plan_->points.size(); ++k) {
    require_point(model_, plan_->points[k], k);
    ENFOLD_REQUIRE(plan_->points[k].G_null.cols() == p_,
                   "WholeArmController: point {} of the plan has {} internal forces, the first has {}", k,
                   plan_->points[k].G_null.cols(), p_);
  }
  // One evaluation gives every workspace its size, so that those of the control loop allocate nothing.
  const Index n_q = model_.mechanism->n_q();
  q_des_ = difference_ = VectorXd::Zero(n_q);
  posture_ = VectorXd::Zero(model_.mechanism->n_v());
  xi_ddot_ = VectorXd::Zero(static_cast<Index>(model_.coordinates.size()));
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
  next_ = std::min(segment_ + 1, points.size() - 1);
  const control::PlanPoint& a = points[segment_];
  const control::PlanPoint& b = points[next_];
  const double width = b.time - a.time;
  fraction_ = width > 0.0 ? std::clamp((t - a.time) / width, 0.0, 1.0) : 0.0;
  alpha_des_ = (1.0 - fraction_) * a.alpha_des + fraction_ * b.alpha_des;
}

/// v̇* = T⁺[−bias ; ξ̈*] + Z_η Z_ηᵀ a with ξ̈* = ξ̈_d + K_v ė_ξ + K_p e_ξ; zero bias if W̃ does not turn.
void WholeArmController::motion_at(const control::Measurement& measured) {
  q_des_ = measured.q;
  q_des_.head(reference_.x.size()) = reference_.x;
  if (motion_.n_eta() > 0) q_des_.tail(model_.mechanism->n_theta()) = plan_->points[segment_].theta;
  model_.mechanism->difference(measured.q, q_des_, difference_);
  for (Index i = 0; i < xi_ddot_.size(); ++i) {
    const Index c = model_.coordinates[static_cast<std::size_t>(i)];
    xi_ddot_[i] =
        reference_.x_ddot[c] + gains_.Kv * (reference_.x_dot[c] - measured.v[c]) + gains_.Kp * difference_[c];
  }
  rows_ = -grasp_.bias;
  motion_.solve(rows_, xi_ddot_, v_dot_);
  if (motion_.n_eta() == 0) return;
  posture_at(measured);
  motion_.add_self_motion(posture_, v_dot_);
}

/// a = θ̈_d + K_v ė_θ + K_p e_θ, or −K_v θ̇: what the arms would do if the grasp asked nothing of them.
void WholeArmController::posture_at(const control::Measurement& measured) {
  const Index n_theta = model_.mechanism->n_theta();
  auto a = posture_.tail(n_theta);
  a = -gains_.Kv * measured.v.tail(n_theta);
  if (model_.self_motion == SelfMotion::kDamped) return;
  const control::PlanPoint& from = plan_->points[segment_];
  const control::PlanPoint& to = plan_->points[next_];
  a += gains_.Kp * (difference_.tail(n_theta) + fraction_ * (to.theta - from.theta));
  if (segment_ == next_) return;  // after its end the plan rests
  if (from.theta_dot.size() > 0 && to.theta_dot.size() > 0)
    a += gains_.Kv * ((1.0 - fraction_) * from.theta_dot + fraction_ * to.theta_dot);
  if (from.theta_ddot.size() > 0 && to.theta_ddot.size() > 0)
    a += (1.0 - fraction_) * from.theta_ddot + fraction_ * to.theta_ddot;
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
  motion_.compute(grasp_, model_.coordinates);
  out.singular = !(motion_.rank_ratio() > 1e-12) || !(internal_.rank_ratio() > 1e-12);
  motion_at(measured);

  // λ* = G⁺(M_o ẍ* − g_o) + G°(α_d + K_α ∫e_α),  g_o = −h_o
  wrench_ = dynamics_.h.head(n_x);
  wrench_ += dynamics_.M.topLeftCorner(n_x, n_x).lazyProduct(v_dot_.head(n_x));
  internal_.particular(wrench_, lambda_);
  squeeze_ = alpha_des_ + gains_.Kalpha * integral;
  lambda_ += internal_.basis().lazyProduct(squeeze_);

  // τ = M_a θ̈* + h_a + g_a + Jᵀ λ*
  out.tau = dynamics_.h.tail(n_theta);
  out.tau += dynamics_.M.bottomRightCorner(n_theta, n_theta).lazyProduct(v_dot_.tail(n_theta));
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
