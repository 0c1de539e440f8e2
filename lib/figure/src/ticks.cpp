// SPDX-License-Identifier: BSD-3-Clause
#include "ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace enfold::figure {
namespace {

constexpr double kSlack = 1e-9;  // of a step: a tick on the edge of the range counts as inside

std::string superscript(int n) {
  constexpr std::array<const char*, 10> kDigits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = n < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(n))) out += kDigits[static_cast<std::size_t>(c - '0')];
  return out;
}

std::string with_minus_sign(const std::string& number) {
  if (!number.starts_with('-')) return number;
  std::string out = "−";
  out.append(number, 1);
  return out;
}

double first_multiple(const Range& range, double step) {
  return std::ceil(range.lower / step - kSlack);
}
double last_multiple(const Range& range, double step) {
  return std::floor(range.upper / step + kSlack);
}

// Smallest step of the form {1, 2, 5}·10^k with at most max_count multiples in the range.
double nice_step(const Range& range, int max_count) {
  const double least = (range.upper - range.lower) / (max_count + 1);
  for (double decade = std::pow(10.0, std::floor(std::log10(least)));; decade *= 10.0) {
    for (const double m : {1.0, 2.0, 5.0}) {
      const double step = m * decade;
      if (step >= least && last_multiple(range, step) - first_multiple(range, step) < max_count) return step;
    }
  }
}

std::vector<Tick> linear_ticks(const Range& range, int max_count) {
  const double step = nice_step(range, max_count);
  const double first = first_multiple(range, step);
  const double last = last_multiple(range, step);
  const double largest = step * std::max(std::abs(first), std::abs(last));
  const int step_exponent = static_cast<int>(std::floor(std::log10(step) + kSlack));
  const int exponent = largest > 0.0 ? static_cast<int>(std::floor(std::log10(largest) + kSlack)) : 0;
  const bool scientific = exponent >= 5 || step_exponent < -4;
  std::vector<Tick> ticks;
  for (double k = first; k <= last && ticks.size() < 64; k += 1.0) {
    const double value = k * step;
    std::string label = "0";
    if (scientific && k != 0.0) {
      const double mantissa = value / std::pow(10.0, exponent);
      label =
          fmt::format("{:.{}f}·10{}", mantissa, std::max(exponent - step_exponent, 0), superscript(exponent));
    } else if (!scientific) {
      label = fmt::format("{:.{}f}", k == 0.0 ? 0.0 : value, std::max(-step_exponent, 0));
    }
    ticks.push_back({value, with_minus_sign(label)});
  }
  return ticks;
}

std::vector<Tick> log_ticks(const Range& range, int max_count) {
  const int first = static_cast<int>(std::ceil(range.lower - kSlack));
  const int last = static_cast<int>(std::floor(range.upper + kSlack));
  const bool label_parts = last - first < 1;
  const int stride = std::max(1, (last - first) / std::max(max_count - 1, 1) + 1);
  std::vector<Tick> ticks;
  for (int n = first - 1; n <= last; ++n) {
    for (int m = 1; m <= 9; ++m) {
      const double at = n + std::log10(m);
      if (at < range.lower - kSlack || at > range.upper + kSlack) continue;
      if (m == 1) {
        const bool labelled = last - first < max_count || n % stride == 0;
        ticks.push_back({at, labelled ? "10" + superscript(n) : std::string()});
      } else if (label_parts && (m == 2 || m == 5)) {
        ticks.push_back({at, fmt::format("{}·10{}", m, superscript(n))});
      } else if (last - first <= 6) {
        ticks.push_back({at, {}});
      }
    }
  }
  return ticks;
}

}  // namespace

std::vector<Tick> make_ticks(const Range& range, AxisScale scale, int max_count) {
  return scale == AxisScale::kLog10 ? log_ticks(range, max_count) : linear_ticks(range, max_count);
}

}  // namespace enfold::figure
