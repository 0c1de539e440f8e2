// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/models/pose_path.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "enfold/base/require.hpp"

namespace enfold::models {

using interval::Dual;
using interval::Interval;

namespace {

Eigen::Vector3d checked_pose(const char* who, const VectorXd& pose) {
  ENFOLD_REQUIRE(pose.size() == 3 && pose.allFinite(),
                 "{}: a pose of {} entries, expected three finite numbers", who, pose.size());
  return pose;
}

Interval power(const Interval& a, int n) {
  Interval out(1.0);
  for (int k = 0; k < n / 2; ++k) out = out * sqr(a);
  return n % 2 == 0 ? out : out * a;
}

using Coefficients = std::array<Interval, 6>;

// Σ_k c_k aᵏ over k = first … 5, without the common factor a^first.
Interval horner(const Coefficients& c, std::size_t first, const Interval& a) {
  Interval out = c[5];
  for (std::size_t k = 5; k-- > first;) out = out * a + c[k];
  return out;
}

// 2π to the last place.
const Interval kTwoPi{2.0 * std::numbers::pi, std::nextafter(2.0 * std::numbers::pi, 7.0)};

}  // namespace

StraightPath::StraightPath(const VectorXd& from, const VectorXd& to)
    : from_{checked_pose("StraightPath", from)}, to_{checked_pose("StraightPath", to)} {}

HeldPose StraightPath::over(const Interval& u) const {
  HeldPose out;
  for (Index i = 0; i < 3; ++i) {
    const Interval step = Interval(to_[i]) - Interval(from_[i]);
    out.x[static_cast<std::size_t>(i)] = {Interval(from_[i]) + u * step, step};
  }
  out.s = u;
  return out;
}

SpiralPath::SpiralPath(const VectorXd& from, const Vector2d& centre, double turns, double radius_to,
                       double phi_to)
    : from_{checked_pose("SpiralPath", from)},
      centre_{centre},
      offset_{from_.head<2>() - centre},
      turns_{turns},
      radius_{offset_.norm()},
      radius_to_{radius_to},
      phi_to_{phi_to} {
  ENFOLD_REQUIRE(centre.allFinite() && std::isfinite(turns) && std::isfinite(phi_to) && radius_to >= 0.0,
                 "SpiralPath: {} turns to a radius of {} m and {} rad", turns, radius_to, phi_to);
  ENFOLD_REQUIRE(radius_ > 0.0, "SpiralPath: it starts at its centre ({}, {})", from_[0], from_[1]);
}

HeldPose SpiralPath::over(const Interval& u) const {
  const Dual s(u, Interval(1.0));
  const Dual angle = Dual(kTwoPi * Interval(turns_)) * s;
  // The radius over the first one; the first is the length of `offset` and is not needed.
  const Interval r_0 = sqrt(sqr(Interval(offset_.x())) + sqr(Interval(offset_.y())));
  const Dual growth = Dual(1.0) + s * Dual(Interval(radius_to_) / r_0 - Interval(1.0));
  const Dual x = Dual(offset_.x()) * cos(angle) - Dual(offset_.y()) * sin(angle);
  const Dual y = Dual(offset_.x()) * sin(angle) + Dual(offset_.y()) * cos(angle);
  HeldPose out;
  out.x = {Dual(centre_.x()) + growth * x, Dual(centre_.y()) + growth * y,
           Dual(from_[2]) + s * Dual(Interval(phi_to_) - Interval(from_[2]))};
  out.s = u;
  return out;
}

PolynomialPath::PolynomialPath(const std::vector<MatrixXd>& pieces) {
  ENFOLD_REQUIRE(!pieces.empty(), "PolynomialPath: no pieces");
  double size = 0.0;
  for (const MatrixXd& piece : pieces) {
    ENFOLD_REQUIRE(piece.rows() == 3 && piece.cols() == 6 && piece.allFinite(),
                   "PolynomialPath: a piece is {} × {}, expected finite 3 × 6", piece.rows(), piece.cols());
    size = std::max(size, piece.rightCols<5>().cwiseAbs().maxCoeff());
  }
  const auto n = static_cast<double>(pieces.size());
  for (std::size_t j = 0; j < pieces.size(); ++j) {
    const auto u = static_cast<double>(j);
    sections_.push_back({Kind::kMoving, u, u + 1.0, u, pieces[j]});
  }
  // The last piece in powers of the part that is left: p(1 − w).
  Section last = sections_.back();
  const Eigen::Matrix<double, 3, 6> c = last.c;
  for (int k = 0; k < 6; ++k) {
    last.c.col(k).setZero();
    double choose = 1.0;  // C(i, k)
    for (int i = k; i < 6; ++i) {
      last.c.col(k) += (k % 2 == 0 ? choose : -choose) * c.col(i);
      choose *= static_cast<double>(i + 1) / static_cast<double>(i + 1 - k);
    }
  }
  last.kind = Kind::kToRest;
  // One piece has both ends: s = u³ up to its middle, ¼ − w³ from there on.
  last.s_at_rest = pieces.size() == 1 ? 0.25 : n;
  sections_.front().kind = Kind::kFromRest;
  if (pieces.size() == 1) {
    sections_.front().to = last.from = 0.5;
    sections_.push_back(last);
  } else {
    sections_.back() = last;
  }
  for (const Section* end : {&sections_.front(), &sections_.back()}) {
    ENFOLD_REQUIRE(end->c.middleCols<2>(1).cwiseAbs().maxCoeff() <= 1e-9 * size,
                   "PolynomialPath: it does not rest at both ends");
  }
  // What is left of them is rounding: the path that is looked at rests.
  for (Section* end : {&sections_.front(), &sections_.back()}) end->c.middleCols<2>(1).setZero();
}

HeldPose PolynomialPath::hold(const Section& section, const Interval& u) {
  const bool to_rest = section.kind == Kind::kToRest;
  const Interval part = to_rest ? Interval(section.to) - u : u - Interval(section.from);
  HeldPose out;
  for (Index i = 0; i < 3; ++i) {
    Coefficients c;
    Coefficients slopes;  // k c_k
    for (std::size_t k = 0; k < 6; ++k) {
      c[k] = Interval(section.c(i, static_cast<Index>(k)));
      slopes[k] = Interval(static_cast<double>(k)) * c[k];
    }
    Dual& x = out.x[static_cast<std::size_t>(i)];
    if (section.kind == Kind::kMoving) {
      x = {horner(c, 0, part), horner(slopes, 1, part)};
      continue;
    }
    // x = c₀ + p³ (c₃ + c₄ p + c₅ p²), s = ±p³: dx/ds = ±(3 c₃ + 4 c₄ p + 5 c₅ p²)/3.
    const Interval slope = horner(slopes, 3, part) / Interval(3.0);
    x = {c[0] + power(part, 3) * horner(c, 3, part), to_rest ? -slope : slope};
  }
  const Interval cube = power(part, 3);
  out.s = section.kind == Kind::kMoving   ? Interval(section.s_at_rest) + part
          : section.kind == Kind::kToRest ? Interval(section.s_at_rest) - cube
                                          : Interval(section.s_at_rest) + cube;
  return out;
}

HeldPose PolynomialPath::over(const Interval& u) const {
  ENFOLD_REQUIRE(u.lo() >= 0.0 && u.hi() <= sections_.back().to, "PolynomialPath: u from {} to {} of {}",
                 u.lo(), u.hi(), sections_.back().to);
  HeldPose out;
  bool first = true;
  for (const Section& section : sections_) {
    const Interval inside{std::max(u.lo(), section.from),
                          std::max(std::max(u.lo(), section.from), std::min(u.hi(), section.to))};
    const bool meets = u.lo() <= section.to && u.hi() >= section.from;
    if (!meets) continue;
    const HeldPose held = hold(section, inside);
    if (first) {
      out = held;
      first = false;
      continue;
    }
    for (std::size_t i = 0; i < 3; ++i)
      out.x[i] = {hull(out.x[i].v, held.x[i].v), hull(out.x[i].d, held.x[i].d)};
    out.s = hull(out.s, held.s);
  }
  return out;
}

}  // namespace enfold::models
