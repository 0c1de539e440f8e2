// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace enfold::lp {

/// Which simplex method moves the basis.
enum class LpMethod {
  kAuto,    ///< dual when only bounds changed since the last optimal basis (it stays dual feasible), else
            ///< primal
  kPrimal,  ///< always primal
  kDual,    ///< dual first, primal when the dual method reaches no verdict
};

struct LpOptions {
  LpMethod method = LpMethod::kAuto;
  /// Simplex accepts a basic variable x with x ≥ lower − feasibility_tol·(1 + |lower|), likewise above.
  /// Bounds that cross by less than this are read as an equality at their midpoint. Dimensionless; 1e-12 …
  /// 1e-6.
  double feasibility_tol = 1e-9;
  /// Simplex accepts a reduced cost with the wrong sign of at most this size (relative). 1e-12 … 1e-6.
  double optimality_tol = 1e-9;
  /// An answer is kOptimal only if LpResidual::largest() ≤ residual_tol. Dimensionless; 1e-9 … 1e-5.
  double residual_tol = 1e-7;
  /// A certificate or ray is accepted only if its defect is ≤ certificate_tol · its size. 1e-10 … 1e-6.
  double certificate_tol = 1e-8;
  /// Pivots per solve; then status kIterationLimit and z is the last basic point.
  int max_iterations = 10'000;
};

/// Throws InvalidArgument unless every tolerance lies in (0, 1e-2] and max_iterations ≥ 1.
void validate(const LpOptions& options);

}  // namespace enfold::lp
