// SPDX-License-Identifier: BSD-3-Clause
// Least torque, friction kept back, and prices, against enumeration and finite differences.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "enfold/base/error.hpp"
#include "enfold/planners/squeeze_program.hpp"
#include "squeeze_case.hpp"

namespace enfold::planners {
namespace {

using lp::LpStatus;
using test::Affine;
using test::SqueezeCase;

/// A convex function that is linear between `kinks` has its minimum over the half spaces where p of their
/// planes and of the kinks meet: every such point within the half spaces.
std::vector<VectorXd> points_of_kinks(const test::Halfspaces& all, const std::vector<Affine>& kinks,
                                      Index p) {
  test::Halfspaces planes = all;
  planes.insert(planes.end(), kinks.begin(), kinks.end());
  std::vector<VectorXd> out;
  std::vector<bool> chosen(planes.size(), false);
  std::fill(chosen.begin(), chosen.begin() + p, true);
  do {
    MatrixXd A(p, p);
    VectorXd b(p);
    Index row = 0;
    for (std::size_t i = 0; i < planes.size(); ++i) {
      if (!chosen[i]) continue;
      A.row(row) = planes[i].a.transpose();
      b[row++] = -planes[i].c;
    }
    const Eigen::FullPivLU<MatrixXd> lu(A);
    if (lu.rcond() < 1e-12) continue;
    const VectorXd z = lu.solve(b);
    if (std::all_of(all.begin(), all.end(), [&](const Affine& f) { return f.at(z) >= -1e-9; }))
      out.push_back(z);
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return out;
}

double effort_of(const SqueezeCase& c, const VectorXd& alpha, Objective objective) {
  VectorXd tau(4);
  for (Index j = 0; j < 4; ++j) tau[j] = test::torque(c, j).at(alpha);
  return objective == Objective::kTorque ? tau.cwiseAbs().maxCoeff() : tau.cwiseAbs().sum();
}

/// Kinks of max |τ|: where two torques or their negatives are equal, or one is zero; of Σ |τ|: the zeros.
std::vector<Affine> kinks_of(const SqueezeCase& c, Objective objective) {
  std::vector<Affine> kinks;
  for (Index i = 0; i < 4; ++i) {
    kinks.push_back(test::torque(c, i));
    for (Index j = 0; objective == Objective::kTorque && j < i; ++j)
      for (const double sign : {1.0, -1.0})
        kinks.push_back(test::combine(1.0, test::torque(c, i), sign, test::torque(c, j)));
  }
  return kinks;
}

TEST(ObjectiveTest, LeastTorqueIsTheBestOfAllKinks) {  // [eq:least-torque]
  int solved = 0;
  for (const unsigned mask : {0b0000U, 0b0001U, 0b0100U, 0b1010U}) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const SqueezeCase c =
          test::squeeze_case({.modes = test::rolling_mask(mask), .mu_from = 0.1, .mu_to = 0.5}, seed);
      for (const Objective objective : {Objective::kTorque, Objective::kTorqueSum}) {
        SCOPED_TRACE(fmt::format("mask {:04b}, seed {}", mask, seed));
        const auto points = points_of_kinks(test::requirements(c), kinks_of(c, objective), c.p());
        const Squeeze squeeze = c.solve(objective);
        ASSERT_EQ(squeeze.status, points.empty() ? LpStatus::kInfeasible : LpStatus::kOptimal);
        if (points.empty()) continue;
        ++solved;
        double best = lp::kInfinity;
        for (const VectorXd& z : points) best = std::min(best, effort_of(c, z, objective));
        EXPECT_NEAR(effort_of(c, squeeze.alpha, objective), best, 1e-7);
        for (const Affine& f : test::requirements(c)) EXPECT_GE(f.at(squeeze.alpha), -1e-8);
      }
    }
  }
  EXPECT_GT(solved, 15);
}

// One joint must have 2 N·m: how the others share is open where they stay below.
TEST(ObjectiveTest, OfEquallyGoodSqueezesTheGentlestIsTaken) {
  int ties = 0;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const SqueezeCase c =
        test::squeeze_case({.modes = test::rolling_mask(0b1010), .mu_from = 0.4, .mu_to = 0.8}, seed);
    const auto joint = static_cast<Index>(seed % 4);
    const double side = (seed / 4) % 2 == 0 ? 1.0 : -1.0;
    SqueezeLimits limits;
    limits.rows = {{.name = "strained", .lambda_N = {}, .lambda_T = {}, .tau = VectorXd::Zero(4)}};
    limits.rows[0].tau[joint] = side;
    limits.rows[0].lower = 2.0;
    test::Halfspaces all = test::requirements(c);
    const Affine torque = test::torque(c, joint);
    all.push_back(test::above({side * torque.a, side * torque.c}, 2.0));
    const auto points = points_of_kinks(all, kinks_of(c, Objective::kTorque), c.p());
    const Squeeze squeeze = c.solve(Objective::kTorque, limits);
    ASSERT_EQ(squeeze.ok(), !points.empty());
    if (points.empty()) continue;
    double best = lp::kInfinity;
    for (const VectorXd& z : points) best = std::min(best, effort_of(c, z, Objective::kTorque));
    double least = lp::kInfinity;
    double most = 0.0;
    for (const VectorXd& z : points) {
      if (effort_of(c, z, Objective::kTorque) > best + 1e-9) continue;
      least = std::min(least, test::sum_of_normals(c, z));
      most = std::max(most, test::sum_of_normals(c, z));
    }
    EXPECT_NEAR(effort_of(c, squeeze.alpha, Objective::kTorque), best, 1e-7);
    EXPECT_NEAR(test::sum_of_normals(c, squeeze.alpha), least, 1e-4);
    ties += most > least + 0.1 ? 1 : 0;
  }
  EXPECT_GT(ties, 1);
}

