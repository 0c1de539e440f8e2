// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/grasp/internal_forces.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "enfold/base/error.hpp"
#include "enfold/grasp/grasp_matrices.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::grasp {
namespace {

using test::ContactMode;
using test::EigenNear;

MatrixXd random_orthogonal(const CounterRandom& random, std::uint64_t first, Index p) {
  const MatrixXd A = test::random_matrix(random, first, p, p);
  return A.householderQr().householderQ() * MatrixXd::Identity(p, p);
}

struct Size {
  Index n_x;
  Index k;
};
constexpr std::array<Size, 7> kSizes{{{3, 4}, {3, 5}, {3, 6}, {3, 8}, {2, 5}, {6, 9}, {1, 2}}};

// G G° = 0, (G°)ᵀ G° = I, and G° has all k − n_x columns that the null space has. [eq:S4.9]
TEST(InternalForcesTest, BasisIsOrthonormalAndLeavesTheObjectAlone) {
  const CounterRandom random(31, 0);
  InternalForces internal;
  for (std::uint64_t n = 0; n < 100; ++n) {
    const auto [n_x, k] = kSizes[n % kSizes.size()];
    const MatrixXd G = test::random_matrix(random, 100 * n, n_x, k);
    internal.compute(G);
    ASSERT_EQ(internal.p(), k - n_x);
    ASSERT_EQ(internal.basis().rows(), k);
    EXPECT_THAT(MatrixXd(G * internal.basis()), EigenNear(MatrixXd::Zero(n_x, k - n_x), 1e-14))
        << "draw " << n;
    EXPECT_THAT(MatrixXd(internal.basis().transpose() * internal.basis()),
                EigenNear(MatrixXd::Identity(k - n_x, k - n_x), 1e-14));
  }
}

// λ = G⁺ w against the Moore-Penrose inverse from a complete orthogonal decomposition. [eq:S4.9]
TEST(InternalForcesTest, ParticularForcesHaveTheWrenchAndTheLeastNorm) {
  const CounterRandom random(32, 0);
  InternalForces internal;
  for (std::uint64_t n = 0; n < 100; ++n) {
    const auto [n_x, k] = kSizes[n % kSizes.size()];
    const MatrixXd G = test::random_matrix(random, 100 * n, n_x, k);
    const VectorXd w = test::random_vector(random, 100 * n + 80, n_x);
    internal.compute(G);
    VectorXd lambda;
    internal.particular(w, lambda);
    const double scale = std::max(1.0, lambda.norm());
    EXPECT_THAT(VectorXd(G * lambda), EigenNear(w, 1e-13 * scale)) << "draw " << n;
    const MatrixXd G_plus = G.completeOrthogonalDecomposition().pseudoInverse();
    EXPECT_THAT(lambda, EigenNear(VectorXd(G_plus * w), 1e-11 * scale)) << "draw " << n;
    EXPECT_LT((internal.basis().transpose() * lambda).norm(), 1e-13 * scale);
  }
}

// α = (G°)ᵀ λ whatever the wrench: the squeeze is read off the forces without ẍ (S4, Sec. 3.3). [eq:S4.9]
TEST(InternalForcesTest, SqueezeIsReadOffTheForces) {
  const CounterRandom random(33, 0);
  InternalForces internal;
  for (std::uint64_t n = 0; n < 50; ++n) {
    const auto [n_x, k] = kSizes[n % kSizes.size()];
    internal.compute(test::random_matrix(random, 100 * n, n_x, k));
    const VectorXd alpha = test::random_vector(random, 100 * n + 80, k - n_x);
    VectorXd lambda;
    internal.particular(test::random_vector(random, 100 * n + 90, n_x), lambda);
    lambda += internal.basis() * alpha;
    EXPECT_THAT(VectorXd(internal.basis().transpose() * lambda), EigenNear(alpha, 1e-12));
  }
}

TEST(InternalForcesTest, SquareGraspHasNoInternalForces) {
  const CounterRandom random(34, 0);
  const MatrixXd G = test::random_matrix(random, 0, 3, 3);
  InternalForces internal;
  internal.compute(G);
  EXPECT_EQ(internal.p(), 0);
  EXPECT_NO_THROW(internal.align(MatrixXd(3, 0)));
  EXPECT_NO_THROW(internal.align_to_squeeze(3));
  const VectorXd w = test::random_vector(random, 50, 3);
  VectorXd lambda;
  internal.particular(w, lambda);
  EXPECT_THAT(lambda, EigenNear(VectorXd(G.fullPivLu().solve(w)), 1e-12));
}

TEST(InternalForcesTest, RefusesSizesThatDoNotFit) {
  InternalForces internal;
  EXPECT_THROW(internal.compute(MatrixXd::Identity(4, 3)), InvalidArgument);
  internal.compute(MatrixXd::Identity(3, 5));
  EXPECT_THROW(internal.align(MatrixXd::Identity(5, 1)), InvalidArgument);
  EXPECT_THROW(internal.align(MatrixXd::Identity(4, 2)), InvalidArgument);
  VectorXd lambda;
  EXPECT_THROW(internal.particular(VectorXd::Ones(2), lambda), InvalidArgument);
  EXPECT_THROW(internal.align_to_squeeze(6), InvalidArgument);
  EXPECT_THROW(internal.align_to_squeeze(-1), InvalidArgument);
}

TEST(InternalForcesTest, RankRatioVanishesExactlyWhereGLosesRank) {
  const CounterRandom random(35, 0);
  InternalForces internal;
  for (std::uint64_t n = 0; n < 20; ++n) {
    MatrixXd G = test::random_matrix(random, 100 * n, 3, 5);
    internal.compute(G);
    EXPECT_GT(internal.rank_ratio(), 1e-4) << "draw " << n;
    G.row(static_cast<Index>(n % 3)) = G.row(static_cast<Index>((n + 1) % 3)) * 1.7;
    internal.compute(G);
    EXPECT_LT(internal.rank_ratio(), 1e-14) << "draw " << n;
  }
}

TEST(InternalForcesTest, AlignsToSqueezeWithAPositiveSumOfNormalEntries) {
  InternalForces internal;
  // null(G) is spanned by (1, 1, 1, −5)/√28: the sign is decided by the first n_N entries only.
  const MatrixXd G = (MatrixXd(3, 4) << 1, -1, 0, 0, 0, 1, -1, 0, 0, 0, 5, 1).finished();
  internal.compute(G);
  internal.align_to_squeeze(3);
  EXPECT_THAT(VectorXd(internal.basis().col(0)),
              EigenNear(VectorXd(Eigen::Vector4d(1, 1, 1, -5) / std::sqrt(28)), 1e-14));
  internal.align_to_squeeze(4);
  EXPECT_THAT(VectorXd(internal.basis().col(0)),
              EigenNear(VectorXd(Eigen::Vector4d(-1, -1, -1, 5) / std::sqrt(28)), 1e-14));
}

TEST(InternalForcesTest, AlignsOneColumnToTheSignOfTheReference) {
  const CounterRandom random(36, 0);
  InternalForces internal;
  for (std::uint64_t n = 0; n < 20; ++n) {
    internal.compute(test::random_matrix(random, 100 * n, 3, 4));
    const MatrixXd before = internal.basis();
    internal.align(-before);
    EXPECT_THAT(internal.basis(), EigenNear(MatrixXd(-before), 0.0));
    internal.align(-before);
    EXPECT_THAT(internal.basis(), EigenNear(MatrixXd(-before), 0.0));
  }
}

// No other orthonormal basis of null(G), turned or mirrored, is nearer to the reference.
TEST(InternalForcesTest, AlignedBasisIsTheNearestOneToTheReference) {
  const CounterRandom random(37, 0);
  InternalForces internal;
  for (std::uint64_t n = 0; n < 10; ++n) {
    const Index k = n % 2 == 0 ? 5 : 6;
    const Index p = k - 3;
    const MatrixXd G = test::random_matrix(random, 10000 * n, 3, k);
    const MatrixXd reference =
        test::random_matrix(random, 10000 * n + 50, k, k).householderQr().householderQ() *
        MatrixXd::Identity(k, p);
    internal.compute(G);
    internal.align(reference);
    const MatrixXd aligned = internal.basis();
    EXPECT_THAT(MatrixXd(G * aligned), EigenNear(MatrixXd::Zero(3, p), 1e-13));
    EXPECT_THAT(MatrixXd(aligned.transpose() * aligned), EigenNear(MatrixXd::Identity(p, p), 1e-13));
    const double nearest = (aligned - reference).norm();
    for (std::uint64_t trial = 0; trial < 300; ++trial) {
      const MatrixXd turn = random_orthogonal(random, 10000 * n + 100 + 20 * trial, p);
      EXPECT_GE((aligned * turn - reference).norm(), nearest - 1e-12) << "draw " << n << ", trial " << trial;
    }
  }
}

TEST(InternalForcesTest, AligningToABasisOfTheSameSpaceRecoversIt) {
  const CounterRandom random(38, 0);
  InternalForces internal;
  for (std::uint64_t n = 0; n < 20; ++n) {
    internal.compute(test::random_matrix(random, 1000 * n, 3, 5));
    const MatrixXd reference = internal.basis() * random_orthogonal(random, 1000 * n + 50, 2);
    internal.align(reference);
    EXPECT_THAT(internal.basis(), EigenNear(reference, 1e-13)) << "draw " << n;
  }
}

/// Largest change of the aligned basis between neighbours of `steps` steps along the first example's
/// rotation.
double largest_change(const std::vector<ContactMode>& modes, int steps) {
  const test::PaperHand hand = test::paper_hand();
  const VectorXd mu = VectorXd::Constant(4, 0.1);
  InternalForces internal;
  MatrixXd before;
  double largest = 0.0;
  for (int s = 0; s <= steps; ++s) {
    const VectorXd q = hand.closed(0.0, 0.15, 70.0 + 40.0 * s / steps);
    const GraspMatrices grasp = assemble_from_frames(*hand.mechanism, *hand.contacts, q, modes, mu);
    internal.compute(grasp.G);
    // A basis that comes out of the factorisation turned and mirrored at every other step.
    if (s % 2 == 1) internal.align(-MatrixXd(internal.basis().rowwise().reverse()));
    if (s > 0) {
      internal.align(before);
      largest = std::max(largest, (internal.basis() - before).norm());
    }
    before = internal.basis();
  }
  return largest;
}

// Checklist row 15: the change from step to step shrinks with the step, so that neither α nor ∫e_α jumps.
// [eq:S4.9]
TEST(InternalForcesTest, AlignedBasisIsContinuousAlongTheTrajectory) {
  constexpr auto kSlide = ContactMode::kSlidePlus;
  using test::kRoll;
  const std::vector<std::vector<ContactMode>> states{
      {kSlide, kSlide, kSlide, kSlide}, {kSlide, kRoll, kSlide, kSlide}, {kRoll, kSlide, kSlide, kRoll}};
  for (std::size_t p = 1; p <= states.size(); ++p) {
    const double coarse = largest_change(states[p - 1], 100);
    const double medium = largest_change(states[p - 1], 200);
    const double fine = largest_change(states[p - 1], 400);
    EXPECT_LT(coarse, 0.1) << "p = " << p;
    EXPECT_GT(fine, 1e-5) << "p = " << p;
    EXPECT_NEAR(coarse / medium, 2.0, 0.1) << "p = " << p;
    EXPECT_NEAR(medium / fine, 2.0, 0.05) << "p = " << p;
  }
}

}  // namespace
}  // namespace enfold::grasp
