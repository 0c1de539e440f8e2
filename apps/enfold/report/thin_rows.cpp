// SPDX-License-Identifier: BSD-3-Clause
#include "thin_rows.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "enfold/base/require.hpp"

namespace enfold::app {
namespace {

constexpr double kStateChange = 1e9;  // above every deviation of a number

/// Rows first < k < last are left out so far; `worst` is the one that misses them most.
struct Interval {
  std::size_t first = 0, last = 0, worst = 0;
  double deviation = 0.0;
  // The earliest of equals first, so that the same table is thinned in the same way everywhere.
  bool operator<(const Interval& other) const {
    return deviation != other.deviation ? deviation < other.deviation : first > other.first;
  }
};

class Thinner {
 public:
  explicit Thinner(const RunTable& table) : table_(table) {
    for (const Column& column : table.columns) {
      double lower = INFINITY;
      double upper = -INFINITY;
      for (const double x : column.values) {
        if (!std::isfinite(x)) continue;
        lower = std::min(lower, x);
        upper = std::max(upper, x);
      }
      // What only rounding moves is constant.
      const double range = upper - lower;
      const bool constant = !(range > 1e-12 * std::max(std::abs(lower), std::abs(upper)));
      scale_.push_back(constant ? 0.0 : 1.0 / range);
    }
  }

  [[nodiscard]] Interval interval(std::size_t first, std::size_t last) const {
    Interval out{first, last, first, 0.0};
    for (std::size_t c = 0; c < table_.columns.size(); ++c) measure(c, out);
    for (const StateColumn& column : table_.states) {
      for (std::size_t k = first + 1; k < last; ++k) {
        if (column.values[k] == column.values[k - 1]) continue;
        out.worst = k;
        out.deviation = 2.0 * kStateChange;
        return out;
      }
      // The change is at `last`: the row before it must stay.
      if (last - first > 1 && column.values[last] != column.values[last - 1]) {
        out.worst = last - 1;
        out.deviation = 2.0 * kStateChange;
        return out;
      }
    }
    return out;
  }

 private:
  void measure(std::size_t c, Interval& out) const {
    const std::vector<double>& v = table_.columns[c].values;
    const std::vector<double>& t = table_.time;
    const double from = v[out.first];
    const double span = t[out.last] - t[out.first];
    const double slope = span > 0.0 ? (v[out.last] - from) / span : 0.0;
    const bool line = std::isfinite(from) && std::isfinite(v[out.last]);
    for (std::size_t k = out.first + 1; k < out.last; ++k) {
      double off = 0.0;
      if (line && std::isfinite(v[k])) {
        off = scale_[c] * std::abs(v[k] - from - slope * (t[k] - t[out.first]));
      } else if (std::isfinite(v[k]) != std::isfinite(v[k - 1])) {
        off = kStateChange;
      }
      if (off > out.deviation) {
        out.deviation = off;
        out.worst = k;
      }
    }
    // A number that appears or vanishes at the last row: the row before it must stay.
    const std::size_t before = out.last - 1;
    if (before > out.first && std::isfinite(v[out.last]) != std::isfinite(v[before]) &&
        out.deviation < kStateChange) {
      out.deviation = kStateChange;
      out.worst = before;
    }
  }

  const RunTable& table_;
  std::vector<double> scale_;
};

}  // namespace

ThinnedRows thin_rows(const RunTable& table, std::size_t most) {
  ENFOLD_REQUIRE(most >= 2, "thin_rows: {} rows, expected at least 2", most);
  const std::size_t n = table.time.size();
  ThinnedRows out;
  if (n <= most) {
    for (std::size_t k = 0; k < n; ++k) out.rows.push_back(k);
    return out;
  }
  const Thinner thinner(table);
  std::priority_queue<Interval> open;
  out.rows = {0, n - 1};
  open.push(thinner.interval(0, n - 1));
  while (out.rows.size() < most && open.top().deviation > 0.0) {
    const Interval widest = open.top();
    open.pop();
    out.rows.push_back(widest.worst);
    open.push(thinner.interval(widest.first, widest.worst));
    open.push(thinner.interval(widest.worst, widest.last));
  }
  out.deviation = open.top().deviation;
  std::sort(out.rows.begin(), out.rows.end());
  return out;
}

}  // namespace enfold::app
