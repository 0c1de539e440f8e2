// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <numbers>

#include "enfold/geometry/ellipse.hpp"

namespace enfold::test {

inline constexpr double kPi = std::numbers::pi;

/// A rounded triangle known by its support function only: h = r + ε cos 3β, ρ = r − 8ε cos 3β.
/// h(β) + h(β + π) = 2r: a curve of constant width.
class Trilobe final : public geometry::ConvexCurve {
 public:
  Trilobe(double r, double eps) : r_{r}, eps_{eps} {}
  [[nodiscard]] geometry::Support support(double beta) const override {
    return {r_ + eps_ * std::cos(3.0 * beta), -3.0 * eps_ * std::sin(3.0 * beta),
            -9.0 * eps_ * std::cos(3.0 * beta)};
  }
  [[nodiscard]] double characteristic_length() const override { return r_; }

 private:
  double r_;
  double eps_;
};

/// A disk whose body frame sits off its centre: h = r + u·e.
class OffCentreDisk final : public geometry::ConvexCurve {
 public:
  OffCentreDisk(double r, const Vector2d& e) : r_{r}, e_{e} {}
  [[nodiscard]] geometry::Support support(double beta) const override {
    const Vector2d u{std::cos(beta), std::sin(beta)};
    const Vector2d u_perp{-u.y(), u.x()};
    return {r_ + u.dot(e_), u_perp.dot(e_), -u.dot(e_)};
  }
  [[nodiscard]] double characteristic_length() const override { return r_; }

 private:
  double r_;
  Vector2d e_;
};

/// An ellipse that does not say it is one, so that only the general routes apply to it.
class HiddenEllipse final : public geometry::ConvexCurve {
 public:
  HiddenEllipse(double a, double b) : ellipse_{a, b} {}
  [[nodiscard]] geometry::Support support(double beta) const override { return ellipse_.support(beta); }
  [[nodiscard]] double characteristic_length() const override { return ellipse_.characteristic_length(); }

 private:
  geometry::Ellipse ellipse_;
};

}  // namespace enfold::test
