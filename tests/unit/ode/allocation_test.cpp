// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <new>

#include "enfold/ode/fixed_step.hpp"

namespace {
std::size_t allocations = 0;
}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace enfold::ode {
namespace {

TEST(AllocationCounterTest, SeesAVectorGrow) {
  const std::size_t before = allocations;
  State x(100, 0.0);
  x.resize(1000);
  EXPECT_EQ(allocations - before, 2U);
}

TEST(FixedStepperAllocationTest, AllocatesNothingAfterTheFirstStep) {
  const auto f = [](const State& x, State& dxdt, double) {
    for (std::size_t i = 0; i < x.size(); ++i) dxdt[i] = -x[i];
  };
  for (const Method method : {Method::kRungeKutta4, Method::kDormandPrince5, Method::kEuler}) {
    FixedStepper stepper(method);
    State x(14, 1.0);
    stepper.step(f, x, 0.0, 1e-3);
    const std::size_t before = allocations;
    for (int k = 1; k < 100; ++k) stepper.step(f, x, 1e-3 * k, 1e-3);
    EXPECT_EQ(allocations, before);
    EXPECT_NEAR(x[13], 0.905, 1e-3);
  }
}

}  // namespace
}  // namespace enfold::ode
