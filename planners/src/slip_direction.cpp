// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/slip_direction.hpp"

#include <cmath>

namespace enfold::planners {
namespace {

// Below this a slip (and its derivatives) is rounding of quantities of order one.
constexpr double kZero = 1e-12;

contact::ContactMode sign_mode(double value) {
  return value > 0.0 ? contact::ContactMode::kSlidePlus : contact::ContactMode::kSlideMinus;
}

}  // namespace

contact::ContactMode slip_direction(const SlipDerivatives& slip, Looking looking,
                                    contact::ContactMode previous) {
  if (std::abs(slip.velocity) > kZero) return sign_mode(slip.velocity);
  // φ̇_T(t + s) ≈ φ̈_T s: behind the instant, s < 0, the sign is the opposite one.
  if (std::abs(slip.acceleration) > kZero) {
    return sign_mode(looking == Looking::kForward ? slip.acceleration : -slip.acceleration);
  }
  if (std::abs(slip.jerk) > kZero) return sign_mode(slip.jerk);  // φ̇_T(t + s) ≈ jerk s²/2
  return previous;
}

}  // namespace enfold::planners
