// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace enfold::lcp {

/// How the pivoting solvers decide. The solvers scale A and b to ‖·‖_max = 1 first, so that the pivot
/// tolerances are dimensionless.
struct LcpOptions {
  /// An entry c_i of the driving column can be a pivot if c_i > pivot_tol · max(1, ‖c‖_∞). 1e-13 … 1e-9.
  double pivot_tol = 1e-11;

  /// Two ratios ρ and ρ' of the lexicographic test are equal if |ρ − ρ'| ≤ tie_tol · max(1, |ρ|). 1e-14 …
  /// 1e-10.
  double tie_tol = 1e-12;

  /// Solved means ‖min(x, A x + b)‖_∞ ≤ residual_tol · max(1, ‖b‖_∞). In units of b; 1e-12 … 1e-6.
  double residual_tol = 1e-9;

  /// A warm start is accepted if ‖min(x, A x + b)‖_∞ ≤ warm_tol · max(1, ‖b‖_∞). In units of b; at most
  /// residual_tol, smaller so that a basis that is no longer quite right is left in time. 1e-14 … 1e-10.
  double warm_tol = 1e-12;

  /// Give up after max_pivots; the status becomes kMaxPivots and x is the last basic point. 1 or more.
  int max_pivots = 10'000;
};

}  // namespace enfold::lcp