// G does not know the friction of a rolling contact: to keep a part of it back is to have less.
TEST(ObjectiveTest, FrictionKeptBackIsFrictionThatIsNotThere) {
  int differs = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const SqueezeCase c =
        test::squeeze_case({.modes = test::rolling_mask(0b0101), .mu_from = 0.3, .mu_to = 0.7}, seed);
    SqueezeCase less = c;
    SqueezeLimits limits;
    limits.friction_margin = VectorXd::Zero(4);
    for (const Index i : {0, 2}) {
      limits.friction_margin[i] = i == 0 ? 0.3 : 0.1;
      less.mu[i] *= 1.0 - limits.friction_margin[i];
    }
    const Squeeze kept = c.solve(Objective::kNormals, limits);
    const Squeeze with_less = less.solve();
    ASSERT_EQ(kept.status, with_less.status);
    if (!kept.ok()) continue;
    EXPECT_NEAR(kept.lambda.head(4).sum(), with_less.lambda.head(4).sum(), 1e-9);
    differs += kept.lambda.head(4).sum() > c.solve().lambda.head(4).sum() + 1e-6 ? 1 : 0;
  }
  EXPECT_GT(differs, 2);
  const SqueezeCase c = test::squeeze_case({}, 1);
  const auto refused = [&c](VectorXd margin) {
    SqueezeLimits limits;
    limits.friction_margin = std::move(margin);
    EXPECT_THROW((void)c.program(Objective::kNormals, limits), InvalidArgument);
  };
  refused(VectorXd::Constant(3, 0.1));
  refused(VectorXd::Constant(4, 1.0));
  refused(VectorXd::Constant(4, -0.1));
}

// The prices of all rows of one kind add up to the slope of the optimal value over their common bound.
TEST(ObjectiveTest, PricesAreSlopesOfTheOptimalValue) {
  int torques = 0;
  int ceilings = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SqueezeCase c =
        test::squeeze_case({.modes = test::rolling_mask(0b1010), .mu_from = 0.3, .mu_to = 0.7}, seed);
    const Squeeze free = c.solve();
    if (!free.ok()) continue;
    const auto cost = [&](const SqueezeLimits& limits) {
      return c.solve(Objective::kNormals, limits).lambda.head(4).sum();
    };
    const double h = 1e-5;
    SqueezeLimits limits;
    limits.max_torque = 0.98 * free.tau.cwiseAbs().maxCoeff();
    const Squeeze limited = c.solve(Objective::kNormals, limits);
    if (limited.ok()) {
      double price = 0.0;
      for (const RowPrice& row : limited.prices)
        if (row.kind == Requirement::kTorque) price += row.price;
      SqueezeLimits more = limits, less = limits;
      more.max_torque += h;
      less.max_torque -= h;
      const double slope = (cost(less) - cost(more)) / (2.0 * h);
      EXPECT_NEAR(price, slope, 1e-4 * (1.0 + slope));
      torques += price > 0.0 ? 1 : 0;
    }
    limits = {};
    limits.max_normal = 0.99 * free.lambda.head(4).maxCoeff();
    const Squeeze gentle = c.solve(Objective::kNormals, limits);
    if (!gentle.ok()) continue;
    double price = 0.0;
    for (const RowPrice& row : gentle.prices)
      if (row.kind == Requirement::kNormal && row.upper) price += row.price;
    SqueezeLimits more = limits, less = limits;
    more.max_normal += h;
    less.max_normal -= h;
    const double slope = (cost(less) - cost(more)) / (2.0 * h);
    EXPECT_NEAR(price, slope, 1e-4 * (1.0 + slope));
    ceilings += price > 0.0 ? 1 : 0;
  }
  EXPECT_GT(torques, 3);
  EXPECT_GT(ceilings, 3);
}

}  // namespace
}  // namespace enfold::planners
