// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "design_study.hpp"
#include "enfold/figure/figure.hpp"

namespace enfold::app {

/// Poles in the s-plane, and in the z-plane within the unit circle if sampled.
[[nodiscard]] figure::Figure pole_map(const DesignStudy& study, const DesignQuestion& question,
                                      const std::string& title);

/// Each coordinate after a step of its own, and the contact forces after a step of the last one.
[[nodiscard]] figure::Figure step_figure(const DesignStudy& study, const DesignQuestion& question,
                                         const std::vector<std::string>& contacts, const std::string& title);

}  // namespace enfold::app
