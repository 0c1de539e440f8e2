// SPDX-License-Identifier: BSD-3-Clause
// The simulator's hot loop asks for M, h and the energies at every step. Counting malloc itself covers both
// operator new and Eigen.
#include <gtest/gtest.h>

#include "enfold/mechanics/planar_grasp_mechanism.hpp"
#include "enfold/test/malloc_counter.hpp"
#include "enfold/test/random_hand.hpp"

namespace enfold::mechanics {
namespace {

TEST(MechanicsAllocationCounterTest, SeesEigenAndTheStandardLibrary) {
  const long before = test::mallocs();
  const MatrixXd matrix = MatrixXd::Zero(3, 3);
  const std::vector<double> numbers(100, 1.0);
  EXPECT_EQ(test::mallocs() - before, 2) << matrix << numbers[0];
}

TEST(PlanarGraspMechanismAllocationTest, EvaluationAllocatesNothingAfterTheFirstCall) {
  test::Draw draw(9, 0);
  const PlanarGraspMechanism mechanism(PlanarHand(test::random_arms(draw, {8, 2, 5}), {0.0, -9.81}),
                                       PlanarObject{1.0, 0.01, nullptr});
  VectorXd q = draw.vector(mechanism.n_q(), 2.0);
  const VectorXd v = draw.vector(mechanism.n_v(), 2.0);
  Dynamics out;
  VectorXd q_dot;
  VectorXd error;
  mechanism.dynamics(q, v, out);
  mechanism.configuration_rate(q, v, q_dot);
  mechanism.difference(q, q, error);

  const long before = test::mallocs();
  double energy = 0.0;
  for (int k = 0; k < 100; ++k) {
    mechanism.dynamics(q, v, out);
    mechanism.configuration_rate(q, v, q_dot);
    mechanism.difference(q, q_dot, error);
    energy += mechanism.kinetic_energy(q, v) + mechanism.potential_energy(q);
    q += 1e-3 * q_dot;
  }
  EXPECT_EQ(test::mallocs(), before);
  EXPECT_NE(energy, 0.0);
}

}  // namespace
}  // namespace enfold::mechanics
