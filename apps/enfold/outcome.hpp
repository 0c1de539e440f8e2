// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "enfold/grasp/audit.hpp"
#include "exit_code.hpp"
#include "run_job.hpp"

namespace enfold::app {

/// One thing that a scenario says must come out, and whether it did.
struct Outcome {
  std::string text;  ///< in words, with what was found
  bool met = false;
};

/// The numbers of a run that a scenario may state: those of summary_numbers(), and
///   final.<coordinate>, largest_error.<coordinate>, error_from_eq14.<coordinate> (the largest distance of a
///   told coordinate's error from the solution of (14), as a fraction of the error at the start),
///   smallest_normal_settled_N (over the second half), largest_cone_excess_N (|λ_T| − μ λ_N of contacts that
///   roll), unique_until_s, compliant_time_s, saturated_time_s, model_switches, mode_changes, openings,
///   impacts.
[[nodiscard]] std::vector<std::pair<std::string, double>> outcome_numbers(const ScenarioRun& run);

/// The audit at the start pose, with the slip directions of the plan if there is one.
[[nodiscard]] grasp::GraspAudit audit_at_start(const Setup& setup, const control::Plan& plan);

/// The counts that the scenario states against an audit.
[[nodiscard]] std::vector<Outcome> compare_counts(const io::ExpectSpec& expect,
                                                  const grasp::GraspAudit& audit);

/// All that the scenario states against a run that ended so. Empty if it states nothing.
/// @param code what the run alone would exit with; @param message why it did not complete
[[nodiscard]] std::vector<Outcome> compare_outcome(const ScenarioRun& run, ExitCode code,
                                                   const std::string& message);

/// Exit code and message of a run, before any stated outcome is looked at.
[[nodiscard]] std::pair<ExitCode, std::string> run_result(const ScenarioRun& run);

}  // namespace enfold::app
