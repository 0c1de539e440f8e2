// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Dense>
#include <memory>

#include "enfold/controllers/whole_arm.hpp"
#include "enfold/test/paper_hand.hpp"

namespace enfold::test {

/// x(t) = x₀ + ẋ₀ t + ½ ẍ₀ t².
struct Parabola final : control::Trajectory {
  VectorXd x, x_dot, x_ddot;
  [[nodiscard]] double duration() const override { return 1.0; }
  void sample(double t, control::Reference& out) const override {
    out.x = x + t * x_dot + 0.5 * t * t * x_ddot;
    out.x_dot = x_dot + t * x_ddot;
    out.x_ddot = x_ddot;
    out.x_dddot = VectorXd::Zero(x.size());
  }
};

/// W_μ column by column from the gradients, by the definition μ_s = −diag(μ sign φ̇_T).
inline MatrixXd loaded_gradients(const contact::ContactKinematics& kinematics,
                                 const std::vector<ContactMode>& modes, const VectorXd& mu) {
  MatrixXd W = kinematics.W_N;
  for (Index i = 0; i < W.cols(); ++i)
    W.col(i) -= mu[i] * (modes[static_cast<std::size_t>(i)] == ContactMode::kSlidePlus ? 1.0 : -1.0) *
                kinematics.W_T.col(i);
  return W;
}

/// The orthonormal basis of null(G) nearest to a reference R, as the polar factor of P R with the projector P
/// on null(G): P R (Rᵀ P R)^(−1/2).
inline MatrixXd nearest_null_basis(const MatrixXd& G, const MatrixXd& reference) {
  const MatrixXd G_plus = G.completeOrthogonalDecomposition().pseudoInverse();
  const MatrixXd projected = reference - G_plus * (G * reference);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> gram(projected.transpose() * projected);
  return projected * gram.operatorInverseSqrt();
}

/// A desired motion, its plan of two points at 0 and 1 s, and a state off the plan but on the constraints.
struct WholeArmCase {
  PaperHand hand;
  VectorXd mu;
  std::shared_ptr<Parabola> trajectory = std::make_shared<Parabola>();
  std::shared_ptr<control::Plan> plan = std::make_shared<control::Plan>();
  controllers::Gains gains;
  double t = 0.0;
  control::Measurement measured;
  VectorXd integral;

  [[nodiscard]] controllers::WholeArmModel model() const { return {hand.mechanism, hand.contacts, mu}; }
  [[nodiscard]] controllers::WholeArmController controller() const {
    return {model(), trajectory, plan, gains};
  }
  [[nodiscard]] const control::PlanPoint& point() const { return plan->points[t < 1.0 ? 0 : 1]; }
  [[nodiscard]] VectorXd alpha_des() const {
    return (1.0 - t) * plan->points[0].alpha_des + t * plan->points[1].alpha_des;
  }
};

/// @p options: two links per arm give p = 1, three give p = 3.
inline WholeArmCase whole_arm_case(const PaperHandOptions& options, std::uint64_t seed) {
  const CounterRandom random(seed, 0);
  WholeArmCase c;
  c.hand = paper_hand(options);
  const Index n_C = c.hand.contacts->n_contacts();
  const Index p = n_C - 3;
  c.mu = random_vector(random, 0, n_C, 0.15).array() + 0.15;
  c.trajectory->x = Eigen::Vector3d(0.0, 0.153 + options.radius, 1.5 + 0.1 * random.symmetric(20));
  c.trajectory->x_dot = Eigen::Vector3d(0.001, 0.001, 0.1).cwiseProduct(random_vector(random, 21, 3));
  c.trajectory->x_ddot = Eigen::Vector3d(0.001, 0.001, 0.2).cwiseProduct(random_vector(random, 24, 3));
  c.gains = {.Kp = 80.0 + 40.0 * random.uniform(30),
             .Kv = 10.0 + 20.0 * random.uniform(31),
             .Kalpha = 5.0 + 10.0 * random.uniform(32)};
  control::Reference reference;
  for (int k = 0; k < 2; ++k) {
    control::PlanPoint point;
    point.time = k;
    c.trajectory->sample(k, reference);
    const VectorXd q = c.hand.closed(reference.x);
    point.theta = q.tail(c.hand.mechanism->n_theta());
    for (Index i = 0; i < n_C; ++i)
      point.modes.push_back(random.symmetric(40 + static_cast<std::uint64_t>(i)) > 0.0
                                ? ContactMode::kSlidePlus
                                : ContactMode::kSlideMinus);
    point.alpha_des = random_vector(random, 50 + 10 * static_cast<std::uint64_t>(k), p, 2.0);
    const MatrixXd G =
        loaded_gradients(c.hand.kinematics(q, VectorXd::Zero(q.size())), point.modes, c.mu).topRows(3);
    // Some orthonormal basis, the same choice at both points.
    point.G_null =
        nearest_null_basis(G, k == 0 ? random_matrix(random, 100, n_C, p) : c.plan->points[0].G_null);
    c.plan->points.push_back(point);
  }
  c.t = random.uniform(33);
  c.trajectory->sample(c.t, reference);
  const VectorXd offset = Eigen::Vector3d(0.001, 0.001, 0.02).cwiseProduct(random_vector(random, 34, 3));
  c.measured.q = c.hand.closed(reference.x + offset);
  c.measured.v = closed_velocity(c.hand, c.measured.q,
                                 Eigen::Vector3d(0.05, 0.05, 0.5).cwiseProduct(random_vector(random, 37, 3)));
  c.measured.lambda_N = random_vector(random, 70, n_C).cwiseAbs();
  c.measured.lambda_T = random_vector(random, 80, n_C);
  c.measured.forces_valid = true;
  c.integral = random_vector(random, 90, p, 0.1);
  return c;
}

/// Accelerations and normal forces of rigid bodies under a torque, with all contacts kept and sliding as
/// planned:
///     M v̇ + h = [0 ; τ] + W_μ λ,   W_Nᵀ v̇ + bias_N = 0
struct RigidMotion {
  VectorXd v_dot, lambda;
  MatrixXd W_mu;
};

inline RigidMotion rigid_motion(const PaperHand& hand, const VectorXd& mu,
                                const std::vector<ContactMode>& modes, const VectorXd& q, const VectorXd& v,
                                const VectorXd& tau) {
  const contact::ContactKinematics kinematics = hand.kinematics(q, v);
  mechanics::Dynamics dynamics;
  hand.mechanism->dynamics(q, v, dynamics);
  const Index n = q.size();
  const Index n_C = kinematics.W_N.cols();
  RigidMotion out;
  out.W_mu = loaded_gradients(kinematics, modes, mu);
  MatrixXd kkt = MatrixXd::Zero(n + n_C, n + n_C);
  kkt.topLeftCorner(n, n) = dynamics.M;
  kkt.topRightCorner(n, n_C) = -out.W_mu;
  kkt.bottomLeftCorner(n_C, n) = kinematics.W_N.transpose();
  VectorXd rhs(n + n_C);
  rhs << -dynamics.h, -kinematics.bias_N;
  rhs.segment(3, n - 3) += tau;
  const VectorXd solution = kkt.fullPivLu().solve(rhs);
  out.v_dot = solution.head(n);
  out.lambda = solution.tail(n_C);
  return out;
}

}  // namespace enfold::test
