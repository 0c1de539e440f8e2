// SPDX-License-Identifier: BSD-3-Clause
// The solvers of the simulator's hot loop promise not to allocate after construction. Counting malloc itself
// covers both operator new and Eigen; the sanitizers bring a malloc of their own, so there the test is
// skipped.
#include <gtest/gtest.h>

#include "enfold/lcp/lcp_solver.hpp"
#include "enfold/lcp/lemke.hpp"
#include "enfold/lcp/p_matrix.hpp"
#include "enfold/lcp/warm_lcp_solver.hpp"
#include "enfold/test/malloc_counter.hpp"

namespace enfold::lcp {
namespace {

using test::mallocs;

class LcpAllocationTest : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "malloc can't be counted here";
#endif
    const long before = mallocs();
    const MatrixXd one_allocation(3, 3);
    ASSERT_EQ(mallocs(), before + 1) << "the counter must see Eigen";
  }

  const MatrixXd A4_{
      {2.0, 1.0, 0.0, 0.3}, {1.0, 2.0, -1.0, 0.0}, {0.0, 1.0, 3.0, 1.0}, {0.1, 0.2, -1.0, 2.0}};
  const VectorXd b4_{{-1.0, 2.0, -3.0, -0.5}};
  const VectorXd c4_{{1.0, -2.0, 3.0, -0.5}};
  const MatrixXd A2_{{1.0, -1.0}, {-1.0, 1.0}};
  const VectorXd b2_{{1.0, -2.0}};  // ends in a ray
};

TEST_F(LcpAllocationTest, LemkeAllocatesNothingAfterConstruction) {
  LemkeSolver solver(4);
  LcpSolution s4;
  LcpSolution s2;
  s4.resize(4);
  s2.resize(2);
  const long before = mallocs();
  solver.solve(A4_, b4_, s4);
  solver.solve(A2_, b2_, s2);
  EXPECT_EQ(mallocs(), before);
  EXPECT_TRUE(s4.ok());
}

TEST_F(LcpAllocationTest, LcpSolverAllocatesNothingAlsoWhenItFallsBack) {
  LcpSolver solver(12);
  LcpSolution s12;
  LcpSolution s4;
  LcpSolution s2;
  s12.resize(12);
  s4.resize(4);
  s2.resize(2);
  const MatrixXd A12 = 2.0 * MatrixXd::Identity(12, 12) + MatrixXd::Constant(12, 12, 0.1);
  const VectorXd b12 = VectorXd::Constant(12, -1.0);
  const long before = mallocs();
  solver.solve(A12, b12, s12);
  solver.solve(A4_, b4_, s4);
  solver.solve(A2_, b2_, s2);
  EXPECT_EQ(mallocs(), before);
  EXPECT_TRUE(s12.ok());
  EXPECT_TRUE(s4.ok());
  EXPECT_EQ(s2.status, LcpStatus::kRayTermination);
}

TEST_F(LcpAllocationTest, WarmSolverAllocatesNothingAlsoWhenTheSizeChanges) {
  WarmLcpSolver solver(4);
  const long before = mallocs();
  for (int k = 0; k < 3; ++k) {
    (void)solver.solve(A4_, b4_);
    (void)solver.solve(A2_, b2_);
    (void)solver.solve(A4_, c4_);
  }
  EXPECT_EQ(mallocs(), before);
}

TEST_F(LcpAllocationTest, PMatrixTesterAllocatesNothingAfterConstruction) {
  PMatrixTester tester(4, {.exact_limit = 3});
  const long before = mallocs();
  (void)tester.test(A4_);
  (void)tester.test(A2_);
  (void)tester.decide(A4_);
  (void)tester.decide(A2_);
  EXPECT_EQ(mallocs(), before);
}

}  // namespace
}  // namespace enfold::lcp
