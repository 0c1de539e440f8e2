// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/closure/squeeze_effort.hpp"

#include "enfold/base/require.hpp"
#include "enfold/lp/lp_solver.hpp"

namespace enfold::closure {

SqueezeEffort squeeze_effort(const grasp::GraspMatrices& grasp, const VectorXd& mu) {
  const Index n_x = grasp.G.rows();
  const Index k = grasp.k();
  const Index n_C = grasp.n_C();
  const Index n_R = grasp.n_R();
  const Index n_theta = grasp.J.cols();
  ENFOLD_REQUIRE(mu.size() >= n_C && k >= 1, "squeeze_effort: {} friction coefficients for {} contacts",
                 mu.size(), n_C);
  lp::LpProblem problem = lp::unconstrained_lp(k + 1, n_x + 2 * n_R + 2 * n_theta);
  problem.c[k] = 1.0;
  problem.lower.head(n_C).setOnes();
  problem.R.topLeftCorner(n_x, k) = grasp.G;
  problem.row_lower.head(n_x).setZero();
  problem.row_upper.head(n_x).setZero();
  for (Index r = 0; r < n_R; ++r) {
    for (const Index side : {0, 1}) {
      const Index row = n_x + 2 * r + side;
      problem.R(row, grasp.n_S() + r) = mu[grasp.rolling[static_cast<std::size_t>(r)]];
      problem.R(row, n_C + r) = side == 0 ? 1.0 : -1.0;
      problem.row_lower[row] = 0.0;
    }
  }
  // t ± τ_j ≥ 0.
  const Index first = n_x + 2 * n_R;
  problem.R.block(first, 0, n_theta, k) = grasp.J.transpose();
  problem.R.block(first + n_theta, 0, n_theta, k) = -grasp.J.transpose();
  problem.R.col(k).tail(2 * n_theta).setOnes();
  problem.row_lower.tail(2 * n_theta).setZero();

  const lp::LpSolution solution = lp::solve_lp(problem);
  SqueezeEffort out;
  out.status = solution.status;
  if (!out.ok()) return out;
  out.lambda = solution.z.head(k);
  out.tau = grasp.J.transpose() * out.lambda;
  out.largest = out.tau.cwiseAbs().maxCoeff();
  return out;
}

}  // namespace enfold::closure
