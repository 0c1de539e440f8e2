// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "enfold/lcp/lcp_problem.hpp"

namespace enfold::test {

/// Random linear complementarity problems; the same seed gives the same problem.
class LcpGenerator {
 public:
  explicit LcpGenerator(std::uint64_t seed) : engine_{seed} {}

  [[nodiscard]] double normal() { return normal_(engine_); }

  [[nodiscard]] MatrixXd normal_matrix(Index rows, Index columns) {
    return MatrixXd::NullaryExpr(rows, columns, [this](Index, Index) { return normal(); });
  }

  [[nodiscard]] VectorXd normal_vector(Index n) { return normal_matrix(n, 1).col(0); }

  /// A = B Bᵀ + C − Cᵀ + 0.1 I: positive definite, not symmetric.
  [[nodiscard]] lcp::LcpProblem positive_definite(Index n) {
    const MatrixXd B = normal_matrix(n, n);
    const MatrixXd C = normal_matrix(n, n);
    return {B * B.transpose() + C - C.transpose() + 0.1 * MatrixXd::Identity(n, n), normal_vector(n)};
  }

  /// A P-matrix whose symmetric part is indefinite (n ≥ 2; for n = 1 there is none, and A is a positive
  /// number).
  [[nodiscard]] lcp::LcpProblem indefinite_p_matrix(Index n) {
    MatrixXd A = p_matrix(n);
    while (n > 1 && smallest_eigenvalue_of_symmetric_part(A) >= 0.0) A = p_matrix(n);
    return {A, normal_vector(n)};
  }

  [[nodiscard]] static double smallest_eigenvalue_of_symmetric_part(const MatrixXd& A) {
    const MatrixXd H = 0.5 * (A + A.transpose());
    return Eigen::SelfAdjointEigenSolver<MatrixXd>(H, Eigen::EigenvaluesOnly).eigenvalues().minCoeff();
  }

  /// A = J Jᵀ of rank ≤ ⌈n/2⌉ and b = J u: singular and always solvable, as v = 0 is feasible in the dual
  /// problem min ‖v − u‖² with J v ≥ 0. Rows of J repeat when `repeated`.
  [[nodiscard]] lcp::LcpProblem redundant(Index n, bool repeated) {
    const Index rank = (n + 1) / 2;
    MatrixXd J = normal_matrix(n, rank);
    if (repeated) {
      for (Index i = rank; i < n; ++i) J.row(i) = J.row(i - rank);
    }
    return {J * J.transpose(), J * normal_vector(rank)};
  }

  /// A positive semi-definite A and a b that ask for s + b_0 ≥ 0 and −s + b_{n−1} ≥ 0 with b_0 + b_{n−1} < 0.
  [[nodiscard]] lcp::LcpProblem infeasible(Index n) {
    MatrixXd J = normal_matrix(n, n);
    J.row(n - 1) = -J.row(0);
    VectorXd b = normal_vector(n);
    b(n - 1) = -b(0) - 0.1 - std::abs(normal());
    return {J * J.transpose(), b};
  }

  [[nodiscard]] Index below(Index n) { return std::uniform_int_distribution<Index>(0, n - 1)(engine_); }

 private:
  // Block triangular with P-matrices on the diagonal, rows and columns permuted alike and scaled by positive
  // numbers: none of these steps can make a principal minor ≤ 0.
  MatrixXd p_matrix(Index n) {
    const double spread =
        n <= 5 ? 3.0 : 1.0;  // larger ones at large n make ‖x‖ overrun what 1e-9 can resolve
    MatrixXd T = (spread * normal_matrix(n, n)).triangularView<Eigen::StrictlyUpper>();
    for (Index i = 0; i < n;) {
      const Index size = std::min<Index>(n - i, 1 + below(3));
      place_block(T, i, size);
      i += size;
    }
    std::vector<Index> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), Index{0});
    std::shuffle(order.begin(), order.end(), engine_);
    MatrixXd A(n, n);
    VectorXd row_scale(n);
    VectorXd column_scale(n);
    for (Index i = 0; i < n; ++i) {
      row_scale(i) = std::exp(0.5 * normal());
      column_scale(i) = std::exp(0.5 * normal());
    }
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        A(i, j) = row_scale(i) * column_scale(j) *
                  T(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(j)]);
      }
    }
    return A;
  }

  void place_block(MatrixXd& T, Index i, Index size) {
    const double c = 0.2 + 2.0 * std::abs(normal());
    T.block(i, i, size, size).setIdentity();
    if (size == 2) {  // minors 1, 1, 1 + c²
      T(i, i + 1) = c;
      T(i + 1, i) = -c;
    } else if (size == 3) {  // minors 1, 1, 1 + c³: a cycle, not positive definite for c ≥ 2
      T(i, i + 1) = T(i + 1, i + 2) = T(i + 2, i) = c;
    }
  }

  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

}  // namespace enfold::test
