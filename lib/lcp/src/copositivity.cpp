// SPDX-License-Identifier: BSD-3-Clause
#include "copositivity.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <bit>
#include <cmath>
#include <limits>

#include "class_words.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "quadratic_form.hpp"

namespace enfold::lcp::detail {

namespace {

enum class Sign : std::uint8_t { kAllNegative, kSomeNot, kHidden };

// Signs of the solution of M u = e, with the error bound ‖u − ũ‖ ≤ ‖R (e − M ũ)‖ / (1 − ‖I − R M‖), R ≈ M⁻¹.
Sign signs_of_solution(const MatrixXd& M, VectorXd& u) {
  constexpr double kUnit = std::numeric_limits<double>::epsilon();
  const Index m = M.rows();
  const VectorXd e = VectorXd::Ones(m);
  const MatrixXd R = M.partialPivLu().inverse();
  if (!R.allFinite()) return Sign::kHidden;
  u = R * e;
  u += R * (e - M * u);
  const double rounding = (static_cast<double>(m) + 3.0) * kUnit;
  const MatrixXd defect = MatrixXd::Identity(m, m) - R * M;
  const double contraction = defect.cwiseAbs().rowwise().sum().maxCoeff() +
                             rounding * (R.cwiseAbs() * M.cwiseAbs()).rowwise().sum().maxCoeff();
  if (!(contraction < 0.5)) return Sign::kHidden;
  const VectorXd residual = (e - M * u).cwiseAbs() + rounding * (M.cwiseAbs() * u.cwiseAbs() + e);
  const double error = 2.0 * (R.cwiseAbs() * residual).maxCoeff();
  if (u.maxCoeff() > error) return Sign::kSomeNot;
  return u.maxCoeff() < -error ? Sign::kAllNegative : Sign::kHidden;
}

// By Cramer's rule in exact arithmetic, for det M < 0: u_i < 0 if and only if M with e as its column i has a
// determinant > 0.
Sign exact_signs_of_solution(const MatrixXd& M) {
  for (Index i = 0; i < M.rows(); ++i) {
    MatrixXd replaced = M;
    replaced.col(i).setOnes();
    const std::optional<int> sign = exact_determinant_sign(replaced);
    if (!sign) return Sign::kHidden;
    if (*sign <= 0) return Sign::kSomeNot;
  }
  return Sign::kAllNegative;
}

// Whether the singular M has one null vector and that is positive: the first row of its adjugate is.
Sign exact_signs_of_null_vector(const MatrixXd& M) {
  const Index m = M.rows();
  for (Index i = 0; i < m; ++i) {
    MatrixXd rest(m - 1, m - 1);
    rest << M.block(1, 0, m - 1, i), M.block(1, i + 1, m - 1, m - i - 1);
    const std::optional<int> sign = exact_determinant_sign(rest);
    if (!sign) return Sign::kHidden;
    if ((i % 2 == 0 ? *sign : -*sign) <= 0) return Sign::kSomeNot;
  }
  return Sign::kAllNegative;  // of −v
}

VectorXd spread(const VectorXd& x_S, std::uint32_t mask, Index n) {
  VectorXd x = VectorXd::Zero(n);
  x(index_set(mask)) = x_S;
  return x / x.cwiseAbs().maxCoeff();
}

// Where the scan stands: a refutation ends it, a hidden sign stops only a "yes".
class Scan {
 public:
  Scan(const MatrixXd& A, const MatrixXd& H) : A_{A}, H_{H} {}

  void examine(std::uint32_t S, MinorSign sign) {
    if (sign == MinorSign::kPositive) return;
    const MatrixXd M = principal_submatrix(H_, S);
    if (sign == MinorSign::kHidden) {
      hide(S);
    } else if (sign == MinorSign::kNegative) {
      examine_negative(S, M);
    } else if (!strict_no_ && exact_signs_of_null_vector(M) == Sign::kAllNegative) {
      refute_strict(S, M);
    } else if (!strict_no_ && exact_signs_of_null_vector(M) == Sign::kHidden) {
      if (strict_hidden_ == 0) strict_hidden_ = S;
    }
  }

  [[nodiscard]] bool refuted() const { return no_; }

  Copositivity result(std::string_view proof) {
    if (!no_) settle(out_.copositive, hidden_, proof);
    if (!strict_no_) settle(out_.strict, strict_hidden_ != 0 ? strict_hidden_ : hidden_, proof);
    return std::move(out_);
  }

  void refute(const VectorXd& x) {
    const Bounded form = quadratic_form(A_, x);
    out_.copositive.verdict = ClassVerdict::kNo;
    out_.copositive.witness = x;
    out_.copositive.value = form.value;
    out_.copositive.indices = support(x);
    out_.copositive.reason = fmt::format("x = {} ≥ 0 has xᵀAx = {:.6g}", words(x), form.value);
    out_.strict = out_.copositive;
    no_ = strict_no_ = true;
  }

