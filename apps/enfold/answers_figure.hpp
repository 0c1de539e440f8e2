// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/figure/figure.hpp"
#include "uniqueness_study.hpp"

namespace enfold::app {

/// All answers of rigid contact at one instant of the planned motion, side by side: the same hand, object and
/// torques, other forces. Contacts slide as planned: λ_T = ∓μ λ_N.
/// @pre the instant has at least one answer (throws InvalidArgument)
[[nodiscard]] figure::Figure answers_figure(const Setup& setup, const InstantStudy& study,
                                            const std::string& title);

}  // namespace enfold::app
