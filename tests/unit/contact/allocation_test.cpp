// SPDX-License-Identifier: BSD-3-Clause
// The simulator's hot loop asks for the contacts at every step. Counting malloc itself covers both operator
// new and Eigen.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "contact_scene.hpp"

namespace {
std::atomic<long> malloc_calls{0};
}
extern "C" void* __libc_malloc(std::size_t size);     // NOLINT: glibc's own name
extern "C" void* malloc(std::size_t size) noexcept {  // NOLINT: replaces the C function
  malloc_calls.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}

namespace enfold::contact {
namespace {

TEST(ContactAllocationCounterTest, SeesEigenAndTheStandardLibrary) {
  const long before = malloc_calls.load();
  const MatrixXd matrix = MatrixXd::Zero(3, 3);
  const std::vector<double> numbers(100, 1.0);
  EXPECT_EQ(malloc_calls.load() - before, 2) << matrix << numbers[0];
}

TEST(ContactKinematicsAllocationTest, EvaluationAllocatesNothingAfterTheFirstCall) {
  const test::Scene scene(test::ring_of_arms(3, 3, 0.01), test::trilobe_shape(0.12, 0.013));
  test::Draw draw(9, 0);
  VectorXd q = draw.vector(scene.mechanism->n_q(), 2.0);
  const VectorXd v = draw.vector(scene.mechanism->n_v(), 2.0);
  ContactKinematics out;
  scene.contacts.kinematics(q, v, out);
  const long before = malloc_calls.load();
  for (int k = 0; k < 100; ++k) {
    q += 1e-3 * v;
    scene.contacts.kinematics(q, v, out);
  }
  EXPECT_EQ(malloc_calls.load(), before);
  EXPECT_EQ(out.gap, scene.at(q, v).gap);
}

}  // namespace
}  // namespace enfold::contact
