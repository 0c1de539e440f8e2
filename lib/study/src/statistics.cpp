// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/study/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "enfold/base/require.hpp"

namespace enfold::study {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void require_trials(std::uint64_t k, std::uint64_t n, double confidence) {
  ENFOLD_REQUIRE(k <= n, "{} successes in {} trials", k, n);
  ENFOLD_REQUIRE(confidence > 0.0 && confidence < 1.0, "a confidence is between 0 and 1, found {}",
                 confidence);
}

std::vector<double> finite(std::span<const double> values) {
  std::vector<double> out;
  for (const double value : values)
    if (std::isfinite(value)) out.push_back(value);
  return out;
}

/// The pairs of which both numbers are finite.
struct Pairs {
  std::vector<double> x, y;
};
Pairs finite_pairs(std::span<const double> x, std::span<const double> y) {
  ENFOLD_REQUIRE(x.size() == y.size(), "{} numbers against {}", x.size(), y.size());
  Pairs out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
    out.x.push_back(x[i]);
    out.y.push_back(y[i]);
  }
  return out;
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double squares(std::span<const double> values, double mean) {
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

std::vector<std::size_t> order_of(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

std::vector<double> ranks(std::span<const double> values) {
  const std::vector<std::size_t> order = order_of(values);
  std::vector<double> out(values.size());
  for (std::size_t i = 0; i < order.size();) {
    std::size_t end = i;
    while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
    const double rank = 0.5 * static_cast<double>(i + end - 1);
    for (; i < end; ++i) out[order[i]] = rank;
  }
  return out;
}

double pearson(std::span<const double> x, std::span<const double> y) {
  if (x.size() < 2) return kNaN;
  const double x_mean = mean_of(x);
  const double y_mean = mean_of(y);
  double product = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) product += (x[i] - x_mean) * (y[i] - y_mean);
  const double scale = std::sqrt(squares(x, x_mean) * squares(y, y_mean));
  return scale > 0.0 ? std::clamp(product / scale, -1.0, 1.0) : kNaN;
}

/// Half-open stretches of the sorted x that make the slices.
std::vector<std::pair<std::size_t, std::size_t>> slices(const std::vector<double>& sorted,
                                                        std::size_t max_bins) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  const std::size_t n = sorted.size();
  std::set<double> different;
  for (std::size_t i = 0; i < n && different.size() <= max_bins; ++i) different.insert(sorted[i]);
  const bool by_value = different.size() <= max_bins;
  std::size_t from = 0;
  for (std::size_t bin = 0; from < n; ++bin) {
    std::size_t to = by_value ? from + 1 : std::max(from + 1, (bin + 1) * n / max_bins);
    while (to < n && sorted[to] == sorted[to - 1]) ++to;  // equal x stay together
    out.emplace_back(from, std::min(to, n));
    from = to;
  }
  return out;
}

}  // namespace

Interval wilson_interval(std::uint64_t k, std::uint64_t n, double confidence) {
  require_trials(k, n, confidence);
  if (n == 0) return {};
  const double z =
      boost::math::quantile(boost::math::normal_distribution<double>(), 0.5 * (1.0 + confidence));
  const auto trials = static_cast<double>(n);
  const double p = static_cast<double>(k) / trials;
  const double spread = z * std::sqrt(p * (1.0 - p) / trials + z * z / (4.0 * trials * trials));
  const double centre = p + z * z / (2.0 * trials);
  const double scale = 1.0 + z * z / trials;
  return {k == 0 ? 0.0 : std::max(0.0, (centre - spread) / scale),
          k == n ? 1.0 : std::min(1.0, (centre + spread) / scale)};
}

Interval exact_interval(std::uint64_t k, std::uint64_t n, double confidence) {
  require_trials(k, n, confidence);
  const double tail = 0.5 * (1.0 - confidence);
  const auto a = static_cast<double>(k);
  const auto b = static_cast<double>(n - k);
  Interval out;
  if (k > 0) out.lower = boost::math::quantile(boost::math::beta_distribution<double>(a, b + 1.0), tail);
  if (k < n)
    out.upper = boost::math::quantile(boost::math::beta_distribution<double>(a + 1.0, b), 1.0 - tail);
  return out;
}

double sorted_quantile(std::span<const double> sorted, double u) {
  ENFOLD_REQUIRE(!sorted.empty() && u >= 0.0 && u <= 1.0, "quantile {} of {} numbers", u, sorted.size());
  const double at = u * static_cast<double>(sorted.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), sorted.size() - 1);
  const std::size_t next = std::min(i + 1, sorted.size() - 1);
  return sorted[i] + (at - static_cast<double>(i)) * (sorted[next] - sorted[i]);
}

