// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <optional>
#include <vector>

#include "enfold/test/whole_arm_case.hpp"

namespace enfold::test {

/// Hold: a pose with wanted rates at one instant.
struct Instant final : control::Trajectory {
  control::Reference now;
  [[nodiscard]] double duration() const override { return 1.0; }
  void sample(double /*t*/, control::Reference& out) const override { out = now; }
};

/// A random grasp with random modes at a random state that keeps its contacts, and a law for it.
struct RandomLawCase {
  PaperHand hand;
  VectorXd mu;
  std::vector<ContactMode> modes;
  std::vector<Index> coordinates;
  MatrixXd W, W_tilde;  // columns: normals of sliding with friction, of rolling, then rolling tangents
  VectorXd bias;
  controllers::Gains gains;
  std::shared_ptr<Instant> trajectory = std::make_shared<Instant>();
  std::shared_ptr<control::Plan> plan = std::make_shared<control::Plan>();
  control::Measurement measured;
  VectorXd integral;
  Index m = 0;
};

// From the gradients themselves, not from the library's assembly.
inline void stack(RandomLawCase& c, const contact::ContactKinematics& kinematics) {
  std::vector<Index> order;
  for (Index i = 0; i < c.mu.size(); ++i)
    if (is_sliding(c.modes[static_cast<std::size_t>(i)])) order.push_back(i);
  const auto n_S = static_cast<Index>(order.size());
  for (Index i = 0; i < c.mu.size(); ++i)
    if (c.modes[static_cast<std::size_t>(i)] == ContactMode::kRoll) order.push_back(i);
  const auto n_C = static_cast<Index>(order.size());
  const Index k = 2 * n_C - n_S;
  c.W.resize(c.measured.q.size(), k);
  c.W_tilde = c.W;
  c.bias.resize(k);
  for (Index column = 0; column < k; ++column) {
    const bool tangent = column >= n_C;
    const Index i = order[static_cast<std::size_t>(tangent ? column - n_C + n_S : column)];
    c.W_tilde.col(column) = tangent ? kinematics.W_T.col(i) : kinematics.W_N.col(i);
    c.bias[column] = tangent ? kinematics.bias_T[i] : kinematics.bias_N[i];
    c.W.col(column) = c.W_tilde.col(column);
    if (column < n_S)
      c.W.col(column) -= c.mu[i] * slip_sign(c.modes[static_cast<std::size_t>(i)]) * kinematics.W_T.col(i);
  }
}

/// @return nothing if the draw is no grasp that the law is for: no motion left, too few forces, or
/// coordinates that hardly show the motion
inline std::optional<RandomLawCase> random_law_case(const PaperHandOptions& options, std::uint64_t seed) {
  const CounterRandom random(seed, 17);
  RandomLawCase c;
  c.hand = paper_hand(options);
  const Index n_C = c.hand.contacts->n_contacts();
  c.mu = random_vector(random, 0, n_C, 0.25).array() + 0.3;
  for (Index i = 0; i < n_C; ++i) {
    const double draw = random.uniform(20 + static_cast<std::uint64_t>(i));
    c.modes.push_back(draw < 0.35   ? ContactMode::kRoll
                      : draw < 0.6  ? ContactMode::kSlidePlus
                      : draw < 0.85 ? ContactMode::kSlideMinus
                                    : ContactMode::kOpen);
  }
  c.measured.q = c.hand.random_closed(random, seed);
  const Index n = c.measured.q.size();
  stack(c, c.hand.kinematics(c.measured.q, VectorXd::Zero(n)));
  const Index k = c.W.cols();
  if (k < 3 || k >= n) return std::nullopt;
  const MatrixXd Z = Eigen::FullPivLU<MatrixXd>(c.W_tilde.transpose()).kernel();
  c.m = Z.cols();
  const Index r_x = Eigen::FullPivLU<MatrixXd>(Z.topRows(3)).rank();
  if (r_x == 0 || c.m != n - k) return std::nullopt;
  std::vector<Index> all{0, 1, 2};
  std::rotate(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(3.0 * random.uniform(40)), all.end());
  c.coordinates.assign(all.begin(), all.begin() + r_x);
  const MatrixXd S_Z = Z(c.coordinates, Eigen::all);
  const VectorXd shown = Eigen::JacobiSVD<MatrixXd>(S_Z).singularValues();
  if (shown[r_x - 1] < 1e-3) return std::nullopt;
  const VectorXd force = Eigen::JacobiSVD<MatrixXd>(c.W.topRows(3)).singularValues();
  if (force[2] < 1e-3) return std::nullopt;

  const VectorXd zeta = random_vector(random, 50, c.m, 0.3);
  c.measured.v = Z * zeta;
  stack(c, c.hand.kinematics(c.measured.q, c.measured.v));
  c.gains = {.Kp = 80.0 + 40.0 * random.uniform(70), .Kv = 10.0 + 20.0 * random.uniform(71), .Kalpha = 10.0};
  // Unnamed coordinates of the reference are nonsense on purpose: the law must not look at them.
  c.trajectory->now.x = c.measured.q.head(3) + random_vector(random, 72, 3, 0.02);
  c.trajectory->now.x_dot = random_vector(random, 75, 3, 0.1);
  c.trajectory->now.x_ddot = random_vector(random, 78, 3, 0.5);
  c.trajectory->now.x_dddot.setZero(3);
  for (const double t : {0.0, 1.0}) {
    control::PlanPoint point;
    point.time = t;
    point.modes = c.modes;
    point.theta = c.measured.q.tail(n - 3) + random_vector(random, 100, n - 3, 0.05);
    point.theta_dot = random_vector(random, 110, n - 3, 0.2);
    point.theta_ddot = random_vector(random, 120, n - 3, 0.2);
    point.alpha_des = random_vector(random, 130, k - 3, 2.0);
    point.G_null.resize(k, k - 3);
    if (k > 3) point.G_null = nearest_null_basis(c.W.topRows(3), random_matrix(random, 140, k, k - 3));
    c.plan->points.push_back(point);
  }
  c.measured.lambda_N = c.measured.lambda_T = VectorXd::Zero(n_C);
  c.measured.forces_valid = true;
  c.integral = random_vector(random, 400, k - 3, 0.1);
  return c;
}

inline std::vector<PaperHandOptions> varied_hands() {
  return {{},
          {.radius = 0.006, .gravity = {0.5, -9.81}},
          {.gravity = {0.0, -9.81}, .lengths = {0.14, 0.16, 0.15}},
          {.radius = 0.003, .gravity = {1.0, -3.0}, .lengths = {0.14, 0.16, 0.15}}};
}

}  // namespace enfold::test
