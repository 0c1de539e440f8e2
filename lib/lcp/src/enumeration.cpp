// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/enumeration.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "complete_elimination.hpp"
#include "enfold/base/require.hpp"
#include "enfold/lcp/lcp_residual.hpp"

namespace enfold::lcp {

namespace {

using detail::CompleteElimination;

constexpr double kDoubtfulPivots = 1000.0;  // × rank_tol: neither clearly regular nor clearly singular
constexpr double kConsistent = 1e-12;  // × max(1, ‖b‖_∞): what a consistent singular system may leave

class Enumerator {
 public:
  Enumerator(const LcpProblem& problem, const EnumerationOptions& options)
      : A_{problem.A}, b_{problem.b}, n_{static_cast<std::size_t>(problem.size())}, options_{options} {
    A_size_ = n_ > 0 ? A_.cwiseAbs().maxCoeff() : 0.0;
    b_size_ = residual_bound(b_, 1.0);
    x_.resize(problem.size());
  }

  EnumerationResult run() {
    const std::uint32_t count = 1U << n_;
    for (std::uint32_t S = 0; S < count; ++S) try_basis(S);
    result_.status = result_.continuum ? EnumerationStatus::kContinuum
                     : doubtful_       ? EnumerationStatus::kUndecided
                                       : EnumerationStatus::kExact;
    return std::move(result_);
  }

 private:
  void try_basis(std::uint32_t S) {
    S_ = S;
    active_.clear();
    for (std::size_t i = 0; i < n_; ++i) {
      if ((S >> i & 1U) != 0) active_.push_back(static_cast<Index>(i));
    }
    const std::size_t m = active_.size();
    system_.rows = system_.columns = m;
    for (std::size_t j = 0; j < m; ++j) {
      for (std::size_t i = 0; i < m; ++i) system_.M[i][j] = A_(active_[i], active_[j]);
      system_.M[j][m] = -b_(active_[j]);
    }
    system_.run(options_.rank_tol * A_size_);
    const bool doubtful = system_.smallest_pivot <= kDoubtfulPivots * options_.rank_tol * A_size_;
    if (system_.nullity() == 0) {
      x_.setZero();
      for (std::size_t i = 0; i < m; ++i) x_(active_[i]) = system_.particular[i];
      // A doubtful basis matters only if its point isn't clearly out of bounds.
      if (!add_if_solution() && doubtful) doubtful_ = true;
      return;
    }
    if (system_.inconsistency > options_.residual_tol * b_size_) return;
    if (doubtful || system_.inconsistency > kConsistent * b_size_) {
      doubtful_ = true;
      return;
    }
    explore_polyhedron();
  }

  // The singular basis leaves { t : G t + g ≥ 0 }, with row i of G t + g being x_i (i ∈ S) or y_i (i ∉ S). It
  // holds no line because x_S ≥ 0, hence it is the hull of its vertices and extreme rays.
  void explore_polyhedron() {
    const std::size_t k = system_.nullity();
    build_constraints(k);
    const std::uint32_t count = 1U << n_;
    std::vector<VectorXd> vertices;
    for (std::uint32_t K = 0; K < count; ++K) {
      if (static_cast<std::size_t>(std::popcount(K)) != k || !vertex(K, k) || !add_if_solution()) continue;
      const bool known =
          std::any_of(vertices.begin(), vertices.end(), [&](const VectorXd& v) { return same(v); });
      if (!known) vertices.push_back(x_);
    }
    if (vertices.empty()) return;
    if (vertices.size() > 1 || has_extreme_ray(k)) result_.continuum = true;
  }

  void build_constraints(std::size_t k) {
    G_.setZero(static_cast<Index>(n_), static_cast<Index>(k));
    g_.setZero(static_cast<Index>(n_));
    V_.setZero(static_cast<Index>(n_), static_cast<Index>(k));
    x_p_.setZero(static_cast<Index>(n_));
    for (std::size_t i = 0; i < active_.size(); ++i) {
      x_p_(active_[i]) = system_.particular[i];
      for (std::size_t c = 0; c < k; ++c) V_(active_[i], static_cast<Index>(c)) = system_.null_space[i][c];
    }
    for (std::size_t i = 0; i < n_; ++i) {
      const auto row = static_cast<Index>(i);
      if ((S_ >> i & 1U) != 0) {
        G_.row(row) = V_.row(row);
        g_(row) = x_p_(row);
      } else {
        G_.row(row) = A_.row(row) * V_;
        g_(row) = A_.row(row).dot(x_p_) + b_(row);
      }
    }
  }

