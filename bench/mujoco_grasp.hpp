// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "song_hand.hpp"

namespace enfold::bench {

/// The settled grasp in MuJoCo: capsules of the hand's radius, an ellipsoid that slides and turns in the
/// plane, motors at the joints with the same constant torques, no gravity, time step 1 ms.
class MujocoGrasp {
 public:
  /// Lets the contacts settle for `settle_steps` and remembers that state.
  explicit MujocoGrasp(const SettledGrasp& grasp, double radius, int settle_steps = 200);
  ~MujocoGrasp();
  MujocoGrasp(MujocoGrasp&&) noexcept;

  /// Back to the settled state.
  void restore();
  void step();

  [[nodiscard]] int n_contacts() const;
  /// Largest penetration of a contact at this instant [m].
  [[nodiscard]] double penetration() const;
  /// How far the object's centre is from where it was put [m].
  [[nodiscard]] double displacement() const;
  [[nodiscard]] static std::string version();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace enfold::bench
