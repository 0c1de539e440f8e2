// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "enfold/ode/dense_step.hpp"
#include "enfold/sim/impact.hpp"
#include "enfold/sim/rigid_plant.hpp"

namespace enfold::sim {

struct RigidIntegratorOptions {
  /// Explicit; Bogacki and Shampine's is the cheaper one down to about 1e-7 at control rates of 1 kHz.
  ode::DenseMethod method = ode::DenseMethod::kDormandPrince5;
  double position_tol = 1e-10;  ///< error bound per step of q [m, rad]; 1e-13 … 1e-7
  double velocity_tol = 1e-9;   ///< error bound per step of v [m/s, rad/s]
  double event_tol = 1e-12;     ///< how sharply an event is located [s]
  double zero_slip = 1e-7;      ///< a slower slip counts as none at an event [m/s]
  double zero_gap = 1e-9;       ///< an open contact that is nearer touches at an event [m]
  /// Contacts must be statically determined (S4 Eq. 22: 2n_R + n_S < n and rank W = 2n_R + n_S), those at
  /// zero slip counted as sticking. False: all modes are tried, and only the answer must be unique.
  bool require_determinate = true;
  ImpactOptions impact{};
  int max_steps = 100'000;  ///< per advance
  int max_events = 500;     ///< per advance; more is chatter
};

/// Why an advance ended.
enum class RigidStatus {
  kReachedEnd,
  kIndeterminate,  ///< Eq. (22) fails: forces would not be determined
  kSeveral,        ///< the contact problem has several answers for this state
  kNone,           ///< it has none
  kChatter,        ///< more than max_events
  kSingular,       ///< M or the rows of rolling contacts can't be factorised
  kSolverFailed,   ///< the solver found no answer within a step
  kNotFinite,
  kMaxSteps,
};

/// A change that the integrator made on the way.
struct RigidEvent {
  double time = 0.0;  ///< [s]
  bool impact = false;
  Index contact = 0;
  contact::ContactMode from = contact::ContactMode::kOpen, to = contact::ContactMode::kOpen;
  const char* cause = "";
  double impulse = 0.0;        ///< of an impact: normal impulse [N·s]
  double jump_v = 0.0;         ///< largest jump of a velocity
  double jump_lambda = 0.0;    ///< largest jump of a force [N]
  double energy_change = 0.0;  ///< of an impact; counted once, at its first contact [J]
};

struct RigidAdvance {
  RigidStatus status = RigidStatus::kMaxSteps;
  double t = 0.0;      ///< time of the state [s]
  std::string reason;  ///< unless kReachedEnd: one clause that names the contacts
  int steps = 0, rejected = 0, events = 0;
  long evaluations = 0;

  [[nodiscard]] bool ok() const { return status == RigidStatus::kReachedEnd; }
};

/// Integrates rigid contacts whose modes the mechanics decide.                             [eq:rigid-modes]
///
/// Between events the modes are fixed and the right-hand side is smooth. They are looked at in every stage of
/// a step and at its end; where they fail, the first instant is found by bisection on the dense output:
///
///     sliding: the slip reaches zero;   rolling: |λ_T| reaches μ λ_N;
///     pressing: λ_N reaches zero and the gap begins to open;   open: the gap closes;
///     closed: another part of the surfaces becomes the nearest (a corner, a link's tip).
///
/// There an impact is solved if a contact closes with a speed, and the friction problem of all touching
/// contacts says the new modes. Contacts that are not `automatic` keep what was declared: they slide in the
/// direction that the plant was given, or roll whatever friction that takes.
class RigidIntegrator {
 public:
  /// @pre one flag per contact, tolerances > 0 (throws InvalidArgument)
  RigidIntegrator(RigidPlant& plant, std::vector<bool> automatic, const RigidIntegratorOptions& options = {});

  /// Finds the modes of the touching contacts afresh, e.g. at the start or after another model ran. Contacts
  /// open in the plant stay so unless they touch. v may change: by an impact, if a contact is closing.
  RigidAdvance find_modes(VectorXd& q, VectorXd& v, const VectorXd& tau, double t);

  /// From (q, v) at t to t + h, in place, under constant torques. Stops early, at a state that is valid, if
  /// the status is not kReachedEnd. @pre h > 0 (throws InvalidArgument)
  RigidAdvance advance(VectorXd& q, VectorXd& v, const VectorXd& tau, double t, double h);

  /// Of the last call, in order.
  [[nodiscard]] const std::vector<RigidEvent>& events() const { return events_; }
  [[nodiscard]] const std::vector<contact::FeatureChange>& feature_changes() const {
    return feature_changes_;
  }
  [[nodiscard]] const RigidIntegratorOptions& options() const { return options_; }
  RigidIntegratorOptions& options() { return options_; }

 private:
  void begin(const VectorXd& q, const VectorXd& v, const VectorXd& tau, double t);
  void unpack(const ode::State& x);
  void derivative(const ode::State& x, ode::State& rate, double t);
  /// The first contact whose mode fails at a state; −1 if none does.
  Index failing(const ode::State& x, double t);
  [[nodiscard]] Index failing_at_last_solve() const;
  bool find_event(double from);
  bool resolve(double t, Index trigger);
  bool collide(double t, const std::vector<Index>& touching, bool over_corner);
  [[nodiscard]] bool determinate(const std::vector<Index>& closed, const std::vector<Index>& sticking,
                                 std::string& reason) const;
  void finish(VectorXd& q, VectorXd& v);
  [[nodiscard]] std::string names(const std::vector<Index>& contacts) const;
  [[nodiscard]] const char* cause_of(Index contact) const;

  RigidPlant& plant_;
  std::vector<bool> automatic_;
  RigidIntegratorOptions options_;
  ode::DenseStepper stepper_;
  double dt_ = 0.0;
  double doubtful_ = 0.0;  // time of the first stage of the last step whose modes failed; ∞ if none did
  ode::State x_, event_x_;
  double event_t_ = 0.0;
  Index event_contact_ = -1;
  VectorXd q_, v_, q_dot_, tau_;
  std::vector<contact::ContactMode> modes_;
  ContactSolveStatus stage_ = ContactSolveStatus::kSolved;
  RigidAdvance result_;
  std::vector<RigidEvent> events_;
  std::vector<contact::FeatureChange> feature_changes_;
};

}  // namespace enfold::sim
