// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/sim/history.hpp"

namespace enfold::app {

/// What the program returns to the shell; part of its contract.
enum class ExitCode : int {
  kDone = 0,
  kWorld = 1,        ///< missing file, full disk, unreadable folder
  kUsage = 2,        ///< usage, invalid scenario, start pose out of reach
  kMathematics = 3,  ///< infeasible plan, uncontrollable grasp, path out of reach, a claim not reproduced
  kNotUnique = 4,    ///< the physics is not unique and the scenario forbids the compliant model
  kRunFailed = 5,    ///< diverged, lost a contact, or a solver gave up
};

[[nodiscard]] constexpr ExitCode exit_code(sim::RunStatus status) {
  switch (status) {
    case sim::RunStatus::kCompleted:
    case sim::RunStatus::kPlanned:
      return ExitCode::kDone;
    case sim::RunStatus::kNotUnique:
      return ExitCode::kNotUnique;
    default:
      return ExitCode::kRunFailed;
  }
}

}  // namespace enfold::app