Moments moments(std::span<const double> values) {
  std::vector<double> some = finite(values);
  Moments out;
  out.count = some.size();
  if (some.empty()) {
    out.mean = out.sd = out.least = out.lower_quartile = out.median = out.upper_quartile = out.most = kNaN;
    return out;
  }
  out.mean = mean_of(some);
  if (some.size() > 1) out.sd = std::sqrt(squares(some, out.mean) / static_cast<double>(some.size() - 1));
  std::sort(some.begin(), some.end());
  out.least = some.front();
  out.lower_quartile = sorted_quantile(some, 0.25);
  out.median = sorted_quantile(some, 0.5);
  out.upper_quartile = sorted_quantile(some, 0.75);
  out.most = some.back();
  return out;
}

double correlation(std::span<const double> x, std::span<const double> y) {
  const Pairs pairs = finite_pairs(x, y);
  return pearson(pairs.x, pairs.y);
}

double rank_correlation(std::span<const double> x, std::span<const double> y) {
  const Pairs pairs = finite_pairs(x, y);
  return pearson(ranks(pairs.x), ranks(pairs.y));
}

Histogram histogram(std::span<const double> values) {
  std::vector<double> some = finite(values);
  Histogram out;
  if (some.empty()) return out;
  std::sort(some.begin(), some.end());
  const double least = some.front();
  const double most = some.back();
  const double range = most - least;
  if (!(range > 1e-12 * std::max(std::abs(least), std::abs(most)))) {
    out.edges = {least, most};
    out.counts = {some.size()};
    return out;
  }
  const double quartiles = sorted_quantile(some, 0.75) - sorted_quantile(some, 0.25);
  const double width = 2.0 * quartiles / std::cbrt(static_cast<double>(some.size()));
  const double wanted = width > 0.0 ? std::ceil(range / width) : 40.0;
  const auto bins = static_cast<std::size_t>(std::clamp(wanted, 5.0, 40.0));
  for (std::size_t k = 0; k <= bins; ++k)
    out.edges.push_back(least + range * static_cast<double>(k) / static_cast<double>(bins));
  out.edges.back() = most;
  out.counts.assign(bins, 0);
  for (const double value : some) {
    const auto k = static_cast<std::size_t>((value - least) / range * static_cast<double>(bins));
    ++out.counts[std::min(k, bins - 1)];
  }
  return out;
}

MainEffect main_effect(std::span<const double> x, std::span<const double> y, std::size_t max_bins) {
  ENFOLD_REQUIRE(max_bins >= 2, "a main effect needs two slices or more, found {}", max_bins);
  const Pairs pairs = finite_pairs(x, y);
  MainEffect out;
  out.share = kNaN;
  const std::size_t n = pairs.x.size();
  if (n == 0) return out;
  const std::vector<std::size_t> order = order_of(pairs.x);
  std::vector<double> sorted_x, sorted_y;
  for (const std::size_t i : order) {
    sorted_x.push_back(pairs.x[i]);
    sorted_y.push_back(pairs.y[i]);
  }
  const double mean = mean_of(sorted_y);
  const double total = squares(sorted_y, mean);
  double within = 0.0;
  for (const auto& [from, to] : slices(sorted_x, max_bins)) {
    const std::span<const double> some(sorted_y.data() + from, to - from);
    EffectBin bin{.lower = sorted_x[from], .upper = sorted_x[to - 1], .count = some.size()};
    bin.mean = mean_of(some);
    const double spread = squares(some, bin.mean);
    within += spread;
    bin.half_width = std::numeric_limits<double>::infinity();
    if (bin.count > 1) {
      const auto m = static_cast<double>(bin.count);
      const boost::math::students_t_distribution<double> student(m - 1.0);
      bin.half_width = boost::math::quantile(student, 0.975) * std::sqrt(spread / (m - 1.0) / m);
    }
    out.bins.push_back(bin);
  }
  const std::size_t groups = out.bins.size();
  if (!(total > 0.0)) return out;
  const double by_chance =
      n > groups ? static_cast<double>(groups - 1) * within / static_cast<double>(n - groups) : 0.0;
  out.share = std::clamp((total - within - by_chance) / total, 0.0, 1.0);
  return out;
}

}  // namespace enfold::study
