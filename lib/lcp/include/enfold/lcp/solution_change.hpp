// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/lcp/lcp_problem.hpp"

namespace enfold::lcp {

/// What is known of the nearest b at which the number of solutions changes.
enum class ChangeStatus : std::uint8_t {
  kNotRun,
  kFound,      ///< `b_changed` is the nearest, at `distance`
  kBetween,    ///< a change at `distance` is certain, none is nearer than `lower_bound`
  kNever,      ///< the number of solutions is the same for every b
  kTooLarge,   ///< n is above the limit: nothing was computed
  kUndecided,  ///< a minor's sign or a count is hidden by rounding; nothing changes nearer than `lower_bound`
};

[[nodiscard]] constexpr std::string_view to_string(ChangeStatus status) {
  switch (status) {
    case ChangeStatus::kNotRun:
      return "not run";
    case ChangeStatus::kFound:
      return "found";
    case ChangeStatus::kBetween:
      return "between bounds";
    case ChangeStatus::kNever:
      return "never";
    case ChangeStatus::kTooLarge:
      return "too large";
    case ChangeStatus::kUndecided:
      return "undecided";
  }
  return "unknown";
}

/// What happens at b'.
enum class ChangeKind : std::uint8_t {
  kNone,
  kFold,       ///< two solutions meet and vanish
  kContinuum,  ///< infinitely many solutions, on a degenerate cone (det A_SS = 0)
};

[[nodiscard]] constexpr std::string_view to_string(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kNone:
      return "none";
    case ChangeKind::kFold:
      return "fold";
    case ChangeKind::kContinuum:
      return "continuum";
  }
  return "unknown";
}

struct SolutionChangeOptions {
  /// Problems with n > limit are left alone. 0 … 12; the cost is O(2ⁿ n⁵).
  Index limit = 10;
};

struct SolutionChange {
  ChangeStatus status = ChangeStatus::kNotRun;
  ChangeKind kind = ChangeKind::kNone;
  /// ‖b' − b‖₂, in units of b; infinite if there is no change, or none was found.
  double distance = std::numeric_limits<double>::infinity();
  /// No change is nearer than this; equals `distance` if kFound. In units of b.
  double lower_bound = 0.0;
  VectorXd b_changed;         ///< n; b', on the boundary between the two numbers
  VectorXd b_beyond;          ///< n; a point next to b' that has `count_after` solutions, or infinitely many
  std::vector<Index> active;  ///< S of the cone(s) whose boundary b' lies on
  Index index = -1;           ///< i of the facet (S, i) for a fold; −1 otherwise
  std::optional<Index> count_before;  ///< solutions at b; nothing if infinite or undecided
  std::optional<Index> count_after;   ///< solutions at b_beyond; nothing if infinite
};

/// The nearest b' (Euclidean) to b at which the number of solutions of LCP(A, b') changes.
///
/// b has a solution with the active set S if it lies in the complementary cone pos C_S, where column i of C_S
/// is −A_i for i ∈ S and e_i otherwise. The cones S and S ∪ {i} share the facet of the other n − 1 columns.
/// They lie on opposite sides of it if det A_SS and det A_{S∪i,S∪i} have the same sign; then a solution only
/// changes its active set there. With opposite signs they lie on one side, and two solutions meet: a fold.
/// Cones with det A_SS = 0 are flat, and hold the b with infinitely many solutions. [Cottle 1992, ch. 6]
///
/// Each distance is a least-squares problem with x ≥ 0 [Lawson & Hanson 1974]; folds that coincide and cancel
/// are left out; the number beyond b' is counted by enumerate_solutions.
/// @pre valid problem, 0 ≤ limit ≤ 12 (throws InvalidArgument)
[[nodiscard]] SolutionChange nearest_solution_change(const LcpProblem& problem,
                                                     const SolutionChangeOptions& options = {});

}  // namespace enfold::lcp
