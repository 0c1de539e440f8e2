// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "enfold/base/require.hpp"
#include "enfold/geometry/convex_curve.hpp"

namespace enfold::geometry {
namespace {

constexpr double kPi = std::numbers::pi;

Vector2d unit(double angle) {
  return {std::cos(angle), std::sin(angle)};
}

/// σ g and its first two derivatives.
struct Slope {
  double g, dg, d2g;
};
Slope slope_at(const ConvexCurve& curve, const Vector2d& p, double beta, double sigma) {
  const Support s = curve.support(beta);
  const Vector2d u = unit(beta);
  return {sigma * (u.dot(p) - s.h), sigma * (u.x() * p.y() - u.y() * p.x() - s.dh),
          sigma * (-u.dot(p) - s.d2h)};
}

/// Newton on the derivative of σ g, safeguarded by bisection. At a kink of h, where the derivative jumps
/// through zero, the bisection ends on the kink.
NearestPoint refine(const ConvexCurve& curve, const Vector2d& p, double sigma, double beta, double step) {
  double lo = beta - step;
  double hi = beta + step;
  double moved = step;
  for (int i = 0; i < 100; ++i) {
    const Slope s = slope_at(curve, p, beta, sigma);
    (s.dg > 0.0 ? lo : hi) = beta;
    const double newton = beta - s.dg / s.d2g;
    const bool between = s.d2g < 0.0 && (newton - lo) * (newton - hi) <= 0.0;
    // Across a kink Newton would go to and fro for ever: its steps must shrink.
    const double next = between && std::abs(newton - beta) <= 0.5 * moved ? newton : 0.5 * (lo + hi);
    moved = std::abs(next - beta);
    if (moved <= 1e-16 * (1.0 + std::abs(beta))) break;
    beta = next;
  }
  return {beta, sigma * slope_at(curve, p, beta, sigma).g};
}

/// The largest σ g on a grid, each of whose local maxima is refined.
template <int kSamples>
NearestPoint largest(const ConvexCurve& curve, const Vector2d& p, double sigma, double from, double step,
                     bool closed) {
  std::array<double, kSamples> g;
  for (int i = 0; i < kSamples; ++i)
    g[static_cast<std::size_t>(i)] = slope_at(curve, p, from + step * i, sigma).g;
  // What a point that is not finite keeps.
  NearestPoint best{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  double value = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < kSamples; ++i) {
    const auto at = [&](int k) { return g[static_cast<std::size_t>((k + kSamples) % kSamples)]; };
    const bool rises = (closed || i > 0) && at(i - 1) > at(i);
    const bool falls = (closed || i + 1 < kSamples) && at(i + 1) > at(i);
    if (rises || falls) continue;
    const NearestPoint found = refine(curve, p, sigma, from + step * i, step);
    if (sigma * found.separation > value) {
      value = sigma * found.separation;
      best = found;
    }
  }
  return best;
}

}  // namespace

NearestPoint nearest_point(const ConvexCurve& curve, const Vector2d& p) {
  constexpr int kSamples = 24;
  return largest<kSamples>(curve, p, 1.0, 0.0, 2.0 * kPi / kSamples, true);
}

NearestPoint farthest_point(const ConvexCurve& curve, const Vector2d& p, double beta, double half_range) {
  ENFOLD_REQUIRE(half_range > 0.0 && half_range <= kPi,
                 "farthest_point: half_range is {} rad, expected 0 … π", half_range);
  constexpr int kSamples = 65;
  NearestPoint found =
      largest<kSamples>(curve, p, -1.0, beta - half_range, 2.0 * half_range / (kSamples - 1), false);
  found.beta = std::clamp(found.beta, beta - half_range, beta + half_range);
  found.separation = slope_at(curve, p, found.beta, 1.0).g;
  return found;
}

double segment_separation(const ConvexCurve& curve, const Vector2d& p, const Vector2d& q) {
  const double along = std::atan2(q.y() - p.y(), q.x() - p.x());
  double best = -INFINITY;
  for (const double beta :
       {along + kPi / 2, along - kPi / 2, nearest_point(curve, p).beta, nearest_point(curve, q).beta}) {
    const Vector2d u = unit(beta);
    best = std::max(best, std::min(u.dot(p), u.dot(q)) - curve.support(beta).h);
  }
  return best;
}

}  // namespace enfold::geometry
