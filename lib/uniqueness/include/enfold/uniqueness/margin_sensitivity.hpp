// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/uniqueness/friction_margin.hpp"

namespace enfold::uniqueness {

/// How A(μ) changes with a design parameter p: A₀ and A₁ by p, at constant μ.
struct FamilyDerivative {
  MatrixXd A_0;  ///< ∂A₀/∂p, n × n
  MatrixXd A_1;  ///< ∂A₁/∂p, n × n
};

/// What the friction margin ρ and the scale factor r of a design hang on.
struct MarginGradient {
  /// ∂ρ/∂μ_j; zero where the critical vertex is clipped at 0. Empty unless the margin is finite.
  VectorXd half_width_by_mu;
  /// ∂r/∂μ_j of the factor r at which r·μ loses uniqueness. Empty unless there is such an r.
  VectorXd scale_by_mu;
  /// Several minors fail at once: the margin has a kink here, and the gradient is that of one of them.
  bool kink = false;
};

/// The gradient by μ.                                                              [eq:margin-gradient]
///
/// On the way to the critical vertex, det A_SS(μ*(ρ)) = 0. With the null vectors u ᵀA_SS = 0, A_SS v = 0 the
/// derivative of the determinant is a multiple of uᵀ dA_SS v, hence
///
///     ∂ρ/∂p = − uᵀ(∂A/∂p) v / uᵀ(A₁ diag(dμ*/dρ)) v.
///
/// @pre `margin` is that of `family` at `mu` (throws InvalidArgument if the sizes differ)
[[nodiscard]] MarginGradient margin_gradient(const FrictionFamily& family, const VectorXd& mu,
                                             const FrictionMargin& margin);

/// ∂ρ/∂p; NaN unless the margin is finite.                                          [eq:margin-gradient]
[[nodiscard]] double half_width_derivative(const FrictionFamily& family, const VectorXd& mu,
                                           const FrictionMargin& margin, const FamilyDerivative& by_p);

/// ∂r/∂p of the scale factor; NaN unless there is one.                              [eq:margin-gradient]
[[nodiscard]] double scale_derivative(const FrictionFamily& family, const VectorXd& mu,
                                      const FrictionMargin& margin, const FamilyDerivative& by_p);

}  // namespace enfold::uniqueness
