// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/robust_forces.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "enfold/base/require.hpp"

namespace enfold::planners {

void ForceCauses::set(const MotionPoint& at, Index n_x) {
  ENFOLD_REQUIRE(at.ok(), "ForceCauses: the motion is not followed there: {}", at.reason);
  ENFOLD_REQUIRE(n_x > 0 && n_x < at.dynamics.M.rows(), "ForceCauses: {} velocities of the object of {}", n_x,
                 at.dynamics.M.rows());
  motion_ = &at;
  n_x_ = n_x;
  const Index n_v = at.dynamics.M.rows();
  W_tilde_ = at.grasp.W_tilde();
  M_inverse_ = at.dynamics.M.llt().solve(MatrixXd::Identity(n_v, n_v));
  bias_ = at.grasp.bias;
  free_ = W_tilde_.transpose() * (M_inverse_ * at.dynamics.h) - bias_;
}

CausedForces ForceCauses::at(const VectorXd& mu) const {
  ENFOLD_REQUIRE(motion_ != nullptr, "ForceCauses: set() comes first; there is no state");
  grasp::assemble(motion_->kinematics, motion_->modes, mu, n_x_, grasp_);
  const MatrixXd moved = W_tilde_.transpose() * M_inverse_;
  const Eigen::PartialPivLU<MatrixXd> K(moved * grasp_.W());
  CausedForces out;
  out.by_tau = -K.solve(moved.rightCols(moved.cols() - n_x_));
  out.by_wrench = -K.solve(moved.leftCols(n_x_));
  out.offset = K.solve(free_);
  return out;
}

}  // namespace enfold::planners
