// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/principal_pivoting.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"
#include "enfold/lcp/lcp_residual.hpp"
#include "vector_kernels.hpp"

namespace enfold::lcp {

namespace {

// Entries of the basic point this small, relative to the first one, are rounding.
constexpr double kZero = 1e-13;

constexpr Index kLargestFixed = 8;

Index padded(Index n) {
  return n <= kLargestFixed ? std::max<Index>(2, (n + 1) / 2 * 2) : (n + 3) / 4 * 4;
}

Index most_pivots(Index n) {
  return 3 * n + 8;
}

}  // namespace

PrincipalPivotSolver::PrincipalPivotSolver(Index n_max, const LcpOptions& options)
    : options_{options}, n_max_{n_max} {
  ENFOLD_REQUIRE(n_max >= 0, "PrincipalPivotSolver: n_max is {}, expected 0 or more", n_max);
  const auto length = static_cast<std::size_t>(padded(n_max));
  q_.resize(length);
  inverse_diag_.resize(length);
  column_.resize(length);
  factors_.resize(length * static_cast<std::size_t>(most_pivots(n_max)));
  factor_index_.resize(static_cast<std::size_t>(most_pivots(n_max)));
  in_S_.resize(length);
}

void PrincipalPivotSolver::solve(const MatrixXd& A, const VectorXd& b, LcpSolution& out) {
  validate(A, b);
  n_ = b.size();
  ENFOLD_REQUIRE(n_ <= n_max_, "PrincipalPivotSolver: the problem has size {}, expected at most n_max = {}",
                 n_, n_max_);
  length_ = padded(n_);
  out.resize(n_);
  out.ray.x.setZero();
  out.ray.y.setZero();
  out.ray.z_0 = 0.0;

  PathEnd end = PathEnd::kBreakdown;
  switch (length_) {
    case 2:
      end = follow_path<2>(A, b);
      break;
    case 4:
      end = follow_path<4>(A, b);
      break;
    case 6:
      end = follow_path<6>(A, b);
      break;
    case 8:
      end = follow_path<8>(A, b);
      break;
    default:
      end = follow_path<0>(A, b);
  }
  out.pivots = static_cast<int>(pivots_);
  read_point(A, b, out);
  if (end == PathEnd::kComplementary && out.residual > residual_bound(b, options_.warm_tol)) {
    refine(A, b, out);
  }
  if (out.residual <= residual_bound(b, options_.residual_tol)) {
    out.status = LcpStatus::kSolved;
    for (Index i = 0; i < n_; ++i) {
      if (out.x(i) > 0.0 || out.y(i) < 0.0) out.y(i) = 0.0;
    }
  } else if (end == PathEnd::kComplementary) {
    out.status = LcpStatus::kResidualTooLarge;
  } else {
    out.status = end == PathEnd::kBreakdown ? LcpStatus::kPivotBreakdown : LcpStatus::kMaxPivots;
  }
}

// v ← B⁻¹ v with the basis B of the columns of  D y − D A x = D b,  D = diag(1 / a_ii).
template <int Length>
void PrincipalPivotSolver::apply_basis_inverse(double* v) const {
  for (Index p = 0; p < pivots_; ++p) {
    const double v_k = v[factor_index_[static_cast<std::size_t>(p)]];
    detail::add_multiple_padded<Length>(v, factors_.data() + p * (Length > 0 ? Length : length_), v_k,
                                        length_);
  }
}

template <int Length>
PrincipalPivotSolver::PathEnd PrincipalPivotSolver::follow_path(const MatrixXd& A, const VectorXd& b) {
  double* q = q_.data();
  double* column = column_.data();
  double* d = inverse_diag_.data();
  std::uint8_t* in_S = in_S_.data();
  const Index n = n_;
  const Index length = Length > 0 ? Length : length_;
  const Index most = std::min<Index>(most_pivots(n), options_.max_pivots);
  pivots_ = 0;
  double largest = 0.0;
  double smallest_diagonal = 1.0;
  const double* a_ii = A.data();
  for (Index i = 0; i < n; ++i, a_ii += n + 1) {
    smallest_diagonal = std::min(smallest_diagonal, *a_ii);
    d[i] = 1.0 / *a_ii;
    q[i] = b(i) * d[i];
    largest = std::max(largest, std::abs(q[i]));
    in_S[i] = 0;
  }
  for (Index i = n; i < length; ++i) q[i] = d[i] = column[i] = 0.0;
  if (!(smallest_diagonal > 0.0)) {
    // No P-matrix, and 1 / a_ii is no scale. Only x = 0 can be offered.
    return b.minCoeff() >= 0.0 ? PathEnd::kComplementary : PathEnd::kBreakdown;
  }

  for (;;) {
    const double smallest = detail::minimum_padded<Length>(q, length);
    if (smallest >= -kZero * largest) return PathEnd::kComplementary;
    if (pivots_ == most) return PathEnd::kMaxPivots;
    Index k = 0;
    while (q[k] != smallest) ++k;

    if (in_S[k] != 0) {  // y_k enters
      std::fill(column, column + length, 0.0);
      column[k] = 1.0;
    } else {  // x_k enters
      detail::multiply_padded<Length>(column, A.data() + k * n, d, n, length);
    }
    apply_basis_inverse<Length>(column);
    const double c_k = column[k];
    if (!(c_k < -options_.pivot_tol)) return PathEnd::kBreakdown;

    // The factor of the pivot: v_k ← v_k / c_k, v_i ← v_i − c_i v_k / c_k. As c_k < 0, 1/c_k − 1 cancels
    // nothing.
    const double inverse = 1.0 / c_k;
    double* f = factor(pivots_);
    detail::scale_padded<Length>(f, column, -inverse, length);
    const double q_k = q[k];
    detail::add_multiple_padded<Length>(q, f, q_k, length);
    f[k] = inverse - 1.0;
    q[k] = q_k * inverse;
    factor_index_[static_cast<std::size_t>(pivots_)] = k;
    in_S[k] ^= 1U;
    ++pivots_;
  }
}

void PrincipalPivotSolver::read_point(const MatrixXd& A, const VectorXd& b, LcpSolution& out) const {
  for (Index i = 0; i < n_; ++i) {
    const auto s = static_cast<std::size_t>(i);
    out.x(i) = in_S_[s] != 0 ? std::max(0.0, q_[s]) : 0.0;
  }
  out.residual = lcp_residual(A, b, out.x, out.y);
}

// One step of iterative refinement of A_SS x_S = −b_S, kept if it is better.
void PrincipalPivotSolver::refine(const MatrixXd& A, const VectorXd& b, LcpSolution& out) {
  for (Index i = 0; i < n_; ++i) {
    const auto s = static_cast<std::size_t>(i);
    column_[s] = in_S_[s] != 0 ? inverse_diag_[s] * out.y(i) : 0.0;
  }
  for (Index i = n_; i < length_; ++i) column_[static_cast<std::size_t>(i)] = 0.0;
  for (Index p = 0; p < pivots_; ++p) {
    const double v_k = column_[static_cast<std::size_t>(factor_index_[static_cast<std::size_t>(p)])];
    detail::add_multiple(column_.data(), factor(p), v_k, length_);
  }
  const double before = out.residual;
  for (Index i = 0; i < n_; ++i) {
    const auto s = static_cast<std::size_t>(i);
    if (in_S_[s] != 0) out.x(i) = std::max(0.0, q_[s] + column_[s]);
  }
  out.residual = lcp_residual(A, b, out.x, out.y);
  if (out.residual > before) read_point(A, b, out);
}

}  // namespace enfold::lcp
