// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "enfold/figure/figure.hpp"

namespace enfold::figure {

/// A tick in axis coordinates (log10 of the value on a logarithmic axis); no label: a minor tick.
struct Tick {
  double at = 0.0;
  std::string label{};
};

/// At most `max_count` labelled ticks at multiples of 1, 2 or 5 times a power of ten inside `range`. On a
/// logarithmic axis `range` holds exponents and the labelled ticks are powers of ten, or 1, 2, 5 times them
/// where fewer than two fit.
[[nodiscard]] std::vector<Tick> make_ticks(const Range& range, AxisScale scale, int max_count);

}  // namespace enfold::figure
