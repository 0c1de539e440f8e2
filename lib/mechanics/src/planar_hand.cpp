// SPDX-License-Identifier: BSD-3-Clause
#include "enfold/mechanics/planar_hand.hpp"

#include <array>
#include <cmath>
#include <set>

#include "enfold/base/require.hpp"

namespace enfold::mechanics {
namespace {

Vector2d perp(const Vector2d& a) {
  return {-a.y(), a.x()};
}

void require_valid(const PlanarArm& arm, const PlanarLink& link) {
  const auto name = fmt::format("{}.{}", arm.name, link.name);
  ENFOLD_REQUIRE(std::isfinite(link.length) && link.length > 0.0,
                 "PlanarHand: length of {} is {} m, expected > 0", name, link.length);
  ENFOLD_REQUIRE(std::isfinite(link.mass) && link.mass > 0.0, "PlanarHand: mass of {} is {} kg, expected > 0",
                 name, link.mass);
  ENFOLD_REQUIRE(std::isfinite(link.inertia) && link.inertia >= 0.0,
                 "PlanarHand: inertia of {} is {} kg m², expected ≥ 0", name, link.inertia);
  ENFOLD_REQUIRE(std::isfinite(link.radius) && link.radius >= 0.0,
                 "PlanarHand: radius of {} is {} m, expected ≥ 0", name, link.radius);
  ENFOLD_REQUIRE(std::isfinite(link.bulge) && std::abs(link.bulge) < 0.45 * link.length,
                 "PlanarHand: bulge of {} is {} m, expected less than 0.45 of its length", name, link.bulge);
  // An arc about a centre on the object's side: its surface is nearer to that centre by the half thickness.
  ENFOLD_REQUIRE(
      link.bulge >= 0.0 || link.radius < 0.5 * (0.25 * link.length * link.length / -link.bulge - link.bulge),
      "PlanarHand: radius of {} is {} m, more than its hollow side is round", name, link.radius);
  ENFOLD_REQUIRE(link.com.allFinite(), "PlanarHand: centre of mass of {} is not finite", name);
  // Otherwise M is singular, and its inverse is what the equations of motion need.
  ENFOLD_REQUIRE(
      link.inertia + link.mass * link.com.squaredNorm() > 0.0,
      "PlanarHand: {} has no inertia about its joint; give it a rotational inertia or move its centre of "
      "mass off the joint",
      name);
}

/// Centre of mass of a link in world coordinates.
Vector2d com_of(const LinkMotion& motion, const PlanarLink& link) {
  return motion.p + link.com.x() * motion.d + link.com.y() * perp(motion.d);
}

}  // namespace

PlanarHand::PlanarHand(std::vector<PlanarArm> arms, const Vector2d& gravity)
    : arms_{std::move(arms)}, gravity_{gravity} {
  ENFOLD_REQUIRE(gravity_.allFinite(), "PlanarHand: gravity is not finite");
  std::set<std::string> seen;
  for (std::size_t a = 0; a < arms_.size(); ++a) {
    const PlanarArm& arm = arms_[a];
    ENFOLD_REQUIRE(arm.base.allFinite(), "PlanarHand: base of arm {} is not finite", arm.name);
    ENFOLD_REQUIRE(!arm.links.empty(), "PlanarHand: arm {} has no links", arm.name);
    const auto first = static_cast<Index>(links_.size());
    for (const PlanarLink& link : arm.links) {
      require_valid(arm, link);
      names_.push_back(arm.name + "." + link.name);
      ENFOLD_REQUIRE(seen.insert(names_.back()).second, "PlanarHand: two links are named {}", names_.back());
      links_.push_back({link, first, a});
    }
  }
  ENFOLD_REQUIRE(n_joints() <= kMaxJoints, "PlanarHand: {} joints, at most {}", n_joints(), kMaxJoints);
}

const PlanarArm& PlanarHand::arm_of(Index i) const {
  return arms_[links_[static_cast<std::size_t>(i)].arm];
}

void PlanarHand::kinematics(const Eigen::Ref<const VectorXd>& theta,
                            const Eigen::Ref<const VectorXd>& theta_dot, std::span<LinkMotion> out) const {
  ENFOLD_REQUIRE(theta.size() == n_joints() && theta_dot.size() == n_joints(),
                 "kinematics: {} angles and {} velocities for {} joints", theta.size(), theta_dot.size(),
                 n_joints());
  ENFOLD_REQUIRE(out.size() >= links_.size(), "kinematics: room for {} of {} links", out.size(),
                 links_.size());
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const auto i = static_cast<Index>(l);
    LinkMotion& m = out[l];
    if (links_[l].first == i) {
      m.p = arms_[links_[l].arm].base;
      m.p_dot.setZero();
      m.p_bias.setZero();
      m.psi = theta[i];
      m.psi_dot = theta_dot[i];
    } else {
      const LinkMotion& before = out[l - 1];
      const Vector2d reach = links_[l - 1].link.length * before.d;
      m.p = before.p + reach;
      m.p_dot = before.p_dot + before.psi_dot * perp(reach);
      m.p_bias = before.p_bias - before.psi_dot * before.psi_dot * reach;
      m.psi = before.psi + theta[i];
      m.psi_dot = before.psi_dot + theta_dot[i];
    }
    m.d = {std::cos(m.psi), std::sin(m.psi)};
  }
}

