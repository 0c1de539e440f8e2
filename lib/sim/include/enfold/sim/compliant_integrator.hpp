// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "enfold/ode/dense_step.hpp"
#include "enfold/sim/compliant_plant.hpp"

namespace enfold::sim {

/// Who chooses the method of integration.
enum class CompliantMethod {
  kAuto,            ///< explicit where fastest_rate·h ≤ explicit_limit, else Rosenbrock
  kDormandPrince5,  ///< explicit
  kRosenbrock4,     ///< linearly implicit, with the plant's Jacobian
};

struct CompliantIntegratorOptions {
  CompliantMethod method = CompliantMethod::kAuto;
  /// Error bound per step of q and ξ [m, rad]; the error of a force is about k times it. 1e-12 … 1e-7.
  double position_tol = 1e-9;
  /// Error bound per step of v [m/s, rad/s].
  double velocity_tol = 1e-7;
  /// Explicit up to this fastest_rate·h. A Rosenbrock step of the hand of S4 costs as much as some ten
  /// explicit ones, because of its Jacobian, and a control period takes it several; explicit steps end
  /// at 3.3/rate. Dimensionless; 50 … 500.
  double explicit_limit = 200.0;
  /// How sharply the end of a contact's mode is located [s].
  double event_tol = 1e-10;
  /// Steps tried per advance before giving up.
  int max_steps = 100'000;
  /// Events located per advance; beyond, the error control alone deals with the kinks.
  int max_events = 200;
};

/// What state and CompliantAdvance::t mean.
enum class CompliantStatus {
  kReachedEnd,
  kMaxSteps,      ///< the last accepted state, at t
  kStepTooSmall,  ///< the tolerances ask for steps below rounding of t
  kNotFinite,     ///< however short the step, the next state has NaN or ∞
  kSingular,      ///< M has no inverse
};

/// How an interval went, and by which method.
struct CompliantAdvance {
  CompliantStatus status = CompliantStatus::kMaxSteps;
  double t = 0.0;                                               ///< time of the state [s]
  ode::DenseMethod method = ode::DenseMethod::kDormandPrince5;  ///< as chosen
  double fastest_rate = 0.0;                                    ///< of the contacts at the start [1/s]
  double interval = 0.0;                                        ///< h [s]
  bool automatic = true;  ///< the method was chosen by the rate, not by the options
  int steps = 0, rejected = 0;
  int events = 0;        ///< located
  long evaluations = 0;  ///< of the right-hand side
  long jacobians = 0;
  bool all_located = true;  ///< false if there were more than max_events

  [[nodiscard]] bool ok() const { return status == CompliantStatus::kReachedEnd; }
};

/// Which method an interval was integrated with, and why, in one sentence.
[[nodiscard]] std::string describe(const CompliantAdvance& advance,
                                   const CompliantIntegratorOptions& options);

/// A contact changed its mode on the way.
struct ModeChange {
  double time = 0.0;  ///< [s]
  Index contact = 0;
  contact::ContactMode from = contact::ContactMode::kOpen, to = contact::ContactMode::kOpen;
};

/// Integrates a compliant plant over control periods. Each step uses the formulas of one set of modes, in
/// which the right-hand side is smooth; after it, half-way and at its end, the modes of the state are looked
/// at, and the parts of the surfaces that are nearest; if they differ, their end is found by bisection on the
/// dense output and the next step starts there. Explicit intervals allocate nothing after the first.
class CompliantIntegrator {
 public:
  /// @pre tolerances > 0, limits ≥ 1 (throws InvalidArgument)
  explicit CompliantIntegrator(CompliantPlant& plant, const CompliantIntegratorOptions& options = {});

  /// From state(t) to state(t + h), in place, under constant torques. The plant is left solved at the end.
  /// @pre sizes agree, h > 0 (throws InvalidArgument)
  CompliantAdvance advance(CompliantState& state, const VectorXd& tau, double t, double h);

  /// Of the last advance, in order.
  [[nodiscard]] const std::vector<ModeChange>& mode_changes() const { return changes_; }
  [[nodiscard]] const std::vector<contact::FeatureChange>& feature_changes() const {
    return feature_changes_;
  }
  [[nodiscard]] const CompliantIntegratorOptions& options() const { return options_; }

 private:
  void unpack(const ode::State& x);
  void load(const CompliantState& state);
  void store(CompliantState& state);
  void derivative(const ode::State& x, ode::State& rate, double t);
  void jacobian(const ode::State& x, double t, MatrixXd& df_dx, ode::State& df_dt);
  bool modes_hold(const ode::State& x);
  bool find_event(const ode::DenseStepper& stepper, double from);
  void change_modes(double t);
  ode::DenseMethod choose(double rate, double h) const;

  CompliantPlant& plant_;
  CompliantIntegratorOptions options_;
  ode::DenseStepper explicit_, implicit_;
  double explicit_dt_ = 0.0, implicit_dt_ = 0.0;  // suggestions of the last interval
  ode::State x_, event_x_;
  double event_t_ = 0.0;
  VectorXd q_, v_, xi_, q_dot_, tau_, drift_;
  std::vector<contact::ContactMode> modes_;
  bool located_ = true;
  bool singular_ = false;
  CompliantAdvance result_;
  std::vector<ModeChange> changes_;
  std::vector<contact::FeatureChange> feature_changes_;
};

}  // namespace enfold::sim
