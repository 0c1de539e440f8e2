// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>

#include "enfold/lcp/lemke.hpp"

// A = [2 1; 1 2], b = (−5, −6): both x are positive and solve A x = −b, so x = (4/3, 7/3).
int main() {
  enfold::lcp::LcpProblem problem;
  problem.A.resize(2, 2);
  problem.A << 2.0, 1.0, 1.0, 2.0;
  problem.b.resize(2);
  problem.b << -5.0, -6.0;
  const enfold::lcp::LcpSolution solution = enfold::lcp::solve_lemke(problem);
  std::printf("%.*s: x = (%.6f, %.6f)\n", static_cast<int>(solution.message().size()),
              solution.message().data(), solution.x[0], solution.x[1]);
  const bool right = solution.ok() && std::abs(solution.x[0] - 4.0 / 3.0) < 1e-12 &&
                     std::abs(solution.x[1] - 7.0 / 3.0) < 1e-12;
  return right ? 0 : 1;
}
