// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "enfold/sim/history.hpp"

namespace enfold::io {

inline constexpr int kRunFormat = 1;

inline constexpr std::array<std::pair<std::string_view, sim::RunStatus>, 8> kRunStatusWords = {{
    {"completed", sim::RunStatus::kCompleted},
    {"planned", sim::RunStatus::kPlanned},
    {"contact_lost", sim::RunStatus::kContactLost},
    {"contact_off_link", sim::RunStatus::kContactOffLink},
    {"not_unique", sim::RunStatus::kNotUnique},
    {"solver_failed", sim::RunStatus::kSolverFailed},
    {"controller_singular", sim::RunStatus::kControllerSingular},
    {"diverged", sim::RunStatus::kDiverged},
}};

inline constexpr std::array<std::pair<std::string_view, double sim::Summary::*>, 8> kSummaryNumbers = {{
    {"max_gap_drift_m", &sim::Summary::max_gap_drift},
    {"max_gap_rate_drift_mps", &sim::Summary::max_gap_rate_drift},
    {"drift_work_J", &sim::Summary::drift_work},
    {"max_lcp_residual_mps2", &sim::Summary::max_lcp_residual},
    {"undecided_time_s", &sim::Summary::undecided_time},
    {"compliant_time_s", &sim::Summary::compliant_time},
    {"max_contact_growth_1ps", &sim::Summary::max_contact_growth},
    {"saturated_time_s", &sim::Summary::saturated_time},
}};

inline constexpr std::string_view kEventColumns =
    "time_s,kind,contact,from,to,cause,jump_q,jump_v,jump_lambda_N,energy_change_J";

}  // namespace enfold::io
