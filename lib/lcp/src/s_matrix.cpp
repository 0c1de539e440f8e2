// SPDX-License-Identifier: BSD-3-Clause
#include "s_matrix.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "class_words.hpp"
#include "enfold/lcp/lemke.hpp"
#include "minor_signs.hpp"

namespace enfold::lcp::detail {

namespace {

struct Strategies {
  VectorXd z;
  VectorXd y;
};

// M x and its rounding error, entry by entry.
struct BoundedVector {
  VectorXd value;
  VectorXd error;
};

BoundedVector product(const MatrixXd& M, const VectorXd& x) {
  const double units = (static_cast<double>(M.cols()) + 2.0) * std::numeric_limits<double>::epsilon();
  return {M * x, units * (M.cwiseAbs() * x.cwiseAbs())};
}

bool clearly_positive(const BoundedVector& v) {
  return (v.value - v.error).minCoeff() > 0.0;
}

Strategies solve_game(const MatrixXd& A) {
  const Index n = A.rows();
  const double size = A.cwiseAbs().maxCoeff();
  const MatrixXd shifted = (A / (size > 0.0 ? size : 1.0)).array() + 2.0;  // entries 1 … 3
  LcpProblem game{MatrixXd::Zero(2 * n, 2 * n), VectorXd::Ones(2 * n)};
  game.A.topRightCorner(n, n) = -shifted.transpose();
  game.A.bottomLeftCorner(n, n) = shifted;
  game.b.tail(n).setConstant(-1.0);
  const LcpSolution solution = solve_lemke(game);
  if (!solution.ok()) return {};
  return {solution.x.head(n) / solution.x.head(n).sum(), solution.x.tail(n) / solution.x.tail(n).sum()};
}

// z > 0 with A z > 0, near the z ≥ 0 given; empty if that isn't clear of rounding.
VectorXd made_positive(const MatrixXd& A, const VectorXd& z) {
  const double slack = (A * z).minCoeff();
  const double pull = A.cwiseAbs().rowwise().sum().maxCoeff();
  for (const double part : {0.5, 0.01}) {
    const VectorXd inside = z.array() + part * slack / pull;
    if (inside.minCoeff() > 0.0 && clearly_positive(product(A, inside))) return inside / inside.maxCoeff();
  }
  return {};
}

// Whether Aᵀ y ≤ 0 beyond doubt. Zeros can be certain only where nothing rounds: y is tried as small whole
// numbers too.
VectorXd refutation(const MatrixXd& A, const VectorXd& y) {
  const MatrixXd At = A.transpose();
  const VectorXd clean = (y.array() > 1e-12 * y.maxCoeff()).select(y, 0.0);
  const BoundedVector g = product(At, clean);
  if ((g.value + g.error).maxCoeff() <= 0.0) return clean / clean.maxCoeff();
  if (!adds_without_rounding(A)) return {};
  constexpr int kLargestWhole = 64;
  for (int k = 1; k <= kLargestWhole; ++k) {
    const VectorXd whole = (clean * (static_cast<double>(k) / clean.maxCoeff())).array().round();
    if ((At * whole).maxCoeff() <= 0.0) return whole / whole.maxCoeff();
  }
  return {};
}

}  // namespace

ClassFinding test_s_matrix(const MatrixXd& A) {
  ClassFinding finding;
  finding.verdict = ClassVerdict::kNotProved;
  finding.reason = "rounding hides the sign of the value of the game A";
  const Strategies strategies = solve_game(A);
  if (strategies.z.size() == 0) {
    finding.reason = "the value of the game A was not found";
    return finding;
  }
  if (clearly_positive(product(A, strategies.z))) {
    const VectorXd z = made_positive(A, strategies.z);
    if (z.size() == 0) return finding;
    finding.verdict = ClassVerdict::kYes;
    finding.witness = z;
    finding.value = (A * z).minCoeff();
    finding.reason = fmt::format("z = {} > 0 has Az ≥ {:.6g}", words(z), finding.value);
    return finding;
  }
  const VectorXd y = refutation(A, strategies.y);
  if (y.size() == 0) return finding;
  finding.verdict = ClassVerdict::kNo;
  finding.witness = y;
  finding.value = (A.transpose() * y).maxCoeff();
  finding.reason = fmt::format("y = {} ≥ 0 has Aᵀy ≤ 0", words(y));
  return finding;
}

}  // namespace enfold::lcp::detail
