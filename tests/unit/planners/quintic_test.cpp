// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/planners/quintic.hpp"

#include <gtest/gtest.h>

#include "enfold/base/error.hpp"
#include "enfold/test/matchers.hpp"
#include "enfold/test/numeric_derivative.hpp"

namespace enfold::planners {
namespace {

using test::EigenNear;
using test::numeric_derivative;

const VectorXd kFrom = Eigen::Vector3d(0.1, -0.2, 1.2);
const VectorXd kTo = Eigen::Vector3d(0.3, 0.1, 1.9);

control::Reference sampled(const Quintic& path, double t) {
  control::Reference out;
  path.sample(t, out);
  return out;
}

// The only polynomial of degree 5 with rest at both ends: its six coefficients from the six conditions.
// [eq:quintic]
TEST(QuinticTest, IsTheFifthOrderPolynomialThatRestsAtBothEnds) {
  const double T = 1.7;
  const Quintic path(kFrom, kTo, T);
  Eigen::Matrix<double, 6, 6> conditions = Eigen::Matrix<double, 6, 6>::Zero();
  conditions(0, 0) = conditions(1, 1) = 1.0;
  conditions(2, 2) = 2.0;
  for (int k = 0; k < 6; ++k) {
    conditions(3, k) = std::pow(T, k);
    if (k >= 1) conditions(4, k) = k * std::pow(T, k - 1);
    if (k >= 2) conditions(5, k) = k * (k - 1) * std::pow(T, k - 2);
  }
  MatrixXd values = MatrixXd::Zero(6, 3);
  values.row(0) = kFrom.transpose();
  values.row(3) = kTo.transpose();
  const MatrixXd coefficients = conditions.fullPivLu().solve(values);
  for (const double t : {0.0, 0.2, 0.85, 1.1, 1.69, 1.7}) {
    VectorXd x = VectorXd::Zero(3);
    for (int k = 5; k >= 0; --k) x = x * t + coefficients.row(k).transpose();
    EXPECT_THAT(sampled(path, t).x, EigenNear(x, 1e-13)) << t;
  }
}

TEST(QuinticTest, DerivativesAreThoseOfThePose) {
  const Quintic path(kFrom, kTo, 1.7);
  for (const double t : {0.1, 0.5, 0.85, 1.2, 1.65}) {
    const control::Reference at = sampled(path, t);
    EXPECT_THAT(at.x_dot,
                EigenNear(numeric_derivative([&](double s) { return sampled(path, t + s).x; }), 1e-10));
    EXPECT_THAT(at.x_ddot,
                EigenNear(numeric_derivative([&](double s) { return sampled(path, t + s).x_dot; }), 1e-10));
    EXPECT_THAT(at.x_dddot,
                EigenNear(numeric_derivative([&](double s) { return sampled(path, t + s).x_ddot; }), 1e-10));
  }
}

TEST(QuinticTest, RestsExactlyAtBothEndsWithTheJerkOfTheMotion) {
  const double T = 0.3;
  const Quintic path(kFrom, kTo, T);
  EXPECT_EQ(path.duration(), T);
  for (const double t : {0.0, T}) {
    const control::Reference at = sampled(path, t);
    EXPECT_THAT(at.x, EigenNear(t == 0.0 ? kFrom : kTo, 1e-15));
    EXPECT_EQ(at.x_dot, VectorXd::Zero(3));
    EXPECT_EQ(at.x_ddot, VectorXd::Zero(3));
    EXPECT_THAT(at.x_dddot, EigenNear(VectorXd(60.0 / (T * T * T) * (kTo - kFrom)), 1e-9));
  }
}

TEST(QuinticTest, HoldsThePoseBeforeTheStartAndAfterTheEnd) {
  const Quintic path(kFrom, kTo, 0.3);
  for (const double t : {-5.0, -1e-9, 0.3 + 1e-9, 77.0}) {
    const control::Reference at = sampled(path, t);
    EXPECT_THAT(at.x, EigenNear(t < 0.0 ? kFrom : kTo, 1e-15));
    for (const VectorXd* rate : {&at.x_dot, &at.x_ddot, &at.x_dddot})
      EXPECT_EQ(*rate, VectorXd::Zero(3)) << t;
  }
}

TEST(QuinticTest, RefusesUnequalSizesAndDurationsThatAreNotPositive) {
  EXPECT_THROW(Quintic(kFrom, VectorXd::Zero(2), 1.0), InvalidArgument);
  for (const double T : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")})
    EXPECT_THROW(Quintic(kFrom, kTo, T), InvalidArgument) << T;
}

}  // namespace
}  // namespace enfold::planners
