// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/closure/resistance.hpp"

#include <gmock/gmock.h>

#include "enfold/base/error.hpp"
#include "textbook_grasps.hpp"

namespace enfold::test {
namespace {

using closure::ContactWrenches;
using closure::ForceBudget;
using closure::Resistance;
using closure::ResistanceLimits;

/// max over the budget of yᵀ(−W λ), vertex by vertex.
double support(const ContactWrenches& grasp, const VectorXd& y, ForceBudget budget) {
  VectorXd best = VectorXd::Zero(grasp.n_contacts);
  for (Index j = 0; j < grasp.n_g(); ++j) {
    double& of_contact = best[grasp.contact_of[static_cast<std::size_t>(j)]];
    of_contact = std::max(of_contact, -y.dot(grasp.W.col(j)));
  }
  return budget == ForceBudget::kSum ? best.maxCoeff() : best.sum();
}

TEST(ResistanceTest, PinchResistsSidewaysForcesByFrictionAndPressingForcesByTheWholeBudget) {
  const ContactWrenches grasp = pinched_disk(0.3);
  EXPECT_NEAR(closure::resisted_disturbance(grasp, Eigen::Vector3d(0, 1, 0)).size, 0.3, 1e-12);
  EXPECT_NEAR(closure::resisted_disturbance(grasp, Eigen::Vector3d(1, 0, 0)).size, 1.0, 1e-12);
  EXPECT_NEAR(closure::resisted_disturbance(grasp, Eigen::Vector3d(0, 0, 1)).size, 0.3, 1e-12);
  const ResistanceLimits each{.budget = ForceBudget::kEach, .max_normal = 2.0, .T = {}, .tau_0 = {}};
  EXPECT_NEAR(closure::resisted_disturbance(grasp, Eigen::Vector3d(0, 1, 0), each).size, 1.2, 1e-12);
}

/// Two routes: forces that resist (the primal) and a plane that no force passes (the dual).
TEST(ResistanceTest, SizeIsReachedByForcesAndBoundedByAPlane) {
  const CounterRandom random(9, 1);
  int resisted = 0;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const ContactWrenches grasp = random_grasp(random, 100 * i, 4, 0.4);
    const Eigen::Vector3d d{random.symmetric(100 * i + 50), random.symmetric(100 * i + 51),
                            random.symmetric(100 * i + 52)};
    for (const ForceBudget budget : {ForceBudget::kSum, ForceBudget::kEach}) {
      const Resistance r = closure::resisted_disturbance(grasp, d, {.budget = budget, .T = {}, .tau_0 = {}});
      ASSERT_TRUE(r.ok());
      EXPECT_LT((grasp.W * r.lambda + r.size * d).norm(), 1e-10);
      EXPECT_GE(r.lambda.minCoeff(), 0.0);
      if (r.size < 1e-9) continue;
      ++resisted;
      EXPECT_NEAR(r.support.dot(d), 1.0, 1e-9);
      EXPECT_NEAR(support(grasp, r.support, budget), r.size, 1e-9);
    }
  }
  EXPECT_GT(resisted, 60);
}

TEST(ResistanceTest, TorquesLimitWhatTheContactsCouldDo) {
  const ContactWrenches grasp = pinched_disk(0.3);
  ResistanceLimits limits;
  limits.max_normal = lp::kInfinity;
  limits.T = MatrixXd::Ones(1, grasp.n_g());  // one motor feels the sum of all normal forces
  limits.tau_0 = VectorXd::Constant(1, 0.5);
  limits.max_torque = 2.0;
  EXPECT_NEAR(closure::resisted_disturbance(grasp, Eigen::Vector3d(0, 1, 0), limits).size, 0.3 * 1.5, 1e-12);
  limits.tau_0.setConstant(3.0);
  limits.max_torque = 1.0;
  EXPECT_EQ(closure::resisted_disturbance(grasp, Eigen::Vector3d(0, 1, 0), limits).status,
            lp::LpStatus::kInfeasible);
}

TEST(ResistanceTest, WithoutLimitsASqueezeResistsAnything) {
  ResistanceLimits none;
  none.max_normal = lp::kInfinity;
  EXPECT_EQ(closure::resisted_disturbance(pinched_disk(0.3), Eigen::Vector3d(0, 1, 0), none).status,
            lp::LpStatus::kUnbounded);
}

TEST(ResistanceTest, RefusesADirectionOfNoLength) {
  EXPECT_THROW((void)closure::resisted_disturbance(pinched_disk(0.3), VectorXd::Zero(3)), InvalidArgument);
  EXPECT_THROW((void)closure::resisted_disturbance(pinched_disk(0.3), VectorXd::Ones(2)), InvalidArgument);
}

}  // namespace
}  // namespace enfold::test
