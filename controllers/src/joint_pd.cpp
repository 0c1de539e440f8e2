// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/controllers/joint_pd.hpp"

#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::controllers {
namespace {

using control::PlanPoint;

VectorXd each_joint(const VectorXd& gain, Index n_theta, const char* name) {
  ENFOLD_REQUIRE(gain.size() == 1 || gain.size() == n_theta,
                 "JointPdController: {} values of {} for {} joints, expected one, or one for each",
                 gain.size(), name, n_theta);
  ENFOLD_REQUIRE(gain.allFinite(), "JointPdController: {} is not finite", name);
  return gain.size() == n_theta ? gain : VectorXd::Constant(n_theta, gain[0]);
}

void require_point(const PlanPoint& point, std::size_t number, Index n_theta) {
  ENFOLD_REQUIRE(point.theta.size() == n_theta && point.tau.size() == n_theta,
                 "JointPdController: point {} of the plan has {} joint angles and {} torques, expected {}",
                 number, point.theta.size(), point.tau.size(), n_theta);
  ENFOLD_REQUIRE(point.theta_dot.size() == 0 || point.theta_dot.size() == n_theta,
                 "JointPdController: point {} of the plan has {} joint rates, expected {} or none", number,
                 point.theta_dot.size(), n_theta);
  Index k = 0;
  for (const contact::ContactMode mode : point.modes)
    k += is_sliding(mode) ? 1 : mode == contact::ContactMode::kRoll ? 2 : 0;
  ENFOLD_REQUIRE(point.G_null.rows() == k && point.G_null.cols() == point.alpha_des.size(),
                 "JointPdController: at point {} of the plan G° is {} × {}, expected {} × {}", number,
                 point.G_null.rows(), point.G_null.cols(), k, point.alpha_des.size());
}

}  // namespace

JointPdController::JointPdController(std::shared_ptr<const control::Plan> plan, JointGains gains)
    : plan_{plan} {
  const PlanPoint& first = plan->points.front();
  const Index n_theta = first.theta.size();
  gains_.Kp = each_joint(gains.Kp, n_theta, "K_p");
  gains_.Kv = each_joint(gains.Kv, n_theta, "K_v");
  for (std::size_t k = 0; k < plan->points.size(); ++k) {
    require_point(plan->points[k], k, n_theta);
    ENFOLD_REQUIRE(plan->points[k].alpha_des.size() == first.alpha_des.size(),
                   "JointPdController: point {} of the plan has {} internal forces, the first has {}", k,
                   plan->points[k].alpha_des.size(), first.alpha_des.size());
  }
  // One evaluation gives every workspace its size. Only the last n_θ entries of q and v are read.
  control::Measurement rest;
  rest.q = first.theta;
  rest.v.setZero(n_theta);
  rest.lambda_N = rest.lambda_T = VectorXd::Zero(static_cast<Index>(first.modes.size()));
  rest.forces_valid = true;
  control::Command command;
  evaluate(0.0, rest, VectorXd(0), command);
}

void JointPdController::evaluate(double t, const control::Measurement& measured, const VectorXd& /*integral*/,
                                 control::Command& out) noexcept {
  plan_.move_to(t);
  plan_.value(&PlanPoint::theta, theta_);
  plan_.rate(&PlanPoint::theta_dot, theta_dot_);
  plan_.value(&PlanPoint::tau, out.tau);
  const Index n_theta = theta_.size();
  out.tau += gains_.Kp.cwiseProduct(theta_ - measured.q.tail(n_theta));
  out.tau += gains_.Kv.cwiseProduct(theta_dot_ - measured.v.tail(n_theta));
  out.singular = !out.tau.allFinite();

  plan_.value(&PlanPoint::alpha_des, out.alpha_des);
  if (measured.forces_valid) {
    grasp::list_contacts(plan_.point().modes, listed_);
    grasp::stack_forces(listed_, measured.lambda_N, measured.lambda_T, lambda_);
    out.alpha.resize(out.alpha_des.size());
    out.alpha = plan_.point().G_null.transpose().lazyProduct(lambda_);
  } else {
    out.alpha = out.alpha_des;
  }
  out.integral_rate.resize(0);
}

std::string JointPdController::description() const {
  return fmt::format("joint_pd: K_p = {:.4g} … {:.4g} N·m/rad, K_v = {:.4g} … {:.4g} N·m·s/rad",
                     gains_.Kp.minCoeff(), gains_.Kp.maxCoeff(), gains_.Kv.minCoeff(), gains_.Kv.maxCoeff());
}

}  // namespace enfold::controllers
