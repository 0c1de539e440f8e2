// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/closure/quality.hpp"

#include <algorithm>

#include "convex_hull.hpp"
#include "enfold/base/require.hpp"

namespace enfold::closure {
namespace {

/// Sums of one choice for each contact: nothing, or one of its edges. Empty if there are too many.
MatrixXd minkowski_points(const MatrixXd& W, const ContactWrenches& contacts, Index max_points) {
  MatrixXd points = MatrixXd::Zero(W.rows(), 1);
  for (Index i = 0; i < contacts.n_contacts; ++i) {
    const Index before = points.cols();
    Index edges = 0;
    for (const Index owner : contacts.contact_of) edges += owner == i ? 1 : 0;
    if (before * (edges + 1) > max_points) return {};
    points.conservativeResize(Eigen::NoChange, before * (edges + 1));
    Index block = 1;
    for (Index j = 0; j < W.cols(); ++j) {
      if (contacts.contact_of[static_cast<std::size_t>(j)] != i) continue;
      points.middleCols(before * block++, before) = points.leftCols(before).colwise() + W.col(j);
    }
  }
  return points;
}

MatrixXd union_points(const MatrixXd& W) {
  MatrixXd points = MatrixXd::Zero(W.rows(), W.cols() + 1);
  points.leftCols(W.cols()) = W;
  return points;
}

}  // namespace

GraspQuality grasp_quality(const ContactWrenches& contacts, const QualityOptions& options) {
  ENFOLD_REQUIRE(contacts.n_w() >= 2 && contacts.n_g() >= 1 && contacts.W.allFinite(),
                 "grasp_quality: {} × {} wrenches", contacts.n_w(), contacts.n_g());
  GraspQuality out;
  const MatrixXd W = contacts.scaled();
  const MatrixXd points = options.budget == ForceBudget::kSum
                              ? union_points(W)
                              : minkowski_points(W, contacts, options.max_points);
  if (points.cols() == 0) {
    out.status = QualityStatus::kTooBig;
    return out;
  }
  const Hull hull = convex_hull(points);
  out.message = hull.message;
  if (hull.status != HullStatus::kBuilt) {
    out.status = hull.status == HullStatus::kFlat ? QualityStatus::kFlat : QualityStatus::kFailed;
    return out;
  }
  out.status = QualityStatus::kMeasured;
  out.volume = hull.volume;
  out.facets = hull.offsets.size();
  Index nearest = 0;
  // The origin is one of the points: an offset below 0 is rounding.
  out.epsilon = std::max(0.0, hull.offsets.minCoeff(&nearest));
  out.weakest = -hull.normals.col(nearest);
  return out;
}

}  // namespace enfold::closure
