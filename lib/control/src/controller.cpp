// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/control/controller.hpp"

#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::control {

SampledLoop::SampledLoop(Controller& law, double period)
    : law_{law}, period_{period}, integral_{VectorXd::Zero(law.n_integrals())} {
  ENFOLD_REQUIRE(std::isfinite(period) && period > 0.0,
                 "SampledLoop: period is {} s, expected > 0 and finite", period);
}

const Command& SampledLoop::command(double t, const Measurement& measured) noexcept {
  law_.evaluate(t, measured, integral_, command_);
  integral_ += period_ * command_.integral_rate;
  return command_;
}

}  // namespace enfold::control
