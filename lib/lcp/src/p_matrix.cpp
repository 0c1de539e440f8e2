// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/p_matrix.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "determinant.hpp"
#include "enfold/base/require.hpp"
#include "minor_recursion.hpp"
#include "vector_kernels.hpp"

namespace enfold::lcp {

namespace {

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

// The recursion works on leaves of three indices.
Index padded_size(Index n) {
  return std::max(n, detail::kLeafSize);
}

// a d > b c beyond rounding: most pairs need no exact determinant.
bool plainly_positive(double a, double b, double c, double d) {
  const double ad = a * d;
  const double bc = b * c;
  return ad - bc > 1e-15 * (std::abs(ad) + std::abs(bc)) && ad > std::numeric_limits<double>::min();
}

}  // namespace

PMatrixTester::PMatrixTester(Index n_max, const PMatrixOptions& options) : options_{options}, n_max_{n_max} {
  ENFOLD_REQUIRE(n_max >= 0, "PMatrixTester: n_max is {}, expected 0 or more", n_max);
  ENFOLD_REQUIRE(options.exact_limit >= 0 && options.exact_limit <= detail::kMaxMinorSize,
                 "PMatrixTester: exact_limit is {}, expected 0 … {}", options.exact_limit,
                 detail::kMaxMinorSize);
  const auto exact = static_cast<std::size_t>(padded_size(std::min(n_max, options.exact_limit)));
  minors_.reserve(std::size_t{1} << exact);
  bounds_.resize(detail::HadamardBounds::kMemory);
  matrices_.resize(exact * exact * (exact + 2));
  cholesky_.resize(static_cast<std::size_t>(n_max * n_max));
  result_.smallest.indices.reserve(exact);
  result_.witness.indices.reserve(exact);
}

void PMatrixTester::start(const MatrixXd& A) {
  require_square_and_finite(A);
  ENFOLD_REQUIRE(A.rows() <= n_max_, "PMatrixTester: A has size {}, expected at most n_max = {}", A.rows(),
                 n_max_);
  n_ = A.rows();
  result_.status = PMatrixStatus::kUndecided;
  result_.method = PMatrixMethod::kNone;
  result_.smallest.value = result_.witness.value = std::numeric_limits<double>::quiet_NaN();
  result_.smallest.indices.clear();
  result_.witness.indices.clear();
  minors_.clear();
}

const PMatrixResult& PMatrixTester::test(const MatrixXd& A) {
  start(A);
  if (n_ <= options_.exact_limit) {
    copy_padded(A);
    compute_minors();
    judge_minors();
  } else {
    (void)decide_cheaply(A);
  }
  return result_;
}

const PMatrixResult& PMatrixTester::decide(const MatrixXd& A) {
  start(A);
  if (!decide_cheaply(A) && n_ <= options_.exact_limit) {
    copy_padded(A);
    search_refutation();
  }
  return result_;
}

// A by rows, with a unit diagonal in the rows that a leaf of the recursion has more than A.
void PMatrixTester::copy_padded(const MatrixXd& A) {
  const Index size = padded_size(n_);
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      const double unit = i == j ? 1.0 : 0.0;
      matrices_[static_cast<std::size_t>(i * size + j)] = i < n_ && j < n_ ? A(i, j) : unit;
    }
  }
}

namespace {

// Keeps every minor.
struct Recorder {
  double* minors;

  bool branch(std::uint32_t mask, double minor) const {
    minors[mask] = minor;
    return true;
  }
  bool leaf(std::uint32_t mask, const detail::Leaf& values) const {
    std::copy(values.begin(), values.end(), minors + mask);
    return true;
  }
};

// Looks at the signs only and stops at the first minor that is certainly not positive.
struct Refuter {
  const double* A;
  Index size;
  detail::HadamardBounds bounds;
  std::uint32_t refuting = 0;
  std::uint32_t hidden = 0;
  double refuting_value = 0.0;
  double hidden_value = 0.0;

  bool branch(std::uint32_t mask, double minor) {
    return minor > bounds.of(mask) || look_closer(mask, minor);
  }

  bool leaf(std::uint32_t mask, const detail::Leaf& values) {
    if (bounds.all_below(mask, values)) return true;
    for (std::uint32_t s = 0; s < detail::kLeafSets; ++s) {
      if (!branch(mask + s, values[s])) return false;
    }
    return true;
  }

