// SPDX-License-Identifier: BSD-3-Clause
#include "determinant.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "lu.hpp"

namespace enfold::lcp::detail {

namespace {

using Square = std::array<double, static_cast<std::size_t>(kMaxMinorSize* kMaxMinorSize)>;
using Column = std::array<double, static_cast<std::size_t>(kMaxMinorSize)>;
using Order = std::array<Index, static_cast<std::size_t>(kMaxMinorSize)>;

Index gather(const double* A, Index n, std::uint32_t mask, Square& a, Order& S) {
  Index m = 0;
  for (Index i = 0; i < n; ++i) {
    if ((mask >> i & 1U) != 0) S[static_cast<std::size_t>(m++)] = i;
  }
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) {
      a[static_cast<std::size_t>(i * m + j)] =
          A[S[static_cast<std::size_t>(i)] * n + S[static_cast<std::size_t>(j)]];
    }
  }
  return m;
}

double parity(const Order& order, Index m) {
  double sign = 1.0;
  for (Index i = 0; i < m; ++i) {
    for (Index j = i + 1; j < m; ++j) {
      if (order[static_cast<std::size_t>(i)] > order[static_cast<std::size_t>(j)]) sign = -sign;
    }
  }
  return sign;
}

double product_of_pivots(const Square& a, const Order& order, Index m) {
  double det = parity(order, m);
  for (Index k = 0; k < m; ++k) det *= a[static_cast<std::size_t>(k * m + k)];
  return det;
}

int sign_of(double value) {
  return value > 0.0 ? 1 : (value < 0.0 ? -1 : 0);
}

// Largest row sum of |(LU)⁻¹| |L| |U|; columns of the inverse one by one.
double growth(const Square& a, const Order& order, Index m) {
  const auto at = [&](Index i, Index j) { return a[static_cast<std::size_t>(i * m + j)]; };
  Column work{};
  // s = |L| |U| e, one row sum per row of the permuted matrix.
  Column row_sum{};
  for (Index k = 0; k < m; ++k) {
    for (Index j = k; j < m; ++j) work[static_cast<std::size_t>(k)] += std::abs(at(k, j));
  }
  for (Index i = 0; i < m; ++i) {
    row_sum[static_cast<std::size_t>(i)] = work[static_cast<std::size_t>(i)];
    for (Index k = 0; k < i; ++k) {
      row_sum[static_cast<std::size_t>(i)] += std::abs(at(i, k)) * work[static_cast<std::size_t>(k)];
    }
  }
  Column total{};
  for (Index c = 0; c < m; ++c) {
    Column unit{};
    Column inverse{};
    unit[static_cast<std::size_t>(order[static_cast<std::size_t>(c)])] = 1.0;
    lu_solve(a.data(), m, m, order.data(), unit.data(), inverse.data());
    for (Index i = 0; i < m; ++i) {
      total[static_cast<std::size_t>(i)] +=
          std::abs(inverse[static_cast<std::size_t>(i)]) * row_sum[static_cast<std::size_t>(c)];
    }
  }
  double largest = 0.0;
  for (Index i = 0; i < m; ++i) largest = std::fmax(largest, total[static_cast<std::size_t>(i)]);
  return largest;
}

}  // namespace

double determinant_2x2(double a, double b, double c, double d) {
  const double product = b * c;
  const double error = std::fma(-b, c, product);
  return std::fma(a, d, -product) + error;
}

double principal_determinant(const double* A, Index n, std::uint32_t mask) {
  Square a;  // NOLINT: filled up to the size needed
  Order order{};
  const Index m = gather(A, n, mask, a, order);
  if (!lu_factor(a.data(), m, m, order.data())) return 0.0;
  return product_of_pivots(a, order, m);
}

SignedDeterminant certified_principal_determinant(const double* A, Index n, std::uint32_t mask) {
  Square a;  // NOLINT: filled up to the size needed
  Order order{};
  const Index m = gather(A, n, mask, a, order);
  if (m <= 2) {
    const double det = m == 0 ? 1.0 : (m == 1 ? a[0] : determinant_2x2(a[0], a[1], a[2], a[3]));
    return {det, sign_of(det), true};
  }
  if (!lu_factor(a.data(), m, m, order.data())) return {0.0, 0, false};
  const double det = product_of_pivots(a, order, m);
  const double gamma = 2.0 * static_cast<double>(m) * std::numeric_limits<double>::epsilon();
  // The factor ½ leaves room for the rounding of the bound itself; a bound that is not finite certifies
  // nothing.
  return {det, sign_of(det), gamma * growth(a, order, m) < 0.5};
}

}  // namespace enfold::lcp::detail
