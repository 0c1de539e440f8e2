// SPDX-License-Identifier: BSD-3-Clause
#include "direction_tree.hpp"

#include <algorithm>
#include <cmath>

#include "direction_cones.hpp"

namespace enfold::planners::detail {
namespace {

// A turn by 90° costs as much as this many steps.
constexpr double kTurnCost = 0.3;
// And a rest as much as a way of this length [m].
constexpr double kStopCost = 0.005;
// How much of the distance that is left counts.
constexpr double kGreed = 0.5;
// Size of the cells over the step: directions that differ lead into different cells. With rests on the way
// the direction matters less, and fewer cells do.
constexpr double kCell = 0.35;
constexpr double kCellWithStops = 0.6;
// Nodes of the other tree are looked for in blocks of so many steps.
constexpr double kBlock = 4.0;
// No turn is sharper than this cosine: there is no plane to turn in.
constexpr double kSharpest = -0.95;

}  // namespace

bool DirectionSpace::near_line(const VectorXd& z) const {
  const VectorXd line = to - from;
  const double share =
      line.squaredNorm() > 0.0 ? std::clamp((z - from).dot(line) / line.squaredNorm(), 0.0, 1.0) : 0.0;
  return (z - from - share * line).norm() <= detour;
}

bool DirectionSpace::look(SlipCones& cones, const VectorXd& z) {
  ++poses;
  return cones.move_to(pose(z));
}

bool DirectionSpace::may_go(SlipCones& cones, const VectorXd& from_z, const VectorXd& to_z, double stride) {
  const VectorXd way = to_z - from_z;
  const VectorXd x_dot = rate(way);
  const auto n = std::max<long>(1, std::lround(std::ceil(way.norm() / stride)));
  SlipPattern before = cones.pattern(x_dot);
  if (!cones.allows(before)) return false;
  for (long k = 1; k <= n; ++k) {
    if (!look(cones, from_z + way * (static_cast<double>(k) / static_cast<double>(n)))) return false;
    const SlipPattern now = cones.pattern(x_dot);
    if (!cones.allows(now) || (now != before && !cones.allows_change(before, now))) return false;
    before = now;
  }
  return true;
}

DirectionTree::DirectionTree(DirectionSpace& space, const VectorXd& root, const VectorXd& target,
                             bool backward)
    : space_{space},
      target_{target},
      backward_{backward},
      cell_{(space.stops ? kCellWithStops : kCell) * space.step} {
  DirectionNode node{SlipCones(space.grasp), root, {}, -1, 0.0};
  if (!space_.look(node.cones, root)) return;
  add(std::move(node));
}

DirectionTree::Cell DirectionTree::cell(const VectorXd& z, double size) const {
  Cell out;
  for (const double value : z) out.push_back(std::lround(value / size));
  return out;
}

std::uint64_t DirectionTree::key(const Cell& cell, SlipPattern pattern) {
  std::uint64_t out = pattern;
  for (const long at : cell) out = out * 1000003U + static_cast<std::uint64_t>(at + (1L << 20));
  return out;
}

void DirectionTree::add(DirectionNode node) {
  const auto number = static_cast<int>(nodes_.size());
  blocks_[key(cell(node.z, kBlock * space_.step), 0)].push_back(number);
  leaves_.push({node.cost + kGreed * (target_ - node.z).norm(), number});
  nodes_.push_back(std::move(node));
}

void DirectionTree::nearby(const VectorXd& z, std::size_t most, std::vector<int>& out) const {
  std::vector<std::pair<double, int>> found;
  const Cell middle = cell(z, kBlock * space_.step);
  Cell at = middle;
  for (long& i : at) --i;
  for (std::size_t k = 0; k < at.size();) {
    if (const auto block = blocks_.find(key(at, 0)); block != blocks_.end())
      for (const int i : block->second)
        found.emplace_back((nodes_[static_cast<std::size_t>(i)].z - z).squaredNorm(), i);
    for (k = 0; k < at.size() && ++at[k] > middle[k] + 1; ++k) at[k] = middle[k] - 1;
  }
  const std::size_t n = std::min(most, found.size());
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(n), found.end());
  out.assign(1, 0);
  for (std::size_t k = 0; k < n; ++k) out.push_back(found[k].second);
}

bool may_turn(const DirectionSpace& space, SlipCones& cones, const VectorXd& from, const VectorXd& to) {
  return from.dot(to) >= kSharpest * from.norm() * to.norm() &&
         cones.allows_turn(space.rate(from), space.rate(to));
}

std::optional<double> DirectionTree::turn_cost(int node, const VectorXd& u) {
  DirectionNode& at = nodes_[static_cast<std::size_t>(node)];
  if (!at.cones.allows(at.cones.pattern(space_.rate(u)))) return std::nullopt;
  if (at.u.size() == 0) return 0.0;
  if (backward_ ? may_turn(space_, at.cones, u, at.u) : may_turn(space_, at.cones, at.u, u))
    return kTurnCost * space_.step * (1.0 - u.dot(at.u));
  return space_.stops ? std::optional(kStopCost) : std::nullopt;
}

bool DirectionTree::grow() {
  if (leaves_.empty()) return false;
  grown_ = leaves_.top().node;
  leaves_.pop();
  const auto at = static_cast<std::size_t>(grown_);
  const MatrixXd rows = nodes_[at].cones.S() * space_.scales.cwiseInverse().asDiagonal();
  const VectorXd towards = (backward_ ? -1.0 : 1.0) * (target_ - nodes_[at].z);
  if (towards.norm() > space_.step) {
    const VectorXd u = towards.normalized();
    try_step(grown_, u, nodes_[at].cones.pattern(space_.rate(u)));
  }
  for (const DirectionCone& cone : direction_cones(rows)) {
    if (!nodes_[at].cones.allows(cone.pattern)) continue;
    for (const VectorXd& u : cone.directions) try_step(grown_, u, cone.pattern);
  }
  return true;
}

void DirectionTree::try_step(int node, const VectorXd& u, SlipPattern pattern) {
  const auto at = static_cast<std::size_t>(node);
  const VectorXd z = nodes_[at].z + (backward_ ? -space_.step : space_.step) * u;
  if (cells_.count(key(cell(z, cell_), pattern)) > 0 || !space_.near_line(z)) return;
  const std::optional<double> turn = turn_cost(node, u);
  if (!turn) return;
  DirectionNode next{nodes_[at].cones, z, u, node, 0.0};
  if (!space_.look(next.cones, z)) return;
  const SlipPattern there = next.cones.pattern(space_.rate(u));
  if (!next.cones.allows(there) || (there != pattern && !next.cones.allows_change(pattern, there))) return;
  if (!cells_.insert(key(cell(z, cell_), there)).second) return;
  next.cost = nodes_[at].cost + space_.step + *turn;
  add(std::move(next));
}

std::vector<VectorXd> DirectionTree::trunk(int node) const {
  std::vector<VectorXd> out;
  for (; node >= 0; node = nodes_[static_cast<std::size_t>(node)].parent)
    out.push_back(nodes_[static_cast<std::size_t>(node)].z);
  std::reverse(out.begin(), out.end());
  return out;
}

int DirectionTree::nearest(const VectorXd& z) const {
  int best = -1;
  for (std::size_t i = nodes_.size() > 1 ? 1 : 0; i < nodes_.size(); ++i) {
    if (best < 0 ||
        (nodes_[i].z - z).squaredNorm() < (nodes_[static_cast<std::size_t>(best)].z - z).squaredNorm())
      best = static_cast<int>(i);
  }
  return best;
}

}  // namespace enfold::planners::detail
