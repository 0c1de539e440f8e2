// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/controllers/gains.hpp"

#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::controllers {

Gains gains_from_poles(std::complex<double> motion_1, std::complex<double> motion_2, double force) {
  ENFOLD_REQUIRE(motion_1.real() < 0.0 && motion_2.real() < 0.0,
                 "gains_from_poles: motion poles have real parts {} and {}, expected < 0", motion_1.real(),
                 motion_2.real());
  ENFOLD_REQUIRE(
      force < 0.0,
      "gains_from_poles: force pole is {}, expected < 0: e_α + K_α ∫e_α = 0 has its pole at −K_α, so that "
      "K_α must be positive",
      force);
  ENFOLD_REQUIRE(
      std::isfinite(std::abs(motion_1)) && std::isfinite(std::abs(motion_2)) && std::isfinite(force),
      "gains_from_poles: a pole is infinite");
  const std::complex<double> product = motion_1 * motion_2;
  const std::complex<double> sum = motion_1 + motion_2;
  ENFOLD_REQUIRE(
      std::abs(product.imag()) <= 1e-12 * std::abs(product) && std::abs(sum.imag()) <= 1e-12 * std::abs(sum),
      "gains_from_poles: complex motion poles must be conjugate");
  return {.Kp = product.real(), .Kv = -sum.real(), .Kalpha = -force};
}

std::pair<std::complex<double>, std::complex<double>> motion_poles(const Gains& gains) {
  const std::complex<double> root = std::sqrt(std::complex<double>(gains.Kv * gains.Kv / 4.0 - gains.Kp));
  std::complex<double> right = -gains.Kv / 2.0 + root;
  std::complex<double> left = -gains.Kv / 2.0 - root;
  // Of two real poles far apart the small one is lost in the difference; the product of both is K_p.
  if (root.real() > 0.0 && gains.Kv > 0.0) right = gains.Kp / left;
  if (root.real() > 0.0 && gains.Kv < 0.0) left = gains.Kp / right;
  return {right, left};
}

std::string motion_poles_text(const Gains& gains) {
  const auto text = [](const std::complex<double>& pole) {
    return pole.imag() == 0.0 ? fmt::format("{:.4g}", pole.real())
                              : fmt::format("{:.4g}{:+.4g}i", pole.real(), pole.imag());
  };
  const auto [s_1, s_2] = motion_poles(gains);
  return fmt::format("motion poles {} and {}", text(s_1), text(s_2));
}

}  // namespace enfold::controllers
