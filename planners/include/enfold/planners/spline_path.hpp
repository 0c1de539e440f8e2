// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "enfold/control/plan.hpp"

namespace enfold::planners {

/// Rest to rest along a polygon whose corners it rounds, by a B-spline of degree five.      [eq:spline-path]
///
///     x(t) = Σ_i B_i(t) P_i,   ẋ(t) = Σ_i c_i(t) (P_{i+1} − P_i),   c_i ≥ 0,   five of them at most > 0
///
/// The control points P_i lie on the polygon, at the progress of a Quintic for equal steps of time; the first
/// three are its start, the last three its end. Hence the velocity is always between the directions of edges
/// that follow one another: with enough pieces of one edge, or of the two that meet in a corner.
class SplinePath final : public control::Trajectory {
 public:
  /// @param corners of the polygon, with start and end
  /// @param lengths of its edges, as they are to be travelled; by default in the coordinates themselves
  /// @pre at least two corners of one size, edges longer than 0, pieces ≥ 1, duration > 0 (throws
  /// InvalidArgument)
  SplinePath(const std::vector<VectorXd>& corners, const std::vector<double>& lengths, int pieces,
             double duration);

  [[nodiscard]] double duration() const override { return duration_; }
  void sample(double t, control::Reference& out) const override;
  /// Of each piece, all of one duration: n × 6, in powers of its time from 0 to 1.
  [[nodiscard]] const std::vector<MatrixXd>& coefficients() const { return coefficients_; }
  /// The same path in another time.
  [[nodiscard]] SplinePath in(double duration) const;

 private:
  std::vector<MatrixXd> coefficients_;
  MatrixXd to_rest_;  // of the last piece, in powers of the part that is left: velocity and acceleration fade
  double duration_;
};

/// Paths one after the other, with a rest between two of them.
class StagedPath final : public control::Trajectory {
 public:
  /// @pre at least one leg (throws InvalidArgument)
  explicit StagedPath(std::vector<SplinePath> legs);

  [[nodiscard]] double duration() const override { return until_.back(); }
  /// At a stop, of the leg that ends there.
  void sample(double t, control::Reference& out) const override;
  [[nodiscard]] std::vector<double> rests() const override;
  [[nodiscard]] const std::vector<SplinePath>& legs() const { return legs_; }
  /// The same path in another time, every leg with its share.
  [[nodiscard]] StagedPath in(double duration) const;

 private:
  std::vector<SplinePath> legs_;
  std::vector<double> until_;  // when each leg ends [s]
};

}  // namespace enfold::planners
