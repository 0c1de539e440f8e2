// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/sim/impact.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::sim {
namespace {

constexpr int kBisections = 40;

/// The impact with all e scaled; the answer with the least kinetic energy.
Impact collide(const ImpactProblem& problem, const Eigen::LLT<MatrixXd>& M_llt, FrictionProblem& friction,
               const VectorXd& bounce, double scale) {
  const Index m = problem.mu.size();
  const VectorXd u_N = problem.W_N.transpose() * problem.v;
  friction.c_N = u_N - scale * bounce;
  const FrictionSolution solved = solve_friction(friction);
  Impact best;
  best.status = solved.status;
  best.restitution_scale = scale;
  const double before = 0.5 * problem.v.dot(problem.M * problem.v);
  for (const FrictionAnswer& answer : solved.answers) {
    const VectorXd v = problem.v + M_llt.solve(problem.W_N * answer.lambda_N + problem.W_T * answer.lambda_T);
    const double change = 0.5 * v.dot(problem.M * v) - before;
    if (best.ok() && change >= best.energy_change) continue;
    best.v = v;
    best.impulse_N = answer.lambda_N;
    best.impulse_T = answer.lambda_T;
    best.energy_change = change;
  }
  if (m == 0) best.v = problem.v;
  return best;
}

}  // namespace

Impact solve_impact(const ImpactProblem& problem, const ImpactOptions& options) {
  const Index n_v = problem.v.size();
  const Index m = problem.mu.size();
  ENFOLD_REQUIRE(problem.M.rows() == n_v && problem.M.cols() == n_v && problem.W_N.rows() == n_v &&
                     problem.W_T.rows() == n_v && problem.W_N.cols() == m && problem.W_T.cols() == m &&
                     problem.restitution.size() == m,
                 "solve_impact: M is {} × {}, W_N {} × {}, W_T {} × {}, restitution {} for {} contacts and "
                 "{} velocities",
                 problem.M.rows(), problem.M.cols(), problem.W_N.rows(), problem.W_N.cols(),
                 problem.W_T.rows(), problem.W_T.cols(), problem.restitution.size(), m, n_v);
  ENFOLD_REQUIRE(m == 0 || (problem.restitution.minCoeff() >= 0.0 && problem.restitution.maxCoeff() <= 1.0),
                 "solve_impact: a restitution is outside 0 … 1");
  const Eigen::LLT<MatrixXd> M_llt(problem.M);
  ENFOLD_REQUIRE(M_llt.info() == Eigen::Success, "solve_impact: M is not positive definite");

  MatrixXd W(n_v, 2 * m);
  W << problem.W_N, problem.W_T;
  FrictionProblem friction;
  friction.D = W.transpose() * M_llt.solve(W);
  friction.c_T = problem.W_T.transpose() * problem.v;
  friction.mu = problem.mu;
  friction.freedom.assign(static_cast<std::size_t>(m), ContactFreedom::kStickOrSlip);
  VectorXd bounce = VectorXd::Zero(m);  // −e u_N of contacts that close fast enough
  for (Index i = 0; i < m; ++i) {
    const double closing = -problem.W_N.col(i).dot(problem.v);
    if (closing > options.rest_speed) bounce[i] = problem.restitution[i] * closing;
  }

  Impact impact = collide(problem, M_llt, friction, bounce, 1.0);
  const double energy = 0.5 * problem.v.dot(problem.M * problem.v);
  const auto creates = [&](const Impact& i) { return !i.ok() || i.energy_change > 1e-12 * energy; };
  if (!creates(impact) || bounce.isZero(0.0)) return impact;
  double good = 0.0;
  double bad = 1.0;
  impact = collide(problem, M_llt, friction, bounce, good);
  for (int k = 0; k < kBisections && impact.ok(); ++k) {
    const double middle = 0.5 * (good + bad);
    Impact next = collide(problem, M_llt, friction, bounce, middle);
    if (creates(next)) {
      bad = middle;
    } else {
      good = middle;
      impact = std::move(next);
    }
  }
  return impact;
}

}  // namespace enfold::sim
