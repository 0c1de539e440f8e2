// SPDX-License-Identifier: BSD-3-Clause
#include "sweep_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <map>
#include <new>
#include <optional>

#include "closed_loop.hpp"
#include "enfold/base/error.hpp"
#include "enfold/grasp/audit.hpp"
#include "enfold/planners/planned_motion.hpp"
#include "enfold/uniqueness/friction_margin.hpp"

namespace enfold::app {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A sample on its way through the levels. Each takes what the ones before have made, or makes it itself.
class SampleRun {
 public:
  SampleRun(const SweepStudy& study, std::uint64_t index) : study_{study}, index_{index} {}

  /// Empty if the sample passes, else why it does not.
  std::string pass(SweepLevel level) {
    switch (level) {
      case SweepLevel::kGeometry:
        return geometry();
      case SweepLevel::kAudit:
        return audit();
      case SweepLevel::kLp:
        return plan();
      case SweepLevel::kPTest:
        return p_test();
      case SweepLevel::kRigid:
        return run(io::SimulationModel::kRigid);
      case SweepLevel::kCompliant:
        return run(io::SimulationModel::kCompliant);
      case SweepLevel::kIntegrated:
        return run(io::SimulationModel::kIntegrated);
      case SweepLevel::kRun:
        return run(setup().scenario.simulation.model);
    }
    return {};
  }

  [[nodiscard]] const std::map<std::string, double>& outputs() const { return outputs_; }

 private:
  Setup& setup() {
    if (!setup_) setup_ = make_setup(study_.scenario(index_));
    return *setup_;
  }

  [[nodiscard]] double path_time(std::uint64_t k) {
    const auto last = static_cast<double>(study_.design.study().path_samples - 1);
    return setup().trajectory->duration() * static_cast<double>(k) / last;
  }

  std::string geometry() {
    const Setup& at = setup();
    const contact::ContactSet& contacts = *at.model.contacts;
    const VectorXd v = VectorXd::Zero(at.model.mechanism->n_v());
    contact::ContactKinematics kinematics;
    contacts.kinematics(at.q, v, kinematics);
    double margin = kinematics.edge_distance.minCoeff();
    VectorXd q = at.q;
    control::Reference reference;
    for (std::uint64_t k = 0; k < study_.design.study().path_samples; ++k) {
      const double t = path_time(k);
      at.trajectory->sample(t, reference);
      const contact::Closure closure = contacts.close(reference.x);
      if (!closure.closed())
        return fmt::format("at t = {:.4g} s the hand can't close: {}", t, closure.message);
      q << reference.x, closure.theta;
      contacts.kinematics(q, v, kinematics);
      margin = std::min(margin, kinematics.edge_distance.minCoeff());
    }
    outputs_["reach_margin_m"] = margin;
    return {};
  }

  /// The audits along the path, made once.
  std::string make_audits() {
    if (audited_) return motion_trouble_;
    audited_ = true;
    const Setup& at = setup();
    const planners::PlannedMotion motion(at.model.mechanism, at.model.contacts, at.model.mu, at.modes,
                                         at.trajectory);
    planners::MotionPoint point;
    std::vector<contact::ContactMode> before;
    for (std::uint64_t k = 0; k < study_.design.study().path_samples; ++k) {
      motion.sample(path_time(k), before, point);
      if (!point.ok()) {
        motion_trouble_ = fmt::format("at t = {:.4g} s {}", path_time(k), point.reason);
        return motion_trouble_;
      }
      before = point.modes;
      audits_.push_back({path_time(k), grasp::audit(*at.model.mechanism, *at.model.contacts, point.q,
                                                    point.modes, at.model.mu)});
      if (study_.wants_margin) {
        uniqueness::GraspFamily rows =
            uniqueness::friction_family(point.dynamics.M, point.kinematics, point.modes);
        audits_.back().family = std::move(rows);
      }
    }
    return {};
  }

  std::string audit() {
    if (std::string trouble = make_audits(); !trouble.empty()) return trouble;
    double worst = 0.0;
    for (const AuditAt& at : audits_) {
      if (!at.audit.controllable()) {
        const grasp::Violation& violation = at.audit.violations.front();
        return fmt::format("at t = {:.4g} s not {}: {}", at.time, violation.assumption, violation.reason);
      }
      worst = std::max(worst, at.audit.cond_J_tilde);
    }
    outputs_["worst_condition"] = worst;
    return {};
  }

