// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/p_matrix.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "determinant.hpp"
#include "enfold/base/require.hpp"

namespace enfold::lcp {

namespace {

// A Schur complement amplifies rounding by |A_21 A_12| / a²: pivots smaller than this part of their row and
// column leave the branch to determinants.
constexpr double kSmallestPivot = 1e-3;

void require_square_and_finite(const MatrixXd& A) {
  ENFOLD_REQUIRE(A.rows() == A.cols(), "p_matrix: A is {} × {}, expected a square matrix", A.rows(),
                 A.cols());
  for (Index j = 0; j < A.cols(); ++j) {
    for (Index i = 0; i < A.rows(); ++i) {
      ENFOLD_REQUIRE(std::isfinite(A(i, j)), "p_matrix: A({}, {}) is {}, expected a finite number", i, j,
                     A(i, j));
    }
  }
}

// Strict dominance with a margin for the rounding of the sums.
bool diagonally_dominant(const MatrixXd& A) {
  constexpr double kMargin = 1e-12;
  bool by_rows = true;
  bool by_columns = true;
  for (Index i = 0; i < A.rows(); ++i) {
    double row = 0.0;
    double column = 0.0;
    for (Index j = 0; j < A.cols(); ++j) {
      if (j == i) continue;
      row += std::abs(A(i, j));
      column += std::abs(A(j, i));
    }
    by_rows = by_rows && A(i, i) > (1.0 + kMargin) * row;
    by_columns = by_columns && A(i, i) > (1.0 + kMargin) * column;
  }
  return by_rows || by_columns;
}

}  // namespace

PMatrixTester::PMatrixTester(Index n_max, const PMatrixOptions& options) : options_{options}, n_max_{n_max} {
  ENFOLD_REQUIRE(n_max >= 0, "PMatrixTester: n_max is {}, expected 0 or more", n_max);
  ENFOLD_REQUIRE(options.exact_limit >= 0 && options.exact_limit <= detail::kMaxMinorSize,
                 "PMatrixTester: exact_limit is {}, expected 0 … {}", options.exact_limit,
                 detail::kMaxMinorSize);
  const auto exact = static_cast<std::size_t>(std::min(n_max, options.exact_limit));
  const auto count = std::size_t{1} << exact;
  minors_.reserve(count);
  row_bound_.resize(count);
  column_bound_.resize(count);
  matrices_.resize(exact * exact * (exact + 1));
  if (n_max > options.exact_limit) cholesky_.resize(static_cast<std::size_t>(n_max * n_max));
  const std::size_t largest_set = std::max<std::size_t>(exact, 2);
  result_.smallest.indices.reserve(largest_set);
  result_.witness.indices.reserve(largest_set);
}

const PMatrixResult& PMatrixTester::test(const MatrixXd& A) {
  require_square_and_finite(A);
  ENFOLD_REQUIRE(A.rows() <= n_max_, "PMatrixTester: A has size {}, expected at most n_max = {}", A.rows(),
                 n_max_);
  n_ = A.rows();
  result_.method = PMatrixMethod::kNone;
  result_.smallest.value = result_.witness.value = std::numeric_limits<double>::quiet_NaN();
  result_.smallest.indices.clear();
  result_.witness.indices.clear();
  minors_.clear();
  if (n_ <= options_.exact_limit) {
    compute_minors(A);
    judge_minors();
  } else {
    test_cheaply(A);
  }
  return result_;
}

void PMatrixTester::compute_minors(const MatrixXd& A) {
  const auto n = static_cast<std::size_t>(n_);
  minors_.resize(std::size_t{1} << n);
  minors_[0] = 1.0;
  row_bound_[0] = column_bound_[0] = 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    double row = 0.0;
    double column = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      const double a_ij = A(static_cast<Index>(i), static_cast<Index>(j));
      const double a_ji = A(static_cast<Index>(j), static_cast<Index>(i));
      matrices_[i * n + j] = a_ij;
      row += a_ij * a_ij;
      column += a_ji * a_ji;
    }
    row = std::sqrt(row);
    column = std::sqrt(column);
    const std::size_t bit = std::size_t{1} << i;
    for (std::size_t mask = 0; mask < bit; ++mask) {
      row_bound_[bit | mask] = row_bound_[mask] * row;
      column_bound_[bit | mask] = column_bound_[mask] * column;
    }
  }
  if (n > 0) recurse(matrices_.data(), 0, 1.0, 0);
}

// M is the (n − k) × (n − k) matrix whose minors, times `factor`, are those of the sets that are `mask` below
// k.
void PMatrixTester::recurse(const double* M, Index k, double factor, std::uint32_t mask) {
  const Index m = n_ - k;
  const double pivot = M[0];
  const std::uint32_t with_k = mask | 1U << k;
  minors_[with_k] = factor * pivot;
  if (m == 1) return;
  recurse(M + n_ + 1, k + 1, factor, mask);

  double border = 0.0;
  for (Index j = 1; j < m; ++j) border = std::max({border, std::abs(M[j]), std::abs(M[j * n_])});
  if (pivot == 0.0 || std::abs(pivot) < kSmallestPivot * border) {
    fill_directly(k, with_k);
    return;
  }
  double* C = matrices_.data() + (k + 1) * n_ * n_;
  const double inverse = 1.0 / pivot;
  for (Index i = 1; i < m; ++i) {
    const double l = M[i * n_] * inverse;
    for (Index j = 1; j < m; ++j) C[(i - 1) * n_ + j - 1] = M[i * n_ + j] - l * M[j];
  }
  recurse(C, k + 1, factor * pivot, with_k);
}

