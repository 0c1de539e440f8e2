// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "enfold/sim/rigid_plant.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::sim {

/// The hand of S4 at a random closed state, under torques that press some contacts and pull others.
struct PlantCase {
  test::PaperHand hand;
  VectorXd mu, q, v, tau;
  std::vector<contact::ContactMode> modes;  ///< as the velocity makes the contacts slide

  [[nodiscard]] PlantModel model() const { return {hand.mechanism, hand.contacts, mu}; }
  [[nodiscard]] mechanics::Dynamics dynamics() const {
    mechanics::Dynamics out;
    hand.mechanism->dynamics(q, v, out);
    return out;
  }
  [[nodiscard]] contact::ContactKinematics kinematics() const { return hand.kinematics(q, v); }
};

/// What a random case may press with: torques are those of static normal forces between `weakest` and 3 N.
inline PlantCase plant_case(std::uint64_t seed, double weakest = 1.0,
                            const test::PaperHandOptions& options = {.radius = 0.003,
                                                                     .gravity = {0.3, -1.0}}) {
  const CounterRandom random(seed, 77);
  PlantCase c;
  c.hand = test::paper_hand(options);
  const Index n = c.hand.contacts->n_contacts();
  c.mu = test::random_vector(random, 0, n, 0.15).array() + 0.15;
  c.q = c.hand.random_closed(random, 10);
  const VectorXd x_dot = Eigen::Vector3d(0.1, 0.1, 1.0).cwiseProduct(test::random_vector(random, 50, 3));
  c.v = test::closed_velocity(c.hand, c.q, x_dot);
  c.modes = test::sliding_modes(c.hand, c.q, x_dot);
  const VectorXd middle = VectorXd::Constant(n, (3.0 + weakest) / 2);
  const VectorXd lambda = middle + test::random_vector(random, 60, n, (3.0 - weakest) / 2);
  c.tau = -c.kinematics().W_N.bottomRows(n) * lambda;
  return c;
}

/// The number-th of the 3^size ways to let each contact slide forwards, slide backwards or roll.
inline std::vector<contact::ContactMode> closed_modes(int number, std::size_t size) {
  using contact::ContactMode;
  constexpr ContactMode kModes[] = {ContactMode::kSlidePlus, ContactMode::kSlideMinus, ContactMode::kRoll};
  std::vector<ContactMode> modes;
  for (std::size_t i = 0; i < size; ++i, number /= 3) modes.push_back(kModes[number % 3]);
  return modes;
}

}  // namespace enfold::sim
