// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/lcp/matrix_class.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "enfold/base/counter_random.hpp"
#include "enfold/base/error.hpp"
#include "enfold/lcp/p_matrix.hpp"

namespace enfold::lcp {
namespace {

using testing::HasSubstr;

constexpr ClassVerdict kYes = ClassVerdict::kYes;
constexpr ClassVerdict kNo = ClassVerdict::kNo;
constexpr ClassVerdict kOpen = ClassVerdict::kNotProved;

/// Whole numbers −k … k.
MatrixXd whole_matrix(Index n, int k, std::uint64_t seed) {
  const CounterRandom random(seed, 41);
  MatrixXd A(n, n);
  for (Index i = 0; i < A.size(); ++i)
    A.data()[i] = std::floor(random.uniform(static_cast<std::uint64_t>(i)) * (2 * k + 1)) - k;
  return A;
}

MatrixXd random_matrix(Index rows, Index cols, std::uint64_t seed) {
  const CounterRandom random(seed, 42);
  MatrixXd A(rows, cols);
  for (Index i = 0; i < A.size(); ++i) A.data()[i] = random.symmetric(static_cast<std::uint64_t>(i));
  return A;
}

double form(const MatrixXd& A, const VectorXd& x) {
  return x.dot(A * x);
}

TEST(MatrixClassTest, NamesTheClassesOfTextbookMatrices) {
  using enum MatrixClass;
  const struct {
    MatrixXd A;
    std::vector<MatrixClass> yes, no;
  } cases[] = {
      {MatrixXd{{2.0, 1.0}, {1.0, 2.0}},
       {kP, kP0, kNondegenerate, kPositiveDefinite, kPositiveSemidefinite, kStrictlyCopositive, kCopositive,
        kS, kSymmetric},
       {kZ, kM}},
      {MatrixXd{{2.0, -1.0}, {-1.0, 2.0}}, {kP, kZ, kM, kS, kPositiveDefinite, kStrictlyCopositive}, {}},
      // Skew-symmetric: xᵀAx = 0 throughout.
      {MatrixXd{{0.0, 1.0}, {-1.0, 0.0}},
       {kPositiveSemidefinite, kP0, kCopositive},
       {kP, kPositiveDefinite, kStrictlyCopositive, kS, kZ, kM, kSymmetric, kNondegenerate}},
      {MatrixXd{{1.0, 2.0}, {2.0, 1.0}},
       {kStrictlyCopositive, kCopositive, kS, kNondegenerate},
       {kP, kP0, kPositiveSemidefinite}},
      {MatrixXd{{1.0, -1.0}, {-1.0, 1.0}},
       {kPositiveSemidefinite, kCopositive, kP0, kZ},
       {kStrictlyCopositive, kP, kM, kS, kNondegenerate}},
      {MatrixXd{{1.0, -3.0}, {0.0, 1.0}}, {kP, kZ, kM, kS}, {kCopositive, kPositiveSemidefinite}},
      {MatrixXd::Ones(3, 3),
       {kPositiveSemidefinite, kP0, kStrictlyCopositive, kCopositive, kS, kSymmetric},
       {kP, kPositiveDefinite, kNondegenerate, kZ, kM}},
      {MatrixXd::Zero(3, 3),
       {kPositiveSemidefinite, kP0, kCopositive, kZ},
       {kP, kS, kStrictlyCopositive, kNondegenerate, kM}},
      {-MatrixXd::Identity(3, 3), {kNondegenerate, kZ}, {kP, kP0, kS, kCopositive}},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(testing::PrintToString(one.A));
    const MatrixClassification all = classify(one.A);
    ASSERT_EQ(all.findings.size(), kMatrixClasses);
    for (const MatrixClass c : one.yes)
      EXPECT_EQ(all.verdict(c), kYes) << to_string(c) << ": " << all[c].reason;
    for (const MatrixClass c : one.no)
      EXPECT_EQ(all.verdict(c), kNo) << to_string(c) << ": " << all[c].reason;
    for (const ClassFinding& f : all.findings) EXPECT_FALSE(f.reason.empty()) << to_string(f.matrix_class);
  }
}

// The Horn matrix: copositive, but not the sum of a positive semi-definite and a non-negative matrix.
TEST(MatrixClassTest, HornMatrixIsCopositiveAndNotStrictly) {
  MatrixXd A(5, 5);
  for (Index i = 0; i < 5; ++i) {
    for (Index j = 0; j < 5; ++j) A(i, j) = (i - j + 5) % 5 == 1 || (j - i + 5) % 5 == 1 ? -1.0 : 1.0;
  }
  const MatrixClassification all = classify(A);
  EXPECT_EQ(all.verdict(MatrixClass::kCopositive), kYes);
  EXPECT_EQ(all.verdict(MatrixClass::kStrictlyCopositive), kNo);
  EXPECT_EQ(all.verdict(MatrixClass::kPositiveSemidefinite), kNo);
  EXPECT_LT(form(A, all[MatrixClass::kPositiveSemidefinite].witness), -0.1);
  A(0, 1) = A(1, 0) = -1.01;
  const MatrixClassification worse = classify(A);
  EXPECT_EQ(worse.verdict(MatrixClass::kCopositive), kNo);
  const VectorXd& x = worse[MatrixClass::kCopositive].witness;
  EXPECT_GE(x.minCoeff(), 0.0);
  EXPECT_LT(form(A, x), 0.0);
}

// The closed criterion for n = 3 [Hadeler 1983] is another route: with d_i = √a_ii and c_ij = a_ij + d_i d_j,
// all c_ij ≥ 0 and d_1 d_2 d_3 + a_12 d_3 + a_13 d_2 + a_23 d_1 + √(2 c_12 c_13 c_23) ≥ 0.
TEST(MatrixClassTest, CopositivityAgreesWithTheClosedCriterionForThree) {
  int copositive = 0;
  int refuted = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    MatrixXd A = random_matrix(3, 3, seed);
    A.diagonal() = A.diagonal().cwiseAbs();
    const MatrixXd H = 0.5 * (A + A.transpose());
    const VectorXd d = H.diagonal().cwiseSqrt();
    const double c_12 = H(0, 1) + d(0) * d(1);
    const double c_13 = H(0, 2) + d(0) * d(2);
    const double c_23 = H(1, 2) + d(1) * d(2);
    const double last = d.prod() + H(0, 1) * d(2) + H(0, 2) * d(1) + H(1, 2) * d(0) +
                        std::sqrt(std::max(0.0, 2.0 * c_12 * c_13 * c_23));
    const bool expected = std::min({c_12, c_13, c_23, last}) >= 0.0;
    const MatrixClassification all = classify(A);
    EXPECT_EQ(all.verdict(MatrixClass::kCopositive), expected ? kYes : kNo) << "seed " << seed;
    // No equality occurs by chance: strict and weak are the same here.
    EXPECT_EQ(all.verdict(MatrixClass::kStrictlyCopositive), expected ? kYes : kNo) << "seed " << seed;
    ++(expected ? copositive : refuted);
  }
  EXPECT_GT(copositive, 300);
  EXPECT_GT(refuted, 300);
}

TEST(MatrixClassTest, CopositivityAgreesWithSamplesOfTheOrthant) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Index n = 4 + static_cast<Index>(seed % 4);
    MatrixXd A = random_matrix(n, n, 5000 + seed);
    A.diagonal().setConstant(0.5 + 0.05 * static_cast<double>(seed % 10));
    const MatrixClassification all = classify(A);
    const ClassFinding& cop = all[MatrixClass::kCopositive];
    ASSERT_NE(cop.verdict, kOpen) << "seed " << seed;
    if (cop.verdict == kNo) {
      EXPECT_GE(cop.witness.minCoeff(), 0.0);
      EXPECT_LT(form(A, cop.witness), 0.0);
      continue;
    }
    const CounterRandom random(seed, 43);
    for (std::uint64_t k = 0; k < 2000; ++k) {
      VectorXd x(n);
      for (Index i = 0; i < n; ++i)
        x(i) = std::max(0.0,
                        random.symmetric(k * static_cast<std::uint64_t>(n) + static_cast<std::uint64_t>(i)));
      ASSERT_GE(form(A, x), 0.0) << "seed " << seed;
    }
  }
}

