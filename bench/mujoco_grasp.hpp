// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "song_hand.hpp"

namespace enfold::bench {

/// The settled grasp in MuJoCo, which has no line that collides with an ellipsoid: links are capsules of
/// radius 1 mm on an ellipsoid whose semi-axes are 1 mm shorter, so that the contacts are where the lines
/// have them. The object slides and turns in the plane; the joints have motors with the same constant
/// torques; no gravity, steps of 1 ms.
class MujocoGrasp {
 public:
  /// Lets the contacts settle for `settle_steps`, then adds the velocity of the grasp and remembers that
  /// state.
  explicit MujocoGrasp(const SettledGrasp& grasp, int settle_steps = 200);
  ~MujocoGrasp();
  MujocoGrasp(MujocoGrasp&&) noexcept;

  /// Back to the remembered state.
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
