// SPDX-License-Identifier: BSD-3-Clause
#include "arm_closing.hpp"
#include "enfold/base/require.hpp"
#include "enfold/contact/planar_contact_set.hpp"

namespace enfold::contact {
namespace {

constexpr double kGapTol = 1e-11;    // [m]
constexpr double kClearance = 1e-6;  // of a free link that lies along its tangent [m]

/// One arm: its tangents, a posture near to given angles, or the best of a search.
Closure close_arm(const ArmClosing& arm, const VectorXd* near) {
  if (arm.plain()) {
    Closure tangents = arm.tangents();
    if (!arm.has_free_links()) return tangents;
    ArmFailure failure;
    if (near == nullptr && tangents.closed()) {
      // Free links must not touch: there is no force at a contact that nobody declared.
      const std::optional<ArmPosture> posture = arm.judge(tangents.theta, failure);
      if (posture && posture->clearance > kClearance) return tangents;
    }
  }
  Closure out;
  ArmFailure failure;
  failure.amount = std::numeric_limits<double>::infinity();
  if (near != nullptr) {
    const std::optional<VectorXd> theta =
        arm.solve(near->segment(arm.first(), arm.n_joints()), kGapTol, failure);
    if (theta && arm.judge(*theta, failure)) {
      out.status = Closure::Status::kClosed;
      out.theta = *theta;
      return out;
    }
  }
  const std::vector<ArmPosture> found = arm.search({}, failure);
  if (!found.empty()) {
    out.status = Closure::Status::kClosed;
    out.theta = found.front().theta;
    return out;
  }
  if (arm.plain()) {
    if (Closure tangents = arm.tangents(); !tangents.closed()) return tangents;
  }
  return arm.explain(failure);
}

/// Where the object touches a half-plane is for its pose to say.
Closure check_planes(const PlanarContactSet& set, const VectorXd& q) {
  ContactKinematics kinematics;
  set.kinematics(q, VectorXd::Zero(q.size()), kinematics);
  Closure out;
  out.status = Closure::Status::kClosed;
  for (Index i = 0; i < set.n_contacts(); ++i) {
    if (set.link_of(i) >= 0 || kinematics.gap[i] >= -1e-7) continue;
    const PlanarContact& contact = set.contacts()[static_cast<std::size_t>(i)];
    out.status = Closure::Status::kWrapsWrongly;
    out.contact = i;
    out.shortfall = -kinematics.gap[i];
    out.message = fmt::format("contact {}: the object is {:.3g} m inside plane {}; move it out", contact.name,
                              -kinematics.gap[i], set.planes()[static_cast<std::size_t>(contact.plane)].name);
    break;
  }
  return out;
}

Closure close_hand(const PlanarContactSet& set, const VectorXd& x, const VectorXd* near) {
  ENFOLD_REQUIRE(x.size() == 3 && x.allFinite(), "close: the object pose must be three finite numbers");
  const mechanics::PlanarHand& hand = set.mechanism().hand();
  ENFOLD_REQUIRE(near == nullptr || near->size() == hand.n_joints(),
                 "close_near: {} joint angles, expected {}", near == nullptr ? 0 : near->size(),
                 hand.n_joints());
  Closure closure;
  closure.theta = VectorXd::Zero(hand.n_joints());
  closure.status = Closure::Status::kClosed;
  if (hand.n_joints() == 0) return closure;
  for (std::size_t a = 0; a < hand.arms().size(); ++a) {
    const ArmClosing arm(set, a, x);
    Closure closed = close_arm(arm, near);
    if (!closed.closed()) {
      closed.theta = closure.theta;
      return closed;
    }
    closure.theta.segment(arm.first(), arm.n_joints()) = closed.theta;
  }
  VectorXd q(3 + hand.n_joints());
  q << x, closure.theta;
  Closure planes = check_planes(set, q);
  if (planes.closed()) return closure;
  planes.theta = closure.theta;
  return planes;
}

}  // namespace

Closure PlanarContactSet::close(const VectorXd& x) const {
  return close_hand(*this, x, nullptr);
}

Closure PlanarContactSet::close_near(const VectorXd& x, const VectorXd& theta) const {
  return close_hand(*this, x, &theta);
}

}  // namespace enfold::contact
