// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "design_study.hpp"

namespace enfold::app {

/// Everything, by name.
[[nodiscard]] std::string design_json(const Setup& setup, const DesignStudy& study,
                                      const DesignQuestion& question);
/// One row for each pole of each case.
[[nodiscard]] std::string poles_csv(const DesignStudy& study);
/// The step responses of the last case over time.
[[nodiscard]] std::string step_csv(const DesignStudy& study, const std::vector<std::string>& contacts,
                                   bool sampled);

}  // namespace enfold::app
