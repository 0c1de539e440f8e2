// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "design_changes.hpp"
#include "uniqueness_study.hpp"

namespace enfold::app {

/// A list of design changes and the instant they are for.
struct ChangesAt {
  double time = 0.0;
  std::vector<DesignChange> changes;
};

/// uniqueness.json: everything that was found, contacts by name.
[[nodiscard]] std::string uniqueness_json(const Setup& setup, const UniquenessQuestion& question,
                                          const UniquenessStudy& study,
                                          const std::vector<ChangesAt>& changes);

/// Tables of what the figures draw, with their file names: margin.csv, boundary.csv, map_<k>.csv.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> uniqueness_tables(
    const Setup& setup, const UniquenessStudy& study);

}  // namespace enfold::app
