// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/controllers/whole_arm_pi.hpp"

#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::controllers {

WholeArmPiController::WholeArmPiController(WholeArmModel model,
                                           std::shared_ptr<const control::Trajectory> trajectory,
                                           std::shared_ptr<const control::Plan> plan, const Gains& gains,
                                           double K_P)
    : law_{"WholeArmPiController", std::move(model), std::move(trajectory), std::move(plan), gains},
      gains_{gains},
      K_P_{K_P} {
  ENFOLD_REQUIRE(std::isfinite(K_P), "WholeArmPiController: the proportional force gain {} is not finite",
                 K_P);
  control::Command command;  // gives every workspace its size
  evaluate(0.0, law_.planned_start(), VectorXd::Zero(n_integrals()), command);
}

void WholeArmPiController::evaluate(double t, const control::Measurement& measured, const VectorXd& integral,
                                    control::Command& out) noexcept {
  law_.observe(t, measured);
  xi_ddot_ = law_.xi_ddot_des() + gains_.Kv * law_.error_rate() + gains_.Kp * law_.error();
  squeeze_ = law_.alpha_des() + K_P_ * law_.alpha_error() + gains_.Kalpha * integral;
  law_.act(xi_ddot_, squeeze_, out);
  out.integral_rate = law_.alpha_error();
}

std::string WholeArmPiController::description() const {
  return fmt::format("whole_arm_pi: K_p = {}, K_v = {}, K_P = {}, K_alpha = {}; {}, force pole {:.4g}",
                     gains_.Kp, gains_.Kv, K_P_, gains_.Kalpha, motion_poles_text(gains_),
                     -gains_.Kalpha / (1.0 + K_P_));
}

}  // namespace enfold::controllers
