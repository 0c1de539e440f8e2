// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sweep_study.hpp"

namespace enfold::app {

inline constexpr std::array<SweepLevel, 8> kSweepLevels{
    SweepLevel::kGeometry, SweepLevel::kAudit,     SweepLevel::kLp,         SweepLevel::kPTest,
    SweepLevel::kRigid,    SweepLevel::kCompliant, SweepLevel::kIntegrated, SweepLevel::kRun};

/// The numbers that a level tells about a sample. All runs tell the same ones; a later run's replace an
/// earlier one's.
[[nodiscard]] const std::vector<std::string>& level_outputs(SweepLevel level);

}  // namespace enfold::app
