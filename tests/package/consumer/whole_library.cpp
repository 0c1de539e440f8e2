// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>

#include "enfold/geometry/ellipse.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/lp/lp_solver.hpp"

// One call into three modules of the umbrella target, GLPK behind one of them.
int main() {
  const double top = enfold::geometry::Ellipse(0.15, 0.11).support(0.0).h;

  enfold::lp::LpProblem program = enfold::lp::unconstrained_lp(1, 0);
  program.c[0] = 1.0;
  program.lower[0] = 0.5;
  const enfold::lp::LpSolution plan = enfold::lp::solve_lp(program);

  const enfold::MatrixXd A = enfold::MatrixXd::Identity(3, 3);
  const enfold::lcp::PMatrixResult p = enfold::lcp::test_p_matrix(A);

  std::printf("h = %.3f, z = %.3f, smallest minor %.3f\n", top, plan.z[0], p.smallest.value);
  const bool right = std::abs(top - 0.15) < 1e-15 && plan.ok() && std::abs(plan.z[0] - 0.5) < 1e-9 &&
                     p.status == enfold::lcp::PMatrixStatus::kP;
  return right ? 0 : 1;
}
