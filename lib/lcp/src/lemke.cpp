// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/lemke.hpp"

#include <algorithm>
#include <cmath>

#include "enfold/base/require.hpp"
#include "enfold/lcp/lcp_residual.hpp"
#include "lu.hpp"

namespace enfold::lcp {

namespace {

constexpr Index kNoRow = -1;

// Right sides this small in the scaled tableau are rounding left over from a degenerate pivot.
constexpr double kZeroRightSide = 1e-14;

double max_abs_or_one(const double* values, Index size) {
  double largest = 0.0;
  for (Index i = 0; i < size; ++i) largest = std::max(largest, std::abs(values[i]));
  return largest > 0.0 ? largest : 1.0;
}

}  // namespace

LemkeSolver::LemkeSolver(Index n_max, const LcpOptions& options) : options_{options}, n_max_{n_max} {
  ENFOLD_REQUIRE(n_max >= 0, "LemkeSolver: n_max is {}, expected 0 or more", n_max);
  const auto size = static_cast<std::size_t>(n_max);
  tableau_.resize(size * (2 * size + 2));
  factors_.resize(size * size);
  basis_.resize(size);
  ties_.resize(size);
  active_.resize(size);
  order_.resize(size);
  rhs_.resize(n_max);
  correction_.resize(n_max);
  x_basic_.resize(n_max);
}

void LemkeSolver::solve(const MatrixXd& A, const VectorXd& b, LcpSolution& out) {
  validate(A, b);
  n_ = b.size();
  ENFOLD_REQUIRE(n_ <= n_max_, "LemkeSolver: the problem has size {}, expected at most n_max = {}", n_,
                 n_max_);
  out.resize(n_);
  out.ray.x.setZero();
  out.ray.y.setZero();
  out.ray.z_0 = 0.0;
  out.pivots = 0;

  set_up(A, b);
  const PathEnd end = follow_path(out);
  read_basic_point(out);
  out.residual = lcp_residual(A, b, out.x);
  if (end == PathEnd::kComplementary) resolve_basis(A, b, out);
  const double bound = residual_bound(b, options_.residual_tol);
  if (out.residual <= bound) {
    out.status = LcpStatus::kSolved;
  } else if (end == PathEnd::kRay) {
    out.status = LcpStatus::kRayTermination;
    read_ray(A, out);
  } else {
    out.status = end == PathEnd::kMaxPivots ? LcpStatus::kMaxPivots : LcpStatus::kResidualTooLarge;
  }

  // Exact complementarity for the caller: where x_i wins its pair, y_i is below the residual.
  for (Index i = 0; i < n_; ++i) {
    double y = b(i);
    for (Index j = 0; j < n_; ++j) y += A(i, j) * out.x(j);
    const bool rounding = y < 0.0 || (out.x(i) > 0.0 && y <= bound);
    out.y(i) = out.ok() && rounding ? 0.0 : y;
  }
}

// y − A x − e z_0 = b with the basis y.
void LemkeSolver::set_up(const MatrixXd& A, const VectorXd& b) {
  stride_ = 2 * n_ + 2;
  A_scale_ = max_abs_or_one(A.data(), A.size());
  b_scale_ = max_abs_or_one(b.data(), n_);
  for (Index i = 0; i < n_; ++i) {
    for (Index j = 0; j < n_; ++j) {
      at(i, j) = i == j ? 1.0 : 0.0;
      at(i, n_ + j) = -A(i, j) / A_scale_;
    }
    at(i, artificial()) = -1.0;
    at(i, right_side()) = b(i) / b_scale_;
    basis_[static_cast<std::size_t>(i)] = i;
  }
}

LemkeSolver::PathEnd LemkeSolver::follow_path(LcpSolution& out) {
  Index row = first_row();
  if (row == kNoRow) return PathEnd::kComplementary;
  driving_ = artificial();
  for (;;) {
    if (out.pivots >= options_.max_pivots) return PathEnd::kMaxPivots;
    const Index leaving = basis_[static_cast<std::size_t>(row)];
    pivot(row, driving_);
    ++out.pivots;
    if (leaving == artificial()) return PathEnd::kComplementary;
    driving_ = complement(leaving);
    row = ratio_test(driving_);
    if (row == kNoRow) return PathEnd::kRay;
  }
}

// The row of the lexicographically smallest (b_i, e_i): raising z_0 to −b_i makes every other row
// lexicographically positive. Of equal b_i that is the last one. None if b ≥ 0, which x = 0 solves.
Index LemkeSolver::first_row() {
  Index row = kNoRow;
  double smallest = 0.0;
  for (Index i = 0; i < n_; ++i) {
    const double b_i = at(i, right_side());
    if (b_i < 0.0 && b_i <= smallest) {
      row = i;
      smallest = b_i;
    }
  }
  return row;
}

// The row whose variable reaches zero first as the driving one grows; ties go to z_0, which ends the path,
// and then to the lexicographic order of the rows of the basis inverse.
Index LemkeSolver::ratio_test(Index column) {
  double largest = 1.0;
  for (Index i = 0; i < n_; ++i) largest = std::max(largest, std::abs(at(i, column)));
  const double smallest_pivot = options_.pivot_tol * largest;

  ties_.clear();
  double best = 0.0;
  for (Index i = 0; i < n_; ++i) {
    if (at(i, column) <= smallest_pivot) continue;
    const double ratio = at(i, right_side()) / at(i, column);
    if (ties_.empty() || ratio < best) best = ratio;
    ties_.push_back(i);
  }
  if (ties_.empty()) return kNoRow;
  const double bound = best + options_.tie_tol * std::max(1.0, std::abs(best));
  std::erase_if(ties_, [&](Index i) { return at(i, right_side()) / at(i, column) > bound; });
  for (const Index i : ties_) {
    if (basis_[static_cast<std::size_t>(i)] == artificial()) return i;
  }
  return lexicographic_minimum(column);
}

Index LemkeSolver::lexicographic_minimum(Index column) {
  for (Index j = 0; j < n_ && ties_.size() > 1; ++j) {
    double best = at(ties_.front(), j) / at(ties_.front(), column);
    for (const Index i : ties_) best = std::min(best, at(i, j) / at(i, column));
    const double bound = best + options_.tie_tol * std::max(1.0, std::abs(best));
    std::erase_if(ties_, [&](Index i) { return at(i, j) / at(i, column) > bound; });
  }
  return ties_.front();
}

void LemkeSolver::pivot(Index row, Index column) {
  using Row = Eigen::Map<Eigen::RowVectorXd>;
  Row pivot_row(&at(row, 0), stride_);
  pivot_row /= at(row, column);
  at(row, column) = 1.0;
  for (Index i = 0; i < n_; ++i) {
    const double factor = at(i, column);
    if (i == row || factor == 0.0) continue;
    Row(&at(i, 0), stride_) -= factor * pivot_row;
    at(i, column) = 0.0;
    if (std::abs(at(i, right_side())) < kZeroRightSide) at(i, right_side()) = 0.0;
  }
  basis_[static_cast<std::size_t>(row)] = column;
}

void LemkeSolver::read_basic_point(LcpSolution& out) const {
  out.x.setZero();
  for (Index i = 0; i < n_; ++i) {
    const Index variable = basis_[static_cast<std::size_t>(i)];
    if (variable < n_ || variable == artificial()) continue;
    out.x(variable - n_) = std::max(0.0, at(i, right_side())) * b_scale_ / A_scale_;
  }
}

// The driving variable grows by 1, the basic ones by −(its column); back from the scaled to the given units.
void LemkeSolver::read_ray(const MatrixXd& A, LcpSolution& out) const {
  LcpRay& ray = out.ray;
  const auto grow = [&](Index variable, double rate) {
    if (variable == artificial()) {
      ray.z_0 = rate;
    } else if (variable >= n_) {
      ray.x(variable - n_) = rate / A_scale_;
    } else {
      ray.y(variable) = rate;
    }
  };
  grow(driving_, 1.0);
  for (Index i = 0; i < n_; ++i) grow(basis_[static_cast<std::size_t>(i)], std::max(0.0, -at(i, driving_)));
  const double size = ray.x.maxCoeff();
  if (size <= 0.0) return;
  ray.x /= size;
  ray.z_0 /= size;
  // y from the given A, so that the ray's equation holds to rounding whatever the pivots did.
  for (Index i = 0; i < n_; ++i) {
    double y = ray.z_0;
    for (Index j = 0; j < n_; ++j) y += A(i, j) * ray.x(j);
    ray.y(i) = ray.y(i) > 0.0 ? std::max(0.0, y) : 0.0;
  }
}

// Solves A_SS x_S = −b_S from the given data and refines once; keeps the better of this and the tableau's x.
void LemkeSolver::resolve_basis(const MatrixXd& A, const VectorXd& b, LcpSolution& out) {
  active_.clear();
  for (Index i = 0; i < n_; ++i) {
    const Index variable = basis_[static_cast<std::size_t>(i)];
    if (variable >= n_ && variable != artificial()) active_.push_back(variable - n_);
  }
  const auto m = static_cast<Index>(active_.size());
  const auto S = [&](Index i) { return active_[static_cast<std::size_t>(i)]; };
  for (Index i = 0; i < m; ++i) {
    rhs_(i) = -b(S(i));
    for (Index j = 0; j < m; ++j) factors_[static_cast<std::size_t>(i * m + j)] = A(S(i), S(j));
  }
  if (!detail::lu_factor(factors_.data(), m, m, order_.data())) return;
  detail::lu_solve(factors_.data(), m, m, order_.data(), rhs_.data(), x_basic_.data());
  for (Index i = 0; i < m; ++i) {
    double defect = -b(S(i));
    for (Index j = 0; j < m; ++j) defect -= A(S(i), S(j)) * x_basic_(j);
    rhs_(i) = defect;
  }
  detail::lu_solve(factors_.data(), m, m, order_.data(), rhs_.data(), correction_.data());

  for (Index i = 0; i < m; ++i) {
    const double refined = std::max(0.0, x_basic_(i) + correction_(i));
    rhs_(i) = out.x(S(i));
    out.x(S(i)) = refined;
  }
  const double residual = lcp_residual(A, b, out.x);
  if (residual <= out.residual) {
    out.residual = residual;
    return;
  }
  for (Index i = 0; i < m; ++i) out.x(S(i)) = rhs_(i);
}

LcpSolution solve_lemke(const LcpProblem& problem, const LcpOptions& options) {
  LcpSolution solution;
  LemkeSolver solver(problem.size(), options);
  solver.solve(problem.A, problem.b, solution);
  return solution;
}

}  // namespace enfold::lcp
