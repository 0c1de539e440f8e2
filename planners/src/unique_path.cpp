// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/unique_path.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "direction_cones.hpp"
#include "direction_tree.hpp"
#include "enfold/base/require.hpp"
#include "enfold/grasp/motion_coordinates.hpp"
#include "enfold/lp/lp_solver.hpp"
#include "enfold/uniqueness/friction_margin.hpp"

namespace enfold::planners {
namespace {

using detail::DirectionNode;
using detail::DirectionSpace;
using detail::DirectionTree;
using detail::may_turn;

// Nodes of the other tree that a new one is tied to, the nearest first.
constexpr std::size_t kTies = 12;
// Ties with corners and rests: to so many nodes, and not longer than so many steps.
constexpr std::size_t kZigzags = 2;
constexpr double kLongestZigzag = 2.5;
// Pieces of the rounded path, few first: few make gentle curves, many keep to the polygon.
constexpr int kPieces[] = {32, 64, 128, 256};

using Corners = std::vector<VectorXd>;  // scaled

/// The ends of an edge between the two trees.
struct Tie {
  int forward, backward;
  Corners between{};
};

class Search {
 public:
  Search(const UniquePathProblem& problem, const UniquePathOptions& options, double step, bool stops)
      : space_{std::make_shared<const SlipConesProblem>(problem.grasp),
               metric_scales(*problem.grasp.mechanism, problem.from),
               {},
               {},
               options.detour,
               step,
               stops,
               0,
               options.max_poses} {
    space_.from = space_.scales.cwiseProduct(problem.from);
    space_.to = space_.scales.cwiseProduct(problem.to);
    forward_.emplace(space_, space_.from, space_.to, false);
    backward_.emplace(space_, space_.to, space_.from, true);
  }

  /// A polygon from start to goal, unless there is none to be found.
  std::optional<Corners> run() {
    if (!forward_->has_root() || !backward_->has_root()) {
      while (space_.poses < space_.max_poses && forward_->grow()) {
      }
      return std::nullopt;
    }
    std::optional<Tie> tie = tied(0, 0);
    while (!tie && space_.poses < space_.max_poses && (!forward_->exhausted() || !backward_->exhausted())) {
      if (forward_->grow()) tie = ties_of(forward_->grown(), false);
      if (!tie && backward_->grow()) tie = ties_of(backward_->grown(), true);
    }
    if (!tie) return std::nullopt;
    Corners out = forward_->trunk(tie->forward);
    out.insert(out.end(), tie->between.begin(), tie->between.end());
    const Corners rest = backward_->trunk(tie->backward);
    out.insert(out.end(), rest.rbegin(), rest.rend());
    return out;
  }

  /// From the start to the nearest pose that it leads to, on towards the goal as far as that goes.
  Corners nearest() {
    if (!forward_->has_root() || forward_->nodes().size() < 2) return {};
    const int best = forward_->nearest(space_.to);
    Corners out = forward_->trunk(best);
    SlipCones cones = forward_->nodes()[static_cast<std::size_t>(best)].cones;
    const VectorXd way = space_.to - out.back();
    if (way.norm() < 1e-9 || !forward_->turn_cost(best, way.normalized())) return out;
    double share = 0.0;
    for (double next = 0.5; next > 0.01; next *= 0.5) {
      SlipCones at = cones;
      if (space_.may_go(at, out.back(), out.back() + (share + next) * way, 0.5 * space_.step)) share += next;
    }
    if (share > 0.0) out.push_back(out.back() + share * way);
    return out;
  }

  /// Chords in place of corners, while they are allowed.
  void shorten(Corners& corners) {
    for (int round = 0; round < 3; ++round) {
      for (std::size_t i = 0; i + 2 < corners.size(); ++i) {
        for (std::size_t skip = corners.size() - 1 - i; skip >= 2; skip /= 2) {
          if (!chord(corners, i, i + skip)) continue;
          corners.erase(corners.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                        corners.begin() + static_cast<std::ptrdiff_t>(i + skip));
          break;
        }
      }
      if (round == 2) return;
      Corners halves;  // chords from the middles of edges next
      for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
        halves.push_back(corners[i]);
        if (corners.size() > 2) halves.push_back(0.5 * (corners[i] + corners[i + 1]));
      }
      halves.push_back(corners.back());
      corners = std::move(halves);
    }
  }

  /// Whether the object rests at each corner.
  std::vector<bool> stops(const Corners& corners) {
    std::vector<bool> out(corners.size(), true);
    SlipCones cones(space_.grasp);
    for (std::size_t i = 1; i + 1 < corners.size(); ++i)
      out[i] = !space_.look(cones, corners[i]) ||
               !may_turn(space_, cones, corners[i] - corners[i - 1], corners[i + 1] - corners[i]);
    return out;
  }

