// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "enfold/grasp/grasp_matrices.hpp"
#include "enfold/lcp/p_matrix.hpp"

namespace enfold::grasp {

/// Which of the three scenarios of S4, Sec. 5.1, a contact state belongs to.                  [eq:S4.22]
enum class ContactScenario {
  kRigidUnique,     ///< (22) holds and A is a P-matrix: the rigid model has one answer
  kRigidAmbiguous,  ///< (22) holds, A is not P: the compliant model is needed for some forces
  kIndeterminate,   ///< (22) fails: the rigid model cannot tell the forces
};

/// A condition of control that does not hold, who is to blame, and what is lost.
struct Violation {
  std::string assumption;  ///< "statically determined", "manipulable", "told by its coordinates", "regular"
  std::string reason;      ///< one sentence, with numbers
  std::vector<std::string> contacts;  ///< those that take part in it
  /// Directions that are lost, one per column, as the object's velocities or wrench: n_x rows; empty if none
  /// can be named.
  MatrixXd lost{};
};

/// The counts, ranks and conditions of a grasp at one configuration.
struct GraspAudit {
  Index n = 0;        ///< coordinates n_v
  Index n_theta = 0;  ///< joints
  Index n_R = 0, n_S = 0;
  Index k = 0;                     ///< constraint rows n_S + 2 n_R
  Index m = 0;                     ///< mobility n − rank W̃
  Index r_x = 0;                   ///< independent motions of the object among them
  Index n_eta = 0;                 ///< m − r_x: self-motions of the arms, with the object still
  std::vector<Index> coordinates;  ///< numbers of the object's velocities in ξ
  std::vector<std::string> xi;     ///< their names
  double cond_T = 0.0;             ///< of [W̃ᵀ ; S], infinite if ξ does not tell the motion
  Index p = 0;                     ///< internal forces k − rank G
  Index rank_W = 0, rank_G_tilde = 0, rank_J_tilde = 0, rank_J = 0;
  double cond_W = 0, cond_G_tilde = 0, cond_J_tilde = 0, cond_J = 0;  ///< 2-norm; infinite if rank is lost
  double route_difference = 0;  ///< largest difference of W between the two routes
  bool equation_22 = false;     ///< k < n and rank W = k
  /// null(G) has a vector with all normal entries positive, for p > 1 inside the cones of rolling contacts.
  bool squeeze_exists = false;
  VectorXd squeeze;  ///< the one that presses the weakest contact hardest, scaled to a largest entry of 1
  /// det YᵀMZ with S Z = S Y = I, zero exactly where det A is (checklist row 8); det(Hᵀ M_a H̃ + M_o) if all
  /// contacts slide and k = n_θ. With self-motions only its being zero has a meaning.
  double det_YMZ = 0;
  double cond_YMZ = 0;  ///< with orthonormal Y and Z; infinite if singular
  MatrixXd A;           ///< of (19), rolling rows eliminated                        [eq:S4.19]
  lcp::PMatrixResult p_matrix;
  ContactScenario scenario = ContactScenario::kIndeterminate;
  std::vector<Violation> violations;
  std::vector<std::string> warnings;

  /// The control law applies: forces and motion follow from one another, m + p = n_θ.
  [[nodiscard]] bool controllable() const { return violations.empty(); }
};

/// Audits the grasp at q with the contacts in the given modes.
/// @param coordinates numbers of the object's velocities that the task tells; empty: all of them
/// @pre sizes agree (throws InvalidArgument)
[[nodiscard]] GraspAudit audit(const mechanics::Mechanism& mechanism, const contact::ContactSet& contacts,
                               const VectorXd& q, std::span<const contact::ContactMode> modes,
                               const VectorXd& mu, std::span<const Index> coordinates = {});

/// All reasons of an audit in one sentence each, joined; empty if it is controllable.
[[nodiscard]] std::string refusal(const GraspAudit& audit);

/// The audit in words, a line each, as `enfold check` prints it.
[[nodiscard]] std::vector<std::string> describe(const GraspAudit& audit);

/// A of S4 (19) for contacts in given modes; φ̈_TR = 0 eliminated by a Schur complement.        [eq:S4.19]
[[nodiscard]] MatrixXd contact_matrix(const MatrixXd& M, const GraspMatrices& grasp);

}  // namespace enfold::grasp
