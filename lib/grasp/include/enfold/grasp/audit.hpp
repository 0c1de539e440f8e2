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

/// A standing assumption of S4, Sec. 3.1, that does not hold, and who is to blame.
struct Violation {
  std::string assumption;  ///< "statically determined", "manipulable"
  std::string reason;      ///< one sentence, with numbers
  /// Those that take part in the dependency; if J̃ is not square, those that roll (k > n_θ) or are open (k <
  /// n_θ).
  std::vector<std::string> contacts;
};

/// The counts, ranks and conditions of a grasp at one configuration.
struct GraspAudit {
  Index n = 0;        ///< coordinates n_v
  Index n_theta = 0;  ///< joints
  Index n_R = 0, n_S = 0;
  Index k = 0;  ///< constraint rows n_S + 2 n_R
  Index m = 0;  ///< mobility n − rank W̃
  Index p = 0;  ///< internal forces k − rank G
  Index rank_W = 0, rank_G_tilde = 0, rank_J_tilde = 0, rank_J = 0;
  double cond_W = 0, cond_G_tilde = 0, cond_J_tilde = 0, cond_J = 0;  ///< 2-norm; infinite if rank is lost
  double route_difference = 0;  ///< largest difference of W between the two routes
  bool equation_22 = false;     ///< k < n and rank W = k
  bool squeeze_exists = false;  ///< null(G) has a vector with all normal entries positive (tested for p = 1)
  VectorXd squeeze;             ///< the null vector scaled to a largest entry of 1, if p = 1
  double det_YMZ = 0;  ///< det(Hᵀ M_a H̃ + M_o), zero exactly where det A is     (checklist row 8)
  MatrixXd A;          ///< of (19), rolling rows eliminated                        [eq:S4.19]
  lcp::PMatrixResult p_matrix;
  ContactScenario scenario = ContactScenario::kIndeterminate;
  std::vector<Violation> violations;
  std::vector<std::string> warnings;

  /// The control law (11) applies: no assumption fails.
  [[nodiscard]] bool controllable() const { return violations.empty(); }
};

/// Audits the grasp at q with the contacts in the given modes. @pre sizes agree (throws InvalidArgument)
[[nodiscard]] GraspAudit audit(const mechanics::Mechanism& mechanism, const contact::ContactSet& contacts,
                               const VectorXd& q, std::span<const contact::ContactMode> modes,
                               const VectorXd& mu);

/// The audit in words, a line each, as `enfold check` prints it.
[[nodiscard]] std::vector<std::string> describe(const GraspAudit& audit);

/// A of S4 (19) for contacts in given modes; φ̈_TR = 0 eliminated by a Schur complement.        [eq:S4.19]
[[nodiscard]] MatrixXd contact_matrix(const MatrixXd& M, const GraspMatrices& grasp);

}  // namespace enfold::grasp
