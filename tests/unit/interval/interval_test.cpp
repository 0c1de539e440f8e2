// SPDX-License-Identifier: BSD-3-Clause
// Containment against the same arithmetic with 64 bits of mantissa, whose error is 2⁻¹¹ of ours.
#include "enfold/interval/interval.hpp"

#include <gtest/gtest.h>

#include "enfold/base/counter_random.hpp"
#include "enfold/interval/dense.hpp"

namespace enfold::interval {
namespace {

bool holds(const Interval& a, long double x) {
  return static_cast<long double>(a.lo()) <= x && x <= static_cast<long double>(a.hi());
}

double ulps(const Interval& a) {
  return (a.hi() - a.lo()) / (std::numeric_limits<double>::epsilon() * std::max(a.magnitude(), 1e-300));
}

TEST(IntervalTest, EveryOperationOnNumbersHoldsTheExactResultTightly) {
  const CounterRandom random(11, 0);
  for (std::uint64_t n = 0; n < 20000; ++n) {
    const double x = random.symmetric(4 * n) * std::exp(8.0 * random.symmetric(4 * n + 1));
    const double y = random.symmetric(4 * n + 2) * std::exp(8.0 * random.symmetric(4 * n + 3));
    const long double X = x;
    const long double Y = y;
    const Interval a(x);
    const Interval b(y);
    EXPECT_TRUE(holds(a + b, X + Y));
    EXPECT_TRUE(holds(a - b, X - Y));
    EXPECT_TRUE(holds(a * b, X * Y));
    EXPECT_TRUE(holds(a / b, X / Y));
    EXPECT_TRUE(holds(sqr(a), X * X));
    EXPECT_TRUE(holds(sqrt(Interval(std::abs(x))), std::sqrt(std::abs(X))));
    EXPECT_TRUE(holds(sin(a), std::sin(X)));
    EXPECT_TRUE(holds(cos(a), std::cos(X)));
    for (const Interval& result : {a * b, a / b, sqr(a)}) EXPECT_LE(ulps(result), 1.0);
  }
}

// Any members of two intervals, any operation: the result is a member of the result.
TEST(IntervalTest, ResultsOfMembersAreMembersOfTheResult) {
  const CounterRandom random(12, 0);
  const auto between = [&](const Interval& a, std::uint64_t n) {
    return std::clamp(a.lo() + (a.hi() - a.lo()) * 0.5 * (1.0 + random.symmetric(n)), a.lo(), a.hi());
  };
  for (std::uint64_t n = 0; n < 5000; ++n) {
    const double c = 4.0 * random.symmetric(10 * n);
    const double d = 4.0 * random.symmetric(10 * n + 1);
    const Interval a(c, c + 3.0 * (1.0 + random.symmetric(10 * n + 2)));
    const Interval b(d, d + 0.5 * (1.0 + random.symmetric(10 * n + 3)));
    for (std::uint64_t k = 0; k < 6; ++k) {
      const long double x = between(a, 100000 + 100 * n + 2 * k);
      const long double y = between(b, 100000 + 100 * n + 2 * k + 1);
      EXPECT_TRUE(holds(a + b, x + y) && holds(a - b, x - y) && holds(a * b, x * y));
      EXPECT_TRUE(holds(a / b, x / y));
      EXPECT_TRUE(holds(sin(a), std::sin(x)) && holds(cos(a), std::cos(x)) && holds(sqr(a), x * x));
      EXPECT_TRUE(holds(hull(a, b), x) && holds(hull(a, b), y));
    }
  }
}

TEST(IntervalTest, ExactResultsStayExactAndTheImpossibleIsTheWholeLine) {
  const Interval zero(0.0);
  EXPECT_EQ((zero * Interval(1.0, 3.0)).magnitude(), 0.0);
  EXPECT_EQ((zero + zero).magnitude(), 0.0);
  EXPECT_EQ((Interval(0.5) + Interval(0.25)).lo(), 0.75);
  EXPECT_EQ((Interval(0.5) + Interval(0.25)).hi(), 0.75);
  EXPECT_EQ(sqrt(Interval(9.0)).lo(), 3.0);
  EXPECT_EQ(sqrt(Interval(9.0)).hi(), 3.0);
  EXPECT_FALSE((Interval(1.0) / Interval(-1.0, 2.0)).bounded());
  EXPECT_FALSE(sqrt(Interval(-1.0, 2.0)).bounded());
  EXPECT_FALSE(Interval(2.0, 1.0).bounded());
  EXPECT_FALSE((Interval(1e308) * Interval(10.0)).bounded());
  EXPECT_GE(sin(Interval(1.0, 2.0)).hi(), 1.0);
  EXPECT_LE(cos(Interval(3.0, 3.3)).lo(), -1.0);
  EXPECT_LE((Interval(1e-200) * Interval(1e-200)).lo(), 0.0);
  EXPECT_GT((Interval(1e-200) * Interval(1e-200)).hi(), 0.0);
}

// d/ds of √(2 + sin s) / cos s by hand.
TEST(DualTest, DerivativeHoldsTheOneByHand) {
  for (const double at : {0.1, 0.7, -0.4, 1.2}) {
    const Dual s(Interval(at), Interval(1.0));
    const Dual f = sqrt(Dual(2.0) + sin(s)) / cos(s);
    const long double S = at;
    const long double root = std::sqrt(2.0L + std::sin(S));
    const long double expected = 0.5L / root + root * std::sin(S) / (std::cos(S) * std::cos(S));
    EXPECT_TRUE(holds(f.v, root / std::cos(S)));
    EXPECT_TRUE(holds(f.d, expected));
    EXPECT_LT(f.d.hi() - f.d.lo(), 1e-13);
  }
}

// M(s)⁻¹B and its derivative −M⁻¹M′M⁻¹B against Eigen.
TEST(DenseTest, SolveHoldsTheSolutionAndItsDerivative) {
  const CounterRandom random(13, 0);
  for (std::uint64_t n = 0; n < 50; ++n) {
    const Index size = 1 + static_cast<Index>(n % 5);
    MatrixXd R(size, size);
    MatrixXd M_rate(size, size);
    MatrixXd B(size, 2);
    Duals M(size, size);
    Duals rhs(size, 2);
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j < size; ++j) {
        const auto k = static_cast<std::uint64_t>(i * size + j);
        R(i, j) = random.symmetric(1000 * n + k);
        M_rate(i, j) = random.symmetric(1000 * n + 100 + k);
      }
      for (Index j = 0; j < 2; ++j)
        B(i, j) = random.symmetric(1000 * n + 200 + static_cast<std::uint64_t>(2 * i + j));
    }
    const MatrixXd A = R * R.transpose() + 0.5 * MatrixXd::Identity(size, size);
    M_rate = (M_rate + M_rate.transpose()).eval();
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j < size; ++j) M(i, j) = Dual(A(i, j), M_rate(i, j));
      for (Index j = 0; j < 2; ++j) rhs(i, j) = Dual(B(i, j));
    }
    const auto X = solve_definite(M, rhs);
    ASSERT_TRUE(X);
    const MatrixXd expected = A.llt().solve(B);
    const MatrixXd rate = -A.llt().solve(M_rate * expected);
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j < 2; ++j) {
        EXPECT_NEAR((*X)(i, j).v.middle(), expected(i, j), 1e-12);
        EXPECT_NEAR((*X)(i, j).d.middle(), rate(i, j), 1e-10);
        EXPECT_LT((*X)(i, j).d.hi() - (*X)(i, j).d.lo(), 1e-9);
      }
    }
  }
  EXPECT_FALSE(solve_definite(Duals(2, 2), Duals(2, 1)));
}

}  // namespace
}  // namespace enfold::interval