  bool look_closer(std::uint32_t mask, double minor) {
    if (mask == 0) return true;
    if (minor >= -bounds.of(mask)) {
      const auto det = detail::certified_principal_determinant(A, size, mask);
      if (det.certain && det.sign > 0) return true;
      if (!det.certain) {
        if (hidden == 0) {
          hidden = mask;
          hidden_value = det.value;
        }
        return true;
      }
      minor = det.value;
    }
    refuting = mask;
    refuting_value = minor;
    return false;
  }
};

}  // namespace

void PMatrixTester::compute_minors() {
  const Index size = padded_size(n_);
  minors_.resize(std::size_t{1} << size);
  Recorder recorder{minors_.data()};
  detail::MinorRecursion recursion(matrices_.data(), size, matrices_.data() + size * size, recorder);
  (void)recursion.run();
  minors_.resize(std::size_t{1} << n_);
}

void PMatrixTester::search_refutation() {
  const Index size = padded_size(n_);
  Refuter refuter{matrices_.data(), size, {matrices_.data(), size, options_.sign_tol, bounds_.data()}};
  detail::MinorRecursion recursion(matrices_.data(), size, matrices_.data() + size * size, refuter);
  result_.method = PMatrixMethod::kMinors;
  if (!recursion.run()) {
    result_.status = PMatrixStatus::kNotP;
    set_minor(result_.witness, refuter.refuting_value, refuter.refuting);
  } else if (refuter.hidden != 0) {
    result_.status = PMatrixStatus::kUndecided;
    set_minor(result_.witness, refuter.hidden_value, refuter.hidden);
  } else {
    result_.status = PMatrixStatus::kP;
  }
}

void PMatrixTester::judge_minors() {
  const Index size = padded_size(n_);
  const detail::HadamardBounds bounds(matrices_.data(), size, options_.sign_tol, bounds_.data());
  std::uint32_t smallest = 0;
  std::uint32_t refuting = 0;
  std::uint32_t hidden = 0;
  const auto comes_first = [](std::uint32_t S, std::uint32_t T) {
    return T == 0 || std::popcount(S) < std::popcount(T);  // within one size the scan is already in order
  };
  const auto judge = [&](std::uint32_t S) {
    bool positive = minors_[S] > 0.0;
    bool certain = std::abs(minors_[S]) > bounds.of(S);
    if (!certain) {
      const auto det = detail::certified_principal_determinant(matrices_.data(), size, S);
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
  };
  const auto count = static_cast<std::uint32_t>(minors_.size());
  for (std::uint32_t S = 1; S < std::min<std::uint32_t>(count, detail::kLeafSets); ++S) judge(S);
  for (std::uint32_t leaf = detail::kLeafSets; leaf < count; leaf += detail::kLeafSets) {
    const auto values = detail::load<detail::kLeafSets>(minors_.data() + leaf);
    // Most leaves are positive beyond doubt and hold no new smallest minor.
    const detail::Block<detail::kLeafSets> floor = bounds.of_leaf(leaf).max(minors_[smallest]);
    if (detail::all_above(values, floor)) continue;
    for (std::uint32_t s = 0; s < detail::kLeafSets; ++s) judge(leaf + s);
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

// The tests of cost O(n³). False if they are silent.
bool PMatrixTester::decide_cheaply(const MatrixXd& A) {
  if (refuted_cheaply(A)) {
    result_.status = PMatrixStatus::kNotP;
    return true;
  }
  if (diagonally_dominant(A)) {
    result_.method = PMatrixMethod::kDiagonallyDominant;
  } else if (positive_definite(A)) {
    result_.method = PMatrixMethod::kPositiveDefinite;
  } else {
    return false;
  }
  result_.status = PMatrixStatus::kP;
  return true;
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
      if (plainly_positive(A(i, i), A(i, j), A(j, i), A(j, j))) continue;
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
      const double h_ij = i == j ? (1.0 - delta) * A(i, i) : 0.5 * (A(i, j) + A(j, i));
      const double sum = h_ij - detail::dot(L + i * n_, L + j * n_, j);
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
