// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
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

/// The largest σ g between lo and hi: a scan, then Newton on its derivative, safeguarded by bisection. At a
/// kink of h, where the derivative jumps through zero, the bisection ends on the kink.
NearestPoint largest(const ConvexCurve& curve, const Vector2d& p, double sigma, double from, double step,
                     int n_samples) {
  double best = from;
  double value = slope_at(curve, p, from, sigma).g;
  for (int i = 1; i < n_samples; ++i) {
    const double g = slope_at(curve, p, from + step * i, sigma).g;
    if (g > value) {
      value = g;
      best = from + step * i;
    }
  }
  double lo = best - step;
  double hi = best + step;
  double beta = best;
  for (int i = 0; i < 100; ++i) {
    const Slope s = slope_at(curve, p, beta, sigma);
    (s.dg > 0.0 ? lo : hi) = beta;
    const double newton = s.d2g < 0.0 ? beta - s.dg / s.d2g : lo;
    const bool between = (newton - lo) * (newton - hi) < 0.0;
    const double next = newton == beta || between ? newton : 0.5 * (lo + hi);
    if (std::abs(next - beta) <= 1e-16 * (1.0 + std::abs(beta))) break;
    beta = next;
  }
  const double g = slope_at(curve, p, beta, sigma).g;
  return g >= value ? NearestPoint{beta, sigma * g} : NearestPoint{best, sigma * value};
}

}  // namespace

NearestPoint nearest_point(const ConvexCurve& curve, const Vector2d& p) {
  constexpr int kSamples = 24;
  return largest(curve, p, 1.0, 0.0, 2.0 * kPi / kSamples, kSamples);
}

NearestPoint farthest_point(const ConvexCurve& curve, const Vector2d& p, double beta, double half_range) {
  ENFOLD_REQUIRE(half_range > 0.0 && half_range <= kPi,
                 "farthest_point: half_range is {} rad, expected 0 … π", half_range);
  constexpr int kSamples = 17;
  NearestPoint found =
      largest(curve, p, -1.0, beta - half_range, 2.0 * half_range / (kSamples - 1), kSamples);
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
