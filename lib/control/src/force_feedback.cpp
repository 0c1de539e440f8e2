// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/control/force_feedback.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "enfold/base/require.hpp"

namespace enfold::control {
namespace {

void require_loop(double Kalpha, double period) {
  ENFOLD_REQUIRE(std::isfinite(Kalpha), "stable_force_gains: K_α is {}, expected finite", Kalpha);
  ENFOLD_REQUIRE(std::isfinite(period) && period > 0.0,
                 "stable_force_gains: period is {} s, expected > 0 and finite", period);
}

}  // namespace

OpenRange stable_force_gains(double Kalpha, double period) {
  require_loop(Kalpha, period);
  const double per_sample = Kalpha * period;
  if (!(per_sample > 0.0)) return {0.0, 0.0};
  return {per_sample - 1.0, 1.0 + 0.5 * per_sample};
}

double force_error_ratio(double KP, double Kalpha, double period) {
  require_loop(Kalpha, period);
  ENFOLD_REQUIRE(std::isfinite(KP), "force_error_ratio: K_P is {}, expected finite", KP);
  const double half = 0.5 * (1.0 - KP);
  const std::complex<double> root = std::sqrt(std::complex<double>(half * half + KP - Kalpha * period));
  return std::max(std::abs(half + root), std::abs(half - root));
}

}  // namespace enfold::control
