// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/geometry/superellipse.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::geometry {
namespace {

/// F = A^P and its derivatives by β, for A with the derivatives A′, A″.
struct Power {
  double F, dF, d2F;
};
Power power(double A, double dA, double d2A, double P) {
  const double F = std::pow(A, P);
  return {F, P * F / A * dA, P * F / A * ((P - 1.0) / A * dA * dA + d2A)};
}

}  // namespace

Superellipse::Superellipse(double a, double b, double exponent)
    : a_{a}, b_{b}, p_{exponent}, q_{exponent / (exponent - 1.0)} {
  ENFOLD_REQUIRE(a > 0.0 && std::isfinite(a), "Superellipse: semi-axis a is {} m, expected > 0", a);
  ENFOLD_REQUIRE(b > 0.0 && std::isfinite(b), "Superellipse: semi-axis b is {} m, expected > 0", b);
  ENFOLD_REQUIRE(exponent >= 1.1 && exponent <= 50.0, "Superellipse: exponent is {}, expected 1.1 … 50",
                 exponent);
}

Support Superellipse::support(double beta) const {
  const double c = std::cos(beta);
  const double s = std::sin(beta);
  constexpr double kSquare = kRounding * kRounding;
  const double size = characteristic_length();  // keeps the powers near one
  const double a2 = (a_ / size) * (a_ / size);
  const double b2 = (b_ / size) * (b_ / size);
  const double P = 0.5 * q_;
  const Power x = power(a2 * (c * c + kSquare), -2.0 * a2 * s * c, -2.0 * a2 * (c * c - s * s), P);
  const Power y = power(b2 * (s * s + kSquare), 2.0 * b2 * s * c, 2.0 * b2 * (c * c - s * s), P);
  const double F = x.F + y.F;
  const double dF = x.dF + y.dF;
  const double d2F = x.d2F + y.d2F;
  const double h = size * std::pow(F, 1.0 / q_);
  const double slope = h / (q_ * F);  // dh/dF
  return {h, slope * dF, slope * (d2F + (1.0 / q_ - 1.0) / F * dF * dF)};
}

double Superellipse::characteristic_length() const {
  return std::max(a_, b_);
}

}  // namespace enfold::geometry
