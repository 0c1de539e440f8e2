// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "enfold/base/types.hpp"
#include "enfold/contact/contact_mode.hpp"

namespace enfold::sim {

enum class ContactModel { kRigid, kCompliant };

/// Answer of the P-matrix test at an instant; undecided above the exact limit.
enum class Uniqueness { kUnique, kNotUnique, kUndecided };

/// One recorded instant. Forces and torques are left limits: those just before the torque changes; the first
/// sample alone holds the values just after it.
struct Sample {
  double time = 0.0;                        ///< [s]
  VectorXd x, x_dot;                        ///< object pose and velocity
  VectorXd x_des, x_dot_des;                ///< desired pose and velocity
  VectorXd theta, omega, tau;               ///< joints [rad], [rad/s], [N·m]
  VectorXd lambda_N, lambda_T;              ///< contact forces on the object, n_C [N]
  VectorXd gap, slip;                       ///< n_C [m], [m/s]; the gap is always the geometric one
  VectorXd offset;                          ///< gap at which a contact begins to press, n_C [m]
  std::vector<contact::ContactMode> modes;  ///< n_C
  ContactModel model = ContactModel::kRigid;
  Uniqueness p_matrix = Uniqueness::kUndecided;
  double min_minor = 0.0;     ///< smallest principal minor of A; NaN above the exact limit
  int lcp_solutions = -1;     ///< number of LCP solutions for this b; −1 above the exact limit
  VectorXd alpha, alpha_des;  ///< internal-force magnitudes of the true forces, p [N]
  int critical_contact = -1;  ///< the plan's
  bool saturated = false;     ///< the torque is less than the law asked for at its last instant
  double energy = 0.0;        ///< kinetic + potential + stored in compliant contacts [J]
  /// Growth rate of the contacts' own fastest mode, as if they were compliant; NaN without a contact law
  /// [1/s].
  double contact_growth = std::numeric_limits<double>::quiet_NaN();
  /// All eigenvalues of the contacts' own dynamics, fastest growth first; empty without a contact law [1/s].
  Eigen::VectorXcd contact_eigenvalues;
  MatrixXd A0, A1;  ///< A = A₀ + A₁·diag(μ), n_C × n_C                              [eq:S4.19]
};

/// A switch of model or contact mode, or the end of a run, with its cause.
struct Event {
  double time = 0.0;
  std::string kind;     ///< mode, feature, impact, model, uniqueness, stability …
  std::string contact;  ///< empty if it concerns the whole system
  std::string from, to;
  std::string cause;
  double jump_q = 0.0;  ///< largest jump of a configuration coordinate
  double jump_v = 0.0;  ///< largest jump of a velocity
  double jump_lambda =
      0.0;  ///< largest jump of a contact force, normal or tangential, torque change included [N]
  /// Energy that appears in (> 0) or vanishes from the contacts: stored at a switch of model, lost in an
  /// impact [J].
  double energy_change = 0.0;
};

/// How a run ended.
enum class RunStatus {
  kCompleted,
  kPlanned,         ///< planned only: there are no samples
  kContactLost,     ///< a contact that the scenario told to keep has opened
  kContactOffLink,  ///< a contact slid beyond the end of its link
  kNotUnique,       ///< A stopped being a P-matrix and the scenario forbids the compliant model
  kSolverFailed,    ///< the contact problem has no solution that the solver could find
  kControllerSingular,
  kDiverged,
};

/// Names that give the numbers in samples their meaning.
struct HistoryNames {
  std::vector<std::string> joints, contacts, object_position, object_velocity;
};

struct Summary {
  double max_gap_drift = 0.0;       ///< largest |φ| of a closed contact [m]
  double max_gap_rate_drift = 0.0;  ///< largest |φ̇| of a closed contact [m/s]
  double drift_work = 0.0;          ///< energy brought in by drift correction [J]
  double max_lcp_residual = 0.0;    ///< largest ‖min(x, Ax + b)‖∞ [m/s²]
  long contact_solves = 0;
  double undecided_time = 0.0;  ///< how long uniqueness was not decided [s]
  double compliant_time = 0.0;  ///< how long the contacts were compliant [s]
  int model_switches = 0;
  /// By which method the springs were integrated, and why; empty if they never were.
  std::string compliant_method;
  double max_contact_growth = 0.0;  ///< fastest growth of the contacts' own modes [1/s]
  long control_instants = 0;
  long saturated_instants = 0;    ///< at which the motors could not give what the law asked for
  double saturated_time = 0.0;    ///< the periods of those instants [s]
  std::string stability_warning;  ///< the worst of the run, with its time; empty if the contacts are stable
};

/// All that a run produced, whether or not it completed.
struct History {
  HistoryNames names;
  std::vector<Sample> samples;
  std::vector<Event> events;
  RunStatus status = RunStatus::kCompleted;
  std::string message;  ///< why the run ended early; empty if it completed
  Summary summary;
};

}  // namespace enfold::sim
