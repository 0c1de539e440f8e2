// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::io {

/// A scenario as plain values: SI units and radians, every default filled in. Names refer to names; nothing
/// here knows a mechanism, a planner or a controller.

enum class ObjectSide { kLeft, kRight };
enum class ContactKind { kSlide, kRoll, kAuto };
/// Which part of a link a contact may be on.
enum class ContactPart { kFace, kTip, kAny };
enum class PlannerObjective { kNormals, kLiteral, kMargin, kTorque, kTorqueSum };
/// What arms with joints to spare do with them: follow the plan's joint angles, or come to rest.
enum class SelfMotionPolicy { kPosture, kDamped };
/// Which contact forces a computed torque takes to act on the arms.
enum class ContactForceSource { kPlanned, kMeasured };
enum class SimulationModel { kIntegrated, kRigid, kCompliant };
/// What a pose noise fraction is a fraction of: the tracking error, the reading, or the range of the motion.
enum class PoseReference { kError, kReading, kRange };

[[nodiscard]] std::string_view to_string(ObjectSide value);
[[nodiscard]] std::string_view to_string(ContactKind value);
[[nodiscard]] std::string_view to_string(ContactPart value);
[[nodiscard]] std::string_view to_string(PlannerObjective value);
[[nodiscard]] std::string_view to_string(SelfMotionPolicy value);
[[nodiscard]] std::string_view to_string(ContactForceSource value);
[[nodiscard]] std::string_view to_string(SimulationModel value);
[[nodiscard]] std::string_view to_string(PoseReference value);

/// Where a part of a scenario was written (file:line:column), for messages. No part of a comparison.
struct Place {
  std::string text;
  bool operator==(const Place&) const { return true; }
};

struct LinkSpec {
  std::string name;
  double length = 0.0;             ///< joint to tip [m]
  double mass = 0.0;               ///< [kg]
  double inertia = 0.0;            ///< about the centre of mass [kg·m²]
  std::array<double, 2> com = {};  ///< centre of mass, along and across the link; mid-link by default [m]
  double radius = 0.0;             ///< half thickness [m]
  double bulge = 0.0;              ///< of a curved link, towards the object; < 0: hollow [m]
  bool operator==(const LinkSpec&) const = default;
};

struct ArmSpec {
  std::string name;
  std::array<double, 2> base = {};             ///< first joint [m]
  ObjectSide object_side = ObjectSide::kLeft;  ///< looking from joint to tip
  std::vector<LinkSpec> links;
  bool operator==(const ArmSpec&) const = default;
};

struct HandSpec {
  std::array<double, 2> gravity = {};  ///< [m/s²]
  std::vector<ArmSpec> arms;
  bool operator==(const HandSpec&) const = default;
};

struct ShapeSpec {
  std::string type;                              ///< ellipse, circle, superellipse, polygon or spline
  std::array<double, 2> semi_axes = {};          ///< along the body's x and y; equal for a circle [m]
  double exponent = 2.0;                         ///< of a superellipse
  std::vector<std::array<double, 2>> corners{};  ///< of a polygon, body frame, counter-clockwise [m]
  double corner_radius = 0.0;                    ///< of a polygon with rounded corners [m]
  std::vector<std::array<double, 2>> points{};   ///< of a spline, body frame, counter-clockwise [m]
  bool operator==(const ShapeSpec&) const = default;
};

struct ObjectSpec {
  ShapeSpec shape;
  double mass = 0.0;     ///< [kg]
  double inertia = 0.0;  ///< about the centre of mass [kg·m²]
  bool operator==(const ObjectSpec&) const = default;
};

/// A fixed half-plane; its free side is to the left of its direction.
struct PlaneSpec {
  std::string name;
  std::array<double, 2> point = {};  ///< on its surface [m]
  double angle = 0.0;                ///< of its direction to the x axis [rad]
  bool operator==(const PlaneSpec&) const = default;
};

struct ContactSpec {
  std::string name;     ///< the link's name unless given
  std::string link;     ///< `<arm>.<link>`; empty if it is on a plane
  std::string plane{};  ///< name of a plane; empty if it is on a link
  int corner = -1;      ///< of a polygon, from 0; −1 for a smooth shape, or whichever is nearest
  ContactPart part = ContactPart::kFace;
  double mu = 0.0;           ///< coefficient of friction
  double restitution = 0.0;  ///< of impacts, 0 … 1
  ContactKind mode = ContactKind::kAuto;
  Place place{};
  bool operator==(const ContactSpec&) const = default;
};

struct PoseSpec {
  double x = 0.0;    ///< [m]
  double y = 0.0;    ///< [m]
  double phi = 0.0;  ///< [rad]
  Place place{};
  bool operator==(const PoseSpec&) const = default;
};

/// A pose on the way.
struct ViaSpec {
  PoseSpec pose;
  std::optional<double> time;  ///< [s]; of all via poses or of none, which are then the best
  bool operator==(const ViaSpec&) const = default;
};

