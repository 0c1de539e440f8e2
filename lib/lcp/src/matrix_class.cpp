// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/matrix_class.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <array>
#include <bit>

#include "class_words.hpp"
#include "copositivity.hpp"
#include "determinant.hpp"
#include "enfold/base/require.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "minor_signs.hpp"
#include "quadratic_form.hpp"
#include "s_matrix.hpp"

namespace enfold::lcp {

namespace {

using detail::MinorSign;
using detail::MinorTable;
using detail::words;
using enum MatrixClass;

// What each class brings along: a "yes" goes down the arrow, a "no" up.
struct Implication {
  MatrixClass premise;
  MatrixClass conclusion;
};
constexpr std::array kImplications = {
    Implication{kP, kP0},
    Implication{kP, kNondegenerate},
    Implication{kP, kS},
    Implication{kPositiveDefinite, kP},
    Implication{kPositiveDefinite, kPositiveSemidefinite},
    Implication{kPositiveDefinite, kStrictlyCopositive},
    Implication{kPositiveSemidefinite, kP0},
    Implication{kPositiveSemidefinite, kCopositive},
    Implication{kStrictlyCopositive, kCopositive},
    Implication{kStrictlyCopositive, kS},
    Implication{kM, kZ},
    Implication{kM, kP},
};

// Two classes that make a third.
struct Conjunction {
  MatrixClass first;
  MatrixClass second;
  MatrixClass conclusion;
};
constexpr std::array kConjunctions = {
    Conjunction{kZ, kP, kM},
    Conjunction{kZ, kS, kP},
    Conjunction{kP0, kNondegenerate, kP},
    Conjunction{kSymmetric, kP, kPositiveDefinite},
    Conjunction{kSymmetric, kP0, kPositiveSemidefinite},
};

class Classifier {
 public:
  Classifier(const MatrixXd& A, const MatrixClassOptions& options) : A_{A}, n_{A.rows()}, options_{options} {
    out_.n = n_;
    out_.findings.resize(kMatrixClasses);
    for (std::size_t c = 0; c < kMatrixClasses; ++c) {
      out_.findings[c].matrix_class = static_cast<MatrixClass>(c);
      out_.findings[c].verdict = ClassVerdict::kNotProved;
    }
    H_ = 0.5 * (A_ + A_.transpose());
  }

  MatrixClassification run() {
    test_entries();
    put(kS, detail::test_s_matrix(A_));
    if (n_ <= options_.exact_limit) {
      test_exactly();
    } else {
      test_cheaply();
    }
    draw_conclusions();
    for (ClassFinding& finding : out_.findings) {
      if (finding.verdict == ClassVerdict::kNotProved && finding.reason.empty())
        finding.reason =
            n_ > options_.exact_limit
                ? fmt::format("n = {} is above the exact limit of {}, and no simpler test decides", n_,
                              options_.exact_limit)
                : "no test decides";
    }
    return std::move(out_);
  }

 private:
  ClassFinding& at(MatrixClass c) { return out_.findings[static_cast<std::size_t>(c)]; }

  void put(MatrixClass c, ClassFinding finding) {
    finding.matrix_class = c;
    at(c) = std::move(finding);
  }

  void decide(MatrixClass c, ClassVerdict verdict, std::string reason) {
    at(c).verdict = verdict;
    at(c).reason = std::move(reason);
  }

  void test_entries() {
    decide(kZ, ClassVerdict::kYes, "no entry off the diagonal is positive");
    decide(kSymmetric, ClassVerdict::kYes, "A = Aᵀ");
    for (Index i = 0; i < n_; ++i) {
      for (Index j = 0; j < n_; ++j) {
        if (i != j && A_(i, j) > 0.0 && at(kZ).verdict == ClassVerdict::kYes)
          refute_by_entry(kZ, i, j, fmt::format("A({}, {}) = {:.6g} > 0", i + 1, j + 1, A_(i, j)));
        if (A_(i, j) != A_(j, i) && at(kSymmetric).verdict == ClassVerdict::kYes)
          refute_by_entry(
              kSymmetric, i, j,
              fmt::format("A({0}, {1}) = {2:.6g}, A({1}, {0}) = {3:.6g}", i + 1, j + 1, A_(i, j), A_(j, i)));
      }
    }
  }

  void refute_by_entry(MatrixClass c, Index i, Index j, std::string reason) {
    decide(c, ClassVerdict::kNo, std::move(reason));
    at(c).indices = {i, j};
    at(c).value = A_(i, j);
  }

