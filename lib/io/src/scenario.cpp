// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/io/scenario.hpp"

#include <algorithm>

#include "enfold/base/require.hpp"
#include "enfold/io/scenario_file.hpp"
#include "words.hpp"

namespace enfold::io {
namespace {

template <typename T>
std::string_view word_of(const Words<T>& words, T value) {
  for (const auto& [word, known] : words) {
    if (known == value) return word;
  }
  return "?";
}

}  // namespace

std::string_view to_string(ObjectSide value) {
  return word_of(kObjectSideWords, value);
}
std::string_view to_string(ContactKind value) {
  return word_of(kContactKindWords, value);
}
std::string_view to_string(ContactPart value) {
  return word_of(kContactPartWords, value);
}
std::string_view to_string(PlannerObjective value) {
  return word_of(kObjectiveWords, value);
}
std::string_view to_string(SelfMotionPolicy value) {
  return word_of(kSelfMotionWords, value);
}
std::string_view to_string(ContactForceSource value) {
  return word_of(kContactForceWords, value);
}
std::string_view to_string(SimulationModel value) {
  return word_of(kModelWords, value);
}
std::string_view to_string(PoseReference value) {
  return word_of(kPoseReferenceWords, value);
}

Scenario believed_scenario(const Scenario& scenario) {
  Scenario out = scenario;
  const BeliefSpec& belief = scenario.controller.model;
  for (std::size_t i = 0; i < belief.mu.size(); ++i) out.contacts[i].mu = belief.mu[i];
  for (ArmSpec& arm : out.hand.arms) {
    for (LinkSpec& link : arm.links) {
      link.mass *= belief.link_mass;
      link.inertia *= belief.link_inertia;
      for (double* length : {&link.length, &link.com[0], &link.com[1], &link.bulge})
        *length *= belief.link_length;
    }
  }
  out.object.mass *= belief.object_mass;
  out.object.inertia *= belief.object_inertia;
  ShapeSpec& shape = out.object.shape;
  shape.corner_radius *= belief.object_size;
  for (double& axis : shape.semi_axes) axis *= belief.object_size;
  for (auto* points : {&shape.corners, &shape.points})
    for (std::array<double, 2>& point : *points)
      point = {point[0] * belief.object_size, point[1] * belief.object_size};
  return out;
}

std::vector<std::string> joint_names(const HandSpec& hand) {
  std::vector<std::string> names;
  for (const ArmSpec& arm : hand.arms)
    for (const LinkSpec& link : arm.links) names.push_back(arm.name + "." + link.name);
  return names;
}

double NormalFloor::at(double t, std::size_t contact) const {
  ENFOLD_REQUIRE(!knots.empty(), "NormalFloor::at: there are no knots, expected at least one");
  const auto after = std::find_if(knots.begin(), knots.end(), [t](const Knot& k) { return k.time > t; });
  if (after == knots.begin()) return knots.front().N.at(contact);
  if (after == knots.end()) return knots.back().N.at(contact);
  const auto before = after - 1;
  const double s = (t - before->time) / (after->time - before->time);
  return (1.0 - s) * before->N.at(contact) + s * after->N.at(contact);
}

const std::vector<ScenarioSection>& scenario_sections() {
  static const std::vector<ScenarioSection> sections = {
      {"scenario",
       {"enfold", "name", "shows", "hand", "planes", "object", "contacts", "task", "planner", "controller",
        "simulation", "contact_law", "noise", "motors", "sensors", "seed", "expect"}},
      {"hand", {"gravity_mps2", "arms"}},
      {"arm", {"name", "base_m", "object_side", "links"}},
      {"link", {"name", "length_m", "mass_kg", "inertia_kgm2", "com_m", "radius_m", "bulge_m"}},
      {"object", {"shape", "mass_kg", "inertia_kgm2"}},
      {"shape", {"type", "semi_axes_m", "radius_m", "exponent", "corners_m", "corner_radius_m", "points_m"}},
      {"plane", {"name", "point_m", "angle_deg"}},
      {"contact", {"name", "link", "part", "plane", "corner", "mu", "mode", "restitution"}},
      {"task", {"start", "trajectory", "loads", "coordinates"}},
      {"expect", {"exit", "says", "counts", "numbers"}},
      {"expect_counts", {"n", "n_theta", "k", "m", "p", "r_x"}},
      {"start", {"x_m", "y_m", "phi_deg", "phi_rad", "vx_mps", "vy_mps", "omega_radps"}},
      {"load", {"at_m", "knots"}},
      {"load_knot", {"time_s", "force_N", "moment_Nm"}},
      {"pose", {"x_m", "y_m", "phi_deg", "phi_rad"}},
      {"trajectory",
       {"type", "duration_s", "from", "to", "via", "centre_m", "turns", "radius_to_m", "margin", "detour_m",
        "rests"}},
      {"via", {"pose", "time_s"}},
      {"planner",
       {"objective", "min_normal_N", "sample_hz", "max_normal_N", "max_torque_Nm", "max_torque_rate_Nmps",
        "friction_margin", "robust"}},
      {"robust", {"mu_fraction", "force_N", "moment_Nm", "held"}},
      {"normal_knot", {"time_s", "N"}},
      {"controller",
       {"type", "rate_hz", "continuous", "Kp", "Kv", "Kalpha", "KPalpha", "Klambda", "poles",
        "joint_stiffness_Nmprad", "joint_damping_Nmsprad", "contact_forces", "stiffness", "damping",
        "allow_unstable", "self_motion", "delay_s", "model"}},
      {"stiffness", {"x_Npm", "y_Npm", "phi_Nmprad"}},
      {"damping", {"x_Nspm", "y_Nspm", "phi_Nmsprad"}},
      {"belief",
       {"mu", "link_mass_factor", "link_inertia_factor", "link_length_factor", "object_mass_factor",
        "object_inertia_factor", "object_size_factor"}},
      {"poles", {"motion", "force"}},
      {"simulation",
       {"model", "step_s", "record_hz", "duration_s", "drift_frequency_radps", "continuous_branch"}},
      {"contact_law", {"type", "stiffness_Npm", "damping_ratio", "dissipation_spm", "exponent"}},
      {"noise", {"force", "pose", "velocity", "pose_reference"}},
      {"motors", {"max_torque_Nm", "max_rate_Nmps", "resolution_Nm", "anti_windup"}},
      {"sensors",
       {"force_bias_N", "force_resolution_N", "joint_bias_deg", "joint_resolution_deg", "pose_bias",
        "pose_resolution"}},
      {"pose_error", {"x_m", "y_m", "phi_deg"}},
  };
  return sections;
}

const std::vector<ControllerKeys>& controller_types() {
  static const std::vector<ControllerKeys> types = {
      {"whole_arm", {"Kp", "Kv", "Kalpha", "poles", "self_motion"}},
      {"whole_arm_pi", {"Kp", "Kv", "Kalpha", "KPalpha", "poles", "self_motion"}},
      {"force_loop", {"Kp", "Kv", "Kalpha", "Klambda", "poles", "self_motion"}},
      {"joint_pd", {"joint_stiffness_Nmprad", "joint_damping_Nmsprad"}},
      {"computed_torque", {"Kp", "Kv", "poles", "contact_forces"}},
      {"object_impedance", {"stiffness", "damping", "Kp", "Kv", "Kalpha", "poles", "self_motion"}},
  };
  return types;
}

const std::vector<std::string_view>& scenario_shapes() {
  static const std::vector<std::string_view> shapes = {"ellipse", "circle", "superellipse", "polygon",
                                                       "spline"};
  return shapes;
}

}  // namespace enfold::io
