// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/warm_lcp_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "enfold/base/require.hpp"
#include "enfold/lcp/lcp_problem.hpp"
#include "enfold/lcp/lcp_residual.hpp"
#include "lu.hpp"

namespace enfold::lcp {

namespace {

// Up to this size the system lives on the stack with a row length known to the compiler.
constexpr Index kSmall = 8;

}  // namespace

WarmLcpSolver::WarmLcpSolver(Index n_max, const LcpOptions& options)
    : options_{options}, n_max_{n_max}, lemke_{n_max, options} {
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
  for (; exchanges <= max_exchanges; ++exchanges) {
    const BasisFit fit = try_basis(A, b, in_S, out);
    if (fit == BasisFit::kFits) {
      out.pivots = exchanges;
      out.status = LcpStatus::kSolved;
      return out;
    }
    if (fit == BasisFit::kSingular) break;
  }
  lemke_.solve(A, b, out);
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
  if (!(m <= kSmall ? solve_active_small(A, b, m) : solve_active(A, b, m))) return BasisFit::kSingular;

  out.y = b;
  out.x.setZero();
  bool wrong_signs = false;
  for (Index k = 0; k < m; ++k) {
    const Index j = active_[static_cast<std::size_t>(k)];
    const double x_j = x_S_[static_cast<std::size_t>(k)];
    for (Index i = 0; i < n; ++i) out.y(i) += A(i, j) * x_j;
    out.x(j) = std::max(0.0, x_j);
  }
  // Judged with the negative x_i set to zero, so that a sign wrong by rounding only does not cost an
  // exchange.
  out.residual = lcp_residual(A, b, out.x);
  if (out.residual <= residual_bound(b, options_.warm_tol)) {
    for (Index i = 0; i < n; ++i) {
      if (in_S[static_cast<std::size_t>(i)] != 0 || out.y(i) < 0.0) out.y(i) = 0.0;
    }
    return BasisFit::kFits;
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

// Gaussian elimination of [A_SS | −b_S] with partial pivoting, m ≤ kSmall. False if a pivot is exactly zero.
bool WarmLcpSolver::solve_active_small(const MatrixXd& A, const VectorXd& b, Index m) {
  std::array<std::array<double, kSmall + 1>, kSmall> a;  // NOLINT: only the m × (m + 1) corner is used
  const auto size = static_cast<std::size_t>(m);
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t i = 0; i < size; ++i) a[i][j] = A(active_[i], active_[j]);
    a[j][size] = -b(active_[j]);
  }
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < size; ++i) {
      if (std::abs(a[i][k]) > std::abs(a[best][k])) best = i;
    }
    if (a[best][k] == 0.0) return false;
    if (best != k) {
      for (std::size_t j = k; j <= size; ++j) std::swap(a[k][j], a[best][j]);
    }
    const double inverse = 1.0 / a[k][k];
    for (std::size_t i = k + 1; i < size; ++i) {
      const double l = a[i][k] * inverse;
      for (std::size_t j = k + 1; j <= size; ++j) a[i][j] -= l * a[k][j];
    }
  }
  for (std::size_t i = size; i-- > 0;) {
    double sum = a[i][size];
    for (std::size_t j = i + 1; j < size; ++j) sum -= a[i][j] * x_S_[j];
    x_S_[i] = sum / a[i][i];
  }
  return true;
}

bool WarmLcpSolver::solve_active(const MatrixXd& A, const VectorXd& b, Index m) {
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