  DirectionSpace& space() { return space_; }
  [[nodiscard]] bool start_leads_on() { return forward_->nodes().size() > 1; }
  [[nodiscard]] bool goal_is_led_to() { return backward_->nodes().size() > 1; }
  [[nodiscard]] bool exhausted() const { return forward_->exhausted(); }

 private:
  std::optional<Tie> tied(int f, int b, bool may_zigzag = false) {
    DirectionNode& from = forward_->nodes()[static_cast<std::size_t>(f)];
    const DirectionNode& to = backward_->nodes()[static_cast<std::size_t>(b)];
    const VectorXd way = to.z - from.z;
    if (way.norm() < 1e-6) return std::nullopt;
    if (forward_->turn_cost(f, way.normalized()) && backward_->turn_cost(b, way.normalized())) {
      SlipCones cones = from.cones;
      if (space_.may_go(cones, from.z, to.z, 0.5 * space_.step)) return Tie{f, b};
    }
    if (!may_zigzag || !space_.stops || way.norm() > kLongestZigzag * space_.step) return std::nullopt;
    return zigzag(f, b);
  }

  /// With rests in between, any sum of allowed directions will do. The shortest, in any order of its terms.
  std::optional<Tie> zigzag(int f, int b) {
    DirectionNode& from = forward_->nodes()[static_cast<std::size_t>(f)];
    const DirectionNode& to = backward_->nodes()[static_cast<std::size_t>(b)];
    std::vector<VectorXd> directions;
    for (const detail::DirectionCone& cone :
         detail::direction_cones(from.cones.S() * space_.scales.cwiseInverse().asDiagonal())) {
      if (from.cones.allows(cone.pattern))
        directions.insert(directions.end(), cone.directions.begin(), cone.directions.end());
    }
    if (directions.empty()) return std::nullopt;
    const VectorXd way = to.z - from.z;
    lp::LpProblem program = lp::unconstrained_lp(static_cast<Index>(directions.size()), way.size());
    program.c.setOnes();
    program.lower.setZero();
    program.row_lower = program.row_upper = way;
    for (std::size_t k = 0; k < directions.size(); ++k) program.R.col(static_cast<Index>(k)) = directions[k];
    const lp::LpSolution sum = lp::solve_lp(program);
    if (!sum.ok() || sum.objective > 2.0 * kLongestZigzag * space_.step) return std::nullopt;
    std::vector<int> order;
    for (Index k = 0; k < sum.z.size(); ++k)
      if (sum.z[k] > 1e-3 * space_.step) order.push_back(static_cast<int>(k));
    if (order.size() < 2) return std::nullopt;
    do {
      Tie tie{f, b, {}};
      VectorXd z = from.z;
      for (std::size_t k = 0; k + 1 < order.size(); ++k) {
        z += sum.z[order[k]] * directions[static_cast<std::size_t>(order[k])];
        tie.between.push_back(z);
      }
      if (zigzag_holds(tie, from, to)) return tie;
    } while (std::next_permutation(order.begin(), order.end()));
    return std::nullopt;
  }

  bool zigzag_holds(const Tie& tie, const DirectionNode& from, const DirectionNode& to) {
    SlipCones cones = from.cones;
    VectorXd z = from.z;
    for (std::size_t k = 0; k <= tie.between.size(); ++k) {
      const VectorXd& next = k < tie.between.size() ? tie.between[k] : to.z;
      if (!space_.may_go(cones, z, next, 0.5 * space_.step)) return false;
      z = next;
    }
    return true;
  }

  std::optional<Tie> ties_of(int node, bool of_backward) {
    const DirectionTree& others = of_backward ? *forward_ : *backward_;
    others.nearby((of_backward ? *backward_ : *forward_).nodes()[static_cast<std::size_t>(node)].z, kTies,
                  near_);
    for (std::size_t k = 0; k < near_.size(); ++k) {  // the root first
      const bool may_zigzag = k <= kZigzags;
      if (std::optional<Tie> tie =
              of_backward ? tied(near_[k], node, may_zigzag) : tied(node, near_[k], may_zigzag))
        return tie;
    }
    return std::nullopt;
  }

  /// A chord may meet its neighbours in a rest where one was before.
  bool chord(const Corners& corners, std::size_t i, std::size_t j) {
    const VectorXd way = corners[j] - corners[i];
    if (way.norm() < 1e-9) return false;
    SlipCones cones(space_.grasp);
    if (!space_.look(cones, corners[i]) || !cones.allows(cones.pattern(space_.rate(way)))) return false;
    if (i > 0) {
      const VectorXd before = corners[i] - corners[i - 1];
      if (!may_turn(space_, cones, before, way) &&
          (!space_.stops || may_turn(space_, cones, before, corners[i + 1] - corners[i])))
        return false;
    }
    if (!space_.may_go(cones, corners[i], corners[j], 0.5 * space_.step)) return false;
    if (j + 1 == corners.size()) return true;
    const VectorXd after = corners[j + 1] - corners[j];
    return may_turn(space_, cones, way, after) ||
           (space_.stops && !may_turn(space_, cones, corners[j] - corners[j - 1], after));
  }

