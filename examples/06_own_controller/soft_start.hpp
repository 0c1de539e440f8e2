// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "enfold/controllers/gains.hpp"
#include "enfold/controllers/grasp_law.hpp"

/// S4's law with feedback of the motion that fades in.
///
///     ξ̈* = ξ̈_d + s(t) (K_v ė_ξ + K_p e_ξ),   s = 3u² − 2u³, u = t/T;   α* = α_d + K_α ∫e_α dt
///
/// The plan squeezes for ẍ_d; what the feedback adds to it is not planned for. An error at the start
/// therefore takes the smallest normal force off its plan at once. Fading in spreads the correction over T.
/// Claim: from T on S4's error equations.
class SoftStartController final : public enfold::control::Controller {
 public:
  SoftStartController(enfold::controllers::WholeArmModel model,
                      std::shared_ptr<const enfold::control::Trajectory> trajectory,
                      std::shared_ptr<const enfold::control::Plan> plan,
                      const enfold::controllers::Gains& gains, double fade_in)
      : law_{"SoftStartController", std::move(model), std::move(trajectory), std::move(plan), gains},
        gains_{gains},
        fade_in_{fade_in} {
    enfold::control::Command command;  // gives every workspace its size
    evaluate(0.0, law_.planned_start(), enfold::VectorXd::Zero(n_integrals()), command);
  }

  [[nodiscard]] enfold::Index n_integrals() const override { return law_.p(); }

  void evaluate(double t, const enfold::control::Measurement& measured, const enfold::VectorXd& integral,
                enfold::control::Command& out) noexcept override {
    law_.observe(t, measured);
    const double u = std::clamp(t / fade_in_, 0.0, 1.0);
    const double s = u * u * (3.0 - 2.0 * u);
    xi_ddot_ = law_.xi_ddot_des() + s * (gains_.Kv * law_.error_rate() + gains_.Kp * law_.error());
    squeeze_ = law_.alpha_des() + gains_.Kalpha * integral;
    law_.act(xi_ddot_, squeeze_, out);
    out.integral_rate = law_.alpha_error();
  }

  [[nodiscard]] std::string description() const override { return "soft start of S4's law"; }

 private:
  enfold::controllers::GraspLaw law_;
  enfold::controllers::Gains gains_;
  double fade_in_;                      // [s]
  enfold::VectorXd xi_ddot_, squeeze_;  // workspace
};
