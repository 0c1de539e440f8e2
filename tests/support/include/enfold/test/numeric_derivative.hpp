// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace enfold::test {

/// df/dt at t = 0 by the eight-point central difference of order 8. With a step of 5e-4 and a function whose
/// scale of change is longer than 0.02 both the truncation and the rounding error stay below 1e-11 of its
/// size. f returns a double or an Eigen vector by value (not an expression).
template <typename F>
[[nodiscard]] auto numeric_derivative(const F& f, double step = 5e-4) {
  using Value = decltype(f(0.0));
  constexpr double kWeight[] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
  Value sum = (kWeight[0] / step) * (f(step) - f(-step));
  for (std::size_t k = 1; k < 4; ++k) {
    const double s = step * static_cast<double>(k + 1);
    sum += (kWeight[k] / step) * (f(s) - f(-s));
  }
  return sum;
}

}  // namespace enfold::test
