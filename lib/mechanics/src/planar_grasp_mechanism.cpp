// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/mechanics/planar_grasp_mechanism.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "enfold/base/require.hpp"

namespace enfold::mechanics {
namespace {

void require_size(const VectorXd& x, Index n, const char* name) {
  ENFOLD_REQUIRE(x.size() == n, "PlanarGraspMechanism: {} has {} entries, expected {}", name, x.size(), n);
}

}  // namespace

std::vector<Vector2d> outline(const PlanarObject& object, Index n) {
  if (object.polygon != nullptr) return object.polygon->outline();
  ENFOLD_REQUIRE(object.shape != nullptr, "outline: the object has no shape");
  ENFOLD_REQUIRE(n > 0, "outline: {} points, expected at least one", n);
  std::vector<Vector2d> points;
  for (Index k = 0; k < n; ++k) {
    const double turn = static_cast<double>(k) / static_cast<double>(n);
    points.push_back(object.shape->boundary_point(2.0 * std::numbers::pi * turn));
  }
  return points;
}

const geometry::ConvexCurve& curve(const PlanarObject& object) {
  ENFOLD_REQUIRE(object.polygon != nullptr || object.shape != nullptr, "curve: the object has no shape");
  return object.polygon != nullptr ? *object.polygon : *object.shape;
}

double characteristic_length(const PlanarObject& object) {
  return curve(object).characteristic_length();
}

PlanarGraspMechanism::PlanarGraspMechanism(PlanarHand hand, PlanarObject object)
    : hand_{std::move(hand)}, object_{std::move(object)} {
  ENFOLD_REQUIRE(std::isfinite(object_.mass) && object_.mass > 0.0,
                 "PlanarObject: mass is {} kg, expected > 0", object_.mass);
  ENFOLD_REQUIRE(std::isfinite(object_.inertia) && object_.inertia > 0.0,
                 "PlanarObject: inertia is {} kg m², expected > 0", object_.inertia);
  ENFOLD_REQUIRE(object_.shape == nullptr || object_.polygon == nullptr,
                 "PlanarObject: both a smooth shape and a polygon, expected one of them");
}

void PlanarGraspMechanism::dynamics(const VectorXd& q, const VectorXd& v, Dynamics& out) const {
  const Index n = n_v();
  const Index n_j = hand_.n_joints();
  require_size(q, n, "q");
  require_size(v, n, "v");
  if (out.M.rows() != n) {
    out.M.setZero(n, n);
    out.h.setZero(n);
  }
  std::array<LinkMotion, PlanarHand::kMaxJoints> links;
  hand_.kinematics(q.tail(n_j), v.tail(n_j), links);
  out.M.setZero();
  out.M(0, 0) = out.M(1, 1) = object_.mass;
  out.M(2, 2) = object_.inertia;
  out.h.head<2>() = -object_.mass * hand_.gravity();
  out.h[2] = 0.0;
  hand_.dynamics(links, out.M.bottomRightCorner(n_j, n_j), out.h.tail(n_j));
}

void PlanarGraspMechanism::configuration_rate(const VectorXd& /*q*/, const VectorXd& v,
                                              VectorXd& q_dot) const {
  q_dot = v;
}

void PlanarGraspMechanism::difference(const VectorXd& from, const VectorXd& to, VectorXd& out) const {
  // Angles are unwrapped coordinates, not points of a circle: a turn of 2π is a motion the hand has to make.
  out = to - from;
}

double PlanarGraspMechanism::kinetic_energy(const VectorXd& q, const VectorXd& v) const {
  require_size(q, n_v(), "q");
  require_size(v, n_v(), "v");
  return 0.5 * object_.mass * v.head<2>().squaredNorm() + 0.5 * object_.inertia * v[2] * v[2] +
         hand_.kinetic_energy(q.tail(hand_.n_joints()), v.tail(hand_.n_joints()));
}

double PlanarGraspMechanism::potential_energy(const VectorXd& q) const {
  require_size(q, n_v(), "q");
  return -object_.mass * hand_.gravity().dot(q.head<2>()) + hand_.potential_energy(q.tail(hand_.n_joints()));
}

MatrixXd PlanarGraspMechanism::object_point_jacobian(const VectorXd& q, const VectorXd& point) const {
  require_size(q, n_v(), "q");
  require_size(point, 2, "point");
  const Vector2d r = point - q.head<2>();
  MatrixXd J(2, 3);
  J << 1.0, 0.0, -r.y(), 0.0, 1.0, r.x();
  return J;
}

MatrixXd PlanarGraspMechanism::link_point_jacobian(const VectorXd& q, Index link,
                                                   const VectorXd& point) const {
  ENFOLD_REQUIRE(link >= 0 && link < hand_.n_joints(), "link_point_jacobian: link {} of {}", link,
                 hand_.n_joints());
  require_size(q, n_v(), "q");
  require_size(point, 2, "point");
  const Index n_j = hand_.n_joints();
  std::array<LinkMotion, PlanarHand::kMaxJoints> links;
  hand_.kinematics(q.tail(n_j), VectorXd::Zero(n_j), links);
  MatrixXd J = MatrixXd::Zero(2, n_j);
  for (Index j = hand_.first_joint(link); j <= link; ++j) {
    const Vector2d r = point - links[static_cast<std::size_t>(j)].p;
    J.col(j) << -r.y(), r.x();
  }
  return J;
}

const std::vector<std::string>& PlanarGraspMechanism::object_position_names() const {
  static const std::vector<std::string> names{"x_m", "y_m", "phi_rad"};
  return names;
}

const std::vector<std::string>& PlanarGraspMechanism::object_velocity_names() const {
  static const std::vector<std::string> names{"vx_mps", "vy_mps", "omega_radps"};
  return names;
}

}  // namespace enfold::mechanics
