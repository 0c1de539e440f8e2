// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/grasp/internal_forces.hpp"

#include <algorithm>

#include "enfold/base/require.hpp"

namespace enfold::grasp {

void InternalForces::compute(const MatrixXd& G) {
  const Index k = G.cols();
  const Index n_x = G.rows();
  ENFOLD_REQUIRE(k >= n_x, "InternalForces: G is {} × {}; fewer contact forces than object coordinates", n_x,
                 k);
  if (transposed_.rows() != k || transposed_.cols() != n_x) {
    transposed_.resize(k, n_x);
    qr_ = Eigen::HouseholderQR<MatrixXd>(k, n_x);
    basis_.resize(k, k - n_x);
    turned_.resize(k, k - n_x);
    overlap_.resize(k - n_x, k - n_x);
    rotation_.resize(k - n_x, k - n_x);
    if (k - n_x > 1) {
      svd_ = Eigen::JacobiSVD<MatrixXd>(k - n_x, k - n_x, Eigen::ComputeFullU | Eigen::ComputeFullV);
    }
    workspace_.resize(std::max<Index>(k - n_x, 1));
    rhs_.resize(n_x);
    column_.resize(k, 1);
  }
  transposed_ = G.transpose();
  qr_.compute(transposed_);
  basis_.setZero();
  basis_.bottomRows(k - n_x).setIdentity();
  qr_.householderQ().applyThisOnTheLeft(basis_, workspace_);
}

void InternalForces::align(const MatrixXd& reference) {
  ENFOLD_REQUIRE(reference.rows() == basis_.rows() && reference.cols() == basis_.cols(),
                 "InternalForces::align: reference is {} × {}, the basis {} × {}", reference.rows(),
                 reference.cols(), basis_.rows(), basis_.cols());
  if (p() == 0) return;
  if (p() == 1) {
    if (basis_.col(0).dot(reference.col(0)) < 0.0) basis_ = -basis_;
    return;
  }
  // Products are lazy because the others may take a temporary from the heap.
  overlap_ = basis_.transpose().lazyProduct(reference);
  svd_.compute(overlap_);
  rotation_ = svd_.matrixU().lazyProduct(svd_.matrixV().transpose());
  turned_ = basis_.lazyProduct(rotation_);
  basis_ = turned_;
}

void InternalForces::align_to_squeeze(Index n_N) {
  ENFOLD_REQUIRE(n_N >= 0 && n_N <= basis_.rows(),
                 "InternalForces::align_to_squeeze: {} normal forces of {} forces", n_N, basis_.rows());
  if (p() == 1 && basis_.col(0).head(n_N).sum() < 0.0) basis_ = -basis_;
}

void InternalForces::particular(const VectorXd& w, VectorXd& lambda) const {
  // Gᵀ = Q R, so that λ = Q R⁻ᵀ w is the solution of G λ = w in the range of Gᵀ.
  const Index n_x = transposed_.cols();
  ENFOLD_REQUIRE(w.size() == n_x, "InternalForces::particular: wrench has {} entries, expected {}", w.size(),
                 n_x);
  rhs_ = w;
  qr_.matrixQR().topRows(n_x).triangularView<Eigen::Upper>().transpose().solveInPlace(rhs_);
  // Applied to a matrix of one column: on a vector Eigen's reflections allocate.
  column_.setZero();
  column_.topRows(n_x) = rhs_;
  qr_.householderQ().applyThisOnTheLeft(column_, column_workspace_);
  lambda = column_.col(0);
}

double InternalForces::rank_ratio() const {
  const auto diagonal = qr_.matrixQR().diagonal().cwiseAbs();
  return diagonal.size() == 0 ? 1.0 : diagonal.minCoeff() / diagonal.maxCoeff();
}

}  // namespace enfold::grasp