struct TrajectorySpec {
  std::string type = "quintic";  ///< quintic, minimum_jerk, circle, spiral or unique_path
  double duration = 0.0;         ///< [s]
  PoseSpec from;
  PoseSpec to;                        ///< of a circle or spiral x and y follow
  std::vector<ViaSpec> via{};         ///< of minimum_jerk
  std::array<double, 2> centre = {};  ///< of a circle or spiral [m]
  double turns = 0.0;                 ///< of a circle or spiral, counter-clockwise
  double radius_to = 0.0;             ///< of a circle or spiral, at the end [m]
  double margin = 0.0;                ///< of unique_path: friction margin of uniqueness
  double detour = 0.05;               ///< of unique_path: how far it may leave the straight line [m]
  bool rests = true;                  ///< of unique_path: whether it may rest on the way
  [[nodiscard]] bool is_round() const { return type == "circle" || type == "spiral"; }
  bool operator==(const TrajectorySpec&) const = default;
};

/// A force from outside on the object, linear between knots, constant before the first and after the last.
struct LoadSpec {
  struct Knot {
    double time = 0.0;                 ///< [s]
    std::array<double, 2> force = {};  ///< in world directions [N]
    double moment = 0.0;               ///< counter-clockwise [N·m]
    bool operator==(const Knot&) const = default;
  };
  std::array<double, 2> at = {};  ///< where it acts, in the body frame [m]
  std::vector<Knot> knots;
  bool operator==(const LoadSpec&) const = default;
};

struct TaskSpec {
  PoseSpec start;                             ///< where the object is at t = 0; trajectory.from unless given
  std::array<double, 3> start_velocity = {};  ///< of the object, at t = 0 [m/s, m/s, rad/s]
  TrajectorySpec trajectory;                  ///< without arms there is none
  std::vector<LoadSpec> loads{};
  /// Which of x, y, phi the trajectory tells; the contacts tell the rest. Empty: all.
  std::vector<std::string> coordinates{};
  bool operator==(const TaskSpec&) const = default;
};

/// The smallest normal force that the planner may choose, for each contact, linear between knots in time and
/// constant before the first and after the last.
struct NormalFloor {
  struct Knot {
    double time = 0.0;      ///< [s]
    std::vector<double> N;  ///< one value for each contact, in the scenario's order [N]
    bool operator==(const Knot&) const = default;
  };
  std::vector<Knot> knots;  ///< at least one, times increasing; a single knot is a constant

  /// The floor of one contact at time t [N]. @pre contact < N.size() of every knot
  [[nodiscard]] double at(double t, std::size_t contact) const;
  bool operator==(const NormalFloor&) const = default;
};

/// What the squeeze must work for, all at once.
struct RobustSpec {
  std::vector<double> mu_fraction;   ///< of each contact: μ within μ(1 ∓ fraction), 0 … 1
  std::array<double, 2> force = {};  ///< on the object, half widths [N]
  double moment = 0.0;               ///< half width [N·m]
  bool held = false;                 ///< also for wrenches that last until the law has balanced them
  bool operator==(const RobustSpec&) const = default;
};

struct PlannerSpec {
  PlannerObjective objective = PlannerObjective::kNormals;
  NormalFloor min_normal;
  double sample_rate = 1000.0;            ///< plan points per second [Hz]
  std::optional<double> max_normal;       ///< [N]
  std::optional<double> max_torque;       ///< [N·m]
  std::optional<double> max_torque_rate;  ///< between plan points [N·m/s]
  /// Of each rolling contact: the part of its friction that is kept back, 0 … 1.
  std::vector<double> friction_margin{};
  std::optional<RobustSpec> robust{};
  bool operator==(const PlannerSpec&) const = default;
};

/// What controller and planner believe where it differs from the world. Factors multiply the world's values.
struct BeliefSpec {
  std::vector<double> mu{};  ///< friction, one value for each contact; empty: as it is
  double link_mass = 1.0;
  double link_inertia = 1.0;
  double link_length = 1.0;  ///< of lengths, centres of mass and bulges
  double object_mass = 1.0;
  double object_inertia = 1.0;
  double object_size = 1.0;
  [[nodiscard]] bool exact() const { return *this == BeliefSpec{}; }
  bool operator==(const BeliefSpec&) const = default;
};

