// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "enfold/base/types.hpp"
#include "enfold/lp/lp_certificate.hpp"

namespace enfold::lp {

/// What the fields of LpSolution mean.
enum class LpStatus {
  kNotRun,      ///< nothing solved yet; every field is empty
  kOptimal,     ///< z, duals and objective are optimal within LpOptions::residual_tol, checked independently
  kInfeasible,  ///< no z exists: farkas proves it (checked); z has no meaning
  kUnbounded,   ///< z is feasible and ray leads to −∞ (both checked)
  kIterationLimit,    ///< z is the last basic point, perhaps infeasible
  kResidualTooLarge,  ///< simplex claimed a verdict that its independent check did not confirm; z as it stood
  kNumericalTrouble,  ///< simplex reached no verdict even from a fresh basis; z as it stood
};

[[nodiscard]] std::string_view to_string(LpStatus status);

struct LpSolution {
  LpStatus status = LpStatus::kNotRun;
  VectorXd z;                ///< n
  double objective = 0.0;    ///< cᵀz
  VectorXd row_dual;         ///< m, shadow prices y: d objective / d (active bound of the row)
  VectorXd reduced_cost;     ///< n, c − Rᵀy: d objective / d (active bound of the variable)
  VectorXd row_activity;     ///< m, R z
  FarkasCertificate farkas;  ///< empty unless kInfeasible
  VectorXd ray;              ///< n with ‖ray‖_∞ = 1 when kUnbounded, else empty
  LpResidual residual;       ///< of (z, row_dual), by lp_residual
  int iterations = 0;        ///< pivots of the main program (not of the certificate)
  std::string message;       ///< empty when kOptimal, else one sentence

  [[nodiscard]] bool ok() const { return status == LpStatus::kOptimal; }
};

}  // namespace enfold::lp
