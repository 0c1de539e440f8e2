// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/geometry/convex_curve.hpp"

namespace enfold::geometry {

/// |x/a|ᵖ + |y/b|ᵖ = 1: a diamond with curved sides for 1 < p < 2, the ellipse for 2, towards a box for
/// larger p. Its support function is the q-norm of (a cos β, b sin β), 1/p + 1/q = 1, whose ρ is ∞ (p > 2) or
/// 0 (p < 2) on the axes. So that ρ is finite and positive everywhere, each of the two is rounded:
///
///     h(β) = ( (a² (cos² β + ε²))^(q/2) + (b² (sin² β + ε²))^(q/2) )^(1/q),   ε = 10⁻³   [eq:superellipse]
///
/// which is again the support function of a convex body (a monotone norm of two ellipses'), with ρ analytic
/// and h larger by less than ε of the semi-axes' sum.
class Superellipse final : public ConvexCurve {
 public:
  static constexpr double kRounding = 1e-3;  ///< ε
  /// @pre a > 0, b > 0 [m], exponent 1.1 … 50 (throws InvalidArgument)
  Superellipse(double a, double b, double exponent);

  [[nodiscard]] Support support(double beta) const override;
  [[nodiscard]] double characteristic_length() const override;
  [[nodiscard]] double a() const { return a_; }
  [[nodiscard]] double b() const { return b_; }
  [[nodiscard]] double exponent() const { return p_; }

 private:
  double a_, b_, p_, q_;
};

}  // namespace enfold::geometry
