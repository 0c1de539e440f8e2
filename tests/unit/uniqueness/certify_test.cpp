// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/uniqueness/certify.hpp"

#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "uniqueness_cases.hpp"

namespace enfold::uniqueness {
namespace {

using lcp::PMatrixStatus;
using test::Example2;

VectorXd point_in(const FrictionBox& box, const CounterRandom& random, std::uint64_t first) {
  VectorXd mu = box.lower;
  for (Index j = 0; j < mu.size(); ++j)
    mu[j] += random.uniform(first + static_cast<std::uint64_t>(j)) * (box.upper[j] - box.lower[j]);
  return mu;
}

bool holds(const FrictionBox& box, const VectorXd& mu) {
  return (mu.array() >= box.lower.array()).all() && (mu.array() <= box.upper.array()).all();
}

/// Certified: all minors at sampled points are at least the certificate's. Refused: the witness is in the box
/// and not P.
void expect_sound(const FrictionFamily& family, const Certificate& verdict, const CounterRandom& random,
                  int samples) {
  if (verdict.status == CertificateStatus::kCertified) {
    lcp::PMatrixTester tester(family.size());
    for (int k = 0; k < samples; ++k) {
      const VectorXd mu = point_in(verdict.box, random, 100 * static_cast<std::uint64_t>(k));
      const lcp::PMatrixResult& result = tester.test(family.A(mu));
      ASSERT_EQ(result.status, PMatrixStatus::kP) << mu.transpose();
      ASSERT_GE(result.smallest.value, verdict.smallest.value - 1e-12 * std::abs(verdict.smallest.value));
    }
    EXPECT_NEAR(lcp::test_p_matrix(family.A(verdict.smallest_at)).smallest.value, verdict.smallest.value,
                1e-12 * std::abs(verdict.smallest.value));
    return;
  }
  ASSERT_EQ(verdict.status, CertificateStatus::kRefuted);
  EXPECT_TRUE(holds(verdict.box, verdict.witness));
  const std::vector<Index>& S = verdict.witness_minor.indices;
  EXPECT_EQ(test::p_status(family.A(verdict.witness)), PMatrixStatus::kNotP);
  EXPECT_LE(MatrixXd(family.A(verdict.witness)(S, S)).determinant(), 1e-12);
}

// [eq:box-certificate]
TEST(CertifyTest, NoSampleContradictsACertificateAndEveryWitnessIsNotP) {
  const CounterRandom random(76, 0);
  int certified = 0;
  int refuted = 0;
  const int draws = test::count(100, 1000);
  for (int k = 0; k < draws; ++k) {
    const auto n = static_cast<std::uint64_t>(k);
    const FrictionFamily family = test::random_grasp_family(random, n);
    const VectorXd middle = test::random_vector(random, 900000 + 10 * n, 4).cwiseAbs();
    const VectorXd half = test::random_vector(random, 950000 + 10 * n, 4, 0.5).cwiseAbs();
    const CertifyOptions options{.slip = k % 3 == 0 ? SlipDirections::kBoth : SlipDirections::kDeclared};
    const Certificate verdict = certify(family, {middle - half, middle + half}, options);
    SCOPED_TRACE(fmt::format("seed 76, draw {}", k));
    EXPECT_EQ(verdict.method, CertificateMethod::kVertices);
    EXPECT_GE(verdict.box.lower.minCoeff(), options.slip == SlipDirections::kBoth ? -1.5 : 0.0);
    expect_sound(family, verdict, CounterRandom(77, n), test::count(500, 10000));
    (verdict.status == CertificateStatus::kCertified ? certified : refuted) += 1;
  }
  EXPECT_GT(certified, draws / 10);
  EXPECT_GT(refuted, draws / 20);
}

TEST(CertifyTest, NoSampleContradictsACertificateOfARandomFamily) {
  const CounterRandom random(78, 0);
  for (int k = 0; k < test::count(60, 600); ++k) {
    const auto n = static_cast<std::uint64_t>(k);
    const Index size = 1 + k % 6;
    const FrictionFamily family = test::random_family(random, n, size);
    const VectorXd upper = test::random_vector(random, 900000 + 10 * n, size, 0.6).cwiseAbs();
    SCOPED_TRACE(fmt::format("seed 78, draw {}", k));
    expect_sound(family, certify(family, {VectorXd::Zero(size), upper}), CounterRandom(79, n), 300);
  }
}

// Example 2 at 0.5 s: the design box, and the box of the whole figure. [eq:S4.19]
TEST(CertifyTest, ClipsAtZeroUnlessBothSlipDirectionsAreAskedFor) {
  const Example2 at(0.5);
  const FrictionBox box{VectorXd::Constant(4, -0.1), VectorXd::Constant(4, 0.2)};
  const Certificate declared = certify(at.family, box);
  EXPECT_EQ(declared.box.lower.minCoeff(), 0.0);
  const Certificate both = certify(at.family, box, {.slip = SlipDirections::kBoth});
  EXPECT_EQ(both.box.lower, -box.upper);
  if (both.status == CertificateStatus::kCertified) {
    EXPECT_EQ(declared.status, CertificateStatus::kCertified);
    EXPECT_LE(both.smallest.value, declared.smallest.value);
  }
  EXPECT_EQ(certify(at.family, {VectorXd::Zero(4), VectorXd::Constant(4, 2.0)}).status,
            CertificateStatus::kRefuted);
}

// A rolling contact's μ makes no vertices: any interval of it gives the same smallest minor.
TEST(CertifyTest, CoefficientThatDoesNotEnterIsIgnored) {
  FrictionFamily family = test::random_family(CounterRandom(80, 0), 0, 3);
  family.A_1.col(1).setZero();
  const VectorXd upper = Eigen::Vector3d(0.05, 100.0, 0.05);
  const Certificate wide = certify(family, {VectorXd::Zero(3), upper});
  const Certificate narrow = certify(family, {VectorXd::Zero(3), Eigen::Vector3d(0.05, 0.0, 0.05)});
  EXPECT_EQ(wide.status, narrow.status);
  EXPECT_EQ(wide.smallest.value, narrow.smallest.value);
}

TEST(CertifyTest, GroupsSayWhetherUntiedCornersOrTheRootsDecided) {
  const FrictionFamily family = test::dipping_family(-0.04);  // P for shared μ < 0.8
  const FrictionGroups one{{0, 0, -1}, 1};
  const VectorXd mu_0 = VectorXd::Zero(3);
  const auto verdict = [&](double upper) {
    return certify(family, one, mu_0, {VectorXd::Zero(1), VectorXd::Constant(1, upper)});
  };
  const Certificate untied = verdict(0.3);
  EXPECT_EQ(untied.status, CertificateStatus::kCertified);
  EXPECT_EQ(untied.method, CertificateMethod::kUntiedCorners);
  EXPECT_EQ(untied.bound, MinorBound::kLowerBound);
  const Certificate tied = verdict(0.7999);
  EXPECT_EQ(tied.status, CertificateStatus::kCertified);
  EXPECT_EQ(tied.method, CertificateMethod::kRoots);
  for (const double upper : {0.8001, 1.0, 1.9}) {
    const Certificate refused = verdict(upper);
    EXPECT_EQ(refused.status, CertificateStatus::kRefuted) << upper;
    EXPECT_EQ(refused.witness[0], refused.witness[1]);
    EXPECT_EQ(test::p_status(family.A(refused.witness)), PMatrixStatus::kNotP);
  }
  // A touch: not P at one point, and rounding cannot tell. Never certified.
  const Certificate touching =
      certify(test::dipping_family(0.0), one, mu_0, {VectorXd::Zero(1), VectorXd::Constant(1, 1.5)});
  EXPECT_NE(touching.status, CertificateStatus::kCertified);
}

TEST(CertifyTest, SeveralGroupsAreDecidedBySubdivision) {
  const FrictionFamily family = test::dipping_family(-0.04);
  const FrictionGroups two{{0, 0, 1}, 2};
  const VectorXd mu_0 = VectorXd::Zero(3);
  const auto verdict = [&](double a, double b) {
    return certify(family, two, mu_0, {VectorXd::Zero(2), Eigen::Vector2d(a, b)});
  };
  const Certificate yes = verdict(0.79, 4.0);
  EXPECT_EQ(yes.status, CertificateStatus::kCertified);
  EXPECT_EQ(yes.method, CertificateMethod::kSubdivision);
  for (double a = 0.0; a <= 0.79; a += 0.01)
    EXPECT_GE(lcp::test_p_matrix(family.A(Eigen::Vector3d(a, a, 4.0))).smallest.value, yes.smallest.value);
  for (const double a : {0.81, 1.9}) {
    const Certificate no = verdict(a, 4.0);
    EXPECT_EQ(no.status, CertificateStatus::kRefuted);
    EXPECT_EQ(no.witness[0], no.witness[1]);
    EXPECT_EQ(test::p_status(family.A(no.witness)), PMatrixStatus::kNotP);
  }
  const Certificate gave_up =
      certify(family, two, mu_0, {VectorXd::Zero(2), Eigen::Vector2d(0.79, 4.0)}, {.max_boxes = 1});
  EXPECT_EQ(gave_up.status, CertificateStatus::kNotProved);
}

// Example 2's design (0.8, 0.6) with pairs that share a coefficient, at 0.5 s and 0.8 s. [eq:S4.19]
TEST(CertifyTest, PairsOfExampleTwoAreUniqueUpToTheDesignAtHalfASecondOnly) {
  const Eigen::Vector2d design{0.8, 0.6};
  const Example2 early(0.5);
  const Certificate yes = certify(early.family, early.pairs, VectorXd::Zero(4), {VectorXd::Zero(2), design});
  EXPECT_EQ(yes.status, CertificateStatus::kCertified) << to_string(yes.method);
  const Example2 late(0.8);
  const Certificate no = certify(late.family, late.pairs, VectorXd::Zero(4), {VectorXd::Zero(2), design});
  EXPECT_EQ(no.status, CertificateStatus::kRefuted);
  EXPECT_EQ(test::p_status(late.family.A(no.witness)), PMatrixStatus::kNotP);
}

TEST(CertifyTest, SaysWhatItProvedAboveTheLimit) {
  FrictionFamily family{4.0 * MatrixXd::Identity(20, 20), MatrixXd::Constant(20, 20, 0.1)};
  const FrictionBox box{VectorXd::Zero(20), VectorXd::Ones(20)};
  const Certificate dominant = certify(family, box);
  EXPECT_EQ(dominant.status, CertificateStatus::kCertified);
  EXPECT_EQ(dominant.method, CertificateMethod::kColumnDominance);
  family.A_0 = MatrixXd::Identity(20, 20);
  const Certificate open = certify(family, box);
  EXPECT_EQ(open.status, CertificateStatus::kNotProved);
  EXPECT_EQ(open.method, CertificateMethod::kSmallMinors);
  EXPECT_EQ(open.proved_size, 2);
  family.A_1(3, 3) = -2.0;
  const Certificate refused = certify(family, box);
  EXPECT_EQ(refused.status, CertificateStatus::kRefuted);
  EXPECT_EQ(refused.witness_minor.indices, (std::vector<Index>{3}));
  EXPECT_LE(family.A(refused.witness)(3, 3), 0.0);
}

TEST(CertifyTest, RefusesBadInput) {
  const FrictionFamily family = test::random_family(CounterRandom(80, 0), 0, 2);
  const VectorXd zero = VectorXd::Zero(2);
  EXPECT_THROW((void)certify(family, {zero, VectorXd::Ones(3)}), InvalidArgument);
  EXPECT_THROW((void)certify(family, {VectorXd::Ones(2), zero}), InvalidArgument);
  EXPECT_THROW((void)certify(family, {-VectorXd::Ones(2), -VectorXd::Ones(2)}), InvalidArgument);
  EXPECT_THROW((void)certify(family, {zero, VectorXd::Constant(2, std::nan(""))}), InvalidArgument);
  EXPECT_THROW((void)certify(family, {zero, zero}, {.limit = 15}), InvalidArgument);
  EXPECT_THROW((void)certify(family, FrictionGroups{{0}, 1}, zero, {VectorXd::Zero(1), VectorXd::Ones(1)}),
               InvalidArgument);
}

}  // namespace
}  // namespace enfold::uniqueness
