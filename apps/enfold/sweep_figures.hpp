// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "enfold/figure/figure.hpp"
#include "sweep_answers.hpp"

namespace enfold::app {

/// A figure, the name of its files, and a sentence for the page.
struct SweepFigure {
  std::string name, caption;
  figure::Figure figure;
};

/// levels (where there is more than one), map_<k>, histograms, shares and effects_<k>, of what was drawn.
[[nodiscard]] std::vector<SweepFigure> sweep_figures(const SweepStudy& study, const SweepAnswers& answers);

}  // namespace enfold::app
