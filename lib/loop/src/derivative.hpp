// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <limits>

#include "enfold/base/types.hpp"

namespace enfold::loop {

/// df/dt at t = 0 and how far it may be off, by Ridders' extrapolation: central differences with steps
/// h, h/2, h/4 …, extrapolated to h = 0, until the differences between neighbours grow with rounding.
struct Derivative {
  VectorXd value;
  double error = std::numeric_limits<double>::infinity();  // largest entry
};

template <typename F>
[[nodiscard]] Derivative derivative(const F& f, double step) {
  constexpr std::size_t kLevels = 7;
  std::array<VectorXd, kLevels> before;
  std::array<VectorXd, kLevels> now;
  Derivative best;
  double h = step;
  for (std::size_t i = 0; i < kLevels; ++i, h *= 0.5) {
    now[0] = (f(h) - f(-h)) / (2.0 * h);
    if (i == 0) best.value = now[0];
    double factor = 4.0;
    double error = std::numeric_limits<double>::infinity();
    for (std::size_t k = 1; k <= i; ++k, factor *= 4.0) {
      now[k] = (factor * now[k - 1] - before[k - 1]) / (factor - 1.0);
      error = std::max((now[k] - now[k - 1]).template lpNorm<Eigen::Infinity>(),
                       (now[k] - before[k - 1]).template lpNorm<Eigen::Infinity>());
      if (error < best.error) best = {now[k], error};
    }
    if (i > 1 && error > 100.0 * best.error) break;
    before = now;
  }
  return best;
}

}  // namespace enfold::loop
