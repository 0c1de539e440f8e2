// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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
  VectorXd
      edge_distance;  ///< from the contact point to the nearest end of the link's face; < 0 beyond it [m]
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

  virtual void kinematics(const VectorXd& q, const VectorXd& v, ContactKinematics& out) const = 0;
  [[nodiscard]] virtual ContactFrame frame(const VectorXd& q, Index contact) const = 0;

  /// Closes the hand on the object at pose x (the object's part of q).
  [[nodiscard]] virtual Closure close(const VectorXd& x) const = 0;
};

}  // namespace enfold::contact