  DirectionSpace space_;
  std::optional<DirectionTree> forward_, backward_;
  std::vector<int> near_;
};

/// A leg with its corners rounded such that it stands up to the check.
std::optional<SplinePath> round_leg(const Corners& corners, const std::vector<double>& lengths,
                                    double duration, const SlipConesProblem& grasp, int points,
                                    UniquePathSolution& out) {
  for (const int pieces : kPieces) {
    SplinePath path(corners, lengths, pieces, duration);
    const UniquePathCheck check = verify_unique_path(grasp, path, points);
    out.poses += points;
    out.message = check.reason;
    if (!check.ok) continue;
    out.margin = std::min(out.margin, check.margin);
    return path;
  }
  return std::nullopt;
}

/// The polygon as a path that stands up to the check; false if no rounding of its corners does.
bool round_off(const Corners& corners, const UniquePathProblem& problem, const UniquePathOptions& options,
               Search& search, UniquePathSolution& out) {
  out.corners.clear();
  out.lengths.clear();
  out.stops = search.stops(corners);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (i > 0) out.lengths.push_back((corners[i] - corners[i - 1]).norm());
    out.corners.push_back(search.space().pose(corners[i]));
  }
  // Start and goal as they were given, to the last place.
  out.corners.front() = problem.from;
  if (out.status == UniquePathStatus::kFound) out.corners.back() = problem.to;
  // Legs in times that ask for like accelerations.
  std::vector<std::size_t> rests;
  std::vector<double> times;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (!out.stops[i]) continue;
    if (!rests.empty()) {
      double length = 0.0;
      for (std::size_t k = rests.back(); k < i; ++k) length += out.lengths[k];
      times.push_back(std::sqrt(length));
    }
    rests.push_back(i);
  }
  const double total = std::accumulate(times.begin(), times.end(), 0.0);
  std::vector<SplinePath> legs;
  out.margin = std::numeric_limits<double>::infinity();
  for (std::size_t leg = 0; leg < times.size(); ++leg) {
    const auto at = [&](auto& list, std::size_t i) { return list.begin() + static_cast<std::ptrdiff_t>(i); };
    const double share = times[leg] / total;
    const int points = std::max(50, static_cast<int>(std::ceil(share * options.points)));
    std::optional<SplinePath> path = round_leg(
        {at(out.corners, rests[leg]), at(out.corners, rests[leg + 1] + 1)},
        {at(out.lengths, rests[leg]), at(out.lengths, rests[leg + 1])}, share, problem.grasp, points, out);
    if (!path) return false;
    legs.push_back(std::move(*path));
  }
  out.path = std::make_shared<const StagedPath>(std::move(legs));
  out.reached = out.corners.back();
  return true;
}

std::string explain(const UniquePathProblem& problem, const UniquePathOptions& options,
                    const UniquePathSolution& found) {
  const std::vector<std::string> names = grasp::plain_names(problem.grasp.mechanism->object_position_names());
  std::string what =
      found.status == UniquePathStatus::kStartNotAllowed
          ? "no direction leaves the start with a P-matrix and a squeeze"
      : found.status == UniquePathStatus::kGoalNotAllowed
          ? "no direction arrives at the goal with a P-matrix and a squeeze"
      : found.status == UniquePathStatus::kNoneFound
          ? fmt::format("no path within {:.3g} m of the straight line has a P-matrix and a squeeze all along",
                        options.detour)
          : fmt::format("no path was found before {} poses were looked at", options.max_poses);
  if (found.path == nullptr) return what;
  what += "; the nearest goal that has one is";
  for (Index i = 0; i < found.reached.size(); ++i)
    what +=
        fmt::format("{} {} = {:.4g}", i > 0 ? "," : "", names[static_cast<std::size_t>(i)], found.reached[i]);
  return what + fmt::format(", {:.2g} m away", found.missing);
}

void validate(const UniquePathProblem& problem, const UniquePathOptions& options) {
  ENFOLD_REQUIRE(problem.grasp.mechanism, "plan_unique_path: the mechanism must be given");
  const Index n = problem.grasp.mechanism->n_q() - problem.grasp.mechanism->n_theta();
  ENFOLD_REQUIRE(problem.from.size() == n && problem.to.size() == n && n == problem.grasp.mechanism->n_x(),
                 "plan_unique_path: poses of {} and {} entries, expected {}", problem.from.size(),
                 problem.to.size(), n);
  ENFOLD_REQUIRE(problem.from != problem.to, "plan_unique_path: the goal is the start");
  ENFOLD_REQUIRE(options.detour >= 0.0 && options.step > 0.0 && options.halvings >= 0 &&
                     options.max_poses > 0 && options.points >= 2,
                 "plan_unique_path: detour {} m, step {} m, {} halvings, {} poses, {} points", options.detour,
                 options.step, options.halvings, options.max_poses, options.points);
}

}  // namespace

