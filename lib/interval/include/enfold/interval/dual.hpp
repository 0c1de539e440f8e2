// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/interval/interval.hpp"

namespace enfold::interval {

/// A function of one variable s over a stretch of s: what holds its values, and what holds its derivative.
/// Operations follow the rules of differentiation. [Rall 1981]
struct Dual {
  Interval v;  ///< f(s)
  Interval d;  ///< df/ds

  Dual() = default;
  Dual(double constant) : v{constant} {}           // NOLINT: a number is a constant function
  Dual(const Interval& constant) : v{constant} {}  // NOLINT: likewise
  Dual(const Interval& value, const Interval& derivative) : v{value}, d{derivative} {}

  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }

  friend Dual operator-(const Dual& a) { return {-a.v, -a.d}; }
  friend Dual operator+(const Dual& a, const Dual& b) { return {a.v + b.v, a.d + b.d}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.v - b.v, a.d - b.d}; }
  friend Dual operator*(const Dual& a, const Dual& b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const Interval q = a.v / b.v;
    return {q, (a.d - q * b.d) / b.v};
  }
};

[[nodiscard]] inline Dual sqr(const Dual& a) {
  return {sqr(a.v), Interval(2.0) * a.v * a.d};
}
[[nodiscard]] inline Dual sqrt(const Dual& a) {
  const Interval root = sqrt(a.v);
  return {root, a.d / (Interval(2.0) * root)};
}
[[nodiscard]] inline Dual sin(const Dual& a) {
  return {sin(a.v), cos(a.v) * a.d};
}
[[nodiscard]] inline Dual cos(const Dual& a) {
  return {cos(a.v), -(sin(a.v) * a.d)};
}

}  // namespace enfold::interval
