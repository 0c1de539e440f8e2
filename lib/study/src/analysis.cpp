// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/study/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "enfold/base/require.hpp"

namespace enfold::study {
namespace {

constexpr std::size_t kMostValues = 60;

MapAxis make_axis(const std::string& name, std::span<const double> x) {
  MapAxis axis{.name = name, .by_value = true, .values = {x.begin(), x.end()}, .edges = {}};
  std::sort(axis.values.begin(), axis.values.end());
  const double least = axis.values.front();
  const double most = axis.values.back();
  axis.values.erase(std::unique(axis.values.begin(), axis.values.end()), axis.values.end());
  const std::size_t n = axis.values.size();
  if (n == 1) {
    const double half = std::max(1e-9, 1e-3 * std::abs(least));
    axis.edges = {least - half, least + half};
    return axis;
  }
  if (n <= kMostValues) {
    axis.edges.push_back(axis.values[0] - 0.5 * (axis.values[1] - axis.values[0]));
    for (std::size_t k = 1; k < n; ++k) axis.edges.push_back(0.5 * (axis.values[k - 1] + axis.values[k]));
    axis.edges.push_back(axis.values[n - 1] + 0.5 * (axis.values[n - 1] - axis.values[n - 2]));
    return axis;
  }
  // About 25 samples to a cell of a square map.
  const double wanted = std::sqrt(static_cast<double>(x.size()) / 25.0);
  const auto slices = static_cast<std::size_t>(std::clamp(std::round(wanted), 4.0, 24.0));
  axis.by_value = false;
  axis.values.clear();
  const auto edge = [&](std::size_t k) {
    return least + (most - least) * static_cast<double>(k) / static_cast<double>(slices);
  };
  for (std::size_t k = 0; k <= slices; ++k) axis.edges.push_back(edge(k));
  for (std::size_t k = 0; k < slices; ++k) axis.values.push_back(0.5 * (edge(k) + edge(k + 1)));
  return axis;
}

}  // namespace

std::size_t MapAxis::cell(double x) const {
  const auto after = std::upper_bound(edges.begin() + 1, edges.end() - 1, x);
  return static_cast<std::size_t>(after - (edges.begin() + 1));
}

SuccessMap success_map(const std::string& x_name, std::span<const double> x, const std::string& y_name,
                       std::span<const double> y, std::span<const double> success) {
  ENFOLD_REQUIRE(!x.empty() && x.size() == y.size() && x.size() == success.size(),
                 "a success map of {}, {} and {} numbers", x.size(), y.size(), success.size());
  SuccessMap map{.x = make_axis(x_name, x), .y = make_axis(y_name, y), .trials = {}, .successes = {}};
  map.trials.assign(map.x.values.size() * map.y.values.size(), 0);
  map.successes = map.trials;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t k = map.at(map.x.cell(x[i]), map.y.cell(y[i]));
    ++map.trials[k];
    if (success[i] != 0.0) ++map.successes[k];
  }
  return map;
}

std::vector<LevelCount> count_levels(const std::vector<Record>& records, std::span<const std::size_t> needs) {
  std::vector<LevelCount> out(needs.size());
  std::vector<double> spared(needs.size(), 0.0);
  for (const Record& record : records) {
    for (std::size_t k = 0; k < needs.size(); ++k) {
      if (k >= record.seconds.size()) {
        if (record.passed >= needs[k]) spared[k] += 1.0;
        continue;
      }
      ++out[k].reached;
      if (k == record.passed) ++out[k].fell;
      out[k].seconds += record.seconds[k];
    }
  }
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (out[k].reached > 0)
      out[k].seconds_saved = spared[k] * out[k].seconds / static_cast<double>(out[k].reached);
  }
  return out;
}

std::vector<std::size_t> ranked(std::span<const double> objective, bool maximize) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < objective.size(); ++i)
    if (!std::isnan(objective[i])) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return maximize ? objective[a] > objective[b] : objective[a] < objective[b];
  });
  return order;
}

}  // namespace enfold::study
