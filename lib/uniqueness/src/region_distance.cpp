// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/uniqueness/p_region.hpp"

namespace enfold::uniqueness {
namespace {

// One minor on the plane, with its gradient: column j of A holds μ_j alone, so that ∂det/∂μ_j is the
// determinant with column j replaced by that of A₁.
class PlaneMinor {
 public:
  PlaneMinor(const PlaneProblem& problem, const RegionMinor& minor)
      : problem_{problem},
        S_{minor.indices},
        family_{problem.families.at(static_cast<std::size_t>(minor.family))} {
    A_1_ = family_.A_1(S_, S_);
  }

  // det A_SS and its gradient.
  [[nodiscard]] Eigen::Vector3d value(const Vector2d& at) const {
    const MatrixXd A = family_.A(problem_.mu(at))(S_, S_);
    Eigen::Vector3d out{A.determinant(), 0.0, 0.0};
    for (std::size_t k = 0; k < S_.size(); ++k) {
      const Index g = problem_.groups.group_of[static_cast<std::size_t>(S_[k])];
      if (g < 0) continue;
      MatrixXd replaced = A;
      replaced.col(static_cast<Index>(k)) = A_1_.col(static_cast<Index>(k));
      out[1 + g] += replaced.determinant();
    }
    return out;
  }

  // Zero where μ is on the curve and μ − c is normal to it.
  [[nodiscard]] Vector2d stationarity(const Vector2d& at, const Vector2d& c) const {
    const Eigen::Vector3d v = value(at);
    const Vector2d gradient = v.tail<2>();
    const double scale = gradient.norm() > 0.0 ? gradient.norm() : 1.0;
    const Vector2d away = at - c;
    return {v[0] / scale, (away.x() * gradient.y() - away.y() * gradient.x()) / scale};
  }

 private:
  const PlaneProblem& problem_;
  const std::vector<Index>& S_;
  const FrictionFamily& family_;
  MatrixXd A_1_;
};

// Newton's method for the foot of the normal from c; nothing if it leaves the neighbourhood of `start`.
std::optional<Vector2d> polish(const PlaneMinor& minor, const Vector2d& start, const Vector2d& c,
                               double reach) {
  Vector2d at = start;
  const double scale = std::max(1.0, start.norm());
  const double h = 1e-6 * scale;
  for (int k = 0; k < 40; ++k) {
    const Vector2d F = minor.stationarity(at, c);
    Eigen::Matrix2d J;
    for (const Index i : {0, 1}) {
      const Vector2d step = h * Vector2d::Unit(i);
      J.col(i) = (minor.stationarity(at + step, c) - minor.stationarity(at - step, c)) / (2.0 * h);
    }
    const Vector2d move = -J.fullPivLu().solve(F);
    if (!move.allFinite()) return std::nullopt;
    at += move;
    if ((at - start).norm() > reach) return std::nullopt;  // another piece of the curve
    if (move.norm() <= 1e-14 * scale) return at;
  }
  return std::nullopt;
}

bool all_P(const PlaneProblem& problem, const Vector2d& at) {
  for (const FrictionFamily& family : problem.families)
    if (lcp::test_p_matrix(family.A(problem.mu(at))).status != lcp::PMatrixStatus::kP) return false;
  return true;
}

}  // namespace

RegionDistance distance_to_boundary(const PlaneProblem& problem, const PRegion& region,
                                    const Vector2d& point) {
  validate(problem);
  RegionDistance out;
  for (const RegionCurve& curve : region.curves) {
    for (std::size_t k = 0; k < curve.points.size(); ++k) {
      ENFOLD_REQUIRE(curve.minor[k] < static_cast<Index>(region.minors.size()),
                     "distance_to_boundary: a curve names minor {} of {}", curve.minor[k],
                     region.minors.size());
      const double here = (curve.points[k] - point).norm();
      if (here < out.distance) out = {here, curve.points[k], curve.minor[k]};
    }
  }
  if (out.minor < 0) return out;

  // Between two vertices the curve is near the chord: its foot is where Newton's method starts.
  const auto try_foot = [&](Index number, const Vector2d& start, double reach) {
    const PlaneMinor minor(problem, region.minors[static_cast<std::size_t>(number)]);
    const std::optional<Vector2d> foot = polish(minor, start, point, reach);
    if (!foot || (*foot - point).norm() >= out.distance) return;
    if ((foot->array() < problem.lower.array()).any() || (foot->array() > problem.upper.array()).any())
      return;
    // It may lie on the part of the minor's curve that another minor has cut off.
    const Vector2d across = 1e-8 * std::max(1.0, foot->norm()) * minor.value(*foot).tail<2>().normalized();
    if (all_P(problem, *foot + across) == all_P(problem, *foot - across)) return;
    out = {(*foot - point).norm(), *foot, number};
  };
  const double slack = 1e-3 * (problem.upper - problem.lower).maxCoeff();
  for (const RegionCurve& curve : region.curves) {
    const std::size_t n = curve.points.size();
    for (std::size_t k = 0; k + (curve.closed ? 0 : 1) < n; ++k) {
      const std::size_t next = (k + 1) % n;
      const Vector2d a = curve.points[k];
      const Vector2d chord = curve.points[next] - a;
      const double length = chord.norm();
      if (!(length > 0.0)) continue;
      const double u = std::clamp((point - a).dot(chord) / (length * length), 0.0, 1.0);
      const Vector2d start = a + u * chord;
      if ((start - point).norm() > out.distance + slack) continue;
      try_foot(curve.minor[k], start, length + slack);
      if (curve.minor[next] != curve.minor[k]) try_foot(curve.minor[next], start, length + slack);
    }
  }
  return out;
}

}  // namespace enfold::uniqueness
