// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/interval/interval.hpp"

#include <numbers>

namespace enfold::interval {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Below this an error term may itself be rounded to zero: then the result is always widened.
constexpr double kTiny = 1e-250;

double below(double x) {
  return std::nextafter(x, -kInfinity);
}
double above(double x) {
  return std::nextafter(x, kInfinity);
}

/// A rounded result and the sign of (result − exact value); both signs where that is not known.
struct Rounded {
  double value;
  double excess;
  bool unknown = false;

  [[nodiscard]] double down() const { return excess > 0.0 || unknown ? below(value) : value; }
  [[nodiscard]] double up() const { return excess < 0.0 || unknown ? above(value) : value; }
};

// Knuth's TwoSum: a + b = s + e without error.
Rounded sum(double a, double b) {
  const double s = a + b;
  const double b_part = s - a;
  const double e = (a - (s - b_part)) + (b - b_part);
  return {s, -e, !std::isfinite(e)};
}

Rounded product(double a, double b) {
  const double p = a * b;
  if (a == 0.0 || b == 0.0) return {0.0, 0.0, false};  // also 0 · ∞: the end of an interval is a limit
  return {p, std::fma(a, -b, p), !std::isfinite(p) || std::abs(p) < kTiny};
}

Rounded quotient(double a, double b) {
  const double q = a / b;
  if (a == 0.0) return {0.0, 0.0, false};
  const double r = std::fma(q, b, -a);  // (q − a/b) b
  return {q, b > 0.0 ? r : -r, !std::isfinite(q) || std::abs(q) < kTiny || std::abs(a) < kTiny};
}

struct Ends {
  double lo = kInfinity;
  double hi = -kInfinity;
  bool broken = false;

  void add(const Rounded& r) {
    if (std::isnan(r.value)) broken = true;
    lo = std::min(lo, r.down());
    hi = std::max(hi, r.up());
  }
  [[nodiscard]] Interval interval() const { return broken ? Interval::whole() : Interval(lo, hi); }
};

// Whether offset + k·2π lies in the interval for a whole k, or almost so.
bool meets(const Interval& a, double offset) {
  constexpr double kSlack = 1e-9;
  constexpr double kTurn = 2.0 * std::numbers::pi;
  const double k = std::ceil((a.lo() - kSlack - offset) / kTurn);
  return offset + k * kTurn <= a.hi() + kSlack;
}

Interval wave(const Interval& a, double (*f)(double), double maximum_at) {
  if (!a.bounded() || a.magnitude() > 1e5) return {-1.0, 1.0};
  const double at_lo = f(a.lo());
  const double at_hi = f(a.hi());
  double lo = below(below(std::min(at_lo, at_hi)));
  double hi = above(above(std::max(at_lo, at_hi)));
  if (meets(a, maximum_at)) hi = 1.0;
  if (meets(a, maximum_at + std::numbers::pi)) lo = -1.0;
  return {std::max(-1.0, lo), std::min(1.0, hi)};
}

double sine(double x) {
  return std::sin(x);
}
double cosine(double x) {
  return std::cos(x);
}

}  // namespace

Interval operator+(const Interval& a, const Interval& b) {
  return {sum(a.lo_, b.lo_).down(), sum(a.hi_, b.hi_).up()};
}

Interval operator*(const Interval& a, const Interval& b) {
  Ends out;
  out.add(product(a.lo_, b.lo_));
  out.add(product(a.lo_, b.hi_));
  out.add(product(a.hi_, b.lo_));
  out.add(product(a.hi_, b.hi_));
  return out.interval();
}

Interval operator/(const Interval& a, const Interval& b) {
  if (!(b.lo_ > 0.0 || b.hi_ < 0.0) || !a.bounded() || !b.bounded()) return Interval::whole();
  Ends out;
  out.add(quotient(a.lo_, b.lo_));
  out.add(quotient(a.lo_, b.hi_));
  out.add(quotient(a.hi_, b.lo_));
  out.add(quotient(a.hi_, b.hi_));
  return out.interval();
}

Interval sqr(const Interval& a) {
  const Interval square = a * a;
  if (!a.contains(0.0)) return square;
  return {0.0, square.hi()};
}

Interval sqrt(const Interval& a) {
  if (!(a.lo() >= 0.0) || !a.bounded()) return Interval::whole();
  const auto root = [](double x) {
    const double s = std::sqrt(x);
    return Rounded{s, std::fma(s, s, -x), x != 0.0 && x < kTiny};
  };
  return {std::max(0.0, root(a.lo()).down()), root(a.hi()).up()};
}

Interval sin(const Interval& a) {
  return wave(a, sine, 0.5 * std::numbers::pi);
}

Interval cos(const Interval& a) {
  return wave(a, cosine, 0.0);
}

Interval intersection(const Interval& a, const Interval& b) {
  const double lo = std::max(a.lo(), b.lo());
  const double hi = std::min(a.hi(), b.hi());
  return lo <= hi ? Interval(lo, hi) : a;
}

Interval hull(const Interval& a, const Interval& b) {
  return {std::min(a.lo(), b.lo()), std::max(a.hi(), b.hi())};
}

}  // namespace enfold::interval
