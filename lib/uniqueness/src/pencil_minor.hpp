// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "enfold/base/types.hpp"

namespace enfold::uniqueness::detail {

/// What one minor does along the ray, up to its first change of sign.
struct MinorLoss {
  std::optional<double> crossing;  ///< the first r at which the minor turns negative
  std::vector<double> touches;     ///< where it is zero without turning, before that
  double proved_to = 0.0;          ///< positive up to here, touches apart
};

/// The minor r ↦ det(P_SS + r Q_SS) of one index set at a time, in extended precision.
class PencilMinor {
 public:
  PencilMinor(const MatrixXd& P, const MatrixXd& Q, double touch_tol);

  /// Chooses S by its binary number Σ 2^i.
  void select(std::uint32_t mask);

  /// Looks at 0 < r ≤ r_stop. @pre det P_SS > 0
  [[nodiscard]] MinorLoss first_loss(double r_stop);

 private:
  struct Value {
    long double det = 0;
    long double bound = 0;  // Hadamard's, from the columns
  };

  [[nodiscard]] std::vector<double> candidates() const;
  [[nodiscard]] Value value(long double r);
  [[nodiscard]] Value eliminate();
  [[nodiscard]] long double slope(long double r);
  [[nodiscard]] bool negative(long double r);
  [[nodiscard]] bool hidden(const Value& v) const;
  [[nodiscard]] double polish(double lo, double hi, double guess);
  [[nodiscard]] std::optional<double> minimum(double lo, double hi, double first, double last);

  const MatrixXd& P_;
  const MatrixXd& Q_;
  double touch_tol_;
  std::vector<Index> S_;
  std::vector<long double> work_;  // column-major |S| × |S|
};

}  // namespace enfold::uniqueness::detail
