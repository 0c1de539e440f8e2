// SPDX-License-Identifier: BSD-3-Clause
#include "song_hand.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "enfold/base/require.hpp"
#include "enfold/geometry/ellipse.hpp"

namespace enfold::bench {
namespace {

mechanics::PlanarArm arm(const char* name, double base_x, geometry::Side side) {
  mechanics::PlanarArm arm{.name = name, .base = {base_x, 0.0}, .object_side = side, .links = {}};
  for (const char* link : {"proximal", "distal"})
    arm.links.push_back({.name = link, .length = 0.20, .mass = 0.5, .inertia = 1.67e-3, .com = {0.10, 0.0}});
  return arm;
}

}  // namespace

SettledGrasp settled_grasp() {
  SettledGrasp grasp;
  mechanics::PlanarHand hand(
      {arm("left", -0.05, geometry::Side::kRight), arm("right", 0.05, geometry::Side::kLeft)},
      Vector2d::Zero());
  grasp.mechanism = std::make_shared<mechanics::PlanarGraspMechanism>(
      std::move(hand),
      mechanics::PlanarObject{
          .mass = 1.69, .inertia = 1.46e-2, .shape = std::make_shared<geometry::Ellipse>(0.15, 0.11)});
  std::vector<contact::PlanarContact> contacts;
  for (Index link = 0; link < grasp.mechanism->hand().n_joints(); ++link)
    contacts.push_back({grasp.mechanism->link_names()[static_cast<std::size_t>(link)], link});
  grasp.contacts = std::make_shared<contact::PlanarContactSet>(grasp.mechanism, std::move(contacts));

  VectorXd x(3);
  x << 0.0, 0.15, 70.0 * std::numbers::pi / 180.0;
  const contact::Closure closure = grasp.contacts->close(x);
  ENFOLD_REQUIRE(closure.closed(), "settled_grasp: {}", closure.message);
  grasp.q.resize(grasp.mechanism->n_q());
  grasp.q << x, closure.theta;

  // Slip directions of a small counter-clockwise turn: θ̇ = H̃ ẋ keeps every contact closed.        S4 (8)
  contact::ContactKinematics k;
  grasp.contacts->kinematics(grasp.q, VectorXd::Zero(grasp.mechanism->n_v()), k);
  const Index n_x = grasp.mechanism->n_x();
  VectorXd v = VectorXd::Zero(grasp.mechanism->n_v());
  v[2] = 1.0;
  const MatrixXd J_tilde = -k.W_N.bottomRows(grasp.mechanism->n_theta()).transpose();
  v.tail(grasp.mechanism->n_theta()) =
      J_tilde.partialPivLu().solve(k.W_N.topRows(n_x).transpose() * v.head(n_x));
  const VectorXd slip_velocity = k.W_T.transpose() * v;
  grasp.slip = slip_velocity.array().sign();
  grasp.v = 0.5 * v;

  // The squeeze: null vector of G_μ = G_N + G_T μ_s, and the torques that balance it, τ = J_μᵀ λ.  S4 (5),
  // (6)
  const MatrixXd W_mu = k.W_N - kMu * k.W_T * grasp.slip.asDiagonal();
  const Eigen::FullPivLU<MatrixXd> lu(W_mu.topRows(n_x));
  VectorXd squeeze = lu.kernel().col(0);
  if (squeeze.sum() < 0.0) squeeze = -squeeze;
  ENFOLD_REQUIRE(squeeze.minCoeff() > 0.0, "settled_grasp: no squeeze exists, smallest entry {}",
                 squeeze.minCoeff());
  grasp.lambda_N = squeeze * (0.5 / squeeze.minCoeff());
  grasp.tau = -W_mu.bottomRows(grasp.mechanism->n_theta()) * grasp.lambda_N;
  return grasp;
}

}  // namespace enfold::bench
