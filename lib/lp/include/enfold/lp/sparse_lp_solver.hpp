// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "enfold/lp/lp_options.hpp"
#include "enfold/lp/lp_solution.hpp"
#include "enfold/lp/sparse_lp_problem.hpp"

namespace enfold::lp {

/// Solves a large program with few entries in each row, from a basis if one is given, else from an advanced
/// one, by the dual simplex method where it applies.
///
/// kOptimal is checked independently (lp_residual). kInfeasible and kUnbounded are what simplex says: unlike
/// LpSolver there is no certificate, `farkas` and `ray` stay empty.
/// @param tight rows of the basis to start from: those at a bound; every variable is then basic. As many as
/// there are variables, or empty
/// @pre sizes agree, n ≥ 1, c and R finite, no NaN (throws InvalidArgument)
[[nodiscard]] LpSolution solve_sparse_lp(const SparseLpProblem& problem, const LpOptions& options = {},
                                         std::span<const Index> tight = {});

}  // namespace enfold::lp