struct ControllerSpec {
  std::string type = "whole_arm";
  double rate = 1000.0;  ///< control instants per second; 0: continuous [Hz]
  double Kp = 100.0;     ///< [1/s²]
  double Kv = 20.0;      ///< [1/s]
  double Kalpha = 10.0;  ///< [1/s]
  double KPalpha = 0.2;  ///< of whole_arm_pi: proportional gain on the internal force
  double Klambda = 2.0;  ///< of force_loop: on the error of every contact force
  /// Of joint_pd, one value for all joints or one for each [N·m/rad], [N·m·s/rad].
  std::vector<double> joint_stiffness{1.5}, joint_damping{0.3};
  ContactForceSource contact_forces = ContactForceSource::kPlanned;  ///< of computed_torque
  /// Of object_impedance, along x, y, phi [N/m, N/m, N·m/rad], [N·s/m, N·s/m, N·m·s/rad].
  std::array<double, 3> stiffness{1000.0, 1000.0, 3.0}, damping{200.0, 200.0, 0.6};
  bool allow_unstable = false;  ///< accepts gains whose error equations do not decay
  SelfMotionPolicy self_motion = SelfMotionPolicy::kPosture;
  double delay = 0.0;  ///< from a control instant to its torque [s]
  BeliefSpec model{};
  /// The motion is meant to obey ë + K_v ė + K_p e = 0.
  [[nodiscard]] bool follows_eq14() const {
    return type == "whole_arm" || type == "whole_arm_pi" || type == "force_loop";
  }
  bool operator==(const ControllerSpec&) const = default;
};

/// What the motors can give. Limits: none, one for all joints, or one for each.
struct MotorsSpec {
  std::vector<double> max_torque{};  ///< [N·m]
  std::vector<double> max_rate{};    ///< [N·m/s]
  double resolution = 0.0;           ///< [N·m]
  bool anti_windup = true;
  [[nodiscard]] bool ideal() const { return max_torque.empty() && max_rate.empty() && resolution == 0.0; }
  bool operator==(const MotorsSpec&) const = default;
};

/// Errors of readings that are the same at every instant.
struct SensorsSpec {
  double force_bias = 0.0;                  ///< of every normal force [N]
  double force_resolution = 0.0;            ///< [N]
  double joint_bias = 0.0;                  ///< of every joint angle [rad]
  double joint_resolution = 0.0;            ///< [rad]
  std::array<double, 3> pose_bias{};        ///< of x, y, phi [m, m, rad]
  std::array<double, 3> pose_resolution{};  ///< [m, m, rad]
  [[nodiscard]] bool exact() const { return *this == SensorsSpec{}; }
  bool operator==(const SensorsSpec&) const = default;
};

struct SimulationSpec {
  SimulationModel model = SimulationModel::kIntegrated;
  double step = 1e-3;              ///< [s]
  double record_rate = 1000.0;     ///< [Hz]
  double duration = 0.0;           ///< the trajectory's unless given [s]
  double drift_frequency = 100.0;  ///< of the gap correction [rad/s]
  bool continuous_branch = false;  ///< where several solutions exist, follow the one nearest to the last
  bool operator==(const SimulationSpec&) const = default;
};

struct ContactLawSpec {
  std::string type = "kelvin_voigt";
  double stiffness = 1e4;      ///< [N/m]
  double damping_ratio = 0.7;  ///< fraction of critical damping; of hunt_crossley: of the tangential damper
  double dissipation = 0.5;    ///< of hunt_crossley, d in f(1 + d δ̇) [s/m]
  double exponent = 1.5;       ///< of hunt_crossley
  bool operator==(const ContactLawSpec&) const = default;
};

/// Uniform relative noise on what the controller reads.
struct NoiseSpec {
  double force = 0.0;     ///< fraction of the reading
  double pose = 0.0;      ///< fraction of what pose_reference says
  double velocity = 0.0;  ///< fraction of the reading
  PoseReference pose_reference = PoseReference::kError;
  bool operator==(const NoiseSpec&) const = default;
};

/// What must come out of a scenario; checked when it runs unchanged.
struct ExpectSpec {
  struct Range {
    std::string name;  ///< of a number in run.json's summary
    double low = 0.0, high = 0.0;
    bool operator==(const Range&) const = default;
  };
  struct Count {
    std::string name;  ///< n, n_theta, k, m, p, r_x
    long value = 0;
    bool operator==(const Count&) const = default;
  };
  int exit = 0;               ///< of `enfold simulate`
  std::string says;           ///< a part of the message of a run that does not complete
  std::vector<Count> counts;  ///< of the audit at the start pose
  std::vector<Range> numbers;
  bool operator==(const ExpectSpec&) const = default;
};

struct Scenario {
  int format = 1;
  std::string name;
  std::string shows;
  HandSpec hand;  ///< without arms: a scene in which the object is left alone
  std::vector<PlaneSpec> planes{};
  ObjectSpec object;
  std::vector<ContactSpec> contacts;
  TaskSpec task;
  PlannerSpec planner;
  ControllerSpec controller;
  SimulationSpec simulation;
  ContactLawSpec contact_law;
  NoiseSpec noise;
  MotorsSpec motors{};
  SensorsSpec sensors{};
  std::uint64_t seed = 1;
  std::optional<ExpectSpec> expect{};
  [[nodiscard]] bool has_hand() const { return !hand.arms.empty(); }
  bool operator==(const Scenario&) const = default;
};

/// The world as controller.model believes it to be: the scenario with that hand, object and friction.
[[nodiscard]] Scenario believed_scenario(const Scenario& scenario);
/// Names of the joints, `<arm>.<link>`, in the order of θ.
[[nodiscard]] std::vector<std::string> joint_names(const HandSpec& hand);

}  // namespace enfold::io
