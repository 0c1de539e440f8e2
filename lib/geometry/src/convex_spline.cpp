// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/geometry/convex_spline.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "enfold/base/require.hpp"

namespace enfold::geometry {
namespace {

constexpr double kPi = std::numbers::pi;

double cross(const Vector2d& a, const Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}
Vector2d slope(const std::array<Vector2d, 4>& c, double s) {
  return c[1] + s * (2.0 * c[2] + 3.0 * s * c[3]);
}
Vector2d bend(const std::array<Vector2d, 4>& c, double s) {
  return 2.0 * c[2] + 6.0 * s * c[3];
}

/// Smallest p′ × p″ on a piece. It is a quadratic in s: the cubic terms of p′ and p″ are parallel.
double least_turning(const std::array<Vector2d, 4>& c) {
  const auto f = [&](double s) { return cross(slope(c, s), bend(c, s)); };
  // f = 2 c₁×c₂ + 6 s c₁×c₃ + 6 s² c₂×c₃
  const double s = -0.5 * cross(c[1], c[3]) / cross(c[2], c[3]);
  const double ends = std::min(f(0.0), f(1.0));
  return std::isfinite(s) && s > 0.0 && s < 1.0 ? std::min(ends, f(s)) : ends;
}

}  // namespace

ConvexSpline::ConvexSpline(std::vector<Vector2d> points) : points_{std::move(points)} {
  const std::size_t n = points_.size();
  ENFOLD_REQUIRE(n >= 3, "ConvexSpline: {} points, expected at least three", n);
  for (std::size_t i = 0; i < n; ++i) {
    ENFOLD_REQUIRE(points_[i].allFinite(), "ConvexSpline: point {} is not finite", i);
    for (std::size_t j = 0; j < i; ++j) length_ = std::max(length_, 0.5 * (points_[i] - points_[j]).norm());
  }
  const auto N = static_cast<Index>(n);
  const auto at = [&](Index i) -> const Vector2d& { return points_[static_cast<std::size_t>((i + N) % N)]; };
  VectorXd chord(N);
  for (Index i = 0; i < N; ++i) {
    chord[i] = (at(i + 1) - at(i)).norm();
    ENFOLD_REQUIRE(chord[i] > 1e-9 * length_, "ConvexSpline: points {} and {} are at the same place", i,
                   (i + 1) % N);
  }
  // Slopes m_i by chord length from continuous second derivatives.
  MatrixXd A = MatrixXd::Zero(N, N);
  MatrixXd b(N, 2);
  for (Index i = 0; i < N; ++i) {
    const Index before = (i + N - 1) % N;
    const double left = chord[before];
    const double right = chord[i];
    A(i, before) += right;
    A(i, i) += 2.0 * (left + right);
    A(i, (i + 1) % N) += left;
    b.row(i) = (3.0 * (right / left * (at(i) - at(i - 1)) + left / right * (at(i + 1) - at(i)))).transpose();
  }
  const MatrixXd m = A.partialPivLu().solve(b);
  double turned = 0.0;
  for (Index i = 0; i < N; ++i) {
    const Vector2d before = chord[i] * m.row(i).transpose();
    const Vector2d after = chord[i] * m.row((i + 1) % N).transpose();
    const Vector2d step = at(i + 1) - at(i);
    Piece piece;
    piece.c = {at(i), before, 3.0 * step - 2.0 * before - after, before + after - 2.0 * step};
    piece.from = std::atan2(before.y(), before.x()) - kPi / 2;
    const double turn = std::atan2(cross(before, after), before.dot(after));
    // ρ up to a thousand times the size: beyond, the piece is straight for all that contact can tell.
    ENFOLD_REQUIRE(least_turning(piece.c) * 1e3 * length_ > std::pow(before.norm(), 3) && turn > 0.0,
                   "ConvexSpline: the spline is not convex, or straight, between points {} and {}; move them "
                   "outwards, add points between them, or use a polygon with rounded corners",
                   i, (i + 1) % N);
    turned += turn;
    pieces_.push_back(piece);
  }
  ENFOLD_REQUIRE(std::abs(turned - 2.0 * kPi) < 1.0,
                 "ConvexSpline: the points go around {:.3g} times, expected once, counter-clockwise",
                 turned / (2.0 * kPi));
  // Normal angles increase from piece to piece; the first may begin anywhere.
  for (std::size_t i = 1; i < n; ++i) {
    while (pieces_[i].from < pieces_[i - 1].from) pieces_[i].from += 2.0 * kPi;
  }
}

Support ConvexSpline::support(double beta) const {
  const double first = pieces_.front().from;
  double angle = first + std::fmod(beta - first, 2.0 * kPi);
  if (angle < first) angle += 2.0 * kPi;
  auto after = std::upper_bound(pieces_.begin(), pieces_.end(), angle,
                                [](double a, const Piece& piece) { return a < piece.from; });
  const Piece& piece = after == pieces_.begin() ? pieces_.front() : *(after - 1);
  const Vector2d u{std::cos(beta), std::sin(beta)};
  const Vector2d u_perp{-u.y(), u.x()};
  // u·p′ falls through zero from its start, where the normal is behind u, to its end.
  const double k0 = u.dot(piece.c[1]);
  const double k1 = 2.0 * u.dot(piece.c[2]);
  const double k2 = 3.0 * u.dot(piece.c[3]);
  const double root = std::sqrt(std::max(0.0, k1 * k1 - 4.0 * k0 * k2));
  // Of the two roots the one where k1 + 2 k2 s = −root; in the form that does not cancel.
  const double s = k1 <= 0.0 ? 2.0 * k0 / (root - k1) : (-k1 - root) / (2.0 * k2);
  const double parameter = std::clamp(std::isfinite(s) ? s : 0.0, 0.0, 1.0);
  const Vector2d p =
      piece.c[0] + parameter * (piece.c[1] + parameter * (piece.c[2] + parameter * piece.c[3]));
  const Vector2d dp = slope(piece.c, parameter);
  const double rho = std::pow(dp.norm(), 3) / cross(dp, bend(piece.c, parameter));
  const double h = u.dot(p);
  return {h, u_perp.dot(p), rho - h};
}

}  // namespace enfold::geometry
