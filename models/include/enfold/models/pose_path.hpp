// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/interval/dual.hpp"

namespace enfold::models {

/// What holds the object's pose on a stretch of its path.
struct HeldPose {
  std::array<interval::Dual, 3> x;  ///< values, and derivatives by s
  interval::Interval s;             ///< the values of s
};

/// A path of the object's pose over a parameter u that rises with time, for proofs about whole stretches.
///
/// Derivatives are by s, which rises with u as well. The two differ where a motion starts from rest: there
/// the derivative by time is zero, and has no direction, while x as a function of s = u³ leaves with one.
class PosePath {
 public:
  virtual ~PosePath() = default;
  /// @pre u within the path (throws InvalidArgument)
  [[nodiscard]] virtual HeldPose over(const interval::Interval& u) const = 0;
};

/// x(u) = x₀ + u (x₁ − x₀), u ∈ [0, 1], s = u.
class StraightPath final : public PosePath {
 public:
  /// @pre poses of three finite numbers (throws InvalidArgument)
  StraightPath(const VectorXd& from, const VectorXd& to);
  [[nodiscard]] HeldPose over(const interval::Interval& u) const override;

 private:
  Eigen::Vector3d from_, to_;
};

/// A circle or a spiral about a centre, the angle in a straight line; s = u ∈ [0, 1].     [eq:round-path]
///
///     (x, y) = c + (r₀ + (r₁ − r₀) u) R(2π·turns·u) d₀,   d₀ = ((x₀, y₀) − c)/r₀
class SpiralPath final : public PosePath {
 public:
  /// @pre three finite numbers, from apart from the centre, radius_to ≥ 0 (throws InvalidArgument)
  SpiralPath(const VectorXd& from, const Vector2d& centre, double turns, double radius_to, double phi_to);
  [[nodiscard]] HeldPose over(const interval::Interval& u) const override;

 private:
  Eigen::Vector3d from_;
  Vector2d centre_, offset_;  // offset: from the centre to the start
  double turns_, radius_, radius_to_, phi_to_;
};

/// Polynomials of degree five, one after the other, from rest to rest; u = number of the piece + the part of
/// it that is over.                                                                       [eq:minimum-jerk]
///
/// Next to the start s = u³, next to the end s = const − w³ with w the part that is left, else ds/du = 1.
class PolynomialPath final : public PosePath {
 public:
  /// @param pieces coefficients of each piece in powers of its part u ∈ [0, 1], 3 × 6
  /// @pre at least one piece, finite; velocity and acceleration vanish at both ends to 1e-9 of the path's
  /// size (throws InvalidArgument)
  explicit PolynomialPath(const std::vector<MatrixXd>& pieces);
  [[nodiscard]] HeldPose over(const interval::Interval& u) const override;

 private:
  enum class Kind { kFromRest, kMoving, kToRest };
  /// Powers of u − u_start, or of u_end − u next to the end.
  struct Section {
    Kind kind;
    double from, to;   // of u
    double s_at_rest;  // s where its power series starts
    Eigen::Matrix<double, 3, 6> c;
  };
  [[nodiscard]] static HeldPose hold(const Section& section, const interval::Interval& u);

  std::vector<Section> sections_;
};

}  // namespace enfold::models
