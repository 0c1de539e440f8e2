// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/loop/held_grasp.hpp"

#include <Eigen/Dense>

#include "enfold/base/require.hpp"
#include "enfold/grasp/internal_forces.hpp"
#include "held_matrices.hpp"

namespace enfold::loop {

HeldMatrices held_matrices(const HeldGrasp& grasp, const VectorXd& q) {
  const VectorXd rest = VectorXd::Zero(grasp.mechanism->n_v());
  contact::ContactKinematics kinematics;
  HeldMatrices out;
  grasp.contacts->kinematics(q, rest, kinematics);
  grasp.mechanism->dynamics(q, rest, out.dynamics);
  grasp::assemble(kinematics, grasp.modes, grasp.mu, grasp.mechanism->n_x(), out.grasp);
  out.gap = kinematics.gap;
  const Index n = rest.size();
  const Index k = out.grasp.k();
  MatrixXd kkt = MatrixXd::Zero(n + k, n + k);
  kkt.topLeftCorner(n, n) = out.dynamics.M;
  kkt.topRightCorner(n, k) = -out.grasp.W();
  kkt.bottomLeftCorner(k, n) = out.grasp.W_tilde().transpose();
  out.kkt.compute(kkt);
  ENFOLD_REQUIRE(out.kkt.rcond() > 1e-13,
                 "held grasp: the contact forces at this pose are not determined (rcond {:.1e}): too many "
                 "contacts hold, or friction couples motion and force (det A = 0)",
                 out.kkt.rcond());
  return out;
}

MatrixXd spread(const HeldGrasp& grasp, const grasp::GraspMatrices& matrices, const MatrixXd& stacked) {
  const Index n_C = grasp.mu.size();
  MatrixXd out(2 * n_C, stacked.cols());
  VectorXd lambda_N;
  VectorXd lambda_T;
  for (Index j = 0; j < stacked.cols(); ++j) {
    grasp::spread_forces(matrices, grasp.modes, grasp.mu, stacked.col(j), lambda_N, lambda_T);
    out.col(j) << lambda_N, lambda_T;
  }
  return out;
}

HeldForces held_forces(const HeldGrasp& grasp, const VectorXd& q, const VectorXd& tau) {
  const HeldMatrices at = held_matrices(grasp, q);
  const Index n = grasp.mechanism->n_v();
  ENFOLD_REQUIRE(tau.size() == grasp.mechanism->n_theta(), "held grasp: {} torques for {} joints", tau.size(),
                 grasp.mechanism->n_theta());
  VectorXd right = VectorXd::Zero(n + at.grasp.k());
  right.head(n) = -at.dynamics.h;
  right.segment(n - tau.size(), tau.size()) += tau;
  if (grasp.load) {
    VectorXd load = VectorXd::Zero(n);
    grasp.load->generalised_force(grasp.time, q, load);
    right.head(n) += load;
  }
  const VectorXd solution = at.kkt.solve(right);
  return {solution.head(n), spread(grasp, at.grasp, solution.tail(at.grasp.k()))};
}

control::Plan resting_plan(const HeldGrasp& grasp, const control::PlanPoint& point) {
  const HeldMatrices at = held_matrices(grasp, grasp.q);
  const Index n_x = grasp.mechanism->n_x();
  grasp::InternalForces internal;
  internal.compute(at.grasp.G);
  ENFOLD_REQUIRE(point.G_null.rows() == at.grasp.k() && point.G_null.cols() == internal.p() &&
                     point.alpha_des.size() == internal.p(),
                 "resting_plan: G° is {} × {} with {} magnitudes, expected {} × {}", point.G_null.rows(),
                 point.G_null.cols(), point.alpha_des.size(), at.grasp.k(), internal.p());
  internal.align(point.G_null);
  VectorXd wrench = at.dynamics.h.head(n_x);
  if (grasp.load) {
    VectorXd load = VectorXd::Zero(grasp.mechanism->n_v());
    grasp.load->generalised_force(grasp.time, grasp.q, load);
    wrench -= load.head(n_x);
  }
  VectorXd lambda;
  internal.particular(wrench, lambda);
  lambda += internal.basis() * point.alpha_des;

  control::PlanPoint out = point;
  out.time = 0.0;
  out.modes = grasp.modes;
  out.G_null = internal.basis();
  out.theta = grasp.q.tail(grasp.mechanism->n_theta());
  out.theta_dot = out.theta_ddot = VectorXd::Zero(out.theta.size());
  grasp::spread_forces(at.grasp, grasp.modes, grasp.mu, lambda, out.lambda_N, out.lambda_T);
  out.tau = at.dynamics.h.tail(out.theta.size()) + at.grasp.J.transpose() * lambda;
  return {{out}};
}

}  // namespace enfold::loop
