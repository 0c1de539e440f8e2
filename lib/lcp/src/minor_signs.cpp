// SPDX-License-Identifier: BSD-3-Clause
#include "minor_signs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "determinant.hpp"
#include "enfold/lcp/p_matrix.hpp"

namespace enfold::lcp::detail {

namespace {

__extension__ using Wide = __int128;

constexpr double kClear = 1e-12;     // × Hadamard's bound, as PMatrixOptions::sign_tol
constexpr double kBitsOfMinor = 62;  // a product of two minors must fit into 127 bits

// v = odd · 2^exponent.
struct Dyadic {
  std::int64_t odd = 0;
  int exponent = std::numeric_limits<int>::max();
};

Dyadic dyadic(double v) {
  if (v == 0.0) return {};
  int exponent = 0;
  auto whole = static_cast<std::int64_t>(std::ldexp(std::frexp(v, &exponent), 53));
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(whole));
  whole /= std::int64_t{1} << zeros;
  return {whole, exponent - 53 + zeros};
}

// Fraction-free elimination [Bareiss 1968]: every intermediate entry is a minor of the matrix.
int bareiss_sign(std::vector<Wide>& a, std::size_t m) {
  const auto at = [&](std::size_t i, std::size_t j) -> Wide& { return a[i * m + j]; };
  Wide previous = 1;
  int sign = 1;
  for (std::size_t k = 0; k < m; ++k) {
    std::size_t row = k;
    while (row < m && at(row, k) == 0) ++row;
    if (row == m) return 0;
    if (row != k) {
      for (std::size_t j = 0; j < m; ++j) std::swap(at(k, j), at(row, j));
      sign = -sign;
    }
    for (std::size_t i = k + 1; i < m; ++i) {
      for (std::size_t j = k + 1; j < m; ++j) {
        at(i, j) = (at(i, j) * at(k, k) - at(i, k) * at(k, j)) / previous;
      }
    }
    previous = at(k, k);
  }
  return previous > 0 ? sign : -sign;
}

MinorSign to_minor_sign(int sign) {
  return sign > 0 ? MinorSign::kPositive : (sign < 0 ? MinorSign::kNegative : MinorSign::kZero);
}

}  // namespace

std::optional<int> exact_determinant_sign(const MatrixXd& M) {
  const Index m = M.rows();
  if (m == 0) return 1;
  int lowest = std::numeric_limits<int>::max();
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) lowest = std::min(lowest, dyadic(M(i, j)).exponent);
  }
  if (lowest == std::numeric_limits<int>::max()) return 0;
  double bits = 0.0;
  for (Index i = 0; i < m; ++i) {
    const double norm = M.row(i).norm();
    if (norm == 0.0 && M.row(i).isZero(0.0)) return 0;
    // At least one: a row of whole numbers. Each minor is then below the product over all rows.
    bits += std::max(0.0, std::log2(norm) - lowest);
  }
  if (!(bits < kBitsOfMinor)) return std::nullopt;
  std::vector<Wide> a(static_cast<std::size_t>(m * m));
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) {
      const Dyadic d = dyadic(M(i, j));
      if (d.odd != 0)
        a[static_cast<std::size_t>(i * m + j)] =
            static_cast<Wide>(d.odd) * (Wide{1} << (d.exponent - lowest));
    }
  }
  return bareiss_sign(a, static_cast<std::size_t>(m));
}

bool adds_without_rounding(const MatrixXd& A) {
  int lowest = std::numeric_limits<int>::max();
  for (Index j = 0; j < A.cols(); ++j) {
    for (Index i = 0; i < A.rows(); ++i) lowest = std::min(lowest, dyadic(A(i, j)).exponent);
  }
  return lowest == std::numeric_limits<int>::max() || A.cwiseAbs().maxCoeff() < std::ldexp(1.0, lowest + 40);
}

MatrixXd principal_submatrix(const MatrixXd& A, std::uint32_t mask) {
  const std::vector<Index> S = index_set(mask);
  return A(S, S);
}

MinorTable minor_table(const MatrixXd& A, Entries entries) {
  const Index n = A.rows();
  PMatrixTester tester(n, {.exact_limit = kMaxMinorSize});
  (void)tester.test(A);
  MinorTable table;
  table.values = tester.minors();
  table.signs.assign(table.values.size(), MinorSign::kPositive);
  const MatrixXd A_rows = A.transpose();  // column-major Aᵀ is what the determinants read as row-major A
  std::vector<double> rows(table.values.size(), 1.0);
  std::vector<double> columns(table.values.size(), 1.0);
  for (std::uint32_t S = 1; S < table.values.size(); ++S) {
    const auto i = static_cast<Index>(std::bit_width(S)) - 1;
    const std::uint32_t rest = S & ~(1U << i);
    rows[S] = rows[rest] * A.row(i).norm();
    columns[S] = columns[rest] * A.col(i).norm();
    if (std::abs(table.values[S]) > kClear * std::min(rows[S], columns[S])) {
      table.signs[S] = table.values[S] > 0.0 ? MinorSign::kPositive : MinorSign::kNegative;
      continue;
    }
    if (entries == Entries::kRounded) {
      table.signs[S] = MinorSign::kHidden;
      continue;
    }
    const SignedDeterminant det = certified_principal_determinant(A_rows.data(), n, S);
    const std::optional<int> sign =
        det.certain ? std::optional<int>(det.sign) : exact_determinant_sign(principal_submatrix(A, S));
    table.values[S] = sign == 0 ? 0.0 : det.value;
    table.signs[S] = sign ? to_minor_sign(*sign) : MinorSign::kHidden;
  }
  return table;
}

}  // namespace enfold::lcp::detail