// The minors of all sets that are `mask` up to k and anything above it.
void PMatrixTester::fill_directly(Index k, std::uint32_t mask) {
  const std::uint32_t above = (1U << (n_ - k - 1)) - 1U;
  for (std::uint32_t subset = 1; subset <= above; ++subset) {
    const std::uint32_t S = mask | subset << (k + 1);
    minors_[S] = detail::principal_determinant(matrices_.data(), n_, S);
  }
}

void PMatrixTester::judge_minors() {
  std::uint32_t smallest = 0;
  std::uint32_t refuting = 0;
  std::uint32_t hidden = 0;
  const auto comes_first = [](std::uint32_t S, std::uint32_t T) {
    return T == 0 || std::popcount(S) < std::popcount(T);  // within one size the scan is already in order
  };
  const auto count = static_cast<std::uint32_t>(minors_.size());
  for (std::uint32_t S = 1; S < count; ++S) {
    bool positive = minors_[S] > 0.0;
    bool certain = std::abs(minors_[S]) > options_.sign_tol * std::min(row_bound_[S], column_bound_[S]);
    if (!certain) {
      const auto det = detail::certified_principal_determinant(matrices_.data(), n_, S);
      minors_[S] = det.value;
      positive = det.sign > 0;
      certain = det.certain;
    }
    if (smallest == 0 || minors_[S] < minors_[smallest]) smallest = S;
    if (!certain) {
      if (comes_first(S, hidden)) hidden = S;
    } else if (!positive && comes_first(S, refuting)) {
      refuting = S;
    }
  }
  result_.method = PMatrixMethod::kMinors;
  if (smallest != 0) set_minor(result_.smallest, minors_[smallest], smallest);
  if (refuting != 0) {
    result_.status = PMatrixStatus::kNotP;
    set_minor(result_.witness, minors_[refuting], refuting);
  } else if (hidden != 0) {
    result_.status = PMatrixStatus::kUndecided;
    set_minor(result_.witness, minors_[hidden], hidden);
  } else {
    result_.status = PMatrixStatus::kP;
  }
}

void PMatrixTester::test_cheaply(const MatrixXd& A) {
  if (refuted_cheaply(A)) {
    result_.status = PMatrixStatus::kNotP;
  } else if (diagonally_dominant(A)) {
    result_.status = PMatrixStatus::kP;
    result_.method = PMatrixMethod::kDiagonallyDominant;
  } else if (positive_definite(A)) {
    result_.status = PMatrixStatus::kP;
    result_.method = PMatrixMethod::kPositiveDefinite;
  } else {
    result_.status = PMatrixStatus::kUndecided;
  }
}

bool PMatrixTester::refuted_cheaply(const MatrixXd& A) {
  for (Index i = 0; i < n_; ++i) {
    if (A(i, i) > 0.0) continue;
    result_.method = PMatrixMethod::kDiagonal;
    result_.witness.value = A(i, i);
    result_.witness.indices.push_back(i);
    return true;
  }
  for (Index j = 1; j < n_; ++j) {
    for (Index i = 0; i < j; ++i) {
      const double det = detail::determinant_2x2(A(i, i), A(i, j), A(j, i), A(j, j));
      if (det > 0.0) continue;
      result_.method = PMatrixMethod::kMinorsOfSizeTwo;
      result_.witness.value = det;
      result_.witness.indices.push_back(i);
      result_.witness.indices.push_back(j);
      return true;
    }
  }
  return false;
}

// Cholesky of H − δ D with H = (A + Aᵀ)/2 and D its diagonal: the margin δ ∝ n² ε keeps rounding from turning
// an indefinite H into a definite one.
bool PMatrixTester::positive_definite(const MatrixXd& A) {
  const double n = static_cast<double>(n_);
  const double delta = 4.0 * n * (n + 1.0) * std::numeric_limits<double>::epsilon();
  double* L = cholesky_.data();
  for (Index j = 0; j < n_; ++j) {
    for (Index i = j; i < n_; ++i) {
      double sum = i == j ? (1.0 - delta) * A(i, i) : 0.5 * (A(i, j) + A(j, i));
      for (Index k = 0; k < j; ++k) sum -= L[i * n_ + k] * L[j * n_ + k];
      if (i == j && !(sum > 0.0)) return false;
      L[i * n_ + j] = i == j ? std::sqrt(sum) : sum / L[j * n_ + j];
    }
  }
  return true;
}

void PMatrixTester::set_minor(PrincipalMinor& minor, double value, std::uint32_t mask) const {
  minor.value = value;
  for (Index i = 0; i < n_; ++i) {
    if ((mask >> i & 1U) != 0) minor.indices.push_back(i);
  }
}

PMatrixResult test_p_matrix(const MatrixXd& A, const PMatrixOptions& options) {
  PMatrixTester tester(A.rows(), options);
  return tester.test(A);
}

VectorXd principal_minors(const MatrixXd& A) {
  ENFOLD_REQUIRE(A.rows() <= detail::kMaxMinorSize, "principal_minors: A has size {}, expected at most {}",
                 A.rows(), detail::kMaxMinorSize);
  PMatrixTester tester(A.rows(), {.exact_limit = detail::kMaxMinorSize});
  (void)tester.test(A);
  const auto& minors = tester.minors();
  return Eigen::Map<const VectorXd>(minors.data() + 1, static_cast<Index>(minors.size()) - 1);
}

std::vector<Index> index_set(std::uint32_t mask) {
  std::vector<Index> indices;
  for (Index i = 0; mask >> i != 0; ++i) {
    if ((mask >> i & 1U) != 0) indices.push_back(i);
    if (i == 31) break;
  }
  return indices;
}

}  // namespace enfold::lcp
