// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <limits>

#include "enfold/base/types.hpp"

namespace enfold::lcp::detail {

// Short loops over doubles in blocks whose size the compiler knows: it turns those into vector instructions
// at -O2, which it does not do for loops of unknown length.

template <int K>
using Block = Eigen::Array<double, K, 1>;

template <int K>
[[nodiscard]] inline Block<K> load(const double* x) {
  return Eigen::Map<const Block<K>>(x);
}

template <int K>
inline void store(double* y, const Block<K>& x) {
  Eigen::Map<Block<K>> target(y);
  target = x;
}

// x > y in every entry; false if an entry of x is not finite. Faster than Eigen's comparison, which goes
// entry by entry. The sum is there for NaN, which a minimum can lose.
template <int K>
[[nodiscard]] inline bool all_above(const Block<K>& x, const Block<K>& y) {
  const Block<K> gap = x - y;
  return gap.minCoeff() > 0.0 && gap.sum() <= std::numeric_limits<double>::max();
}

// y += f x
inline void add_multiple(double* y, const double* x, double f, Index count) {
  Index i = 0;
  for (; i + 8 <= count; i += 8) store<8>(y + i, load<8>(y + i) + f * load<8>(x + i));
  if (i + 4 <= count) {
    store<4>(y + i, load<4>(y + i) + f * load<4>(x + i));
    i += 4;
  }
  for (; i < count; ++i) y[i] += f * x[i];
}

[[nodiscard]] inline double dot(const double* x, const double* y, Index count) {
  Block<4> sums = Block<4>::Zero();
  Index i = 0;
  for (; i + 4 <= count; i += 4) sums += load<4>(x + i) * load<4>(y + i);
  double sum = (sums(0) + sums(1)) + (sums(2) + sums(3));
  for (; i < count; ++i) sum += x[i] * y[i];
  return sum;
}

// A length that is known when compiling (Length > 0) or given at run time, then a multiple of 4 (Length = 0).
template <int Length>
inline void add_multiple_padded(double* y, const double* x, double f, [[maybe_unused]] Index length) {
  if constexpr (Length > 0) {
    store<Length>(y, load<Length>(y) + f * load<Length>(x));
  } else {
    for (Index i = 0; i < length; i += 4) store<4>(y + i, load<4>(y + i) + f * load<4>(x + i));
  }
}

// y = f x
template <int Length>
inline void scale_padded(double* y, const double* x, double f, [[maybe_unused]] Index length) {
  if constexpr (Length > 0) {
    store<Length>(y, f * load<Length>(x));
  } else {
    for (Index i = 0; i < length; i += 4) store<4>(y + i, f * load<4>(x + i));
  }
}

// y = −w x entry by entry; x has only n entries, and the rest of y is left alone.
template <int Length>
inline void multiply_padded(double* y, const double* x, const double* w, Index n,
                            [[maybe_unused]] Index length) {
  Index i = 0;
  if constexpr (Length > 0) {
    if (n == Length) {
      store<Length>(y, -load<Length>(w) * load<Length>(x));
      return;
    }
  } else {
    for (; i + 4 <= n; i += 4) store<4>(y + i, -load<4>(w + i) * load<4>(x + i));
  }
  for (; i < n; ++i) y[i] = -w[i] * x[i];
}

template <int Length>
[[nodiscard]] inline double minimum_padded(const double* x, [[maybe_unused]] Index length) {
  if constexpr (Length > 0) {
    return load<Length>(x).minCoeff();
  } else {
    Block<4> smallest = load<4>(x);
    for (Index i = 4; i < length; i += 4) smallest = smallest.min(load<4>(x + i));
    return smallest.minCoeff();
  }
}

}  // namespace enfold::lcp::detail