  void load_rows(std::uint32_t K, std::size_t k) {
    corner_.rows = 0;
    corner_.columns = k;
    for (std::size_t i = 0; i < n_; ++i) {
      if ((K >> i & 1U) == 0) continue;
      for (std::size_t c = 0; c < k; ++c) {
        corner_.M[corner_.rows][c] = G_(static_cast<Index>(i), static_cast<Index>(c));
      }
      corner_.M[corner_.rows++][k] = -g_(static_cast<Index>(i));
    }
    corner_.run(options_.rank_tol * std::max(1.0, G_.cwiseAbs().maxCoeff()));
  }

  // x_ at the point where the k constraints K are active, if they meet in one point.
  bool vertex(std::uint32_t K, std::size_t k) {
    load_rows(K, k);
    if (corner_.nullity() != 0) return false;
    x_ = x_p_;
    for (std::size_t c = 0; c < k; ++c) x_ += corner_.particular[c] * V_.col(static_cast<Index>(c));
    return true;
  }

  bool has_extreme_ray(std::size_t k) {
    const std::uint32_t count = 1U << n_;
    VectorXd direction(static_cast<Index>(k));
    for (std::uint32_t K = 0; K < count; ++K) {
      if (static_cast<std::size_t>(std::popcount(K)) != k - 1) continue;
      load_rows(K, k);
      if (corner_.nullity() != 1) continue;
      for (std::size_t c = 0; c < k; ++c) direction(static_cast<Index>(c)) = corner_.null_space[c][0];
      const VectorXd rates = G_ * direction;
      const double tol = options_.residual_tol * rates.cwiseAbs().maxCoeff();
      if (rates.minCoeff() >= -tol || rates.maxCoeff() <= tol) return true;
    }
    return false;
  }

  [[nodiscard]] bool same(const VectorXd& x) const {
    return (x - x_).cwiseAbs().maxCoeff() <= options_.same_tol * std::max(1.0, x.cwiseAbs().maxCoeff());
  }

  bool add_if_solution() {
    const double bound = options_.residual_tol * b_size_;
    // Signs of x first: they rule out most bases at no cost.
    for (Index i = 0; i < x_.size(); ++i) {
      if (!(x_(i) >= -bound)) return false;
    }
    const double residual = lcp_residual(A_, b_, x_);
    if (residual > bound) return false;
    for (const EnumeratedSolution& known : result_.solutions) {
      if (x_.size() == 0 || same(known.x)) return true;
    }
    result_.solutions.push_back({active_, x_, A_ * x_ + b_, residual});
    return true;
  }

  const MatrixXd& A_;
  const VectorXd& b_;
  std::size_t n_;
  const EnumerationOptions& options_;
  double A_size_ = 0.0;
  double b_size_ = 1.0;
  EnumerationResult result_;
  bool doubtful_ = false;
  std::uint32_t S_ = 0;
  std::vector<Index> active_;
  CompleteElimination system_;
  CompleteElimination corner_;
  MatrixXd G_;
  VectorXd g_;
  MatrixXd V_;
  VectorXd x_p_;
  VectorXd x_;
};

}  // namespace

EnumerationResult enumerate_solutions(const LcpProblem& problem, const EnumerationOptions& options) {
  validate(problem);
  ENFOLD_REQUIRE(options.limit >= 0 && options.limit <= static_cast<Index>(CompleteElimination::kCapacity),
                 "enumerate_solutions: limit is {}, expected 0 … {}", options.limit,
                 CompleteElimination::kCapacity);
  if (problem.size() > options.limit) {
    EnumerationResult result;
    result.status = EnumerationStatus::kTooLarge;
    return result;
  }
  return Enumerator(problem, options).run();
}

}  // namespace enfold::lcp