std::string_view to_string(UniquePathStatus status) {
  switch (status) {
    case UniquePathStatus::kNotRun:
      return "not run";
    case UniquePathStatus::kFound:
      return "found";
    case UniquePathStatus::kStartNotAllowed:
      return "start not allowed";
    case UniquePathStatus::kGoalNotAllowed:
      return "goal not allowed";
    case UniquePathStatus::kNoneFound:
      return "none found";
    case UniquePathStatus::kGivenUp:
      return "given up";
  }
  return "unknown";
}

VectorXd metric_scales(const mechanics::Mechanism& mechanism, const VectorXd& x) {
  VectorXd q = VectorXd::Zero(mechanism.n_q());
  q.head(x.size()) = x;
  mechanics::Dynamics dynamics;
  mechanism.dynamics(q, VectorXd::Zero(mechanism.n_v()), dynamics);
  const VectorXd inertia = dynamics.M.diagonal().head(mechanism.n_x());
  return (inertia / inertia[0]).cwiseSqrt();
}

UniquePathCheck verify_unique_path(const SlipConesProblem& grasp, const control::Trajectory& motion,
                                   int points) {
  ENFOLD_REQUIRE(points >= 2, "verify_unique_path: {} points, expected at least 2", points);
  UniquePathCheck out;
  SlipCones cones(std::make_shared<const SlipConesProblem>(grasp));
  SlipCones before = cones;
  SlipPattern last = 0;
  control::Reference at;
  double margin = std::numeric_limits<double>::infinity();
  for (int k = 0; k < points; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(points - 1);
    const double t = share * motion.duration();
    motion.sample(t, at);
    const auto fails = [&](std::string_view what) {
      out.reason = fmt::format("at {:.1f} % of the time {}", 100.0 * share, what);
      return out;
    };
    if (!cones.move_to(at.x)) return fails("the hand does not close on the object");
    // At both ends the motion rests, and its jerk points the way it goes.
    const bool rests = k == 0 || k == points - 1;
    const SlipPattern now = cones.pattern(rests ? at.x_dddot : at.x_dot);
    if (!cones.allows(now))
      return fails(cones.has_squeeze(now) ? "A is not a P-matrix with the margin" : "no squeeze exists");
    if (k > 0 && now != last) {
      out.turns += std::popcount(now ^ last);
      if (!cones.allows_change(last, now) || !before.allows_change(last, now))
        return fails("a contact turns round where one of its directions is not allowed");
    }
    const uniqueness::FrictionMargin found = uniqueness::friction_margin(cones.family(now), grasp.mu);
    if (found.status != uniqueness::MarginStatus::kUnbounded) margin = std::min(margin, found.half_width);
    last = now;
    std::swap(before, cones);
  }
  out.ok = true;
  out.margin = margin;
  return out;
}

int UniquePathSolution::rests() const {
  return std::max(0, static_cast<int>(std::count(stops.begin(), stops.end(), true)) - 2);
}

UniquePathSolution plan_unique_path(const UniquePathProblem& problem, const UniquePathOptions& options) {
  validate(problem, options);
  UniquePathSolution out;
  for (const bool stops : {false, true}) {
    if (stops && !options.stops) break;
    for (int halving = 0; halving <= options.halvings; ++halving) {
      Search search(problem, options, std::ldexp(options.step, -halving), stops);
      std::optional<Corners> corners = search.run();
      if (corners) {
        out.status = UniquePathStatus::kFound;
      } else {
        out.status = !search.start_leads_on()   ? UniquePathStatus::kStartNotAllowed
                     : !search.goal_is_led_to() ? UniquePathStatus::kGoalNotAllowed
                     : search.exhausted()       ? UniquePathStatus::kNoneFound
                                                : UniquePathStatus::kGivenUp;
        corners = search.nearest();
      }
      search.shorten(*corners);
      out.poses += search.space().poses;
      if (corners->size() < 2) break;
      if (round_off(*corners, problem, options, search, out)) {
        out.straight = out.ok() && corners->size() == 2;
        out.missing = search.space().scales.cwiseProduct(problem.to - out.reached).norm();
        break;
      }
      out.status = UniquePathStatus::kGivenUp;
    }
    if (out.ok() || out.status == UniquePathStatus::kStartNotAllowed) break;
  }
  out.message = out.ok() ? std::string() : explain(problem, options, out);
  return out;
}

}  // namespace enfold::planners
