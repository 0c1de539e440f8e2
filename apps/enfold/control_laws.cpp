// SPDX-License-Identifier: BSD-3-Clause
#include "control_laws.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "enfold/base/require.hpp"
#include "enfold/controllers/computed_torque.hpp"
#include "enfold/controllers/force_loop.hpp"
#include "enfold/controllers/joint_pd.hpp"
#include "enfold/controllers/object_impedance.hpp"
#include "enfold/controllers/whole_arm.hpp"
#include "enfold/controllers/whole_arm_pi.hpp"

namespace enfold::app {
namespace {

using Law = std::shared_ptr<control::Controller>;

controllers::Gains gains(const LawParts& parts) {
  return {parts.spec.Kp, parts.spec.Kv, parts.spec.Kalpha};
}

template <class Numbers>
VectorXd vector(const Numbers& numbers) {
  return Eigen::Map<const VectorXd>(numbers.data(), static_cast<Index>(numbers.size()));
}

Law whole_arm(const LawParts& parts) {
  return std::make_shared<controllers::WholeArmController>(parts.model, parts.trajectory, parts.plan,
                                                           gains(parts));
}

Law whole_arm_pi(const LawParts& parts) {
  return std::make_shared<controllers::WholeArmPiController>(parts.model, parts.trajectory, parts.plan,
                                                             gains(parts), parts.spec.KPalpha);
}

Law force_loop(const LawParts& parts) {
  return std::make_shared<controllers::ForceLoopController>(parts.model, parts.trajectory, parts.plan,
                                                            gains(parts), parts.spec.Klambda);
}

Law joint_pd(const LawParts& parts) {
  return std::make_shared<controllers::JointPdController>(
      parts.plan,
      controllers::JointGains{vector(parts.spec.joint_stiffness), vector(parts.spec.joint_damping)});
}

Law computed_torque(const LawParts& parts) {
  const auto forces = parts.spec.contact_forces == io::ContactForceSource::kMeasured
                          ? controllers::ContactForces::kMeasured
                          : controllers::ContactForces::kPlanned;
  return std::make_shared<controllers::ComputedTorqueController>(parts.model, parts.trajectory, parts.plan,
                                                                 gains(parts), forces);
}

Law object_impedance(const LawParts& parts) {
  return std::make_shared<controllers::ObjectImpedanceController>(
      parts.model, parts.trajectory, parts.plan,
      controllers::Impedance{vector(parts.spec.stiffness), vector(parts.spec.damping)}, gains(parts));
}

}  // namespace

const std::vector<ControlLaw>& control_laws() {
  static const std::vector<ControlLaw> laws = {
      {"whole_arm", whole_arm}, {"whole_arm_pi", whole_arm_pi},       {"force_loop", force_loop},
      {"joint_pd", joint_pd},   {"computed_torque", computed_torque}, {"object_impedance", object_impedance},
  };
  return laws;
}

Law make_law(const LawParts& parts) {
  const auto& laws = control_laws();
  const auto found = std::find_if(laws.begin(), laws.end(),
                                  [&](const ControlLaw& law) { return law.type == parts.spec.type; });
  ENFOLD_REQUIRE(found != laws.end(), "controller.type '{}' is unknown", parts.spec.type);
  return found->make(parts);
}

}  // namespace enfold::app
