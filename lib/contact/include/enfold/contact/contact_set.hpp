// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "enfold/base/types.hpp"

namespace enfold::contact {

/// Kinematics of all contacts at one state; n_t tangent directions per contact (1 in the plane, 2 in space).
///
///     φ̇_N = W_Nᵀ v,   φ̇_T = W_Tᵀ v,   φ̈_N = W_Nᵀ v̇ + bias_N,   φ̈_T = W_Tᵀ v̇ + bias_T        [eq:S4.7]
///
/// The biases are d(Wᵀ)/dt·v and hold the motion of the contact point over both surfaces. The normal points
/// from the link to the object; gap and slip are those of the object relative to the link.
struct ContactKinematics {
  VectorXd gap;     ///< φ, n_C [m]
  MatrixXd W_N;     ///< n_v × n_C
  MatrixXd W_T;     ///< n_v × n_C·n_t
  VectorXd bias_N;  ///< n_C [m/s²]
  VectorXd bias_T;  ///< n_C·n_t [m/s²]
  /// From the contact point to the nearest end of the part of the link that the contact may be on; < 0 beyond
  /// it [m].
  VectorXd edge_distance;
};

/// Which parts of the two surfaces a contact is on: face, tip, corner, curve. Codes that their contact set
/// reads; the contact point moves smoothly while they stay. At a change the gap is continuous.
struct ContactFeature {
  std::int16_t link = 0, object = -1;
  /// Instead of a feature: whatever is nearest.
  static constexpr ContactFeature nearest() { return {-1, -1}; }
  bool operator==(const ContactFeature&) const = default;
};

/// Where a contact is and which way it faces, in world coordinates.
struct ContactFrame {
  VectorXd object_point;  ///< on the object's surface [m]
  VectorXd link_point;    ///< on the link's surface; equal to object_point at gap 0 [m]
  VectorXd normal;        ///< unit vector from the link to the object
  MatrixXd tangents;      ///< one unit vector per column; the first from the link's joint to its tip
  Index link = 0;         ///< number of the link in Mechanism::link_names(); −1 on a fixed half-plane
};

/// Joint angles that make every link touch the object at a given pose.
struct Closure {
  enum class Status {
    kClosed,
    kDoesNotReach,  ///< a contact would lie beyond the end of its link
    kWrapsWrongly,  ///< a joint lies inside the object (or nearer than its link is thick): no link can start
                    ///< there
  };
  Status status = Status::kDoesNotReach;
  VectorXd theta;      ///< valid if closed(); n_θ
  Index contact = -1;  ///< the contact that fails; −1 if closed, or if the link that fails has no contact
  double shortfall = 0.0;  ///< by how much the link is too short [m]
  std::string message;     ///< one sentence that names the contact and what to change

  [[nodiscard]] bool closed() const { return status == Status::kClosed; }
};

/// The named contacts of a grasp. Const and thread-safe; kinematics() allocates nothing once `out` has its
/// size.
class ContactSet {
 public:
  virtual ~ContactSet() = default;

  [[nodiscard]] Index n_contacts() const { return static_cast<Index>(names().size()); }
  [[nodiscard]] virtual Index n_tangents() const = 0;
  [[nodiscard]] virtual const std::vector<std::string>& names() const = 0;

  /// Of the features that are nearest at q.
  virtual void kinematics(const VectorXd& q, const VectorXd& v, ContactKinematics& out) const = 0;
  [[nodiscard]] virtual ContactFrame frame(const VectorXd& q, Index contact) const = 0;

  /// True if contacts can move from one feature to another.
  [[nodiscard]] virtual bool has_features() const { return false; }
  /// The features that are nearest at q. `features` holds those before, which stay where there is a tie, or
  /// is empty; those before may be nearest(), too. Allocates nothing once it has its size.
  virtual void find_features(const VectorXd& /*q*/, std::vector<ContactFeature>& features) const {
    features.resize(names().size());
  }
  /// Of given features, whether or not they are the nearest: smooth in q. Of nearest(), as kinematics().
  /// @pre one feature per contact
  virtual void kinematics_on(std::span<const ContactFeature> /*features*/, const VectorXd& q,
                             const VectorXd& v, ContactKinematics& out) const {
    kinematics(q, v, out);
  }
  /// A feature in words, e.g. "face on corner 2".
  [[nodiscard]] virtual std::string feature_name(ContactFeature /*feature*/) const { return "surface"; }

  /// Closes the hand on the object at pose x (the object's part of q).
  [[nodiscard]] virtual Closure close(const VectorXd& x) const = 0;
  /// The same next to given joint angles: of several postures the one that they lead to, so that a motion
  /// stays on one branch; quick where they are close. By default close(x).
  [[nodiscard]] virtual Closure close_near(const VectorXd& x, const VectorXd& /*theta*/) const {
    return close(x);
  }
};

}  // namespace enfold::contact
