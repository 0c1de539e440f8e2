// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/spline_path.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "enfold/base/require.hpp"
#include "enfold/planners/quintic.hpp"

namespace enfold::planners {
namespace {

constexpr int kDegree = 5;

/// The point of a polygon at a share of its length.
VectorXd at_share(const std::vector<VectorXd>& corners, const std::vector<double>& until, double share) {
  const double s = share * until.back();
  const auto after = std::lower_bound(until.begin() + 1, until.end() - 1, s);
  const auto j = static_cast<std::size_t>(after - until.begin());
  const double part = (s - until[j - 1]) / (until[j] - until[j - 1]);
  return corners[j - 1] + std::clamp(part, 0.0, 1.0) * (corners[j] - corners[j - 1]);
}

/// Knots 0 … pieces in steps of one, the ends six times.
double knot(std::size_t i, int pieces) {
  return std::clamp(static_cast<double>(i) - kDegree, 0.0, static_cast<double>(pieces));
}

/// A Bézier point of piece j: the blossom of the spline at `left` times the piece's start and else its end.
VectorXd blossom(const std::vector<VectorXd>& P, std::size_t j, int left, int pieces) {
  std::array<VectorXd, kDegree + 1> d;
  for (std::size_t i = 0; i <= kDegree; ++i) d[i] = P[j + i];
  for (int r = 1; r <= kDegree; ++r) {
    const double at = static_cast<double>(j) + (r <= left ? 0.0 : 1.0);
    for (int i = kDegree; i >= r; --i) {
      const auto k = static_cast<std::size_t>(i);
      const double from = knot(j + k, pieces);
      const double to = knot(j + k + static_cast<std::size_t>(kDegree + 1 - r), pieces);
      const double share = (at - from) / (to - from);
      d[k] = d[k - 1] + share * (d[k] - d[k - 1]);
    }
  }
  return d[kDegree];
}

constexpr double choose(int n, int k) {
  double out = 1.0;
  for (int i = 0; i < k; ++i) out *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  return out;
}

using Bezier = std::array<VectorXd, kDegree + 1>;

/// From Bézier points to powers of the parameter; exactly zero where the first points are one.
MatrixXd powers(const Bezier& b) {
  MatrixXd c = MatrixXd::Zero(b[0].size(), kDegree + 1);
  for (int m = 0; m <= kDegree; ++m)
    for (int i = 0; i <= m; ++i)
      c.col(m) += ((m - i) % 2 == 0 ? 1.0 : -1.0) * choose(kDegree, m) * choose(m, i) *
                  (b[static_cast<std::size_t>(i)] - b[0]);
  c.col(0) += b[0];
  return c;
}

}  // namespace

SplinePath::SplinePath(const std::vector<VectorXd>& corners, const std::vector<double>& lengths, int pieces,
                       double duration)
    : duration_{duration} {
  ENFOLD_REQUIRE(corners.size() >= 2 && (lengths.empty() || lengths.size() + 1 == corners.size()),
                 "SplinePath: {} corners and {} lengths of edges", corners.size(), lengths.size());
  ENFOLD_REQUIRE(pieces >= 1, "SplinePath: {} pieces, expected at least one", pieces);
  ENFOLD_REQUIRE(std::isfinite(duration) && duration > 0.0, "SplinePath: duration is {} s, expected > 0",
                 duration);
  std::vector<double> until{0.0};
  for (std::size_t j = 1; j < corners.size(); ++j) {
    ENFOLD_REQUIRE(corners[j].size() == corners[0].size(), "SplinePath: corner {} has {} coordinates", j,
                   corners[j].size());
    const double length = lengths.empty() ? (corners[j] - corners[j - 1]).norm() : lengths[j - 1];
    ENFOLD_REQUIRE(std::isfinite(length) && length > 0.0, "SplinePath: edge {} has length {}, expected > 0",
                   j - 1, length);
    until.push_back(until.back() + length);
  }
  std::vector<VectorXd> P;
  for (int i = 0; i < pieces + kDegree; ++i) {
    const double u = std::clamp(static_cast<double>(i - 2) / static_cast<double>(pieces), 0.0, 1.0);
    P.push_back(at_share(corners, until, Quintic::progress(u)));
  }
  for (std::size_t j = 0; j < static_cast<std::size_t>(pieces); ++j) {
    Bezier b;
    for (int k = 0; k <= kDegree; ++k) b[static_cast<std::size_t>(k)] = blossom(P, j, kDegree - k, pieces);
    coefficients_.push_back(powers(b));
    if (j + 1 == static_cast<std::size_t>(pieces)) {
      std::reverse(b.begin(), b.end());
      to_rest_ = powers(b);
    }
  }
}

SplinePath SplinePath::in(double duration) const {
  ENFOLD_REQUIRE(std::isfinite(duration) && duration > 0.0, "SplinePath: duration is {} s, expected > 0",
                 duration);
  SplinePath out = *this;
  out.duration_ = duration;
  return out;
}

void SplinePath::sample(double t, control::Reference& out) const {
  const auto n = static_cast<double>(coefficients_.size());
  const double h = duration_ / n;
  const double at = std::clamp(t / h, 0.0, n);
  const double piece = std::min(std::floor(at), n - 1.0);
  const bool last = piece == n - 1.0;
  const double s = last ? n - at : at - piece;
  const MatrixXd& c = last ? to_rest_ : coefficients_[static_cast<std::size_t>(piece)];
  const double rate = last ? -1.0 / h : 1.0 / h;  // of s
  out.x = c.col(0) + s * (c.col(1) + s * (c.col(2) + s * (c.col(3) + s * (c.col(4) + s * c.col(5)))));
  out.x_dot =
      rate *
      (c.col(1) + s * (2.0 * c.col(2) + s * (3.0 * c.col(3) + s * (4.0 * c.col(4) + s * 5.0 * c.col(5)))));
  out.x_ddot =
      rate * rate * (2.0 * c.col(2) + s * (6.0 * c.col(3) + s * (12.0 * c.col(4) + s * 20.0 * c.col(5))));
  out.x_dddot = rate * rate * rate * (6.0 * c.col(3) + s * (24.0 * c.col(4) + s * 60.0 * c.col(5)));
  if (t < 0.0 || t > duration_) {
    out.x_dot.setZero();
    out.x_ddot.setZero();
    out.x_dddot.setZero();
  }
}

StagedPath::StagedPath(std::vector<SplinePath> legs) : legs_{std::move(legs)} {
  ENFOLD_REQUIRE(!legs_.empty(), "StagedPath: no legs");
  for (const SplinePath& leg : legs_)
    until_.push_back((until_.empty() ? 0.0 : until_.back()) + leg.duration());
}

void StagedPath::sample(double t, control::Reference& out) const {
  const auto at = std::lower_bound(until_.begin(), until_.end() - 1, t);
  const auto leg = static_cast<std::size_t>(at - until_.begin());
  legs_[leg].sample(leg == 0 ? t : t - until_[leg - 1], out);
}

std::vector<double> StagedPath::rests() const {
  std::vector<double> out{0.0};
  out.insert(out.end(), until_.begin(), until_.end());
  return out;
}

StagedPath StagedPath::in(double duration) const {
  std::vector<SplinePath> legs;
  for (const SplinePath& leg : legs_) legs.push_back(leg.in(leg.duration() * duration / this->duration()));
  return StagedPath(std::move(legs));
}

}  // namespace enfold::planners
