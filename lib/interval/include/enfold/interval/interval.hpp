// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace enfold::interval {

/// A closed interval [lo, hi] of real numbers that holds what it stands for, rounding included.
///
/// Every operation returns an interval that contains all results for all members of its operands. Ends are
/// rounded outwards by what the operation's own rounding error says (error-free transformations by fma, no
/// change of the rounding mode): an exact result stays exact, so that 0 · x is 0. An operation without a
/// meaning for some member (division by an interval that holds 0, root of a negative number) gives the whole
/// line.
class Interval {
 public:
  constexpr Interval() = default;
  constexpr Interval(double x) : lo_{x}, hi_{x} {}  // NOLINT: a number is an interval
  /// @pre lo ≤ hi; otherwise, or with NaN, the whole line
  constexpr Interval(double lo, double hi) : lo_{lo}, hi_{hi} {
    if (!(lo <= hi)) *this = whole();
  }
  [[nodiscard]] static constexpr Interval whole() {
    Interval out;
    out.lo_ = -std::numeric_limits<double>::infinity();
    out.hi_ = std::numeric_limits<double>::infinity();
    return out;
  }

  [[nodiscard]] constexpr double lo() const { return lo_; }
  [[nodiscard]] constexpr double hi() const { return hi_; }
  [[nodiscard]] bool bounded() const { return std::isfinite(lo_) && std::isfinite(hi_); }
  [[nodiscard]] constexpr bool contains(double x) const { return lo_ <= x && x <= hi_; }
  [[nodiscard]] constexpr bool inside(const Interval& other) const {
    return other.lo_ < lo_ && hi_ < other.hi_;
  }
  /// A number near the middle; a member if the interval is bounded.
  [[nodiscard]] double middle() const { return std::clamp(0.5 * lo_ + 0.5 * hi_, lo_, hi_); }
  /// The largest absolute value of a member.
  [[nodiscard]] double magnitude() const { return std::max(std::abs(lo_), std::abs(hi_)); }

  Interval& operator+=(const Interval& b) { return *this = *this + b; }
  Interval& operator-=(const Interval& b) { return *this = *this - b; }

  friend Interval operator-(const Interval& a) { return {-a.hi_, -a.lo_}; }
  friend Interval operator+(const Interval& a, const Interval& b);
  friend Interval operator-(const Interval& a, const Interval& b) { return a + (-b); }
  friend Interval operator*(const Interval& a, const Interval& b);
  friend Interval operator/(const Interval& a, const Interval& b);

 private:
  double lo_ = 0.0;
  double hi_ = 0.0;
};

[[nodiscard]] Interval sqr(const Interval& a);
[[nodiscard]] Interval sqrt(const Interval& a);
/// Sine and cosine; the C library's are taken as right to two units in the last place.
[[nodiscard]] Interval sin(const Interval& a);
[[nodiscard]] Interval cos(const Interval& a);
/// The members of both; one of the two where rounding left none in common.
[[nodiscard]] Interval intersection(const Interval& a, const Interval& b);
[[nodiscard]] Interval hull(const Interval& a, const Interval& b);

}  // namespace enfold::interval