  void test_exactly() {
    const MinorTable minors = detail::minor_table(A_);
    judge(kP, minors, "A", "> 0", [](MinorSign s) { return s == MinorSign::kPositive; });
    judge(kP0, minors, "A", "≥ 0", [](MinorSign s) { return s != MinorSign::kNegative; });
    judge(kNondegenerate, minors, "A", "≠ 0", [](MinorSign s) { return s != MinorSign::kZero; });
    const bool symmetric = at(kSymmetric).verdict == ClassVerdict::kYes;
    // A sum that rounds would make an exact determinant one of another matrix.
    const auto entries = symmetric || sums_are_exact() ? detail::Entries::kExact : detail::Entries::kRounded;
    const MinorTable minors_H = symmetric ? minors : detail::minor_table(H_, entries);
    const char* matrix = symmetric ? "A" : "(A + Aᵀ)/2";
    judge(kPositiveDefinite, minors_H, matrix, "> 0", [](MinorSign s) { return s == MinorSign::kPositive; });
    judge(kPositiveSemidefinite, minors_H, matrix, "≥ 0",
          [](MinorSign s) { return s != MinorSign::kNegative; });
    test_curvature();
    detail::Copositivity cone = detail::test_copositivity(A_, H_, minors_H);
    put(kCopositive, std::move(cone.copositive));
    put(kStrictlyCopositive, std::move(cone.strict));
  }

  // Whether A + Aᵀ is free of rounding: with s = fl(a + c), both s − a = c and s − c = a hold.
  [[nodiscard]] bool sums_are_exact() const {
    const MatrixXd At = A_.transpose();
    const MatrixXd sum = A_ + At;
    return (sum - A_) == At && (sum - At) == A_;
  }

  // All minors must pass; the first that fails, fewest indices first, refutes.
  template <class Passes>
  void judge(MatrixClass c, const MinorTable& minors, std::string_view matrix, std::string_view relation,
             const Passes& passes) {
    std::uint32_t failing = 0;
    std::uint32_t hidden = 0;
    const auto first = [](std::uint32_t S, std::uint32_t T) {
      return T == 0 || std::popcount(S) < std::popcount(T);
    };
    for (std::uint32_t S = 1; S < minors.signs.size(); ++S) {
      if (minors.signs[S] == MinorSign::kHidden) {
        if (first(S, hidden)) hidden = S;
      } else if (!passes(minors.signs[S]) && first(S, failing)) {
        failing = S;
      }
    }
    if (failing == 0 && hidden == 0) {
      decide(c, ClassVerdict::kYes, fmt::format("every principal minor of {} is {}", matrix, relation));
      return;
    }
    const std::uint32_t S = failing != 0 ? failing : hidden;
    const std::vector<Index> indices = index_set(S);
    decide(
        c, failing != 0 ? ClassVerdict::kNo : ClassVerdict::kNotProved,
        failing != 0
            ? fmt::format("the principal minor {} of {} is {:.6g}", words(indices), matrix, minors.values[S])
            : fmt::format("rounding hides the sign of the principal minor {} of {}", words(indices), matrix));
    at(c).indices = indices;
    at(c).value = minors.values[S];
  }

  // The eigenvector of the least eigenvalue of H is a witness that needs no minors.
  void test_curvature() {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(H_);
    least_curvature_ = eigen.eigenvectors().col(0);
    least_curvature_ /= least_curvature_.cwiseAbs().maxCoeff();
    const detail::Bounded form = detail::quadratic_form(A_, least_curvature_);
    if (!form.clearly_negative()) {
      const double rounding = 10.0 * static_cast<double>(n_) * std::numeric_limits<double>::epsilon() *
                              eigen.eigenvalues().cwiseAbs().maxCoeff();
      if (eigen.eigenvalues()(0) > rounding && at(kPositiveDefinite).verdict == ClassVerdict::kNotProved)
        decide(kPositiveDefinite, ClassVerdict::kYes,
               fmt::format("the least eigenvalue of (A + Aᵀ)/2 is {:.6g}", eigen.eigenvalues()(0)));
      return;
    }
    for (const MatrixClass c : {kPositiveDefinite, kPositiveSemidefinite}) {
      decide(c, ClassVerdict::kNo,
             fmt::format("x = {} has xᵀAx = {:.6g}", words(least_curvature_), form.value));
      at(c).indices.clear();
      at(c).witness = least_curvature_;
      at(c).value = form.value;
    }
  }

  void test_cheaply() {
    refute_or_prove_p(test_p_matrix(A_, {.exact_limit = 0}));
    const PMatrixResult definite = test_p_matrix(H_, {.exact_limit = 0});
    if (definite.status == PMatrixStatus::kP)
      decide(kPositiveDefinite, ClassVerdict::kYes,
             definite.method == PMatrixMethod::kDiagonallyDominant
                 ? "(A + Aᵀ)/2 has a positive, strictly dominant diagonal"
                 : "(A + Aᵀ)/2 has a Cholesky factor");
    test_curvature();
    detail::Copositivity cone = detail::test_copositivity_cheaply(A_, H_, least_curvature_);
    put(kCopositive, std::move(cone.copositive));
    put(kStrictlyCopositive, std::move(cone.strict));
  }

