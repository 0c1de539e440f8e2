// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/controllers/gain_design.hpp"

#include <cmath>
#include <utility>

#include "enfold/base/require.hpp"

namespace enfold::controllers {
namespace {

void require_positive(double value, const char* name) {
  ENFOLD_REQUIRE(std::isfinite(value) && value > 0.0, "gain design: {} is {}, expected > 0 and finite", name,
                 value);
}

/// ln of the roots of z² − sum·z + product, over T; the root nearer to the unit circle first.
std::array<std::complex<double>, 2> logarithms(double sum, double product, double period) {
  const std::complex<double> root = std::sqrt(std::complex<double>(sum * sum / 4.0 - product));
  std::complex<double> a = sum / 2.0 + root;
  std::complex<double> b = sum / 2.0 - root;
  if (std::abs(b) > std::abs(a)) std::swap(a, b);
  return {std::log(a) / period, std::log(b) / period};
}

}  // namespace

WantedPoles poles_for_settling(double settling_time) {
  require_positive(settling_time, "the settling time");
  const double target = std::log(50.0);
  double x = 6.0;  // ln(1 + x) − x + ln 50 = 0 by Newton's method
  for (int i = 0; i < 20; ++i) x += (std::log1p(x) - x + target) * (1.0 + x) / x;
  const double omega = x / settling_time;
  return {-omega, -omega, -target / settling_time};
}

WantedPoles poles_for_bandwidth(double omega_b) {
  require_positive(omega_b, "the bandwidth");
  const double omega = omega_b / std::sqrt(3.0 + std::sqrt(10.0));
  return {-omega, -omega, -omega_b};
}

Gains continuous_gains(const WantedPoles& wanted, double K_P) {
  ENFOLD_REQUIRE(std::abs(K_P) < 1.0, "gain design: the proportional force gain is {}, expected −1 … 1", K_P);
  Gains gains = gains_from_poles(wanted.motion_1, wanted.motion_2, wanted.force);
  gains.Kalpha *= 1.0 + K_P;
  return gains;
}

Gains sampled_gains(const WantedPoles& wanted, double period, double K_P) {
  require_positive(period, "the period");
  (void)continuous_gains(wanted, K_P);  // the same conditions
  const double fastest = std::log(2.0 / (1.0 - K_P));
  ENFOLD_REQUIRE(
      -wanted.force * period <= fastest,
      "gain design: a force pole at {} 1/s needs at least {:.4g} Hz: the force loop reads what the "
      "torque before made, so that no real pole is faster than z = (1 − K_P)/2",
      wanted.force, -wanted.force / fastest);
  const std::complex<double> z_1 = std::exp(wanted.motion_1 * period);
  const std::complex<double> z_2 = std::exp(wanted.motion_2 * period);
  // 1 − z of slow poles loses digits; expm1 does not exist for complex numbers: 1 − e^w = −2 e^{w/2}
  // sinh(w/2).
  const auto below_one = [period](const std::complex<double>& s) {
    return -2.0 * std::exp(0.5 * s * period) * std::sinh(0.5 * s * period);
  };
  const std::complex<double> d_1 = below_one(wanted.motion_1);
  const std::complex<double> d_2 = below_one(wanted.motion_2);
  const double z_3 = std::exp(wanted.force * period);
  // 3 − z₁ − z₂ − z₁z₂ = d₁ + d₂ + (1 − z₁z₂), and 1 − z₁z₂ is the mean of d₁(1 + z₂) and d₂(1 + z₁).
  const std::complex<double> damping = d_1 + d_2 + 0.5 * (d_1 * (1.0 + z_2) + d_2 * (1.0 + z_1));
  return {.Kp = (d_1 * d_2).real() / (period * period),
          .Kv = damping.real() / (2.0 * period),
          .Kalpha = -(z_3 + K_P) * std::expm1(wanted.force * period) / period};
}

std::array<std::complex<double>, 2> sampled_motion_poles(const Gains& gains, double period) {
  require_positive(period, "the period");
  const double half = 0.5 * gains.Kp * period * period;
  return logarithms(2.0 - gains.Kv * period - half, 1.0 - gains.Kv * period + half, period);
}

std::array<std::complex<double>, 2> sampled_force_poles(const Gains& gains, double period) {
  require_positive(period, "the period");
  return logarithms(1.0, gains.Kalpha * period, period);
}

}  // namespace enfold::controllers