// Whole numbers: exact arithmetic leaves nothing open, and every verdict must fit every other.
TEST(MatrixClassTest, SmallWholeMatricesAreDecidedWithWitnessesThatHold) {
  using enum MatrixClass;
  int s_yes = 0;
  int s_no = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const Index n = 2 + static_cast<Index>(seed % 3);
    const MatrixXd A = whole_matrix(n, 2, seed);
    SCOPED_TRACE(testing::PrintToString(A));
    const MatrixClassification all = classify(A);
    for (const ClassFinding& f : all.findings)
      EXPECT_NE(f.verdict, kOpen) << to_string(f.matrix_class) << f.reason;
    const auto is = [&](MatrixClass c) { return all.verdict(c) == kYes; };
    EXPECT_EQ(is(kP), is(kP0) && is(kNondegenerate));
    EXPECT_EQ(is(kM), is(kZ) && is(kP));
    EXPECT_TRUE(!is(kP) || is(kS));
    EXPECT_TRUE(!is(kPositiveDefinite) || (is(kP) && is(kPositiveSemidefinite) && is(kStrictlyCopositive)));
    EXPECT_TRUE(!is(kPositiveSemidefinite) || (is(kP0) && is(kCopositive)));
    EXPECT_TRUE(!is(kStrictlyCopositive) || (is(kCopositive) && is(kS)));
    EXPECT_TRUE(!is(kZ) || is(kP) == is(kS));
    const VectorXd& w = all[kS].witness;
    ASSERT_EQ(w.size(), n);
    if (is(kS)) {
      EXPECT_GT(w.minCoeff(), 0.0);
      EXPECT_GT((A * w).minCoeff(), 0.0);
    } else {
      EXPECT_GE(w.minCoeff(), 0.0);
      EXPECT_GT(w.maxCoeff(), 0.0);
      EXPECT_LE((A.transpose() * w).maxCoeff(), 1e-15);
    }
    ++(is(kS) ? s_yes : s_no);
    if (!is(kStrictlyCopositive)) {
      const VectorXd& x = all[kStrictlyCopositive].witness;
      ASSERT_EQ(x.size(), n);
      EXPECT_GE(x.minCoeff(), 0.0);
      EXPECT_LE(form(A, x), 1e-15);
    }
  }
  EXPECT_GT(s_yes, 100);
  EXPECT_GT(s_no, 100);
}

