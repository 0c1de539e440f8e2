// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/controllers/force_loop.hpp"

#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::controllers {

ForceLoopController::ForceLoopController(WholeArmModel model,
                                         std::shared_ptr<const control::Trajectory> trajectory,
                                         std::shared_ptr<const control::Plan> plan, const Gains& gains,
                                         double K_lambda)
    : whole_arm_{std::move(model), std::move(trajectory), plan, gains}, K_lambda_{K_lambda} {
  ENFOLD_REQUIRE(std::isfinite(K_lambda) && K_lambda >= 0.0,
                 "ForceLoopController: the force gain is {}, expected finite and ≥ 0", K_lambda);
  for (const control::PlanPoint& point : plan->points)
    for (const contact::ContactMode mode : point.modes)
      ENFOLD_REQUIRE(is_sliding(mode),
                     "ForceLoopController: at {} s of the plan a contact rolls or is open; all must slide",
                     point.time);
  error_ = VectorXd::Zero(whole_arm_.wanted_forces().size());
}

void ForceLoopController::evaluate(double t, const control::Measurement& measured, const VectorXd& integral,
                                   control::Command& out) noexcept {
  whole_arm_.evaluate(t, measured, integral, out);
  if (!measured.forces_valid) return;  // no torque has acted yet: nothing to correct
  const grasp::GraspMatrices& grasp = whole_arm_.grasp();
  for (Index c = 0; c < error_.size(); ++c)
    error_[c] = K_lambda_ * (whole_arm_.wanted_forces()[c] -
                             measured.lambda_N[grasp.sliding[static_cast<std::size_t>(c)]]);
  out.tau += grasp.J_tilde.transpose().lazyProduct(error_);
  out.singular = out.singular || !out.tau.allFinite();
}

std::string ForceLoopController::description() const {
  return fmt::format("force_loop: {} times every force error; {}", K_lambda_, whole_arm_.description());
}

}  // namespace enfold::controllers
