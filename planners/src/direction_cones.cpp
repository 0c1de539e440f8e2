// SPDX-License-Identifier: BSD-3-Clause
#include "direction_cones.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <map>

namespace enfold::planners::detail {
namespace {

// How far the directions beside the middle are on their way to an edge.
constexpr double kTowardsEdges[] = {0.5, 0.9};

}  // namespace

std::vector<DirectionCone> direction_cones(const MatrixXd& rows) {
  const Index n = rows.cols();
  const MatrixXd unit = rows.rowwise().normalized();
  std::map<SlipPattern, std::vector<VectorXd>> edges;
  std::vector<bool> chosen(static_cast<std::size_t>(rows.rows()), false);
  std::fill(chosen.begin(), chosen.begin() + (n - 1), true);
  do {
    std::vector<Index> meeting;
    std::vector<Index> others;
    for (Index i = 0; i < rows.rows(); ++i)
      (chosen[static_cast<std::size_t>(i)] ? meeting : others).push_back(i);
    Eigen::FullPivLU<MatrixXd> lu(unit(meeting, Eigen::all));
    lu.setThreshold(1e-9);
    if (lu.dimensionOfKernel() != 1) continue;
    const VectorXd edge = lu.kernel().col(0).normalized();
    for (const double side : {1.0, -1.0}) {
      SlipPattern fixed = 0;
      for (const Index i : others)
        if (side * unit.row(i).dot(edge) > 0.0) fixed |= SlipPattern{1} << static_cast<unsigned>(i);
      // The edge belongs to the cones on all sides of the planes that meet in it.
      for (SlipPattern corner = 0; corner < SlipPattern{1} << static_cast<unsigned>(n - 1); ++corner) {
        SlipPattern pattern = fixed;
        for (std::size_t k = 0; k < meeting.size(); ++k)
          if ((corner >> k & 1U) != 0) pattern |= SlipPattern{1} << static_cast<unsigned>(meeting[k]);
        edges[pattern].push_back(side * edge);
      }
    }
  } while (std::prev_permutation(chosen.begin(), chosen.end()));

  std::vector<DirectionCone> out;
  for (const auto& [pattern, of_cone] : edges) {
    if (static_cast<Index>(of_cone.size()) < n) continue;
    VectorXd middle = VectorXd::Zero(n);
    for (const VectorXd& edge : of_cone) middle += edge;
    if (!(middle.norm() > 1e-9)) continue;
    middle.normalize();
    DirectionCone cone{pattern, {middle}};
    for (const double share : kTowardsEdges)
      for (const VectorXd& edge : of_cone)
        cone.directions.push_back(((1.0 - share) * middle + share * edge).normalized());
    out.push_back(std::move(cone));
  }
  return out;
}

}  // namespace enfold::planners::detail
