// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/warm_lcp_solver.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"
#include "enfold/lcp/lcp_problem.hpp"
#include "enfold/lcp/lcp_residual.hpp"
#include "lu.hpp"
#include "vector_kernels.hpp"

namespace enfold::lcp {

namespace {

// Up to this size the system has loops of a length known to the compiler.
constexpr Index kSmall = 8;

// x = −A_SS⁻¹ b_S by Gaussian elimination with partial pivoting, S = the first M of `active`. False if a
// pivot is exactly zero.
template <int M>
bool solve_small(const MatrixXd& A, const VectorXd& b, const Index* active, double* x) {
  constexpr int kWidth = M + 2 - M % 2;            // of a row with its right side, even
  double a[static_cast<std::size_t>(M) * kWidth];  // NOLINT: plain memory for load and store
  for (int i = 0; i < M; ++i) {
    const double* column = A.data() + active[i] * A.rows();
    for (int j = 0; j < M; ++j) a[j * kWidth + i] = column[active[j]];
    a[i * kWidth + M] = -b(active[i]);
    a[i * kWidth + kWidth - 1] = kWidth - 1 > M ? 0.0 : a[i * kWidth + M];
  }
  for (int k = 0; k < M; ++k) {
    int best = k;
    double largest = std::abs(a[k * kWidth + k]);
    for (int i = k + 1; i < M; ++i) {
      if (std::abs(a[i * kWidth + k]) > largest) {
        best = i;
        largest = std::abs(a[i * kWidth + k]);
      }
    }
    if (largest == 0.0) return false;
    const detail::Block<kWidth> pivot_row = detail::load<kWidth>(a + best * kWidth);
    if (best != k) {
      detail::store<kWidth>(a + best * kWidth, detail::load<kWidth>(a + k * kWidth));
      detail::store<kWidth>(a + k * kWidth, pivot_row);
    }
    const double inverse = 1.0 / a[k * kWidth + k];
    x[k] = inverse;
    for (int i = k + 1; i < M; ++i) {
      const double l = a[i * kWidth + k] * inverse;
      detail::store<kWidth>(a + i * kWidth, detail::load<kWidth>(a + i * kWidth) - l * pivot_row);
    }
  }
  for (int i = M - 1; i >= 0; --i) {
    double sum = a[i * kWidth + M];
    for (int j = i + 1; j < M; ++j) sum -= a[i * kWidth + j] * x[j];
    x[i] *= sum;  // x[i] held the inverse of the pivot
  }
  return true;
}

}  // namespace

WarmLcpSolver::WarmLcpSolver(Index n_max, const LcpOptions& options)
    : options_{options}, n_max_{n_max}, cold_{n_max, options} {
  const auto size = static_cast<std::size_t>(n_max);
  solutions_.resize(size + 1);
  in_S_.resize(size + 1);
  for (std::size_t n = 0; n <= size; ++n) {
    solutions_[n].resize(static_cast<Index>(n));
    solutions_[n].x.setZero();
    solutions_[n].y.setZero();
    solutions_[n].ray.x.setZero();
    solutions_[n].ray.y.setZero();
    in_S_[n].assign(n, 0);
  }
  active_.resize(size);
  order_.resize(size);
  factors_.resize(size * size);
  rhs_.resize(size);
  x_S_.resize(std::max<std::size_t>(size, kSmall));
}

void WarmLcpSolver::reset() {
  for (auto& in_S : in_S_) std::fill(in_S.begin(), in_S.end(), std::uint8_t{0});
}

void WarmLcpSolver::check_size(const MatrixXd& A, const VectorXd& b) const {
  validate(A, b);
  ENFOLD_REQUIRE(b.size() <= n_max_, "WarmLcpSolver: the problem has size {}, expected at most n_max = {}",
                 b.size(), n_max_);
}

const LcpSolution& WarmLcpSolver::solve(const MatrixXd& A, const VectorXd& b) {
  check_size(A, b);
  return run(A, b);
}

const LcpSolution& WarmLcpSolver::solve_from_basis(const MatrixXd& A, const VectorXd& b,
                                                   std::span<const Index> active) {
  check_size(A, b);
  const Index n = b.size();
  for (const Index i : active) {
    ENFOLD_REQUIRE(i >= 0 && i < n, "WarmLcpSolver: active index {}, expected 0 … {}", i, n - 1);
  }
  auto& in_S = in_S_[static_cast<std::size_t>(n)];
  std::fill(in_S.begin(), in_S.end(), std::uint8_t{0});
  for (const Index i : active) in_S[static_cast<std::size_t>(i)] = 1;
  return run(A, b);
}

const LcpSolution& WarmLcpSolver::run(const MatrixXd& A, const VectorXd& b) {
  const auto n = static_cast<std::size_t>(b.size());
  LcpSolution& out = solutions_[n];
  auto& in_S = in_S_[n];
  if (out.status == LcpStatus::kRayTermination) {
    out.ray.x.setZero();
    out.ray.y.setZero();
    out.ray.z_0 = 0.0;
  }
  int exchanges = 0;
  // Without a basis to start from, the cold solver is at least as fast as guessing.
  const bool warm = std::any_of(in_S.begin(), in_S.end(), [](std::uint8_t s) { return s != 0; });
  for (; warm && exchanges <= max_exchanges; ++exchanges) {
    const BasisFit fit = try_basis(A, b, in_S, out);
    if (fit == BasisFit::kFits) {
      out.pivots = exchanges;
      out.status = LcpStatus::kSolved;
      return out;
    }
    if (fit == BasisFit::kSingular) break;
  }
  cold_.solve(A, b, out);
  out.pivots += exchanges;
  for (std::size_t i = 0; i < n; ++i) in_S[i] = out.ok() && out.x(static_cast<Index>(i)) > 0.0 ? 1 : 0;
  return out;
}

// Solves for x_S; on wrong signs moves every offending index to the other side, ready for the next try.
WarmLcpSolver::BasisFit WarmLcpSolver::try_basis(const MatrixXd& A, const VectorXd& b,
                                                 std::span<std::uint8_t> in_S, LcpSolution& out) {
  const Index n = b.size();
  Index m = 0;
  for (Index i = 0; i < n; ++i) {
    if (in_S[static_cast<std::size_t>(i)] != 0) active_[static_cast<std::size_t>(m++)] = i;
  }
  if (!solve_active(A, b, m)) return BasisFit::kSingular;

  out.x.setZero();
  // Judged with the negative x_i set to zero, so that a sign wrong by rounding only does not cost an
  // exchange.
  for (Index k = 0; k < m; ++k) {
    out.x(active_[static_cast<std::size_t>(k)]) = std::max(0.0, x_S_[static_cast<std::size_t>(k)]);
  }
  out.residual = lcp_residual(A, b, out.x, out.y);
  if (out.residual <= residual_bound(b, options_.warm_tol)) {
    for (Index i = 0; i < n; ++i) {
      if (in_S[static_cast<std::size_t>(i)] != 0 || out.y(i) < 0.0) out.y(i) = 0.0;
    }
    return BasisFit::kFits;
  }
  bool wrong_signs = false;
  out.y = b;
  for (Index k = 0; k < m; ++k) {
    const Index j = active_[static_cast<std::size_t>(k)];
    detail::add_multiple(out.y.data(), A.data() + j * n, x_S_[static_cast<std::size_t>(k)], n);
  }
  for (Index k = 0; k < m; ++k) {
    if (x_S_[static_cast<std::size_t>(k)] >= 0.0) continue;
    in_S[static_cast<std::size_t>(active_[static_cast<std::size_t>(k)])] = 0;
    wrong_signs = true;
  }
  Index k = 0;
  for (Index i = 0; i < n; ++i) {
    if (k < m && active_[static_cast<std::size_t>(k)] == i) {
      ++k;
    } else if (out.y(i) < 0.0) {
      in_S[static_cast<std::size_t>(i)] = 1;
      wrong_signs = true;
    }
  }
  // The signs are right but the residual isn't: the basis is too ill-conditioned to be used.
  return wrong_signs ? BasisFit::kWrongSigns : BasisFit::kSingular;
}

// x_S = −A_SS⁻¹ b_S. False if A_SS is singular.
bool WarmLcpSolver::solve_active(const MatrixXd& A, const VectorXd& b, Index m) {
  switch (m) {
    case 0:
      return true;
    case 1:
      return solve_small<1>(A, b, active_.data(), x_S_.data());
    case 2:
      return solve_small<2>(A, b, active_.data(), x_S_.data());
    case 3:
      return solve_small<3>(A, b, active_.data(), x_S_.data());
    case 4:
      return solve_small<4>(A, b, active_.data(), x_S_.data());
    case 5:
      return solve_small<5>(A, b, active_.data(), x_S_.data());
    case 6:
      return solve_small<6>(A, b, active_.data(), x_S_.data());
    case 7:
      return solve_small<7>(A, b, active_.data(), x_S_.data());
    case kSmall:
      return solve_small<kSmall>(A, b, active_.data(), x_S_.data());
    default:
      break;
  }
  const auto size = static_cast<std::size_t>(m);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) factors_[i * size + j] = A(active_[i], active_[j]);
    rhs_[i] = -b(active_[i]);
  }
  if (!detail::lu_factor(factors_.data(), m, m, order_.data())) return false;
  detail::lu_solve(factors_.data(), m, m, order_.data(), rhs_.data(), x_S_.data());
  return true;
}

}  // namespace enfold::lcp