 private:
  void examine_negative(std::uint32_t S, const MatrixXd& M) {
    VectorXd u;
    Sign signs = signs_of_solution(M, u);
    if (signs == Sign::kHidden) signs = exact_signs_of_solution(M);
    if (signs == Sign::kSomeNot) return;
    if (signs == Sign::kAllNegative && u.maxCoeff() < 0.0) {
      const VectorXd x = spread(-u, S, A_.rows());
      if (quadratic_form(A_, x).clearly_negative()) {
        refute(x);
        return;
      }
    }
    hide(S);
  }

  void refute_strict(std::uint32_t S, const MatrixXd& M) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(M);
    Index smallest = 0;
    eigen.eigenvalues().cwiseAbs().minCoeff(&smallest);
    const VectorXd x = spread(eigen.eigenvectors().col(smallest).cwiseAbs(), S, A_.rows());
    out_.strict.verdict = ClassVerdict::kNo;
    out_.strict.witness = x;
    out_.strict.value = 0.0;
    out_.strict.indices = support(x);
    out_.strict.reason = fmt::format("x = {} ≥ 0 has xᵀAx = 0", words(x));
    strict_no_ = true;
  }

  void hide(std::uint32_t S) {
    if (hidden_ == 0) hidden_ = S;
  }

  static void settle(ClassFinding& finding, std::uint32_t hidden, std::string_view proof) {
    finding.verdict = hidden == 0 ? ClassVerdict::kYes : ClassVerdict::kNotProved;
    finding.reason = std::string(proof);
    if (hidden == 0) return;
    finding.indices = index_set(hidden);
    finding.reason = fmt::format("rounding hides a sign on the rows and columns {}", words(finding.indices));
  }

  static std::vector<Index> support(const VectorXd& x) {
    std::vector<Index> indices;
    for (Index i = 0; i < x.size(); ++i) {
      if (x(i) != 0.0) indices.push_back(i);
    }
    return indices;
  }

  const MatrixXd& A_;
  const MatrixXd& H_;
  Copositivity out_;
  bool no_ = false;
  bool strict_no_ = false;
  std::uint32_t hidden_ = 0;
  std::uint32_t strict_hidden_ = 0;
};

// x = (s, 1) on the pair (i, j) where h_ij < 0 and h_ii h_jj < h_ij²: the minimum over s of the form.
VectorXd pair_direction(const MatrixXd& H, Index i, Index j) {
  VectorXd x = VectorXd::Zero(H.rows());
  x(i) = H(i, i) > 0.0 ? -H(i, j) / H(i, i) : (std::abs(H(j, j)) + 1.0) / -H(i, j);
  x(j) = 1.0;
  return x / x.maxCoeff();
}

bool refute_by_pairs(Scan& scan, const MatrixXd& A, const MatrixXd& H) {
  for (Index i = 0; i < H.rows(); ++i) {
    if (H(i, i) < 0.0) {
      scan.refute(VectorXd::Unit(H.rows(), i));
      return true;
    }
  }
  for (Index j = 1; j < H.rows(); ++j) {
    for (Index i = 0; i < j; ++i) {
      if (H(i, j) >= 0.0 || H(i, i) * H(j, j) >= H(i, j) * H(i, j)) continue;
      const VectorXd x = pair_direction(H, i, j);
      if (!quadratic_form(A, x).clearly_negative()) continue;
      scan.refute(x);
      return true;
    }
  }
  return false;
}

}  // namespace

Copositivity test_copositivity(const MatrixXd& A, const MatrixXd& H, const MinorTable& minors) {
  Scan scan(A, H);
  const auto count = static_cast<std::uint32_t>(minors.signs.size());
  for (int size = 1; size <= A.rows() && !scan.refuted(); ++size) {
    for (std::uint32_t S = 1; S < count && !scan.refuted(); ++S) {
      if (std::popcount(S) == size) scan.examine(S, minors.signs[S]);
    }
  }
  return scan.result("no principal submatrix of (A + Aᵀ)/2 fails the test of Cottle, Habetler and Lemke");
}

Copositivity test_copositivity_cheaply(const MatrixXd& A, const MatrixXd& H,
                                       const VectorXd& least_curvature) {
  Scan scan(A, H);
  if (H.minCoeff() >= 0.0) {
    Copositivity out = scan.result("no entry of (A + Aᵀ)/2 is negative");
    if (H.diagonal().minCoeff() <= 0.0) {
      Index i = 0;
      H.diagonal().minCoeff(&i);
      out.strict.verdict = ClassVerdict::kNo;
      out.strict.indices = {i};
      out.strict.witness = VectorXd::Unit(A.rows(), i);
      out.strict.value = 0.0;
      out.strict.reason = fmt::format("the diagonal entry {} is zero", i + 1);
    }
    return out;
  }
  if (refute_by_pairs(scan, A, H)) return scan.result("");
  for (const double side : {1.0, -1.0}) {
    const VectorXd x = (side * least_curvature).cwiseMax(0.0);
    if (!quadratic_form(A, x).clearly_negative()) continue;
    scan.refute(x / x.maxCoeff());
    return scan.result("");
  }
  Copositivity out;
  out.copositive.verdict = out.strict.verdict = ClassVerdict::kNotProved;
  return out;
}

}  // namespace enfold::lcp::detail