void PlanarHand::dynamics(std::span<const LinkMotion> links, Eigen::Ref<MatrixXd> M,
                          Eigen::Ref<VectorXd> h) const {
  M.setZero();
  h.setZero();
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const PlanarLink& link = links_[l].link;
    const LinkMotion& m = links[l];
    const Vector2d c = com_of(m, link);
    // J̇_c θ̇: acceleration of the centre of mass at θ̈ = 0
    const Vector2d c_bias = m.p_bias - m.psi_dot * m.psi_dot * (c - m.p);
    const Vector2d load = link.mass * (c_bias - gravity_);
    const auto last = static_cast<Index>(l);
    for (Index i = links_[l].first; i <= last; ++i) {
      const Vector2d J_i = perp(c - links[static_cast<std::size_t>(i)].p);
      h[i] += J_i.dot(load);
      for (Index j = links_[l].first; j <= i; ++j) {
        const Vector2d J_j = perp(c - links[static_cast<std::size_t>(j)].p);
        M(i, j) += link.mass * J_i.dot(J_j) + link.inertia;
      }
    }
  }
  for (Index i = 0; i < n_joints(); ++i)
    for (Index j = 0; j < i; ++j) M(j, i) = M(i, j);
}

double PlanarHand::kinetic_energy(const Eigen::Ref<const VectorXd>& theta,
                                  const Eigen::Ref<const VectorXd>& theta_dot) const {
  std::array<LinkMotion, kMaxJoints> motion;
  kinematics(theta, theta_dot, motion);
  double energy = 0.0;
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const PlanarLink& link = links_[l].link;
    const Vector2d c_dot = motion[l].p_dot + motion[l].psi_dot * perp(com_of(motion[l], link) - motion[l].p);
    energy +=
        0.5 * link.mass * c_dot.squaredNorm() + 0.5 * link.inertia * motion[l].psi_dot * motion[l].psi_dot;
  }
  return energy;
}

double PlanarHand::potential_energy(const Eigen::Ref<const VectorXd>& theta) const {
  std::array<LinkMotion, kMaxJoints> motion;
  kinematics(theta, theta, motion);  // any velocity will do: only positions are used
  double energy = 0.0;
  for (std::size_t l = 0; l < links_.size(); ++l)
    energy -= links_[l].link.mass * gravity_.dot(com_of(motion[l], links_[l].link));
  return energy;
}

}  // namespace enfold::mechanics
