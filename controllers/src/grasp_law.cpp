// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/controllers/grasp_law.hpp"

#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::controllers {
namespace {

// evaluate() can't refuse anything, so that all sizes it will meet are checked beforehand.
void require_parts(const std::string& name, const WholeArmModel& model, const control::Trajectory* trajectory,
                   const Gains& gains) {
  ENFOLD_REQUIRE(model.mechanism != nullptr, "{}: the model has no mechanism", name);
  ENFOLD_REQUIRE(model.contacts != nullptr, "{}: the model has no contacts", name);
  const Index n_C = model.contacts->n_contacts();
  ENFOLD_REQUIRE(model.mu.size() == n_C, "{}: {} friction coefficients for {} contacts", name,
                 model.mu.size(), n_C);
  for (Index i = 0; i < n_C; ++i)
    ENFOLD_REQUIRE(model.mu[i] >= 0.0, "{}: friction coefficient of contact {} is {}, expected ≥ 0", name, i,
                   model.mu[i]);
  ENFOLD_REQUIRE(trajectory != nullptr, "{}: there is no trajectory", name);
  ENFOLD_REQUIRE(std::isfinite(gains.Kp) && std::isfinite(gains.Kv) && std::isfinite(gains.Kalpha),
                 "{}: the gains {}, {}, {} are not finite", name, gains.Kp, gains.Kv, gains.Kalpha);
}

void require_point(const std::string& name, const WholeArmModel& model, const control::PlanPoint& point,
                   std::size_t number) {
  const Index n_theta = model.mechanism->n_theta();
  const Index n_x = model.mechanism->n_x();
  const Index n_C = model.contacts->n_contacts();
  ENFOLD_REQUIRE(static_cast<Index>(point.modes.size()) == n_C,
                 "{}: point {} of the plan has {} modes for {} contacts", name, number, point.modes.size(),
                 n_C);
  Index k = 0;
  for (const contact::ContactMode mode : point.modes)
    k += is_sliding(mode) ? 1 : mode == contact::ContactMode::kRoll ? 2 : 0;
  const auto n_xi = static_cast<Index>(model.coordinates.size());
  ENFOLD_REQUIRE(k >= n_x,
                 "{}: at point {} of the plan {} contact forces act on the object's {} "
                 "coordinates; the law needs as many at least",
                 name, number, k, n_x);
  ENFOLD_REQUIRE(k + n_xi <= n_x + n_theta,
                 "{}: at point {} of the plan {} constraint rows leave {} motions of the {} "
                 "joints and the object, for {} coordinates of the task; name fewer, or let a contact slide",
                 name, number, k, n_x + n_theta - k, n_theta, n_xi);
  const Index p = k - n_x;
  ENFOLD_REQUIRE(point.G_null.rows() == k && point.G_null.cols() == p,
                 "{}: at point {} of the plan G° is {} × {}, expected {} × {}", name, number,
                 point.G_null.rows(), point.G_null.cols(), k, p);
  ENFOLD_REQUIRE(point.alpha_des.size() == p, "{}: point {} of the plan has {} internal forces, expected {}",
                 name, number, point.alpha_des.size(), p);
  for (const VectorXd* rate : {&point.theta_dot, &point.theta_ddot})
    ENFOLD_REQUIRE(rate->size() == 0 || rate->size() == n_theta,
                   "{}: point {} of the plan has {} joint rates, expected {} or none", name, number,
                   rate->size(), n_theta);
}

// All of the object's, unless the model names some.
WholeArmModel with_coordinates(const std::string& name, WholeArmModel model) {
  ENFOLD_REQUIRE(model.mechanism != nullptr, "{}: the model has no mechanism", name);
  const Index n_x = model.mechanism->n_x();
  if (model.coordinates.empty())
    for (Index i = 0; i < n_x; ++i) model.coordinates.push_back(i);
  for (const Index c : model.coordinates)
    ENFOLD_REQUIRE(c >= 0 && c < n_x, "{}: coordinate {} of {}", name, c, n_x);
  return model;
}

}  // namespace

GraspLaw::GraspLaw(std::string name, WholeArmModel model,
                   std::shared_ptr<const control::Trajectory> trajectory,
                   std::shared_ptr<const control::Plan> plan, const Gains& posture)
    : model_{with_coordinates(name, std::move(model))},
      trajectory_{std::move(trajectory)},
      plan_{plan},
      posture_gains_{posture} {
  require_parts(name, model_, trajectory_.get(), posture_gains_);
  const control::PlanPoint& first = plan->points.front();
  p_ = first.G_null.cols();
  for (std::size_t k = 0; k < plan->points.size(); ++k) {
    require_point(name, model_, plan->points[k], k);
    ENFOLD_REQUIRE(plan->points[k].G_null.cols() == p_,
                   "{}: point {} of the plan has {} internal forces, the first has {}", name, k,
                   plan->points[k].G_null.cols(), p_);
  }
  const auto n_xi = static_cast<Index>(model_.coordinates.size());
  q_des_ = VectorXd::Zero(model_.mechanism->n_q());
  difference_ = posture_ = VectorXd::Zero(model_.mechanism->n_v());
  error_ = error_rate_ = xi_ddot_des_ = VectorXd::Zero(n_xi);
  trajectory_->sample(0.0, reference_);
  ENFOLD_REQUIRE(reference_.x.size() + first.theta.size() == q_des_.size() &&
                     reference_.x_dot.size() == n_x() && reference_.x_ddot.size() == n_x(),
                 "{}: the trajectory has {} coordinates, {} velocities and the plan {} joint angles, for {} "
                 "coordinates in all, {} velocities of the object",
                 name, reference_.x.size(), reference_.x_dot.size(), first.theta.size(), q_des_.size(),
                 n_x());
}

