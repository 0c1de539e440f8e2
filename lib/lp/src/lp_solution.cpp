// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lp/lp_solution.hpp"

namespace enfold::lp {

std::string_view to_string(LpStatus status) {
  switch (status) {
    case LpStatus::kNotRun:
      return "not run";
    case LpStatus::kOptimal:
      return "optimal";
    case LpStatus::kInfeasible:
      return "infeasible";
    case LpStatus::kUnbounded:
      return "unbounded";
    case LpStatus::kIterationLimit:
      return "iteration limit";
    case LpStatus::kResidualTooLarge:
      return "residual too large";
    case LpStatus::kNumericalTrouble:
      return "numerical trouble";
  }
  return "unknown";
}

}  // namespace enfold::lp
