// SPDX-License-Identifier: BSD-3-Clause
// A run promises not to allocate once it goes. Counting malloc itself covers both operator new and Eigen; it
// replaces the C function, hence an executable of its own.
#include <gtest/gtest.h>

#include "closed_loop_case.hpp"
#include "enfold/sim/compliant_integrator.hpp"
#include "enfold/test/malloc_counter.hpp"
#include "plant_case.hpp"

namespace enfold::sim {
namespace {

TEST(AllocationCounterTest, SeesAnEigenVector) {
  const long before = test::mallocs();
  const VectorXd x = VectorXd::Zero(100);
  EXPECT_EQ(test::mallocs() - before, 1);
  EXPECT_EQ(x.size(), 100);
}

/// Advances once, then counts what the other advances allocate. Returns how many there were.
long allocations_of(Simulation& simulation, int& advances) {
  (void)simulation.advance();
  const long before = test::mallocs();
  while (simulation.advance()) ++advances;
  return test::mallocs() - before;
}

TEST(SimulationAllocationTest, AdvanceAllocatesNothingFromTheSecondCallOn) {
  ClosedLoopCase c = rotation();
  c.start = pose(0.0, 0.15, 69.0);
  struct Rates {
    double control, record;
  };
  for (const Rates& rates :
       {Rates{1000.0, 1000.0}, Rates{250.0, 1000.0}, Rates{1000.0, 100.0}, Rates{0.0, 1000.0}}) {
    const bool noisy = rates.control > 0.0;
    Simulation simulation(
        c.problem(),
        {.duration = 0.3,
         .step = 2e-3 / 3,
         .record_rate = rates.record,
         .control_rate = rates.control,
         .noise = {.force = noisy ? 0.05 : 0.0, .pose = noisy ? 0.05 : 0.0, .velocity = noisy ? 0.02 : 0.0}});
    int advances = 0;
    EXPECT_EQ(allocations_of(simulation, advances), 0) << rates.control << " Hz, " << rates.record << " Hz";
    EXPECT_GT(advances, 20);
    const History history = simulation.take_history();
    EXPECT_EQ(history.status, RunStatus::kCompleted) << history.message;
    EXPECT_TRUE(history.events.empty());  // an event may allocate
  }
}

TEST(RigidPlantAllocationTest, SolvesAfterTheFirstAllocateNothing) {
  using contact::ContactMode;
  for (const bool rolling : {false, true}) {
    PlantCase c = plant_case(3, -1.0);
    std::vector<ContactMode> modes = c.modes;
    if (rolling) modes[2] = ContactMode::kRoll;
    RigidPlant plant(c.model());
    plant.set_modes(modes);
    ASSERT_EQ(plant.solve(c.q, c.v, c.tau), ContactSolveStatus::kSolved);
    (void)plant.test_uniqueness();
    const long before = test::mallocs();
    for (int k = 0; k < 200; ++k) {
      c.q[2] += 1e-4;
      c.tau[k % 4] += 0.01;
      modes[0] = k % 2 == 0 ? ContactMode::kSlidePlus : ContactMode::kSlideMinus;
      plant.set_modes(modes);
      (void)plant.solve(c.q, c.v, c.tau);
      (void)plant.test_uniqueness();
    }
    EXPECT_EQ(test::mallocs(), before) << "rolling: " << rolling;
  }
}

TEST(CompliantAllocationTest, ExplicitIntervalsAfterTheFirstAllocateNothing) {
  const PlantCase c = plant_case(5);
  CompliantPlant plant(c.model(), {contact::kelvin_voigt_contact({})});
  CompliantIntegrator integrator(plant);
  CompliantState state{c.q, c.v, VectorXd::Zero(4)};
  (void)integrator.advance(state, c.tau, 0.0, 1e-3);
  MatrixXd J;
  plant.jacobian(J);
  const long before = test::mallocs();
  int events = 0;
  for (int k = 1; k < 200; ++k) {
    events += integrator.advance(state, c.tau, 1e-3 * k, 1e-3).events;
    plant.jacobian(J);
  }
  EXPECT_EQ(test::mallocs(), before);
  EXPECT_GT(events, 0);
}

}  // namespace
}  // namespace enfold::sim
