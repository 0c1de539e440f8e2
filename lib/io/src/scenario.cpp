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
std::string_view to_string(SimulationModel value) {
  return word_of(kModelWords, value);
}
std::string_view to_string(PoseReference value) {
  return word_of(kPoseReferenceWords, value);
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
        "simulation", "contact_law", "noise", "seed", "expect"}},
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
      {"robust", {"mu_fraction", "force_N", "moment_Nm"}},
      {"normal_knot", {"time_s", "N"}},
      {"controller",
       {"type", "rate_hz", "continuous", "Kp", "Kv", "Kalpha", "Klambda", "poles", "allow_unstable",
        "self_motion"}},
      {"poles", {"motion", "force"}},
      {"simulation",
       {"model", "step_s", "record_hz", "duration_s", "drift_frequency_radps", "continuous_branch"}},
      {"contact_law", {"type", "stiffness_Npm", "damping_ratio", "dissipation_spm", "exponent"}},
      {"noise", {"force", "pose", "velocity", "pose_reference"}},
  };
  return sections;
}

const std::vector<std::string_view>& scenario_shapes() {
  static const std::vector<std::string_view> shapes = {"ellipse", "circle", "superellipse", "polygon",
                                                       "spline"};
  return shapes;
}

}  // namespace enfold::io