  void refute_or_prove_p(const PMatrixResult& p) {
    if (p.status == PMatrixStatus::kP) {
      decide(kP, ClassVerdict::kYes,
             p.method == PMatrixMethod::kDiagonallyDominant ? "A has a positive, strictly dominant diagonal"
                                                            : "(A + Aᵀ)/2 is positive definite");
      return;
    }
    if (p.status != PMatrixStatus::kNotP) return;
    const auto refute = [&](MatrixClass c) {
      decide(c, ClassVerdict::kNo,
             fmt::format("the principal minor {} of A is {:.6g}", words(p.witness.indices), p.witness.value));
      at(c).indices = p.witness.indices;
      at(c).value = p.witness.value;
    };
    refute(kP);
    if (p.witness.value < 0.0) refute(kP0);
    if (p.witness.value == 0.0) refute(kNondegenerate);
  }

  void conclude(MatrixClass c, ClassVerdict verdict, std::string reason, bool& changed) {
    if (at(c).verdict != ClassVerdict::kNotProved) return;
    decide(c, verdict, std::move(reason));
    at(c).indices.clear();
    changed = true;
  }

  // Until nothing changes: what one test leaves open, another class may settle.
  void draw_conclusions() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [premise, conclusion] : kImplications) {
        if (at(premise).verdict == ClassVerdict::kYes)
          conclude(conclusion, ClassVerdict::kYes,
                   fmt::format("every {} matrix is {}", to_string(premise), to_string(conclusion)), changed);
        if (at(conclusion).verdict == ClassVerdict::kNo)
          conclude(premise, ClassVerdict::kNo, fmt::format("A is not {}", to_string(conclusion)), changed);
      }
      for (const auto& [first, second, conclusion] : kConjunctions) {
        if (at(first).verdict == ClassVerdict::kYes && at(second).verdict == ClassVerdict::kYes)
          conclude(conclusion, ClassVerdict::kYes,
                   fmt::format("A is {} and {}", to_string(first), to_string(second)), changed);
      }
    }
  }

  const MatrixXd& A_;
  Index n_;
  const MatrixClassOptions& options_;
  MatrixXd H_;
  VectorXd least_curvature_;
  MatrixClassification out_;
};

}  // namespace

std::string_view to_string(MatrixClass matrix_class) {
  switch (matrix_class) {
    case kP:
      return "P";
    case kP0:
      return "P0";
    case kNondegenerate:
      return "nondegenerate";
    case kPositiveDefinite:
      return "positive definite";
    case kPositiveSemidefinite:
      return "positive semi-definite";
    case kStrictlyCopositive:
      return "strictly copositive";
    case kCopositive:
      return "copositive";
    case kS:
      return "S";
    case kZ:
      return "Z";
    case kM:
      return "M";
    case kSymmetric:
      return "symmetric";
  }
  return "unknown";
}

std::string_view meaning_for_lcp(MatrixClass matrix_class) {
  switch (matrix_class) {
    case kP:
      return "exactly one solution for every b";
    case kP0:
      return "with ε added to the diagonal, exactly one solution for every b";
    case kNondegenerate:
      return "finitely many solutions for every b";
    case kPositiveDefinite:
      return "exactly one solution for every b, and Lemke finds it";
    case kPositiveSemidefinite:
      return "the solutions form a convex set, and Lemke finds one or proves that there is none";
    case kStrictlyCopositive:
      return "a solution for every b, and Lemke finds one; there may be several";
    case kCopositive:
      return "Lemke finds a solution, or a ray v that solves LCP(A, 0) and has vᵀb < 0; such a ray proves "
             "nothing";
    case kS:
      return "for every b some x ≥ 0 has Ax + b ≥ 0; without it, some b has no solution";
    case kZ:
      return "if some x ≥ 0 has Ax + b ≥ 0, the least such x is a solution";
    case kM:
      return "exactly one solution for every b, the least x ≥ 0 with Ax + b ≥ 0";
    case kSymmetric:
      return "the solutions are the stationary points of ½xᵀAx + bᵀx over x ≥ 0";
  }
  return "";
}

MatrixClassification classify(const MatrixXd& A, const MatrixClassOptions& options) {
  ENFOLD_REQUIRE(A.rows() == A.cols() && A.rows() > 0, "classify: A is {} × {}, expected a square matrix",
                 A.rows(), A.cols());
  ENFOLD_REQUIRE(A.allFinite(), "classify: A has an entry that is not a finite number");
  ENFOLD_REQUIRE(options.exact_limit >= 0 && options.exact_limit <= detail::kMaxMinorSize,
                 "classify: exact_limit is {}, expected 0 … {}", options.exact_limit, detail::kMaxMinorSize);
  return Classifier(A, options).run();
}

}  // namespace enfold::lcp
