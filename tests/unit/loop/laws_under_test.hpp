// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "enfold/controllers/gain_design.hpp"
#include "loop_case.hpp"

namespace enfold::test {

/// A law that holds the object, with the gains that place its poles.
struct LawUnderTest {
  std::string name;
  std::function<std::shared_ptr<control::Controller>(const HeldCase&, const controllers::Gains&)> make;
  bool claims_poles = false;  ///< those of the gains, in continuous control
  bool continuous = true;     ///< runs without sampling in a rigid world: no proportional force feedback
};

inline std::vector<LawUnderTest> laws_under_test() {
  using controllers::Gains;
  return {{"whole_arm", [](const HeldCase& c, const Gains& g) { return c.whole_arm(g); }, true, true},
          {"force_loop 0.4", [](const HeldCase& c, const Gains& g) { return c.force_loop(g, 0.4); }, false,
           false}};
}

/// Double, distinct real, a complex pair.
inline std::vector<controllers::WantedPoles> pole_sets() {
  return {{-10.0, -10.0, -10.0}, {-6.0, -15.0, -8.0}, {{-8.0, 6.0}, {-8.0, -6.0}, -12.0}};
}

/// Each motion pole for every coordinate, the force pole for the squeeze.
inline std::vector<std::complex<double>> all_poles(const controllers::WantedPoles& wanted) {
  return {wanted.motion_1, wanted.motion_1, wanted.motion_1, wanted.motion_2,
          wanted.motion_2, wanted.motion_2, wanted.force};
}

}  // namespace enfold::test
