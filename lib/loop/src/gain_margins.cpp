// SPDX-License-Identifier: BSD-3-Clause
#include "gain_margins.hpp"

#include <cmath>
#include <limits>

#include "enfold/loop/poles.hpp"

namespace enfold::loop {
namespace {

/// Walks from 1 by a factor to the end or to the first gain that is not stable, and locates the edge.
double edge(const StateSpace& open, double end, double factor, double without_end) {
  const auto holds = [&](double gain) { return stable(poles(open.closed(gain), open.period)); };
  double inside = 1.0;
  while (factor > 1.0 ? inside < end : inside > end) {
    double outside = inside * factor;
    if (holds(outside)) {
      inside = outside;
      continue;
    }
    for (int i = 0; i < 40; ++i) {
      const double middle = std::sqrt(inside * outside);
      (holds(middle) ? inside : outside) = middle;
    }
    return inside;
  }
  return without_end;
}

}  // namespace

GainMargins gain_margins(const StateSpace& open) {
  return {edge(open, 1e-3, 1.0 / 1.05, 0.0), edge(open, 1e4, 1.05, std::numeric_limits<double>::infinity())};
}

}  // namespace enfold::loop
