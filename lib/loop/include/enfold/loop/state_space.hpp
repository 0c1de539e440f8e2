// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <span>

#include "enfold/base/types.hpp"

namespace enfold::loop {

/// A linear system with inputs w and outputs y of the same number, made to be closed by w = y:
///
///     ẋ = A x + B w  (period 0),  or  x⁺ = A x + B w;    y = C x + D w
struct StateSpace {
  MatrixXd A, B, C, D;
  double period = 0.0;  ///< of sampling [s]; 0: continuous

  [[nodiscard]] Index states() const { return A.rows(); }
  [[nodiscard]] Index channels() const { return B.cols(); }
  [[nodiscard]] bool sampled() const { return period > 0.0; }

  /// H = C (p I − A)⁻¹ B + D at p = s, or at p = z if sampled.
  [[nodiscard]] Eigen::MatrixXcd response(std::complex<double> p) const;
  /// H at the frequency ω [rad/s]: p = iω, or e^{iωT}.
  [[nodiscard]] Eigen::MatrixXcd at_frequency(double omega) const;

  /// Closed by w = gain·y: its state matrix. @pre I − gain·D is regular (throws InvalidArgument)
  [[nodiscard]] MatrixXd closed(double gain = 1.0) const;
  /// The channels that are not named closed by w = y; the named ones are left, in the order named.
  /// @pre numbers of channels; as above (throws InvalidArgument)
  [[nodiscard]] StateSpace open_at(std::span<const Index> channels) const;
  /// One more period of delay before the named outputs. @pre sampled (throws InvalidArgument)
  [[nodiscard]] StateSpace delayed(std::span<const Index> channels) const;
};

/// e^{A t} and ∫₀ᵗ e^{A s} ds B, both from one matrix exponential. [eq:zero-order-hold]
struct Held {
  MatrixXd Phi, Gamma;
};
/// @pre t ≥ 0, sizes agree (throws InvalidArgument)
[[nodiscard]] Held zero_order_hold(const MatrixXd& A, const MatrixXd& B, double t);

}  // namespace enfold::loop
