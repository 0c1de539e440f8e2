// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "enfold/study/record.hpp"
#include "enfold/study/statistics.hpp"

namespace enfold::study {

/// One axis of a success map: its values if there are up to 60, else slices of equal width.
struct MapAxis {
  std::string name;
  bool by_value = true;
  std::vector<double> values;  ///< the values, or the middles of the slices, increasing
  std::vector<double> edges;   ///< of the cells, one more than values
  /// Which cell. @pre x is within the edges
  [[nodiscard]] std::size_t cell(double x) const;
};

/// How many samples succeeded over two parameters.
struct SuccessMap {
  MapAxis x, y;
  std::vector<std::uint64_t> trials, successes;  ///< row by row of y, from the lower left

  [[nodiscard]] std::size_t at(std::size_t column, std::size_t row) const {
    return row * x.values.size() + column;
  }
};

/// @pre the three have one size, at least one, all finite (throws InvalidArgument)
[[nodiscard]] SuccessMap success_map(const std::string& x_name, std::span<const double> x,
                                     const std::string& y_name, std::span<const double> y,
                                     std::span<const double> success);

/// How many samples fell at a level of the hierarchy, and what stopping there saved.
struct LevelCount {
  std::uint64_t reached = 0, fell = 0;
  double seconds = 0.0;  ///< CPU time of this level over all samples that reached it
  /// What it would have cost those that fell before it and could have been tried: their number times the mean
  /// time of those that did reach it.
  double seconds_saved = 0.0;
};

/// @param needs per level, how many of the levels before it a sample must have passed to be tried at all: no
/// run
///     without a plan
[[nodiscard]] std::vector<LevelCount> count_levels(const std::vector<Record>& records,
                                                   std::span<const std::size_t> needs);

/// Samples in order of an objective, the best first; those without a value are left out, equal ones stay in
/// the order of their indices.
[[nodiscard]] std::vector<std::size_t> ranked(std::span<const double> objective, bool maximize);

}  // namespace enfold::study
