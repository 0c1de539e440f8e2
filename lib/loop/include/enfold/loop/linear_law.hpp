// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/control/controller.hpp"
#include "enfold/loop/linear_plant.hpp"

namespace enfold::loop {

/// What a law answers to small deviations of its readings, whatever the law is.             [eq:linear-law]
///
///     δτ = K_x x + K_f δλ + K_I δI,   δİ = N_x x + N_f δλ + N_I δI,   x = [z ; ż]
///
/// Each column is the derivative of evaluate() along one reading, by extrapolated central differences.
struct LinearLaw {
  MatrixXd K_x, K_f, K_I;  ///< n_θ rows
  MatrixXd N_x, N_f, N_I;  ///< n_integrals rows
  VectorXd tau;            ///< at the configuration itself [N·m]
  VectorXd rate;           ///< of the integrals, there
  bool singular = false;   ///< the law refused one of the states it was asked about
  double error = 0.0;      ///< of the entries, estimated
};

/// @param integral  values of the law's integrals
/// @param forces    readings [λ_N ; λ_T]
[[nodiscard]] LinearLaw linear_law(control::Controller& law, const HeldGrasp& grasp, const MatrixXd& Z,
                                   const VectorXd& integral, const VectorXd& forces);

}  // namespace enfold::loop
