// SPDX-License-Identifier: BSD-3-Clause
// What a control loop calls promises not to allocate after its first call. Counting malloc itself covers both
// operator new and Eigen; it replaces the C function, hence an executable of its own.
#include <gtest/gtest.h>

#include "enfold/grasp/grasp_matrices.hpp"
#include "enfold/grasp/internal_forces.hpp"
#include "enfold/test/malloc_counter.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::grasp {
namespace {

using test::ContactMode;

TEST(AllocationCounterTest, SeesAnEigenVectorAndAStandardOneGrow) {
  long before = test::mallocs();
  VectorXd x(100);
  x.setZero();
  EXPECT_EQ(test::mallocs() - before, 1);
  before = test::mallocs();
  std::vector<double> y(static_cast<std::size_t>(x.size()) + 1, 0.0);
  EXPECT_EQ(test::mallocs() - before, 1);
  EXPECT_EQ(y.size(), 101U);
}

// The matrices and the split of forces along a motion, in the modes of one, two and three internal forces.
TEST(GraspAllocationTest, AssemblingAndSplittingAllocateNothingAfterTheFirstCall) {
  constexpr auto kSlide = ContactMode::kSlideMinus;
  constexpr auto kRoll = ContactMode::kRoll;
  const std::vector<std::vector<ContactMode>> states{
      {kSlide, kSlide, kSlide, kSlide}, {kSlide, kRoll, kSlide, kSlide}, {kRoll, kSlide, kSlide, kRoll}};
  const test::PaperHand hand = test::paper_hand();
  const VectorXd mu = VectorXd::Constant(4, 0.1);
  const VectorXd v = VectorXd::LinSpaced(7, -0.1, 0.2);
  const VectorXd w = VectorXd::Ones(3);
  for (const auto& modes : states) {
    std::vector<VectorXd> path;
    for (int s = 0; s < 50; ++s) path.push_back(hand.closed(0.0, 0.15, 70.0 + 0.8 * s));
    contact::ContactKinematics kinematics;
    GraspMatrices grasp;
    InternalForces internal;
    MatrixXd reference;
    VectorXd lambda;
    VectorXd lambda_N;
    VectorXd lambda_T;
    VectorXd stacked;
    const auto once = [&](const VectorXd& q) {
      hand.contacts->kinematics(q, v, kinematics);
      assemble(kinematics, modes, mu, 3, grasp);
      internal.compute(grasp.G);
      if (reference.size() == 0) reference = internal.basis();
      internal.align(reference);
      reference = internal.basis();
      internal.particular(w, lambda);
      spread_forces(grasp, modes, mu, lambda, lambda_N, lambda_T);
      stack_forces(grasp, lambda_N, lambda_T, stacked);
    };
    once(path.front());
    const long before = test::mallocs();
    for (const VectorXd& q : path) once(q);
    EXPECT_EQ(test::mallocs(), before) << "p = " << internal.p();
    EXPECT_EQ(stacked, lambda);
  }
}

}  // namespace
}  // namespace enfold::grasp
