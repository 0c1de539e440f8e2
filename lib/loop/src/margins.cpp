// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/loop/margins.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "enfold/loop/poles.hpp"
#include "gain_margins.hpp"

namespace enfold::loop {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;
constexpr int kPointsPerDecade = 100;

/// Eigenvalues of H at a frequency, largest first.
Eigen::VectorXcd loci(const StateSpace& open, double omega) {
  Eigen::VectorXcd out = open.at_frequency(omega).eigenvalues();
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return std::norm(a) > std::norm(b); });
  return out;
}

double lag(const std::complex<double>& value) {
  const double phase = std::arg(value);
  return phase < 0.0 ? phase + kTwoPi : phase;
}

/// Where the i-th largest eigenvalue is on the unit circle between two frequencies of which that is true.
UnitCrossing refine(const StateSpace& open, Index i, double below, double above) {
  const bool shrinks = std::abs(loci(open, below)[i]) > 1.0;
  for (int step = 0; step < 50 && above - below > 1e-14 * above; ++step) {
    const double middle = 0.5 * (below + above);
    ((std::abs(loci(open, middle)[i]) > 1.0) == shrinks ? below : above) = middle;
  }
  const double omega = 0.5 * (below + above);
  return {omega, lag(loci(open, omega)[i])};
}

struct Span {
  double from, to;
};

Span frequencies(const StateSpace& open) {
  double slowest = std::numeric_limits<double>::infinity();
  double fastest = 0.0;
  for (const Pole& pole : poles(open.closed(), open.period)) {
    const double frequency = pole.natural_frequency();
    if (pole.dead_beat || frequency < 1e-6) continue;
    slowest = std::min(slowest, frequency);
    fastest = std::max(fastest, frequency);
  }
  if (fastest == 0.0) return {1e-3, open.sampled() ? std::numbers::pi / open.period : 1e3};
  const double to = open.sampled() ? std::numbers::pi / open.period : 1e3 * fastest;
  return {std::min(1e-3 * slowest, 0.1 * to), to};
}

CriticalDelay least(const std::vector<UnitCrossing>& crossings) {
  CriticalDelay out;
  for (const UnitCrossing& crossing : crossings)
    if (crossing.phase / crossing.omega < out.delay) out = {crossing.phase / crossing.omega, crossing.omega};
  return out;
}

}  // namespace

std::vector<UnitCrossing> unit_crossings(const StateSpace& open) {
  std::vector<UnitCrossing> out;
  if (open.channels() == 0) return out;
  const Span span = frequencies(open);
  const int steps = static_cast<int>(std::ceil(kPointsPerDecade * std::log10(span.to / span.from)));
  const double factor = std::pow(span.to / span.from, 1.0 / steps);
  double below = span.from;
  Eigen::VectorXcd before = loci(open, below);
  for (int k = 1; k <= steps; ++k) {
    const double above = k == steps ? span.to : below * factor;
    const Eigen::VectorXcd now = loci(open, above);
    for (Index i = 0; i < now.size(); ++i)
      if ((std::abs(before[i]) > 1.0) != (std::abs(now[i]) > 1.0))
        out.push_back(refine(open, i, below, above));
    below = above;
    before = now;
  }
  return out;
}

Margins margins(const StateSpace& open) {
  Margins out;
  out.stable = stable(poles(open.closed(), open.period));
  if (!out.stable) return out;
  const GainMargins gains = gain_margins(open);
  out.gain_low = gains.low;
  out.gain_high = gains.high;
  const std::vector<UnitCrossing> crossings = unit_crossings(open);
  for (const UnitCrossing& crossing : crossings) {
    const double phase = std::min(crossing.phase, kTwoPi - crossing.phase);
    if (phase < out.phase) {
      out.phase = phase;
      out.phase_frequency = crossing.omega;
    }
  }
  const CriticalDelay delay = least(crossings);
  out.delay = delay.delay;
  out.delay_frequency = delay.omega;
  return out;
}

namespace {

/// The phase lag, as a delay, that the loop with the fraction f of a period bears on top of it: with whole
/// periods j it is stable while jT stays below. Negative if it is unstable with f alone.
CriticalDelay whole_delay(const LinearLoop& loop, double period, double f) {
  const OpenLoop open = sampled_loop(loop, period, f);
  if (!stable(poles(open.closed(), period))) return {-period, 0.0};
  return least(unit_crossings(open.at(Cut::kCommand)));
}

/// The fraction of a period at which what is borne comes down to `whole`, between one at which it is more and
/// one at which it is less: by the secant, kept between the two.
CriticalDelay fitting_fraction(const LinearLoop& loop, double period, double whole, double left_at_0,
                               const CriticalDelay& at_end) {
  double below = 0.0;
  double above = period;
  double more = left_at_0 - whole;
  CriticalDelay last = at_end;
  double less = at_end.delay - whole;
  for (int i = 0; i < 60 && above - below > 1e-12 * period; ++i) {
    const bool straight = i % 3 != 2 && std::isfinite(more) && less > -0.99 * period - whole;
    double f = straight ? below + (above - below) * more / (more - less) : 0.5 * (below + above);
    f = std::clamp(f, below + 1e-3 * (above - below), above - 1e-3 * (above - below));
    last = whole_delay(loop, period, f);
    const double left = last.delay - whole;
    (left > 0.0 ? below : above) = f;
    (left > 0.0 ? more : less) = left;
    if (std::abs(left) <= 1e-13 * (whole + period)) return {whole + f, last.omega};
  }
  return {whole + 0.5 * (below + above), last.omega};
}

}  // namespace

CriticalDelay critical_delay(const LinearLoop& loop, double period) {
  if (period == 0.0) {
    const OpenLoop open = continuous_loop(loop);
    if (!stable(poles(open.closed(), 0.0))) return {0.0, 0.0};
    return least(unit_crossings(open.at(Cut::kCommand)));
  }
  const CriticalDelay none = whole_delay(loop, period, 0.0);
  if (none.delay < 0.0) return {0.0, 0.0};
  const CriticalDelay almost = whole_delay(loop, period, period * (1.0 - 1e-9));
  // The first whole delays that are not stable alone, and that do not bear almost a period more.
  const double alone = std::ceil(none.delay / period);
  const double with_more = std::max(0.0, std::ceil(almost.delay / period));
  if (!std::isfinite(std::min(alone, with_more))) return {};
  if (alone <= with_more) return {alone * period, none.omega};
  return fitting_fraction(loop, period, with_more * period, none.delay, almost);
}

}  // namespace enfold::loop