  const planners::PlanSolution& planned() {
    if (!planned_) planned_ = make_plan(setup());
    return *planned_;
  }

  std::string plan() {
    const planners::PlanSolution& solution = planned();
    if (!solution.ok()) return fmt::format("{}: {}", to_string(solution.status), solution.message);
    double normal = 0.0;
    double torque = 0.0;
    for (const control::PlanPoint& point : solution.plan.points) {
      normal = std::max(normal, point.lambda_N.maxCoeff());
      torque = std::max(torque, point.tau.cwiseAbs().maxCoeff());
    }
    outputs_["planned_largest_normal_N"] = normal;
    outputs_["planned_largest_torque_Nm"] = torque;
    return {};
  }

  std::string p_test() {
    if (std::string trouble = make_audits(); !trouble.empty()) return trouble;
    double smallest = std::numeric_limits<double>::infinity();
    double margin = std::numeric_limits<double>::infinity();
    std::string trouble;
    for (const AuditAt& at : audits_) {
      smallest = std::fmin(smallest, at.audit.p_matrix.smallest.value);
      const bool unique = at.audit.p_matrix.status == lcp::PMatrixStatus::kP;
      if (!unique && trouble.empty())
        trouble = fmt::format("at t = {:.4g} s A is {}", at.time, to_string(at.audit.p_matrix.status));
      // A margin is that of the whole path: once it is nothing, the rest can't change it.
      if (!study_.wants_margin || margin == 0.0) continue;
      margin = unique ? std::min(margin, friction_margin(at)) : 0.0;
    }
    outputs_["smallest_minor"] = smallest;
    if (study_.wants_margin) outputs_["friction_margin"] = margin;
    return trouble;
  }

  std::string run(io::SimulationModel model) {
    Setup& at = setup();
    std::shared_ptr<const control::Plan> plan;
    if (at.scenario.has_hand()) {
      const planners::PlanSolution& solution = planned();
      if (!solution.ok()) return fmt::format("{}: {}", to_string(solution.status), solution.message);
      plan = std::make_shared<control::Plan>(solution.plan);
    }
    Setup own = at;
    own.scenario.simulation.model = model;
    sim::Simulation simulation = make_simulation(own, plan);
    while (simulation.advance()) {
    }
    const sim::History history = simulation.take_history();
    take_numbers(history);
    return history.status == sim::RunStatus::kCompleted ? std::string() : history.message;
  }

  void take_numbers(const sim::History& history) {
    for (const std::string& name : level_outputs(SweepLevel::kRun)) outputs_[name] = kNaN;
    if (history.samples.empty()) return;
    const sim::Sample& last = history.samples.back();
    outputs_["end_time_s"] = last.time;
    for (Index i = 0; i < last.x_des.size(); ++i) {
      const std::string& name = history.names.object_position[static_cast<std::size_t>(i)];
      outputs_["final_error." + name] = last.x_des[i] - last.x[i];
      double largest = 0.0;
      for (const sim::Sample& sample : history.samples)
        largest = std::max(largest, std::abs(sample.x_des[i] - sample.x[i]));
      outputs_["largest_error." + name] = largest;
    }
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    double torque = 0.0;
    double unique = 0.0;
    for (const sim::Sample& sample : history.samples) {
      if (sample.lambda_N.size() > 0) {
        least = std::min(least, sample.lambda_N.minCoeff());
        most = std::max(most, sample.lambda_N.maxCoeff());
      }
      if (sample.tau.size() > 0) torque = std::max(torque, sample.tau.cwiseAbs().maxCoeff());
      unique += sample.p_matrix == sim::Uniqueness::kUnique ? 1.0 : 0.0;
    }
    outputs_["smallest_normal_N"] = least;
    outputs_["largest_normal_N"] = most;
    outputs_["largest_torque_Nm"] = torque;
    outputs_["unique_share"] = unique / static_cast<double>(history.samples.size());
    outputs_["compliant_time_s"] = history.summary.compliant_time;
    outputs_["model_switches"] = history.summary.model_switches;
    outputs_["gap_drift_m"] = history.summary.max_gap_drift;
  }

  struct AuditAt {
    double time = 0.0;
    grasp::GraspAudit audit;
    uniqueness::GraspFamily family{};
  };

