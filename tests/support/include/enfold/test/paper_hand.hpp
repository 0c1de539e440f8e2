// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "enfold/base/counter_random.hpp"
#include "enfold/contact/contact_mode.hpp"
#include "enfold/contact/planar_contact_set.hpp"
#include "enfold/geometry/ellipse.hpp"
#include "enfold/mechanics/planar_grasp_mechanism.hpp"

namespace enfold::test {

using contact::ContactMode;

// Short, because tests write whole lists of them.
inline constexpr auto kPlus = ContactMode::kSlidePlus;
inline constexpr auto kMinus = ContactMode::kSlideMinus;
inline constexpr auto kRoll = ContactMode::kRoll;
inline constexpr auto kOpen = ContactMode::kOpen;

/// What a test may change of the hand and the ellipse of S4, Sec. 5 (numbers of
/// scenarios/song2001-rotate.yaml).
struct PaperHandOptions {
  double radius =
      0.0;  ///< half thickness of the links [m]; with thickness friction has a moment about the joint
  Vector2d gravity = Vector2d::Zero();    ///< [m/s²]
  std::vector<double> lengths{0.2, 0.2};  ///< of each arm's links [m]
  double a = 0.15, b = 0.11;              ///< semi-axes [m]
  double object_mass = 1.69;              ///< [kg]
  double link_mass = 0.5;                 ///< [kg]
  std::vector<std::pair<const char*, Index>>
      extra_contacts{};  ///< name and link, beyond one contact per link
};

struct PaperHand {
  std::shared_ptr<const mechanics::PlanarGraspMechanism> mechanism;
  std::shared_ptr<const contact::PlanarContactSet> contacts;

  /// The closed configuration at an object pose. Throws if the hand does not close there.
  [[nodiscard]] VectorXd closed(double x, double y, double phi_deg) const {
    const VectorXd pose = (VectorXd(3) << x, y, phi_deg * std::numbers::pi / 180.0).finished();
    return closed(pose);
  }
  [[nodiscard]] VectorXd closed(const VectorXd& pose) const {
    const contact::Closure closure = contacts->close(pose);
    if (!closure.closed()) throw std::runtime_error(closure.message);
    VectorXd q(mechanism->n_q());
    q << pose, closure.theta;
    return q;
  }
  /// A random closed configuration of the first example: 70° … 110°, a few millimetres around a centre that
  /// lets the links, thick or thin, reach around the object.
  [[nodiscard]] VectorXd random_closed(const CounterRandom& random, std::uint64_t n) const {
    const double y = 0.153 + mechanism->hand().link(0).radius;
    return closed(0.002 * random.symmetric(3 * n), y + 0.002 * random.symmetric(3 * n + 1),
                  90.0 + 20.0 * random.symmetric(3 * n + 2));
  }
  [[nodiscard]] contact::ContactKinematics kinematics(const VectorXd& q, const VectorXd& v) const {
    contact::ContactKinematics out;
    contacts->kinematics(q, v, out);
    return out;
  }
};

inline PaperHand paper_hand(const PaperHandOptions& options = {}) {
  const auto arm = [&](const char* name, double base, geometry::Side side) {
    mechanics::PlanarArm out{name, {base, 0.0}, side, {}};
    const std::vector<std::string> names = options.lengths.size() == 2
                                               ? std::vector<std::string>{"proximal", "distal"}
                                               : std::vector<std::string>{"proximal", "middle", "distal"};
    for (std::size_t l = 0; l < options.lengths.size(); ++l)
      out.links.push_back({.name = names[l],
                           .length = options.lengths[l],
                           .mass = options.link_mass,
                           .inertia = 1.67e-3,
                           .com = {options.lengths[l] / 2, 0.0},
                           .radius = options.radius});
    return out;
  };
  PaperHand out;
  out.mechanism = std::make_shared<mechanics::PlanarGraspMechanism>(
      mechanics::PlanarHand(
          {arm("left", -0.05, geometry::Side::kRight), arm("right", 0.05, geometry::Side::kLeft)},
          options.gravity),
      mechanics::PlanarObject{options.object_mass, 1.46e-2,
                              std::make_shared<geometry::Ellipse>(options.a, options.b)});
  std::vector<contact::PlanarContact> contacts;
  for (const std::string& name : out.mechanism->link_names())
    contacts.push_back({name, static_cast<Index>(contacts.size())});
  for (const auto& [name, link] : options.extra_contacts) contacts.push_back({name, link});
  out.contacts = std::make_shared<contact::PlanarContactSet>(out.mechanism, contacts);
  return out;
}

/// Vector of draws from [−scale, scale).
inline VectorXd random_vector(const CounterRandom& random, std::uint64_t first, Index size,
                              double scale = 1.0) {
  VectorXd out(size);
  for (Index i = 0; i < size; ++i) out[i] = scale * random.symmetric(first + static_cast<std::uint64_t>(i));
  return out;
}

inline MatrixXd random_matrix(const CounterRandom& random, std::uint64_t first, Index rows, Index cols) {
  return random_vector(random, first, rows * cols).reshaped(rows, cols);
}

/// The velocity with object velocity ẋ that keeps all gaps closed: θ̇ solves W_Nᵀ v = 0. @pre n_C = n_θ
inline VectorXd closed_velocity(const PaperHand& hand, const VectorXd& q, const VectorXd& x_dot) {
  const MatrixXd W_N = hand.kinematics(q, VectorXd::Zero(q.size())).W_N;
  const Index n_theta = hand.mechanism->n_theta();
  VectorXd v(q.size());
  v << x_dot, -W_N.bottomRows(n_theta).transpose().fullPivLu().solve(W_N.topRows(3).transpose() * x_dot);
  return v;
}

/// All contacts sliding the way the object's velocity ẋ makes them slide.
inline std::vector<ContactMode> sliding_modes(const PaperHand& hand, const VectorXd& q,
                                              const VectorXd& x_dot) {
  const VectorXd v = closed_velocity(hand, q, x_dot);
  const VectorXd slip = hand.kinematics(q, v).W_T.transpose() * v;
  std::vector<ContactMode> modes;
  for (const double s : slip) modes.push_back(s > 0.0 ? ContactMode::kSlidePlus : ContactMode::kSlideMinus);
  return modes;
}

/// q with joint i turned until contact i lies at its link's own joint, where this joint cannot move it.
inline VectorXd with_contact_at_joint(const PaperHand& hand, VectorXd q, Index i) {
  const auto reach = [&](double angle) {
    q[3 + i] = angle;
    return hand.kinematics(q, VectorXd::Zero(q.size())).edge_distance[i];
  };
  double inside = q[3 + i];
  double outside = inside;
  const double step = reach(inside + 1e-3) < reach(inside) ? 0.05 : -0.05;
  while (reach(outside) > 0.0) outside += step;
  for (int k = 0; k < 100; ++k) {
    const double middle = (inside + outside) / 2;
    (reach(middle) > 0.0 ? inside : outside) = middle;
  }
  (void)reach(inside);
  return q;
}

/// The number-th of the 4^size ways to give each contact a mode.
inline std::vector<ContactMode> mode_combination(int number, std::size_t size) {
  constexpr ContactMode kModes[] = {ContactMode::kSlidePlus, ContactMode::kSlideMinus, ContactMode::kRoll,
                                    ContactMode::kOpen};
  std::vector<ContactMode> modes;
  for (std::size_t i = 0; i < size; ++i, number /= 4) modes.push_back(kModes[number % 4]);
  return modes;
}

}  // namespace enfold::test
