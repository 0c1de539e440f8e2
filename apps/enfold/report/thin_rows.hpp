// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "run_table.hpp"

namespace enfold::app {

/// The rows of a table that a page keeps.
struct ThinnedRows {
  std::vector<std::size_t> rows;  ///< ascending; the first and the last row are among them
  /// How far any column of a row left out is from the straight line in time between its kept neighbours, as
  /// a fraction of that column's range. 1 or more: a state or the presence of a number changes there.
  double deviation = 0.0;
};

/// At most `most` rows, those without which straight lines would be furthest off: the interval with the
/// largest deviation is split at its worst row, again and again [Ramer 1972; Douglas & Peucker 1973], with
/// all columns at once. A change of state counts as the largest deviation and keeps the rows on both sides.
/// @pre most ≥ 2 (throws InvalidArgument)
[[nodiscard]] ThinnedRows thin_rows(const RunTable& table, std::size_t most);

}  // namespace enfold::app
