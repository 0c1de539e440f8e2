// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sweep_answers.hpp"

namespace enfold::app {

/// A picture of the page: an SVG file's bytes, and a sentence.
struct PagePicture {
  std::string svg, caption;
};

/// The report of a study as one HTML file that needs nothing else, and no network.
[[nodiscard]] std::string sweep_page(const SweepStudy& study, const SweepAnswers& answers,
                                     const std::vector<PagePicture>& pictures);

}  // namespace enfold::app
