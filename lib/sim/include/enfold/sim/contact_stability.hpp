// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "enfold/sim/compliant_plant.hpp"

namespace enfold::sim {

/// What the contact's own dynamics do to a small disturbance of its forces.
enum class ContactStabilityStatus {
  kNoContact,   ///< nothing presses
  kStable,      ///< every disturbance decays, or stays
  kSlowGrowth,  ///< one grows, but slower than the control bandwidth
  kFastGrowth,  ///< one grows faster than the controller can answer
};

/// How the contacts of a mirror pair share the fastest mode.
enum class ModeSymmetry { kSymmetric, kAntisymmetric, kMixed };

struct ContactStabilityOptions {
  double control_bandwidth = 10.0;  ///< of the force loop, K_α of S4 [rad/s]; > 0
  /// Contacts that are mirror images of each other; found from their names if empty (left ↔ right).
  std::vector<std::pair<Index, Index>> mirror_pairs{};
  /// A mode counts as (anti)symmetric if the other part holds less than this fraction of its square.
  double symmetry_tol = 0.05;
  /// Growth below this fraction of the fastest rate is rounding.
  double growth_tol = 1e-6;
};

struct ContactStability {
  ContactStabilityStatus status = ContactStabilityStatus::kNoContact;
  Eigen::VectorXcd eigenvalues;  ///< of the contact's own dynamics, largest real part first [1/s]
  double growth = 0.0;           ///< largest real part [1/s]; < 0 if all decay
  double frequency = 0.0;        ///< its imaginary part, ≥ 0 [rad/s]
  VectorXd shape;                ///< change of the normal forces in that mode, n_C, largest entry 1
  ModeSymmetry symmetry = ModeSymmetry::kMixed;
  std::string mode;     ///< "antisymmetric", or the contacts that take most part
  std::string warning;  ///< one sentence; empty if status is not kSlowGrowth or kFastGrowth

  [[nodiscard]] bool stable() const {
    return status == ContactStabilityStatus::kStable || status == ContactStabilityStatus::kNoContact;
  }
};

/// Pairs of names that differ in "left" ↔ "right" only, each once.
[[nodiscard]] std::vector<std::pair<Index, Index>> mirror_pairs(std::span<const std::string> names);

/// Eigenvalues of the compliant contacts about the state of the plant's last solve. [eq:contact-modes]
///
///     z̈ = −A_z (K z + C ż),   A_z = W_zᵀ M⁻¹ W_f,   (s² I + s A_z C + A_z K) z = 0
///
/// z: the gaps of the contacts that press and the slips of those that roll. W_z has their gradients; W_f the
/// directions of their forces: W_N − σμW_T if a contact slides, so that A_z is not symmetric; W_N and W_T if
/// it rolls. K and C are the partials of the laws. With all contacts sliding A_z is S4's A: a negative real
/// eigenvalue a of A grows like e^{st} with s = −ac/2 + √(a²c²/4 − ak), about √(|a|k). Pose and torques
/// count as fixed, for they change slowly. Allocates: for recorded instants, not for stages.
/// @pre control_bandwidth > 0, pairs in range (throws InvalidArgument)
[[nodiscard]] ContactStability contact_stability(const CompliantPlant& plant,
                                                 const ContactStabilityOptions& options = {});

}  // namespace enfold::sim
