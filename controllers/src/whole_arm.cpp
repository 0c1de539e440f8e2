// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/controllers/whole_arm.hpp"

#include <fmt/format.h>

namespace enfold::controllers {

WholeArmController::WholeArmController(WholeArmModel model,
                                       std::shared_ptr<const control::Trajectory> trajectory,
                                       std::shared_ptr<const control::Plan> plan, const Gains& gains)
    : law_{"WholeArmController", std::move(model), std::move(trajectory), std::move(plan), gains},
      gains_{gains} {
  // One evaluation gives every workspace its size, so that those of the control loop allocate nothing.
  control::Command command;
  evaluate(0.0, law_.planned_start(), VectorXd::Zero(n_integrals()), command);
}

void WholeArmController::evaluate(double t, const control::Measurement& measured, const VectorXd& integral,
                                  control::Command& out) noexcept {
  law_.observe(t, measured);
  xi_ddot_ = law_.xi_ddot_des() + gains_.Kv * law_.error_rate() + gains_.Kp * law_.error();
  squeeze_ = law_.alpha_des() + gains_.Kalpha * integral;
  law_.act(xi_ddot_, squeeze_, out);
  out.integral_rate = law_.alpha_error();
}

std::string WholeArmController::description() const {
  return fmt::format("whole_arm: K_p = {}, K_v = {}, K_alpha = {}; {}, force pole {:.4g}", gains_.Kp,
                     gains_.Kv, gains_.Kalpha, motion_poles_text(gains_), -gains_.Kalpha);
}

}  // namespace enfold::controllers