control::Measurement GraspLaw::planned_start() {
  trajectory_->sample(0.0, reference_);
  plan_.move_to(0.0);
  control::Measurement rest;
  rest.q.resize(model_.mechanism->n_q());
  rest.q << reference_.x, plan_.point().theta;
  rest.v.setZero(model_.mechanism->n_v());
  rest.lambda_N = rest.lambda_T = VectorXd::Zero(model_.contacts->n_contacts());
  rest.forces_valid = true;
  return rest;
}

void GraspLaw::observe(double t, const control::Measurement& measured) {
  trajectory_->sample(t, reference_);
  plan_.move_to(t);
  plan_.value(&control::PlanPoint::alpha_des, alpha_des_);
  const control::PlanPoint& point = plan_.point();

  model_.contacts->kinematics(measured.q, measured.v, kinematics_);
  model_.mechanism->dynamics(measured.q, measured.v, dynamics_);
  grasp::assemble(kinematics_, point.modes, model_.mu, n_x(), grasp_);
  internal_.compute(grasp_.G);
  internal_.align(point.G_null);
  motion_.compute(grasp_, model_.coordinates);
  errors_at(measured);

  alpha_.resize(p_);
  if (measured.forces_valid) {
    grasp::stack_forces(grasp_, measured.lambda_N, measured.lambda_T, measured_forces_);
    alpha_ = internal_.basis().transpose().lazyProduct(measured_forces_);
  } else {
    alpha_ = alpha_des_;  // no torque has acted yet: nothing to correct
  }
  alpha_error_ = alpha_des_ - alpha_;
}

void GraspLaw::errors_at(const control::Measurement& measured) {
  q_des_ = measured.q;
  q_des_.head(reference_.x.size()) = reference_.x;
  if (motion_.n_eta() > 0) q_des_.tail(n_theta()) = plan_.point().theta;
  model_.mechanism->difference(measured.q, q_des_, difference_);
  for (Index i = 0; i < error_.size(); ++i) {
    const Index c = model_.coordinates[static_cast<std::size_t>(i)];
    error_[i] = difference_[c];
    error_rate_[i] = reference_.x_dot[c] - measured.v[c];
    xi_ddot_des_[i] = reference_.x_ddot[c];
  }
  omega_ = measured.v.tail(n_theta());
}

/// a = θ̈_d + K_v ė_θ + K_p e_θ, or −K_v θ̇: what the arms would do if the grasp asked nothing of them.
void GraspLaw::posture_at() {
  auto a = posture_.tail(n_theta());
  a = -posture_gains_.Kv * omega_;
  if (model_.self_motion == SelfMotion::kDamped) return;
  const control::PlanPoint& from = plan_.point();
  const control::PlanPoint& to = plan_.next();
  const double s = plan_.fraction();
  a += posture_gains_.Kp * (difference_.tail(n_theta()) + s * (to.theta - from.theta));
  if (plan_.at_end()) return;  // the plan rests
  if (from.theta_dot.size() > 0 && to.theta_dot.size() > 0)
    a += posture_gains_.Kv * ((1.0 - s) * from.theta_dot + s * to.theta_dot);
  if (from.theta_ddot.size() > 0 && to.theta_ddot.size() > 0)
    a += (1.0 - s) * from.theta_ddot + s * to.theta_ddot;
}

void GraspLaw::act(const VectorXd& xi_ddot, const VectorXd& squeeze, control::Command& out) {
  // v̇* = T⁺[−bias ; ξ̈*] + Z_η Z_ηᵀ a; zero bias if W̃ does not turn.
  rows_ = -grasp_.bias;
  motion_.solve(rows_, xi_ddot, v_dot_);
  if (motion_.n_eta() > 0) {
    posture_at();
    motion_.add_self_motion(posture_, v_dot_);
  }

  // λ* = G⁺(M_o ẍ* − g_o) + G° α*,  g_o = −h_o
  wrench_ = dynamics_.h.head(n_x());
  wrench_ += dynamics_.M.topLeftCorner(n_x(), n_x()).lazyProduct(v_dot_.head(n_x()));
  internal_.particular(wrench_, lambda_);
  lambda_ += internal_.basis().lazyProduct(squeeze);

  // τ = M_a θ̈* + h_a + g_a + Jᵀ λ*
  out.tau = dynamics_.h.tail(n_theta());
  out.tau += dynamics_.M.bottomRightCorner(n_theta(), n_theta()).lazyProduct(v_dot_.tail(n_theta()));
  out.tau += grasp_.J.transpose().lazyProduct(lambda_);
  report(out);
  out.singular = out.singular || !(motion_.rank_ratio() > 1e-12);
}

void GraspLaw::report(control::Command& out) const {
  out.singular = !(internal_.rank_ratio() > 1e-12) || !out.tau.allFinite();
  out.alpha_des = alpha_des_;
  out.alpha = alpha_;
}

}  // namespace enfold::controllers
