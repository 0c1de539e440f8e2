// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "enfold/control/controller.hpp"
#include "enfold/control/plan.hpp"
#include "enfold/ode/fixed_step.hpp"
#include "enfold/sim/compliant_integrator.hpp"
#include "enfold/sim/contact_stability.hpp"
#include "enfold/sim/history.hpp"
#include "enfold/sim/rigid_integrator.hpp"
#include "enfold/sim/rigid_plant.hpp"
#include "enfold/sim/sensors.hpp"

namespace enfold::sim {

/// A world, a law to control it, and where it starts. A world without motors has neither law nor trajectory
/// nor plan.
struct SimulationProblem {
  PlantModel plant;
  std::shared_ptr<control::Controller> controller{};
  std::shared_ptr<const control::Trajectory> trajectory{};  ///< what the run is compared with
  std::shared_ptr<const control::Plan> plan{};              ///< slip directions at rest, critical contact
  std::vector<contact::ContactMode> modes;  ///< declared, n_C; of a sliding contact the direction is found
  VectorXd q, v;                            ///< state at t = 0
  /// Contacts whose mode the mechanics decide: they may stick, slide, open and close again. n_C, or empty:
  /// none. Those whose gap is open at t = 0 start open; all others start closed.
  std::vector<bool> automatic{};
};

/// Which contact model a run may use.
enum class ModelPolicy {
  /// The LCP alone. With a plan automatic contacts at zero slip slide in the planned direction, and the run
  /// ends where A is no P-matrix; without one their modes are found, and it ends where they are not unique.
  kRigid,
  kCompliant,   ///< springs and dampers alone
  kIntegrated,  ///< rigid where its answer is unique and determined, else compliant
};

/// When a compliant run may become rigid again. All conditions must hold for settle_time.
struct SwitchOptions {
  double settle_rate = 5e-3;  ///< every |δ̇| is below this [m/s]
  /// Each damper, along normal and tangent, carries less than this share of its normal force. 0.01 … 0.2.
  double damper_share = 0.05;
  double leave_rest = 2e-3;    ///< every automatic contact slips faster than this [m/s]; above slip_tol
  double settle_time = 0.010;  ///< [s]
  /// Largest jump of a contact force at the return, as a fraction of the largest normal force; a larger one
  /// waits. 0.01 … 0.5.
  double max_jump = 0.1;
};

struct SimulationOptions {
  double duration = 1.0;         ///< [s]
  double step = 1e-3;            ///< longest integration step [s]
  double record_rate = 1000.0;   ///< [Hz]
  double control_rate = 1000.0;  ///< torque held between instants [Hz]; 0: continuous, no noise
  /// A torque acts this long after its control instant; the first acts at once [s]. Needs a sampled law.
  double control_delay = 0.0;
  control::ActuatorLimits actuators{};  ///< what the motors can give. Needs a sampled law.
  RigidOptions rigid{};
  ModelPolicy policy = ModelPolicy::kRigid;
  std::vector<contact::ContactLaw> laws{};  ///< unless rigid: one for each contact, or one for all
  SwitchOptions switching{};
  NoiseModel noise{};
  double slip_tol = 1e-3;  ///< a slower slip counts as rest, and has the direction of the plan [m/s]
  double loss_gap = 1e-6;  ///< a contact without force and with a wider gap is lost [m]
  /// Where A is not a P-matrix: false ends the run, true goes on with the solution next to the last one.
  bool continuous_branch = false;
  RigidIntegratorOptions modes{};                      ///< of automatic contacts
  CompliantIntegratorOptions compliant{};              ///< how springs and dampers are integrated
  std::optional<ContactStabilityOptions> stability{};  ///< look at the contacts' own stability when recording
};

/// A run, under control or free. Rigid contacts have declared modes, or those that the mechanics decide
/// (RigidIntegrator); compliant ones find theirs. At a switch q and v stay; into the compliant model the
/// forces do as well, since rest offsets are chosen to fit them; back to the rigid one the present gaps
/// become the offsets that the drift correction keeps, and the jump of the forces is logged. advance()
/// allocates nothing, apart from events and from counting the solutions of samples where A is no P-matrix.
/// Modes and losses are looked for after every step.
class Simulation {
 public:
  /// @pre sizes agree, rates and step positive, no noise if continuous (throws InvalidArgument)
  Simulation(SimulationProblem problem, SimulationOptions options);

  /// Goes on to the next recorded instant. False once the run has ended, well or not.
  bool advance();
  [[nodiscard]] double time() const { return t_; }
  /// The history so far; ends the simulation.
  [[nodiscard]] History take_history();

