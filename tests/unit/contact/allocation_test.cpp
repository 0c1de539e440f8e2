// SPDX-License-Identifier: BSD-3-Clause
// The simulator's hot loop asks for the contacts at every step. Counting malloc itself covers both operator
// new and Eigen.
#include <gtest/gtest.h>

#include "contact_scene.hpp"
#include "enfold/test/malloc_counter.hpp"

namespace enfold::contact {
namespace {

TEST(ContactAllocationCounterTest, SeesEigenAndTheStandardLibrary) {
  const long before = test::mallocs();
  const MatrixXd matrix = MatrixXd::Zero(3, 3);
  const std::vector<double> numbers(100, 1.0);
  EXPECT_EQ(test::mallocs() - before, 2) << matrix << numbers[0];
}

TEST(ContactKinematicsAllocationTest, EvaluationAllocatesNothingAfterTheFirstCall) {
  const test::Scene scene(test::ring_of_arms(3, 3, 0.01), test::trilobe_shape(0.12, 0.013));
  test::Draw draw(9, 0);
  VectorXd q = draw.vector(scene.mechanism->n_q(), 2.0);
  const VectorXd v = draw.vector(scene.mechanism->n_v(), 2.0);
  ContactKinematics out;
  scene.contacts.kinematics(q, v, out);
  const long before = test::mallocs();
  for (int k = 0; k < 100; ++k) {
    q += 1e-3 * v;
    scene.contacts.kinematics(q, v, out);
  }
  EXPECT_EQ(test::mallocs(), before);
  EXPECT_EQ(out.gap, scene.at(q, v).gap);
}

}  // namespace
}  // namespace enfold::contact