  [[nodiscard]] double friction_margin(const AuditAt& at) {
    if (!at.family.ok()) return 0.0;
    const VectorXd mu = at.family.rows_of(setup().model.mu);
    const uniqueness::FrictionMargin margin = uniqueness::friction_margin(at.family.family, mu);
    switch (margin.status) {
      case uniqueness::MarginStatus::kFinite:
        return margin.half_width;
      case uniqueness::MarginStatus::kUnbounded:
        return std::numeric_limits<double>::infinity();
      case uniqueness::MarginStatus::kUndecided:
        return margin.half_width;  // what is proved
      default:
        return 0.0;
    }
  }

  const SweepStudy& study_;
  std::uint64_t index_;
  std::optional<Setup> setup_;
  bool audited_ = false;
  std::string motion_trouble_;
  std::vector<AuditAt> audits_;
  std::optional<planners::PlanSolution> planned_;
  std::map<std::string, double> outputs_;
};

double thread_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The first clause of `success` that fails of those that level k makes judgeable, or judges anew.
std::string judge(const SweepStudy& study, std::size_t k, const std::vector<double>& parameters,
                  const std::vector<double>& outputs) {
  const std::vector<std::string>& told = level_outputs(study.levels[k]);
  for (const SampleFormula& clause : study.success) {
    bool complete = true;
    bool news = k == 0;
    for (const std::size_t source : clause.sources) {
      if (source < parameters.size()) continue;
      const std::size_t output = source - parameters.size();
      complete = complete && study.output_levels[output] <= k;
      news = news || std::find(told.begin(), told.end(), study.outputs[output]) != told.end();
    }
    if (!complete || !news || clause.evaluate(parameters, outputs) != 0.0) continue;
    std::string numbers;
    for (std::size_t i = 0; i < clause.sources.size(); ++i) {
      const std::size_t source = clause.sources[i];
      const double value =
          source < parameters.size() ? parameters[source] : outputs[source - parameters.size()];
      numbers += fmt::format("{}{} = {:.6g}", i == 0 ? "" : ", ", clause.expression.variables()[i], value);
    }
    return fmt::format("not {} ({})", clause.expression.text(), numbers);
  }
  return {};
}

}  // namespace

const std::vector<std::string>& level_outputs(SweepLevel level) {
  static const std::vector<std::string> geometry{"reach_margin_m"};
  static const std::vector<std::string> audit{"worst_condition"};
  static const std::vector<std::string> lp{"planned_largest_normal_N", "planned_largest_torque_Nm"};
  static const std::vector<std::string> p_test{"smallest_minor", "friction_margin"};
  static const std::vector<std::string> run{
      "end_time_s",        "final_error.x_m",   "final_error.y_m",       "final_error.phi_rad",
      "largest_error.x_m", "largest_error.y_m", "largest_error.phi_rad", "smallest_normal_N",
      "largest_normal_N",  "largest_torque_Nm", "unique_share",          "compliant_time_s",
      "model_switches",    "gap_drift_m"};
  switch (level) {
    case SweepLevel::kGeometry:
      return geometry;
    case SweepLevel::kAudit:
      return audit;
    case SweepLevel::kLp:
      return lp;
    case SweepLevel::kPTest:
      return p_test;
    default:
      return run;
  }
}

study::Record run_sample(const SweepStudy& study, std::uint64_t index) {
  study::Record record{.index = index};
  record.values.assign(study.outputs.size(), kNaN);
  const std::vector<double> parameters = study.design.values(index);
  SampleRun sample(study, index);
  bool fell = false;
  double before = thread_seconds();
  for (std::size_t k = 0; k < study.levels.size(); ++k) {
    std::string trouble;
    try {
      trouble = sample.pass(study.levels[k]);
    } catch (const std::bad_alloc&) {
      throw;  // that is the machine's trouble, not the sample's
    } catch (const std::exception& error) {
      trouble = error.what();
      if (trouble.empty()) trouble = "an error without a message";
    }
    for (std::size_t i = 0; i < study.outputs.size(); ++i) {
      const auto found = sample.outputs().find(study.outputs[i]);
      if (found != sample.outputs().end()) record.values[i] = found->second;
    }
    if (trouble.empty()) trouble = judge(study, k, parameters, record.values);
    const double now = thread_seconds();
    record.seconds.push_back(now - before);
    before = now;
    if (!trouble.empty() && !fell) {
      fell = true;
      record.reason = trouble;
    }
    if (!fell) ++record.passed;
    if (fell && !study.naive) break;
  }
  return record;
}

}  // namespace enfold::app
