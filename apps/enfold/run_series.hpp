// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "enfold/figure/figure.hpp"
#include "enfold/sim/history.hpp"

namespace enfold::app {

/// A number of a sample.
using Value = std::function<double(const sim::Sample&)>;

/// A value against time; few enough points for a page, the smallest and largest of each stretch kept.
[[nodiscard]] std::vector<figure::Point> series(const sim::History& history, const Value& value);

/// NaN where the sample lacks the entry: a hole in the line, not a zero.
[[nodiscard]] double entry(const VectorXd& v, Index i);

/// A line, or a dot where the run has a single sample.
void add_line(figure::Panel& panel, figure::Line line);

/// Colours repeat after seven; the dash then tells them apart.
[[nodiscard]] figure::Dash dash_of(Index i);

[[nodiscard]] figure::Range time_range(const sim::History& history);

/// A range around two lines that do not differ by more than `floor`; nothing if they do. Without it a
/// constant would sit on the frame, or rounding noise would fill the panel.
[[nodiscard]] std::optional<figure::Range> range_if_flat(const std::vector<figure::Point>& a,
                                                         const std::vector<figure::Point>& b, double floor);

/// Calls visit(first time, last time, key) for each stretch of samples with one key.
template <class Key, class Visit>
void for_each_stretch(const sim::History& history, const Key& key, const Visit& visit) {
  const auto& samples = history.samples;
  for (std::size_t i = 0; i < samples.size();) {
    std::size_t j = i + 1;
    while (j < samples.size() && key(samples[j]) == key(samples[i])) ++j;
    visit(samples[i].time, j < samples.size() ? samples[j].time : time_range(history).upper, key(samples[i]));
    i = j;
  }
}

/// Shades where the contacts are compliant, and marks every switch of the model.
void mark_models(const sim::History& history, figure::Panel& panel);

/// Room for the legend at the right whatever the number of entries.
[[nodiscard]] figure::Size page_size(double height, Index legend_entries);

}  // namespace enfold::app