TEST(MatrixClassTest, PAgreesWithThePMatrixTest) {
  int p = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Index n = 2 + static_cast<Index>(seed % 5);
    const MatrixXd A = random_matrix(n, n, 9000 + seed) + 0.9 * MatrixXd::Identity(n, n);
    const PMatrixResult other = test_p_matrix(A);
    const MatrixClassification all = classify(A);
    const ClassFinding& found = all[MatrixClass::kP];
    EXPECT_EQ(found.verdict == kYes, other.status == PMatrixStatus::kP);
    EXPECT_EQ(found.verdict == kNo, other.status == PMatrixStatus::kNotP);
    EXPECT_EQ(found.indices, other.witness.indices);
    p += found.verdict == kYes ? 1 : 0;
  }
  EXPECT_GT(p, 50);
}

// B Bᵀ with 3 × 2 factors is singular; its determinant in doubles is rounding only.
TEST(MatrixClassTest, ASignThatRoundingHidesIsNotProved) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const MatrixXd B = random_matrix(3, 2, 300 + seed);
    const MatrixXd A = B * B.transpose();
    const MatrixClassification all = classify(0.5 * (A + A.transpose()));
    for (const MatrixClass c :
         {MatrixClass::kP, MatrixClass::kPositiveDefinite, MatrixClass::kNondegenerate}) {
      EXPECT_EQ(all.verdict(c), kOpen) << to_string(c);
      EXPECT_THAT(all[c].reason, HasSubstr("rounding hides"));
    }
    EXPECT_NE(all.verdict(MatrixClass::kCopositive), kNo);
  }
}

TEST(MatrixClassTest, AboveTheLimitOnlyWhatIsProvedIsSaid) {
  using enum MatrixClass;
  const Index n = 30;
  const MatrixXd B = random_matrix(n, n, 1);
  const MatrixClassification definite = classify(B * B.transpose() + 0.1 * MatrixXd::Identity(n, n));
  for (const MatrixClass c : {kP, kP0, kNondegenerate, kPositiveDefinite, kStrictlyCopositive, kS})
    EXPECT_EQ(definite.verdict(c), kYes) << to_string(c);
  // A Z-matrix with the row sums 1e-3: an M-matrix, though not symmetric and not definite.
  MatrixXd Z = -random_matrix(n, n, 2).cwiseAbs();
  Z.diagonal().setZero();
  Z.diagonal() = -Z.rowwise().sum() + VectorXd::Constant(n, 1e-3);
  EXPECT_EQ(classify(Z).verdict(kM), kYes);
  // (A + Aᵀ)/2 indefinite, 2 × 2 minors positive.
  MatrixXd open = random_matrix(n, n, 3);
  open.diagonal().setConstant(1.1);
  const MatrixClassification undecided = classify(open);
  EXPECT_EQ(undecided.verdict(kP), kOpen);
  EXPECT_THAT(undecided[kP].reason, HasSubstr("n = 30 is above the exact limit of 16"));
  EXPECT_EQ(undecided.verdict(kPositiveSemidefinite), kNo);
  EXPECT_EQ(classify(random_matrix(n, n, 4).cwiseAbs()).verdict(kStrictlyCopositive), kYes);
  open(3, 3) = -0.1;
  EXPECT_EQ(classify(open).verdict(kP), kNo);
  EXPECT_EQ(classify(open).verdict(kCopositive), kNo);
}

TEST(MatrixClassTest, RefusesWhatIsNoMatrix) {
  EXPECT_THROW((void)classify(MatrixXd::Zero(2, 3)), InvalidArgument);
  EXPECT_THROW((void)classify(MatrixXd(0, 0)), InvalidArgument);
  EXPECT_THROW((void)classify(MatrixXd::Constant(2, 2, NAN)), InvalidArgument);
  EXPECT_THROW((void)classify(MatrixXd::Identity(2, 2), {.exact_limit = 21}), InvalidArgument);
}

TEST(MatrixClassTest, EveryClassHasANameAndAMeaning) {
  for (std::size_t c = 0; c < kMatrixClasses; ++c) {
    EXPECT_NE(to_string(static_cast<MatrixClass>(c)), "unknown");
    EXPECT_FALSE(meaning_for_lcp(static_cast<MatrixClass>(c)).empty());
  }
}

}  // namespace
}  // namespace enfold::lcp
