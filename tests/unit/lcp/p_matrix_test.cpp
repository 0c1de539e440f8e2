// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/p_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "enfold/base/error.hpp"
#include "enfold/test/matchers.hpp"

namespace enfold::lcp {
namespace {

using test::EigenNear;
using Set = std::vector<Index>;

double naive_minor(const MatrixXd& A, const Set& S) {
  MatrixXd A_SS(static_cast<Index>(S.size()), static_cast<Index>(S.size()));
  for (Index i = 0; i < A_SS.rows(); ++i) {
    for (Index j = 0; j < A_SS.cols(); ++j) {
      A_SS(i, j) = A(S[static_cast<std::size_t>(i)], S[static_cast<std::size_t>(j)]);
    }
  }
  return A_SS.fullPivLu().determinant();
}

MatrixXd random_matrix(Index n, std::mt19937_64& engine) {
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(n, n, [&](Index, Index) { return normal(engine); });
}

void expect_minors_equal_determinants(const MatrixXd& A) {
  const VectorXd minors = principal_minors(A);
  ASSERT_EQ(minors.size(), (Index{1} << A.rows()) - 1);
  for (Index k = 0; k < minors.size(); ++k) {
    const Set S = index_set(static_cast<std::uint32_t>(k + 1));
    const double scale =
        std::pow(std::max(1.0, A.rowwise().norm().maxCoeff()), static_cast<double>(S.size()));
    ASSERT_NEAR(minors(k), naive_minor(A, S), 1e-12 * scale) << "set " << k + 1 << " of\n" << A;
  }
}

TEST(PMatrixTest, IndexSetsAreTheBitsOfTheMask) {
  EXPECT_EQ(index_set(0), Set{});
  EXPECT_EQ(index_set(0b1011), (Set{0, 1, 3}));
  EXPECT_EQ(index_set(0x80000001U), (Set{0, 31}));
}

TEST(PMatrixTest, AllMinorsOfAThreeByThreeMatrixByHand) {
  const MatrixXd A{{2.0, -1.0, 0.0}, {1.0, 3.0, 1.0}, {4.0, 0.0, 5.0}};
  //                     {0}  {1}  {0,1} {2}  {0,2} {1,2} {0,1,2}
  const VectorXd expected{{2.0, 3.0, 7.0, 5.0, 10.0, 15.0, 31.0}};
  EXPECT_THAT(principal_minors(A), EigenNear(expected, 1e-13));
}

TEST(PMatrixTest, SchurRecursionEqualsNaiveDeterminants) {
  std::mt19937_64 engine(3);
  for (Index n = 1; n <= 8; ++n) {
    for (int k = 0; k < 20; ++k) expect_minors_equal_determinants(random_matrix(n, engine));
  }
}

// Small integers make zero pivots at every depth of the recursion.
TEST(PMatrixTest, ZeroPivotsDoNotSpoilTheMinors) {
  std::mt19937_64 engine(5);
  std::uniform_int_distribution<int> entry(-1, 1);
  for (Index n = 2; n <= 6; ++n) {
    for (int k = 0; k < 100; ++k) {
      const MatrixXd A =
          MatrixXd::NullaryExpr(n, n, [&](Index, Index) { return static_cast<double>(entry(engine)); });
      expect_minors_equal_determinants(A);
    }
  }
}

TEST(PMatrixTest, TinyPivotsDoNotSpoilTheMinors) {
  std::mt19937_64 engine(7);
  for (const double tiny : {1e-4, 1e-9, 1e-14}) {
    for (Index i = 0; i < 5; ++i) {
      MatrixXd A = random_matrix(5, engine);
      A(i, i) = tiny;
      expect_minors_equal_determinants(A);
    }
  }
}

TEST(PMatrixTest, StatusAndSmallestMinorEqualTheNaiveOnes) {
  std::mt19937_64 engine(11);
  int positive = 0;
  for (int k = 0; k < 400; ++k) {
    const Index n = 2 + k % 4;
    const MatrixXd A = random_matrix(n, engine) + 1.5 * MatrixXd::Identity(n, n);
    double smallest = std::numeric_limits<double>::infinity();
    Set smallest_set;
    Set first;
    double first_value = 0.0;
    for (std::uint32_t mask = 1; mask < 1U << n; ++mask) {
      const Set S = index_set(mask);
      const double minor = naive_minor(A, S);
      if (minor < smallest) {
        smallest = minor;
        smallest_set = S;
      }
      if (minor <= 0.0 && (first.empty() || S.size() < first.size())) {
        first = S;
        first_value = minor;
      }
    }
    const PMatrixResult result = test_p_matrix(A);
    ASSERT_EQ(result.status, first.empty() ? PMatrixStatus::kP : PMatrixStatus::kNotP);
    EXPECT_EQ(result.method, PMatrixMethod::kMinors);
    EXPECT_EQ(result.smallest.indices, smallest_set);
    EXPECT_NEAR(result.smallest.value, smallest, 1e-10);
    EXPECT_EQ(result.witness.indices, first);
    if (!first.empty()) {
      EXPECT_NEAR(result.witness.value, first_value, 1e-10);
    }
    positive += first.empty() ? 1 : 0;
  }
  EXPECT_GT(positive, 40);
  EXPECT_LT(positive, 360);
}

// t moves the matrices through the edge of P; the minors near it change sign at many sizes and sets.
TEST(PMatrixTest, TheVerdictAloneEqualsThatOfAllMinorsNearTheEdge) {
  std::mt19937_64 engine(23);
  int positive = 0;
  int refuted = 0;
  for (int k = 0; k < 600; ++k) {
    const Index n = 1 + k % 9;
    const MatrixXd B = random_matrix(n, engine);
    MatrixXd A = B + 1.5 * MatrixXd::Identity(n, n);
    if (k % 3 == 0) {
      // det A_SS is affine in a_00 with the slope det A_{S∖0}: a_00 to within 1e-6 of the largest zero of
      // these.
      const VectorXd minors = principal_minors(A);
      double shift = -A(0, 0);
      for (Index mask = 3; mask <= minors.size(); mask += 2) {
        const double slope = minors(mask - 2);
        if (slope > 1e-3) shift = std::max(shift, -minors(mask - 1) / slope);
      }
      A(0, 0) += shift + (k % 2 == 0 ? 1e-6 : -1e-6);
    }
    PMatrixTester tester(n);
    const PMatrixStatus full = tester.test(A).status;
    const PMatrixResult& verdict = tester.decide(A);
    if (full == PMatrixStatus::kUndecided) {
      EXPECT_NE(verdict.status, PMatrixStatus::kNotP);
      continue;
    }
    ASSERT_EQ(verdict.status, full) << A;
    EXPECT_TRUE(std::isnan(verdict.smallest.value));
    EXPECT_TRUE(tester.minors().empty());
    if (full == PMatrixStatus::kNotP) {
      ASSERT_FALSE(verdict.witness.indices.empty());
      EXPECT_LE(verdict.witness.value, 0.0);
      EXPECT_NEAR(verdict.witness.value, naive_minor(A, verdict.witness.indices), 1e-9);
      ++refuted;
    } else {
      ++positive;
    }
  }
  EXPECT_GT(positive, 60);
  EXPECT_GT(refuted, 60);
}

TEST(PMatrixTest, TheVerdictAloneComesFromTheCheapestTestThatDecides) {
  PMatrixTester tester(6);
  MatrixXd A = 2.0 * MatrixXd::Identity(6, 6);
  EXPECT_EQ(tester.decide(A).method, PMatrixMethod::kDiagonallyDominant);
  A(1, 4) = A(4, 1) = 1.5;
  A(1, 2) = A(2, 1) = 1.0;
  EXPECT_EQ(tester.decide(A).method, PMatrixMethod::kPositiveDefinite);
  A(1, 4) = A(4, 1) = 3.0;
  EXPECT_EQ(tester.decide(A).method, PMatrixMethod::kMinorsOfSizeTwo);
  A(3, 3) = 0.0;
  EXPECT_EQ(tester.decide(A).method, PMatrixMethod::kDiagonal);
  const MatrixXd U = MatrixXd::Constant(6, 6, 3.0).triangularView<Eigen::StrictlyUpper>();
  const PMatrixResult& by_minors = tester.decide(U + MatrixXd::Identity(6, 6));
  EXPECT_EQ(by_minors.status, PMatrixStatus::kP);
  EXPECT_EQ(by_minors.method, PMatrixMethod::kMinors);
}

TEST(PMatrixTest, TheVerdictAloneLeavesHiddenSignsUndecided) {
  const MatrixXd J{{1.0, 0.1}, {0.3, 0.7}, {-0.2, 1.1}};
  PMatrixTester tester(3);
  const PMatrixResult& result = tester.decide(J * J.transpose());
  EXPECT_EQ(result.status, PMatrixStatus::kUndecided);
  EXPECT_EQ(result.witness.indices, (Set{0, 1, 2}));
}

TEST(PMatrixTest, AcceptsAPMatrixThatIsNotPositiveDefinite) {
  const PMatrixResult result = test_p_matrix(MatrixXd{{1.0, 100.0}, {0.0, 1.0}});
  EXPECT_EQ(result.status, PMatrixStatus::kP);
  EXPECT_DOUBLE_EQ(result.smallest.value, 1.0);
  EXPECT_TRUE(result.witness.indices.empty());
}

TEST(PMatrixTest, AnExactlySingularPairRefutes) {
  const PMatrixResult result = test_p_matrix(MatrixXd::Ones(3, 3));
  EXPECT_EQ(result.status, PMatrixStatus::kNotP);
  EXPECT_EQ(result.witness.indices, (Set{0, 1}));
  EXPECT_EQ(result.witness.value, 0.0);
}

// In plain arithmetic 3·fl(1/3) rounds to 1; the exact determinant is 3·fl(1/3) − 1 = −2⁻⁵⁴ < 0.
TEST(PMatrixTest, TheSignOfAPairIsExactBelowRounding) {
  const double third = 1.0 / 3.0;
  EXPECT_EQ(test_p_matrix(MatrixXd{{3.0, 1.0}, {1.0, third}}).status, PMatrixStatus::kNotP);
  const PMatrixResult above = test_p_matrix(MatrixXd{{3.0, 1.0}, {1.0, std::nextafter(third, 1.0)}});
  EXPECT_EQ(above.status, PMatrixStatus::kP);
  EXPECT_GT(above.smallest.value, 0.0);
}

TEST(PMatrixTest, AMinorThatRoundingHidesIsUndecided) {
  // J Jᵀ with three rows in the plane, no two parallel: the determinant is zero, the pairs are positive.
  const MatrixXd J{{1.0, 0.1}, {0.3, 0.7}, {-0.2, 1.1}};
  const PMatrixResult result = test_p_matrix(J * J.transpose());
  EXPECT_EQ(result.status, PMatrixStatus::kUndecided);
  EXPECT_EQ(result.witness.indices, (Set{0, 1, 2}));
  EXPECT_NEAR(result.smallest.value, 0.0, 1e-15);
}

// Minors of size 10 are 1 while Hadamard's bound is 1e18: the certificate must still tell the sign.
TEST(PMatrixTest, LargeTriangularPartsDoNotHideTheSign) {
  const Index n = 10;
  const MatrixXd U = MatrixXd::Constant(n, n, 30.0).triangularView<Eigen::StrictlyUpper>();
  EXPECT_EQ(test_p_matrix(U + MatrixXd::Identity(n, n)).status, PMatrixStatus::kP);
  MatrixXd A = U + MatrixXd::Identity(n, n);
  A(4, 4) = -1.0;
  EXPECT_EQ(test_p_matrix(A).witness.indices, Set{4});
}

TEST(PMatrixTest, AboveTheLimitSufficientTestsDecide) {
  const PMatrixOptions options{.exact_limit = 3};
  std::mt19937_64 engine(13);
  const MatrixXd B = random_matrix(6, engine);
  const MatrixXd C = random_matrix(6, engine);
  const MatrixXd I = MatrixXd::Identity(6, 6);

  const PMatrixResult definite =
      test_p_matrix(B * B.transpose() + 5.0 * (C - C.transpose()) + 0.1 * I, options);
  EXPECT_EQ(definite.status, PMatrixStatus::kP);
  EXPECT_EQ(definite.method, PMatrixMethod::kPositiveDefinite);
  EXPECT_TRUE(std::isnan(definite.smallest.value));

  MatrixXd dominant = 2.0 * I;
  dominant.col(0).tail(5).setConstant(1.9);  // by rows, while the symmetric part is indefinite
  const PMatrixResult by_rows = test_p_matrix(dominant, options);
  EXPECT_EQ(by_rows.status, PMatrixStatus::kP);
  EXPECT_EQ(by_rows.method, PMatrixMethod::kDiagonallyDominant);
  EXPECT_EQ(test_p_matrix(dominant.transpose(), options).method, PMatrixMethod::kDiagonallyDominant);
}

TEST(PMatrixTest, AboveTheLimitSmallMinorsRefute) {
  const PMatrixOptions options{.exact_limit = 3};
  MatrixXd A = MatrixXd::Identity(6, 6);
  A(2, 2) = 0.0;
  const PMatrixResult diagonal = test_p_matrix(A, options);
  EXPECT_EQ(diagonal.status, PMatrixStatus::kNotP);
  EXPECT_EQ(diagonal.method, PMatrixMethod::kDiagonal);
  EXPECT_EQ(diagonal.witness.indices, Set{2});

  A(2, 2) = 1.0;
  A(1, 4) = 2.0;
  A(4, 1) = 3.0;
  const PMatrixResult pair = test_p_matrix(A, options);
  EXPECT_EQ(pair.status, PMatrixStatus::kNotP);
  EXPECT_EQ(pair.method, PMatrixMethod::kMinorsOfSizeTwo);
  EXPECT_EQ(pair.witness.indices, (Set{1, 4}));
  EXPECT_DOUBLE_EQ(pair.witness.value, -5.0);
}

TEST(PMatrixTest, AboveTheLimitOtherMatricesStayUndecided) {
  // Upper triangular with a unit diagonal: a P-matrix that no cheap test recognises.
  const MatrixXd U = MatrixXd::Constant(6, 6, 3.0).triangularView<Eigen::StrictlyUpper>();
  const MatrixXd A = U + MatrixXd::Identity(6, 6);
  EXPECT_EQ(test_p_matrix(A, {.exact_limit = 3}).status, PMatrixStatus::kUndecided);
  EXPECT_EQ(test_p_matrix(A).status, PMatrixStatus::kP);
}

TEST(PMatrixTest, SixteenIndicesAreStillExact) {
  std::mt19937_64 engine(17);
  const MatrixXd B = random_matrix(16, engine);
  const PMatrixResult result = test_p_matrix(B * B.transpose() + MatrixXd::Identity(16, 16));
  EXPECT_EQ(result.status, PMatrixStatus::kP);
  EXPECT_EQ(result.method, PMatrixMethod::kMinors);
}

TEST(PMatrixTest, TheEmptyMatrixIsAPMatrix) {
  EXPECT_EQ(test_p_matrix(MatrixXd(0, 0)).status, PMatrixStatus::kP);
}

TEST(PMatrixTest, RefusesInvalidInput) {
  EXPECT_THROW((void)test_p_matrix(MatrixXd::Zero(2, 3)), InvalidArgument);
  EXPECT_THROW((void)test_p_matrix(MatrixXd::Constant(2, 2, std::nan(""))), InvalidArgument);
  EXPECT_THROW(PMatrixTester(3, {.exact_limit = 21}), InvalidArgument);
  PMatrixTester tester(2);
  EXPECT_THROW((void)tester.test(MatrixXd::Identity(3, 3)), InvalidArgument);
}

}  // namespace
}  // namespace enfold::lcp
