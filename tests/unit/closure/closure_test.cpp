// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/closure/closure.hpp"

#include <gmock/gmock.h>

#include "enfold/test/counts.hpp"
#include "textbook_grasps.hpp"

namespace enfold::test {
namespace {

using closure::Closure;
using closure::ClosureStatus;
using closure::ContactWrenches;

/// Brute force in three dimensions: a cone that is not the whole space has a supporting plane through two of
/// its generators (or its generators lie in a plane). Returns how clearly closed; 0 if there is such a plane.
double clearance(const MatrixXd& W) {
  MatrixXd U = W;
  for (Index j = 0; j < U.cols(); ++j) U.col(j).normalize();
  double worst = 1.0;
  for (Index a = 0; a < U.cols(); ++a) {
    for (Index b = a + 1; b < U.cols(); ++b) {
      const Eigen::Vector3d normal = Eigen::Vector3d(U.col(a)).cross(Eigen::Vector3d(U.col(b)));
      if (normal.norm() < 1e-9) continue;
      const VectorXd side = U.transpose() * normal.normalized();
      worst = std::min({worst, side.maxCoeff(), -side.minCoeff()});
    }
  }
  return worst;
}

/// The certificate, against the wrenches alone.
void expect_proof(const Closure& verdict, const MatrixXd& W) {
  if (verdict.closed()) {
    EXPECT_GT(verdict.lambda.minCoeff(), 0.0);
    EXPECT_NEAR(verdict.lambda.sum(), 1.0, 1e-12);
    EXPECT_LT((W * verdict.lambda).norm(), 1e-10);
    EXPECT_EQ(Eigen::FullPivLU<MatrixXd>(W).rank(), W.rows());
  } else {
    EXPECT_GT(verdict.escape.norm(), 1e-6);
    EXPECT_GT((W.transpose() * verdict.escape).minCoeff(), -1e-8);
  }
}

TEST(ClosureTest, VerdictsOnRandomGraspsAgreeWithBruteForce) {
  const CounterRandom random(3, 1);
  const int n = count(200, 1000);
  int closed = 0;
  int decided = 0;
  for (int i = 0; i < n; ++i) {
    const Index contacts = 2 + i % 4;
    const double mu = 0.05 + 0.1 * (i % 7);
    const ContactWrenches grasp = random_grasp(random, 100 * static_cast<std::uint64_t>(i), contacts, mu);
    const double clear = clearance(grasp.W);
    const Closure verdict = closure::force_closure(grasp);
    expect_proof(verdict, grasp.W);
    if (clear > 1e-13 && clear < 1e-8) continue;  // on the edge, both answers are rounding
    ++decided;
    closed += clear > 1e-8 ? 1 : 0;
    EXPECT_EQ(verdict.status, clear > 1e-8 ? ClosureStatus::kClosed : ClosureStatus::kNotClosed)
        << "grasp " << i << ", clearance " << clear;
  }
  EXPECT_GT(decided, n * 99 / 100);
  EXPECT_GT(closed, n / 10);
  EXPECT_LT(closed, n * 9 / 10);
}

TEST(ClosureTest, FormClosureOfRandomGraspsAgreesWithBruteForce) {
  const CounterRandom random(4, 1);
  const int n = count(200, 1000);
  int closed = 0;
  for (int i = 0; i < n; ++i) {
    const ContactWrenches grasp = random_grasp(random, 100 * static_cast<std::uint64_t>(i), 4 + i % 5, 0.3);
    const ContactWrenches frictionless =
        random_grasp(random, 100 * static_cast<std::uint64_t>(i), 4 + i % 5, 0.0);
    const double clear = clearance(frictionless.W);
    const Closure verdict = closure::form_closure(grasp);
    expect_proof(verdict, frictionless.W);
    if (clear > 1e-13 && clear < 1e-8) continue;
    closed += clear > 1e-8 ? 1 : 0;
    EXPECT_EQ(verdict.status, clear > 1e-8 ? ClosureStatus::kClosed : ClosureStatus::kNotClosed)
        << "grasp " << i << ", clearance " << clear;
  }
  EXPECT_GT(closed, n / 20);
}

TEST(ClosureTest, PinchIsForceClosedWithFrictionOnlyAndNeverFormClosed) {
  EXPECT_EQ(closure::force_closure(pinched_disk(0.3)).status, ClosureStatus::kClosed);
  EXPECT_EQ(closure::force_closure(pinched_disk(0.0)).status, ClosureStatus::kNotClosed);
  EXPECT_EQ(closure::form_closure(pinched_disk(0.3)).status, ClosureStatus::kNotClosed);
}

/// Nguyen's test: two point contacts are force closed when the line between them lies inside both cones.
TEST(ClosureTest, OffsetJawIsClosedWhenItsLineLiesInsideBothCones) {
  EXPECT_EQ(closure::force_closure(offset_jaw(0.3, 0.299)).status, ClosureStatus::kClosed);
  EXPECT_EQ(closure::force_closure(offset_jaw(0.3, 0.301)).status, ClosureStatus::kNotClosed);
}

TEST(ClosureTest, SquareOfFourIsFormClosedUnlessAllContactsFaceTheMiddle) {
  EXPECT_EQ(closure::form_closure(square_of_four(0.2)).status, ClosureStatus::kClosed);
  EXPECT_EQ(closure::form_closure(square_of_four(0.0)).status, ClosureStatus::kNotClosed);
}

TEST(ClosureTest, EscapeOfADiskWithoutFrictionIsItsRotation) {
  const Closure verdict = closure::force_closure(disk_of_three(0.0));
  ASSERT_EQ(verdict.status, ClosureStatus::kNotClosed);
  EXPECT_LT(verdict.escape.head(2).norm(), 1e-12);
  EXPECT_NEAR(std::abs(verdict.escape[2]), 1.0, 1e-12);
}

TEST(ClosureTest, DoesNotDependOnTheUnitOfLength) {
  ContactWrenches grasp = square_of_four(0.2, 0.1);
  for (const double length : {1e-3, 1.0, 1e3}) {
    grasp.length = length;
    EXPECT_EQ(closure::force_closure(grasp).status, ClosureStatus::kClosed) << length;
  }
}

/// A ball between two plates in space: two hard contacts cannot stop it from turning about their line; a
/// third can.
TEST(ClosureTest, TwoHardContactsInSpaceLeaveTheRotationAboutTheirLine) {
  MatrixXd points(3, 2);
  points << -1, 1, 0, 0, 0, 0;
  const Closure two = closure::force_closure(
      closure::contact_wrenches(points, -points, VectorXd::Constant(2, 0.5), VectorXd::Zero(3)));
  ASSERT_EQ(two.status, ClosureStatus::kNotClosed);
  EXPECT_NEAR(std::abs(two.escape[3]), 1.0, 1e-9);
  const double s = std::sqrt(3.0) / 2.0;
  MatrixXd ring(3, 3);
  ring << 1, -0.5, -0.5, 0, s, -s, 0, 0, 0;
  EXPECT_TRUE(closure::force_closure(
                  closure::contact_wrenches(ring, -ring, VectorXd::Constant(3, 0.5), VectorXd::Zero(3)))
                  .closed());
}

}  // namespace
}  // namespace enfold::test
