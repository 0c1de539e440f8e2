// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "enfold/base/types.hpp"

namespace enfold::lcp {

/// What a solver says of its x.
enum class LcpStatus : std::uint8_t {
  /// Untouched.
  kNotRun,
  /// x solves the problem to LcpOptions::residual_tol.
  kSolved,
  /// Lemke's path ended in a ray and x is its start. No solution was found; that there is none is proved only
  /// for some classes of A (see ray_proves_infeasibility).
  kRayTermination,
  /// Gave up; x is the last basic point.
  kMaxPivots,
  /// A principal pivot is zero or negative to rounding: A is no P-matrix, or a principal submatrix is
  /// singular.
  /// x is the last basic point with its negative entries set to zero. (PrincipalPivotSolver only.)
  kPivotBreakdown,
  /// A complementary basis was reached, but its x fails the independent residual.
  kResidualTooLarge,
};

[[nodiscard]] constexpr std::string_view to_string(LcpStatus status) {
  switch (status) {
    case LcpStatus::kNotRun:
      return "not run";
    case LcpStatus::kSolved:
      return "solved";
    case LcpStatus::kRayTermination:
      return "ray termination";
    case LcpStatus::kMaxPivots:
      return "pivot limit reached";
    case LcpStatus::kPivotBreakdown:
      return "pivot breakdown";
    case LcpStatus::kResidualTooLarge:
      return "residual too large";
  }
  return "unknown";
}

/// Lemke's secondary ray: directions along which the almost complementary point can go for ever,
///
///     y = A x + e z_0,    x, y, z_0 ≥ 0,    x_i y_i = 0,    ‖x‖_∞ = 1,    e = (1, …, 1)ᵀ.     [Cottle 1992]
struct LcpRay {
  VectorXd x;        ///< n
  VectorXd y;        ///< n
  double z_0 = 0.0;  ///< direction of the artificial variable
};

/// The outcome of one solve.
struct LcpSolution {
  LcpStatus status = LcpStatus::kNotRun;
  VectorXd x;  ///< n
  VectorXd y;  ///< n; A x + b; if solved, exactly 0 where x > 0 and rounding is all it holds
  /// ‖min(x, A x + b)‖_∞ by lcp_residual, in units of b.
  double residual = std::numeric_limits<double>::infinity();
  int pivots = 0;  ///< basis changes made; 0 for a warm start that fitted
  LcpRay ray;      ///< of size n, and zero unless status is kRayTermination

  [[nodiscard]] bool ok() const { return status == LcpStatus::kSolved; }
  [[nodiscard]] std::string_view message() const { return to_string(status); }

  /// Makes room for a problem of size n; allocates only if the size changes.
  void resize(Index n) {
    x.resize(n);
    y.resize(n);
    ray.x.resize(n);
    ray.y.resize(n);
  }
};

}  // namespace enfold::lcp
