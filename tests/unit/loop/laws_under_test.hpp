// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "enfold/controllers/computed_torque.hpp"
#include "enfold/controllers/gain_design.hpp"
#include "enfold/controllers/joint_pd.hpp"
#include "enfold/controllers/object_impedance.hpp"
#include "enfold/controllers/whole_arm_pi.hpp"
#include "loop_case.hpp"

namespace enfold::test {

/// A law that holds the object, with the gains that place its poles.
struct LawUnderTest {
  std::string name;
  std::function<std::shared_ptr<control::Controller>(const HeldCase&, const controllers::Gains&)> make;
  bool claims_poles = false;  ///< those of the gains, in continuous control
  bool continuous = true;     ///< runs without sampling in a rigid world: no proportional force feedback
};

/// Springs and dampers at the joints that are stiff against the squeeze, in proportion to the gains.
inline std::shared_ptr<control::Controller> joint_springs(const HeldCase& c, const controllers::Gains& g) {
  const double inertia = 0.03;  // [kg·m²], about what a joint feels of its arm and the object
  return std::make_shared<controllers::JointPdController>(
      c.plan,
      controllers::JointGains{VectorXd::Constant(1, g.Kp * inertia), VectorXd::Constant(1, g.Kv * inertia)});
}

/// Springs and dampers on the object, in proportion to the gains.
inline std::shared_ptr<control::Controller> object_springs(const HeldCase& c, const controllers::Gains& g) {
  const VectorXd inertia = Eigen::Vector3d(3.0, 3.0, 0.06);
  return std::make_shared<controllers::ObjectImpedanceController>(
      c.model(), c.still, c.plan, controllers::Impedance{g.Kp * inertia, g.Kv * inertia}, g);
}

inline std::vector<LawUnderTest> laws_under_test() {
  using controllers::ComputedTorqueController;
  using controllers::Gains;
  using controllers::WholeArmPiController;
  return {{"whole_arm", [](const HeldCase& c, const Gains& g) { return c.whole_arm(g); }, true, true},
          {"joint_pd", joint_springs, false, true},
          {"object_impedance", object_springs, false, true},
          {"computed_torque, planned forces",
           [](const HeldCase& c, const Gains& g) {
             return std::make_shared<ComputedTorqueController>(c.model(), c.still, c.plan, g);
           },
           false, true},
          {"computed_torque, measured forces",
           [](const HeldCase& c, const Gains& g) {
             return std::make_shared<ComputedTorqueController>(c.model(), c.still, c.plan, g,
                                                               controllers::ContactForces::kMeasured);
           },
           false, false},
          {"whole_arm_pi 0.3",
           [](const HeldCase& c, const Gains& g) {
             return std::make_shared<WholeArmPiController>(c.model(), c.still, c.plan, g, 0.3);
           },
           false, false},
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
