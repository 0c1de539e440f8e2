// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "enfold/planners/robust_forces.hpp"
#include "enfold/planners/squeeze_program.hpp"
#include "enfold/uniqueness/certify.hpp"

namespace enfold::planners {

/// What can go wrong at a vertex of the boxes.
enum class RobustFailure : std::uint8_t { kFloor, kCeiling, kCone };

/// One requirement at one vertex: the worst friction and the worst disturbance for it.
struct RobustVertex {
  RobustFailure kind = RobustFailure::kFloor;
  Index contact = -1;  ///< −1: none, the nominal requirements decide
  double side = 1.0;   ///< of a cone: μ λ_N + side · λ_T
  VectorXd mu;         ///< n_C
  VectorXd wrench;     ///< n_x [N], [N·m]

  [[nodiscard]] bool none() const { return contact < 0; }
  [[nodiscard]] bool same_as(const RobustVertex& other) const;
};

enum class RobustStatus : std::uint8_t {
  kSolved,      ///< or infeasible: the squeeze says it
  kNotUnique,   ///< A is not a P-matrix on the whole box: some friction has several answers, or none
  kNotDecided,  ///< rounding, or more contacts than the certificate can take
};

struct RobustSqueeze {
  RobustStatus status = RobustStatus::kSolved;
  Squeeze squeeze;
  RobustVertex binding;
  std::string reason;  ///< unless solved
};

/// The least squeeze that works for every friction and every disturbance of the boxes.    [eq:robust-squeeze]
///
///     min objective(α)   s.t.   λ_N(μ, d; τ(α)) ≥ Λ   for all μ, d of the boxes,   τ(α) = τ_0 + JᵀG°α
///
/// One torque, computed with the nominal μ; what it causes when friction is another is ForceCauses. First A
/// is certified P on the box. Then the extreme values are at its vertices; over the wrench the worst is
/// λ − |by_wrench| w. Vertices are added to the program when they are violated. Upper limits of forces and
/// the cones of rolling contacts are asked for at the vertices too.
///
/// A wrench that lasts is balanced by a law that holds the pose and the squeeze: if `held`, for all d of its
/// box as well                                                                            [eq:held-wrench]
///
///     λ_N ≥ Λ, cones   for   λ = G⁺(M_o ẍ − g_o − d) + G°α
class RobustSolver {
 public:
  /// @pre sizes fit the contacts and n_x, fractions 0 … 1, wrench ≥ 0 (throws InvalidArgument)
  RobustSolver(Uncertainty uncertainty, SqueezeLimits limits, std::vector<std::string> contact_names,
               Index n_x);

  /// @param program with the same limits and names
  const RobustSqueeze& solve(SqueezeProgram& program, const SqueezeInstant& at, const MotionPoint& motion);

 private:
  struct Vertex {
    VectorXd mu;
    CausedForces forces;
  };
  struct Asked {
    std::size_t vertex = 0;
    RobustFailure kind = RobustFailure::kFloor;
    Index contact = 0;
    double side = 1.0;
    bool operator==(const Asked&) const = default;
  };
  [[nodiscard]] bool certify(const SqueezeInstant& at, const MotionPoint& motion);
  void fill_vertices(const SqueezeInstant& at, const MotionPoint& motion);
  [[nodiscard]] std::vector<Asked> requirements_at(std::size_t vertex, const SqueezeInstant& at) const;
  [[nodiscard]] ForceRow row_of(const Asked& asked, const SqueezeInstant& at) const;
  [[nodiscard]] RobustVertex vertex_of(const Asked& asked, const SqueezeInstant& at) const;
  [[nodiscard]] Eigen::RowVectorXd weights_of(const Asked& asked, double mu, const SqueezeInstant& at) const;
  [[nodiscard]] std::string requirement_text(const Asked& asked, const SqueezeInstant& at) const;
  [[nodiscard]] double bound_of(const Asked& asked, const SqueezeInstant& at) const;
  /// Requirements while a lasting wrench is balanced; `vertices` says with which.
  void add_held(const SqueezeInstant& at, std::vector<RobustVertex>& vertices);
  [[nodiscard]] bool add_violated(const VectorXd& tau, const SqueezeInstant& at);

  Uncertainty uncertainty_;
  SqueezeLimits limits_;
  std::vector<std::string> contact_names_;
  Index n_x_;
  ForceCauses causes_;
  std::vector<Vertex> vertices_;
  std::vector<Asked> asked_;  // kept from one instant to the next
  std::vector<ForceRow> rows_;
  RobustSqueeze out_;
};

/// A vertex in words: "mu of left.distal 0.48, …; force (2, 0) N, moment 0.1 N·m".
[[nodiscard]] std::string vertex_text(const RobustVertex& vertex, const std::vector<std::string>& contacts);

}  // namespace enfold::planners
