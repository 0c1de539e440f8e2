// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "enfold/planners/slip_cones.hpp"

namespace enfold::planners::detail {

/// A pose that the tree has reached, and the direction in which it travels there.
struct DirectionNode {
  SlipCones cones;
  VectorXd z;         ///< the pose, scaled
  VectorXd u;         ///< unit vector, in time's direction; empty at the root
  int parent = -1;    ///< nearer to the root
  double cost = 0.0;  ///< from the root
};

/// Where the search may go.
struct DirectionSpace {
  std::shared_ptr<const SlipConesProblem> grasp;
  VectorXd scales;    ///< z = scales ∘ x
  VectorXd from, to;  ///< start and goal, scaled
  double detour = 0.0;
  double step = 0.0;
  bool stops = false;  ///< the object may rest on the way, and leave in any allowed direction
  long poses = 0;      ///< looked at so far
  long max_poses = 0;

  [[nodiscard]] VectorXd pose(const VectorXd& z) const { return z.cwiseQuotient(scales); }
  [[nodiscard]] VectorXd rate(const VectorXd& u) const { return u.cwiseQuotient(scales); }
  /// Whether a pose is within the detour from the straight line.
  [[nodiscard]] bool near_line(const VectorXd& z) const;
  /// Moves `cones` to z and counts.
  bool look(SlipCones& cones, const VectorXd& z);
  /// Whether the object may go straight from a pose, where `cones` are, to another, where they are after it.
  /// Looked at every `step` or less.
  bool may_go(SlipCones& cones, const VectorXd& from, const VectorXd& to, double step);
};

/// Whether the direction of travel may turn at a pose without a rest; u scaled.
[[nodiscard]] bool may_turn(const DirectionSpace& space, SlipCones& cones, const VectorXd& from,
                            const VectorXd& to);

/// Poses and directions that the start leads to, or, backwards in time, that lead to the goal: one for each
/// cell of poses and cone, nearest to the other end first.
class DirectionTree {
 public:
  DirectionTree(DirectionSpace& space, const VectorXd& root, const VectorXd& target, bool backward);

  /// Grows the best leaf. False if there is none left.
  bool grow();
  [[nodiscard]] bool exhausted() const { return leaves_.empty(); }
  [[nodiscard]] bool has_root() const { return !nodes_.empty(); }
  [[nodiscard]] std::vector<DirectionNode>& nodes() { return nodes_; }
  /// Which leaf was grown last.
  [[nodiscard]] int grown() const { return grown_; }
  /// Poses from the root to a node.
  [[nodiscard]] std::vector<VectorXd> trunk(int node) const;
  /// What it costs to go on in direction u at a node, or for the backward tree to have come in it; nothing
  /// where that is not allowed [m].
  [[nodiscard]] std::optional<double> turn_cost(int node, const VectorXd& u);
  /// The node nearest to a pose, apart from the root if there are others.
  [[nodiscard]] int nearest(const VectorXd& z) const;
  /// The root and the few nodes nearest to a pose, within some steps.
  void nearby(const VectorXd& z, std::size_t most, std::vector<int>& out) const;

 private:
  struct Leaf {
    double estimate;
    int node;
    bool operator<(const Leaf& other) const { return estimate > other.estimate; }
  };
  using Cell = std::vector<long>;
  [[nodiscard]] static std::uint64_t key(const Cell& cell, SlipPattern pattern);
  [[nodiscard]] Cell cell(const VectorXd& z, double size) const;
  void add(DirectionNode node);
  void try_step(int node, const VectorXd& u, SlipPattern pattern);

  DirectionSpace& space_;
  VectorXd target_;
  bool backward_;
  double cell_;  // its size [m]
  std::vector<DirectionNode> nodes_;
  std::unordered_set<std::uint64_t> cells_;                     // that have a node
  std::unordered_map<std::uint64_t, std::vector<int>> blocks_;  // nodes by blocks of cells
  std::priority_queue<Leaf> leaves_;
  int grown_ = -1;
};

}  // namespace enfold::planners::detail
