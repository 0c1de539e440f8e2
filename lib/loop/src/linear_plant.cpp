// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/loop/linear_plant.hpp"

#include <Eigen/Dense>
#include <algorithm>

#include "derivative.hpp"
#include "enfold/base/require.hpp"
#include "enfold/grasp/motion_coordinates.hpp"
#include "held_matrices.hpp"

namespace enfold::loop {
namespace {

// Curvatures are about 10 per metre: the first step of all differences, which extrapolation refines [m, rad].
constexpr double kStep = 2e-3;

/// q̇ of a velocity: what a step along it adds to q.
VectorXd rate(const HeldGrasp& grasp, const VectorXd& v) {
  VectorXd out(grasp.mechanism->n_q());
  grasp.mechanism->configuration_rate(grasp.q, v, out);
  return out;
}

}  // namespace

HeldMotion held_motion(const HeldGrasp& grasp) {
  ENFOLD_REQUIRE(grasp.mechanism && grasp.contacts, "held grasp: there is no mechanism or no contact set");
  const HeldMatrices at = held_matrices(grasp, grasp.q);
  const Index n_x = grasp.mechanism->n_x();
  const Index n_v = grasp.mechanism->n_v();
  const MatrixXd M_o = at.dynamics.M.topLeftCorner(n_x, n_x);
  HeldMotion out;
  out.coordinates = grasp.coordinates;
  grasp::ObjectFreedom freedom = grasp::object_freedom(at.grasp, M_o, out.coordinates);
  if (out.coordinates.empty()) {
    out.coordinates = grasp::best_coordinates(freedom, M_o);
    std::sort(out.coordinates.begin(), out.coordinates.end());
    freedom = grasp::object_freedom(at.grasp, M_o, out.coordinates);
  }
  const auto n_xi = static_cast<Index>(out.coordinates.size());
  ENFOLD_REQUIRE(
      n_xi == freedom.rank && freedom.independence > 1e-9,
      "held grasp: {} coordinates are named, the object has {} motions, and independence is {:.1e}", n_xi,
      freedom.rank, freedom.independence);
  grasp::MotionCoordinates motion;
  motion.compute(at.grasp, out.coordinates);
  const Index m = n_xi + motion.n_eta();
  out.Z.resize(n_v, m);
  out.L = MatrixXd::Zero(m, n_v);
  const VectorXd held = VectorXd::Zero(at.grasp.k());
  VectorXd column;
  for (Index i = 0; i < n_xi; ++i) {
    motion.solve(held, VectorXd::Unit(n_xi, i), column);
    out.Z.col(i) = column;
    out.L(i, out.coordinates[static_cast<std::size_t>(i)]) = 1.0;
  }
  out.Z.rightCols(motion.n_eta()) = motion.self_motion();
  out.L.bottomRows(motion.n_eta()) = motion.self_motion().transpose();
  return out;
}

LinearPlant linear_plant(const HeldGrasp& grasp, const VectorXd& tau) {
  const HeldMotion motion = held_motion(grasp);
  LinearPlant out;
  out.Z = motion.Z;
  out.L = motion.L;
  out.coordinates = motion.coordinates;
  out.at = held_forces(grasp, grasp.q, tau);
  const Index n_v = grasp.mechanism->n_v();
  const Index n_theta = tau.size();
  const Index n_f = out.at.forces.size();
  const Index m = out.m();

  out.A.setZero(2 * m, 2 * m);
  out.A.topRightCorner(m, m).setIdentity();
  out.C.setZero(n_f, 2 * m);
  for (Index i = 0; i < m; ++i) {
    const VectorXd along = rate(grasp, out.Z.col(i));
    const Derivative slope = derivative(
        [&](double step) {
          const HeldForces there = held_forces(grasp, grasp.q + step * along, tau);
          VectorXd both(m + n_f);
          both << out.L * there.v_dot, there.forces;
          return both;
        },
        kStep);
    out.A.col(i).tail(m) = slope.value.head(m);
    out.C.col(i) = slope.value.tail(n_f);
    out.error = std::max(out.error, slope.error);
  }

  const HeldMatrices at = held_matrices(grasp, grasp.q);
  MatrixXd right = MatrixXd::Zero(n_v + at.grasp.k(), n_theta);
  right.middleRows(n_v - n_theta, n_theta).setIdentity();
  const MatrixXd by_torque = at.kkt.solve(right);
  out.B.setZero(2 * m, n_theta);
  out.B.bottomRows(m) = out.L * by_torque.topRows(n_v);
  out.D = spread(grasp, at.grasp, by_torque.bottomRows(at.grasp.k()));
  return out;
}

VectorXd moved(const HeldGrasp& grasp, const HeldMotion& motion, const VectorXd& z) {
  HeldGrasp there = grasp;
  there.q = grasp.q + rate(grasp, motion.Z * z);
  const Index n_xi = static_cast<Index>(motion.coordinates.size());
  grasp::MotionCoordinates split;
  VectorXd correction;
  for (int i = 0; i < 8; ++i) {
    const HeldMatrices at = held_matrices(there, there.q);
    VectorXd rows = VectorXd::Zero(at.grasp.k());
    for (Index c = 0; c < at.grasp.n_C(); ++c) {
      const bool slides = c < at.grasp.n_S();
      const auto number = static_cast<std::size_t>(slides ? c : c - at.grasp.n_S());
      rows[c] = -at.gap[slides ? at.grasp.sliding[number] : at.grasp.rolling[number]];
    }
    if (rows.size() == 0 || rows.lpNorm<Eigen::Infinity>() < 1e-15) break;
    split.compute(at.grasp, motion.coordinates);
    split.solve(rows, VectorXd::Zero(n_xi), correction);
    there.q += rate(there, correction);
  }
  return there.q;
}

}  // namespace enfold::loop
