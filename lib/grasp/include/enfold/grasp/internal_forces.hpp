// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Dense>

#include "enfold/base/types.hpp"

namespace enfold::grasp {

/// Splits contact forces into those that move the object and those that only squeeze it.       [eq:S4.9]
///
///     λ = G⁺ w + G° α,   G⁺ = Gᵀ(G Gᵀ)⁻¹,   G G° = 0,   (G°)ᵀ G° = I
///
/// With an orthonormal G° the squeeze is read off the forces without knowing ẍ: α = (G°)ᵀ λ.
/// Both parts come from one QR factorisation of Gᵀ. A basis is unique only up to a rotation, so that a basis
/// computed afresh at each instant makes α jump; align() turns it to a reference, e.g. that of the instant
/// before.
///
/// Allocates nothing while the size of G stays the same.
class InternalForces {
 public:
  /// @pre G has at least as many columns as rows (throws InvalidArgument)
  void compute(const MatrixXd& G);

  /// Turns the basis to the nearest one to `reference` (orthogonal Procrustes; a change of sign if p = 1).
  /// @pre reference is k × p (throws InvalidArgument)
  void align(const MatrixXd& reference);

  /// Turns p = 1 bases so that a positive α squeezes: the entries of the first n_N rows have a positive sum.
  /// @pre 0 ≤ n_N ≤ k (throws InvalidArgument)
  void align_to_squeeze(Index n_N);

  /// λ = G⁺ w. @pre G has full row rank; w has n_x entries (throws InvalidArgument)
  void particular(const VectorXd& w, VectorXd& lambda) const;

  [[nodiscard]] const MatrixXd& basis() const { return basis_; }  ///< G°, k × p
  [[nodiscard]] Index p() const { return basis_.cols(); }
  /// Smallest over largest entry on R's diagonal: near 0 where G loses rank.
  [[nodiscard]] double rank_ratio() const;

 private:
  Eigen::HouseholderQR<MatrixXd> qr_;
  MatrixXd transposed_;
  MatrixXd basis_;
  MatrixXd turned_;
  MatrixXd overlap_;
  MatrixXd rotation_;
  Eigen::JacobiSVD<MatrixXd> svd_;
  Eigen::RowVectorXd workspace_;
  mutable Eigen::RowVectorXd column_workspace_ = Eigen::RowVectorXd::Zero(1);
  mutable VectorXd rhs_;
  mutable MatrixXd column_;
};

}  // namespace enfold::grasp
