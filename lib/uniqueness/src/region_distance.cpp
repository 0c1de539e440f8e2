// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/LU>
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

std::optional<Vector2d> polish(const PlaneMinor& minor, const Vector2d& start, const Vector2d& c,
                               double scale) {
  Vector2d at = start;
  for (int k = 0; k < 30; ++k) {
    const Vector2d F = minor.stationarity(at, c);
    Eigen::Matrix2d J;
    const double h = 1e-6 * scale;
    for (const Index i : {0, 1}) {
      const Vector2d step = h * Vector2d::Unit(i);
      J.col(i) = (minor.stationarity(at + step, c) - minor.stationarity(at - step, c)) / (2.0 * h);
    }
    const Vector2d move = -J.fullPivLu().solve(F);
    if (!move.allFinite()) return std::nullopt;
    at += move;
    if ((at - start).norm() > 0.1 * scale) return std::nullopt;  // another piece of the curve
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
  const auto vertex_distance = [&](const RegionCurve& curve, std::size_t k) {
    return (curve.points[k] - point).norm();
  };
  for (const RegionCurve& curve : region.curves) {
    for (std::size_t k = 0; k < curve.points.size(); ++k) {
      if (vertex_distance(curve, k) >= out.distance) continue;
      out = {vertex_distance(curve, k), curve.points[k], curve.minor[k]};
    }
  }
  if (out.minor < 0) return out;
  const double scale = (problem.upper - problem.lower).maxCoeff();

  // A vertex that is nearer than its neighbours may stand for a nearer point between them.
  const RegionDistance nearest_vertex = out;
  for (const RegionCurve& curve : region.curves) {
    for (std::size_t k = 0; k < curve.points.size(); ++k) {
      const double here = vertex_distance(curve, k);
      if (here > nearest_vertex.distance + 0.05 * scale) continue;
      if (k > 0 && vertex_distance(curve, k - 1) < here) continue;
      if (k + 1 < curve.points.size() && vertex_distance(curve, k + 1) < here) continue;
      const Index number = curve.minor[k];
      ENFOLD_REQUIRE(number < static_cast<Index>(region.minors.size()),
                     "distance_to_boundary: a curve names minor {} of {}", number, region.minors.size());
      const PlaneMinor minor(problem, region.minors[static_cast<std::size_t>(number)]);
      const std::optional<Vector2d> foot = polish(minor, curve.points[k], point, scale);
      if (!foot || (*foot - point).norm() >= out.distance) continue;
      const bool in_window =
          (foot->array() >= problem.lower.array()).all() && (foot->array() <= problem.upper.array()).all();
      if (!in_window) continue;
      // The foot may lie on the part of the minor's curve that another minor has cut off.
      const Vector2d across = 1e-8 * scale * minor.value(*foot).tail<2>().normalized();
      if (all_P(problem, *foot + across) == all_P(problem, *foot - across)) continue;
      out = {(*foot - point).norm(), *foot, number};
    }
  }
  return out;
}

}  // namespace enfold::uniqueness
