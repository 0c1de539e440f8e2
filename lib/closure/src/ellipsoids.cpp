// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/closure/ellipsoids.hpp"

#include <Eigen/SVD>
#include <cmath>

#include "enfold/base/require.hpp"

namespace enfold::closure {

GraspEllipsoids grasp_ellipsoids(const grasp::GraspMatrices& grasp, Index n_force, double length) {
  const Index n_x = grasp.G_tilde.rows();
  const Index n_theta = grasp.J_tilde.cols();
  ENFOLD_REQUIRE(std::isfinite(length) && length > 0.0 && n_force >= 0 && n_force <= n_x,
                 "grasp_ellipsoids: length is {} m with {} translations of {} coordinates", length, n_force,
                 n_x);
  VectorXd scale = VectorXd::Constant(n_x, length);
  scale.head(n_force).setOnes();

  // All motions that keep the contacts: the null space of W̃ᵀ = [G̃ᵀ −J̃], rotations times the length.
  MatrixXd constraint(grasp.k(), n_x + n_theta);
  constraint << grasp.G_tilde.transpose() * scale.cwiseInverse().asDiagonal(), -grasp.J_tilde;
  const Eigen::JacobiSVD<MatrixXd> svd(constraint, Eigen::ComputeFullV);
  const double largest = svd.singularValues().size() > 0 ? svd.singularValues()[0] : 0.0;
  const Index rank = (svd.singularValues().array() > 1e-10 * largest).count();
  const MatrixXd motions = svd.matrixV().rightCols(n_x + n_theta - rank);

  GraspEllipsoids out;
  out.velocity.axes = out.force.axes = MatrixXd(n_x, 0);
  if (motions.cols() == 0) return out;  // the contacts lock everything

  // Motions with θ̇ = 0 leave the ball of joint rates; the others are scaled to it.
  const Eigen::JacobiSVD<MatrixXd> joints(motions.bottomRows(n_theta),
                                          Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Index moving = (joints.singularValues().array() > 1e-10).count();
  out.free_motions = motions.cols() - moving;
  const MatrixXd by_rate = motions.topRows(n_x) * joints.matrixV().leftCols(moving) *
                           joints.singularValues().head(moving).cwiseInverse().asDiagonal();
  const Eigen::JacobiSVD<MatrixXd> ellipsoid(by_rate, Eigen::ComputeThinU);
  const VectorXd& radii = ellipsoid.singularValues();
  const Index freedoms = radii.size() == 0 ? 0 : (radii.array() > 1e-10 * radii[0]).count();
  out.velocity.axes = ellipsoid.matrixU().leftCols(freedoms);
  out.velocity.radii = radii.head(freedoms);
  out.force.axes = out.velocity.axes.rowwise().reverse();
  out.force.radii = out.velocity.radii.cwiseInverse().reverse();
  return out;
}

}  // namespace enfold::closure
