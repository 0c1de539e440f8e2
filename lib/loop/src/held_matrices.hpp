// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/LU>

#include "enfold/grasp/grasp_matrices.hpp"
#include "enfold/loop/held_grasp.hpp"

namespace enfold::loop {

/// All that a held grasp is at one configuration, and the factorised equations of its accelerations and
/// forces.
struct HeldMatrices {
  mechanics::Dynamics dynamics;
  grasp::GraspMatrices grasp;
  VectorXd gap;                       // n_C
  Eigen::PartialPivLU<MatrixXd> kkt;  // [M −W ; W̃ᵀ 0]
};

/// @pre the matrix is regular (throws InvalidArgument)
[[nodiscard]] HeldMatrices held_matrices(const HeldGrasp& grasp, const VectorXd& q);

/// Columns of stacked forces as columns [λ_N ; λ_T].
[[nodiscard]] MatrixXd spread(const HeldGrasp& grasp, const grasp::GraspMatrices& matrices,
                              const MatrixXd& stacked);

}  // namespace enfold::loop
