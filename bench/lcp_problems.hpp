// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <random>
#include <vector>

#include "enfold/lcp/lcp_problem.hpp"

namespace enfold::bench {

/// A = B Bᵀ + C − Cᵀ + 0.1 I and b with entries of B, C and b from N(0, 1): a P-matrix, not symmetric.
[[nodiscard]] lcp::LcpProblem random_p_problem(Index n, std::mt19937_64& random);

/// A = J Jᵀ, b = J v: n unit rows over ⌈n/2⌉ coordinates. Positive semi-definite, singular, solvable.
[[nodiscard]] lcp::LcpProblem redundant_contact_problem(Index n, std::mt19937_64& random);

/// Upper triangular with a positive diagonal and N(0, 1) above it, rows and columns permuted alike: a
/// P-matrix that neither definiteness nor dominance shows.
[[nodiscard]] MatrixXd indefinite_p_matrix(Index n, std::mt19937_64& random);

/// `count` problems of one family; the same n gives the same problems.
[[nodiscard]] std::vector<lcp::LcpProblem> p_problems(Index n, std::size_t count);
[[nodiscard]] std::vector<lcp::LcpProblem> redundant_problems(Index n, std::size_t count);

/// A problem of random_p_problem whose b wanders by 1e-3 N(0, 1) at each step, as it does from one simulation
/// step to the next.
[[nodiscard]] std::vector<lcp::LcpProblem> trajectory(Index n, std::size_t count, std::uint64_t seed);

}  // namespace enfold::bench
