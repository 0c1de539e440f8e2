// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "enfold/ode/fixed_step.hpp"
#include "enfold/sim/rigid_plant.hpp"
#include "song_hand.hpp"

namespace enfold::bench {

/// The settled grasp in this library: Runge-Kutta 4 with four contact solves per step of 1 ms.
class EnfoldGrasp {
 public:
  explicit EnfoldGrasp(const SettledGrasp& grasp);
  void restore();
  void step();
  void test_uniqueness() { (void)plant_.test_uniqueness(); }
  /// Largest |gap| of a contact at the last instant [m].
  [[nodiscard]] double gap() const { return plant_.kinematics().gap.cwiseAbs().maxCoeff(); }

 private:
  sim::RigidPlant plant_;
  ode::FixedStepper stepper_;
  ode::State start_, state_;
  VectorXd q_, v_, tau_;
};

}  // namespace enfold::bench