 private:
  /// The compliant model and its state.
  struct Compliant {
    Compliant(const PlantModel& model, const std::vector<contact::ContactLaw>& laws,
              const CompliantIntegratorOptions& options)
        : plant{model, laws}, integrator{plant, options} {}
    CompliantPlant plant;
    CompliantIntegrator integrator;
    CompliantState state;
    long explicit_intervals = 0, implicit_intervals = 0;
    CompliantAdvance stiffest;  // of all intervals
  };

  [[nodiscard]] bool controlled() const { return problem_.controller != nullptr; }
  [[nodiscard]] bool continuous() const { return controlled() && options_.control_rate <= 0.0; }
  [[nodiscard]] bool is_automatic(std::size_t contact) const {
    return !problem_.automatic.empty() && problem_.automatic[contact];
  }
  // Of the model in force.
  [[nodiscard]] const VectorXd& lambda_N() const {
    return is_compliant_ ? compliant_->plant.lambda_N() : plant_.lambda_N();
  }
  [[nodiscard]] const VectorXd& lambda_T() const {
    return is_compliant_ ? compliant_->plant.lambda_T() : plant_.lambda_T();
  }
  void start_modes();
  void integrate_found_modes(double stop);
  void found_modes_instant(bool control_now, bool record_now);
  void log_rigid_events();
  void log_feature_changes(const std::vector<contact::FeatureChange>& changes);
  void sort_events_from(std::ptrdiff_t first);
  void follow_rule();
  [[nodiscard]] contact::ContactMode rule_direction(std::size_t contact, double slip) const;
  void end_without_answer(const RigidAdvance& advanced);
  void end_not_unique(const std::string& cause);
  void record_stability(Sample& sample);
  ContactSolveStatus solve_rigid();
  void integrate_compliant(double stop);
  void compliant_instant(bool control_now, bool record_now);
  bool solve_compliant();
  [[nodiscard]] std::string reason_for_compliance();
  void enter_compliant(const std::string& cause, const VectorXd& forces_N, const VectorXd& forces_T);
  void leave_compliant_when_settled();
  [[nodiscard]] bool settled() const;
  bool return_to_rigid();
  void start();
  void size_samples();
  void instant(bool control_now, bool record_now);
  void integrate_to(double stop);
  void derivative(const ode::State& state, ode::State& rate, double t);
  ContactSolveStatus solve_continuous(double t, const VectorXd& q, const VectorXd& v);
  void read_sensors();
  bool command_torques();
  void note_saturation();
  void take_torques(bool control_now);
  bool solve_contacts();
  bool check_contacts();
  bool check_uniqueness();
  bool update_modes();
  void record();
  void end_singular();
  void end(RunStatus status, std::string message, Index contact = -1);
  [[nodiscard]] const std::string& contact_name(Index i) const;

  SimulationProblem problem_;
  SimulationOptions options_;
  RigidPlant plant_;
  std::unique_ptr<Compliant> compliant_;     // unless the policy is rigid
  std::unique_ptr<CompliantPlant> probe_;    // how rigid contacts would behave if they gave way
  std::unique_ptr<RigidIntegrator> finder_;  // if the mechanics decide rigid modes
  /// The plant of the rule: contacts at zero slip slide in the planned direction. Its A is what p_matrix and
  /// min_minor refer to. Points to plant_ wherever the two agree.
  std::unique_ptr<RigidPlant> rule_plant_;
  RigidPlant* rule_ = nullptr;
  bool is_compliant_ = false;
  double settled_since_ = 0.0;  // a compliant run fulfils what a rigid one needs since then
  Sensors sensors_;
  std::optional<control::SampledLoop> loop_;
  std::optional<control::TorqueDelay> delay_;
  ode::FixedStepper stepper_;
  ode::State state_;

  double t_ = 0.0;
  double last_solve_time_ = 0.0;
  long control_count_ = 0, record_count_ = 0;
  bool ended_ = false;
  bool law_singular_ = false;
  bool saturated_ = false, next_saturated_ = false;  // the last command, before and after this instant
  ContactSolveStatus stage_status_ = ContactSolveStatus::kSolved;
  VectorXd q_, v_, tau_, next_tau_;
  VectorXd stage_q_, stage_v_, q_dot_, integral_, stage_integral_;
  control::Measurement measured_;
  control::Command command_;
  control::Reference reference_;
  std::vector<contact::ContactMode> modes_, next_modes_, rule_modes_;
  ContactStabilityStatus stability_ = ContactStabilityStatus::kStable;
  const lcp::PMatrixResult* uniqueness_ = nullptr;
  bool was_unique_ = true;
  std::size_t n_samples_ = 0;
  VectorXd lambda_before_, lambda_T_before_;
  History history_;
};

/// Runs to the end.
[[nodiscard]] History simulate(SimulationProblem problem, SimulationOptions options);

}  // namespace enfold::sim
