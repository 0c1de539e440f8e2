// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "enfold/control/plan.hpp"

namespace enfold::planners {

/// Rest to rest through via points with the least jerk.                                  [eq:minimum-jerk]
///
///     min ∫ Σ_i w_i² x⃛_i² dt   s.t.   x(t_j) = x_j,   ẋ = ẍ = 0 at both ends
///
/// Quintics between the points that meet with continuous derivatives up to the fourth; without via points it
/// is the Quintic. [Flash & Hogan 1985]
class MinimumJerk final : public control::Trajectory {
 public:
  /// Through points.size() ≥ 2 points at given times, the first 0.
  /// @pre one size, times increasing, as many as points (throws InvalidArgument)
  MinimumJerk(std::vector<VectorXd> points, std::vector<double> times);

  /// The times that cost the least jerk for a duration; starts from times by distance. Coordinates are
  /// multiplied by `weights` [1/m], [1/rad], … to compare them; empty: ones.
  [[nodiscard]] static MinimumJerk with_best_times(std::vector<VectorXd> points, double duration,
                                                   const VectorXd& weights = {});

  [[nodiscard]] double duration() const override { return times_.back(); }
  void sample(double t, control::Reference& out) const override;
  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  /// Of each segment: n × 6, in powers of its time from 0 to 1.
  [[nodiscard]] const std::vector<MatrixXd>& coefficients() const { return coefficients_; }
  /// ∫ Σ w² x⃛² dt.
  [[nodiscard]] double cost(const VectorXd& weights = {}) const;

 private:
  std::vector<VectorXd> points_;
  std::vector<double> times_;
  std::vector<MatrixXd> coefficients_;
};

}  // namespace enfold::planners
